"""Options of multi-label classifiers, and the classifiers they make."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from h2pc.errors import SettingError


class Method(StrEnum):
    """A multi-label classifier; ``+mb``: with the features of the Markov boundaries only."""

    BR = "br"
    MLP = "mlp"
    LP = "lp"
    CC = "cc"
    BR_MB = "br+mb"
    MLP_MB = "mlp+mb"
    LP_MB = "lp+mb"

    @property
    def needs_graph(self) -> bool:
        """Whether the classifier needs the graph around the labels."""
        return self not in (Method.BR, Method.LP, Method.CC)


_CLASSIFIERS = {
    "br": "BinaryRelevance",
    "mlp": "MinimalLabelPowersetClassifier",
    "lp": "LabelPowerset",
    "cc": "ClassifierChain",
}


@dataclass(frozen=True, kw_only=True)
class GraphOptions:
    """Options of the learner of the graph around the labels."""

    algorithm: Literal["h2pc", "mmhc"] = "h2pc"
    alpha: float = 0.05
    n_jobs: int = 1

    def learner(self) -> Any:
        """Return the learner."""
        from h2pc import H2PC, MMHC

        kind = H2PC if self.algorithm == "h2pc" else MMHC
        return kind(alpha=self.alpha, n_jobs=self.n_jobs, progress=False)


@dataclass(frozen=True, kw_only=True)
class ClassifierOptions(GraphOptions):
    """Options of a classifier, besides its method."""

    feature_selection: Literal["all", "markov_boundary"] = "all"
    n_estimators: int = 100
    random_state: int = 0

    def chosen(self, method: Method) -> Method:
        """Return a method with the feature selection of the options."""
        if self.feature_selection == "all" or "+" in method:
            return method
        if method is Method.CC:
            raise SettingError("--feature-selection does not go with cc: a chain has all features.")
        return Method(f"{method}+mb")

    def classifier(self, method: Method) -> Any:
        """Return a classifier that is not fitted."""
        import h2pc

        name, _, selects = method.partition("+")
        base = h2pc.CompactForestClassifier(n_estimators=self.n_estimators, n_jobs=self.n_jobs)
        settings: dict[str, Any] = {"n_jobs": self.n_jobs, "random_state": self.random_state}
        if method.needs_graph:
            settings["structure"] = self.learner()
        if selects:
            settings["feature_selection"] = "markov_boundary"
        return getattr(h2pc, _CLASSIFIERS[name])(base, **settings)
