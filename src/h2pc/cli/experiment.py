"""The commands ``h2pc experiment …``: run the paper's experiments, and report on them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from h2pc.errors import SettingError
from h2pc.experiments.synthetic_paper import NETWORKS, REPETITIONS, SIZES

if TYPE_CHECKING:
    from h2pc.experiments.synthetic_figures import Figure

INTERRUPTED = 130

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Run the paper's experiments, and report on them.",
)


@app.command()
def synthetic(
    out: Annotated[Path, typer.Option(help="Folder of the results; begun runs are resumed.")],
    networks: Annotated[str, typer.Option(help="Networks of the library.")] = ",".join(NETWORKS),
    sizes: Annotated[str, typer.Option(help="Numbers of samples.")] = ",".join(map(str, SIZES)),
    repetitions: Annotated[int, typer.Option(help="Samples of each size.")] = REPETITIONS,
    jobs: Annotated[int, typer.Option(help="Processes; -1 for all processors.")] = -1,
    seed: Annotated[int, typer.Option(help="What all samples are derived from.")] = 0,
    patience: Annotated[int, typer.Option(help="Moves that the search makes in vain.")] = 15,
) -> None:
    """H2PC against MMHC on samples of known networks (section 4 of the paper).

    Every finished cell is a line in OUT/results.jsonl. A run that was interrupted or killed goes on
    where it was; other networks, sizes and repetitions can be added to it later.
    """
    from h2pc.experiments.synthetic import run_synthetic
    from h2pc.experiments.synthetic_setup import Setup

    setup = Setup(seed=seed, patience=patience)
    names, numbers = _words(networks), _numbers("--sizes", sizes)
    try:
        finished = run_synthetic(out, names, numbers, repetitions, setup, n_jobs=jobs)
    except KeyboardInterrupt:
        typer.echo(f"Interrupted; the same command goes on with what is in {out}.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    typer.echo(f"{out} has {finished} finished cells; see them with: h2pc experiment report {out}")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="Folder of the results.")],
    out: Annotated[Path | None, typer.Option(help="Where to write; by default there.")] = None,
) -> None:
    """Draw the figures of an experiment, write its tables, and check the paper's claims."""
    from h2pc.experiments.synthetic_claims import claims
    from h2pc.experiments.synthetic_figures import figures
    from h2pc.experiments.synthetic_report import write_report
    from h2pc.experiments.synthetic_results import read_results

    results, place = read_results(folder), folder if out is None else out
    pictures = _pictures(figures(results), place)
    written = write_report(results, place, pictures)
    for claim in claims(results):
        typer.echo(f"{claim.verdict:<8}{claim.text}")
    typer.echo(f"See {written[0]}.")


def _pictures(figures: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Return the pictures drawn: none where matplotlib is missing."""
    from h2pc.report.boxplots import save_figures

    try:
        return save_figures(figures, folder)
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        typer.echo("No pictures: they need matplotlib (pip install 'h2pc[plots]').", err=True)
        return []


def _words(text: str) -> list[str]:
    """Return the words between commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def _numbers(option: str, text: str) -> list[int]:
    """Return the numbers between commas."""
    try:
        return [int(word) for word in _words(text)]
    except ValueError:
        raise SettingError(
            f"{option} must be whole numbers with commas between them; got {text!r}."
        ) from None
