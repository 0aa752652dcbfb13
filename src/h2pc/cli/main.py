"""The commands of ``h2pc``. What a command needs is imported when it runs: help comes at once."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from h2pc import __version__
from h2pc.cli import (
    compare,
    demo_command,
    doctor,
    experiment,
    learn,
    multilabel,
    neighbours,
    networks,
    sample,
    score,
    strength,
)
from h2pc.cli.options import examples
from h2pc.errors import H2pcError, SettingError

BAD_USAGE, FAILURE, INTERRUPTED = 2, 1, 130

NOBODY_READS = 141
"""What a shell says of a program whose pipe was closed: 128 and the number of the signal."""


class Commands(TyperGroup):
    """Commands whose errors are one sentence and an exit code; with H2PC_TRACEBACK set, all of it.

    The code is 2 where the command was asked for something that makes no sense, and 1 where it
    failed.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        if os.environ.get("H2PC_TRACEBACK"):
            return super().invoke(ctx)
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()  # a full disk is told here, not while Python ends
        except BrokenPipeError:
            _let_go_of_stdout()
            raise typer.Exit(NOBODY_READS) from None
        except SettingError as error:
            sentence, code = str(error), BAD_USAGE
        except H2pcError as error:
            sentence, code = str(error), FAILURE
        except OSError as error:
            sentence, code = _of_the_system(error), FAILURE
            _let_go_of_stdout()
        except ModuleNotFoundError as error:
            sentence, code = _of_a_library(error), FAILURE
        except MemoryError:
            sentence, code = "There is not enough memory for this.", FAILURE
        except KeyboardInterrupt:
            typer.echo("Interrupted.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except Exception as error:
            if type(error).__module__.startswith(("click", "typer")):  # exits, and usage to show
                raise
            sentence = (
                f"Something went wrong: {type(error).__name__}: {error} "
                "(H2PC_TRACEBACK=1 shows where)."
            )
            code = FAILURE
        else:
            return answer
        typer.echo(f"Error: {' '.join(sentence.split())}", err=True)
        raise typer.Exit(code)


def _of_the_system(error: OSError) -> str:
    """Return what the operating system refuses, with the file first."""
    if error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."


def _of_a_library(error: ModuleNotFoundError) -> str:
    """Return how to install what is missing."""
    extras = {"matplotlib": "plots", "networkx": "graphs", "pyarrow": "arrow", "pandas": "pandas"}
    if error.name in extras:
        return f"This needs {error.name}: pip install 'h2pc[{extras[error.name]}]'."
    return f"{error}."


def _let_go_of_stdout() -> None:
    """Make sure that Python does not try again to write what nobody reads or no disk holds."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog=examples(
        "h2pc sample alarm -n 5000 -o alarm.csv",
        "h2pc learn alarm.csv -o alarm.bif -o alarm.html",
        "h2pc compare alarm.bif alarm",
        "h2pc neighbours alarm.csv --targets HR",
    ),
)
app.command(epilog=learn.EXAMPLES, no_args_is_help=True)(learn.learn)
app.command(epilog=neighbours.EXAMPLES, no_args_is_help=True)(neighbours.neighbours)
app.command(epilog=strength.EXAMPLES, no_args_is_help=True)(strength.strength)
app.command(epilog=compare.EXAMPLES, no_args_is_help=True)(compare.compare)
app.command(epilog=score.EXAMPLES, no_args_is_help=True)(score.score)
app.command(epilog=sample.EXAMPLES, no_args_is_help=True)(sample.sample)
app.command(epilog=networks.EXAMPLES)(networks.networks)
app.add_typer(multilabel.app, name="multilabel")
app.add_typer(experiment.app, name="experiment")
app.command(epilog=demo_command.EXAMPLES)(demo_command.demo)
app.command(epilog=doctor.EXAMPLES)(doctor.doctor)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"h2pc {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Bayesian network structure learning with HPC and H2PC."""
