"""``check``: look at a table before learning from it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from h2pc.data.column_plans import TablePlan, TableSettings, planned
from h2pc.data.discretize import Strategy
from h2pc.data.encoded_table import Missing, check_missing
from h2pc.data.table_check import TableCheck, checked_table
from h2pc.data.tables import as_table
from h2pc.errors import SettingError
from h2pc.io.dialect import Decimal, TextForm
from h2pc.io.table_files import notices_of, planned_table, read_table


def check(
    data: Any,
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
    power_rule: float = 5.0,
) -> TableCheck:
    r"""Return what a table holds, what learning does with it, and everything that is wrong.

    Parameters
    ----------
    data : path, or table, 2-d array, sparse matrix, dict of columns
        A table file, as :func:`read_dataset` reads it, or a table, as the learners take it.
    columns, drop, keep, sep, decimal, encoding, header, transpose, max_memory
        Of files, as in :func:`read_dataset`.
    levels : int, default=None
        The number of intervals that continuous columns are cut into, as in :func:`read_dataset`
        and :func:`discretize`; by default they stay continuous.
    strategy : {"quantile", "uniform"}, default="quantile"
        Intervals of about equally many samples, or of equal width.
    missing : {"error", "drop", "level", "available"}, default="error"
        As in :meth:`Dataset.from_data`.
    max_levels : int, default=None
        As in :meth:`Dataset.from_data`.
    power_rule : float, default=5.0
        Fewest samples per cell for a test to be performed, as in :class:`H2PC`.

    Returns
    -------
    TableCheck
        A report that prints as a table; its fields can be used as well.

    Raises
    ------
    FileFormatError
        Where the file is damaged.

    Examples
    --------
    >>> from h2pc import check
    >>> found = check({"depth": [0.5, 1.5, 2.5, 3.5] * 5, "ground": ["sand", "rock"] * 10})
    >>> found.columns[0].kind, found.columns[0].action, found.is_ready
    ('fractions', 'numbers', True)
    >>> found.kind, found.test
    ('mixed', 'mixed')
    """
    settings = TableSettings(levels, strategy, missing, max_levels, keep)
    form = {"sep": sep, "decimal": decimal, "encoding": encoding, "header": header}
    choice = {"columns": columns, "drop": drop, "transpose": transpose}
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        with read_table(path, form=TextForm(**form), max_memory=max_memory) as table:  # type: ignore[arg-type]
            found = checked_file(table, settings, power_rule=power_rule, **choice)
        given = {**form, **choice, "keep": keep, "levels": levels, "missing": missing}
        return replace(found, next_step=_call(path, given, found.suggested))
    for name, value in {**form, **choice, "keep": keep}.items():
        if value not in (None, False, ()):
            raise SettingError(f"{name}={value!r} came with a table: expected a file")
    return _checked_frame(data, replace(settings, leaves_out=False), power_rule)


def checked_file(
    table: Any, settings: TableSettings, *, power_rule: float = 5.0, **choice: Any
) -> TableCheck:
    """Return what is found in the table of a file, without the call to go on with."""
    chosen, plan = planned_table(table, settings, **choice)
    named = tuple(choice.get("columns") or ())
    notices = notices_of(chosen, plan, transpose=choice.get("transpose", False))

    def replanned(changed: TableSettings) -> TablePlan:
        return planned(chosen, changed, named)

    return checked_table(chosen, plan, replanned, notices, power_rule)


def _checked_frame(data: Any, settings: TableSettings, power_rule: float) -> TableCheck:
    """Return what is found in a table that is no file."""
    check_missing(settings.missing)
    table: Any = as_table(data)
    plan = planned(table, settings)

    def replanned(changed: TableSettings) -> TablePlan:
        return planned(table, changed)

    found = checked_table(table, plan, replanned, (), power_rule)
    odd = [each.name for each in plan.columns if each.is_used and "identifier" in each.reason]
    rows = [each.name for each in plan.columns if each.is_used and each.reason == "row numbers"]
    return replace(found, next_step=_call_on_table(data, found.suggested, [*rows, *odd], settings))


def _call(path: Path, given: Mapping[str, Any], suggested: Mapping[str, Any]) -> str:
    """Return the call that learns from a file."""
    defaults = (None, False, (), "error")
    settings = {name: value for name, value in given.items() if value not in defaults}
    settings |= suggested
    if "drop" in suggested:
        settings["drop"] = [*given.get("drop", ()), *suggested["drop"]]
    words = [repr(str(path)), *(f"{name}={value!r}" for name, value in settings.items())]
    return f"H2PC().fit(read_dataset({', '.join(words)}))"


def _call_on_table(
    data: Any, suggested: Mapping[str, Any], odd: Collection[str], settings: TableSettings
) -> str:
    """Return the call that learns from a table."""
    text = "data"
    drop = [*suggested.get("drop", ()), *odd]
    if drop:
        keyword = "columns=" if hasattr(data, "iloc") else ""
        text = f"{text}.drop({keyword}{drop!r})"
    levels = suggested.get("levels", settings.levels)
    if levels is not None:
        text = f"discretize({text}, levels={levels})"
    missing = suggested.get("missing", settings.missing)
    if missing != "error":
        text = f"Dataset.from_data({text}, missing={missing!r})"
    return f"H2PC().fit({text})"
