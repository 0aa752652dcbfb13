"""Commands: options from dataclasses, help in plain words, errors as one sentence.

Errors of the library name parameters of Python; here, and only here, they become options.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from h2pc.cli.options import OPTIONS
from h2pc.errors import DataWarning, H2pcError, H2pcWarning, Remedy, SettingError

FAILURE, BAD_USAGE, INTERRUPTED = 1, 2, 130

BROKEN_PIPE = 141
"""The exit code of a program whose pipe was closed: 128 and the number of the signal."""

EXTRAS = {
    "fastexcel": "excel",
    "matplotlib": "plots",
    "networkx": "graphs",
    "pandas": "pandas",
    "pyarrow": "parquet",
}
"""The extra of h2pc that installs a library."""

Function = Callable[..., None]


def add_command(app: typer.Typer, function: Function, *examples: str) -> None:
    """Add a command to an app, with examples at the end of its help."""
    command = with_options(function)
    needed = any(each.default is Parameter.empty for each in signature(command).parameters.values())
    epilog = examples_text(*examples)
    app.command(cls=Command, epilog=epilog, no_args_is_help=needed)(command)


def examples_text(*examples: str) -> str:
    """Return the end of a help text: examples, each on a line of its own."""
    return "\b\nExamples:\n" + "\n".join(f"  {example}" for example in examples)


def with_options(function: Function) -> Function:
    """Return a command that takes an option for each field of the dataclasses that it takes."""
    groups: dict[str, Any] = {}
    parameters: list[Parameter] = []
    for parameter in signature(function, eval_str=True).parameters.values():
        kind = parameter.annotation
        if kind is typer.Context:
            parameters.append(parameter)
        elif is_dataclass(kind):
            groups[parameter.name] = kind
            hints = get_type_hints(kind, include_extras=True)
            parameters += [
                _parameter(field.name, field.default, hints[field.name]) for field in fields(kind)
            ]
        else:
            parameters.append(_parameter(parameter.name, parameter.default, kind))

    @wraps(function)
    def command(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        function(**given)

    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


def _parameter(name: str, default: object, kind: Any) -> Parameter:
    """Return a parameter of a command; its option has the text of its name."""
    annotation = kind if get_origin(kind) is Annotated else Annotated[kind, OPTIONS[name]]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


@contextmanager
def resumable(folder: Path | None) -> Iterator[None]:
    """Say how an interrupted run is continued from a folder, if it has one."""
    try:
        yield
    except KeyboardInterrupt:
        if folder is None:
            raise
        typer.echo(f"Interrupted; the same command continues from {folder}.", err=True)
        raise typer.Exit(INTERRUPTED) from None


class Command(TyperCommand):
    """A command whose help names kinds of values in words, not in types of Python."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options."""
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            records = [
                _in_words(*record)
                for param in self.get_params(ctx)
                if param.param_type_name == kind
                and (record := param.get_help_record(ctx)) is not None
            ]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def _in_words(name: str, text: str) -> tuple[str, str]:
    """Return a line of the help without types of Python and inequalities."""
    is_option = name.startswith("-")
    for types, word in ((r"(int|float)( range)?", "NUMBER"), ("path", "FILE"), ("str", "TEXT")):
        name = re.sub(rf" <{types}>", f" {word}" if is_option else "", name)
    name = re.sub(r" <(?:list\[)?([^<>\]]*)\]?>", r" \1", name)
    text = re.sub(r"\[default: \(([^)]*)\)", r"[default: \1", text)
    text = re.sub(r"(; )?\bx>=[01]\b|  \[x>=[01]\]", "", text)
    text = re.sub(r"\bx>=", "at least ", text)
    return name, re.sub(r"([\d.]+)<=x<=([\d.]+)", r"from \1 to \2", text)


class Commands(TyperGroup):
    """Commands whose errors are one sentence and an exit code.

    The code is 2 where options or arguments make no sense, and 1 where the work failed. The
    environment variable H2PC_TRACEBACK shows the traceback instead.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        if os.environ.get("H2PC_TRACEBACK"):
            return super().invoke(ctx)
        try:
            with self._plain_warnings():
                result = super().invoke(ctx)
            sys.stdout.flush()  # a full disk is reported here, not while Python ends
        except BrokenPipeError:
            _close_stdout()
            raise typer.Exit(BROKEN_PIPE) from None
        except KeyboardInterrupt:
            typer.echo("Interrupted.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except Exception as error:
            if type(error).__module__.startswith(("click", "typer")):  # exits, and usage to show
                raise
            if isinstance(error, OSError):
                _close_stdout()
            sentence = _in_words_of_options(error, options_of(self))
            typer.echo(f"Error: {' '.join(sentence.split())}", err=True)
            raise typer.Exit(BAD_USAGE if isinstance(error, SettingError) else FAILURE) from None
        return result

    @contextmanager
    def _plain_warnings(self) -> Iterator[None]:
        """Print our own warnings at once, each in a line of its own."""

        def show(message: Warning | str, *_: Any, **__: Any) -> None:
            kind = "Note" if isinstance(message, DataWarning) else "Warning"
            typer.echo(f"{kind}: {_in_words_of_options(message, options_of(self))}", err=True)

        with warnings.catch_warnings():
            warnings.simplefilter("always", H2pcWarning)
            warnings.showwarning = show
            yield


def _in_words_of_options(what: Exception | str, options: dict[str, str]) -> str:
    """Return an error or a warning, its remedies as options of the command line."""
    if isinstance(what, H2pcError | DataWarning):
        remedies = [in_command(remedy, options) for remedy in what.remedies]
        return "; ".join([in_options(what.message, options), *remedies])
    sentence = str(what) if isinstance(what, Warning | str) else _sentence(what)
    return in_options(sentence, options)


def in_command(remedy: Remedy, options: dict[str, str]) -> str:
    """Return a remedy as an option of the command line, and what it does.

    Examples
    --------
    >>> in_command(Remedy("keep", ["the id"], "keeps it"), {"keep": "--keep"})
    "--keep 'the id' keeps it"
    """
    return f"{option_text(options[remedy.parameter], remedy.value)} {remedy.effect}"


def option_text(option: str, value: object) -> str:
    """Return an option with its value, as a shell takes it."""
    import shlex

    if isinstance(value, bool):
        return option if value else option.replace("--", "--no-", 1)
    words = ",".join(value) if isinstance(value, list | tuple) else str(value)
    return f"{option} {shlex.quote({chr(9): 'tab', ' ': 'space'}.get(words, words))}"


def _sentence(error: Exception) -> str:
    """Return what went wrong."""
    if isinstance(error, OSError):
        if error.strerror is None:
            return str(error)
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    if isinstance(error, ModuleNotFoundError):
        if error.name in EXTRAS:
            return f"This needs {error.name}: pip install 'h2pc[{EXTRAS[error.name]}]'."
        return f"{error}."
    if isinstance(error, MemoryError):
        return "There is not enough memory for this."
    kind = type(error).__name__
    return f"Something went wrong: {kind}: {error} (H2PC_TRACEBACK=1 shows where)."


def options_of(command: Any) -> dict[str, str]:
    """Return the options of a command, or of all commands of a group, by parameter."""
    found = {"levels": "--discretize", "seed": "--random-state"}
    for param in command.params:
        long = [option for option in param.opts if option.startswith("--")]
        if long:
            found[param.name] = long[0]
    for each in getattr(command, "commands", {}).values():
        found |= options_of(each)
    return found


def in_options(sentence: str, options: dict[str, str]) -> str:
    """Return a sentence about parameters of Python as one about options of the command line.

    Examples
    --------
    >>> options = {"missing": "--missing", "n_jobs": "--n-jobs"}
    >>> in_options("missing values in 'n_jobs': pass missing='drop' to drop the rows", options)
    "missing values in 'n_jobs': pass --missing drop to drop the rows"
    >>> in_options("n_jobs must be None, a number of workers or -1", options)
    '--n-jobs must be a number of workers or -1'
    """

    def option(match: re.Match[str]) -> str:
        return options[match["name"]] + (
            " " + match["value"].strip("'\"") if match["value"] else ""
        )

    sentence = re.sub(r"h2pc\.discretize\(data, (levels=\d+)\)", r"\1", sentence)
    named = "|".join(options)
    given = rf"(?<!['\w])(?P<name>{named}) ?= ?(?P<value>'[^']*'|[\w.-]+)"
    sentence = re.sub(given, option, sentence)
    long = "|".join(name for name in options if "_" in name)
    subject = rf"(?<!['\w-])(?P<name>{long}|^(?:{named})(?= must | is | came ))(?!['\w])(?P<value>)"
    sentence = re.sub(subject, option, sentence)
    return re.sub(r"(?<= must be )None, |,? or None\b|, or be None for all", "", sentence)


def _close_stdout() -> None:
    """Keep Python from writing again what nobody reads or no disk holds."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
