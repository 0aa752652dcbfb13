"""Where a d-separation oracle answers, the learners must be exact."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from h2pc.algorithms.hpc import fdr_iapc, hpc_neighbourhood
from h2pc.algorithms.iamb import iamb, iamb_fdr, inter_iamb
from h2pc.algorithms.mmpc import mmpc
from h2pc.graphs import Dag
from h2pc.independence.oracle import DSeparationOracle
from h2pc.variables import Var, Vars
from strategies import dags

patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
few = settings(max_examples=300, **patient)
many = settings(max_examples=2000, **patient)


def and_skeleton(neighbourhoods: dict[Var, Vars]) -> set[frozenset[Var]]:
    """Pairs that are in the neighbourhoods of each other."""
    return {
        frozenset((x, y))
        for x, near in neighbourhoods.items()
        for y in near
        if x in neighbourhoods[y]
    }


def true_skeleton(dag: Dag) -> set[frozenset[Var]]:
    return {frozenset(edge) for edge in dag.edges}


def assert_hpc_is_exact(dag: Dag) -> None:
    oracle = DSeparationOracle(dag)
    found = {v: hpc_neighbourhood(v, oracle, dag.variables) for v in dag.variables}

    for target, inside in found.items():
        adjacent, spouses = set(dag.adjacent(target)), set(dag.spouses(target))
        assert set(inside.pc) == adjacent
        assert adjacent <= set(inside.pcs)
        if len(inside.pcs) >= 2:
            assert spouses <= {*inside.pcs, *inside.sps}
            assert set(inside.mb) == adjacent | spouses
        else:  # HPC stops there and looks for no spouse
            assert inside.mb == inside.pc
    assert and_skeleton({v: inside.pc for v, inside in found.items()}) == true_skeleton(dag)


def assert_markov_boundaries_are_exact(dag: Dag) -> None:
    oracle = DSeparationOracle(dag)
    for target in dag.variables:
        boundary = set(dag.markov_boundary(target))
        for learner in (iamb, inter_iamb, iamb_fdr):
            assert set(learner(target, oracle, dag.variables)) == boundary
        assert set(fdr_iapc(target, oracle, dag.variables)) == set(dag.adjacent(target))


def assert_mmpc_is_exact_after_symmetry(dag: Dag) -> None:
    oracle = DSeparationOracle(dag)
    found = {v: mmpc(v, oracle, dag.variables) for v in dag.variables}

    for target, near in found.items():
        adjacent = set(dag.adjacent(target))
        assert adjacent <= set(near) <= adjacent | set(dag.descendants(target))
    assert and_skeleton(found) == true_skeleton(dag)


CLAIMS = (
    assert_hpc_is_exact,
    assert_markov_boundaries_are_exact,
    assert_mmpc_is_exact_after_symmetry,
)


@pytest.mark.parametrize("claim", CLAIMS)
@few
@given(dag=dags(min_nodes=5, max_nodes=10))
def test_learners_are_exact_under_the_oracle(claim, dag):
    claim(dag)


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS)
@many
@given(dag=dags(min_nodes=5, max_nodes=15))
def test_learners_are_exact_under_the_oracle_on_two_thousand_graphs(claim, dag):
    claim(dag)


def test_mmpc_keeps_a_descendant_that_only_symmetry_takes_out():
    # The link t → b → d is only blocked by b, which opens t → b ← c → d; and c, independent of t,
    # is no candidate.
    dag = Dag.from_edges(["b", "c", "d", "t"], [("t", "b"), ("c", "b"), ("c", "d"), ("b", "d")])
    oracle = DSeparationOracle(dag)
    t, d = dag.variable("t"), dag.variable("d")

    assert d in mmpc(t, oracle, dag.variables)
    assert t not in mmpc(d, oracle, dag.variables)
