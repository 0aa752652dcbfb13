"""Directions that the class and the constraints of a run identify."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from h2pc import H2PC, Dag, LearnResult, load_network
from h2pc.errors import SettingError
from h2pc.graphs import dag_to_cpdag
from h2pc.report.identifiable import identifiable_directions
from reference.slow_graphs import cpdag_of, members_of_class
from strategies import constraints, dags, examples

CHAIN = Dag.from_edges(("a", "b", "c"), [("a", "b"), ("b", "c")])


def run_of(dag, **settings):
    return LearnResult(dag, None, 0.0, settings=settings)


def obeys(dag, known):
    edges = set(dag.edges)
    return edges.issuperset(known.required) and all(known.allows(u, v) for u, v in edges)


def by_name(dag, known):
    groups = {"required": known.required, "forbidden": known.forbidden, "tiers": known.tiers}
    return {
        kind: tuple(tuple(dag.names[v] for v in group) for group in groups)
        for kind, groups in groups.items()
    }


@examples(200)
@given(dags(min_nodes=2, max_nodes=5), st.data())
def test_a_direction_is_identifiable_where_all_equivalent_graphs_that_obey_agree(dag, data):
    known = data.draw(constraints(len(dag.names)))
    members = [member for member in members_of_class(dag) if obeys(member, known)]
    assume(members)
    learned = data.draw(st.sampled_from(members))

    found = identifiable_directions(run_of(learned, **by_name(dag, known)))

    assert found == cpdag_of(members)


@pytest.mark.parametrize(
    ("settings", "undirected"),
    [
        ({}, (("a", "b"), ("b", "c"))),
        ({"required": (("a", "b"),)}, ()),
        ({"required": (("b", "c"),)}, (("a", "b"),)),
        ({"forbidden": (("b", "a"),)}, ()),
        ({"forbidden": (("a", "c"),)}, (("a", "b"), ("b", "c"))),
        ({"tiers": (("a",), ("b", "c"))}, ()),
        ({"tiers": (("a", "b"), ("c",))}, (("a", "b"),)),
        ({"tiers": (("a", "z"), ("y",)), "required": (("z", "a"),)}, (("a", "b"), ("b", "c"))),
    ],
)
def test_constraints_identify_directions(settings, undirected):
    assert identifiable_directions(run_of(CHAIN, **settings)).named_undirected == undirected


def test_constraints_that_the_graph_breaks_have_no_effect():
    broken = {"required": (("b", "a"),), "forbidden": (("b", "c"), ("c", "b"))}

    assert identifiable_directions(run_of(CHAIN, **broken)) == dag_to_cpdag(CHAIN)


def test_another_graph_is_seen_with_the_constraints_of_the_run():
    other = Dag.from_edges(("c", "b", "a"), [("a", "c")])
    run = run_of(CHAIN, tiers=(("a",), ("c",)))

    assert identifiable_directions(run, other).named_directed == (("a", "c"),)


def test_a_learner_hands_over_its_constraints():
    data = load_network("asia").sample(2000, random_state=1)
    free = H2PC().fit(data).result_
    known = H2PC(required=[("smoke", "lung")], tiers=[["smoke"], ["bronc"]]).fit(data).result_
    again = LearnResult.from_json(known.to_json())

    assert identifiable_directions(free) == free.cpdag
    directed = identifiable_directions(known).named_directed
    assert {("smoke", "lung"), ("smoke", "bronc")} <= set(directed)
    assert not {("smoke", "lung"), ("smoke", "bronc")} <= set(known.cpdag.named_directed)
    assert identifiable_directions(again) == identifiable_directions(known)


def test_settings_that_are_no_constraints_are_refused():
    with pytest.raises(SettingError, match="required must be a list; got 3"):
        identifiable_directions(run_of(CHAIN, required=3))
