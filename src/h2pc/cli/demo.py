"""``h2pc demo``: learn alarm and compare it with the truth; then classify labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from h2pc.cli.command import EXTRAS
from h2pc.cli.outputs import picture, write
from h2pc.cli.printing import print_table
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.data import Dataset
    from h2pc.learners.hybrid import H2PC
    from h2pc.networks import BayesianNetwork

EXAMPLES = ("h2pc demo", "h2pc demo results")

_N_SAMPLES, _RANDOM_STATE, _N_REPLICATES = 5000, 1, 20

_HEADINGS = ("learner", "edges", "precision", "recall", "SHD", "BDeu", "tests", "seconds")


def demo(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the results.")] = Path(
        "demo"
    ),
) -> None:
    """Learn alarm and a multi-label model, and write a report.

    The learned networks are compared with the true one.
    """
    if folder.exists() and not folder.is_dir():
        raise SettingError(f"{folder}: this is a file: expected the name of a folder.")

    import json

    from h2pc import BDeu, GTest, edge_strengths, load_network, network_page, plot_comparison
    from h2pc.learners.edge_links import edge_links

    alarm = load_network("alarm")
    data = alarm.sample(_N_SAMPLES, random_state=_RANDOM_STATE)
    learner, rows = _learn(alarm, data)
    result = learner.result_
    print_table("alarm", _HEADINGS, rows)
    missing = [name for name in ("matplotlib", "pandas") if not _is_installed(name)]
    if missing:
        extras = ",".join(EXTRAS[name] for name in missing)
        needs = f"The rest of the demo needs {' and '.join(missing)}"
        typer.echo(f"{needs}: pip install 'h2pc[{extras}]'.", err=True)
        return

    labels, page = _classify()
    typer.echo(f"True label powersets:  {_listed(labels['true_powersets'])}")
    typer.echo(f"Found by H2PC:         {_listed(labels['found_powersets'])}")
    for name, accuracy in labels["subset_accuracy"].items():
        typer.echo(f"Subset accuracy of {name}: {accuracy:.3f}")
    contents: dict[str, str | bytes] = {
        "alarm.png": picture(partial(plot_comparison, result, alarm), "png", "alarm"),
        "alarm.json": result.to_json() + "\n",
        "alarm.html": network_page(
            result,
            title=f"{_N_SAMPLES:,} samples of alarm",
            strengths=edge_strengths(data, n_replicates=_N_REPLICATES, n_jobs=-1),
            links=edge_links(result.dag, GTest(data), BDeu(data)),
            reference=alarm.dag,
            network=learner.network_,
            data=data,
        ),
        "labels.html": page,
        "labels.json": json.dumps(labels, indent=2) + "\n",
        "report.md": _report(alarm, rows, labels),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        write(folder / name, content)
    typer.echo(f"Open {folder}/alarm.html and {folder}/labels.html in a browser.")
    typer.echo(f"See also {folder}/report.md, {folder}/alarm.png and {folder}/alarm.json.")


def _is_installed(name: str) -> bool:
    """Whether a library can be imported."""
    try:
        import_module(name)
    except ImportError:
        return False
    return True


def _learn(alarm: BayesianNetwork, data: Dataset) -> tuple[H2PC, list[tuple[str, ...]]]:
    """Return H2PC, fitted, and the rows of H2PC and of H2PC and MMHC as in the paper."""
    from h2pc import H2PC, MMHC, edge_scores

    learners: dict[str, Any] = {
        "H2PC": H2PC(n_jobs=-1),
        "H2PC of the paper": H2PC(variant="paper", n_jobs=-1),
        "MMHC of the paper": MMHC(variant="paper", n_jobs=-1),
    }
    rows: list[tuple[str, ...]] = []
    for name, learner in learners.items():
        learner.fit(alarm.sample(1000))  # the times below are of learning, not of imports
        result = learner.fit(data).result_
        scores = edge_scores(result.dag, alarm.dag)
        row = (
            str(len(result.dag.edges)),
            f"{scores.adjacency.precision:.3f}",
            f"{scores.adjacency.recall:.3f}",
            str(scores.shd),
            f"{result.score:,.1f}",
            f"{result.n_tests:,}",
            f"{sum(result.seconds.values()):.3f}",
        )
        rows.append((name, *row))
    return learners["H2PC"], rows


def _classify() -> tuple[dict[str, Any], str]:
    """Return label powersets of a random network, true and found, accuracies, and their page."""
    from h2pc import (
        H2PC,
        BinaryRelevance,
        MinimalLabelPowersetClassifier,
        make_multilabel_network,
        multilabel_scores,
        network_page,
    )

    truth = make_multilabel_network(n_labels=6, n_features=20, random_state=3)
    train, new = truth.sample(3000, random_state=1), truth.sample(1000, random_state=2)
    powersets = MinimalLabelPowersetClassifier(structure=H2PC(), random_state=0, n_jobs=-1)
    models: dict[str, Any] = {
        "minimal label powersets": powersets,
        "binary relevance": BinaryRelevance(random_state=0, n_jobs=-1),
    }
    features, labels = train.to_pandas()
    accuracy = {}
    for name, model in models.items():
        predicted = model.fit(features, labels).predict(new.to_pandas()[0])
        accuracy[name] = multilabel_scores(new.Y, predicted).subset_accuracy
    both = features.join(labels)
    learner = H2PC(targets=train.label_names).fit(both)
    found = {
        "true_powersets": truth.powersets,
        "found_powersets": powersets.powersets_,
        "subset_accuracy": accuracy,
    }
    title = "Labels of a random network"
    page = network_page(
        learner.result_,
        title=title,
        labels=train.label_names,
        network=learner.network_,
        data=both,
    )
    return found, page


def _report(alarm: BayesianNetwork, rows: list[tuple[str, ...]], labels: dict[str, Any]) -> str:
    """Return the report in Markdown."""
    lines = [_HEADINGS, ["---"] * len(_HEADINGS), *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    accuracy = "".join(
        f"- {name}: {value:.3f}\n" for name, value in labels["subset_accuracy"].items()
    )
    return (
        "# alarm, learned and compared with the truth\n\n"
        f"{len(alarm.names)} variables, {_N_SAMPLES:,} samples (seed {_RANDOM_STATE}); the true "
        f"network has {len(alarm.dag.edges)} edges. Precision and recall are those of the "
        f"skeleton.\n\n{table}\n\n![H2PC against the truth](alarm.png)\n\n"
        "Interactive pages: [the network](alarm.html), [the labels](labels.html).\n\n"
        "# Labels of a random network\n\n"
        f"True powersets: {_listed(labels['true_powersets'])}.  \n"
        f"Found by H2PC: {_listed(labels['found_powersets'])}.\n\n"
        f"Subset accuracy on 1,000 new samples:\n\n{accuracy}"
    )


def _listed(powersets: Sequence[Sequence[str]]) -> str:
    return ", ".join("{" + ", ".join(powerset) + "}" for powerset in powersets)
