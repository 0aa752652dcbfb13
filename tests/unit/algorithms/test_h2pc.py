"""H2PC on networks whose answers are known."""

from functools import partial

import pytest

from h2pc import Dag, DSeparationOracle, GTest, load_network
from h2pc.algorithms.h2pc import edges_around, hybrid_dag, inside
from h2pc.algorithms.mmpc import mmpc
from h2pc.algorithms.skeletons import Symmetry, learned_skeleton
from h2pc.algorithms.tabu import tabu_search
from h2pc.independence.constraints import EdgeConstraints
from h2pc.independence.context import Context
from h2pc.scores import BDeu

ALARM = load_network("alarm")
DATA = ALARM.sample(5000, random_state=1)
TRUTH = ALARM.dag.reordered(DATA.names)


def named(dag: Dag, variables) -> set[str]:
    return {dag.names[v] for v in variables}


@pytest.fixture(scope="module")
def whole():
    return hybrid_dag(GTest(DATA), BDeu(DATA), DATA.names)


def test_the_graph_stays_inside_the_skeleton(whole):
    joined = {frozenset(edge) for edge in whole.skeleton.edges}

    assert {frozenset(edge) for edge in whole.dag.edges} <= joined


def test_the_score_is_that_of_the_graph(whole):
    assert whole.score == BDeu(DATA).total(whole.dag.parent_sets)


def test_the_true_skeleton_leads_to_a_graph_as_good_as_the_true_one():
    patient = partial(tabu_search, patience=100)

    result = hybrid_dag(DSeparationOracle(TRUTH), BDeu(DATA), DATA.names, search=patient)

    assert result.skeleton == TRUTH.skeleton()
    assert result.score >= BDeu(DATA).total(TRUTH.parent_sets)


def test_mmpc_makes_it_mmhc():
    result = hybrid_dag(GTest(DATA), BDeu(DATA), DATA.names, learner=mmpc)

    assert result.skeleton == learned_skeleton(GTest(DATA), DATA.names, mmpc).skeleton


@pytest.mark.parametrize("target", ["HR", "VENTLUNG", "BP"])
def test_the_boundary_of_a_target_is_that_of_the_skeleton_around_it(target):
    number = DATA.variable(target)

    local = hybrid_dag(DSeparationOracle(TRUTH), BDeu(DATA), DATA.names, targets=(number,))

    around = named(local.skeleton, local.skeleton.adjacent(local.skeleton.variable(target)))
    assert around == named(TRUTH, TRUTH.adjacent(number))
    for name in around:  # all that may be a spouse is there
        v = TRUTH.variable(name)
        found = local.skeleton.adjacent(local.skeleton.variable(name))
        assert named(local.skeleton, found) == named(TRUTH, TRUTH.adjacent(v))


def test_a_local_graph_has_the_variables_nearby_and_their_score():
    result = hybrid_dag(GTest(DATA), BDeu(DATA), DATA.names, targets=(DATA.variable("HR"),))

    assert "HR" in result.dag.names
    assert len(result.dag.names) < len(DATA.names)
    score = BDeu(DATA)
    expected = sum(
        score.family(
            DATA.variable(name), tuple(DATA.variable(result.dag.names[u]) for u in parents)
        )
        for name, parents in zip(result.dag.names, result.dag.parent_sets, strict=True)
    )
    assert result.score == expected


def test_a_target_without_neighbours_is_alone_in_its_graph():
    data = load_network("asia").sample(50, random_state=0)

    result = hybrid_dag(GTest(data), BDeu(data), data.names, targets=(data.variable("asia"),))

    assert result.dag.names == ("asia",)


def test_constraints_reach_skeleton_and_search():
    asia = load_network("asia").sample(5000, random_state=2)
    smoke, lung, bronc = (asia.variable(name) for name in ("smoke", "lung", "bronc"))
    known = EdgeConstraints(required=((lung, smoke),), forbidden=((bronc, smoke), (smoke, bronc)))

    ci = GTest(asia).within(Context(known))
    result = hybrid_dag(ci, BDeu(asia), asia.names)

    assert result.dag.has_edge(lung, smoke)
    assert not result.skeleton.has_edge(bronc, smoke)


def test_required_edges_far_from_the_targets_do_not_matter():
    asia = load_network("asia").sample(5000, random_state=2)
    known = EdgeConstraints(required=((asia.variable("lung"), asia.variable("smoke")),))

    result = hybrid_dag(
        GTest(asia).within(Context(known)),
        BDeu(asia),
        asia.names,
        targets=(asia.variable("asia"),),
    )

    assert "smoke" not in result.dag.names


def test_only_edges_of_targets_and_neighbours_are_kept():
    chain = Dag.from_edges(tuple("abcde"), [(0, 1), (1, 2), (2, 3), (3, 4)]).skeleton()

    assert edges_around((0,), chain).edges == ((0, 1), (1, 2))


def test_required_edges_outside_the_skeleton_are_dropped():
    chain = Dag.from_edges(tuple("abc"), [(0, 1)]).skeleton()

    assert inside(EdgeConstraints(required=((0, 1), (1, 2))), chain).required == ((0, 1),)


def test_one_rule_joins_more_than_the_other(whole):
    loose = hybrid_dag(GTest(DATA), BDeu(DATA), DATA.names, symmetry=Symmetry.OR)

    assert set(whole.skeleton.edges) <= set(loose.skeleton.edges)


def test_threads_change_nothing(whole):
    assert hybrid_dag(GTest(DATA), BDeu(DATA), DATA.names, n_jobs=2) == whole


def test_the_skeleton_with_its_separating_sets_is_kept(whole):
    assert whole.skeleton_result.skeleton == whole.skeleton
    assert whole.skeleton_result.separating_sets()
    assert set(whole.skeleton_result.found) == set(range(len(DATA.names)))
