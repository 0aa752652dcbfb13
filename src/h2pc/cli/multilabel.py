"""``h2pc multilabel``: multi-label data, label powersets and classifiers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from h2pc.cli import options
from h2pc.cli.classifying import ClassifierOptions, FactorOptions, Method, choices_line
from h2pc.cli.command import add_command, resumable
from h2pc.cli.inputs import check_readable, check_table
from h2pc.cli.multilabel_data import BUILT_IN, LabelOptions
from h2pc.cli.outputs import check_place, checked_outputs, csv_text, out_option, write, write_all
from h2pc.cli.printing import listed, note, plural, print_json, print_table
from h2pc.errors import SettingError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Multi-label data: describe, learn, predict.",
)

_CV_SETTINGS = (
    *("assumption", "algorithm", "alpha", "objective", "thresholds", "min_combination_samples"),
    *("n_estimators", "random_state"),
)
_EXPLANATION_KINDS = {kind: kind[1:] for kind in (".html", ".csv", ".json")}
_GRAPH_KINDS = {kind: kind[1:] for kind in (".json", ".dot", ".svg", ".png", ".html")}

LabelledFile = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="ARFF file of Mulan or MEKA, or .csv, .tsv (also .gz, .bz2, .xz) or .parquet with "
        f"--labels or --n-labels. Built-in data: {', '.join(BUILT_IN)} (2,000 samples).",
        show_default=False,
    ),
]


def describe(data: LabelledFile, labels: LabelOptions, as_json: bool = False) -> None:
    """Describe the labels: their frequencies and combinations."""
    labels.check(data)

    from h2pc.multilabel import description

    described = description.describe(labels.data(data))
    if as_json:
        print_json(described.to_dict())
    else:
        typer.echo(str(described))


def powersets(
    data: LabelledFile,
    *,
    out: Annotated[
        list[Path] | None,
        out_option(
            "Output file of the graph, may be repeated: .json, .dot, .svg, .png or .html.",
            metavar="FILE",
        ),
    ] = None,
    labels: LabelOptions,
    factor: FactorOptions,
    as_json: bool = False,
) -> None:
    """Find the minimal label powersets and their Markov boundaries.

    Labels that depend on each other given the features form a minimal label powerset. They are
    found in a graph that is learned from the data, or by tests of pairs of labels (--assumption).
    Continuous features are cut at their median.
    """
    labels.check(data)
    graph = factor.graph
    outputs = checked_outputs(out, _GRAPH_KINDS, as_json=as_json)

    from h2pc.cli.multilabel_data import labelled_tables
    from h2pc.cli.network_files import factor_files, label_files
    from h2pc.multilabel.factor_document import factor_document
    from h2pc.multilabel.label_structure import label_structure

    read = labels.data(data)
    tables = labelled_tables(read)
    about: dict[str, Any] = {"assumption": factor.assumption, "data": read.name}
    if graph is None:
        factors = factor.factors(*tables)
        answer = about | {"boundary": factor.boundary, "join": factor.join}
        answer |= factor_document(factors, read)
        way, files = str(factor.assumption), factor_files(read, factors)
    else:
        found = label_structure(*tables, graph.learner())
        answer = about | {"algorithm": graph.algorithm, "alpha": graph.alpha} | found.to_dict()
        way, files = graph.algorithm.upper(), label_files(read, found)
    if as_json:
        print_json(answer)
    else:
        print_table(
            f"{read.name}: {plural(len(answer['labels']), 'label')} in "
            f"{plural(len(answer['powersets']), 'minimal label powerset')}, by {way}",
            ("labels", "names", "combinations", "features", "Markov boundary"),
            [
                (len(some), listed(some), each["n_combinations"], len(near), listed(near))
                for each in answer["powersets"]
                for some, near in [(each["labels"], each["boundary"])]
            ],
        )
    write_all(outputs, files)


def fit(
    data: LabelledFile,
    *,
    out: Annotated[Path, out_option("Output file of the model.")],
    method: Method = Method.MLP,
    labels: LabelOptions,
    classifier: ClassifierOptions,
    checkpoint: Path | None = None,
    quiet: bool = False,
) -> None:
    """Fit a multi-label classifier, and write it to a file.

    Reading the file executes nothing.
    """
    labels.check(data)
    check_place(out)
    chosen = classifier.chosen(method)
    if checkpoint is not None and chosen is Method.CC:
        raise SettingError("--checkpoint does not go with cc, which has no powersets.")

    from h2pc.cli.multilabel_data import labelled_tables
    from h2pc.multilabel.model_files import write_model

    model = classifier.classifier(chosen)
    if checkpoint is not None:
        model.set_params(checkpoint=checkpoint / "models")
        if model.structure is not None:
            model.structure.set_params(checkpoint=checkpoint / "structure")
    with resumable(checkpoint):
        model.fit(*labelled_tables(labels.data(data)))
    write_model(model, out)
    size = plural(len(model.labels_), "label")
    if hasattr(model, "powersets_"):
        size += f" in {plural(len(model.powersets_), 'powerset')}"
    size += f", {plural(model.n_features_in_, 'feature')}"
    note(f"Wrote {out}: {chosen}, {size}.", unless=quiet)
    if getattr(model, "choices_", None):
        note(f"Chosen by samples that were held out: {choices_line(model)}.", unless=quiet)


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Model file written by fit.")],
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="New samples: .csv, .tsv, .parquet or .arff."),
    ],
    out: Annotated[Path, out_option("Output file: .csv; - is standard output.")] = Path("-"),
    proba: bool = False,
    trusted: list[str] | None = None,
    n_jobs: int = 1,
) -> None:
    """Predict the labels of new samples, one column each.

    Labels of files are 0 and 1 here, also where the training data have words such as no and yes;
    labels of a model that was fitted in Python have the values that they had there. Features are
    found by name; other columns are ignored. A level that a categorical feature did not have in the
    training data is refused.
    """
    check_readable(model)
    check_table(data)
    checked_outputs([out], {".csv": "csv"}, on_stdout="csv")

    from h2pc.cli.multilabel_data import new_samples
    from h2pc.multilabel.model_files import read_model

    classifier = read_model(model, trusted=trusted or ()).set_params(n_jobs=n_jobs)
    samples = new_samples(data, classifier)
    rows = _presence(model, classifier, samples) if proba else _values(classifier, samples)
    write(out, csv_text(classifier.labels_, rows))


def _values(classifier: Any, samples: Any) -> list[list[Any]]:
    """Return the predicted values of the labels, a list for each sample."""
    rows: list[list[Any]] = (
        classifier.predict(samples).reshape(-1, len(classifier.labels_)).tolist()
    )
    return rows


def _presence(model: Path, classifier: Any, samples: Any) -> list[list[float]]:
    """Return the probabilities that labels are present, a list for each sample."""
    from h2pc.multilabel.label_values import meaning

    if not hasattr(classifier, "predict_proba"):
        raise SettingError(
            f"{model} has classifiers of type {type(classifier.base).__name__}, which predict no "
            f"probabilities: expected no --proba."
        )
    found, classes = classifier.predict_proba(samples), classifier.classes_
    if not isinstance(found, list):  # labels came as a vector
        found, classes = [found], [classes]
    columns = [
        both[:, 1] if len(values) > 1 else both[:, 0] * (meaning(values[0]) == 1)
        for both, values in zip(found, classes, strict=True)
    ]
    return [list(row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def cv(
    data: LabelledFile,
    *,
    method: Annotated[
        list[Method] | None,
        options.option(f"{options.METHODS} May be repeated.", "--method", "-m", show_default="mlp"),
    ] = None,
    folds: int = 10,
    stratify: bool | None = None,
    labels: LabelOptions,
    classifier: ClassifierOptions,
    verbose: bool = False,
    as_json: bool = False,
) -> None:
    """Cross-validate multi-label classifiers.

    Scores are means over the folds, with standard deviations. The first two methods are compared by
    Wilcoxon's signed-rank test. Training sets of the folds overlap, so its p-values are a rough
    guide.
    """
    labels.check(data)
    methods = [classifier.chosen(one) for one in method or [Method.MLP]]
    if len(set(methods)) < len(methods):
        raise SettingError("--method names a method twice: expected different ones.")

    from h2pc.cli.multilabel_data import labelled_tables
    from h2pc.multilabel.cross_validation import cross_validated, p_values
    from h2pc.multilabel.folds import split_used

    split = split_used(stratify)
    read = labels.data(data)
    found = cross_validated(
        {str(one): classifier.classifier(one) for one in methods},
        *labelled_tables(read),
        folds=folds,
        structure=classifier.learner(),
        random_state=classifier.random_state,
        stratify=stratify,
        done=lambda fold: note(f"Fold {fold} of {folds} is done.", unless=not verbose),
    )
    compared = p_values(*found[:2]) if len(found) > 1 else None
    if as_json:
        print_json(
            {
                "data": read.name,
                "n_samples": read.n_samples,
                "n_labels": read.n_labels,
                "folds": folds,
                "split": split,
                **{name: getattr(classifier, name) for name in _CV_SETTINGS},
                "methods": [each.to_dict() for each in found],
                "p_values": compared,
            }
        )
    else:
        _print_scores(f"{read.name}: {folds} {split} folds", found, compared)


def _print_scores(title: str, found: list[Any], compared: Any) -> None:
    """Print a line for each method, and one for the comparison of the first two."""
    from h2pc.multilabel.cross_validation import SCORES

    rows: list[tuple[str, ...]] = [
        (each.name, *(f"{each.mean(s):.3f} ± {each.deviation(s):.3f}" for s in SCORES))
        for each in found
    ]
    if compared is not None:
        shown = ("equal" if compared[s] is None else f"{compared[s]:.3f}" for s in SCORES)
        rows.append((f"p: {found[0].name} = {found[1].name}", *shown))
    headings = ("subset accuracy", "Hamming loss", "micro F1", "macro F1", "example F1")
    print_table(title, ("method", *headings), rows)


def explain(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Model file written by fit.")],
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="Samples: .csv, .tsv, .parquet or .arff."),
    ],
    row: int = 0,
    out: Annotated[
        list[Path] | None,
        out_option("Output file, may be repeated: .html, .csv or .json.", metavar="FILE"),
    ] = None,
    labels: Annotated[
        list[str] | None,
        options.names_option(
            "Explain only the powersets of these labels.", "--labels", "-l", show_default="all"
        ),
    ] = None,
    background: Path | None = None,
    n_background: int = 100,
    trusted: list[str] | None = None,
    n_jobs: int = 1,
    as_json: bool = False,
) -> None:
    """Explain the predicted labels of one sample.

    The contribution of a feature is how much lower the probability of the predicted labels of a
    powerset is, on average, when the feature takes its values in other samples. Contributions do
    not add up. An .html file shows them beside the graph around the labels, if the model has one.
    """
    check_readable(model)
    check_table(data)
    if background is not None:
        check_table(background)
    outputs = checked_outputs(out, _EXPLANATION_KINDS, as_json=as_json)

    from h2pc.cli.explanation_files import explanation_files
    from h2pc.cli.multilabel_data import new_samples
    from h2pc.multilabel.model_files import read_model

    classifier = read_model(model, trusted=trusted or ()).set_params(n_jobs=n_jobs)
    if not hasattr(classifier, "explain"):
        raise SettingError(
            f"{model} is a {type(classifier).__name__}, which explains nothing: expected a model "
            f"of powersets, such as that of --method mlp."
        )
    found = classifier.explain(
        new_samples(data, classifier),
        row,
        labels=labels or None,
        n_background=n_background,
        background=None if background is None else new_samples(background, classifier),
    )
    if as_json:
        print_json(found.to_dict())
    else:
        typer.echo(str(found))
    write_all(outputs, explanation_files(f"{data.stem}: row {row}", classifier, found))


add_command(
    app, describe, "h2pc multilabel describe emotions.arff", "h2pc multilabel describe :demo"
)
add_command(
    app,
    powersets,
    "h2pc multilabel powersets emotions.arff",
    "h2pc multilabel powersets music.csv --n-labels 6 -o labels.html -o labels.svg",
    "h2pc multilabel powersets emotions.arff --assumption composition",
)
add_command(
    app,
    fit,
    "h2pc multilabel fit emotions.arff -o emotions.h2pc",
    "h2pc multilabel fit music.csv --n-labels 6 -m auto -o music.h2pc",
    "h2pc multilabel fit music.csv --n-labels 6 --assumption composition --objective f1 -o f1.h2pc",
)
add_command(app, predict, "h2pc multilabel predict emotions.h2pc new.csv -o labels.csv")
add_command(
    app,
    cv,
    "h2pc multilabel cv emotions.arff -m mlp -m br",
    "h2pc multilabel cv music.csv --n-labels 6 -m mlp -m auto --folds 5 --n-jobs -1",
)
add_command(
    app,
    explain,
    "h2pc multilabel explain emotions.h2pc new.csv --row 3",
    "h2pc multilabel explain emotions.h2pc new.csv --row 3 -o why.html --labels happy",
)
