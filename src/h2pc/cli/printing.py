"""What commands print: the answer on standard output, all else on standard error."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from h2pc.learners.edge_links import EdgeLink
    from h2pc.learners.explanations import NeighbourLink


def print_json(answer: Mapping[str, Any]) -> None:
    """Print one JSON object; its fields are documented and stay."""
    import json

    typer.echo(json.dumps(_plain(answer), ensure_ascii=False, allow_nan=False, indent=2))


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: dataclasses are objects, infinite numbers are null."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table, as wide as it needs to be in a pipe, as the terminal allows on one."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left")
    for heading in headings:
        table.add_column(Text(heading))
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))  # names are text, never markup
    width = None if sys.stdout.isatty() else 10_000
    Console(width=width, soft_wrap=not sys.stdout.isatty(), highlight=False).print(table)


def with_correlations(
    columns: Mapping[str, Sequence[Any]],
) -> tuple[list[str], Iterable[Sequence[object]]]:
    """Return headings and rows; columns of correlations as text, unless there are none."""
    shown = {
        heading: [_correlation(value) for value in cells] if "correlation" in heading else cells
        for heading, cells in columns.items()
        if "correlation" not in heading or any(value is not None for value in cells)
    }
    return list(shown), zip(*shown.values(), strict=True)


def _correlation(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3f}"


def note(text: str, *, unless: bool = False) -> None:
    """Print something beside the answer, unless the user wants it quiet."""
    if not unless:
        typer.echo(text, err=True)


def tested(log10_p: float | None) -> str:
    """P-value as a decimal logarithm, or that the power rule left its test out."""
    return "untested" if log10_p is None else decimal(log10_p)


def q_value(link: EdgeLink | NeighbourLink) -> str:
    """Q-value of an edge with two digits; a variable whose tests are missing; else a dash."""
    if link.log10_q is not None:
        return f"{10.0**link.log10_q:.2g}"
    return "–" if link.untested is None else f"untested given {link.untested}"


def decimal(value: float, digits: int = 1) -> str:
    """Number with commas between thousands; ``-inf`` where a constraint decided."""
    text = f"{value:,.{digits}f}"
    return text if text.strip("-0.,") else text.removeprefix("-")


def listed(names: Iterable[str]) -> str:
    """Names with commas between them, or a dash where there is none."""
    return ", ".join(names) or "–"


def plural(n: int, thing: str) -> str:
    """A number of things: ``1 edge``, ``1,200 edges``."""
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"
