"""Equal rows are merged when the index of many samples is made: every bit stays the same."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.algorithms.class_search import class_search
from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.data import Dataset
from h2pc.independence.table_tests import ChiSquareTest, GTest
from h2pc.scores import BIC, FNML, K2, QNML, BDeu, BDs
from reference.slow_tables import slow_merged_rows
from strategies import examples, questions

N_ROWS = 17_000  # just so many that it may pay to merge them
N_VARIABLES = 6
UNIVERSE = tuple(range(N_VARIABLES))
MANY_LEVELS = 200


class Twins(NamedTuple):
    """The same samples twice: many rows are alike, or two more columns tell all of them apart."""

    alike: Dataset
    told_apart: Dataset


def twins(seed: int, n_patterns: int, max_levels: int, share_missing: float) -> Twins:
    """Twins with so many different rows at most; the last two columns have the same levels."""
    rng = np.random.default_rng(seed)
    cards = [*rng.integers(2, max_levels + 1, N_VARIABLES).tolist(), MANY_LEVELS, MANY_LEVELS]
    hidden = rng.integers(0, max_levels, n_patterns)
    patterns = np.array(
        [
            np.where(rng.random(n_patterns) < 0.5, hidden, rng.integers(0, card, n_patterns)) % card
            for card in cards[:N_VARIABLES]
        ]
    )
    patterns[rng.random(patterns.shape) < share_missing] = -1
    codes = np.zeros((N_VARIABLES + 2, N_ROWS), int)
    codes[:N_VARIABLES] = patterns[:, rng.integers(0, n_patterns, N_ROWS)]
    others = codes.copy()
    others[N_VARIABLES:] = np.divmod(rng.permutation(MANY_LEVELS**2)[:N_ROWS], MANY_LEVELS)
    return Twins(
        *(Dataset.from_codes(own, cards=cards, missing="available") for own in (codes, others))
    )


pairs_of_twins = st.builds(
    twins,
    seed=st.integers(0, 2**32 - 1),
    n_patterns=st.sampled_from([1, 5, 60, 2_000]),
    max_levels=st.integers(2, 5),
    share_missing=st.sampled_from([0.0, 0.0, 0.1]),
)


@pytest.mark.parametrize("kind", [GTest, ChiSquareTest])
@examples(15)
@given(st.data(), pairs_of_twins)
def test_tests_on_merged_rows_have_the_same_bits(kind, draw, both):
    target, candidates, z = draw.draw(questions(N_VARIABLES))

    merged, single = (kind(data).log_p_many(target, candidates, z) for data in both)

    assert both.alike.index.codes.shape[1] < N_ROWS == both.told_apart.index.codes.shape[1]
    assert merged.tolist() == single.tolist()


@pytest.mark.parametrize("kind", [BDeu, BDs, K2, BIC, QNML, FNML])
@examples(10)
@given(st.data(), pairs_of_twins)
def test_scores_of_merged_rows_have_the_same_bits(kind, draw, both):
    child, candidates, parents = draw.draw(questions(N_VARIABLES))

    merged, single = (kind(data).changed(child, parents, candidates + parents) for data in both)

    assert merged.tolist() == single.tolist()


@examples(10)
@given(pairs_of_twins)
def test_skeletons_and_searches_on_merged_rows_take_the_same_steps(both):
    found = []
    for data in both:
        skeleton = learned_skeleton(GTest(data), data.names, hpc, universe=UNIVERSE)
        search = class_search(BDs(data), skeleton.skeleton)
        found.append(
            (
                skeleton.skeleton.edges,
                skeleton.n_tests,
                search.parent_sets,
                search.trail,
                search.n_scores,
            )
        )

    assert found[0] == found[1]


@pytest.mark.parametrize("n_patterns", [3, 60, 2_000])
@pytest.mark.parametrize("share_missing", [0.0, 0.1])
def test_merged_rows_come_in_the_order_of_their_first_samples(n_patterns, share_missing):
    data = twins(1, n_patterns, 4, share_missing).alike

    index = data.index

    first, _ = slow_merged_rows(data.codes, list(range(data.n_variables)), [1] * N_ROWS)
    assert index.codes.tolist() == data.codes[:, first].tolist()
    assert (index.n_samples, data.n_rows) == (N_ROWS, N_ROWS)


@pytest.mark.parametrize("n_patterns", [60, 2_000])
def test_rows_that_the_index_merged_are_compressed_as_others(n_patterns):
    both = twins(2, n_patterns, 4, 0.1)

    merged, single = (data.compressed([1, 3, 4]) for data in both)

    assert merged.codes.tolist() == single.codes.tolist()
    assert merged.weights.tolist() == single.weights.tolist()


@pytest.mark.parametrize("n_patterns", [60, 2_000])
def test_samples_are_taken_from_the_rows_that_went_in(n_patterns):
    data = twins(3, n_patterns, 4, 0.0).alike
    before = data.codes.tolist()

    _ = data.index

    assert data.codes.tolist() == before
    assert data.take([0, 16_999, 5]).codes.tolist() == data.codes[:, [0, 16_999, 5]].tolist()


def test_a_million_rows_of_which_few_differ_have_no_bitmaps_of_a_million_rows():
    rng = np.random.default_rng(0)
    data = Dataset.from_codes(rng.integers(0, 2, (8, 1_000_000)))

    n_bytes = data.index.n_bytes

    assert data.index.codes.shape == (8, 256)
    assert n_bytes < 100_000


def test_rows_that_all_differ_are_not_merged():
    data = twins(4, 2_000, 4, 0.0).told_apart

    assert np.array_equal(data.index.codes, data.codes)
    assert data.index.bitmap(0, 0).size >= N_ROWS // 64
