"""The interactive page of a learned graph: one HTML file that loads nothing."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from h2pc.algorithms.learn_result import LearnResult
from h2pc.graphs import Dag
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.multilabel.explanation import LabelExplanation
from h2pc.multilabel.label_factors import LabelFactors
from h2pc.report.identifiable import View
from h2pc.report.page_data import (
    Extras,
    Record,
    as_safe_json,
    factor_page_document,
    page_document,
)
from h2pc.report.page_date import in_words, page_date
from h2pc.report.page_parameters import Network

_LIBRARY = "vendor/cytoscape.min.js"
_LICENCE = "vendor/cytoscape.LICENSE"
# In the order in which they build on each other; one scope for all.
_MODULES = (
    "elements",
    "document",
    "directions",
    "theme",
    "graph",
    "view",
    "parts",
    "overview",
    "rows",
    "tables",
    "parameters",
    "details",
    "selection",
    "targets",
    "why",
    "legend",
    "slider",
    "controls",
    "keyboard",
    "picture",
    "main",
)


def network_page(
    result: LearnResult,
    *,
    title: str,
    day: date | None = None,
    strengths: EdgeStrengths | None = None,
    min_strength: float = 0.05,
    links: Sequence[EdgeLink] = (),
    reference: Dag | None = None,
    labels: Sequence[str] = (),
    powersets: Sequence[Sequence[str]] = (),
    boundaries: Sequence[Sequence[str]] = (),
    separators: Mapping[tuple[str, str], Sequence[str]] | None = None,
    view: View = "class",
    explanation: LabelExplanation | None = None,
    network: Network | None = None,
    data: Any = None,
) -> str:
    """Return an interactive page with a learned graph, its edges and its settings.

    Equal arguments give equal pages; the order of the columns does not matter.

    Parameters
    ----------
    result : LearnResult
        The result of a learner.
    title : str
        What was learned from, for the heading of the page; the day follows it.
    day : datetime.date, default=None
        The day of learning; by default today, or that of the environment variable
        ``SOURCE_DATE_EPOCH``.
    strengths : EdgeStrengths, default=None
        Strengths of the edges in resampled data, and of other pairs. A slider hides weak edges, or
        shows weaker pairs; it begins at the threshold of an averaged graph.
    min_strength : float, default=0.05
        Pairs that the graph does not join are on the page if they are stronger, up to 1,000.
    links : sequence of EdgeLink, default=()
        Score gains and p-values of the edges, of :func:`edge_links`.
    reference : Dag, default=None
        A graph to compare with, on the same names in any order.
    labels : sequence of str, default=()
        The variables that are labels; all others are features.
    powersets : sequence of sequences of str, default=()
        The label powersets; by default the minimal ones of the graph.
    boundaries : sequence of sequences of str, default=()
        The features of each powerset; by default its Markov boundary in the graph.
    separators : mapping of (str, str) to sequence of str, default=None
        Separating sets of pairs of variables without an edge; by default those that HPC found, up
        to 100 variables.
    view : {"class", "dag"}, default="class"
        The directions that the page shows at first; it has a switch. "class" are those that are
        identifiable: the same in all equivalent graphs that obey the constraints of the learner.
        "dag" are all directions of the learned graph.
    explanation : LabelExplanation, default=None
        Why labels are predicted for a sample, of ``classifier.explain(X)``; its labels must be
        among ``labels``.
    network : BayesianNetwork or LinearGaussianNetwork, default=None
        The graph with parameters, such as ``learner.network_``. The page shows the table of a
        selected variable, of the 1,000 most frequent rows at most, or its regression.
    data : Dataset or table, default=None
        The samples that the network was fitted to. The page says how many there are behind each
        row, and leaves out rows without any; without a network it says why there is none.

    Returns
    -------
    str
        HTML, to be written into a file as UTF-8.

    Raises
    ------
    GraphError
        If a name is not in the graph, a link is not one of its edges, or the network has another
        graph.
    SettingError
        If a label is not in exactly one powerset, if there are not as many boundaries, or if the
        view is unknown.

    Examples
    --------
    >>> from datetime import date
    >>> from h2pc import H2PC, load_network
    >>> asia = load_network("asia")
    >>> data = asia.sample(2000, random_state=1)
    >>> learner = H2PC().fit(data)
    >>> page = network_page(
    ...     learner.result_,
    ...     title="asia",
    ...     day=date(2026, 11, 19),
    ...     reference=asia.dag,
    ...     network=learner.network_,
    ...     data=data,
    ... )
    >>> "<title>asia, learned on 19 November 2026</title>" in page
    True
    """
    extras = Extras(
        strengths,
        links,
        reference,
        labels,
        powersets,
        boundaries,
        separators,
        view,
        explanation,
        min_strength,
        network,
        data,
    )
    was_learned = not math.isnan(result.score)  # a graph without a run has no score
    heading = _heading(title, day, was_learned=was_learned)
    return _page(page_document(result, heading, extras), heading)


def label_factor_page(found: LabelFactors, *, title: str, day: date | None = None) -> str:
    """Return an interactive page of label factors that tests found: lines have no direction.

    Parameters
    ----------
    found : LabelFactors
        The factors, their features and their links.
    title : str
        What was learned from, for the heading of the page; the day follows it.
    day : datetime.date, default=None
        As for :func:`network_page`.

    Returns
    -------
    str
        HTML, to be written into a file as UTF-8.

    Examples
    --------
    >>> from h2pc import irreducible_label_factors
    >>> from h2pc.report.page import label_factor_page
    >>> data = {"sea": [0, 1] * 50, "sky": [0, 1] * 50, "blue": [0, 0, 1, 1] * 25}
    >>> page = label_factor_page(irreducible_label_factors(data, ["sea", "sky"]), title="coast")
    >>> "<title>coast, learned on " in page
    True
    """
    heading = _heading(title, day, was_learned=True)
    return _page(factor_page_document(found, heading), heading)


def _heading(title: str, day: date | None, *, was_learned: bool) -> str:
    """Return the title with the day."""
    on = "learned on " if was_learned else ""
    return f"{title}, {on}{in_words(page_date() if day is None else day)}"


def _page(document: Record, title: str) -> str:
    """Return the page of a document."""
    return _filled(
        _asset("page.html"),
        {
            "policy": _policy(),
            "title": escape(title),
            "style": _asset("page.css"),
            "data": as_safe_json(document),
            "licence": escape(_asset(_LICENCE)),
            "library": _asset(_LIBRARY),
            "script": _script(),
        },
    )


def _policy() -> str:
    """Return a policy that allows the scripts and the style of the page, and no request."""
    scripts = " ".join(map(_hash, (_asset(_LIBRARY), _script())))
    return (
        f"default-src 'none'; script-src {scripts}; style-src {_hash(_asset('page.css'))}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def _script() -> str:
    """Return the modules of the page as one script."""
    body = "\n".join(_asset(f"js/{name}.js") for name in _MODULES)
    return f'(() => {{\n"use strict";\n\n{body}}})();\n'


def _hash(text: str) -> str:
    """Return the source expression that allows exactly this text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _filled(template: str, texts: Mapping[str, str]) -> str:
    """Return the template with its ``{{names}}`` replaced, in one pass: texts are left alone."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: texts[match[1]], template)


@cache
def _asset(name: str) -> str:
    """Return a file of the page."""
    text = (files("h2pc.report") / "assets" / name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")  # as browsers do before they compare hashes
