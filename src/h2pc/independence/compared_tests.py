"""How well tests do on a table: their errors, their power, and which one suits it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

BRADLEY = 1.5
"""Type I errors of up to so many times the level are tolerable (Bradley, 1978)."""

# Differences of power that do not matter.
_SAME_POWER = 0.01
# Ratios of errors that do not matter where no test keeps the level.
_SAME_ERROR = 1.25


@dataclass(frozen=True)
class ComparedTest:
    """One test, given so many variables.

    Attributes
    ----------
    test : str
        The test.
    n_conditions : int
        The number of conditioning variables.
    error : float or None
        The type I error: the share of the independent samples in which it finds a link. None where
        no test was performed.
    error_low, error_high : float
        The 95 % limits of the error.
    power : float or None
        The share of the linked samples in which it finds the link. None where the table shows no
        link.
    left_out : float
        The share of the tests that the power rule leaves out.
    n_tests : int
        The number of independent samples that were tested.
    """

    test: str
    n_conditions: int
    error: float | None
    error_low: float
    error_high: float
    power: float | None
    left_out: float
    n_tests: int


@dataclass(frozen=True)
class ErrorCurve:
    """The type I error of a test at several levels, over all numbers of conditioning variables.

    Attributes
    ----------
    test : str
        The test.
    levels, errors : tuple of float
        Nominal levels, and the error at each.
    n_tests : int
        The number of independent samples that were tested.
    """

    test: str
    levels: tuple[float, ...]
    errors: tuple[float, ...]
    n_tests: int


@dataclass(frozen=True)
class Choice:
    """A test as it is chosen: its label, its name for learners, and levels to cut numbers into."""

    label: str
    name: str | None
    levels: int | None

    def __str__(self) -> str:
        cut = "" if self.levels is None else f"h2pc.discretize(data, levels={self.levels}) and "
        return f"{cut}test={self.name!r}"


@dataclass(frozen=True, repr=False)
class ComparedTests:
    """How well independence tests do on a table; made by :func:`h2pc.compare_tests`.

    Attributes
    ----------
    alpha : float
        The level of the tests.
    n_samples : int
        The number of samples of the table.
    rows : tuple of ComparedTest
        Each test, given 0, 1 and 2 variables.
    curves : tuple of ErrorCurve
        The error of each test at other levels.
    recommended : str
        The name of the test that suits the table, for the parameter ``test`` of the learners.
    recommended_levels : int or None
        Into how many levels continuous columns are cut for it; None where they are not.
    recommendation : str
        Why, in a sentence.
    """

    alpha: float
    n_samples: int
    rows: tuple[ComparedTest, ...]
    curves: tuple[ErrorCurve, ...]
    recommended: str
    recommended_levels: int | None
    recommendation: str

    def __repr__(self) -> str:
        tests = len({row.test for row in self.rows})
        return f"ComparedTests({tests} tests at {self.alpha:g}, recommended={self.recommended!r})"

    def __str__(self) -> str:
        table = [HEADINGS, *self.cells()]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in table]
        return "\n".join([*lines, self.recommendation])

    def cells(self) -> list[tuple[str, ...]]:
        """Return the rows of the table as texts, below :data:`HEADINGS`."""
        return [
            (
                row.test,
                str(row.n_conditions),
                _percent(row.error),
                f"{100 * row.error_low:.1f} to {100 * row.error_high:.1f} %"
                if row.n_tests
                else "–",
                _percent(row.power),
                _percent(row.left_out),
                f"{row.n_tests:,}",
            )
            for row in self.rows
        ]

    def to_pandas(self) -> Any:
        """Return :attr:`rows` as a pandas data frame."""
        import narwhals as nw

        return nw.Implementation.PANDAS.to_native_namespace().DataFrame(
            list(map(asdict, self.rows))
        )

    def to_polars(self) -> Any:
        """Return :attr:`rows` as a polars data frame."""
        import polars as pl

        return pl.DataFrame(list(map(asdict, self.rows)))


HEADINGS = ("test", "|Z|", "type I error", "95 % limits", "power", "left out", "tests")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def recommendation(
    choices: Sequence[Choice], rows: Sequence[ComparedTest], alpha: float
) -> tuple[Choice, str]:
    """Return the test that suits, and why.

    It is the one of largest power among those that keep the level: whose error is nowhere above 1.5
    times the level by more than chance. Differences of a percentage point do not matter: then the
    first of them is taken, the default before others, fast ones before slow ones. Where none keeps
    the level, it is the one whose largest error is the smallest, or not a quarter larger.
    """
    named = [choice for choice in choices if choice.name is not None] or list(choices)
    own = {choice: [row for row in rows if row.test == choice.label] for choice in named}
    valid = [choice for choice in named if all(_keeps_level(row, alpha) for row in own[choice])]
    if not valid:
        least = min(_worst(own[choice]) for choice in named)
        best = next(choice for choice in named if _worst(own[choice]) <= _SAME_ERROR * least)
        return best, (
            f"No test keeps the level {alpha:g}: {best} comes closest, with a type I error of up "
            f"to {_percent(_worst(own[best]))}; take its links with care."
        )
    power = {choice: _mean_power(own[choice]) for choice in valid}
    most = max(power.values())
    best = next(choice for choice in valid if power[choice] >= most - _SAME_POWER)
    worst = _worst(own[best])
    error = f"its type I error is at most {_percent(worst)} at level {alpha:g}"
    if most < 0.0:
        return best, f"{best} suits these data: {error}; no link was seen to measure power with."
    text = f"{best} suits these data: {error}, and it finds {_percent(power[best])} of the links "
    text += "of the size seen here"
    others = [choice for choice in valid if choice != best]
    if others:
        second = max(others, key=lambda choice: power[choice])
        return best, f"{text}; {second} finds {_percent(power[second])}."
    return best, f"{text}; no other test keeps the level."


def _keeps_level(row: ComparedTest, alpha: float) -> bool:
    return row.error is None or row.error <= BRADLEY * alpha or row.error_low <= alpha


def _worst(rows: Sequence[ComparedTest]) -> float:
    return max((row.error for row in rows if row.error is not None), default=0.0)


def _mean_power(rows: Sequence[ComparedTest]) -> float:
    """Return the mean over the numbers of conditions; -1 where nothing is linked."""
    known = [row.power for row in rows if row.power is not None]
    return math.fsum(known) / len(known) if known else -1.0
