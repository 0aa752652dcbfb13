"""Tables of text, as Markdown, as CSV and for the terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.table import Table

MISSING = "–"
"""A value that does not exist, in tables for readers; in CSV it is an empty field."""


class MarkdownTable(NamedTuple):
    r"""Headings and rows of strings.

    Examples
    --------
    >>> table = MarkdownTable(("network", "edges"), [("asia", "8"), ("alarm", "46")])
    >>> print(table.as_markdown(), end="")
    | network | edges |
    |---|---:|
    | asia | 8 |
    | alarm | 46 |
    >>> table.as_csv()
    'network,edges\nasia,8\nalarm,46\n'
    """

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def as_markdown(self) -> str:
        """Return the table in Markdown, with all columns but the first aligned to the right."""
        ruler = ["---", *("---:" for _ in self.headings[1:])]
        lines = [f"| {' | '.join(row)} |" for row in self.rows]
        return "\n".join([f"| {' | '.join(self.headings)} |", f"|{'|'.join(ruler)}|", *lines, ""])

    def as_csv(self) -> str:
        """Return the table as comma-separated values."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.headings, *self.rows])
        return text.getvalue()

    def as_rich(self, title: str) -> Table:
        """Return the table for the terminal."""
        from rich.table import Table

        table = Table(title=title)
        for column, heading in enumerate(self.headings):
            table.add_column(heading, justify="right" if column else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        return table


def csv_number(value: float | None) -> str:
    """Return a number for a CSV file, or an empty field."""
    return "" if value is None else f"{value:.9g}"


def plus_minus(mean: float | None, deviation: float | None, digits: int = 1) -> str:
    """Return a mean and, if there is one, its standard deviation.

    Examples
    --------
    >>> plus_minus(2.345, 0.12, 2), plus_minus(2.345, None), plus_minus(None, None)
    ('2.35 ±0.1', '2.3', '–')
    """
    if mean is None:
        return MISSING
    return f"{mean:.{digits}f}" + ("" if deviation is None else f" ±{deviation:.1f}")
