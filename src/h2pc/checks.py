"""Checks of parameters: what each may be is declared once, as scikit-learn does, and tested here.

A check is called with the name of a parameter and its value. It returns the value as a plain
object, or raises a SettingError that says what was expected and what came.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any, TypeVar

from h2pc.errors import SettingError

_T = TypeVar("_T")

Check = Callable[[str, Any], Any]


def number(
    *,
    least: float | None = None,
    above: float | None = None,
    most: float = math.inf,
    optional: bool = False,
    auto: bool = False,
) -> Check:
    """Check of a finite number: at least ``least``, larger than ``above``, at most ``most``."""
    bound = "" if least is None else f" from {least:g} on"
    bound += "" if above is None else f" above {above:g}"
    bound += "" if most == math.inf else f" and at most {most:g}"
    or_none = ", or None" if optional else ""
    or_none = or_none.replace(" or", " 'auto' or") if auto else or_none

    def check(name: str, value: Any) -> float | str | None:
        if optional and value is None:
            return None
        if auto and isinstance(value, str) and value == "auto":
            return value
        if (
            _is(Real, value)
            and (least is None or least <= value < math.inf)
            and (above is None or above < value < math.inf)
            and (most == math.inf or value <= most)
        ):
            return float(value)
        raise SettingError(f"{name} must be a number{bound}{or_none}; got {value!r}.")

    return check


def whole_number(least: int, *, optional: bool = False) -> Check:
    """Check of an integer that is at least ``least``."""
    or_none = ", or None" if optional else ""

    def check(name: str, value: Any) -> int | None:
        if optional and value is None:
            return None
        if _is(Integral, value) and value >= least:
            return int(value)
        raise SettingError(
            f"{name} must be a whole number from {least} on{or_none}; got {value!r}."
        )

    return check


def one_of(choices: Iterable[str], *, or_callable: bool = False) -> Check:
    """Check of a name among several, or of a function that stands for one of its own."""
    names = list(map(str, choices))

    def check(name: str, value: Any) -> Any:
        if not (or_callable and callable(value)):
            chosen(name, value, dict.fromkeys(names))
        return value

    return check


def chosen(what: str, value: object, choices: Mapping[str, _T]) -> _T:
    """Return the choice that goes by the name ``value``."""
    if isinstance(value, str) and value in choices:
        return choices[value]
    listed = ", ".join(map(repr, choices))
    close = get_close_matches(str(value).lower(), choices, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise SettingError(f"{what} must be one of {listed}; got {value!r}.{hint}")


def list_of(item: Check) -> Check:
    """Check of a list; an iterator would be empty the second time."""

    def check(name: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, Iterable) or isinstance(value, Iterator):
            raise SettingError(f"{name} must be a list; got {value!r}.")
        return tuple(item(name, each) for each in value)

    return check


def edge(name: str, value: Any) -> tuple[str, str]:
    """Check of the names of a parent and of its child."""
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
        raise SettingError(f"{name} must hold pairs (parent, child) of names; got {value!r}.")
    return value[0], value[1]


def names(name: str, value: Any) -> tuple[str, ...]:
    """Check of several names; they are sorted, and repetitions dropped."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        found = list(value)
        if all(isinstance(each, str) for each in found):
            return tuple(sorted(set(found)))
    raise SettingError(f"{name} must be a list of names; got {value!r}.")


def targets(name: str, value: Any) -> tuple[str, ...] | None:
    """Check of the names of some variables, or None for all."""
    if value is None:
        return None
    found = names(name, value)
    if not found:
        raise SettingError(f"{name} must name at least one variable, or be None for all.")
    return found


def yes_or_no(name: str, value: Any) -> bool | None:
    """Check of True, False, or None for the default."""
    if value is None or isinstance(value, bool):
        return value
    raise SettingError(f"{name} must be True, False or None; got {value!r}.")


def jobs(name: str, value: Any) -> int | None:
    """Check of a number of workers, as joblib counts them."""
    if value is None or (_is(Integral, value) and value != 0):
        return None if value is None else int(value)
    raise SettingError(
        f"{name} must be None, a number of workers, or -1 for all processors; got {value!r}."
    )


def number_of_jobs(n_jobs: object) -> int | None:
    """Return ``n_jobs`` as joblib wants it."""
    return jobs("n_jobs", n_jobs)


def checked(params: Mapping[str, Any], checks: Mapping[str, Check]) -> dict[str, Any]:
    """Parameters as plain values, in their order; those without a check as they are.

    Examples
    --------
    >>> checked({"patience": 15, "start": None}, {"patience": whole_number(0)})
    {'patience': 15, 'start': None}
    >>> checked({"patience": -1}, {"patience": whole_number(0)})
    Traceback (most recent call last):
    h2pc.errors.SettingError: patience must be a whole number from 0 on; got -1.
    """
    return {
        name: checks[name](name, value) if name in checks else value
        for name, value in params.items()
    }


def _is(kind: type, value: object) -> bool:
    """Whether a value is a number of this kind; truth values are none."""
    return isinstance(value, kind) and not isinstance(value, bool)
