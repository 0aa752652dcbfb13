"""Minutes and memory of thousands of labels: structure, powersets, fit and predict.

The data come from a planted network with long-tailed labels and sparse features. Every step runs in
a process of its own and keeps its result in a folder; a step that is there already is not run
again, and a structure that was interrupted goes on from its checkpoint.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from h2pc import (
    H2PC,
    CompactForestClassifier,
    Dag,
    MinimalLabelPowersetClassifier,
    MultilabelData,
    label_graph,
    make_multilabel_network,
    minimal_label_powersets,
    multilabel_scores,
)
from h2pc.algorithms.iamb import iamb_fdr
from h2pc.independence.table_tests import GTest
from h2pc.multilabel.label_structure import labelled
from h2pc.multilabel.random_networks import MultilabelNetwork

Folder = Path
Figures = dict[str, Any]

FEATURE_FREQUENCY = 0.01
N_TEST = 2_000
POSITIVES = (0, 10, 20, 50, 100, 300, sys.maxsize)
"""Labels are grouped by the samples that have them."""


def network(options: argparse.Namespace) -> MultilabelNetwork:
    """Return the planted network."""
    return make_multilabel_network(
        options.labels,
        options.features,
        label_frequencies="long_tailed",
        feature_frequency=FEATURE_FREQUENCY,
        random_state=options.seed,
    )


def stored(folder: Folder, name: str) -> MultilabelData:
    """Return the samples called train or test."""
    data: MultilabelData = joblib.load(folder / f"{name}.joblib")
    return data


def make_data(options: argparse.Namespace) -> Figures:
    """Draw the samples."""
    truth = network(options)
    train = truth.sample(options.samples, random_state=1, sparse=True)
    joblib.dump(train, options.out / "train.joblib")
    joblib.dump(truth.sample(N_TEST, random_state=2, sparse=True), options.out / "test.joblib")
    return {"labels of a sample": float(train.Y.sum() / len(train.Y)), "ones in X": train.X.nnz}


def learn_structure(options: argparse.Namespace) -> Figures:
    """Learn the graph around the labels, and compare its powersets with the planted ones."""
    train, truth = stored(options.out, "train"), network(options)
    training, _ = labelled(MinimalLabelPowersetClassifier(), train.X, train.Y)
    learner = H2PC(
        options.alpha,
        targets=training.targets,
        n_jobs=options.jobs,
        checkpoint=options.out / "checkpoint",
    )
    dag = learner.fit(training.discrete()).dag_
    result = learner.result_
    kept = {"names": dag.names, "edges": dag.named_edges}
    (options.out / "dag.json").write_text(json.dumps(kept))
    positives = dict(zip(train.label_names, train.Y.sum(axis=0).tolist(), strict=True))
    return {
        "seconds of parts": result.seconds,
        "tests": result.n_tests,
        "variables of the graph": len(dag.names),
        "edges of the graph": len(dag.edges),
        "recovery": recovery(truth, dag, positives),
    }


def recovery(truth: MultilabelNetwork, dag: Dag, positives: dict[str, int]) -> list[Figures]:
    """Return the share of planted edges, links and powersets that were found, by frequency.

    An edge is one of a label, whatever its direction; it counts where its rarest label does.
    """
    labels = frozenset(truth.labels)

    def edges(graph: Dag) -> set[frozenset[str]]:
        found = (frozenset(edge) for edge in graph.named_edges)
        return {edge for edge in found if not labels.isdisjoint(edge)}

    def links(graph: Dag) -> set[frozenset[str]]:
        return set(map(frozenset, label_graph(graph, truth.labels).named_edges))

    def powersets(graph: Dag) -> set[frozenset[str]]:
        return set(map(frozenset, minimal_label_powersets(graph, truth.labels)))

    rows = []
    kinds: dict[str, Callable[[Dag], set[frozenset[str]]]]
    kinds = {"edges": edges, "links": links, "powersets": powersets}
    both = {kind: (of(truth.dag), of(dag)) for kind, of in kinds.items()}
    for low, high in pairwise(POSITIVES):
        limits = f"{low} or more" if high == sys.maxsize else f"{low} to {high - 1}"
        row: Figures = {"samples with the rarest label": limits}
        for kind, (planted, found) in both.items():
            own = {
                some
                for some in planted
                if low <= min(positives[name] for name in some & labels) < high
            }
            row[kind], row[f"{kind} found"] = len(own), len(own & found)
        rows.append(row)
    return rows


def learn_boundaries(options: argparse.Namespace) -> Figures:
    """Time what the factors under composition need: boundaries of some labels, and their tests."""
    train = stored(options.out, "train")
    training, _ = labelled(MinimalLabelPowersetClassifier(), train.X, train.Y)
    data = training.discrete()
    ci = GTest(data, options.alpha)
    labels, features = data.variables(training.targets), data.variables(training.features)
    some = labels[:: max(1, len(labels) // 200)]
    start = perf_counter()
    boundaries = {label: iamb_fdr(label, ci, features) for label in some}
    middle = perf_counter()
    for label, boundary in boundaries.items():
        ci.log_p_many(label, tuple(other for other in labels if other != label), boundary)
    end = perf_counter()
    return {
        "labels timed": len(some),
        "seconds of a boundary": (middle - start) / len(some),
        "seconds of its tests": (end - middle) / len(some),
        "features of a boundary": float(np.mean([len(own) for own in boundaries.values()])),
    }


def classifier(options: argparse.Namespace) -> MinimalLabelPowersetClassifier:
    """Return the classifier: small forests on Markov boundaries, with the graph that was learned.

    A boundary has a few features of two values each: twenty trees are enough.
    """
    kept = json.loads((options.out / "dag.json").read_text())
    return MinimalLabelPowersetClassifier(
        CompactForestClassifier(n_estimators=20),
        feature_selection="markov_boundary",
        structure=Dag.from_edges(kept["names"], kept["edges"]),
        n_jobs=options.jobs,
        random_state=0,
    )


def fit(options: argparse.Namespace) -> Figures:
    """Fit a model for each powerset."""
    train = stored(options.out, "train")
    start = perf_counter()
    fitted = classifier(options).fit(train.X, train.Y)
    seconds = perf_counter() - start
    joblib.dump(fitted, options.out / "fitted.joblib")
    sizes = list(map(len, fitted.powersets_))
    return {
        "seconds of fit": seconds,
        "powersets": len(sizes),
        "largest powerset": max(sizes),
        "most combinations": max(map(len, fitted.combinations_)),
    }


def predict(options: argparse.Namespace) -> Figures:
    """Predict the labels of new samples; all labels absent, as their priors say, for comparison."""
    train, test = stored(options.out, "train"), stored(options.out, "test")
    fitted = joblib.load(options.out / "fitted.joblib")
    start = perf_counter()
    predicted = fitted.predict(test.X)
    seconds = perf_counter() - start
    prior = np.broadcast_to(train.Y.mean(axis=0) > 0.5, test.Y.shape).astype(np.int8)
    return {
        "seconds of predict": seconds,
        "samples": len(test.Y),
        "scores": scores(test.Y, predicted),
        "scores of priors": scores(test.Y, prior),
    }


def scores(true: NDArray[Any], predicted: NDArray[Any]) -> Figures:
    """Return what the whole label sets, and the sets of a sample on average, are worth."""
    found = multilabel_scores(true, predicted)
    return {
        "subset accuracy": found.subset_accuracy,
        "example F1": found.example_f1,
        "Hamming loss": found.hamming_loss,
    }


STEPS: dict[str, Callable[[argparse.Namespace], Figures]] = {
    "data": make_data,
    "structure": learn_structure,
    "boundaries": learn_boundaries,
    "fit": fit,
    "predict": predict,
}


def peak_gigabytes() -> float:
    """Return the most memory that this process has had (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1e6
    return float("nan")


def run(step: str, options: argparse.Namespace) -> None:
    """Run one step in this process, and keep its figures."""
    start = perf_counter()
    figures = STEPS[step](options)
    figures |= {"minutes": (perf_counter() - start) / 60, "gigabytes": peak_gigabytes()}
    (options.out / f"{step}.json").write_text(json.dumps(figures, indent=1))


def printed(steps: list[str], options: argparse.Namespace) -> None:
    """Print the table of all steps, and what they found."""
    console = Console()
    table = Table(
        title=f"{options.labels:,} labels, {options.features:,} features, "
        f"{options.samples:,} samples, {options.jobs} threads"
    )
    for heading in ("step", "minutes", "peak GB"):
        table.add_column(heading, justify="right")
    found = {step: json.loads((options.out / f"{step}.json").read_text()) for step in steps}
    for step, figures in found.items():
        table.add_row(step, f"{figures['minutes']:.2f}", f"{figures['gigabytes']:.2f}")
    console.print(table)
    for step, figures in found.items():
        for row in figures.pop("recovery", ()):
            console.print(step, row)
        console.print(step, figures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=int, default=5000)
    parser.add_argument("--features", type=int, default=20000)
    parser.add_argument("--samples", type=int, default=20000)
    parser.add_argument("--alpha", type=float, default=0.001)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--steps", default="structure,fit,predict", help="of " + ", ".join(STEPS))
    parser.add_argument("--out", type=Path, default=Path("build/many_labels"), metavar="FOLDER")
    parser.add_argument("--in-this-process", choices=STEPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.in_this_process:
        run(options.in_this_process, options)
        return
    steps = [step for step in STEPS if step in ("data", *options.steps.split(","))]
    for step in steps:
        if not (options.out / f"{step}.json").exists():
            command = [sys.executable, *sys.argv, "--in-this-process", step]
            subprocess.run(command, check=True)
    printed(steps, options)


if __name__ == "__main__":
    main()
