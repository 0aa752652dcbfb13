"""What becomes of every column of a table: levels, numbers, left out or refused, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from h2pc.data.column_profiles import (
    ColumnProfile,
    is_constant,
    is_identifier,
    is_row_number,
    missing_cells,
    profiled,
    profiles_of_block,
    profiles_of_integers,
)
from h2pc.data.discretize import Strategy
from h2pc.data.encoded_table import Missing
from h2pc.data.encoding import MAX_LEVELS
from h2pc.data.kinds import Kind, kind_of
from h2pc.data.tables import SeriesTable, blocks
from h2pc.errors import Remedy, UnusableColumnsError

Action = Literal["levels", "numbers", "cut", "left out", "refused"]

MISSING_REMEDIES: dict[str, str] = {
    "drop": "drops {n_holed:,} of {n_rows:,} rows",
    "level": "makes them a level of their own",
    "available": "uses, in every test, the rows complete in its variables",
}
"""What each way with missing values does."""

_MOST_LISTED = 5

# By the power rule, for a test of two variables of three levels given a third.
_ENOUGH_FOR_THREE = 5 * 3**3


@dataclass(frozen=True)
class TableSettings:
    """How a table becomes a data set; parameters as of :func:`h2pc.read_dataset`."""

    levels: int | None = None
    strategy: Strategy = "quantile"
    missing: Missing = "error"
    max_levels: int | None = None
    keep: Collection[str] = ()
    leaves_out: bool = True
    """Whether row numbers, constant columns and identifiers are left out, as of files."""


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """What becomes of one column.

    Attributes
    ----------
    profile : ColumnProfile
        What it holds.
    action : {"levels", "numbers", "cut", "left out", "refused"}
        What is done with it: its values are levels, or numbers, which may be cut into levels.
    reason : str
        Why it is left out or refused; empty where nothing is to say.
    """

    profile: ColumnProfile
    action: Action
    reason: str = ""

    @property
    def name(self) -> str:
        """The column."""
        return self.profile.name

    @property
    def is_used(self) -> bool:
        """Whether it becomes a variable."""
        return self.action in ("levels", "numbers", "cut")


@dataclass(frozen=True)
class TablePlan:
    """What becomes of the columns of a table, and of its rows.

    Attributes
    ----------
    columns : tuple of ColumnPlan
        The columns, in their order.
    settings : TableSettings
        How they are used.
    n_rows : int
        The number of rows.
    n_holed : int
        The number of rows with a missing value in a column that is not left out.
    """

    columns: tuple[ColumnPlan, ...]
    settings: TableSettings
    n_rows: int
    n_holed: int

    @property
    def kind(self) -> Kind:
        """Whether the variables are discrete, continuous, or some of both: mixed."""
        return kind_of(each.action == "numbers" for each in self.columns if each.is_used)

    @property
    def left_out(self) -> tuple[ColumnPlan, ...]:
        """The columns that are left out."""
        return tuple(plan for plan in self.columns if plan.action == "left out")

    @property
    def n_samples(self) -> int:
        """The number of rows that are left for learning."""
        drops = self.settings.missing == "drop"
        return self.n_rows - self.n_holed if drops else self.n_rows

    def problems(self) -> tuple[list[str], list[Remedy]]:
        """Return everything that is wrong, and what can be done about it."""
        return _problems(self)

    def check(self) -> None:
        """Raise one error about everything that is wrong."""
        findings, remedies = self.problems()
        if findings:
            raise UnusableColumnsError("; ".join(findings), *remedies)


def planned(
    table: SeriesTable,
    settings: TableSettings,
    chosen: Collection[str] = (),
    progress: Callable[[], None] | None = None,
) -> TablePlan:
    """Return what becomes of a table.

    Parameters
    ----------
    table : SeriesTable
        The table; its attributes ``nameless`` and ``index`` name columns without a name of their
        own, and columns that are the index of a data frame.
    settings : TableSettings
        How it is used.
    chosen : collection of str, default=()
        Columns that the user has named, and that are left out in no case.
    progress : callable, default=None
        Called before every column.
    """
    nameless: Collection[str] = getattr(table, "nameless", ())
    index: Collection[str] = getattr(table, "index", ())
    holed = np.zeros(table.n_rows, np.bool_)
    plans = []
    for profile, is_missing in _profiles(table):
        if progress is not None:
            progress()
        name = profile.name
        is_kept = "all" in settings.keep or name in settings.keep or name in chosen
        reason = _why_left_out(profile, settings, nameless=name in nameless, is_index=name in index)
        plan = _planned(profile, settings, reason, is_kept=is_kept)
        plans.append(plan)
        if profile.n_missing and plan.action != "left out":
            holed |= is_missing()
    return TablePlan(tuple(plans), settings, table.n_rows, int(holed.sum()))


def _profiles(
    table: SeriesTable,
) -> Iterator[tuple[ColumnProfile, Callable[[], NDArray[np.bool_]]]]:
    """Yield what every column holds, and a function that returns its missing cells."""
    for chosen, block in blocks(table, range(len(table.names))):
        names = [table.names[j] for j in chosen]
        if block is not None and block.dtype.kind == "f":
            for profile, row in zip(profiles_of_block(names, block), block, strict=True):
                yield profile, partial(np.isnan, row)
            continue
        if block is not None and len(chosen) > 1:  # of a tall column, the series does with less
            for profile in profiles_of_integers(names, block):
                yield profile, _none_missing
            continue
        for j in chosen:
            series = table.series(j)
            yield profiled(table.names[j], series), partial(missing_cells, series)


def _none_missing() -> NDArray[np.bool_]:
    """Return the missing cells of a column that has none: they are not looked at."""
    return np.zeros(1, np.bool_)


def _why_left_out(
    profile: ColumnProfile, settings: TableSettings, *, nameless: bool, is_index: bool
) -> str:
    """Return why a column is no variable; empty where it may be one."""
    if is_index:
        return "index of a data frame"
    if is_row_number(profile, nameless=nameless):
        return "row numbers"
    missing_is_level = settings.missing == "level" and not _is_continuous(profile, settings)
    if is_constant(profile, missing_is_level=missing_is_level):
        return "empty" if profile.kind == "empty" else "constant"
    if is_identifier(profile, nameless=nameless):
        return f"identifier: {profile.n_observed:,} values in {profile.n_present:,} rows"
    return ""


def _planned(
    profile: ColumnProfile, settings: TableSettings, reason: str, *, is_kept: bool
) -> ColumnPlan:
    """Return what becomes of a column that would be left out for this reason."""
    if reason and settings.leaves_out and not is_kept:
        return ColumnPlan(profile, "left out", reason)
    if profile.problem:
        return ColumnPlan(profile, "refused", profile.problem.partition(": expected")[0])
    is_number = profile.has_many_kinds
    if not is_number:
        refusal = _why_refused(profile, settings, is_kept=is_kept)
        if refusal:
            return ColumnPlan(profile, "refused", refusal)
    if profile.n_missing and settings.missing == "error":
        return ColumnPlan(profile, "refused", "missing values")
    if is_number and settings.levels is None:
        if profile.n_missing and settings.missing == "level":
            return ColumnPlan(profile, "refused", "missing numbers")
        return ColumnPlan(profile, "numbers", reason)
    return ColumnPlan(profile, "cut" if is_number else "levels", reason)


def _is_continuous(profile: ColumnProfile, settings: TableSettings) -> bool:
    """Whether numbers stay numbers."""
    return profile.has_many_kinds and settings.levels is None


def _why_refused(profile: ColumnProfile, settings: TableSettings, *, is_kept: bool) -> str:
    """Return why the values of a column cannot be levels; empty where they can."""
    if profile.n_levels > (settings.max_levels or MAX_LEVELS):
        return "too many levels"
    if settings.max_levels is not None or profile.looks_like_levels or is_kept:
        return ""
    return "identifier"


def _problems(plan: TablePlan) -> tuple[list[str], list[Remedy]]:
    refused: dict[str, list[ColumnProfile]] = {}
    for each in plan.columns:
        if each.action == "refused":
            key = "other" if each.profile.problem else each.reason
            refused.setdefault(key, []).append(each.profile)
    findings: list[str] = []
    remedies: list[Remedy] = []
    _add_unusable(refused, plan.settings, findings, remedies)
    _add_missing(plan, refused.get("missing numbers", []), findings, remedies)
    if not findings and not any(each.is_used for each in plan.columns):
        findings.append(f"no column is left: {left_out_text(plan.left_out)}: expected at least one")
        remedies.append(Remedy("keep", ["all"], "keeps all columns"))
    return findings, remedies


def _add_unusable(
    refused: dict[str, list[ColumnProfile]],
    settings: TableSettings,
    findings: list[str],
    remedies: list[Remedy],
) -> None:
    """Add what is wrong with columns that have to be dropped."""
    many = refused.get("too many levels", [])
    most = settings.max_levels or MAX_LEVELS
    findings += [
        f"column {p.name!r} has {p.n_levels:,} levels: expected at most {most:,}" for p in many
    ]
    names = refused.get("identifier", [])
    findings += [
        f"column {p.name!r} has {p.n_observed:,} levels in {p.n_rows:,} rows and looks like an "
        f"identifier: expected at least two rows per level"
        for p in names
    ]
    others = refused.get("other", [])
    findings += [p.problem for p in others[:_MOST_LISTED]]
    gone = [p.name for p in (*many, *names, *others)]
    if gone:
        what = "leaves it out" if len(gone) == 1 else "leaves them out"
        remedies.append(Remedy("drop", gone, what))


def _add_missing(
    plan: TablePlan,
    numbers: Sequence[ColumnProfile],
    findings: list[str],
    remedies: list[Remedy],
) -> None:
    """Add what is wrong with missing values; those of ``numbers`` cannot be levels."""
    missing = plan.settings.missing
    profiles = [
        each.profile
        for each in plan.columns
        if each.action != "left out" and each.profile.n_missing and not each.profile.problem
    ]
    effects = {
        how: what.format(n_holed=plan.n_holed, n_rows=plan.n_rows)
        for how, what in MISSING_REMEDIES.items()
    }
    if any(_is_continuous(each, plan.settings) for each in profiles):
        del effects["level"]
    if profiles and missing == "error":
        findings.append(f"missing values in {_with_counts(profiles)}: expected none")
        remedies += [Remedy("missing", how, what) for how, what in effects.items()]
    elif numbers:
        findings.append(
            f"missing values in {_with_counts(numbers)} of numbers, which have no levels: expected "
            f"none"
        )
        remedies += [Remedy("missing", how, what) for how, what in effects.items()]
        n_levels, word = (2, "two") if plan.n_rows < _ENOUGH_FOR_THREE else (3, "three")
        remedies.append(Remedy("levels", n_levels, f"cuts numbers into {word} levels"))
    elif missing == "drop" and plan.n_holed == plan.n_rows:
        findings.append(
            f"every row has a missing value, in {_with_counts(profiles)}: expected a row without"
        )
        del effects["drop"]
        remedies += [Remedy("missing", how, what) for how, what in effects.items()]


def _with_counts(profiles: Sequence[ColumnProfile]) -> str:
    """Return columns with the numbers of their missing values."""
    shown = ", ".join(f"{each.name!r} ({each.n_missing:,})" for each in profiles[:_MOST_LISTED])
    n_more = len(profiles) - _MOST_LISTED
    more = f" and {n_more:,} more columns" if n_more > 0 else ""
    return f"{'column' if len(profiles) == 1 else 'columns'} {shown}{more}"


def left_out_text(plans: Iterable[ColumnPlan]) -> str:
    """Return columns that are left out, and why, in a few words."""
    by_reason: dict[str, list[str]] = {}
    for plan in plans:
        by_reason.setdefault(plan.reason, []).append(plan.name)
    return "; ".join(f"{_listed(names)} ({reason})" for reason, names in by_reason.items())


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    shown = ", ".join(map(repr, found[:_MOST_LISTED]))
    return f"{shown}, …" if len(found) > _MOST_LISTED else shown
