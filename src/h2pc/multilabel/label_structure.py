"""The graph of labels and features: given, or learned; and what follows from it for the labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sklearn.base import BaseEstimator, clone

from h2pc.algorithms.learn_result import LearnResult
from h2pc.data import Dataset
from h2pc.errors import GraphError, SettingError
from h2pc.graphs import Dag
from h2pc.learners.hybrid import H2PC
from h2pc.learners.structure_learner import StructureLearner
from h2pc.multilabel.powerset_model import label_combinations
from h2pc.multilabel.powersets import label_links, minimal_label_powersets, powerset_boundaries
from h2pc.multilabel.training_set import Names, TrainingSet, labelled, places


@dataclass(frozen=True)
class LabelStructure:
    """The graph that was learned around the labels, and the minimal label powersets in it.

    For each powerset there are its Markov boundary among the features, and the number of
    combinations of its labels in the data. ``data`` are what the graph was learned from: features
    are cut into levels.
    """

    result: LearnResult
    data: Dataset
    labels: Names
    powersets: tuple[Names, ...]
    boundaries: tuple[Names, ...]
    n_combinations: tuple[int, ...]

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The edges to labels and to their children, which decide powersets and boundaries."""
        return edges_near(self.result.dag, self.labels)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, fit for JSON."""
        links = label_links(self.result.dag, self.labels)
        groups = zip(self.powersets, self.n_combinations, self.boundaries, strict=True)
        return {
            "labels": list(self.labels),
            "powersets": [
                {"labels": list(some), "n_combinations": n, "boundary": list(near)}
                for some, n, near in groups
            ],
            "links": [
                {"labels": list(pair), "adjacent": adjacent, "through": list(through)}
                for pair, adjacent, through in links
            ],
            "edges": [list(edge) for edge in self.edges],
            "n_tests": self.result.n_tests,
        }


def label_structure(X: Any, Y: Any, learner: Any = None) -> LabelStructure:
    """Return the graph around the labels, learned from data by H2PC() or another learner.

    Features may be missing: every test and score uses the samples complete in its variables.
    """
    training, _ = labelled(BaseEstimator(), X, Y, may_miss=True)
    result: LearnResult = _fitted_learner(learner, training, None).result_
    powersets = minimal_label_powersets(result.dag, training.targets)
    columns = [places(powerset, training.targets) for powerset in powersets]
    return LabelStructure(
        result=result,
        data=training.discrete(),
        labels=training.targets,
        powersets=powersets,
        boundaries=boundaries(result.dag, powersets, training),
        n_combinations=tuple(len(label_combinations(training.Y[:, own])[0]) for own in columns),
    )


def edges_near(dag: Dag, labels: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the edges to labels and to their children, by name."""
    own = frozenset(labels)
    near = {name for name in dag.names if name in own or not own.isdisjoint(dag.parents(name))}
    return tuple(edge for edge in dag.named_edges if edge[1] in near)


def checked_structure(structure: Any) -> Any:
    """Return a graph, a learner of graphs, or None for the default; refuse the rest."""
    learns = hasattr(structure, "fit") and not isinstance(structure, type)
    if structure is None or isinstance(structure, Dag) or learns:
        return structure
    raise SettingError(
        f"structure must be a Dag, or a learner of graphs such as H2PC(); got {structure!r}."
    )


def label_dag(
    structure: Any, training: TrainingSet, n_jobs: int | None, progress: bool | None = False
) -> Dag:
    """Return the graph on the labels and the features near them, learned unless it is given."""
    if isinstance(structure, Dag):
        return structure
    learned: Dag = _fitted_learner(structure, training, n_jobs, progress).dag_
    return learned


def boundaries(
    dag: Dag, powersets: Iterable[Iterable[str]], training: TrainingSet
) -> tuple[Names, ...]:
    """Return the Markov boundary of each powerset; all of its variables must be features."""
    known = frozenset(training.features)
    found = powerset_boundaries(dag, powersets, training.targets)
    for name in (name for boundary in found for name in boundary):
        if name not in known:
            raise GraphError(
                f"{name!r} is next to a label in the graph, but neither a label nor a feature; "
                f"expected a column of that name."
            )
    return found


def _fitted_learner(
    structure: Any, training: TrainingSet, n_jobs: int | None, progress: bool | None = False
) -> Any:
    """Return a learner that was fitted to the data, around the targets unless it has its own."""
    learner = H2PC(n_jobs=n_jobs, progress=progress) if structure is None else structure
    return fitted_around(learner, training.discrete(), training.targets)


def fitted_around(learner: Any, data: Dataset, labels: Names) -> Any:
    """Return a copy of a learner that was fitted around the labels, unless it has targets."""
    learner = clone(learner)
    if isinstance(learner, StructureLearner):
        learner._warns_of_data = False  # features are cut already
    settings = learner.get_params(deep=False)
    if "targets" in settings and settings["targets"] is None:
        learner.set_params(targets=labels)
    return learner.fit(data)
