"""What commands say: the answer on standard output, all else on standard error."""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer


def print_json(answer: Mapping[str, Any]) -> None:
    """Print one JSON object; its fields are documented and stay."""
    typer.echo(json.dumps(answer, ensure_ascii=False, allow_nan=False, indent=2))


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table as wide as it needs to be in a pipe, as the terminal allows on one."""
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


def note(text: str, *, unless: bool = False) -> None:
    """Say something beside the answer, unless the user wants it quiet."""
    if not unless:
        typer.echo(text, err=True)


@contextmanager
def warnings_in_words() -> Iterator[None]:
    """Say our own warnings at once, each in a line of its own."""
    from h2pc.errors import H2pcWarning

    def say(message: Warning | str, *_: Any, **__: Any) -> None:
        typer.echo(f"Warning: {message}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always", H2pcWarning)
        warnings.showwarning = say
        yield


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; ``-`` is standard output."""
    if str(path) == "-":
        typer.echo(content, nl=isinstance(content, str) and not content.endswith("\n"))
        return
    from h2pc.io.files import replace_file

    try:
        replace_file(path, content)
    except OSError as error:
        # A full disk tells no name, and the name of a temporary file would tell nobody anything.
        raise OSError(error.errno, error.strerror, str(path)) from None


def finite(value: float) -> float | None:
    """Number as JSON can hold it; None where it is infinite: decided, not tested."""
    return value if math.isfinite(value) else None


def decimal(value: float, digits: int = 1) -> str:
    """Number with commas between thousands; ``-inf`` where something was decided, not tested."""
    text = f"{value:,.{digits}f}"
    return text if text.strip("-0.,") else text.removeprefix("-")


def listed(names: Iterable[str]) -> str:
    """Names with commas between them, or a dash where there is none."""
    return ", ".join(names) or "–"


def plural(n: int, thing: str) -> str:
    """So many things: ``1 edge``, ``1,200 edges``."""
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"
