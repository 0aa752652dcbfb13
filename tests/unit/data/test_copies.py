"""Copies of variables, and levels that were never observed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import Dataset
from h2pc.data.copies import copies_in, with_observed_levels


@st.composite
def few_levels(draw):
    """Small tables in which copies, constants and missing cells are frequent."""
    n_rows = draw(st.integers(1, 6))
    column = st.lists(st.integers(-1, 2), min_size=n_rows, max_size=n_rows)
    codes = np.array(draw(st.lists(column, min_size=1, max_size=6)))
    return Dataset.from_codes(codes, cards=[4] * len(codes), missing="available")


def are_copies(data, u, v):
    """Whether there is one level of v for each of u, and one of u for each of v."""
    pairs = set(zip(data.codes[u].tolist(), data.codes[v].tolist(), strict=True))
    missing = data.cards[u], data.cards[v]
    if any((x == missing[0]) != (y == missing[1]) for x, y in pairs):
        return False
    known = {pair for pair in pairs if pair != missing}
    return len(known) > 1 and all(len({pair[i] for pair in known}) == len(known) for i in (0, 1))


@given(few_levels())
def test_copies_are_one_to_one(data):
    copies = copies_in(data)
    for u in range(data.n_variables):
        for v in range(u):
            same = copies.get(u, u) == copies.get(v, v)
            assert same == are_copies(data, u, v)


@given(few_levels())
def test_copies_do_not_depend_on_unobserved_levels(data):
    assert copies_in(with_observed_levels(data)) == copies_in(data)


@given(few_levels())
def test_observed_levels_keep_the_cells(data):
    seen = with_observed_levels(data)
    assert seen.n_missing.tolist() == data.n_missing.tolist()
    for v in range(data.n_variables):
        known = data.codes[v] < data.cards[v]
        cells = [data.states[v][code] for code in data.codes[v][known]]
        assert [seen.states[v][code] for code in seen.codes[v][known]] == cells
        assert set(seen.states[v]) == (set(cells) or set(data.states[v]))


def test_data_without_unobserved_levels_stay_the_same():
    data = Dataset.from_data({"a": [0, 1], "b": [0.5, 1.25]})
    assert with_observed_levels(data) is data


def test_continuous_copies_have_equal_numbers():
    rng = np.random.default_rng(0)
    first, other = rng.normal(size=(2, 50))
    first[3], other[3] = np.nan, np.nan
    zero = np.where(np.arange(50) == 7, 0.0, first)
    data = Dataset.from_data(
        {
            "a": first,
            "b": other,
            "c": first.copy(),
            "d": zero,
            "e": np.where(zero == 0, -0.0, zero),
        },
        missing="available",
    )
    assert copies_in(data) == {2: 0, 4: 3}


def test_preferred_variables_stand_for_their_copies():
    data = Dataset.from_codes([[0, 1, 1]] * 3)
    assert copies_in(data) == {1: 0, 2: 0}
    assert copies_in(data, preferred=[2]) == {0: 2, 1: 2}


def test_variables_apart_are_no_copies():
    data = Dataset.from_codes([[0, 1, 1]] * 4)
    assert copies_in(data, alone=[0]) == {2: 1, 3: 1}
    assert copies_in(data, group={0: "x", 1: "y", 2: "y", 3: "x"}) == {2: 1, 3: 0}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_the_order_of_columns_does_not_matter(order):
    columns = {"x": ["u", "v", "u"], "y": [3, 9, 3], "z": [True, False, False]}
    chosen = {name: columns[name] for name in np.array(list(columns))[list(order)]}
    assert copies_in(Dataset.from_data(chosen)) == {1: 0}
