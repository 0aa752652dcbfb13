"""The commands ``h2pc experiment …``: run the paper's experiments, and report on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from h2pc.errors import SettingError
from h2pc.experiments.multilabel_paper import DATA_SETS, FOLDS
from h2pc.experiments.synthetic_paper import NETWORKS, REPETITIONS, SIZES

if TYPE_CHECKING:
    from h2pc.experiments.synthetic_claims import Claim

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
    n_jobs: Annotated[int, typer.Option(help="Processes; -1 for all processors.")] = -1,
    random_state: Annotated[int, typer.Option(help="Seed of all samples.")] = 0,
    patience: Annotated[int, typer.Option(help="Moves that the search makes in vain.")] = 15,
) -> None:
    """H2PC against MMHC on samples of known networks (section 4 of the paper).

    Every finished cell is a line in OUT/results.jsonl. A run that was interrupted or killed goes on
    where it was; other networks, sizes and repetitions can be added to it later.
    """
    from h2pc.experiments.synthetic import run_synthetic
    from h2pc.experiments.synthetic_setup import Setup

    setup = Setup(seed=random_state, patience=patience)
    names, numbers = _words(networks), _numbers("--sizes", sizes)
    with _resumable(out):
        finished = run_synthetic(out, names, numbers, repetitions, setup, n_jobs=n_jobs)
    typer.echo(f"{out} has {finished} finished cells; see them with: h2pc experiment report {out}")


@app.command()
def multilabel(
    folder: Annotated[
        Path,
        typer.Option(
            envvar="H2PC_MULTILABEL", help="Folder of the data sets: NAME/NAME.arff and .xml."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder of the results; begun runs are resumed.")],
    data: Annotated[str, typer.Option(help="Names of data sets.")] = ",".join(DATA_SETS),
    folds: Annotated[int, typer.Option(help="Parts that a data set is split into.")] = FOLDS,
    first_folds: Annotated[int | None, typer.Option(help="Folds to run; all by default.")] = None,
    n_jobs: Annotated[int, typer.Option(help="Processes; -1 for all processors.")] = -1,
    random_state: Annotated[int, typer.Option(help="Seed of folds and forests.")] = 0,
) -> None:
    """Multi-label data by the graphs of H2PC and MMHC around the labels (section 5 of the paper).

    Every finished fold of a data set is a line in OUT/results.jsonl. A run that was interrupted or
    killed goes on where it was; other data sets and folds can be added to it later.
    """
    from h2pc.experiments.multilabel import run_multilabel
    from h2pc.experiments.multilabel_setup import MultilabelSetup

    setup = MultilabelSetup(seed=random_state, folds=folds)
    with _resumable(out):
        finished = run_multilabel(
            out, folder, _words(data), setup, first_folds=first_folds, n_jobs=n_jobs
        )
    typer.echo(f"{out} has {finished} finished cells; see them with: h2pc experiment report {out}")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="Folder of the results.")],
    out: Annotated[Path | None, typer.Option(help="Where to write; by default there.")] = None,
) -> None:
    """Draw the figures of an experiment, write its tables, and check the paper's claims."""
    from h2pc.runs.cells import read_settings

    place = folder if out is None else out
    kind = read_settings(folder).get("experiment")
    claims, page = _multilabel(folder, place) if kind == "multilabel" else _synthetic(folder, place)
    for claim in claims:
        typer.echo(f"{claim.verdict:<8}{claim.text}")
    typer.echo(f"See {page}.")


def _synthetic(folder: Path, place: Path) -> tuple[list[Claim], Path]:
    """Write the report on the first experiment; return its claims and its page."""
    from h2pc.experiments.synthetic_claims import claims
    from h2pc.experiments.synthetic_figures import figures
    from h2pc.experiments.synthetic_report import write_report
    from h2pc.experiments.synthetic_results import read_results
    from h2pc.report.boxplots import save_figures

    results = read_results(folder)
    pictures = _drawn(lambda: save_figures(figures(results), place))
    return claims(results), write_report(results, place, pictures)[0]


def _multilabel(folder: Path, place: Path) -> tuple[list[Claim], Path]:
    """Write the report on the second experiment; return its claims and its page."""
    from h2pc.experiments.multilabel_claims import claims
    from h2pc.experiments.multilabel_report import label_graphs, write_report
    from h2pc.experiments.multilabel_results import read_results
    from h2pc.report.label_graphs import save_label_graphs

    results = read_results(folder)
    pictures = _drawn(lambda: save_label_graphs(label_graphs(results), place))
    return claims(results), write_report(results, place, pictures)[0]


def _drawn(pictures: Callable[[], list[Path]]) -> list[Path]:
    """Return the pictures drawn: none where matplotlib or networkx is missing."""
    try:
        return pictures()
    except ModuleNotFoundError as error:
        if error.name not in ("matplotlib", "networkx"):
            raise
        extra = {"matplotlib": "plots", "networkx": "graphs"}[error.name]
        typer.echo(f"No pictures: they need {error.name} (pip install 'h2pc[{extra}]').", err=True)
        return []


@contextmanager
def _resumable(out: Path) -> Iterator[None]:
    """Say how a run goes on that is interrupted."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"Interrupted; the same command goes on with what is in {out}.", err=True)
        raise typer.Exit(INTERRUPTED) from None


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
