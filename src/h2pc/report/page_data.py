"""The data of the page: one JSON document, with variables as numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from h2pc.algorithms.learn_result import LearnResult
from h2pc.errors import GraphError, SettingError
from h2pc.graphs import Cpdag, Dag
from h2pc.graphs.checked_names import Edge
from h2pc.graphs.layout import HEIGHT, box_width, shown
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.metrics import compare_edges, edge_scores
from h2pc.metrics.edge_scores import ComparedEdge, Verdict
from h2pc.multilabel.explanation import LabelExplanation
from h2pc.multilabel.explanation_text import (
    about_contributions,
    heading,
    question,
    sentences,
    shown_features,
    shown_powersets,
    value_text,
)
from h2pc.multilabel.factor_document import factor_graph
from h2pc.multilabel.label_factors import LabelFactors
from h2pc.multilabel.powersets import minimal_label_powersets, powerset_boundary
from h2pc.report.identifiable import VIEWS, View, checked_view, identifiable_directions
from h2pc.report.page_layouts import page_layouts, page_overview
from h2pc.report.page_parameters import Network, page_parameters
from h2pc.report.page_settings import run_facts
from h2pc.report.page_strengths import pairs_outside, strength_measures
from h2pc.variables import Var

# Characters that would end the block of the document, or a line in a browser before ES2019.
_ESCAPES = {c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}

# Pairs grow with the square of the variables, and the page has to be read by a browser.
_MOST_WITH_SEPARATORS = 100

_MOST_BARS = 12

Record = dict[str, Any]
SeparatingSets = Mapping[tuple[str, str], Sequence[str]]
"""For pairs of variables without an edge, variables that make them independent."""


class Extras(NamedTuple):
    """The optional parts of a page, by name."""

    strengths: EdgeStrengths | None
    links: Sequence[EdgeLink]
    reference: Dag | None
    labels: Sequence[str]
    powersets: Sequence[Sequence[str]]
    boundaries: Sequence[Sequence[str]]
    separators: SeparatingSets | None
    view: View
    explanation: LabelExplanation | None
    min_strength: float = 0.05
    network: Network | None = None
    data: Any = None


def page_document(result: LearnResult, title: str, extras: Extras) -> Record:
    """Return the document of a page; variables are numbered by the order of their names."""
    dag = result.dag.reordered(sorted(result.dag.names))
    identified = identifiable_directions(result, dag)
    overlay = _overlay(result, dag, extras.reference)
    measures, given, untested = _links(dag, extras.links)
    return {
        "title": title,
        "names": dag.names,
        "shown": [shown(name) for name in dag.names],
        "widths": [box_width(name) for name in dag.names],
        "height": HEIGHT,
        "edges": dag.edges,
        "reversible": _reversible(dag.edges, identified),
        "view": checked_view(extras.view),
        "undirected": False,
        **overlay,
        "measures": strength_measures(dag, extras.strengths) | measures,
        **pairs_outside(result, dag, overlay["missing"], extras.strengths, extras.min_strength),
        "given": given,
        "untested": untested,
        **_multilabel(dag, extras),
        "targets": _targets(result, dag),
        "why": _why(dag, extras.explanation),
        "separators": _separators(dag, _kept(result, extras)),
        "parameters": page_parameters(dag, extras.network, extras.data),
        "layouts": page_layouts(dag, overlay["missing"]),
        "overview": page_overview(dag, overlay["missing"]),
        "run": run_facts(result),
        "comparison": _comparison(dag, extras.reference),
        "phases": [[phase, float(time)] for phase, time in result.seconds.items()],
    }


def factor_page_document(found: LabelFactors, title: str) -> Record:
    """Return the document of a page of label factors: a graph without directions."""
    result = LearnResult(factor_graph(found), None, 0.0)
    groups = found.labels, found.factors, found.boundaries
    document = page_document(result, title, Extras(None, (), None, *groups, None, "class", None))
    run = {"assumption": found.assumption, "independence tests": f"{found.n_tests:,}"}
    if found.alpha is not None:
        run["level of links between labels"] = f"{found.alpha:.3g}"
    reversible = [True] * len(document["edges"])
    return document | {"undirected": True, "reversible": reversible, "run": list(run.items())}


def _reversible(edges: Iterable[Edge], identified: Cpdag) -> list[bool]:
    """Return for each edge whether its direction is not identifiable."""
    open_pairs = frozenset(identified.undirected)
    return [(min(edge), max(edge)) in open_pairs for edge in edges]


def as_safe_json(document: Record) -> str:
    """Return JSON in which no HTML parser sees anything but text."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return "".join(_ESCAPES.get(c, c) for c in text)


def _overlay(result: LearnResult, dag: Dag, reference: Dag | None) -> Record:
    """Return the edges that only the reference has, and for each view a verdict on each edge.

    Verdicts are those of ``h2pc compare``: constraints of the run have no part in them.
    """
    if reference is None:
        return {"missing": [], "missing_reversible": [], "verdicts": None}
    true = reference.reordered(dag.names)
    joined = frozenset(map(frozenset, dag.edges))
    missing = [edge for edge in true.edges if frozenset(edge) not in joined]
    compared = {view: compare_edges(dag, true, as_classes=view == "class") for view in VIEWS}
    return {
        "missing": missing,
        "missing_reversible": _reversible(missing, identifiable_directions(result, true)),
        "verdicts": {view: _verdicts(dag, edges) for view, edges in compared.items()},
    }


def _verdicts(dag: Dag, compared: Iterable[ComparedEdge]) -> list[Verdict]:
    """Return the verdict on each learned edge."""
    found = {(edge.first, edge.second): edge.verdict for edge in compared}
    return [found[min(edge), max(edge)] for edge in dag.named_edges]


def _links(
    dag: Dag, links: Sequence[EdgeLink]
) -> tuple[Record, list[list[Var]] | None, list[str | None] | None]:
    """Return the evidence for each edge.

    Score gain, p-values and q-value; what its test conditions on; the variable that was not tested,
    where it has no q-value for that reason.
    """
    if not links:
        return {}, None, None
    found = {(link.parent, link.child): link for link in links}
    for parent, child in found.keys() - set(dag.named_edges):
        raise GraphError(f"links must be edges of the graph; {parent!r} → {child!r} is none.")
    ordered = [found.get(edge) for edge in dag.named_edges]
    measures = {
        name: [_finite(getattr(link, name, None)) for link in ordered]
        for name in ("gain", "log10_p", "weakest_log10_p", "log10_q", "correlation")
    }
    for name in ("weakest_log10_p", "log10_q", "correlation"):  # not of all learners and data
        if all(value is None for value in measures[name]):
            del measures[name]
    given = [list(map(dag.variable, link.given)) if link else [] for link in ordered]
    return measures, given, [link.untested if link else None for link in ordered]


def _multilabel(dag: Dag, extras: Extras) -> Record:
    """Return the labels, their powersets, and the Markov boundaries of these."""
    labels = tuple(extras.labels) or tuple(y for some in extras.powersets for y in some)
    powersets = extras.powersets or (minimal_label_powersets(dag, labels) if labels else ())
    for label in labels:
        if sum(label in some for some in powersets) != 1:
            raise SettingError(f"Each label must be in exactly one powerset; {label!r} is not.")
    boundaries = extras.boundaries or [
        powerset_boundary(dag, some, labels or some) for some in powersets
    ]
    if len(boundaries) != len(powersets):
        raise SettingError(
            f"{len(powersets)} powersets need as many boundaries; got {len(boundaries)}."
        )
    return {
        "labels": _numbers(dag, labels, "labels"),
        "powersets": [_numbers(dag, some, "powersets") for some in powersets],
        "boundaries": [_numbers(dag, some, "boundaries") for some in boundaries],
    }


def _targets(result: LearnResult, dag: Dag) -> list[Var]:
    """Return the variables around which the graph was learned, if not everywhere."""
    targets: Any = result.settings.get("targets")
    return [v for v in dag.variables if dag.names[v] in (targets or ())]


def _why(dag: Dag, explanation: LabelExplanation | None) -> Record | None:
    """Return the explanation of one sample: of each powerset the features that contribute most."""
    if explanation is None:
        return None
    place = {name: v for v, name in enumerate(dag.names)}
    powersets, others = shown_powersets(explanation)
    parts = []
    for each in powersets:
        rows, rest = shown_features(each, _MOST_BARS)
        parts.append(
            {
                "question": question(each.labels, each.predicted),
                "labels": [[y, place.get(y), int(y in each.predicted)] for y in each.labels],
                "sentences": sentences(each),
                "features": [
                    [f.feature, place.get(f.feature), value_text(f.value), f.contribution, f.role]
                    for f in rows
                ],
                "rest": rest,
            }
        )
    return {
        "heading": heading(explanation),
        "powersets": parts,
        "others": others,
        "about": about_contributions(explanation),
    }


def _kept(result: LearnResult, extras: Extras) -> SeparatingSets:
    """Return the separating sets: those given, else those that HPC found on the way."""
    if extras.separators is not None:
        return extras.separators
    # With strengths the graph is an average over samples, which these sets do not belong to.
    many = len(result.dag.names) > _MOST_WITH_SEPARATORS
    if result.skeleton_result is None or extras.strengths is not None or many:
        return {}
    edges, names = frozenset(result.dag.skeleton().named_edges), frozenset(result.dag.names)
    return {
        pair: between
        for pair, between in result.skeleton_result.separating_sets().items()
        if pair not in edges and names.issuperset((*pair, *between))
    }


def _separators(dag: Dag, separators: SeparatingSets) -> list[tuple[Any, ...]]:
    """Return pairs of variables and their separating sets, sorted."""
    return sorted(
        (*_numbers(dag, pair, "separators"), _numbers(dag, between, "separators"))
        for pair, between in separators.items()
    )


def _comparison(dag: Dag, reference: Dag | None) -> Record | None:
    """Return the number of edges by verdict and the distance from the reference, by view."""
    if reference is None:
        return None
    scores = {view: edge_scores(dag, reference, as_classes=view == "class") for view in VIEWS}
    counts = {verdict: verdict.name.lower() for verdict in Verdict}
    rows = counts | {"structural Hamming distance": "shd"}
    return {
        title: {view: getattr(found, name) for view, found in scores.items()}
        for title, name in rows.items()
    }


def _numbers(dag: Dag, names: Iterable[str], what: str) -> list[Var]:
    """Return the variables with these names, sorted."""
    try:
        return sorted(map(dag.variable, names))
    except GraphError as error:
        raise GraphError(f"{what}: {error}") from None


def _finite(value: float | None) -> float | None:
    """Return the number, or None if JSON does not have it."""
    return None if value is None or not math.isfinite(value) else float(value)
