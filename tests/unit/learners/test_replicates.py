"""The rows of replicates: with replacement or halves, in strata or not."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import Dataset
from h2pc.learners.replicates import replicate_rows, strata_of
from strategies import examples

LEVELS = st.lists(st.sampled_from("abc"), min_size=2, max_size=40)


def strata(levels, *, stratify):
    data = Dataset.from_data({"x": levels, "row": np.arange(len(levels)) / 2})
    return strata_of(data, "x" if stratify else None)


@examples(200)
@given(LEVELS, st.booleans(), st.integers(0, 5), st.integers(0, 9))
def test_halves_are_disjoint_and_cover_all_rows_but_one_of_an_odd_number(levels, stratify, k, seed):
    groups = strata(levels, stratify=stratify)
    first, second = (replicate_rows(2 * k + i, groups, "subsample", seed) for i in (0, 1))

    assert len(first) == len(second) == len(levels) // 2
    together = {*first.tolist(), *second.tolist()}
    assert len(together) == len(levels) // 2 * 2
    assert together <= set(range(len(levels)))


@examples(200)
@given(LEVELS, st.integers(0, 9))
def test_halves_have_equally_many_rows_of_a_level_or_one_has_one_more(levels, seed):
    groups = strata(levels, stratify=True)
    first, second = (
        Counter(levels[row] for row in replicate_rows(i, groups, "subsample", seed)) for i in (0, 1)
    )

    n_odd = sum(n % 2 for n in Counter(levels).values())
    assert all(abs(first[level] - second[level]) <= 1 for level in "abc")
    assert sum(abs(first[level] - second[level]) for level in "abc") == n_odd // 2 * 2


@examples(100)
@given(LEVELS, st.integers(0, 9), st.integers(0, 9))
def test_stratified_bootstrap_samples_have_the_same_number_of_every_level(levels, number, seed):
    rows = replicate_rows(number, strata(levels, stratify=True), "bootstrap", seed)

    assert Counter(levels[row] for row in rows) == Counter(levels)


def test_names_of_levels_do_not_decide_the_rows():
    levels = list("abcabbca" * 3)
    renamed = [{"a": "z", "b": "y", "c": "x"}[level] for level in levels]

    for resampling in ("bootstrap", "subsample"):
        one, two = (
            replicate_rows(3, strata(some, stratify=True), resampling, 1)
            for some in (levels, renamed)
        )
        assert one.tolist() == two.tolist()


def test_missing_values_are_a_stratum():
    data = Dataset.from_data(
        {"x": [0, 1, None, 0, None], "y": [0, 1] * 2 + [0]}, missing="available"
    )

    assert [rows.tolist() for rows in strata_of(data, "x")] == [[0, 3], [1], [2, 4]]


@pytest.mark.parametrize("resampling", ["bootstrap", "subsample"])
def test_every_row_is_as_likely_as_any_other(resampling):
    groups = strata(list("aaaaabbbbc"), stratify=True)
    drawn = Counter()
    for number in range(4000):
        drawn.update(replicate_rows(number, groups, resampling, 0).tolist())

    expected = 4000 if resampling == "bootstrap" else 2000
    assert len(drawn) == 10
    assert all(abs(n - expected) < 6 * np.sqrt(expected) for n in drawn.values())
