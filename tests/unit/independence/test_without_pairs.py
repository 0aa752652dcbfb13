"""Samples with too many levels for the counts of all pairs give the answers of small ones."""

import numpy as np
import pytest

from h2pc import Dataset, GTest, hpc
from h2pc.algorithms.hpc import hpc_neighbourhood

N_LARGE, N_SMALL, N_SAMPLES = 2_100, 60, 300


def codes_of(share_of_ones, most_levels):
    """Chains of four noisy copies; the first variables are also those of a small sample."""
    rng = np.random.default_rng(5)
    cards = rng.integers(2, most_levels + 1, N_LARGE)
    codes = np.zeros((N_LARGE, N_SAMPLES), np.uint8)
    for v, card in enumerate(cards.tolist()):
        levels = rng.random(N_SAMPLES) < share_of_ones
        codes[v] = levels * rng.integers(1, card, N_SAMPLES)
        if v % 4:
            copied = rng.random(N_SAMPLES) < 0.6
            codes[v, copied] = np.minimum(codes[v - 1, copied], card - 1)
    return codes, cards


@pytest.fixture(scope="module", params=[(0.5, 2), (0.04, 2), (0.6, 4)], ids=str)
def tests(request):
    """A test on many variables and one on the first few of them; some levels are rare."""
    codes, cards = codes_of(*request.param)
    large = Dataset.from_codes(codes, cards=cards)
    small = Dataset.from_codes(codes[:N_SMALL], cards=cards[:N_SMALL])
    assert (large.index.has_pairs, small.index.has_pairs) == (False, True)
    return GTest(large, cache_size=0), GTest(small, cache_size=0)


@pytest.mark.parametrize("z", [(), (7,), (7, 30), (7, 30, 31)])
def test_log_p_values_are_the_same_to_the_last_bit(tests, z):
    large, small = tests
    for target in (0, 5, 41):
        others = tuple(v for v in range(N_SMALL) if v != target and v not in z)

        assert (
            large.log_p_many(target, others, z).tolist()
            == small.log_p_many(target, others, z).tolist()
        )


def test_many_questions_in_turn_have_the_same_answers(tests):
    large, small = tests
    universe = tuple(range(N_SMALL))

    for target in universe:  # more targets than rows of recent pairs are kept
        one = hpc_neighbourhood(target, large, universe)
        other = hpc_neighbourhood(target, small, universe)

        assert one == other


def test_local_learners_find_links_among_all_variables(tests):
    large, _ = tests
    universe = tuple(range(N_LARGE))

    found = {v for v in (1, 2, 1001, 1002) if {v - 1, v + 1} & set(hpc(v, large, universe))}

    assert len(found) >= 3
