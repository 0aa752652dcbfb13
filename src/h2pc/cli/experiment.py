"""``h2pc experiment``: run the experiments of the paper, and report on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from h2pc.cli.command import EXTRAS, add_command, resumable
from h2pc.cli.options import words
from h2pc.errors import SettingError
from h2pc.experiments.published import DATA_SETS, FOLDS, NETWORKS, REPETITIONS, SIZES

if TYPE_CHECKING:
    from h2pc.experiments.claims import Claim

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Run the experiments of the paper, and report on them.",
)

ResultsFolder = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FOLDER", help="Folder of the results; a run in it is continued."
    ),
]


def synthetic(
    out: ResultsFolder,
    networks: str = ", ".join(NETWORKS),
    sizes: str = ", ".join(map(str, SIZES)),
    repetitions: int = REPETITIONS,
    n_jobs: int = -1,
    random_state: int = 0,
    patience: int = 15,
    learners: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="paper: H2PC and MMHC as in the paper; default and default-mmhc: with the "
            "defaults of this package; miic and tabu: those of pyAgrum, in the repository only.",
        ),
    ] = "paper",
    limit: Annotated[
        float,
        typer.Option(help="Seconds after which a learner that is not the paper's is ended."),
    ] = 600.0,
) -> None:
    """Compare H2PC and MMHC on known networks (section 4).

    Every finished cell is a line in FOLDER/results.jsonl; those of learners that are not the
    paper's are in FOLDER/LEARNER. An interrupted run continues where it was; other networks, sizes,
    repetitions and learners can be added later.
    """
    from h2pc.experiments.synthetic_cells import SyntheticSetup, run_synthetic
    from h2pc.experiments.synthetic_learners import PAPER, learner_setups, run_learner

    chosen = words([learners])
    others = learner_setups(chosen, seed=random_state, limit=limit)
    setup = SyntheticSetup(seed=random_state, patience=patience)
    names, numbers = words([networks]), _numbers(sizes)
    finished = {}
    with resumable(out):
        if PAPER in chosen:
            finished[out] = run_synthetic(out, names, numbers, repetitions, setup, n_jobs=n_jobs)
        for other in others:
            place = out / other.learner
            finished[place] = run_learner(place, names, numbers, repetitions, other, n_jobs=n_jobs)
    for place, number in finished.items():
        typer.echo(
            f"{place} has {number} finished cells; see them with: h2pc experiment report {out}"
        )


def multilabel(
    folder: Annotated[
        Path,
        typer.Option(
            "--folder",
            metavar="FOLDER",
            envvar="H2PC_MULTILABEL",
            help="Folder of the data sets: NAME/NAME.arff and NAME/NAME.xml.",
        ),
    ],
    out: ResultsFolder,
    data: str = ",".join(DATA_SETS),
    folds: int = FOLDS,
    first_folds: int | None = None,
    n_jobs: int = -1,
    random_state: int = 0,
) -> None:
    """Compare multi-label classifiers by H2PC and MMHC (section 5).

    Every finished fold is a line in FOLDER/results.jsonl. An interrupted run continues where it
    was; other data sets and folds can be added later.
    """
    from h2pc.experiments.multilabel_cells import MultilabelSetup, run_multilabel

    setup = MultilabelSetup(seed=random_state, folds=folds)
    with resumable(out):
        finished = run_multilabel(
            out, folder, words([data]), setup, first_folds=first_folds, n_jobs=n_jobs
        )
    typer.echo(f"{out} has {finished} finished cells; see them with: h2pc experiment report {out}")


def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the results.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Folder of the report.",
            show_default="the folder of the results",
        ),
    ] = None,
) -> None:
    """Write the figures and tables of an experiment, and check the claims of the paper."""
    from h2pc.runs.cells import read_settings

    place = folder if out is None else out
    kind = read_settings(folder).get("experiment")
    claims, page = _multilabel(folder, place) if kind == "multilabel" else _synthetic(folder, place)
    for claim in claims:
        typer.echo(f"{claim.verdict:<14}{claim.text}")
    typer.echo(f"See {page}.")


def _synthetic(folder: Path, place: Path) -> tuple[list[Claim], Path]:
    """Write the report on the first experiment; return its claims and its page."""
    from h2pc.experiments.synthetic_claims import claims
    from h2pc.experiments.synthetic_comparison import comparison_figures
    from h2pc.experiments.synthetic_others import comparisons, read_others
    from h2pc.experiments.synthetic_report import write_report
    from h2pc.experiments.synthetic_results import SyntheticResults, figures
    from h2pc.report.boxplots import save_figures

    results = SyntheticResults.read(folder)
    others = read_others(folder, results)
    drawn = figures(results) | comparison_figures(comparisons(results, others))
    pictures = _drawn(lambda: save_figures(drawn, place))
    return claims(results), write_report(results, place, pictures, others)[0]


def _multilabel(folder: Path, place: Path) -> tuple[list[Claim], Path]:
    """Write the report on the second experiment; return its claims and its page."""
    from h2pc.experiments.multilabel_claims import claims
    from h2pc.experiments.multilabel_report import write_report
    from h2pc.experiments.multilabel_results import MultilabelResults
    from h2pc.report.label_graphs import save_label_graphs

    results = MultilabelResults.read(folder)
    pictures = _drawn(lambda: save_label_graphs(results.label_graphs(), place))
    return claims(results), write_report(results, place, pictures)[0]


def _drawn(pictures: Callable[[], list[Path]]) -> list[Path]:
    """Return the pictures; none where matplotlib or networkx is missing."""
    try:
        return pictures()
    except ModuleNotFoundError as error:
        if error.name not in ("matplotlib", "networkx"):
            raise
        extra = EXTRAS[error.name]
        typer.echo(f"No pictures: they need {error.name} (pip install 'h2pc[{extra}]').", err=True)
        return []


def _numbers(text: str) -> list[int]:
    """Return the numbers between commas."""
    try:
        return [int(word) for word in words([text])]
    except ValueError:
        raise SettingError(
            f"--sizes must be whole numbers with commas between them; got {text!r}."
        ) from None


add_command(
    app, synthetic, "h2pc experiment synthetic --out runs --networks alarm,child --sizes 500,5000"
)
add_command(
    app, multilabel, "h2pc experiment multilabel --folder data --out runs --data emotions,scene"
)
add_command(app, report, "h2pc experiment report runs --out report")
