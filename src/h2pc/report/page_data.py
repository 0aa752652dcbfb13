"""What the page knows: everything about a run as one JSON document, all by number."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from h2pc.algorithms.learn_result import LearnResult
from h2pc.errors import GraphError, SettingError
from h2pc.graphs import Dag
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.metrics import compare_edges, dag_shd, shd
from h2pc.metrics.edges import Verdict
from h2pc.metrics.marks import Mark
from h2pc.multilabel.powersets import minimal_label_powersets, powerset_boundary
from h2pc.report.layers import Drawing
from h2pc.report.layout import HEIGHT, box_width, layouts, shown
from h2pc.variables import Var

# What would end the block of the document, or a line of it in a reader older than ES2019.
_ESCAPES = {c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}

Record = dict[str, Any]


class Extras(NamedTuple):
    """All that may be known beside the learned graph; names throughout."""

    strengths: EdgeStrengths | None
    links: Sequence[EdgeLink]
    reference: Dag | None
    labels: Sequence[str]
    powersets: Sequence[Sequence[str]]
    boundaries: Sequence[Sequence[str]]
    separators: Mapping[tuple[str, str], Sequence[str]] | None


def page_document(result: LearnResult, title: str, extras: Extras) -> Record:
    """Return the document of a page; variables are numbered by the order of their names."""
    dag = result.dag.reordered(sorted(result.dag.names))
    missing, verdicts = _overlay(dag, extras.reference)
    return {
        "title": title,
        "names": dag.names,
        "shown": [shown(name) for name in dag.names],
        "widths": [box_width(name) for name in dag.names],
        "height": HEIGHT,
        "edges": dag.edges,
        "missing": missing,
        "verdicts": verdicts,
        "measures": _strengths(dag, extras.strengths) | _links(dag, extras.links),
        "given": _given(dag, extras.links),
        **_multilabel(dag, extras),
        "separators": _separators(dag, extras.separators),
        "layouts": _layouts(dag, missing),
        "run": _run(result),
        "comparison": _comparison(dag, extras.reference),
        "phases": [[phase, float(time)] for phase, time in result.seconds.items()],
    }


def as_safe_json(document: Record) -> str:
    """Return JSON that no HTML parser takes for anything but text."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return "".join(_ESCAPES.get(c, c) for c in text)


def _overlay(dag: Dag, reference: Dag | None) -> tuple[list[tuple[Var, Var]], list[Verdict] | None]:
    """Return the edges that only the reference has, and the verdict about each learned edge."""
    if reference is None:
        return [], None
    missing, verdict = [], {}
    for edge in compare_edges(dag, reference, as_classes=False):
        u, v = dag.variable(edge.first), dag.variable(edge.second)
        verdict[u, v] = edge.verdict
        if edge.verdict is Verdict.MISSING:
            missing.append((u, v) if edge.true is Mark.FORWARD else (v, u))
    return sorted(missing), [verdict[min(edge), max(edge)] for edge in dag.edges]


def _strengths(dag: Dag, strengths: EdgeStrengths | None) -> Record:
    """Return how often each edge came back, and how often in its direction; None for never."""
    if strengths is None:
        return {}
    _known(dag, strengths.names, "strengths")
    found = {(edge.parent, edge.child): (edge.strength, edge.direction) for edge in strengths.edges}
    found |= {(child, parent): (s, 1 - d) for (parent, child), (s, d) in found.items()}
    values = [found.get(edge, (0.0, None)) for edge in dag.named_edges]
    return {"strength": [s for s, _ in values], "direction": [d for _, d in values]}


def _links(dag: Dag, links: Sequence[EdgeLink]) -> Record:
    """Return what speaks for each edge; None where it is not known."""
    if not links:
        return {}
    found = _by_edge(dag, links)
    return {
        measure: [
            _finite(getattr(found[edge], measure)) if edge in found else None
            for edge in dag.named_edges
        ]
        for measure in ("gain", "log10_p")
    }


def _given(dag: Dag, links: Sequence[EdgeLink]) -> list[list[Var]] | None:
    """Return the variables that the test of each edge was given."""
    if not links:
        return None
    found = _by_edge(dag, links)
    return [
        _numbers(dag, found[edge].given, "links") if edge in found else []
        for edge in dag.named_edges
    ]


def _by_edge(dag: Dag, links: Sequence[EdgeLink]) -> dict[tuple[str, str], EdgeLink]:
    """Return the links by their edges, which the graph must have."""
    found = {(link.parent, link.child): link for link in links}
    edges = frozenset(dag.named_edges)
    for parent, child in found:
        if (parent, child) not in edges:
            raise GraphError(
                f"A link must be an edge of the graph; {parent!r} → {child!r} is none."
            )
    return found


def _multilabel(dag: Dag, extras: Extras) -> Record:
    """Return the labels, their powersets, and the features that tell these."""
    labels = tuple(extras.labels) or tuple(y for some in extras.powersets for y in some)
    powersets = extras.powersets or (minimal_label_powersets(dag, labels) if labels else ())
    for label in labels:
        if sum(label in some for some in powersets) != 1:
            raise SettingError(f"Powersets part the labels; {label!r} is not in exactly one.")
    boundaries = extras.boundaries or [
        powerset_boundary(dag, some, labels or some) for some in powersets
    ]
    if len(boundaries) != len(powersets):
        raise SettingError(
            f"{len(powersets)} powersets need as many boundaries; got {len(boundaries)}."
        )
    return {
        "labels": sorted(_numbers(dag, labels, "labels")),
        "powersets": [sorted(_numbers(dag, some, "powersets")) for some in powersets],
        "boundaries": [sorted(_numbers(dag, some, "boundaries")) for some in boundaries],
    }


def _separators(
    dag: Dag, separators: Mapping[tuple[str, str], Sequence[str]] | None
) -> list[tuple[Var, Var, list[Var]]]:
    """Return pairs of variables and what separates them, sorted."""
    found = []
    for pair, between in (separators or {}).items():
        x, y = sorted(_numbers(dag, pair, "separators"))
        found.append((x, y, sorted(_numbers(dag, between, "separators"))))
    return sorted(found)


def _layouts(dag: Dag, missing: Iterable[tuple[Var, Var]]) -> Record:
    """Return the drawings; an edge of the reference alone is drawn along the learned order."""
    place = {v: i for i, v in enumerate(dag.topological_order)}
    edges = [*dag.edges, *missing]
    arcs = [(place[u], place[v]) for u, v in edges]
    made = layouts(
        [dag.names[v] for v in dag.topological_order], [(min(arc), max(arc)) for arc in arcs]
    )
    return {
        "first": made.first,
        "drawings": {
            name: {
                "places": [_pixel(drawing.places[place[v]]) for v in dag.variables],
                "bends": _bends(drawing, arcs),
            }
            for name, drawing in made.drawings.items()
        },
    }


def _bends(drawing: Drawing, arcs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return where edges bend, from parent to child."""
    return [
        [_pixel(point) for point in (way if u < v else way[::-1])]
        for way, (u, v) in zip(drawing.bends, arcs, strict=True)
    ]


def _pixel(point: tuple[float, float]) -> tuple[int, int]:
    """Return the nearest whole pixel."""
    return round(point[0]), round(point[1])


def _comparison(dag: Dag, reference: Dag | None) -> list[tuple[str, str]]:
    """Return how far the graph is from the reference."""
    if reference is None:
        return []
    return [
        ("edges of the reference", f"{len(reference.edges):,}"),
        ("structural Hamming distance of the graphs", f"{dag_shd(dag, reference):,}"),
        ("structural Hamming distance of their equivalence classes", f"{shd(dag, reference):,}"),
    ]


def _run(result: LearnResult) -> list[tuple[str, str]]:
    """Return the settings of the run and what it took, as text."""
    numbers = {
        "score of the graph": f"{result.score:,.2f}",
        "independence tests": f"{result.n_tests:,}",
        "families scored": f"{result.n_scores:,}",
        "moves of the search": f"{result.n_moves:,}",
        "seed": _said(result.seed),
    }
    settings = {name.replace("_", " "): _said(value) for name, value in result.settings.items()}
    return [*settings.items(), *numbers.items()]


def _said(value: object) -> str:
    """Return a setting in words."""
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple | list):
        inner = (_said(item) for item in value)
        return ", ".join(
            f"({x})" if isinstance(v, tuple) else x for x, v in zip(inner, value, strict=True)
        )
    return str(value)


def _numbers(dag: Dag, names: Iterable[str], what: str) -> list[Var]:
    """Return the variables with these names."""
    names = tuple(names)
    _known(dag, names, what)
    return [dag.variable(name) for name in names]


def _known(dag: Dag, names: Iterable[str], what: str) -> None:
    """Raise an error if a name is not one of the graph's."""
    known = frozenset(dag.names)
    for name in names:
        if name not in known:
            raise GraphError(
                f"{what} must be about the graph's {len(known)} variables; got {name!r}."
            )


def _finite(value: float) -> float | None:
    """Return the number, or None for what JSON cannot say."""
    return float(value) if math.isfinite(value) else None
