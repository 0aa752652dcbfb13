"""Explanations in words and tables, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from h2pc.multilabel.label_roles import link_sentence

if TYPE_CHECKING:
    from h2pc.multilabel.explanation import (
        FeatureContribution,
        LabelExplanation,
        PowersetExplanation,
    )

MOST_POWERSETS = 10
"""The number of powersets that are shown."""

MOST_FEATURES = 10
"""The number of features of a powerset that are shown."""

_MOST_NAMED = 6
_MOST_LINKS = 5
_MOST_LABEL_COLUMNS = 4
_BAR = 12


def question(labels: Sequence[str], predicted: Sequence[str]) -> str:
    """Return what is to be explained about one powerset.

    Examples
    --------
    >>> question(["ant", "bee", "cat"], ["bee", "cat"])
    "Why 'bee' and 'cat', but not 'ant'?"
    >>> question(["ant", "bee"], []), question(["ant"], []), question(["ant"], ["ant"])
    ("Why neither 'ant' nor 'bee'?", "Why not 'ant'?", "Why 'ant'?")
    """
    absent = [label for label in labels if label not in predicted]
    if predicted:
        but = f", but not {_listed(absent, 'or')}" if absent else ""
        return f"Why {_listed(predicted, 'and')}{but}?"
    if len(absent) == 1:
        return f"Why not {_listed(absent, 'or')}?"
    return f"Why neither {_listed(absent, 'nor')}?"


def sentences(each: PowersetExplanation) -> list[str]:
    """Return what is said about one powerset besides its features."""
    found = []
    if each.probability is not None:
        together = "together, " if len(each.labels) > 1 else ""
        next_best = "; ".join(
            f"{combination_text(other.labels)} {other.probability:.3f}"
            for other in each.alternatives
        )
        others = f" Next: {next_best}." if next_best and len(each.labels) > 1 else ""
        found.append(f"Predicted {together}with probability {each.probability:.3f}.{others}")
    if each.label_probabilities is not None and len(each.labels) > 1:
        pairs = list(zip(each.labels, each.label_probabilities, strict=True))
        pairs.sort(key=lambda pair: (-pair[1], pair[0]))
        shown = ", ".join(f"{label} {p:.3f}" for label, p in pairs[:_MOST_NAMED])
        more = f", {len(pairs) - _MOST_NAMED:,} more" if len(pairs) > _MOST_NAMED else ""
        found.append(f"Each label by itself: {shown}{more}.")
    found += map(link_sentence, each.links[:_MOST_LINKS])
    if len(each.links) > _MOST_LINKS:
        found.append(f"{len(each.links) - _MOST_LINKS:,} more pairs of labels are linked.")
    return found


def shown_features(each: PowersetExplanation, most: int) -> tuple[list[FeatureContribution], str]:
    """Return the features that contribute most, and a sentence about the others."""
    telling = [f for f in each.features if f.contribution or any(f.label_contributions)]
    shown, silent = telling[:most], len(each.features) - len(telling)
    parts = []
    if len(telling) > len(shown):
        parts.append(f"{_counted(len(telling) - len(shown))} less")
    if silent:
        parts.append(f"{_counted(silent)} nothing")
    if not each.features:
        return [], "No feature is used: the most frequent combination is predicted."
    return shown, "; ".join(parts) + "." if parts else ""


def about_contributions(explanation: LabelExplanation) -> str:
    """Return what the contributions of an explanation are."""
    n = explanation.n_background
    others = f"{n:,} other {'sample' if n == 1 else 'samples'}"
    if explanation.has_probabilities:
        what = (
            f"how much lower the probability of the prediction is, on average, when the feature "
            f"takes its values in {others} instead"
        )
    else:
        what = f"the share of {others} whose value of the feature would change the prediction"
    return f"Contribution: {what}, all else equal. Contributions do not add up."


def value_text(value: Any) -> str:
    """Return the value of a feature as tables show it."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def combination_text(labels: Sequence[str]) -> str:
    """Return a combination of labels as tables show it."""
    return " + ".join(labels) if labels else "none of them"


def heading(explanation: LabelExplanation) -> str:
    """Return which labels are predicted for the sample."""
    found = explanation.predicted
    labels = _listed(found, "and") if found else "no label"
    return f"Row {explanation.row:,}: {labels} predicted."


def shown_powersets(explanation: LabelExplanation) -> tuple[list[PowersetExplanation], str]:
    """Return the powersets to show, and a sentence about the others.

    Of many powersets, those with a predicted label come first.
    """
    found = list(explanation.powersets)
    if len(found) <= MOST_POWERSETS:
        return found, ""
    found.sort(key=lambda each: not each.predicted)
    n = len(found) - MOST_POWERSETS
    others = "1 other powerset is" if n == 1 else f"{n:,} other powersets are"
    return found[:MOST_POWERSETS], f"{others} not shown; choose labels to see them."


def rich_parts(explanation: LabelExplanation) -> Group:
    """Return the text and the tables of an explanation."""
    parts: list[Any] = [Text(heading(explanation), style="bold")]
    powersets, others = shown_powersets(explanation)
    for each in powersets:
        parts += ["", Text(question(each.labels, each.predicted), style="bold")]
        parts += map(Text, sentences(each))
        rows, rest = shown_features(each, MOST_FEATURES)
        if rows:
            parts.append(_table(each, rows))
        if rest:
            parts.append(Text(rest))
    parts += ["", Text(others)] if others else []
    return Group(*parts, "", Text(about_contributions(explanation)))


def _table(each: PowersetExplanation, rows: Sequence[FeatureContribution]) -> Table:
    """Return the table of the features of one powerset."""
    by_label = 1 < len(each.labels) <= _MOST_LABEL_COLUMNS
    has_roles = any(row.role for row in rows)
    largest = max(abs(row.contribution) for row in rows) or 1.0
    table = Table()
    for name in ("feature", "value"):
        table.add_column(name, overflow="fold")
    table.add_column("contribution", no_wrap=True)
    for label in each.labels if by_label else ():
        table.add_column(Text(f"to {label}"), justify="right")
    if has_roles:
        table.add_column("in the directed graph", overflow="fold")
    for row in rows:
        bar = "█" * round(_BAR * abs(row.contribution) / largest)
        cells = [row.feature, value_text(row.value), f"{row.contribution:+.3f} {bar}".rstrip()]
        cells += [f"{own:+.3f}" for own in row.label_contributions] if by_label else []
        cells += [row.role] if has_roles else []
        table.add_row(*map(Text, cells))
    return table


def _listed(names: Sequence[str], word: str) -> str:
    """Return names in quotes, with a word before the last one."""
    quoted = [repr(name) for name in names[:_MOST_NAMED]]
    if len(names) > _MOST_NAMED:
        quoted.append(f"{len(names) - _MOST_NAMED:,} more")
    if len(quoted) == 1:
        return quoted[0]
    if len(quoted) == 2:
        return f"{quoted[0]} {word} {quoted[1]}"
    return f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"


def _counted(n: int) -> str:
    return "1 other feature contributes" if n == 1 else f"{n:,} other features contribute"
