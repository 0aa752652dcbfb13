"""Errors: each message says what was expected, what came, and where."""


class H2pcError(Exception):
    """Any error raised by h2pc itself.

    Examples
    --------
    >>> from h2pc import H2PC, H2pcError
    >>> try:
    ...     H2PC(alpha=2).fit({"a": [0, 1], "b": [0, 1]})
    ... except H2pcError as error:
    ...     print(type(error).__name__)
    SettingError
    """


class DataError(H2pcError, ValueError):
    """The data cannot be used as it is."""


class DataTypeError(H2pcError, TypeError):
    """The data, or one of its columns, is of a kind that cannot be used."""


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
