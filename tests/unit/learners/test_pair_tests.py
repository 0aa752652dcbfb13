"""The tests of pairs of variables, as a fitted learner has them."""

import math
import pickle
import subprocess
import sys
from dataclasses import fields
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from continuous_data import continuous_frame, mixed_frame
from h2pc import (
    H2PC,
    MMHC,
    DataWarning,
    GaussianTest,
    GTest,
    MixedTest,
    load_network,
    make_bayesian_network,
    skeleton,
)
from h2pc.data import Dataset
from h2pc.errors import DataError, NotFittedError
from h2pc.experiments.synthetic_cells import shuffled_columns
from h2pc.learners import pair_tests

ASIA = load_network("asia").sample(2000, random_state=1)
ALARM = load_network("alarm").sample(500, random_state=1)
RANDOM = make_bayesian_network(20, average_degree=3, random_state=4).sample(150, random_state=4)
BOTH = pytest.mark.parametrize("learner", [H2PC, MMHC])


@pytest.fixture(scope="module")
def asia():
    return H2PC().fit(ASIA).pair_tests_


@pytest.fixture(scope="module")
def alarm():
    return H2PC().fit(ALARM)


def recomputed(ci, names, pair):
    """The log p-value of the test that a pair names."""
    x, y, *z = map(names.index, (pair.first, pair.second, *pair.given))
    return float(ci.log_p_given(x, (y,), tuple(sorted(z)))[0])


@BOTH
@pytest.mark.parametrize("data", [ALARM, RANDOM], ids=["alarm", "random"])
def test_the_p_value_is_that_of_the_test_given_its_conditioning_set(learner, data):
    tests, ci = learner().fit(data).pair_tests_, GTest(data)

    for first, second in combinations(data.names, 2):
        pair = tests[first, second]
        if pair.tested:
            log_p = recomputed(ci, data.names, pair)
            assert pair.log10_p == pytest.approx(log_p / math.log(10), abs=1e-9)
            assert pair.p_value == pytest.approx(math.exp(log_p))


@pytest.mark.parametrize(
    ("frame", "test"), [(continuous_frame(), GaussianTest), (mixed_frame(), MixedTest)]
)
def test_so_it_is_for_continuous_and_mixed_variables(frame, test):
    data = Dataset.from_data(frame)
    tests = H2PC().fit(frame).pair_tests_

    assert all(pair.tested for pair in tests)
    for pair in tests:
        log_p = recomputed(test(data), data.names, pair)
        assert pair.log10_p == pytest.approx(log_p / math.log(10), abs=1e-9)


@BOTH
@pytest.mark.parametrize("data", [ALARM, RANDOM], ids=["alarm", "random"])
def test_pairs_that_a_set_separates_have_p_values_above_alpha_or_are_untested(learner, data):
    fitted = learner().fit(data)
    tests, ci, found = fitted.pair_tests_, GTest(data), fitted.result_.skeleton_result.found
    n_untested = 0

    for x, y in combinations(range(data.n_variables), 2):
        pair = tests[data.names[x], data.names[y]]
        if (pair.first, pair.second) in fitted.edge_p_values_:
            assert pair.joined
            continue
        assert not pair.joined
        assert (pair.q_value, pair.log10_q) == (1.0, 0.0)
        if not pair.tested:
            assert (pair.p_value, pair.log10_p) == (None, None)
            assert not ci.performs(x, y, data.variables(pair.given))
            n_untested += 1
        elif pair.p_value <= 0.05:  # IAMB-FDR is stricter than alpha, and separates nothing
            assert y in found[x].pcs
            assert x in found[y].pcs
            assert not (y in found[x].pc and x in found[y].pc)
    assert n_untested > 0


def test_edges_of_the_skeleton_are_those_of_its_p_values(alarm):
    found = skeleton(ALARM)

    assert alarm.edge_p_values_ == found.p_values()
    assert alarm.edge_q_values_ == found.q_values("by")
    assert list(alarm.edge_p_values_) == alarm.skeleton_edges_
    assert H2PC(fdr_method="bh").fit(ALARM).edge_q_values_ == found.q_values("bh")


def test_iterating_goes_through_edges_and_pairs_that_something_separates(alarm):
    tests = alarm.pair_tests_
    pairs = [(pair.first, pair.second) for pair in tests]

    assert len(tests) == len(pairs) == len(set(pairs))
    assert pairs == sorted(pairs)
    assert all(first < second for first, second in pairs)
    assert [(e.first, e.second) for e in tests.edges()] == list(alarm.edge_p_values_)
    assert set(alarm.edge_p_values_) < set(pairs)
    for first, second in set(combinations(ALARM.names, 2)).difference(pairs):
        assert tests[first, second].given == ()  # independent, without any condition


def test_what_is_printed_has_the_number_of_pairs_and_of_edges(alarm):
    assert repr(alarm.pair_tests_) == (
        f"PairTests({len(alarm.pair_tests_)} pairs, {len(alarm.edge_p_values_)} of them edges)"
    )


def test_the_order_of_the_two_names_does_not_matter(asia):
    for first, second in combinations(ASIA.names, 2):
        assert asia[first, second] == asia[second, first]
        assert (asia[first, second].first, asia[first, second].second) == (first, second)


def test_a_name_that_is_not_there_is_refused(asia):
    with pytest.raises(DataError, match="there is no variable 'cough'"):
        asia["asia", "cough"]


def test_a_variable_makes_no_pair_with_itself(asia):
    with pytest.raises(DataError, match=r"a pair is of two variables, .*; got \('tub', 'tub'\)"):
        asia["tub", "tub"]


@pytest.mark.parametrize("pair", [("tub", "lung", "xray"), "tub", ("tub",)])
def test_a_pair_is_of_two_names(asia, pair):
    with pytest.raises(DataError, match="a pair is of two variables"):
        asia[pair]


@pytest.mark.parametrize("name", ["pair_tests_", "edge_p_values_", "edge_q_values_", "edge_table_"])
def test_a_learner_that_is_not_fitted_has_no_tests(name):
    with pytest.raises(NotFittedError, match="call fit first"):
        getattr(H2PC(), name)


def test_a_data_frame_has_the_fields_and_begins_with_the_strongest_edges(alarm):
    frame = alarm.pair_tests_.to_pandas()

    assert list(frame.columns) == [field.name for field in fields(pair_tests.TestedPair)]
    assert len(frame) == len(alarm.pair_tests_)
    n_edges = len(alarm.edge_p_values_)
    assert frame["joined"].tolist() == [True] * n_edges + [False] * (len(frame) - n_edges)
    edges = frame[frame["joined"]]
    assert edges["log10_q"].dropna().is_monotonic_increasing
    last = edges[["log10_q", "log10_p"]].fillna(np.inf)
    ordered = list(zip(last["log10_q"], last["log10_p"], strict=True))
    assert ordered == sorted(ordered)


def test_a_data_frame_of_no_pairs_has_the_fields():
    rng = np.random.default_rng(0)
    tests = H2PC().fit(rng.integers(0, 2, (300, 2))).pair_tests_

    assert len(tests) == 0
    assert list(tests.to_pandas().columns)[:3] == ["first", "second", "joined"]


@BOTH
def test_neither_workers_nor_the_order_of_columns_and_rows_change_a_pair(learner):
    rng = np.random.default_rng(3)
    rows = rng.permutation(ALARM.n_samples).tolist()
    other = shuffled_columns(ALARM.take(rows), rng)

    one = learner(n_jobs=1).fit(ALARM).pair_tests_
    two = learner(n_jobs=2).fit(other).pair_tests_

    assert list(one) == list(two)


def test_decided_pairs_are_untested():
    known = {"required": [("asia", "xray")], "forbidden": [("bronc", "dysp"), ("dysp", "bronc")]}
    tests = H2PC(**known).fit(ASIA).pair_tests_

    joined, apart = tests["asia", "xray"], tests["bronc", "dysp"]
    assert (joined.joined, joined.tested, joined.p_value, joined.q_value) == (
        True,
        False,
        None,
        None,
    )
    assert (apart.joined, apart.tested, apart.p_value, apart.q_value) == (False, False, None, 1.0)


def test_edges_that_a_false_discovery_rate_takes_out_keep_their_values():
    every, kept = (H2PC(fdr=fdr).fit(ALARM) for fdr in (None, 0.01))

    assert 0 < len(kept.skeleton_edges_) < len(every.skeleton_edges_)
    assert kept.edge_p_values_ == every.edge_p_values_
    assert kept.edge_q_values_ == every.edge_q_values_
    for pair in kept.pair_tests_.edges():
        assert pair.joined == ((pair.first, pair.second) in kept.skeleton_edges_)


def test_around_targets_pairs_of_targets_are_those_of_the_whole_network(alarm):
    near = H2PC(targets=["HR"]).fit(ALARM).pair_tests_

    for other in ALARM.names:
        if other != "HR":
            one, whole = near["HR", other], alarm.pair_tests_["HR", other]
            assert one.joined == whole.joined
            if one.joined:
                assert (one.p_value, one.given) == (whole.p_value, whole.given)


@pytest.fixture(scope="module")
def with_copy():
    """Asia with another name for bronc, and other names for its levels."""
    frame = ASIA.to_pandas().astype(str)
    with pytest.warns(DataWarning):
        return H2PC().fit(frame.assign(zcopy=frame["bronc"].map({"yes": "1", "no": "0"})))


def test_a_copy_is_an_edge_given_nothing_in_a_family_of_its_own(with_copy):
    pair = with_copy.pair_tests_["bronc", "zcopy"]

    assert with_copy.copies_ == {"zcopy": "bronc"}
    assert ("bronc", "zcopy") in with_copy.edge_p_values_
    assert pair.given == ()
    assert pair.log10_p == pair.log10_q < -100


def test_a_copy_changes_no_pair_of_other_variables(with_copy):
    for pair in H2PC().fit(ASIA).pair_tests_:
        assert with_copy.pair_tests_[pair.first, pair.second] == pair


def test_a_copy_is_joined_to_what_it_copies(with_copy):
    assert ("bronc", "zcopy") in with_copy.skeleton_edges_
    assert with_copy.pair_tests_["bronc", "zcopy"].joined


def test_a_copy_and_another_variable_are_untested(with_copy):
    pair = with_copy.pair_tests_["dysp", "zcopy"]

    assert not pair.joined
    assert (pair.tested, pair.p_value, pair.given) == (False, None, ())


def test_pairs_survive_pickling(alarm):
    again = pickle.loads(pickle.dumps(alarm.pair_tests_))

    assert isinstance(again, pair_tests.PairTests)
    assert list(again) == list(alarm.pair_tests_)


PROGRAM = """
from pathlib import Path
import numpy as np
from h2pc import make_bayesian_network, skeleton
from h2pc.data import Dataset

def peak():
    [line] = [line for line in Path("/proc/self/status").open() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024

n = {n_variables}
sparse = make_bayesian_network(n // 2, average_degree=2, levels=(2, 2), random_state=1)
linked = sparse.sample(300, random_state=1).codes.T
alone = np.random.default_rng(0).integers(0, 2, (300, n - n // 2), dtype=linked.dtype)
data = Dataset.from_data(np.hstack([linked, alone]))
data.index
before = peak()
found = skeleton(data, alpha=1e-5, n_jobs=2, progress=False)
n_recorded = sum(len(view.attempts) + len(view.dsep) for view in found.found.values())
print(n_recorded, len(found.skeleton.edges), before, peak())
"""


def recorded(n_variables):
    """The number of recorded pairs and of edges, and megabytes before and after, in a process."""
    program = PROGRAM.format(n_variables=n_variables)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return map(float, done.stdout.split())


# Half of the variables are independent of all others; about 180 of 18 million pairs seem dependent
# by chance at this level.
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the /proc of Linux")
def test_what_is_recorded_grows_with_the_variables_and_not_with_their_pairs():
    n_small, *_ = recorded(3000)
    n_large, n_edges, before, after = recorded(6000)

    assert n_edges > 1000
    assert n_large < 5 * 6000
    assert n_large < 3 * n_small  # of all pairs there are four times as many
    assert after - before < 100  # megabytes
