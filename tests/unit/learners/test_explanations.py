"""Why variables are neighbours or not: checked against the graph that the oracle knows."""

import math

import pytest
from hypothesis import given

from h2pc import GTest, load_network, skeleton
from h2pc.algorithms.skeletons import Symmetry
from h2pc.graphs import Dag
from h2pc.independence.oracle import DSeparationOracle
from h2pc.learners.explanations import Reason, explained_neighbours
from strategies import dags, examples


@pytest.fixture(scope="module")
def child():
    return load_network("child").sample(500, random_state=3)


@given(dags(max_nodes=7))
@examples(100)
def test_under_the_oracle_every_reason_is_true_of_the_graph(dag):
    for why in explained_neighbours(DSeparationOracle(dag), dag.names, dag.variables):
        target = dag.variable(why.target)
        assert {link.name for link in why.neighbours} == {
            dag.names[v] for v in dag.adjacent(target)
        }
        for link in why.neighbours:
            assert link.weakest_log10_p == -math.inf
        for spouse in why.spouses:
            x, z = dag.variable(spouse.name), [dag.variable(name) for name in spouse.separator]
            assert x in dag.spouses(target)
            assert dag.d_separated(target, x, z)
            assert not dag.d_separated(target, x, [*z, dag.variable(spouse.child)])
        for other in why.left_out:
            assert other.reason is Reason.SEPARATED
            separator = [dag.variable(name) for name in other.separator]
            assert dag.d_separated(target, dag.variable(other.name), separator)


@given(dags(max_nodes=7))
@examples(50)
def test_every_variable_has_its_place_once(dag):
    for why in explained_neighbours(DSeparationOracle(dag), dag.names, dag.variables):
        places = (*why.neighbours, *why.spouses, *why.left_out)

        assert sorted([why.target, *(place.name for place in places)]) == list(dag.names)


@pytest.mark.parametrize("rule", Symmetry)
def test_neighbours_are_those_of_the_skeleton(child, rule):
    joined = skeleton(child, symmetry=rule.value)
    every = tuple(range(child.n_variables))

    for why in explained_neighbours(GTest(child), child.names, every, symmetry=rule):
        assert sorted(link.name for link in why.neighbours) == list(joined.neighbours(why.target))


def test_one_sided_variables_are_those_that_the_other_side_does_not_name(child):
    joined = skeleton(child)
    views = joined.neighbourhoods
    one_sided = {(x, y) for x in views for y in views[x] if x not in views[y]}
    every = tuple(range(child.n_variables))

    told = explained_neighbours(GTest(child), child.names, every)

    found = {
        (why.target, other.name)
        for why in told
        for other in why.left_out
        if other.reason is Reason.ONE_SIDED
    }
    assert one_sided
    assert found == one_sided


def test_separators_on_data_leave_a_p_value_above_alpha(child):
    ci = GTest(child)

    for why in explained_neighbours(ci, child.names, tuple(range(child.n_variables))):
        for other in why.left_out:
            if other.reason is Reason.SEPARATED:
                x, *z = child.variables([other.name, *other.separator])
                assert ci.independent(ci.log_p(child.variable(why.target), x, tuple(z)))


def test_the_weakest_evidence_is_that_of_the_set_it_names(child):
    ci = GTest(child)

    for why in explained_neighbours(ci, child.names, tuple(range(child.n_variables))):
        for link in why.neighbours:
            target, x, *z = child.variables([why.target, link.name, *link.given])
            log_p = ci.log_p(target, x, tuple(z))
            assert link.weakest_log10_p == pytest.approx(log_p / math.log(10), abs=1e-9)
            assert link.log10_p <= link.weakest_log10_p


def test_left_out_variables_come_from_the_strongest_link_to_the_weakest(child):
    (why,) = explained_neighbours(GTest(child), child.names, (0,))
    links = [other.log10_p for other in why.left_out]

    assert links == sorted(links)


def test_the_number_of_workers_does_not_matter(child):
    ci, every = GTest(child), tuple(range(child.n_variables))

    one, two = (explained_neighbours(ci, child.names, every, n_jobs=n) for n in (1, 2))

    assert one == two


def test_a_spouse_is_told_with_the_child_that_it_shares():
    dag = Dag.from_edges(tuple("abcd"), [("a", "b"), ("b", "c"), ("d", "c")])
    (why,) = explained_neighbours(DSeparationOracle(dag), dag.names, (1,))

    (spouse,) = why.spouses
    assert (spouse.name, spouse.separator, spouse.child) == ("d", (), "c")
    assert why.markov_boundary == ("a", "c", "d")
