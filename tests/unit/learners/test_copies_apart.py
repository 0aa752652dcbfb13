"""Copies of variables, unobserved levels and large tables in H2PC and MMHC."""

import math
import warnings

import numpy as np
import pytest

from h2pc import H2PC, MMHC, Dataset, DataWarning, load_network
from h2pc.algorithms.learn_result import LearnResult
from h2pc.errors import SettingError

BOTH = pytest.mark.parametrize("learner", [H2PC, MMHC])
HAILFINDER = load_network("hailfinder").sample(2000, random_state=3)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        yield


def with_copy(data, name, copy):
    """Data with a variable that has the levels of another one in another order."""
    v = data.variable(name)
    codes = np.vstack([data.codes, data.cards[v] - 1 - data.codes[v]])
    cards = [*data.cards, data.cards[v]]
    return Dataset.from_codes(codes, cards=cards, names=[*data.names, copy])


ASIA = load_network("asia").sample(3000, random_state=2)


@BOTH
@pytest.mark.parametrize("copy", ["aaa", "zzz"])
def test_the_graph_of_the_others_is_the_same_as_without_the_copy(learner, copy):
    alone = learner().fit(ASIA)
    both = learner().fit(with_copy(ASIA, "either", copy))

    first, second = sorted([copy, "either"])
    assert both.copies_ == {second: first}
    renamed = {"either": first}
    expected = {(renamed.get(a, a), renamed.get(b, b)) for a, b in alone.edges_}
    links = {frozenset(edge) for edge in both.edges_}
    assert links == {frozenset(edge) for edge in expected} | {frozenset((first, second))}


def test_the_paper_keeps_copies():
    learner = H2PC(variant="paper").fit(with_copy(ASIA, "either", "zzz"))

    assert learner.copies_ == {}


def test_a_target_stands_for_its_copies():
    learner = H2PC(targets=["zzz"]).fit(with_copy(ASIA, "either", "zzz"))

    alone = H2PC(targets=["either"]).fit(ASIA)
    assert learner.copies_ == {"either": "zzz"}
    assert set(learner.markov_boundaries_["zzz"]) == {
        *alone.markov_boundaries_["either"],
        "either",
    }


def test_two_targets_that_are_copies_have_one_boundary():
    learner = H2PC(targets=["either", "zzz"]).fit(with_copy(ASIA, "either", "zzz"))

    assert learner.markov_boundaries_["zzz"] == ["either"]
    assert {"lung", "tub", "zzz"} <= set(learner.markov_boundaries_["either"])


@pytest.mark.parametrize(
    "known",
    [
        {"required": [("zzz", "dysp")]},
        {"forbidden": [("zzz", "dysp")]},
        {"tiers": [["either"], ["zzz"]]},
    ],
)
def test_variables_of_constraints_are_no_copies(known):
    learner = H2PC(**known).fit(with_copy(ASIA, "either", "zzz"))

    assert learner.copies_ == {}
    for edge in known.get("required", []):
        assert edge in learner.edges_


def test_copies_of_one_tier_are_set_apart():
    tiers = [["asia", "smoke"], ["either", "zzz", "lung", "tub"]]
    learner = H2PC(tiers=tiers).fit(with_copy(ASIA, "either", "zzz"))

    assert learner.copies_ == {"zzz": "either"}


def test_results_with_copies_come_back_from_json():
    result = H2PC().fit(HAILFINDER).result_

    assert result.copies["ScnRelPlFcst"] == "Scenario"
    assert LearnResult.from_json(result.to_json()) == result


def test_alternatives_leave_copies_where_they_are():
    data = with_copy(ASIA.take(range(500)), "smoke", "zzz")
    learner = H2PC().fit(data)

    assert learner.alternatives_
    for each in learner.alternatives_:
        assert [e for e in each.dag.named_edges if "zzz" in e] == [("smoke", "zzz")]


@BOTH
def test_levels_that_no_sample_has_change_nothing(learner):
    more = Dataset.from_codes(ASIA.codes, cards=ASIA.cards + 2, names=ASIA.names)

    assert learner().fit(more).edges_ == learner().fit(ASIA).edges_
    assert learner().fit(more).network_.cards == tuple((ASIA.cards + 2).tolist())


def test_edges_outside_the_skeleton_need_complete_cells():
    codes = HAILFINDER.codes.astype(int)
    codes[0, 0] = -1
    holed = Dataset.from_codes(
        codes, cards=HAILFINDER.cards, names=HAILFINDER.names, missing="available"
    )

    assert H2PC().fit(HAILFINDER).result_.settings["outside_penalty"] == 3.0
    assert H2PC().fit(holed).result_.settings["outside_penalty"] is None


def test_tables_have_at_most_a_hundred_cells_for_every_sample():
    rng = np.random.default_rng(0)
    parents = rng.integers(0, 50, (4, 300))
    child = parents.sum(axis=0) % 2
    data = Dataset.from_codes(np.vstack([parents, child]))
    required = [(f"X{i}", "X4") for i in range(2)]

    learner = H2PC(required=required, outside_penalty=0, one_sided_penalty=0).fit(data)

    for v in range(5):
        family = [*learner.dag_.parents(v), v]
        assert math.prod(int(data.cards[u]) for u in family) <= 100 * 300
    assert learner.network_.dag == learner.dag_


def test_a_checkpoint_is_of_the_same_copies(tmp_path):
    data = with_copy(ASIA, "either", "zzz")
    whole = H2PC().fit(data).result_

    assert H2PC(checkpoint=tmp_path).fit(data).result_ == whole
    assert H2PC(checkpoint=tmp_path).fit(data).result_ == whole
    for other in (H2PC(variant="paper"), H2PC(targets=["zzz"])):
        with pytest.raises(SettingError, match="copies"):
            other.set_params(checkpoint=tmp_path).fit(data)
