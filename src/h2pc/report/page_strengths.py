"""Strengths on the page: those of the edges, and pairs that the graph does not join."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from h2pc.algorithms.learn_result import LearnResult
from h2pc.errors import GraphError, SettingError
from h2pc.graphs import Dag
from h2pc.graphs.checked_names import Edge
from h2pc.learners.edge_strengths import EdgeStrength, EdgeStrengths

# Beyond this the weakest pairs are left out: nobody could see them in one drawing.
_MOST_PAIRS = 1000

# The share of graphs from which on a pair outside the graph is drawn with a direction.
_DECIDED = 0.75

Record = dict[str, Any]


def strength_measures(dag: Dag, strengths: EdgeStrengths | None) -> Record:
    """Return strength and direction of each edge; no direction where it never occurred."""
    if strengths is None:
        return {}
    for name in dag.names:
        if name not in strengths.names:
            raise GraphError(f"strengths must have the variables of the graph; {name!r} is none.")
    values = _of_edges(dag.named_edges, strengths)
    return {"strength": [s for s, _ in values], "direction": [d for _, d in values]}


def pairs_outside(
    result: LearnResult,
    dag: Dag,
    missing: Iterable[Edge],
    strengths: EdgeStrengths | None,
    min_strength: float,
) -> Record:
    """Return the pairs that the slider reveals, and where it begins.

    These are the pairs that are stronger than ``min_strength`` and joined neither by the graph nor
    by the reference, whose ``missing`` edges have strengths as well.
    """
    if isinstance(min_strength, bool) or not 0.0 <= min_strength <= 1.0:
        raise SettingError(f"min_strength must lie between 0 and 1; got {min_strength!r}.")
    if strengths is None:
        return {"weaker": [], "weaker_reversible": [], "missing_strengths": None, "resampled": None}
    named = [(dag.names[u], dag.names[v]) for u, v in missing]
    drawn, known = {*map(frozenset, (*dag.named_edges, *named))}, frozenset(dag.names)
    pairs = [
        edge
        for edge in strengths.edges
        if edge.strength > min_strength
        and known.issuperset(_ends(edge))
        and frozenset(_ends(edge)) not in drawn
    ][:_MOST_PAIRS]
    threshold: Any = result.settings.get("threshold")
    return {
        "weaker": [[*map(dag.variable, _ends(e)), e.strength, e.direction] for e in pairs],
        "weaker_reversible": [edge.direction < _DECIDED for edge in pairs],
        "missing_strengths": _of_edges(named, strengths),
        "resampled": {
            "by": strengths.resampling,
            "threshold": strengths.threshold if threshold is None else threshold,
            "averaged": threshold is not None,
        },
    }


def _of_edges(
    edges: Iterable[tuple[str, str]], strengths: EdgeStrengths
) -> list[tuple[float, float | None]]:
    """Return strength of each edge, and how often it has this direction."""
    found: dict[tuple[str, str], tuple[float, float | None]] = {}
    for edge in strengths.edges:
        found[edge.parent, edge.child] = edge.strength, edge.direction
        found[edge.child, edge.parent] = edge.strength, 1 - edge.direction
    return [found.get(edge, (0.0, None)) for edge in edges]


def _ends(edge: EdgeStrength) -> tuple[str, str]:
    return edge.parent, edge.child
