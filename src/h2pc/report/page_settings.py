"""What a run did, in words: its settings and its counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from h2pc.algorithms.learn_result import LearnResult
from h2pc.runs.limits import in_bytes

Settings = Mapping[str, Any]

# A page has room for so many names; the others are counted.
_MOST_NAMES = 20


class _Setting(NamedTuple):
    """How a setting is shown, and when it plays a part."""

    title: str
    words: Mapping[str, str] = {}
    """What its values are called."""
    said: Callable[[Any], str] | None = None
    """Writes a value for which there is no word; by default as it is."""
    none: str | None = None
    """What None or an empty list is called; by default the setting plays no part then."""
    when: Callable[[Settings], bool] = lambda _: True
    """Whether it plays a part, by the other settings."""


def run_facts(result: LearnResult) -> list[tuple[str, str]]:
    """Return titles and values of what a run did; without a score there was none.

    Settings that played no part are left out.
    """
    if math.isnan(result.score):
        return []
    order = [*_SETTINGS, *(name for name in result.settings if name not in _SETTINGS)]
    facts = []
    for name in order:
        setting = _SETTINGS.get(name, _Setting(name.replace("_", " ")))
        if name in result.settings and setting.when(result.settings):
            value = _value(setting, result.settings[name])
            facts += [] if value is None else [(setting.title, value)]
    return [*facts, *_counts(result)]


def _counts(result: LearnResult) -> list[tuple[str, str]]:
    """Return what was counted, and what a limit or copies of variables left out."""
    numbers = {
        "independence tests": result.n_tests,
        "searches for a separating set cut short by a limit": result.n_cut,
        "scores computed": result.n_scores,
        "moves of the search": result.n_moves,
    }
    facts = [("score of the graph", f"{result.score:,.2f}")]
    facts += [(title, f"{n:,}") for title, n in numbers.items() if n]
    if result.copies:
        pairs = [f"{copy} of {kept}" for copy, kept in sorted(result.copies.items())]
        facts.append(("copies, joined to one variable only", _first(pairs)))
    if result.seed is not None:
        facts.append(("seed of the restarts", str(result.seed)))
    if not result.complete:
        facts.append(("complete", "no: a limit ended the run"))
    return facts


def _value(setting: _Setting, value: object) -> str | None:
    """Return a value in words; None where the setting plays no part."""
    if value is None or value == ():
        return setting.none
    if isinstance(value, str) and value in setting.words:
        return setting.words[value]
    return _as_text(value) if setting.said is None else setting.said(value)


def _as_text(value: object) -> str:
    """Return a value as it is."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple | list):
        return _first([f"({_as_text(v)})" if isinstance(v, tuple) else _as_text(v) for v in value])
    return str(value)


def _first(texts: list[str]) -> str:
    """Return the first texts, and the number of the others."""
    n_more = len(texts) - _MOST_NAMES
    shown = ", ".join(texts[:_MOST_NAMES])
    return f"{shown} and {n_more:,} more" if n_more > 0 else shown


def _arrows(edges: Any) -> str:
    """Return edges as text."""
    return _first([f"{parent} → {child}" for parent, child in edges])


def _price(value: float) -> str:
    """Return a price of edges, which grows with the number of variables."""
    return f"{value:g} ln p, for p variables"


_SETTINGS = {
    "algorithm": _Setting(
        "algorithm",
        {
            "HillClimbing": "hill climbing",
            "TabuSearch": "tabu search",
            "GES": "GES: greedy search among equivalence classes",
        },
    ),
    "variant": _Setting(
        "variant",
        {
            "accurate": "accurate: the search is greedy, among equivalence classes",
            "paper": "paper: the search is tabu, inside the skeleton, from the empty graph",
        },
    ),
    "targets": _Setting("learned around"),
    "n_replicates": _Setting("samples drawn from the data"),
    "resampling": _Setting(
        "drawn as",
        {"bootstrap": "rows with replacement", "subsample": "halves of the rows"},
    ),
    "stratify": _Setting("drawn within the levels of"),
    "threshold": _Setting("edges are stronger than"),
    "threshold_rule": _Setting("this threshold is that of", {"given": "the user"}),
    "expected_false_edges": _Setting("false edges expected, at most"),
    "test": _Setting(
        "independence test",
        {
            "g2": "G²",
            "chi2": "Pearson's chi-square",
            "gaussian": "partial correlation",
            "mixed": "degenerate Gaussian",
            "permutation": "G² by permutations",
            "semiparametric": "G² with degrees of freedom by permutations",
            "shrinkage": "mutual information with shrinkage",
        },
    ),
    "alpha": _Setting("level of the test"),
    "power_rule": _Setting(
        "fewest samples per cell for a test",
        when=lambda settings: settings.get("test") not in ("gaussian", "mixed"),
    ),
    "max_conditioning": _Setting("largest conditioning set of a search for a separating set"),
    "max_subset_tests": _Setting("most subsets that such a search tries"),
    "symmetry": _Setting(
        "the skeleton joins two variables",
        {"and": "if both find each other", "or": "if one of them finds the other"},
    ),
    "fdr": _Setting("false discovery rate of the skeleton"),
    "fdr_method": _Setting(
        "p-values adjusted by",
        {"by": "Benjamini and Yekutieli (2001)", "bh": "Benjamini and Hochberg (1995)"},
        when=lambda settings: settings.get("fdr") is not None,
    ),
    "one_sided_penalty": _Setting("price of an edge that one end found", said=_price),
    "outside_penalty": _Setting(
        "price of an edge outside the skeleton",
        said=_price,
        none="no such edge is considered",
    ),
    "scoring": _Setting(
        "score",
        {
            "bdeu": "BDeu",
            "bds": "BDs",
            "k2": "K2",
            "qnml": "qNML",
            "fnml": "fNML",
            "bge": "BGe",
            "bic": "BIC",
            "aic": "AIC",
            "loglik": "log-likelihood",
        },
    ),
    "equivalent_sample_size": _Setting(
        "equivalent sample size of the score",
        when=lambda settings: settings.get("scoring") in ("bdeu", "bds"),
    ),
    "max_parents": _Setting("most parents of a variable"),
    "start": _Setting(
        "the search starts from",
        said=lambda edges: f"the graph {_arrows(edges)}",
        none="the empty graph",
    ),
    "trials": _Setting(
        "tried where no step gains",
        {
            "variables": "each variable in turn without its edges",
            "pairs": "each variable in turn without its edges, and pairs joined at a loss",
        },
    ),
    "patience": _Setting("moves without a better graph after which the search ends"),
    "tabu_size": _Setting("last graphs that are not visited again"),
    "restarts": _Setting("random restarts"),
    "perturbations": _Setting(
        "random moves of a restart", when=lambda settings: bool(settings.get("restarts"))
    ),
    "required": _Setting("required edges", said=_arrows),
    "forbidden": _Setting("forbidden edges", said=_arrows),
    "tiers": _Setting("tiers, the earliest first"),
    "max_seconds": _Setting("limit of time", said=lambda seconds: f"{seconds:g} s"),
    "max_memory": _Setting("limit of memory", said=in_bytes),
}
"""All settings of learners, in the order in which they are shown."""
