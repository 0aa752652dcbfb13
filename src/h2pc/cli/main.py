"""The commands of ``h2pc``. What a command needs is imported when it runs: help comes at once."""

from __future__ import annotations

from typing import Annotated

import typer

from h2pc import __version__
from h2pc.cli import (
    check,
    compare,
    demo,
    doctor,
    estimate,
    experiment,
    learn,
    multilabel,
    neighbours,
    networks,
    sample,
    score,
    strength,
)
from h2pc.cli.command import Commands, add_command, examples_text

app = typer.Typer(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog=examples_text(
        "h2pc sample alarm -n 5000 -o alarm.csv",
        "h2pc learn alarm.csv -o alarm.bif -o alarm.html",
        "h2pc compare alarm.bif alarm",
        "h2pc neighbours alarm.csv --targets HR",
    ),
)
add_command(app, check.check, *check.EXAMPLES)
add_command(app, estimate.estimate, *estimate.EXAMPLES)
add_command(app, learn.learn, *learn.EXAMPLES)
add_command(app, neighbours.neighbours, *neighbours.EXAMPLES)
add_command(app, strength.strength, *strength.EXAMPLES)
add_command(app, compare.compare, *compare.EXAMPLES)
add_command(app, score.score, *score.EXAMPLES)
add_command(app, sample.sample, *sample.EXAMPLES)
add_command(app, networks.networks, *networks.EXAMPLES)
app.add_typer(multilabel.app, name="multilabel")
app.add_typer(experiment.app, name="experiment")
add_command(app, demo.demo, *demo.EXAMPLES)
add_command(app, doctor.doctor, *doctor.EXAMPLES)


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
    """Learn Bayesian networks with HPC and H2PC."""
