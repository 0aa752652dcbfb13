"""Explanations as HTML: a part of a notebook, or a page of its own that loads nothing."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from h2pc.multilabel.explanation_text import (
    about_contributions,
    heading,
    question,
    sentences,
    shown_features,
    shown_powersets,
    value_text,
)

if TYPE_CHECKING:
    from h2pc.multilabel.explanation import (
        FeatureContribution,
        LabelExplanation,
        PowersetExplanation,
    )

_MOST_FEATURES = 20
_WIDTH, _HEIGHT = 200, 12

# Colours that are read on light and on dark ground alike: a notebook has either.
_STYLE = """
.h2pc-why { font: 15px/1.45 system-ui, sans-serif; }
.h2pc-why h3 { font-size: 1.05em; margin: 1.2em 0 0.3em; }
.h2pc-why p { margin: 0.2em 0; }
.h2pc-why table { border-collapse: collapse; margin: 0.4em 0; }
.h2pc-why th, .h2pc-why td { text-align: left; padding: 0.15em 0.9em 0.15em 0; }
.h2pc-why td { border-top: 1px solid rgba(128, 128, 128, 0.35); }
.h2pc-why .number { text-align: right; font-variant-numeric: tabular-nums; }
.h2pc-why .for { fill: #2a9d73; }
.h2pc-why .against { fill: #d2601f; }
.h2pc-why line { stroke: rgba(128, 128, 128, 0.8); }
.h2pc-why .quiet { opacity: 0.8; font-size: 0.9em; }
"""

_PAGE_STYLE = """
:root { color-scheme: light dark; --page: #f6f7f9; --panel: #ffffff; --text: #1c2630; }
@media (prefers-color-scheme: dark) {
  :root { --page: #12171c; --panel: #1b2229; --text: #e6ebf0; }
}
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: break-word; }
main { max-width: 60rem; margin: 1rem auto; padding: 1rem 1.4rem; background: var(--panel); }
.h2pc-why { overflow-x: auto; }
"""


def standalone_page(explanation: LabelExplanation) -> str:
    """Return a complete page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(heading(explanation))}</title>\n<style>{_PAGE_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{fragment(explanation)}\n</main>\n</body>\n</html>\n"
    )


def fragment(explanation: LabelExplanation) -> str:
    """Return a part of a page."""
    powersets, others = shown_powersets(explanation)
    parts = "\n".join(map(_powerset, powersets))
    if others:
        parts += f"\n<p>{escape(others)}</p>"
    return (
        f'<style>{_STYLE}</style>\n<div class="h2pc-why">\n'
        f"<h2>{escape(heading(explanation))}</h2>\n{parts}\n"
        f'<p class="quiet">{escape(about_contributions(explanation))}</p>\n</div>'
    )


def _powerset(each: PowersetExplanation) -> str:
    """Return the part of one powerset."""
    rows, rest = shown_features(each, _MOST_FEATURES)
    parts = [f"<h3>{escape(question(each.labels, each.predicted))}</h3>"]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in sentences(each)]
    if rows:
        largest = max(abs(row.contribution) for row in rows) or 1.0
        names = ("feature", "value", "contribution", "", "in the directed graph")
        head = "".join(f'<th scope="col">{name}</th>' for name in names)
        body = "\n".join(_line(row, largest) for row in rows)
        parts.append(
            f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        )
    if rest:
        parts.append(f'<p class="quiet">{escape(rest)}</p>')
    return "\n".join(parts)


def _line(row: FeatureContribution, largest: float) -> str:
    """Return the line of one feature."""
    cells = (
        f"<td>{escape(row.feature)}</td><td>{escape(value_text(row.value))}</td>"
        f'<td class="number">{row.contribution:+.3f}</td><td>{_bar(row, largest)}</td>'
        f"<td>{escape(row.role)}</td>"
    )
    return f"<tr>{cells}</tr>"


def _bar(row: FeatureContribution, largest: float) -> str:
    """Return a bar to the right of the middle for contributions, to the left for negative ones."""
    middle = _WIDTH / 2
    size = middle * abs(row.contribution) / largest
    left = middle if row.contribution >= 0 else middle - size
    kind = "for" if row.contribution >= 0 else "against"
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" aria-hidden="true">'
        f'<rect class="{kind}" x="{left:.1f}" y="1" width="{size:.1f}" height="{_HEIGHT - 2}"/>'
        f'<line x1="{middle:g}" x2="{middle:g}" y1="0" y2="{_HEIGHT}"/></svg>'
    )
