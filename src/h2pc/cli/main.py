"""The commands of ``h2pc``. What a command needs is imported when it runs: help comes at once."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from h2pc import __version__
from h2pc.cli import experiment
from h2pc.errors import H2pcError, SettingError

BAD_USAGE, FAILURE, INTERRUPTED = 2, 1, 130


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
            return super().invoke(ctx)
        except SettingError as error:
            sentence, code = str(error), BAD_USAGE
        except (H2pcError, OSError) as error:
            sentence, code = str(error), FAILURE
        except Exception as error:
            if type(error).__module__.startswith(("click", "typer")):  # exits, and usage to show
                raise
            sentence = (
                f"Something went wrong: {type(error).__name__}: {error} "
                "(H2PC_TRACEBACK=1 shows where)."
            )
            code = FAILURE
        except KeyboardInterrupt:
            sentence, code = "Interrupted.", INTERRUPTED
        typer.echo(f"Error: {sentence}", err=True)
        raise typer.Exit(code)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(experiment.app, name="experiment")


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
