"""Options of multi-label classifiers, and the classifiers they make."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Any, Literal

from h2pc.cli.options import option
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
class FactorOptions:
    """Options of the search for the factors of the labels."""

    assumption: Literal["faithfulness", "composition", "intersection"] = "faithfulness"
    algorithm: Literal["h2pc", "mmhc"] = "h2pc"
    boundary: Literal["iamb_fdr", "iamb", "inter_iamb", "shrink"] = "iamb_fdr"
    join: Literal["either", "both"] = "either"
    alpha: Annotated[
        float | None,
        option(
            "Significance level: of the tests of the graph, or of those that join labels.",
            show_default="0.05; to join labels 0.0001, or less for many labels",
        ),
    ] = None
    n_jobs: int = 1

    @property
    def graph(self) -> GraphOptions | None:
        """Options of the learner of the graph around the labels; None where there is no graph."""
        learns = self.assumption == "faithfulness"
        kinds = ("boundary", "join") if learns else ("algorithm",)
        for kind in kinds:
            if getattr(self, kind) != getattr(FactorOptions, kind):
                raise SettingError(f"--{kind} does not go with --assumption {self.assumption}.")
        level = {} if self.alpha is None else {"alpha": self.alpha}
        return (
            GraphOptions(algorithm=self.algorithm, n_jobs=self.n_jobs, **level) if learns else None
        )

    def factors(self, X: Any, Y: Any) -> Any:
        """Return the factors that tests of pairs give."""
        from h2pc import MultilabelData, irreducible_label_factors

        settings = {field.name: getattr(self, field.name) for field in fields(self)}
        del settings["algorithm"]
        return irreducible_label_factors(MultilabelData(X, Y), **settings)


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
