"""Which directions of a learned graph are identifiable, by its class and the constraints."""

from __future__ import annotations

from h2pc.algorithms.learn_result import LearnResult
from h2pc.checks import checked
from h2pc.graphs import Cpdag, Dag, dag_to_mpdag
from h2pc.independence.constraints import EdgeConstraints
from h2pc.learners.validation import CHECKS


def identifiable_directions(result: LearnResult, graph: Dag | None = None) -> Cpdag:
    """Return the class of all equivalent graphs that obey the constraints of the run.

    An edge is directed where these graphs agree. The class is that of the result, or of ``graph``;
    constraints that it does not obey itself have no effect.
    """
    dag = result.dag if graph is None else graph
    constraints = _constraints(result, dag)
    required = frozenset(constraints.required)
    known = [
        (u, v)
        for u, v in dag.edges
        if constraints.allows(u, v) and ((u, v) in required or not constraints.allows(v, u))
    ]
    return dag_to_mpdag(dag, known)


def _constraints(result: LearnResult, dag: Dag) -> EdgeConstraints:
    """Return the constraints on the variables of a graph, which may lack some of the data's."""
    kinds = ("required", "forbidden", "tiers")
    groups = checked({kind: result.settings.get(kind, ()) for kind in kinds}, CHECKS)
    known = frozenset(dag.names)
    required, forbidden = (
        tuple((dag.variable(u), dag.variable(v)) for u, v in groups[kind] if known >= {u, v})
        for kind in ("required", "forbidden")
    )
    tiers = tuple(tuple(map(dag.variable, known.intersection(tier))) for tier in groups["tiers"])
    return EdgeConstraints(required, forbidden, tiers)
