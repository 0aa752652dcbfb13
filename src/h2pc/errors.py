"""Errors: each message says what was expected, what came, and where."""

from __future__ import annotations

from typing import Any, NamedTuple


class Remedy(NamedTuple):
    """A parameter that helps, which Python and the command line put into words of their own."""

    parameter: str
    value: object
    effect: str

    def __str__(self) -> str:
        return f"{self.parameter}={self.value!r} {self.effect}"


def _with_remedies(message: str, remedies: tuple[Remedy, ...]) -> str:
    return "; ".join([message, *map(str, remedies)])


class H2pcError(Exception):
    """Any error raised by h2pc itself.

    Parameters
    ----------
    message : str
        What was expected, what came, and where.
    *remedies : Remedy
        Parameters that help; the text of the error names them as Python does.

    Examples
    --------
    >>> from h2pc import H2PC, H2pcError
    >>> try:
    ...     H2PC(alpha=2).fit({"a": [0, 1], "b": [0, 1]})
    ... except H2pcError as error:
    ...     print(type(error).__name__)
    SettingError
    """

    def __init__(self, message: str = "", *remedies: Remedy) -> None:
        super().__init__(_with_remedies(message, remedies))
        self.message, self.remedies = message, remedies

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, *self.remedies)


class DataError(H2pcError, ValueError):
    """The data cannot be used as it is."""


class DataTypeError(H2pcError, TypeError):
    """The data, or one of its columns, is of a kind that cannot be used."""


class UnusableColumnsError(DataError, DataTypeError):
    """Columns that cannot be used as they are; the message names all of them."""


class SettingError(H2pcError, ValueError):
    """A parameter has a value that makes no sense."""


class NotFittedError(H2pcError, ValueError, AttributeError):
    """A learner is used before it is fitted."""


class GraphError(H2pcError, ValueError):
    """A graph is not what it has to be (a cycle, an unknown variable, …)."""


class FileFormatError(H2pcError, ValueError):
    """A file does not follow its format; the message names the line."""


class H2pcWarning(UserWarning):
    """The result is incomplete, or takes long; the message says why."""


class DataWarning(H2pcWarning):
    """Something about the data that the user should know, and what can be done about it.

    Parameters
    ----------
    message : str
        What was found.
    *remedies : Remedy
        Parameters that change it.
    """

    def __init__(self, message: str, *remedies: Remedy) -> None:
        super().__init__(_with_remedies(message, remedies))
        self.message, self.remedies = message, remedies
