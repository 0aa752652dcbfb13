"""``h2pc multilabel``: labels that are told together, from a file of data to a file of answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from h2pc.cli.inputs import check_readable, check_table
from h2pc.cli.multilabel_data import Labelling
from h2pc.cli.multilabel_graphs import GRAPH_KINDS
from h2pc.cli.multilabel_methods import GraphLearner, Method, Seen, Telling, method_seeing
from h2pc.cli.options import AsJson, Drop, NJobs, Quiet, RandomState, Verbose, examples, words
from h2pc.cli.outputs import check_json, checked_outputs, csv_text, write_all
from h2pc.cli.printing import note, plural, print_json, print_table, write
from h2pc.errors import SettingError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Learn several labels of each sample, and tell them of new samples.",
)

Data = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="Mulan's or MEKA's .arff, or .csv, .tsv (also .gz, .bz2, .xz) or .parquet with "
        "--labels or --n-labels; 'demo' makes up 2,000 samples.",
        show_default=False,
    ),
]
Labels = Annotated[
    list[str] | None,
    typer.Option(
        "--labels", "-l", metavar="NAMES", help="Columns that are labels, with commas between them."
    ),
]
NLabels = Annotated[
    int | None,
    typer.Option("--n-labels", metavar="N", help="The last N columns are labels; -N: the first."),
]
Xml = Annotated[
    Path | None,
    typer.Option("--xml", help="Mulan's file of labels; by default the .xml beside the .arff."),
]
Algorithm = Annotated[
    GraphLearner, typer.Option("--algorithm", "-a", help="What learns the graph around the labels.")
]
Alpha = Annotated[float, typer.Option("--alpha", help="Level of the independence tests.")]
Trees = Annotated[int, typer.Option("--trees", min=1, help="Trees of a forest.")]
_METHODS = (
    "br: each label by itself; mlp: minimal label powersets; lp: all labels at once; cc: a chain; "
    "+mb: by Markov boundaries."
)
Features = Annotated[Seen, typer.Option("--feature-selection", help="What features forests see.")]


@app.command(epilog=examples("h2pc multilabel describe emotions.arff"), no_args_is_help=True)
def describe(
    data: Data,
    labels: Labels = None,
    n_labels: NLabels = None,
    xml: Xml = None,
    drop: Drop = None,
    as_json: AsJson = False,
) -> None:
    """How many labels samples have, how rare these are, and which of them come together."""
    labelling = _labelling(data, labels, n_labels, xml, drop)

    from h2pc.multilabel.description import describe as described

    about = described(labelling.data(data))
    if as_json:
        print_json(about.to_dict())
    else:
        typer.echo(str(about))


@app.command(
    epilog=examples(
        "h2pc multilabel powersets emotions.arff",
        "h2pc multilabel powersets music.csv --n-labels 6 -o labels.html -o labels.svg",
    ),
    no_args_is_help=True,
)
def powersets(
    data: Data,
    labels: Labels = None,
    n_labels: NLabels = None,
    xml: Xml = None,
    drop: Drop = None,
    algorithm: Algorithm = GraphLearner.H2PC,
    alpha: Alpha = 0.05,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "--out",
            "-o",
            help="File of the graph, several times if you like: .json, .dot, .svg, .png or .html.",
        ),
    ] = None,
    jobs: NJobs = 1,
    as_json: AsJson = False,
) -> None:
    """Which labels belong together, and which features tell all there is to know about them.

    The graph around the labels is learned from the data; continuous features are cut at their
    median. Labels that depend on each other given the features form a minimal label powerset.
    """
    from h2pc.cli.multilabel_graphs import label_structure

    labelling = _labelling(data, labels, n_labels, xml, drop)
    outputs = checked_outputs(out, GRAPH_KINDS)
    check_json(as_json, outputs)
    telling = Telling(algorithm, alpha, jobs=jobs)
    read = labelling.data(data)
    found = label_structure(read, telling.learner())
    write_all(outputs, found.contents())
    if as_json:
        print_json({"algorithm": str(algorithm), "alpha": alpha, **found.record()})
        return
    groups = zip(found.powersets, found.n_combinations, found.boundaries, strict=True)
    print_table(
        f"{found.name}: {plural(len(found.labels), 'label')} in "
        f"{plural(len(found.powersets), 'minimal label powerset')}, by {algorithm.upper()}",
        ("labels", "names", "combinations", "features", "Markov boundary"),
        [(len(some), ", ".join(some), n, len(near), ", ".join(near)) for some, n, near in groups],
    )


@app.command(
    epilog=examples(
        "h2pc multilabel fit emotions.arff -o emotions.h2pc",
        "h2pc multilabel fit music.csv --n-labels 6 -m mlp+mb -o music.h2pc",
    ),
    no_args_is_help=True,
)
def fit(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="File of the model.")],
    labels: Labels = None,
    n_labels: NLabels = None,
    xml: Xml = None,
    drop: Drop = None,
    method: Annotated[Method, typer.Option("--method", "-m", help=_METHODS)] = Method.MLP,
    features: Features = Seen.ALL,
    algorithm: Algorithm = GraphLearner.H2PC,
    alpha: Alpha = 0.05,
    trees: Trees = 100,
    seed: RandomState = 0,
    jobs: NJobs = 1,
    quiet: Quiet = False,
) -> None:
    """Learn a classifier of the labels, and save it.

    The file holds numbers and words only: nothing in it is executed when it is read.
    """
    from h2pc.cli.multilabel_data import labelled_tables

    labelling = _labelling(data, labels, n_labels, xml, drop)
    _check_file(out)
    chosen = method_seeing(method, features)
    telling = Telling(algorithm, alpha, trees, seed, jobs)
    read = labelling.data(data)
    model = telling.classifier(chosen).fit(*labelled_tables(read))

    from h2pc.multilabel.model_files import save_model

    save_model(model, out)
    note(f"{out}: {_described(model, chosen)}.", unless=quiet)


@app.command(
    epilog=examples("h2pc multilabel predict emotions.h2pc new.csv -o labels.csv"),
    no_args_is_help=True,
)
def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="File that fit has written.")],
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="New samples: .csv, .tsv, .parquet or .arff."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="File of CSV; - is stdout.")] = Path("-"),
    proba: Annotated[
        bool, typer.Option("--proba", help="Write how probable each label is instead of 0 or 1.")
    ] = False,
    jobs: NJobs = 1,
) -> None:
    """Tell the labels of new samples: a column for each label, a line for each sample.

    Features are found by name; labels and other columns may be there, and are not looked at. A
    word that training has not seen, in a column of words, is refused.
    """
    from h2pc.cli.multilabel_data import new_samples

    check_readable(model)
    check_table(data)
    checked_outputs([out], {".csv": "csv"}, on_stdout="csv")

    from h2pc.multilabel.model_files import load_model

    classifier = load_model(model).set_params(n_jobs=jobs)
    samples = new_samples(data, classifier)
    told = classifier.predict_proba(samples) if proba else classifier.predict(samples)
    write(out, csv_text(classifier.labels_, told.tolist()))


@app.command(
    epilog=examples(
        "h2pc multilabel cv emotions.arff -m mlp -m br",
        "h2pc multilabel cv music.csv --n-labels 6 -m mlp -m mlp+mb --folds 5 --n-jobs -1",
    ),
    no_args_is_help=True,
)
def cv(
    data: Data,
    labels: Labels = None,
    n_labels: NLabels = None,
    xml: Xml = None,
    drop: Drop = None,
    folds: Annotated[int, typer.Option("--folds", help="Parts that the data are split into.")] = 10,
    method: Annotated[
        list[Method] | None, typer.Option("--method", "-m", help=f"{_METHODS} Several times.")
    ] = None,
    features: Features = Seen.ALL,
    algorithm: Algorithm = GraphLearner.H2PC,
    alpha: Alpha = 0.05,
    trees: Trees = 100,
    seed: RandomState = 0,
    jobs: NJobs = 1,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """How well methods tell the labels of samples that they have not seen.

    Scores are means over the folds, with their standard deviations. The first two methods are
    compared fold by fold, by Wilcoxon's signed-rank test. Folds share most of what is learned from:
    take its p-values as a hint.
    """
    labelling = _labelling(data, labels, n_labels, xml, drop)

    from h2pc.cli.multilabel_folds import cross_validated, p_values

    methods = [method_seeing(one, features) for one in method or [Method.MLP]]
    telling = Telling(algorithm, alpha, trees, seed, jobs)
    read = labelling.data(data)
    found = cross_validated(
        read, methods, telling, folds, lambda said: note(said, unless=not verbose)
    )
    compared = p_values(*found[:2]) if len(found) > 1 else None
    if as_json:
        print_json(
            {
                "data": read.name,
                "n_samples": read.n_samples,
                "n_labels": read.n_labels,
                "folds": folds,
                "algorithm": str(algorithm),
                "alpha": alpha,
                "trees": trees,
                "seed": seed,
                "methods": [each.record() for each in found],
                "p_values": compared,
            }
        )
    else:
        _print_scores(read.name, folds, found, compared)


def _print_scores(name: str, folds: int, found: list[Any], compared: Any) -> None:
    """Print a line for each method, and one for the comparison of the first two."""
    from h2pc.cli.multilabel_folds import SCORES

    rows: list[tuple[str, ...]] = [
        (str(each.method), *(f"{each.mean(s):.3f} ± {each.deviation(s):.3f}" for s in SCORES))
        for each in found
    ]
    if compared is not None:
        title = f"p: {found[0].method} = {found[1].method}"
        shown = ("equal" if compared[s] is None else f"{compared[s]:.3f}" for s in SCORES)
        rows.append((title, *shown))
    headings = ("subset accuracy", "Hamming loss", "micro F1", "macro F1", "example F1")
    print_table(f"{name}: {folds} folds", ("method", *headings), rows)


def _labelling(
    data: Path,
    labels: list[str] | None,
    n_labels: int | None,
    xml: Path | None,
    drop: list[str] | None,
) -> Labelling:
    """Return which columns of a file are labels, once the file was found to be there."""
    labelling = Labelling(words(labels), n_labels, xml, words(drop))
    labelling.check(data)
    return labelling


def _check_file(out: Path) -> None:
    """Refuse a file that could not be written in the end."""
    if out.is_dir() or not out.parent.is_dir():
        raise SettingError(f"--out {out}: expected the name of a file, in a folder that exists.")


def _described(model: Any, method: Method) -> str:
    """Return what was learned, in words."""
    labels = plural(len(model.labels_), "label")
    features = plural(model.n_features_in_, "feature")
    groups = getattr(model, "powersets_", None)
    parts = "" if groups is None else f" in {plural(len(groups), 'group')}"
    return f"{labels}{parts}, told by {features} with {method}"
