"""The interactive page of a run: one HTML file that needs no network."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from h2pc.algorithms.learn_result import LearnResult
from h2pc.graphs import Dag
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.report.page_data import Extras, as_safe_json, page_document

_LIBRARY = "vendor/cytoscape.min.js"
_LICENCE = "vendor/cytoscape.LICENSE"
# In the order in which they build on each other; one scope for all.
_MODULES = (
    "elements",
    "document",
    "theme",
    "graph",
    "tables",
    "details",
    "selection",
    "legend",
    "controls",
    "keyboard",
    "picture",
    "main",
)


def network_page(
    result: LearnResult,
    *,
    title: str,
    strengths: EdgeStrengths | None = None,
    links: Sequence[EdgeLink] = (),
    reference: Dag | None = None,
    labels: Sequence[str] = (),
    powersets: Sequence[Sequence[str]] = (),
    boundaries: Sequence[Sequence[str]] = (),
    separators: Mapping[tuple[str, str], Sequence[str]] | None = None,
) -> str:
    """Page that shows a learned graph and all that is known about it.

    Equal arguments give equal pages; the order of the columns does not matter.

    Parameters
    ----------
    result : LearnResult
        What was learned.
    title : str
        The heading of the page.
    strengths : EdgeStrengths, optional
        How often edges came back when the data were drawn again; the page can hide weak ones.
    links : sequence of EdgeLink
        What speaks for the edges.
    reference : Dag, optional
        A graph to compare with, on the same names in any order.
    labels : sequence of str
        The variables that are labels; all others are features.
    powersets : sequence of sequences of str
        The label powersets; by default the minimal ones of the graph.
    boundaries : sequence of sequences of str
        The features of each powerset; by default its Markov boundary in the graph.
    separators : mapping of (str, str) to sequence of str, optional
        For pairs of variables without an edge, what makes them independent.

    Returns
    -------
    str
        HTML, to be written into a file as UTF-8.

    Raises
    ------
    GraphError
        If a name is none of the graph's, or a link none of its edges.
    SettingError
        If powersets do not part the labels, or boundaries do not belong to powersets.

    Examples
    --------
    >>> from h2pc import H2PC, load_network
    >>> asia = load_network("asia")
    >>> result = H2PC().fit(asia.sample(2000, random_state=1)).result_
    >>> page = network_page(result, title="asia", reference=asia.dag)
    >>> page.startswith("<!doctype html>"), "<title>asia</title>" in page
    (True, True)
    """
    extras = Extras(strengths, links, reference, labels, powersets, boundaries, separators)
    document = page_document(result, title, extras)
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
    """Return a policy that runs the page's own scripts and styles, and loads nothing at all."""
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
    """Return the source expression that allows this very text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _filled(template: str, texts: Mapping[str, str]) -> str:
    """Return the template with its ``{{names}}`` replaced, in one pass: texts are left alone."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: texts[match[1]], template)


@cache
def _asset(name: str) -> str:
    """Return a file of the page."""
    text = (files("h2pc.report") / "assets" / name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")  # as browsers do before they compare hashes
