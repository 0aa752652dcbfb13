"""Attempts to separate two variables, as the steps of an algorithm record them."""

from __future__ import annotations

from typing import NamedTuple

from h2pc.variables import Vars


class Attempts(NamedTuple):
    """The tests of two variables that could have separated them.

    Examples
    --------
    >>> Attempts(-7.5, (2,)).separators
    ()
    """

    log_p: float | None = None
    """The largest log p-value of the tests that found them dependent; None where none did."""
    given: Vars = ()
    """The conditioning set where it was met, the first of several."""
    separators: tuple[Vars, ...] = ()
    """Sets given which they are independent, or were not tested for lack of samples."""
