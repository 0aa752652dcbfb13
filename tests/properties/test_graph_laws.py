"""Laws that hold for every graph."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from h2pc.errors import GraphError
from h2pc.graphs import Cpdag, Dag, consistent_extension, dag_to_cpdag, equivalent, greedy_dag
from h2pc.independence.oracle import DSeparationOracle
from h2pc.io.dot import from_dot, to_dot
from reference.slow_graphs import d_separated_by_trails, extensions, is_dag, v_structures
from strategies import dags, names_of


@st.composite
def questions(draw, max_nodes=8):
    """A graph, two of its variables and a conditioning set."""
    dag = draw(dags(min_nodes=2, max_nodes=max_nodes))
    x, y, *rest = draw(st.permutations(dag.variables))
    return dag, x, y, tuple(rest[: draw(st.integers(0, len(rest)))])


@st.composite
def pdags(draw, max_nodes=5):
    """Graphs with directed and undirected edges, extendable or not."""
    n_nodes = draw(st.integers(1, max_nodes))
    directed, undirected = [], []
    for v in range(n_nodes):
        for u in range(v):
            join = draw(st.sampled_from(["nothing", "line", "line", "forward", "back"]))
            directed += {"forward": [(u, v)], "back": [(v, u)]}.get(join, [])
            undirected += [(u, v)] if join == "line" else []
    return Cpdag(names_of(n_nodes), directed, undirected)


@given(dags())
def test_the_topological_order_puts_parents_first(dag):
    position = {v: i for i, v in enumerate(dag.topological_order)}

    assert sorted(position) == list(dag.variables)
    assert all(position[u] < position[v] for u, v in dag.edges)
    assert dag.topological_order == tuple(nx.lexicographical_topological_sort(numbered(dag)))


@given(dags())
def test_ancestors_and_descendants_are_those_of_networkx(dag):
    graph = numbered(dag)
    for v in dag.variables:
        assert set(dag.ancestors(v)) == nx.ancestors(graph, v)
        assert set(dag.descendants(v)) == nx.descendants(graph, v)


@given(dags())
def test_the_boundary_is_what_is_adjacent_in_the_moral_graph(dag):
    moral = dag.moral_graph()
    for v in dag.variables:
        boundary = dag.markov_boundary(v)

        assert boundary == moral.adjacent(v)
        assert sorted(dag.adjacent(v) + dag.spouses(v)) == list(boundary)
        assert dag.skeleton().adjacent(v) == dag.adjacent(v)


@given(dags())
def test_the_boundary_separates_from_all_else_and_no_smaller_one_does(dag):
    for v in dag.variables:
        boundary = dag.markov_boundary(v)

        assert dag.d_connected(v, boundary) == ()
        for b in boundary:
            assert b in dag.d_connected(v, [w for w in boundary if w != b])


@given(questions(max_nodes=7))
def test_d_separation_is_its_definition(question):
    dag, x, y, z = question

    assert dag.d_separated(x, y, z) == d_separated_by_trails(dag, x, y, set(z))


@given(questions())
def test_d_separation_is_that_of_networkx_and_symmetric(question):
    dag, x, y, z = question

    separated = dag.d_separated(x, y, z)

    assert separated == nx.is_d_separator(numbered(dag), {x}, {y}, set(z))
    assert separated == dag.d_separated(y, x, z)
    assert separated == (y not in dag.d_connected(x, z))
    assert separated == (DSeparationOracle(dag).log_p(x, y, z) == 0.0)


@given(dags())
def test_the_extension_of_a_class_is_a_member_of_it(dag):
    cpdag = dag_to_cpdag(dag)
    member = consistent_extension(cpdag)

    assert cpdag.is_completed()
    assert equivalent(dag, member)
    assert dag_to_cpdag(member) == cpdag
    assert member.skeleton() == dag.skeleton() == cpdag.skeleton()
    assert v_structures(member.edges, member.edges) == v_structures(dag.edges, dag.edges)


@given(dags(min_nodes=2, max_nodes=6))
def test_turning_a_covered_edge_round_and_no_other_stays_in_the_class(dag):
    for u, v in dag.edges:
        covered = set(dag.parents(v)) == {*dag.parents(u), u}
        turned = [(v, u) if edge == (u, v) else edge for edge in dag.edges]

        if is_dag(dag.names, turned):
            assert equivalent(dag, Dag.from_edges(dag.names, turned)) == covered
        else:
            assert not covered


@given(pdags())
def test_an_extension_is_found_where_there_is_one(pdag):
    possible = list(extensions(pdag))

    try:
        found = consistent_extension(pdag)
    except GraphError:
        found = None

    assert found in possible if possible else found is None


@given(dags(max_nodes=6), st.data())
def test_the_order_of_names_changes_no_answer(dag, data):
    names = data.draw(st.permutations(dag.names))
    other = dag.reordered(names)

    assert other.reordered(dag.names) == dag
    assert set(other.named_edges) == set(dag.named_edges)
    assert dag_to_cpdag(other) == dag_to_cpdag(dag).reordered(names)
    members = [consistent_extension(dag_to_cpdag(graph)) for graph in (dag, other)]
    assert members[0] == members[1].reordered(dag.names)
    assert equivalent(dag, other)


@given(st.permutations([(u, v) for u in range(5) for v in range(5) if u != v]))
def test_a_greedy_graph_has_every_edge_that_closed_no_cycle(edges):
    kept = []
    for edge in edges:
        if is_dag(names_of(5), [*kept, edge]):
            kept.append(edge)

    assert greedy_dag(names_of(5), edges) == Dag.from_edges(names_of(5), kept)


@given(dags(), st.data())
def test_names_give_the_names_of_what_numbers_give(dag, data):
    v = data.draw(st.sampled_from(dag.variables))
    cpdag = dag_to_cpdag(dag)

    for graph, queries in (
        (
            dag,
            "parents children adjacent spouses markov_boundary ancestors descendants d_connected",
        ),
        (cpdag, "parents children neighbours adjacent"),
        (dag.skeleton(), "adjacent"),
    ):
        for query in map(graph.__getattribute__, queries.split()):
            assert query(dag.names[v]) == tuple(dag.names[u] for u in query(v))


@settings(max_examples=40, deadline=None)  # the first example imports pandas
@given(dags(), st.data())
def test_graphs_come_back_from_every_format(dag, data):
    names = data.draw(
        st.lists(st.text(max_size=6), unique=True, min_size=len(dag.names), max_size=len(dag.names))
    )
    dag = Dag(names, dag.parent_sets)
    for graph in (dag, dag.skeleton(), dag_to_cpdag(dag)):
        assert from_dot(to_dot(graph), type(graph)) == graph
        assert type(graph).from_networkx(graph.to_networkx()) == graph
        assert type(graph).from_adjacency_frame(graph.to_adjacency_frame()) == graph


def numbered(dag):
    """``dag`` in networkx, with numbers for nodes."""
    graph = nx.DiGraph()
    graph.add_nodes_from(dag.variables)
    graph.add_edges_from(dag.edges)
    return graph
