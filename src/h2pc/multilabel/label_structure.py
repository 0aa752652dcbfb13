"""The graph around the labels: given, or learned from features and labels together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sklearn.base import clone

from h2pc.errors import GraphError, SettingError
from h2pc.graphs import Dag
from h2pc.learners.hybrid import H2PC
from h2pc.multilabel import powerset_boundary
from h2pc.multilabel.training_set import Names, TrainingSet


def checked_structure(structure: Any) -> Any:
    """Return a graph, a learner of graphs, or None for the default; refuse the rest."""
    learns = hasattr(structure, "fit") and not isinstance(structure, type)
    if structure is None or isinstance(structure, Dag) or learns:
        return structure
    raise SettingError(
        f"structure must be a Dag, or a learner of graphs such as H2PC(); got {structure!r}."
    )


def label_dag(structure: Any, training: TrainingSet, n_jobs: int | None) -> Dag:
    """Return the graph on the labels and the features near them."""
    if isinstance(structure, Dag):
        return structure
    learner = H2PC(n_jobs=n_jobs, progress=False) if structure is None else clone(structure)
    settings = learner.get_params(deep=False)
    if "targets" in settings and settings["targets"] is None:
        learner.set_params(targets=training.targets)
    learned: Dag = learner.fit(training.discrete()).dag_
    return learned


def enclosing(labels: Names, powersets: Iterable[Names]) -> Names:
    """Return the smallest label powerset that holds the labels, given the minimal ones.

    A part of a minimal powerset depends on the features of the rest, since no label is seen.
    """
    own = frozenset(labels)
    return tuple(label for part in powersets if own.intersection(part) for label in part)


def boundaries(
    dag: Dag, powersets: Iterable[Iterable[str]], training: TrainingSet
) -> tuple[Names, ...]:
    """Return the features next to each powerset in the graph; all of them must be columns."""
    known = frozenset(training.features)
    found = tuple(powerset_boundary(dag, powerset, training.targets) for powerset in powersets)
    for name in (name for boundary in found for name in boundary):
        if name not in known:
            raise GraphError(
                f"{name!r} is next to a label in the graph, but neither a label nor a feature; "
                f"expected a column of that name."
            )
    return found
