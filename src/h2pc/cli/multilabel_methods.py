"""From options to classifiers of labels, and to learners of the graph around them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.graphs import Dag


class GraphLearner(StrEnum):
    """What learns the graph around the labels."""

    H2PC = "h2pc"
    MMHC = "mmhc"


class Method(StrEnum):
    """How labels are told; mb: by the Markov boundary of each group of labels."""

    BR = "br"
    MLP = "mlp"
    LP = "lp"
    CC = "cc"
    BR_MB = "br+mb"
    MLP_MB = "mlp+mb"
    LP_MB = "lp+mb"

    @property
    def needs_graph(self) -> bool:
        """Whether there is a graph to learn."""
        return self in (Method.MLP, Method.BR_MB, Method.MLP_MB, Method.LP_MB)


class Seen(StrEnum):
    """What features classifiers see."""

    ALL = "all"
    BOUNDARY = "markov-boundary"


_CLASSIFIERS = {
    "br": "BinaryRelevance",
    "mlp": "MinimalLabelPowersetClassifier",
    "lp": "LabelPowerset",
    "cc": "ClassifierChain",
}


@dataclass(frozen=True)
class Telling:
    """All that decides a classifier, besides the method and the data."""

    algorithm: GraphLearner = GraphLearner.H2PC
    alpha: float = 0.05
    trees: int = 100
    seed: int = 0
    jobs: int = 1

    def learner(self) -> Any:
        """Return what learns a graph."""
        from h2pc import H2PC, MMHC

        kind = H2PC if self.algorithm is GraphLearner.H2PC else MMHC
        return kind(alpha=self.alpha, n_jobs=self.jobs, progress=False)

    def classifier(self, method: Method, dag: Dag | None = None) -> Any:
        """Return a classifier that is not fitted; with a graph, it learns none."""
        import h2pc

        name, _, selects = method.partition("+")
        base = h2pc.CompactForestClassifier(n_estimators=self.trees, n_jobs=self.jobs)
        settings: dict[str, Any] = {"n_jobs": self.jobs, "random_state": self.seed}
        if method.needs_graph:
            settings["structure"] = self.learner() if dag is None else dag
        if selects:
            settings["feature_selection"] = "markov_boundary"
        return getattr(h2pc, _CLASSIFIERS[name])(base, **settings)


def method_seeing(method: Method, features: Seen) -> Method:
    """Return the method that sees these features."""
    if features is Seen.ALL or "+" in method:
        return method
    if method is Method.CC:
        raise SettingError("--feature-selection does not go with cc: a chain sees all features.")
    return Method(f"{method}+mb")
