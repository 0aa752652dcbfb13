"""Families are counted from pairs, bitmaps, numbered or sorted rows: all bits of scores agree."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.scores import BIC, FNML, K2, QNML, BDeu, BDs, LocalScore
from h2pc.variables import without
from reference.slow_scores import TWINS
from strategies import datasets, examples, questions

kinds = st.sampled_from([BDeu, BDs, K2, BIC, QNML, FNML])
MANY_LEVELS = 9_000  # so many that pairs are not counted beforehand


def merged(score) -> LocalScore:
    """The same score of merged rows, which have weights and no bitmaps."""
    data = score.data
    return type(score)(data.compressed(range(data.n_variables)))


def without_pairs(data: Dataset) -> Dataset:
    """The same data and one variable more, the last, whose levels are too many for a table."""
    codes = np.zeros((data.n_variables + 1, data.n_rows), int)
    codes[:-1] = data.codes
    names = [f"{v:03}" for v in range(len(codes))]
    return Dataset.from_codes(codes, cards=[*data.cards, MANY_LEVELS], names=names)


def close(score, expected: float):
    """Equal but for the roundings of the terms."""
    return pytest.approx(expected, rel=1e-9, abs=64 * score.unit)


def assert_as_the_twin(score, child, parents, others):
    twin = TWINS[type(score)]
    found = score.changed(child, parents, others).tolist()
    for x, one in zip(others, found, strict=True):
        changed = without(parents, x) if x in parents else (*parents, x)
        assert one == close(score, twin(score.data, child, changed))
        assert one == score.family(child, changed)
    assert score.family(child, parents) == close(score, twin(score.data, child, parents))


def assert_all_ways_agree(data, kind, child, parents, others):
    for some in (data, without_pairs(data)):
        score = kind(some)
        other = merged(score)
        expected = score.changed(child, parents, others).tolist()
        assert other.changed(child, parents, others).tolist() == expected
        assert other.family(child, parents) == score.family(child, parents)
        assert_as_the_twin(score, child, parents, others)


@examples(50)
@given(st.data(), datasets(min_variables=2, max_variables=8), kinds)
def test_all_ways_give_the_same_bits(draw, data, kind):
    child, candidates, parents = draw.draw(questions(data.n_variables, max_z=6))

    assert_all_ways_agree(data, kind, child, parents, candidates + parents)


@examples(30)
@given(st.data(), datasets(min_variables=2, wide=True), kinds)
def test_codes_of_two_bytes_are_counted_as_the_textbook_says(draw, data, kind):
    child, candidates, parents = draw.draw(questions(data.n_variables))

    assert_all_ways_agree(data, kind, child, parents, candidates + parents)


@examples(40)
@given(st.data(), datasets(min_variables=2, max_rows=65), kinds)
def test_counts_too_large_to_be_looked_up_are_computed(draw, data, kind):
    child, candidates, parents = draw.draw(questions(data.n_variables))
    rows = data.compressed(range(data.n_variables))
    rng = np.random.default_rng(draw.draw(st.integers(0, 99)))
    weights = np.exp(rng.uniform(0.0, 14.0, rows.n_rows)).astype(np.int64)
    heavy = replace(rows, weights=weights)

    assert_as_the_twin(kind(heavy), child, parents, candidates + parents)


# Cards of (child, parents …) and of a candidate: tables small and large beside the number of rows.
SHAPES = {
    "few cells": ((2, 3, 2), 3, 3000),
    "as many cells as rows": ((10, 10, 10), 3, 1000),
    "a large table once it is split": ((10, 10, 20), 50, 1000),
    "a large table": ((30, 40, 50), 2, 500),
    "the cells of child and candidate alone are many": ((120, 3, 5), 150, 300),
    "ten parents of a hundred levels": ((100,) * 11, 100, 2000),
    "a single row": ((3, 4, 5), 6, 1),
    "a child with more levels than rows": ((1500, 4, 5), 3, 50),
}


@pytest.mark.parametrize("kind", [BDeu, BDs, K2, BIC, QNML, FNML])
@pytest.mark.parametrize("shape", SHAPES)
def test_families_of_all_shapes_are_as_the_textbook_says(shape, kind):
    cards, card, n_rows = SHAPES[shape]
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 5000, n_rows)
    codes = [
        np.where(rng.random(n_rows) < 0.7, hidden, rng.integers(0, 5000, n_rows)) % levels
        for levels in (*cards, card, 2)
    ]
    data = Dataset.from_codes(codes, cards=(*cards, card, 2))
    parents = tuple(range(1, len(cards)))
    others = (len(cards), 1, len(cards) + 1, 2)  # one is added, one removed, and again

    assert_all_ways_agree(data, kind, 0, parents, others)
