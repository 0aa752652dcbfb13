"""False discovery rates: which edges are kept, and how many of them are false."""

import math
import pickle
from itertools import pairwise
from statistics import fmean, stdev

import numpy as np
import pytest
from sklearn.base import clone

from continuous_data import continuous_frame, holed, mixed_frame
from h2pc import (
    H2PC,
    MMHC,
    Dataset,
    DataWarning,
    EdgeStrengths,
    GTest,
    edge_strengths,
    load_network,
    make_bayesian_network,
    skeleton,
)
from h2pc.algorithms.hpc import hpc
from h2pc.errors import SettingError
from h2pc.experiments.synthetic_cells import shuffled_columns
from h2pc.learners.explanations import explained_neighbours
from h2pc.learners.parameters import default_params
from h2pc.learners.validation import inside_if_controlled

ASIA = load_network("asia").sample(1000, random_state=1)
ALARM = load_network("alarm").sample(500, random_state=1)
BOTH = pytest.mark.parametrize("learner", [H2PC, MMHC])
METHODS = pytest.mark.parametrize("method", ["by", "bh"])
LOCAL = {H2PC: "hpc", MMHC: "mmpc"}


def pairs(edges):
    return {frozenset(edge) for edge in edges}


@BOTH
@METHODS
@pytest.mark.parametrize("level", [1e-6, 0.05, 0.2])
@pytest.mark.parametrize("variant", ["accurate", "paper"])
def test_just_the_edges_with_q_values_up_to_the_level_are_kept(learner, method, level, variant):
    fitted = learner(fdr=level, fdr_method=method, variant=variant).fit(ALARM)
    q_values = {pair: q for pair, q in fitted.edge_q_values_.items() if q is not None}
    expected = {pair for pair, q in q_values.items() if q <= level}

    assert set(fitted.skeleton_edges_) == expected
    assert 0 < len(expected) < len(fitted.edge_q_values_)
    found = skeleton(ALARM, LOCAL[learner], fdr=level, fdr_method=method)
    assert set(found.skeleton.named_edges) == expected


@BOTH
@pytest.mark.parametrize("variant", ["accurate", "paper"])
@pytest.mark.parametrize("symmetry", ["and", "or"])
def test_the_graph_stays_inside_the_skeleton(learner, variant, symmetry):
    for data in (ASIA, ALARM):
        fitted = learner(fdr=0.05, variant=variant, symmetry=symmetry).fit(data)

        assert fitted.edges_
        assert pairs(fitted.edges_) <= pairs(fitted.skeleton_edges_)


@BOTH
@METHODS
def test_a_smaller_level_keeps_a_part_of_the_edges(learner, method):
    levels = (1e-9, 0.001, 0.05, 0.2, 1.0)
    kept = [
        set(learner(fdr=level, fdr_method=method).fit(ALARM).skeleton_edges_) for level in levels
    ]

    for smaller, larger in pairwise(kept):
        assert smaller <= larger
    assert len(kept[0]) < len(kept[2]) < len(kept[4])


@BOTH
def test_benjamini_and_hochberg_keep_what_benjamini_and_yekutieli_keep_and_more(learner):
    strict, lenient = (learner(fdr=0.05, fdr_method=method).fit(ALARM) for method in ("by", "bh"))

    assert set(strict.skeleton_edges_) < set(lenient.skeleton_edges_)
    assert strict.edge_p_values_ == lenient.edge_p_values_
    for pair, q in lenient.edge_q_values_.items():
        if q is None:
            assert strict.edge_q_values_[pair] is None
        else:
            assert lenient.edge_p_values_[pair] <= q <= strict.edge_q_values_[pair]


@BOTH
def test_a_level_of_one_keeps_all_edges(learner):
    whole, kept = learner().fit(ALARM), learner(fdr=1.0).fit(ALARM)

    assert kept.skeleton_edges_ == whole.skeleton_edges_
    assert pairs(kept.edges_) <= pairs(kept.skeleton_edges_)


@BOTH
def test_without_a_rate_nothing_is_taken_out(learner):
    fitted = learner(fdr=None, fdr_method="bh").fit(ALARM)

    assert fitted.skeleton_edges_ == list(fitted.edge_q_values_)
    assert any(q is not None and q > 0.05 for q in fitted.edge_q_values_.values())
    assert fitted.edges_ == learner().fit(ALARM).edges_
    assert fitted.skeleton_edges_ == list(skeleton(ALARM, LOCAL[learner]).skeleton.named_edges)


def test_without_a_rate_the_paper_is_as_before():
    learned = H2PC(variant="paper", fdr=1.0).fit(ASIA)  # the paper stays inside by itself

    assert learned.edges_ == H2PC(variant="paper").fit(ASIA).edges_


@BOTH
@pytest.mark.parametrize("penalty", ["one_sided_penalty", "outside_penalty"])
def test_a_price_of_edges_outside_and_a_rate_do_not_go_together(learner, penalty):
    with pytest.raises(SettingError) as refused:
        learner(fdr=0.1, **{penalty: 2.0}).fit(ASIA)

    assert str(refused.value) == (
        f"{penalty} is the price of edges outside the skeleton, where no false discovery rate is "
        "kept; got 2.0 and fdr=0.1."
    )


@BOTH
def test_prices_that_are_the_default_or_none_go_with_a_rate(learner):
    one = learner(fdr=0.1).fit(ASIA)
    two = learner(fdr=0.1, one_sided_penalty=1.5, outside_penalty=None).fit(ASIA)

    assert one.edges_ == two.edges_
    assert one.result_.settings["outside_penalty"] is None


def test_parameters_that_are_controlled_have_no_penalties():
    defaults = default_params(H2PC)
    paper = {"fdr": 0.05, "alpha": 0.01}  # this variant has none

    assert inside_if_controlled(defaults, defaults) == defaults
    controlled = inside_if_controlled(defaults | {"fdr": 0.05}, defaults)
    assert controlled == defaults | {
        "fdr": 0.05,
        "one_sided_penalty": None,
        "outside_penalty": None,
    }
    assert inside_if_controlled(paper, defaults) == paper


@pytest.mark.parametrize("level", [0, -0.1, 1.5, math.nan, "0.05", True])
def test_levels_outside_zero_and_one_are_refused(level):
    with pytest.raises(SettingError, match="fdr must be a number above 0 and at most 1, or None"):
        H2PC(fdr=level).fit(ASIA)
    with pytest.raises(SettingError, match="fdr must be a number above 0 and at most 1, or None"):
        skeleton(ASIA, fdr=level)


def test_other_methods_are_refused():
    with pytest.raises(SettingError, match="fdr_method must be one of 'by', 'bh'; got 'holm'"):
        MMHC(fdr_method="holm").fit(ASIA)


def test_a_local_learner_of_the_users_own_has_no_p_values_to_control():
    def own(target, ci, universe):
        return hpc(target, ci, universe)

    with pytest.raises(SettingError, match="fdr needs p-values of edges"):
        skeleton(ASIA, own, fdr=0.05)


@BOTH
def test_required_edges_stay_and_have_no_p_value(learner):
    fitted = learner(fdr=1e-200, required=[("asia", "xray")]).fit(ASIA)

    assert fitted.skeleton_edges_ == [("asia", "xray")]
    assert fitted.edges_ == [("asia", "xray")]
    assert fitted.edge_p_values_["asia", "xray"] is None
    assert fitted.edge_q_values_["asia", "xray"] is None


@BOTH
def test_pairs_that_constraints_decide_are_no_candidates(learner):
    free = learner(fdr=0.05).fit(ASIA)
    bound = learner(
        fdr=0.05,
        required=[("asia", "xray")],
        forbidden=[("bronc", "dysp"), ("dysp", "bronc"), ("tub", "smoke")],
    ).fit(ASIA)
    families = [each.result_.skeleton_result.edge_tests.families for each in (free, bound)]

    assert [family.n_pairs for (family,) in families] == [28, 26]  # tub → smoke has an opposite
    assert ("bronc", "dysp") in free.edge_q_values_
    assert ("bronc", "dysp") not in bound.edge_q_values_
    assert ("bronc", "dysp") not in bound.skeleton_edges_


@BOTH
@METHODS
def test_around_targets_the_family_is_the_pairs_of_the_targets(learner, method):
    targets = ["HR", "CO"]
    fitted = learner(fdr=0.05, fdr_method=method, targets=targets).fit(ALARM)
    first, *_ = fitted.result_.skeleton_result.edge_tests.families
    n_pairs = 36 + 35

    assert first.n_pairs == n_pairs
    own = [pair for pair in fitted.edge_q_values_ if not set(targets).isdisjoint(pair)]
    assert len(own) == len(first.tests) > 0
    # The textbook adjustment, of these pairs alone.
    factor = n_pairs * (sum(1 / i for i in range(1, n_pairs + 1)) if method == "by" else 1)
    ranked = sorted((fitted.edge_p_values_[pair], pair) for pair in own)
    for place, (_, pair) in enumerate(ranked):
        later = [p * factor / (i + 1) for i, (p, _) in enumerate(ranked) if i >= place]
        assert fitted.edge_q_values_[pair] == pytest.approx(min(1.0, *later))


@BOTH
def test_around_targets_just_the_edges_with_small_q_values_are_kept(learner):
    fitted = learner(fdr=0.05, targets=["HR"]).fit(ALARM)
    small = {pair for pair, q in fitted.edge_q_values_.items() if q <= 0.05}

    near = {pair for pair in small if "HR" in pair}
    assert {pair for pair in fitted.skeleton_edges_ if "HR" in pair} == near != set()
    assert set(fitted.skeleton_edges_) <= small
    assert pairs(fitted.edges_) <= pairs(fitted.skeleton_edges_)


def test_a_skeleton_around_targets_keeps_to_the_rate():
    found = skeleton(ALARM, targets=["HR"], fdr=0.001)
    small = {pair for pair, q in found.q_values().items() if q <= 0.001}

    assert set(found.skeleton.named_edges) == small
    assert found.settings["fdr"] == 0.001
    assert len(small) < len(found.p_values())


@BOTH
@pytest.mark.parametrize("frame", [continuous_frame(), mixed_frame()], ids=["numbers", "mixed"])
def test_continuous_and_mixed_variables_keep_to_the_rate(learner, frame):
    every = learner(alpha=0.2).fit(frame)
    for level in (0.05, 1e-20):
        fitted = learner(alpha=0.2, fdr=level).fit(frame)

        small = {pair for pair, q in every.edge_q_values_.items() if q <= level}
        assert set(fitted.skeleton_edges_) == small != set()
        assert pairs(fitted.edges_) <= pairs(small)
        assert fitted.edge_q_values_ == every.edge_q_values_


def test_missing_cells_keep_to_the_rate():
    data = Dataset.from_data(holed(ASIA.to_pandas().astype(object)), missing="available")
    fitted = H2PC(fdr=0.05).fit(data)

    assert not data.is_complete
    assert set(fitted.skeleton_edges_) == {
        pair for pair, q in fitted.edge_q_values_.items() if q <= 0.05
    }


@BOTH
def test_neither_workers_nor_the_order_of_columns_and_rows_matter(learner):
    rng = np.random.default_rng(7)
    other = shuffled_columns(ALARM.take(rng.permutation(ALARM.n_samples).tolist()), rng)

    one, two = learner(fdr=0.05).fit(ALARM), learner(fdr=0.05, n_jobs=2).fit(other)

    assert one.edges_ == two.edges_
    assert one.edge_q_values_ == two.edge_q_values_


@BOTH
def test_the_rate_is_a_parameter_as_others_are(learner):
    given = learner(fdr=0.05, fdr_method="bh")

    assert learner().get_params() == clone(given).set_params(fdr=None, fdr_method="by").get_params()
    assert {"fdr": 0.05, "fdr_method": "bh"}.items() <= clone(given).get_params().items()
    assert {"fdr": 0.05, "fdr_method": "bh"}.items() <= given.fit(ASIA).result_.settings.items()
    assert given.one_sided_penalty == 1.5  # fitting leaves parameters as they are


@BOTH
def test_a_fitted_learner_survives_pickling(learner):
    fitted = learner(fdr=0.05, fdr_method="bh").fit(ASIA)
    again = pickle.loads(pickle.dumps(fitted))

    assert again.edges_ == fitted.edges_
    assert again.edge_p_values_ == fitted.edge_p_values_
    assert again.edge_q_values_ == fitted.edge_q_values_
    assert again.edge_table_ == fitted.edge_table_


def test_a_checkpoint_of_a_run_without_control_serves_one_with_it(tmp_path):
    every = H2PC(checkpoint=tmp_path).fit(ALARM)
    kept = H2PC(fdr=0.05, checkpoint=tmp_path).fit(ALARM)

    assert kept.edge_q_values_ == every.edge_q_values_
    assert kept.edges_ == H2PC(fdr=0.05).fit(ALARM).edges_


def test_alternatives_stay_inside_the_skeleton():
    fitted = H2PC(fdr=0.05).fit(ASIA)

    for other in fitted.find_alternatives(5, max_loss=500.0):
        assert pairs(other.dag.named_edges) <= pairs(fitted.skeleton_edges_)


def test_strengths_are_of_graphs_that_keep_to_the_rate():
    free, kept = (
        edge_strengths(ASIA, H2PC(fdr=fdr), n_replicates=10, progress=False) for fdr in (None, 1e-6)
    )

    assert isinstance(kept, EdgeStrengths)
    assert sum(e.strength for e in kept.edges) < sum(e.strength for e in free.edges)


@pytest.mark.filterwarnings("ignore::h2pc.DataWarning")
def test_copies_are_a_family_of_their_own_and_stay():
    frame = ASIA.to_pandas().astype(str)
    frame["zcopy"] = frame["bronc"].map({"yes": "1", "no": "0"})

    alone, fitted = (H2PC(fdr=1e-6).fit(each) for each in (ASIA, frame))

    assert set(fitted.skeleton_edges_) == {*alone.skeleton_edges_, ("bronc", "zcopy")}
    values = dict(fitted.edge_q_values_)
    assert values.pop(("bronc", "zcopy")) < 1e-100
    assert values == alone.edge_q_values_


@pytest.mark.parametrize("symmetry", ["and", "or"])
def test_on_random_networks_the_share_of_false_edges_keeps_to_the_rate(symmetry):
    level, shares = 0.1, []
    n_false = n_uncontrolled = n_true = 0
    for seed in range(20):
        truth = make_bayesian_network(20, average_degree=1.5, random_state=seed)
        data, edges = truth.sample(300, random_state=seed), pairs(truth.dag.named_edges)
        kept, every = (skeleton(data, symmetry=symmetry, fdr=fdr) for fdr in (level, None))
        claimed = pairs(kept.skeleton.named_edges)

        shares.append(len(claimed - edges) / max(1, len(claimed)))
        n_false += len(claimed - edges)
        n_true += len(claimed & edges)
        n_uncontrolled += len(pairs(every.skeleton.named_edges) - edges)

    assert fmean(shares) <= level + 2 * stdev(shares) / math.sqrt(len(shares))
    assert n_uncontrolled > 5 * n_false
    assert n_uncontrolled >= 10
    assert n_true > 100  # it does not keep the rate by claiming nothing


def test_where_nothing_depends_on_anything_hardly_anything_is_claimed():
    n_claimed = n_uncontrolled = 0
    for seed in range(20):
        values = np.random.default_rng(seed).integers(0, 2, (300, 20))
        n_claimed += bool(skeleton(values, fdr=0.05).skeleton.edges)
        n_uncontrolled += bool(skeleton(values).skeleton.edges)

    assert n_claimed <= 3  # one of twenty is expected at most
    assert n_uncontrolled == 20


def test_variables_that_samples_cannot_test_have_no_edges():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 8, (30, 4))

    with pytest.warns(DataWarning):
        fitted = H2PC(fdr=0.05).fit(values)

    assert fitted.edges_ == []
    assert fitted.edge_q_values_ == {}


def few_samples_of_a_fork(seed):
    """A cause of eight levels with two effects: too few samples to test these given the cause."""
    rng = np.random.default_rng(seed)
    cause = rng.integers(0, 8, 150)
    effects = np.array([cause % 2, cause % 2])
    for effect in effects:
        rows = rng.choice(150, 2, replace=False)
        effect[rows] = 1 - effect[rows]
    return Dataset.from_codes(np.array([cause, *effects]), names=("cause", "one", "other"))


@BOTH
def test_an_edge_that_a_third_variable_might_explain_has_no_q_value(learner):
    for seed in range(10):
        data = few_samples_of_a_fork(seed)
        every, kept = learner().fit(data), learner(fdr=0.2).fit(data)

        for pair in every.pair_tests_.edges():
            (third,) = set(data.names) - {pair.first, pair.second}
            assert pair.untested == third
            assert pair.p_value < 1e-10
            assert pair.q_value is None
        assert ("one", "other") in every.skeleton_edges_  # a false edge
        assert kept.skeleton_edges_ == []
        assert kept.edge_p_values_ == every.edge_p_values_


def test_the_table_and_the_neighbours_name_the_variable_that_is_missing():
    data = few_samples_of_a_fork(1)
    fitted = H2PC().fit(data)

    for link in fitted.edge_table_:
        pair = fitted.pair_tests_[link.parent, link.child]
        assert link.untested == pair.untested
        assert link.log10_q == pair.log10_q
        assert pair.untested is None or link.log10_q is None
    frame = fitted.edge_table_.to_pandas()
    assert set(frame["untested"].dropna()) == {
        pair.untested for pair in fitted.pair_tests_.edges() if pair.untested
    }
    assert len(frame["untested"].dropna()) > 0
    seen = explained_neighbours(GTest(data), data.names, (0, 1, 2))
    links = [(each.target, link) for each in seen for link in each.neighbours]
    assert links
    for target, link in links:
        assert link.untested == fitted.pair_tests_[target, link.name].untested


def test_weak_links_of_a_third_variable_leave_an_edge_as_it_is():
    rng = np.random.default_rng(3)
    one = rng.integers(0, 4, 110)
    other = np.where(rng.random(110) < 0.95, one, rng.integers(0, 4, 110))
    third = np.where(rng.random(110) < 0.4, one, rng.integers(0, 4, 110))
    data = Dataset.from_codes(np.array([one, other, third]), names=("one", "other", "third"))
    pair = H2PC().fit(data).pair_tests_["one", "other"]

    assert pair.joined
    assert pair.untested is None
    assert pair.q_value < 1e-10


@pytest.mark.parametrize("name", ["alarm", "insurance"])
def test_around_targets_the_same_edges_are_untested(name):
    data = load_network(name).sample(300, random_state=4)
    whole = skeleton(data).edge_tests.by_pair
    assert any(test.untested is not None for test in whole.values())

    for target in data.names:
        near = skeleton(data, targets=[target]).edge_tests.by_pair
        assert near == {pair: whole[pair] for pair in near}
