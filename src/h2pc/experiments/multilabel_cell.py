"""One cell of the multi-label experiment: learn both graphs, tell the fold in seven ways, judge."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from time import perf_counter, process_time
from typing import Any

from h2pc import H2PC, MMHC, Dag, load_network
from h2pc.algorithms.learn_result import LearnResult
from h2pc.experiments.multilabel_folds import NumberedData, split
from h2pc.experiments.multilabel_forests import Forests
from h2pc.experiments.multilabel_setup import MultilabelCell, MultilabelSetup
from h2pc.multilabel.label_metrics import multilabel_scores
from h2pc.multilabel.powerset_model import label_combinations
from h2pc.multilabel.powersets import minimal_label_powersets, powerset_boundary
from h2pc.multilabel.training_set import Names
from h2pc.runs.cells import Outcome, Record

LEARNERS = {"h2pc": H2PC, "mmhc": MMHC}

Told = tuple[tuple[Names, ...], tuple[Names, ...] | None]
"""Labels that are told together, and the features that they are told by; None for all."""


def measured(cell: MultilabelCell, setup: MultilabelSetup, folder: str) -> Outcome:
    """Return what both learners find around the labels, and how well the fold is told by it."""
    _warm_up()
    train, test, n_combinations = split(cell, setup, folder)
    forests = Forests.of(train, test, setup, cell)
    each = tuple((label,) for label in train.labels)
    results: Record = {
        "labels": [train.names[label] for label in train.labels],
        "n_combinations": n_combinations,
    }
    seconds: Record = {}
    results["br"], seconds["br"] = _judged(forests, (each, None))
    for name in LEARNERS:
        dag, seconds[name] = learned(name, train, setup)
        results[name] = {**described(dag, train), "edges": train.local_edges(dag)}
        for scenario, told in scenarios(dag, train.labels).items():
            results[name][scenario], seconds[name][scenario] = _judged(forests, told)
    return Outcome(results, seconds)


def scenarios(dag: Dag, labels: Names) -> dict[str, Told]:
    """Return which labels are told together by a graph, and by what: MLP, BR+MB and MLP+MB."""
    powersets = minimal_label_powersets(dag, labels)
    near = {powerset: powerset_boundary(dag, powerset, labels) for powerset in powersets}
    # A label that is told by itself depends on all that its powerset depends on.
    each = {(label,): near[powerset] for powerset in powersets for label in powerset}
    return {
        "mlp": (powersets, None),
        "br_mb": (tuple(each), tuple(each.values())),
        "mlp_mb": (powersets, tuple(near.values())),
    }


def learned(name: str, train: NumberedData, setup: MultilabelSetup) -> tuple[Dag, Record]:
    """Return the graph around the labels, and the seconds from the data to it."""
    learner: Any = LEARNERS[name](
        alpha=setup.alpha,
        equivalent_sample_size=setup.equivalent_sample_size,
        patience=setup.patience,
        restarts=0,  # as in the paper
        second_power_rule=None,  # likewise
        targets=train.labels,
        progress=False,
    )
    wall, cpu = perf_counter(), process_time()
    result: LearnResult = learner.fit(train.discrete()).result_
    total, busy = perf_counter() - wall, process_time() - cpu
    return result.dag, {**result.seconds, "total": total, "cpu": busy}


def described(dag: Dag, train: NumberedData) -> Record:
    """Return the sizes of powersets and boundaries, and the degrees of the labels.

    Powersets come in the order of their first labels.
    """
    powersets = minimal_label_powersets(dag, train.labels)
    column = {label: j for j, label in enumerate(train.labels)}
    classes = [label_combinations(train.Y[:, [column[y] for y in some]])[0] for some in powersets]
    near = [powerset_boundary(dag, powerset, train.labels) for powerset in powersets]
    return {
        "powerset_labels": [len(powerset) for powerset in powersets],
        "powerset_classes": [len(found) for found in classes],
        "powerset_features": [len(features) for features in near],
        "label_degrees": [len(dag.adjacent(dag.variable(label))) for label in train.labels],
    }


def _judged(forests: Forests, told: Told) -> tuple[Record, float]:
    """Return how well the fold is told, and the seconds of forests that were not grown before."""
    begin = perf_counter()
    scores = multilabel_scores(forests.test.Y, forests.told(*told))
    return asdict(scores), perf_counter() - begin


@cache
def _warm_up() -> None:
    """Load the compiled code: the first cell of a process would otherwise pay for it."""
    data = load_network("asia").sample(500)
    for learner in LEARNERS.values():
        learner(targets=["lung"], progress=False).fit(data)
