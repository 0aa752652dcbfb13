"""Tables of text, as Markdown and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple


class TextTable(NamedTuple):
    r"""Headings, and rows of as many words.

    Examples
    --------
    >>> table = TextTable(("network", "edges"), [("asia", "8"), ("alarm", "46")])
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
        """Return the table for reading; all columns but the first are aligned to the right."""
        ruler = ("---", *("---:" for _ in self.headings[1:]))
        lines = ["|" + "|".join(ruler) + "|"]
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join(["| " + " | ".join(self.headings) + " |", *lines]) + "\n"

    def as_csv(self) -> str:
        """Return the table for reading by machines."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.headings, *self.rows])
        return text.getvalue()
