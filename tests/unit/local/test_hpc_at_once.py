"""HPC in one kernel finds what its lines find one by one, and asks as much."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc._kernels._jit import JIT_DISABLED
from h2pc.data import Dataset
from h2pc.independence.bounded import BoundedTest, WatchedTest
from h2pc.independence.constrained import ConstrainedTest, EdgeConstraints
from h2pc.independence.counted import CountedTest
from h2pc.independence.g_test import ChiSquareTest, GTest
from h2pc.independence.rounds import Rounds
from h2pc.local import hpc, hpc_among, hpc_neighbourhood
from h2pc.local.iamb_fdr import limits_up_to
from h2pc.networks import load_network
from h2pc.runs.limits import Limits, Watch
from strategies import datasets, examples

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="there is no kernel")


def one_by_one(kind):
    class OneByOne(kind):
        def hpc(self, *_):
            return None

    return OneByOne


@examples(150)
@given(
    st.data(),
    datasets(min_variables=3, max_variables=8, wide=True),
    st.sampled_from([GTest, ChiSquareTest]),
    st.sampled_from([0.0, 5.0]),
    st.sampled_from([0.001, 0.05, 0.6]),
)
def test_at_once_is_as_one_by_one(draw, data, kind, power_rule, alpha):
    variables = range(data.n_variables)
    universe = tuple(draw.draw(st.lists(st.sampled_from(variables), unique=True, min_size=1)))
    target = draw.draw(st.sampled_from(variables))
    asked = draw.draw(st.none() | st.lists(st.sampled_from(universe), unique=True).map(tuple))
    quick = CountedTest(kind(data, alpha, power_rule=power_rule))
    plain = CountedTest(one_by_one(kind)(data, alpha, power_rule=power_rule))

    for _ in range(2):  # the second time, rounds are remembered
        assert hpc_neighbourhood(target, quick, universe, asked) == hpc_neighbourhood(
            target, plain, universe, asked
        )
        assert quick.n_tests == plain.n_tests


@pytest.mark.parametrize(
    ("network", "n_samples"), [("alarm", 300), ("insurance", 2000), ("hepar2", 1000)]
)
def test_neighbourhoods_and_short_answers_stay_the_same(network, n_samples):
    data = load_network(network).sample(n_samples, seed=4)
    quick, plain = CountedTest(GTest(data)), CountedTest(one_by_one(GTest)(data))
    universe = tuple(range(data.n_variables))

    for target in universe:
        assert hpc(target, quick, universe) == hpc(target, plain, universe)
        asked = tuple(range(target % 3, data.n_variables, 3))
        assert hpc_among(target, quick, universe, asked) == hpc_among(
            target, plain, universe, asked
        )
    assert quick.n_tests == plain.n_tests


@pytest.mark.parametrize("n_slots", [0, 1, 5])
def test_targets_that_share_slots_for_their_rounds_find_the_same(n_slots):
    data = load_network("insurance").sample(1000, seed=4)
    universe = tuple(range(data.n_variables))
    roomy, narrow = GTest(data), GTest(data)
    narrow._rounds = Rounds(data.n_variables, n_slots * 8 * 16 * data.n_variables)
    assert len(narrow._rounds.owners) == n_slots

    for target in universe:
        assert hpc(target, narrow, universe) == hpc(target, roomy, universe)


def test_threads_that_want_the_same_rounds_find_the_same():
    data = load_network("insurance").sample(1000, seed=4)
    universe = tuple(range(data.n_variables))
    alone, shared = GTest(data), GTest(data)
    shared._rounds = Rounds(data.n_variables, 8 * 16 * data.n_variables)
    expected = [hpc(target, alone, universe) for target in universe]

    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            found = pool.map(lambda target: hpc(target, shared, universe), universe)
            assert list(found) == expected


def hub(n_leaves: int) -> Dataset:
    """A variable that many others follow, now and then."""
    rng = np.random.default_rng(0)
    middle = rng.integers(0, 2, 3000)
    leaves = [
        np.where(rng.random(3000) < 0.4, middle, rng.integers(0, 2, 3000)) for _ in range(n_leaves)
    ]
    return Dataset.from_codes([middle, *leaves])


def at_once(ci, universe, most=64):
    return ci.hpc(0, universe, universe, limits_up_to(most, ci.log_alpha))


@pytest.mark.parametrize(("n_leaves", "is_quick"), [(8, True), (13, False)])
def test_boundaries_whose_subsets_may_take_long_are_left_to_the_loop(n_leaves, is_quick):
    ci = GTest(hub(n_leaves), power_rule=0.0)
    universe = tuple(range(n_leaves + 1))

    assert (at_once(ci, universe).pc is not None) == is_quick
    assert set(hpc(0, ci, universe)) == set(universe[1:])


def test_only_tests_without_limits_and_constraints_take_the_shortcut():
    ci, universe = GTest(hub(4)), (0, 1, 2, 3, 4)

    assert at_once(WatchedTest(ci, Watch()), universe) == at_once(ci, universe) is not None
    assert at_once(WatchedTest(ci, Watch(Limits(max_seconds=60))), universe) is None
    assert at_once(BoundedTest(ci, Limits(max_conditioning=1)), universe) is None
    assert at_once(ConstrainedTest(ci, EdgeConstraints()), universe) is None


@pytest.mark.parametrize(("most", "is_quick"), [(5, False), (6, True)])
def test_supersets_with_more_members_than_limits_are_left_to_the_loop(most, is_quick):
    found = at_once(GTest(hub(6)), tuple(range(7)), most)

    assert set(found.pcs) == set(range(1, 7))
    assert (found.pc is not None) == is_quick


@pytest.mark.parametrize(("universe", "asked"), [((0, 1, 9), (1,)), ((0, 1, 2), (9,))])
def test_what_is_no_variable_is_refused(universe, asked):
    ci = GTest(hub(2))
    with pytest.raises(IndexError, match="out of range"):
        ci.hpc(0, universe, asked, limits_up_to(2, ci.log_alpha))
