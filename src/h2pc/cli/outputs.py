"""The files that commands write; their names are checked before the work, not after it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import typer

from h2pc.cli.printing import note
from h2pc.errors import SettingError

STDOUT = Path("-")

Content = str | bytes

PICTURES = ("svg", "png", "pdf")
GRAPH_KINDS = {f".{kind}": kind for kind in ("bif", "xml", "dot", "json", *PICTURES, "html")}
GRAPH_KINDS |= {".bifxml": "xml", ".xmlbif": "xml", ".csv": "edges", ".network.json": "network"}
"""The kinds of files of a learned network, by ending."""

WITH_PARAMETERS = ("bif", "xml", "network")
"""The kinds that hold tables or regressions."""

_NARROWEST = 8.0  # inches: small graphs have titles and legends too; what stays empty is cut off
_UNPACKED = (*PICTURES, "html", "parquet")


def out_option(text: str, **settings: Any) -> Any:
    """Return the option of an output file."""
    return typer.Option("--out", "-o", help=text, **settings)


class Output(NamedTuple):
    """A file to write, or standard output, and its kind."""

    path: Path
    kind: str


def checked_outputs(
    paths: Iterable[Path] | None,
    kinds: Mapping[str, str],
    *,
    on_stdout: str | None = None,
    as_json: bool = False,
) -> tuple[Output, ...]:
    """Return the outputs, if all of them can be written.

    ``kinds`` are the kinds of files by ending, ``on_stdout`` is that of standard output, if it is
    allowed; with ``as_json`` it is taken.
    """
    outputs = []
    for path in paths or ():
        if path == STDOUT and on_stdout is not None:
            kind = on_stdout
        else:
            kind = _kind(path, kinds)
            check_place(path)
        if kind in PICTURES and find_spec("matplotlib") is None:
            raise SettingError(f"{path}: pictures need matplotlib: pip install 'h2pc[plots]'.")
        outputs.append(Output(path, kind))
    if len({path for path, _ in outputs}) < len(outputs):
        raise SettingError("--out names the same file twice.")
    if as_json and has_stdout(outputs):
        raise SettingError("--json and --out - both want standard output: expected one of them.")
    return tuple(outputs)


def _kind(path: Path, kinds: Mapping[str, str]) -> str:
    """Return the kind of a file by its ending; text may be compressed."""
    name = path.name.lower()
    packed = name.endswith(".gz")
    endings = Path(name.removesuffix(".gz")).suffixes
    kind = kinds.get("".join(endings[-2:])) or kinds.get("".join(endings[-1:]))
    if kind is None or (packed and kind in _UNPACKED):
        raise SettingError(
            f"--out {path}: unknown kind of file: expected a name that ends in {', '.join(kinds)}."
        )
    return kind


def check_place(path: Path) -> None:
    """Refuse files that could not be written in the end."""
    folder = path.parent
    if path.is_dir():
        raise SettingError(f"--out {path}: this is a folder: expected the name of a file.")
    if not folder.is_dir():
        raise SettingError(f"--out {path}: there is no folder {str(folder)!r}.")
    if not os.access(folder, os.W_OK):
        raise SettingError(f"--out {path}: the folder {str(folder)!r} cannot be written to.")


def has_stdout(outputs: Iterable[Output]) -> bool:
    """Whether one of the outputs is standard output."""
    return any(output.path == STDOUT for output in outputs)


def write_all(
    outputs: Iterable[Output],
    contents: Mapping[str, Callable[[], Content]],
    *,
    quiet: bool = True,
) -> None:
    """Write the outputs, and say so unless it is to be quiet; shared content is made once."""
    made: dict[str, Content] = {}
    for path, kind in outputs:
        if kind not in made:
            made[kind] = contents[kind]()
        write(path, made[kind])
        note(f"Wrote {path}.", unless=quiet or path == STDOUT)


def write(path: Path, content: Content) -> None:
    """Write a file whole or not at all; ``-`` is standard output."""
    if path == STDOUT:
        typer.echo(content, nl=isinstance(content, str) and not content.endswith("\n"))
        return
    from h2pc.io.files import replace_file

    try:
        replace_file(path, content)
    except OSError as error:
        # A full disk names no file, and the name of a temporary one would mean nothing.
        raise OSError(error.errno, error.strerror, str(path)) from None


def csv_text(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV."""
    import csv

    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return out.getvalue()


def picture(draw: Callable[[], Any], kind: str, title: str) -> bytes:
    """Return what ``draw`` draws on axes, the same bytes each time."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "h2pc"}):
        axes = draw()
        axes.set_title(f"{title}: {axes.get_title()}")
        figure = axes.figure
        wide, high = figure.get_size_inches()
        figure.set_size_inches(max(wide, _NARROWEST), high)
        figure.savefig(content, format=kind, dpi=150, bbox_inches="tight", metadata=dates)
        plt.close(figure)
    return content.getvalue()
