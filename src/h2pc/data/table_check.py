"""What ``check`` finds: every column, what is wrong, the test and where samples are too few."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from h2pc.data.column_plans import Action, ColumnPlan, TablePlan, TableSettings
from h2pc.data.discretize import Discretizer
from h2pc.data.kinds import AUTO_TESTS, Kind, kind_of
from h2pc.data.power import UntestedShares, untestable, untested_shares
from h2pc.data.tables import SeriesTable
from h2pc.errors import DataWarning, Remedy

# Of more rows than that, dropping them loses too much.
_MOST_DROPPED = 0.2

_TESTS = {
    "g2": "G²",
    "gaussian": "Gaussian, of partial correlations",
    "mixed": "mixed, of likelihood ratios",
}

_HEADINGS = ("column", "kind", "values", "missing", "use")
_MOST_SHOWN = 60
_MOST_ROUNDS = 4


@dataclass(frozen=True)
class ColumnCheck:
    """What one column holds, and what becomes of it.

    Attributes
    ----------
    name : str
        The column.
    kind : str
        The kind of its values.
    n_values : int
        The number of different values.
    n_missing : int
        The number of cells without a value.
    action : {"levels", "numbers", "cut", "left out", "refused"}
        What is done with it: refused as it is, or used with the suggested parameters.
    levels : int
        The number of levels that the learner sees, as soon as nothing is wrong; 0 if it sees
        numbers, or no column.
    reason : str
        Why it is left out or refused, or what is odd about it.
    """

    name: str
    kind: str
    n_values: int
    n_missing: int
    action: Action
    levels: int
    reason: str

    @property
    def use(self) -> str:
        """What is done with it, in words."""
        levels = "1 level" if self.levels == 1 else f"{self.levels:,} levels"
        what = {"levels": levels, "numbers": "continuous", "cut": f"cut into {self.levels:,}"}
        text = what.get(self.action, self.action)
        return f"{text}: {self.reason}" if self.reason else text


@dataclass(frozen=True, repr=False)
class TableCheck:
    """What :func:`h2pc.check` finds in a table.

    Attributes
    ----------
    columns : tuple of ColumnCheck
        Every column, in order.
    n_rows, n_samples : int
        The number of rows, and of those that are left once nothing is wrong.
    n_discrete, n_continuous : int
        The number of variables of each kind, once nothing is wrong.
    problems : tuple of str
        Everything for which the table is refused as it is.
    remedies : tuple of Remedy
        Parameters that help.
    notices : tuple of DataWarning
        What was assumed, and what is left out.
    suggested : mapping
        The parameters with which nothing is wrong.
    power_rule : float
        Fewest samples per cell for a test to be performed.
    untested : UntestedShares or None
        The tests that the power rule leaves out, with the suggested parameters; None unless all
        variables are discrete: other tests have no such rule.
    untestable : tuple of str
        The variables of which no test is performed.
    next_step : str
        The call to go on with.
    """

    columns: tuple[ColumnCheck, ...]
    n_rows: int
    n_samples: int
    n_discrete: int
    n_continuous: int
    problems: tuple[str, ...]
    remedies: tuple[Remedy, ...]
    notices: tuple[DataWarning, ...]
    suggested: Mapping[str, Any]
    power_rule: float
    untested: UntestedShares | None
    untestable: tuple[str, ...]
    next_step: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether the table can be learned from as it is."""
        return not self.problems

    @property
    def kind(self) -> Kind:
        """Whether the variables are discrete, continuous, or some of both: mixed."""
        return kind_of([True] * (self.n_continuous > 0) + [False] * (self.n_discrete > 0))

    @property
    def test(self) -> str:
        """The independence test that ``test="auto"`` takes."""
        return AUTO_TESTS[self.kind]

    def to_pandas(self) -> Any:
        """Return the columns as a pandas data frame."""
        import narwhals as nw

        pd = nw.Implementation.PANDAS.to_native_namespace()
        fields = ("kind", "n_values", "n_missing", "action", "levels", "reason")
        index = pd.Index([column.name for column in self.columns], name="column")
        return pd.DataFrame(
            {name: [getattr(column, name) for column in self.columns] for name in fields}, index
        )

    def rows(self) -> list[tuple[str, ...]]:
        """Return the columns as they are printed: name, kind, values, missing, use."""
        return [
            (each.name, each.kind, f"{each.n_values:,}", f"{each.n_missing:,}", each.use)
            for each in self.columns
        ]

    def size(self) -> str:
        """Return the size of the table, and of what is left of it, in words."""
        return (
            f"{self.n_rows:,} rows of {len(self.columns):,} columns; {self.n_samples:,} samples of "
            f"{self.n_discrete + self.n_continuous:,} variables"
        )

    def tests(self) -> list[str]:
        """Return which test is taken, and for which tests samples are too few, in sentences."""
        kinds = {
            "discrete": "Discrete variables",
            "continuous": "Continuous variables",
            "mixed": f"Continuous variables ({self.n_continuous:,}) and discrete ones "
            f"({self.n_discrete:,})",
        }
        found = [f"{kinds[self.kind]}: the test auto is {_TESTS[self.test]}."]
        if self.untested is not None:
            found.append(
                f"With {self.power_rule:g} samples per cell, {_percent(self.untested.marginal)} of "
                f"the tests of two variables are left out, and {_percent(self.untested.given_one)} "
                f"of those given a third."
            )
        if self.untestable:
            found.append(f"No test has enough samples: {named(self.untestable)}.")
        return found

    def __repr__(self) -> str:
        shown = self.rows()[:_MOST_SHOWN]
        widths = [max(len(row[j]) for row in (_HEADINGS, *shown)) for j in range(len(_HEADINGS))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (_HEADINGS, *shown)
        ]
        if len(self.columns) > _MOST_SHOWN:
            lines.append(f"… {len(self.columns) - _MOST_SHOWN:,} more columns")
        return "\n".join([*lines, "", *self._sentences()])

    def _repr_html_(self) -> str:
        cells = [
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows()
        ]
        head = "".join(f"<th>{heading}</th>" for heading in _HEADINGS)
        sentences = "".join(f"<p>{escape(each)}</p>" for each in self._sentences())
        return f"<table><tr>{head}</tr>{''.join(cells)}</table>{sentences}"

    def _sentences(self) -> list[str]:
        found = [f"{self.size()}."]
        found += [f"Note: {notice}." for notice in self.notices]
        found += [f"Refused: {problem}." for problem in self.problems]
        return [*found, *self.tests(), f"Next: {self.next_step}"]


def checked_table(
    table: SeriesTable,
    plan: TablePlan,
    replanned: Callable[[TableSettings], TablePlan],
    notices: Sequence[DataWarning] = (),
    power_rule: float = 5.0,
) -> TableCheck:
    """Return what is found in a table.

    Parameters
    ----------
    table : SeriesTable
        The table.
    plan : TablePlan
        What becomes of it.
    replanned : callable
        Returns the plan of the table with other settings.
    notices : sequence of DataWarning, default=()
        What the user should know.
    power_rule : float, default=5.0
        Fewest samples per cell for a test to be performed.
    """
    problems, remedies = plan.problems()
    ready, suggested = _ready(plan, replanned)
    gone = frozenset(suggested.get("drop", ()))
    levels = [
        0 if each.name in gone else _n_levels(table, j, each, ready.settings)
        for j, each in enumerate(ready.columns)
    ]
    n_samples = ready.n_samples
    n_discrete = sum(map(bool, levels))
    n_continuous = sum(p.action == "numbers" and p.name not in gone for p in ready.columns)
    lacking = () if n_continuous else untestable(levels, n_samples, power_rule)
    columns = tuple(map(_checked_column, plan.columns, ready.columns, levels))
    return TableCheck(
        columns,
        plan.n_rows,
        n_samples,
        n_discrete,
        n_continuous,
        tuple(problems),
        tuple(remedies),
        tuple(notices),
        suggested,
        power_rule,
        None if n_continuous else untested_shares(levels, n_samples, power_rule),
        tuple(columns[v].name for v in lacking),
    )


def _checked_column(plan: ColumnPlan, ready: ColumnPlan, levels: int) -> ColumnCheck:
    profile = plan.profile
    action = ready.action if plan.is_used else plan.action
    return ColumnCheck(
        plan.name,
        profile.kind,
        profile.n_observed,
        profile.n_missing,
        action,
        levels,
        plan.reason,
    )


def _ready(
    plan: TablePlan, replanned: Callable[[TableSettings], TablePlan]
) -> tuple[TablePlan, dict[str, Any]]:
    """Return the plan with the parameters that help, and these parameters.

    What helps with one problem may show another: with missing values as a level, a column of one
    number has two values.
    """
    suggested: dict[str, Any] = {}
    for _ in range(_MOST_ROUNDS):
        more = _suggested(plan)
        drop = [name for name in more.get("drop", ()) if name not in suggested.get("drop", ())]
        new = {name: value for name, value in more.items() if name not in suggested} | (
            {"drop": [*suggested.get("drop", ()), *drop]} if drop else {}
        )
        if not new:
            break
        suggested |= new
        changed = {name: value for name, value in suggested.items() if name != "drop"}
        plan = replanned(replace(plan.settings, **changed))
    return plan, suggested


def _suggested(plan: TablePlan) -> dict[str, Any]:
    """Return the parameters with which nothing is wrong."""
    found: dict[str, Any] = {}
    for remedy in plan.problems()[1]:
        found.setdefault(remedy.parameter, remedy.value)
    if "missing" in found:
        found.pop("levels", None)  # which would help instead
        loses_little = plan.n_holed <= _MOST_DROPPED * plan.n_rows
        found["missing"] = "drop" if loses_little else "available"
    return found


def _n_levels(table: SeriesTable, j: int, plan: ColumnPlan, settings: TableSettings) -> int:
    """Return how many levels the learner sees; 0 where it sees numbers, or no column."""
    if plan.action not in ("levels", "cut"):
        return 0
    profile = plan.profile
    n_levels = profile.n_levels
    if plan.action == "cut" and settings.levels is not None:
        import narwhals as nw

        values = np.asarray(table.series(j).cast(nw.Float64).to_numpy(), np.float64)
        cutter = Discretizer(settings.strategy, settings.levels)
        n_levels = cutter.edges_of(plan.name, values).size + 1
    return n_levels + (profile.n_missing > 0 and settings.missing == "level")


def named(names: Sequence[str], most: int = 3) -> str:
    """Return a few names, and how many more there are."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown


def _percent(share: float) -> str:
    """Return a share in percent; neither none nor all unless it is so."""
    if 0.0 < share < 0.01:
        return "less than 1 %"
    if 0.99 < share < 1.0:
        return "more than 99 %"
    return f"{100 * share:.0f} %"
