"""Table files: CSV, TSV and Excel through polars, Parquet through pyarrow, and ARFF."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from h2pc.data import Dataset, Discretizer
from h2pc.data.column_plans import TablePlan, TableSettings, left_out_text, planned
from h2pc.data.discretize import CutTable, NumberTable, Strategy
from h2pc.data.encoded_table import Missing, check_missing
from h2pc.data.encoding import MAX_LEVELS
from h2pc.data.orientation import transposed_hint
from h2pc.errors import DataError, DataWarning, Remedy, SettingError
from h2pc.io.arff import read_arff
from h2pc.io.csv import parse_csv
from h2pc.io.dialect import Decimal, TextForm
from h2pc.io.excel import BYTES_PER_BYTE_OF_XML, excel_table
from h2pc.io.files import bytes_of, decompressed, table_kind, up_to
from h2pc.io.memory import BYTES_PER_BYTE_OF_TEXT, room
from h2pc.io.parquet_table import MAX_CELLS, parquet_table
from h2pc.io.text_table import TextTable

MAX_BYTES = 1 << 31
"""The longest text that is read: two gigabytes, also after decompression."""

_MOST_KEPT = 5

_FORM = ("sep", "decimal", "encoding", "header")
_NOT_IN = {".parquet": _FORM, ".arff": _FORM, ".xlsx": ("sep", "encoding")}
"""What cannot be said of files that are no text."""

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t", ".dat": " "}


def read_dataset(
    path: str | os.PathLike[str],
    *,
    columns: Iterable[str] | None = None,
    drop: Collection[str] = (),
    keep: Collection[str] = (),
    sep: str | None = None,
    decimal: Decimal | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    transpose: bool = False,
    levels: int | None = None,
    strategy: Strategy = "quantile",
    missing: Missing = "error",
    max_levels: int | None = None,
    max_memory: int | None = None,
) -> Dataset:
    r"""Read a data set from a table file.

    The separator of a text, its decimal mark, its encoding and its header are recognised. Columns
    that are no variables are left out with a :class:`DataWarning`: row numbers without a name, the
    index of a pandas data frame in Parquet, constant columns, and identifiers, almost all of whose
    words or whole numbers differ.

    In text files the cells ``?``, ``NA``, ``N/A``, ``NaN``, ``nan``, ``null`` and empty ones are
    missing, in columns of numbers ``None`` as well. A column of text is one of numbers if all its
    cells are. A Parquet file is read a few columns at a time, so that ten million rows of fifty
    columns take a gigabyte and not a hundred.

    Parameters
    ----------
    path : path
        A file whose name ends in ``.csv``, ``.tsv``, ``.tab``, ``.txt``, ``.dat`` or ``.arff``,
        also with ``.gz``, ``.bz2`` or ``.xz`` after it; in ``.parquet`` (needs ``pyarrow``); or in
        ``.xlsx``, of which the first sheet is read (needs ``fastexcel``).
    columns : iterable of str, default=None
        The columns to take; by default all.
    drop : collection of str, default=()
        Columns to leave out.
    keep : collection of str, default=()
        Columns that are kept although they look like no variables; ``["all"]`` keeps all.
    sep : str, default=None
        The character between two cells of a text, ``"tab"``, or ``"space"`` for any run of spaces;
        by default recognised among comma, semicolon, tab, ``|`` and spaces.
    decimal : {".", ","}, default=None
        The decimal mark of numbers in a text; by default recognised.
    encoding : str, default=None
        The encoding of a text; by default UTF-8 or UTF-16, and Windows-1252 for what is neither.
    header : bool, default=None
        Whether the first line names the columns; by default recognised. Without one they are
        ``X0, X1, …``.
    transpose : bool, default=False
        Whether rows are variables and columns are samples, as in tables of genes; the first column
        names the variables.
    levels : int, default=None
        The number of intervals to cut continuous columns into: those of fractions, and of whole
        numbers of more than 20 kinds. By default they stay continuous.
    strategy : {"quantile", "uniform"}, default="quantile"
        Intervals of about equally many samples, or of equal width.
    missing : {"error", "drop", "level", "available"}, default="error"
        As in :meth:`Dataset.from_data`.
    max_levels : int, default=None
        As in :meth:`Dataset.from_data`.
    max_memory : int, default=None
        The most bytes that the process may hold; by default the memory of the machine. A file that
        needs more is refused.

    Returns
    -------
    Dataset
        Words are levels in sorted order, those of ARFF in their declared order; whole numbers of
        at most 20 kinds are levels, and other numbers are continuous, as in
        :meth:`Dataset.from_data`.

    Raises
    ------
    FileFormatError
        Where the file is damaged; the message names the line and what was expected there.
    DataError
        Where a column is unknown, or where columns cannot be used; the message names all of them.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from h2pc import read_dataset
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "coast.tsv"
    >>> _ = path.write_text("depth\tground\n2.5\tsand\n0.1\trock\n3.5\trock\n")
    >>> data = read_dataset(path)
    >>> data.kind, data.values.tolist()
    ('mixed', [[2.5, 0.1, 3.5]])
    >>> read_dataset(path, levels=2).states
    (('(-inf, 2.5]', '(2.5, inf)'), ('rock', 'sand'))
    """
    form = TextForm(sep, decimal, encoding, header)
    with read_table(path, form=form, max_memory=max_memory) as table:
        settings = TableSettings(levels, strategy, missing, max_levels, keep)
        data, _ = dataset_of(
            table, settings, columns=columns, drop=drop, transpose=transpose, stacklevel=3
        )
    return data


def dataset_of(
    table: Any,
    settings: TableSettings,
    *,
    columns: Iterable[str] | None = None,
    drop: Collection[str] = (),
    transpose: bool = False,
    stacklevel: int = 2,
) -> tuple[Dataset, TablePlan]:
    """Return the data set of a table, and what became of its columns; warn of those left out."""
    chosen, plan = planned_table(table, settings, columns=columns, drop=drop, transpose=transpose)
    plan.check()
    for notice in notices_of(chosen, plan, transpose=transpose):
        warnings.warn(notice, stacklevel=stacklevel)
    used = selected(chosen, [each.name for each in plan.columns if each.is_used])
    if hasattr(used, "check_room"):
        used.check_room(sum(each.action == "numbers" for each in plan.columns))
    # The plan has looked for identifiers, and the user may keep one.
    data = encoded(
        used,
        levels=settings.levels,
        strategy=settings.strategy,
        missing=settings.missing,
        max_levels=settings.max_levels or MAX_LEVELS,
    )
    return data, plan


def planned_table(
    table: Any,
    settings: TableSettings,
    *,
    columns: Iterable[str] | None = None,
    drop: Collection[str] = (),
    transpose: bool = False,
) -> tuple[Any, TablePlan]:
    """Return the chosen columns of a table, and what becomes of them."""
    check_missing(settings.missing)
    if settings.levels is not None:
        Discretizer(settings.strategy, settings.levels)  # refuses what makes no sense
    if transpose:
        if not hasattr(table, "transposed"):
            raise SettingError("transpose=True came with ARFF: expected CSV, Excel or Parquet")
        table = table.transposed()
    named = None if columns is None else tuple(columns)
    chosen = selected(table, named, drop)
    for name in settings.keep:
        if name != "all" and name not in table.names:
            raise DataError(f"unknown column {name!r}: expected one of {_listed(table.names)}")
    return chosen, planned(chosen, settings, named or ())


def notices_of(table: Any, plan: TablePlan, *, transpose: bool = False) -> list[DataWarning]:
    """Return what the user should know of a table: what was assumed, and what is left out."""
    found = list(getattr(table, "notices", ()))
    left_out = plan.left_out
    if left_out:
        what = "keeps it" if len(left_out) == 1 else "keeps them"
        names = [each.name for each in left_out]
        shown = names if len(names) <= _MOST_KEPT else ["all"]
        found.append(
            DataWarning(f"left out {left_out_text(left_out)}", Remedy("keep", shown, what))
        )
    hint = None if transpose else transposed_hint(plan)
    return [*found, hint] if hint else found


@contextmanager
def read_table(
    path: str | os.PathLike[str],
    *,
    form: TextForm | None = None,
    label_xml: str | os.PathLike[str] | None = None,
    max_bytes: int = MAX_BYTES,
    max_cells: int = MAX_CELLS,
    max_memory: int | None = None,
) -> Iterator[Any]:
    """Yield the table of a file; the ending of its name says of what kind it is.

    It has ``names``, ``n_rows``, ``labels`` (those that an ARFF file declares) and the methods of
    a :class:`NumberTable`.
    """
    file = Path(path)
    kind = table_kind(file)
    known = TextForm() if form is None else form
    _check_form(known, file, kind)
    free = room(max_memory)
    longest = min(max_bytes, free // BYTES_PER_BYTE_OF_TEXT)
    if kind == ".parquet":
        with parquet_table(file, max_cells, free) as table:
            yield table
    elif kind == ".xlsx":
        yield excel_table(file, known, min(max_bytes, free // BYTES_PER_BYTE_OF_XML))
    elif kind == ".arff":
        yield read_arff(file, label_xml=label_xml, max_bytes=longest)
    else:
        default = _SEPARATORS[kind]
        content = bytes_of(file, longest)
        yield TextTable.of_text(parse_csv(content, str(file), known, default=default, free=free))


def _check_form(form: TextForm, file: Path, kind: str) -> None:
    """Refuse what is said of the form of a text where the file is none."""
    for name in _NOT_IN.get(kind, ()):
        value = getattr(form, name)
        if value is not None:
            raise SettingError(f"{name}={value!r} came with {file}: expected a text file")


def csv_table(
    content: bytes | IO[bytes],
    source: str,
    form: TextForm | None = None,
    *,
    max_memory: int | None = None,
) -> TextTable:
    """Return the table of text that is in no file; ``source`` is its name in error messages."""
    free = room(max_memory)
    longest = min(MAX_BYTES, free // BYTES_PER_BYTE_OF_TEXT)
    if not isinstance(content, bytes):
        content = up_to(content, longest + 1)
    content = decompressed(content, source, longest)
    return TextTable.of_text(parse_csv(content, source, form, free=free))


def selected(table: Any, columns: Iterable[str] | None = None, drop: Collection[str] = ()) -> Any:
    """Return a table of the chosen columns, in their order, without those to drop."""
    known = frozenset(table.names)
    wanted = known if columns is None else frozenset(columns := tuple(columns))
    for name in (*(columns or ()), *drop):
        if name not in known:
            raise DataError(f"unknown column {name!r}: expected one of {_listed(table.names)}")
    gone = frozenset(drop)
    kept = [j for j, name in enumerate(table.names) if name in wanted and name not in gone]
    if not kept:
        raise DataError("no column is left: expected at least one")
    return table if len(kept) == len(known) else table.selected(kept)


def encoded(
    table: NumberTable,
    *,
    levels: int | None = None,
    strategy: Strategy = "quantile",
    missing: Missing = "error",
    max_levels: int | None = None,
) -> Dataset:
    """Return the data set of a table; see :func:`read_dataset` for the parameters."""
    source = table if levels is None else CutTable(table, Discretizer(strategy, levels))
    return Dataset.from_data(source, missing=missing, max_levels=max_levels)


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(map(repr, names[:10]))
    return f"{shown}, … ({len(names)} in all)" if len(names) > 10 else shown
