"""The demo: learn alarm from embedded data and compare it with the truth; then classify."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from h2pc import (
    H2PC,
    MMHC,
    BayesianNetwork,
    BDeu,
    BinaryRelevance,
    GTest,
    LearnResult,
    MinimalLabelPowersetClassifier,
    edge_scores,
    edge_strengths,
    load_network,
    make_multilabel_network,
    multilabel_scores,
    network_page,
    plot_comparison,
)
from h2pc.io.files import replace_file
from h2pc.learners.edge_links import edge_links

_N_SAMPLES, _SEED, _N_REPLICATES = 5000, 1, 20


class Labels(NamedTuple):
    """What is known about the labels of a random network, and the page that shows it."""

    found: dict[str, Any]
    page: str


class Learned(NamedTuple):
    """What an algorithm made of alarm, and how good it is."""

    result: LearnResult
    row: dict[str, str]


def main(arguments: list[str] | None = None) -> None:
    """Run the demo and leave its results in a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="demo", help="where the results go")
    folder = Path(parser.parse_args(arguments).folder)
    folder.mkdir(parents=True, exist_ok=True)

    network = load_network("alarm")
    learned = _learned(network)
    labels = _classified()

    result = learned["H2PC"].result
    _draw(result, network, folder / "alarm.png")
    result.save(folder / "alarm.json")
    replace_file(folder / "alarm.html", _page(result, network))
    replace_file(folder / "labels.html", labels.page)
    replace_file(folder / "labels.json", json.dumps(labels.found, indent=2) + "\n")
    replace_file(folder / "report.md", _as_markdown(network, learned, labels.found))
    _say(learned, labels.found, folder)


def _learned(network: BayesianNetwork) -> dict[str, Learned]:
    """Return the networks of H2PC, with and without restarts, and of MMHC."""
    data = network.sample(_N_SAMPLES, random_state=_SEED)
    learners = {
        "H2PC": H2PC(n_jobs=-1),
        "H2PC of the paper": H2PC(restarts=0, second_power_rule=None, n_jobs=-1),
        "MMHC of the paper": MMHC(restarts=0, second_power_rule=None, n_jobs=-1),
    }
    learned = {}
    for name, learner in learners.items():
        result = learner.fit(data).result_
        scores = edge_scores(result.dag, network.dag)
        row = {
            "edges": str(len(result.dag.edges)),
            "precision": f"{scores.adjacency.precision:.3f}",
            "recall": f"{scores.adjacency.recall:.3f}",
            "SHD": str(scores.shd),
            "BDeu": f"{result.score:,.1f}",
            "tests": f"{result.n_tests:,}",
            "seconds": f"{sum(result.seconds.values()):.3f}",
        }
        learned[name] = Learned(result, row)
    return learned


def _page(result: LearnResult, network: BayesianNetwork) -> str:
    """Return the interactive page of alarm: links, strengths, and the truth to compare with."""
    data = network.sample(_N_SAMPLES, random_state=_SEED)
    strengths = edge_strengths(data, n_replicates=_N_REPLICATES, n_jobs=-1)
    links = edge_links(result.dag, GTest(data), BDeu(data))
    title = f"H2PC on {_N_SAMPLES:,} samples of alarm"
    return network_page(
        result, title=title, strengths=strengths, links=links, reference=network.dag
    )


def _classified() -> Labels:
    """Return the label powersets found in data of a random network, and what they are good for."""
    truth = make_multilabel_network(n_labels=6, n_features=20, random_state=3)
    train, new = truth.sample(3000, random_state=1), truth.sample(1000, random_state=2)
    models = {
        "powerset by powerset": MinimalLabelPowersetClassifier(
            structure=H2PC(), random_state=0, n_jobs=-1
        ),
        "label by label": BinaryRelevance(random_state=0, n_jobs=-1),
    }
    features, labels = train.to_pandas()
    accuracy = {}
    for name, model in models.items():
        guessed = model.fit(features, labels).predict(new.to_pandas()[0])
        accuracy[name] = multilabel_scores(new.Y, guessed).subset_accuracy
    model = models["powerset by powerset"]
    found = {
        "true powersets": [list(powerset) for powerset in truth.powersets],
        "found powersets": [list(powerset) for powerset in model.powersets_],
        "subset accuracy": accuracy,
    }
    result = H2PC(targets=train.label_names).fit(features.join(labels)).result_
    page = network_page(result, title="Labels of a random network", labels=train.label_names)
    return Labels(found, page)


def _draw(result: LearnResult, network: BayesianNetwork, path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    ax = plot_comparison(result.dag, network.dag)
    ax.figure.savefig(path, dpi=150)


def _as_markdown(
    network: BayesianNetwork, learned: dict[str, Learned], labels: dict[str, Any]
) -> str:
    headings = ["learner", *next(iter(learned.values())).row]
    rows = [[name, *found.row.values()] for name, found in learned.items()]
    lines = [headings, ["---"] * len(headings), *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    accuracy = "".join(
        f"- guessed {name}: {value:.3f}\n" for name, value in labels["subset accuracy"].items()
    )
    return (
        "# alarm, learned and compared with the truth\n\n"
        f"{len(network.names)} variables, {_N_SAMPLES:,} samples (seed {_SEED}); the true network "
        f"has {len(network.dag.edges)} edges. Precision and recall are those of the skeleton.\n\n"
        f"{table}\n\n![H2PC against the truth](alarm.png)\n\n"
        "[The network](alarm.html) and [the labels](labels.html), to look into.\n\n"
        "# Labels of a random network\n\n"
        f"True powersets: {_listed(labels['true powersets'])}.  \n"
        f"Found by H2PC: {_listed(labels['found powersets'])}.\n\n"
        f"Share of 1,000 new samples with all labels right:\n\n{accuracy}"
    )


def _listed(powersets: list[list[str]]) -> str:
    return ", ".join("{" + ", ".join(powerset) + "}" for powerset in powersets)


def _say(learned: dict[str, Learned], labels: dict[str, Any], folder: Path) -> None:
    table = Table("learner", *next(iter(learned.values())).row, title="alarm")
    for name, found in learned.items():
        table.add_row(name, *found.row.values())
    console = Console()
    console.print(table)
    console.print(f"True label powersets: {_listed(labels['true powersets'])}")
    console.print(f"found by H2PC:        {_listed(labels['found powersets'])}")
    for name, value in labels["subset accuracy"].items():
        console.print(f"all labels right when guessed {name}: {value:.3f}")
    console.print(f"Open {folder}/alarm.html and {folder}/labels.html in a browser.")
    files = ", ".join(f"{folder}/{name}" for name in ("alarm.png", "alarm.json", "labels.json"))
    console.print(f"See also {folder}/report.md, {files}.")


if __name__ == "__main__":
    main()
