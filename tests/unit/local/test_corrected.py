"""Lines 3 to 6 of HPC in one kernel find what they find one by one, and ask as much."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc._kernels._jit import JIT_DISABLED
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.bounded import BoundedTest, WatchedTest
from h2pc.independence.constrained import ConstrainedTest, EdgeConstraints
from h2pc.independence.counted import CountedTest
from h2pc.independence.g_test import ChiSquareTest, GTest
from h2pc.local import hpc, hpc_among
from h2pc.local.hpc import corrected
from h2pc.local.iamb_fdr import discovery_limits
from h2pc.networks import load_network
from h2pc.runs.limits import Limits, Watch
from strategies import datasets, examples

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="there is no kernel")


def one_by_one(kind):
    class OneByOne(kind):
        def corrected(self, *_):
            return None

    return OneByOne


@examples(120)
@given(
    st.data(),
    datasets(min_variables=4, max_variables=7, wide=True),
    st.sampled_from([GTest, ChiSquareTest]),
    st.sampled_from([0.0, 5.0]),
    st.sampled_from([0.001, 0.05, 0.6]),
)
def test_at_once_is_as_one_by_one(draw, data, kind, power_rule, alpha):
    order = draw.draw(st.permutations(range(data.n_variables)))
    size = draw.draw(st.integers(2, data.n_variables - 1))
    target, pcs, sps = order[0], tuple(order[1 : 1 + size]), tuple(order[1 + size :])
    wanted = tuple(draw.draw(st.lists(st.sampled_from([*pcs, *sps]), unique=True, min_size=1)))
    quick = CountedTest(kind(data, alpha, power_rule=power_rule))
    plain = CountedTest(one_by_one(kind)(data, alpha, power_rule=power_rule))

    for _ in range(2):  # the second time, rounds are remembered
        assert corrected(target, quick, pcs, sps, wanted) == corrected(
            target, plain, pcs, sps, wanted
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


def hub(n_leaves: int) -> Dataset:
    """A variable that many others follow, now and then."""
    rng = np.random.default_rng(0)
    middle = rng.integers(0, 2, 3000)
    leaves = [
        np.where(rng.random(3000) < 0.4, middle, rng.integers(0, 2, 3000)) for _ in range(n_leaves)
    ]
    return Dataset.from_codes([middle, *leaves])


def at_once(ci, pcs):
    limits = discovery_limits(len(pcs), ci.log_alpha)
    return ci.corrected(0, (0, *pcs), pcs[:2], pcs, pcs, limits)


@pytest.mark.parametrize(("n_leaves", "is_quick"), [(8, True), (13, False)])
def test_boundaries_whose_subsets_may_take_long_are_left_to_the_loop(n_leaves, is_quick):
    ci = GTest(hub(n_leaves), power_rule=0.0)
    pcs = tuple(range(1, n_leaves + 1))

    assert (at_once(ci, pcs) is not None) == is_quick
    assert set(corrected(0, ci, pcs, (), pcs)[0]) == set(pcs)


def test_only_tests_without_limits_and_constraints_take_the_shortcut():
    ci, pcs = GTest(hub(4)), (1, 2, 3, 4)

    assert at_once(WatchedTest(ci, Watch()), pcs) == at_once(ci, pcs) is not None
    assert at_once(WatchedTest(ci, Watch(Limits(max_seconds=60))), pcs) is None
    assert at_once(BoundedTest(ci, Limits(max_conditioning=1)), pcs) is None
    assert at_once(ConstrainedTest(ci, EdgeConstraints()), pcs) is None


def test_long_lists_are_left_to_the_loop():
    ci = GTest(Dataset.from_codes(np.random.default_rng(0).integers(0, 2, (80, 200))))

    assert at_once(ci, tuple(range(1, 65))) is not None
    assert at_once(ci, tuple(range(1, 66))) is None


def test_what_is_no_variable_is_refused():
    with pytest.raises(IndexError, match="out of range"):
        at_once(GTest(hub(2)), (1, 9))


def test_too_few_limits_are_refused():
    with pytest.raises(SettingError, match="limits must have a number for each of 2 candidates"):
        GTest(hub(2)).corrected(0, (0, 1, 2), (), (1,), (1,), np.array([-9.0]))
