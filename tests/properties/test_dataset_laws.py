"""Laws of data sets: what came in comes back, and no order of rows or columns matters."""

from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset, Discretizer

KINDS = [
    st.booleans(),
    st.integers(-3, 3),
    st.integers(-(2**63), 2**63 - 1),
    st.text(max_size=3),
    st.sampled_from("abc"),
    st.floats(-1e9, 1e9).map(lambda x: x + 0.0),
]


@st.composite
def tables(draw):
    """Dictionaries of columns of one kind each."""
    n = draw(st.integers(1, 40))
    names = draw(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=5, unique=True))
    return {
        name: draw(st.lists(draw(st.sampled_from(KINDS)), min_size=n, max_size=n)) for name in names
    }


@st.composite
def codes(draw, max_variables=8):
    """Arrays of codes, variables by samples."""
    shape = (draw(st.integers(1, max_variables)), draw(st.integers(1, 150)))
    card = draw(st.sampled_from([1, 2, 3, 9, 300]))
    seed = draw(st.integers(0, 2**32 - 1))
    return np.random.default_rng(seed).integers(0, card, shape)


def decoded(data: Dataset) -> dict[str, list[object]]:
    numbers = iter(data.values.tolist())
    return {
        name: next(numbers)
        if data.is_continuous[v]
        else [data.states[v][code] for code in data.codes[v]]
        for v, name in enumerate(data.names)
    }


def is_continuous(values) -> bool:
    if any(type(value) is float and not value.is_integer() for value in values):
        return True
    return not isinstance(values[0], bool | str) and len(set(values)) > 20


@given(tables())
def test_values_come_back_as_they_went_in(table):
    data = Dataset.from_data(table, max_levels=100)
    back = decoded(data)

    for name, values in table.items():
        assert data.is_continuous[data.variable(name)] == is_continuous(values)
        if is_continuous(values):
            assert back[name] == list(map(float, values))
        else:
            kinds = [int if type(value) is float else type(value) for value in values]
            assert back[name] == values
            assert list(map(type, back[name])) == kinds


@given(tables())
def test_levels_are_sorted_and_observed(table):
    data = Dataset.from_data(table, max_levels=100)

    for name, values in table.items():
        levels = [] if is_continuous(values) else sorted(set(values))
        assert list(data.states[data.variable(name)]) == levels


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_decides_no_state(table, random):
    data = Dataset.from_data(table, max_levels=100)
    rows = list(range(data.n_samples))
    random.shuffle(rows)

    shuffled = Dataset.from_data(
        {name: [values[i] for i in rows] for name, values in table.items()}, max_levels=100
    )

    assert shuffled.names == data.names
    assert shuffled.states == data.states
    assert (shuffled.codes == data.codes[:, rows]).all()
    assert shuffled.fingerprint() == data.take(rows).fingerprint()


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_columns_decides_nothing_but_columns(table, random):
    names = list(table)
    random.shuffle(names)

    data = Dataset.from_data(table, max_levels=100)
    shuffled = Dataset.from_data({name: table[name] for name in names}, max_levels=100)

    assert shuffled.columns == tuple(names)
    assert shuffled.names == data.names == tuple(sorted(table))
    assert shuffled.fingerprint() == data.fingerprint()


@given(tables())
def test_all_libraries_bring_the_same_data(table):
    plain = Dataset.from_data(table, max_levels=100)

    for library in (pd.DataFrame, pl.DataFrame, pa.table):
        assert (
            Dataset.from_data(library(table), max_levels=100).fingerprint() == plain.fingerprint()
        )


@given(codes())
def test_an_array_and_its_columns_are_the_same_data(array):
    names = [f"v{v}" for v in range(len(array))]

    whole = Dataset.from_data(array.T, names=names, max_levels=300)
    by_columns = Dataset.from_data(dict(zip(names, array, strict=True)), max_levels=300)

    assert whole.fingerprint() == by_columns.fingerprint()


@given(codes())
def test_bitmaps_equal_codes(array):
    data = Dataset.from_codes(array)

    for v in range(data.n_variables):
        for level in range(data.cards[v]):
            words = data.index.bitmap(v, level)
            bits = np.unpackbits(words.view(np.uint8), bitorder="little")
            assert (bits[: data.n_samples] == (data.codes[v] == level)).all()
            assert not bits[data.n_samples :].any()


@given(codes(max_variables=40), st.data())
def test_merging_rows_counts_them(array, draw):
    data = Dataset.from_codes(array)
    chosen = draw.draw(st.sets(st.integers(0, data.n_variables - 1), min_size=1))

    merged = data.compressed(chosen)

    expected = Counter(map(tuple, data.codes[sorted(chosen)].T.tolist()))
    assert list(map(tuple, merged.codes.T.tolist())) == list(expected)
    assert merged.weights.tolist() == list(expected.values())
    assert merged.compressed(range(len(chosen))).fingerprint() == merged.fingerprint()


@given(tables())
def test_new_data_are_encoded_like_the_old(table):
    data = Dataset.from_data(table, max_levels=100)

    assert data.encode_like(table).fingerprint() == data.fingerprint()
    assert data.encode_like(data).fingerprint() == data.fingerprint()


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60),
    st.integers(1, 6),
    st.sampled_from(["quantile", "uniform"]),
)
def test_intervals_contain_their_numbers(values, levels, strategy):
    array = np.array(values)[:, None]

    cutter = Discretizer(strategy=strategy, levels=levels, columns=[0]).fit(array)

    edges = [-np.inf, *cutter.edges_[0], np.inf]
    assert len(edges) <= levels + 1
    for value, found in zip(values, cutter.transform(array)[:, 0], strict=True):
        assert edges[found] < value <= edges[found + 1]
