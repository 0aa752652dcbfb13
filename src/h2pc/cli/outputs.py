"""The files that commands write: their names are checked before the work, not after it."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from h2pc.errors import SettingError

STDOUT = Path("-")

Content = str | bytes

GRAPH_KINDS = {
    ".bif": "bif",
    ".xml": "xml",
    ".xmlbif": "xml",
    ".dot": "dot",
    ".json": "json",
    ".csv": "edges",
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".html": "html",
}
"""What the endings of the files of a learned network mean."""

PICTURES = ("svg", "png", "pdf")
_NARROWEST = 8.0  # inches: small graphs have titles and legends too; what stays empty is cut off
_UNPACKED = (*PICTURES, "html", "parquet")


class Output(NamedTuple):
    """A file to write, or standard output, and what is wanted in it."""

    path: Path
    kind: str


def checked_outputs(
    paths: Iterable[Path] | None, kinds: Mapping[str, str], *, on_stdout: str | None = None
) -> tuple[Output, ...]:
    """Return the outputs that were asked for, if all of them can be written.

    ``kinds`` tells what endings mean; ``on_stdout`` is the kind of standard output, if it may be
    asked for.
    """
    outputs = []
    for path in paths or ():
        if path == STDOUT and on_stdout is not None:
            kind = on_stdout
        else:
            kind = _kind(path, kinds)
            _check_place(path)
        if kind in PICTURES and find_spec("matplotlib") is None:
            raise SettingError(f"{path}: pictures need matplotlib: pip install 'h2pc[plots]'.")
        outputs.append(Output(path, kind))
    if len({path for path, _ in outputs}) < len(outputs):
        raise SettingError("--out names the same file twice.")
    return tuple(outputs)


def _kind(path: Path, kinds: Mapping[str, str]) -> str:
    """Return what the ending of a name means; texts may be compressed."""
    name = path.name.lower()
    packed = name.endswith(".gz")
    kind = kinds.get(Path(name.removesuffix(".gz")).suffix)
    if kind is None or (packed and kind in _UNPACKED):
        raise SettingError(
            f"--out {path}: unknown kind of file: expected a name that ends in {', '.join(kinds)}."
        )
    return kind


def _check_place(path: Path) -> None:
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


def check_json(as_json: bool, outputs: Iterable[Output]) -> None:
    """Refuse two answers on standard output."""
    if as_json and has_stdout(outputs):
        raise SettingError("--json and --out - both want standard output: expected one of them.")


def write_all(outputs: Iterable[Output], contents: Mapping[str, Callable[[], Content]]) -> None:
    """Write the outputs; what several of them share is made once."""
    from h2pc.cli.printing import write

    made: dict[str, Content] = {}
    for path, kind in outputs:
        if kind not in made:
            made[kind] = contents[kind]()
        write(path, made[kind])


def csv_text(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV."""
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
