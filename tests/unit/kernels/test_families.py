"""Families are counted from pairs, bitmaps, numbered or sorted rows: all bits of scores agree."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc._kernels.handles import handle_of
from h2pc.data import Dataset
from h2pc.scores import BIC, K2, BDeu, BDs, LocalScore
from h2pc.variables import without
from reference.slow_scores import TWINS
from strategies import datasets, examples, questions
from unit.kernels.ways import NO_BITMAPS, NO_PAIRS

kinds = st.sampled_from([BDeu, BDs, K2, BIC])


def lacking(score, **missing):
    """A score whose sample lacks some of its arrays."""
    sample, settings, *_ = score._handle
    other = copy(score)
    other._handle = handle_of(sample._replace(**missing), settings)
    return other


def all_ways(score) -> dict[str, LocalScore]:
    """Scores that have to count in another way, all with the same answers."""
    data = score.data
    merged = type(score)(data.compressed(range(data.n_variables)))
    return {
        "no pairs": lacking(score, pairs=NO_PAIRS),
        "no bitmaps": lacking(score, bitmaps=NO_BITMAPS),
        "codes alone": lacking(score, pairs=NO_PAIRS, bitmaps=NO_BITMAPS),
        "merged": merged,
        "merged, no pairs": lacking(merged, pairs=NO_PAIRS),
    }


def close(score, expected: float):
    """Equal but for the roundings of the terms."""
    return pytest.approx(expected, rel=1e-9, abs=64 * 2.0**-score._shift)


def assert_as_the_twin(score, child, parents, others):
    twin = TWINS[type(score)]
    found = score.changed(child, parents, others).tolist()
    for x, one in zip(others, found, strict=True):
        changed = without(parents, x) if x in parents else (*parents, x)
        assert one == close(score, twin(score.data, child, changed))
        assert one == score.family(child, changed)
    assert score.family(child, parents) == close(score, twin(score.data, child, parents))


@examples(50)
@given(st.data(), datasets(min_variables=2, max_variables=8), kinds)
def test_all_ways_give_the_same_bits(draw, data, kind):
    child, candidates, parents = draw.draw(questions(data.n_variables, max_z=6))
    score = kind(data)
    expected = score.changed(child, parents, candidates + parents).tolist()

    for way, other in all_ways(score).items():
        assert other.changed(child, parents, candidates + parents).tolist() == expected, way
        assert other.family(child, parents) == score.family(child, parents), way


@examples(50)
@given(st.data(), datasets(min_variables=2, max_variables=8), kinds)
def test_all_changes_are_as_the_textbook_says(draw, data, kind):
    child, candidates, parents = draw.draw(questions(data.n_variables, max_z=6))

    assert_as_the_twin(kind(data), child, parents, candidates + parents)


@examples(30)
@given(st.data(), datasets(min_variables=2, wide=True), kinds)
def test_codes_of_two_bytes_are_counted_as_the_textbook_says(draw, data, kind):
    child, candidates, parents = draw.draw(questions(data.n_variables))
    score = kind(data)

    assert_as_the_twin(score, child, parents, candidates + parents)
    expected = score.changed(child, parents, candidates + parents).tolist()
    for way, other in all_ways(score).items():
        assert other.changed(child, parents, candidates + parents).tolist() == expected, way


@examples(40)
@given(st.data(), datasets(min_variables=2, max_rows=65), kinds)
def test_counts_too_large_to_be_looked_up_are_worked_out(draw, data, kind):
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


@pytest.mark.parametrize("kind", [BDeu, BDs, K2, BIC])
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
    score = kind(data)
    parents = tuple(range(1, len(cards)))
    others = (len(cards), 1, len(cards) + 1, 2)  # one enters, one leaves, and again

    assert_as_the_twin(score, 0, parents, others)
    expected = score.changed(0, parents, others).tolist()
    for way, other in all_ways(score).items():
        assert other.changed(0, parents, others).tolist() == expected, way


@pytest.mark.parametrize(
    ("child", "parents", "others"),
    [
        (3, (), (0,)),
        (-1, (), (0,)),
        (0, (3,), (1,)),
        (0, (-1,), (1,)),
        (0, (), (3,)),
        (0, (), (-1,)),
    ],
)
def test_a_number_that_is_no_variable_is_refused(child, parents, others):
    score = BDeu(Dataset.from_codes([[0, 1], [0, 1], [0, 1]]))

    with pytest.raises(IndexError):
        score.changed(child, parents, others)
