"""Options of multi-label classifiers, and the classifiers they make."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Any, Literal

from h2pc.cli.options import option
from h2pc.cli.printing import plural
from h2pc.errors import SettingError


class Method(StrEnum):
    """A multi-label classifier; ``+mb`` and ``+auto``: with a selection of features."""

    BR = "br"
    MLP = "mlp"
    LP = "lp"
    CC = "cc"
    BR_MB = "br+mb"
    MLP_MB = "mlp+mb"
    LP_MB = "lp+mb"
    AUTO = "auto"
    BR_AUTO = "br+auto"
    LP_AUTO = "lp+auto"

    @property
    def kind(self) -> str:
        """The method without its selection of features."""
        return "mlp" if self is Method.AUTO else self.partition("+")[0]

    @property
    def selection(self) -> str:
        """The selection of features: mb, auto, or nothing."""
        return "auto" if self is Method.AUTO else self.partition("+")[2]

    @property
    def needs_graph(self) -> bool:
        """Whether the classifier needs the graph around the labels."""
        return self.kind == "mlp" or self.selection != ""


_CLASSIFIERS = {
    "br": "BinaryRelevance",
    "mlp": "MinimalLabelPowersetClassifier",
    "lp": "LabelPowerset",
    "cc": "ClassifierChain",
}

_SELECTIONS = {"": None, "mb": "markov_boundary", "auto": "auto"}

_NOT_OF_CHAINS = (
    "feature_selection",
    "assumption",
    "objective",
    "thresholds",
    "min_combination_samples",
)

_FEATURES = {
    "markov_boundary": "by the Markov boundary",
    "dependent": "by dependent features",
    "all": "by all features",
}
"""What a powerset is predicted by, in words."""

_MODELS = {"parts": "label by label", "blend": "blended with single labels"}
"""Models of powersets other than one classifier of the combinations, in words."""


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

    feature_selection: Literal["all", "markov_boundary", "auto"] = "all"
    assumption: Literal["faithfulness", "composition", "intersection"] = "faithfulness"
    objective: Literal["subset", "f1", "hamming"] = "subset"
    thresholds: str | None = None
    min_combination_samples: int = 1
    n_estimators: int = 100
    random_state: int = 0

    def chosen(self, method: Method) -> Method:
        """Return a method with the feature selection of the options; refuse what does not fit."""
        if method is Method.CC:
            self._refuse(_NOT_OF_CHAINS, "cc, which has no powersets")
        if self.assumption != "faithfulness":
            self._refuse(("algorithm", "alpha"), f"--assumption {self.assumption}")
        if self.thresholds is not None and self.objective != "hamming":
            raise SettingError(
                f"--thresholds are for labels one by one: expected --objective hamming; "
                f"got {self.objective}."
            )
        self._threshold()
        own = _SELECTIONS[method.selection]
        if self.feature_selection in ("all", own):
            return method
        if own is not None:
            raise SettingError(f"--feature-selection {self.feature_selection}: {method} has {own}.")
        made = f"{method}+{'mb' if self.feature_selection == 'markov_boundary' else 'auto'}"
        return Method.AUTO if made == "mlp+auto" else Method(made)

    def _refuse(self, names: tuple[str, ...], what: str) -> None:
        """Refuse options that have another value than by default."""
        for name in names:
            if getattr(self, name) != getattr(ClassifierOptions, name):
                raise SettingError(f"--{name.replace('_', '-')} does not go with {what}.")

    def _threshold(self) -> str | float | None:
        """Return what the thresholds of a classifier are."""
        if self.thresholds is None or self.thresholds == "tuned":
            return self.thresholds
        try:
            value = float(self.thresholds)
        except ValueError:
            value = -1.0
        if not 0.0 <= value <= 1.0:
            raise SettingError(
                f"--thresholds must be tuned or a number from 0 to 1; got {self.thresholds!r}."
            )
        return value

    def classifier(self, method: Method) -> Any:
        """Return a classifier that is not fitted."""
        import h2pc

        base = h2pc.CompactForestClassifier(n_estimators=self.n_estimators, n_jobs=self.n_jobs)
        settings: dict[str, Any] = {"n_jobs": self.n_jobs, "random_state": self.random_state}
        if method is not Method.CC:
            settings |= {
                "assumption": self.assumption,
                "objective": self.objective,
                "thresholds": self._threshold(),
                "min_combination_samples": self.min_combination_samples,
                "feature_selection": _SELECTIONS[method.selection],
            }
        if method.needs_graph and self.assumption == "faithfulness":
            settings["structure"] = self.learner()
        return getattr(h2pc, _CLASSIFIERS[method.kind])(base, **settings)


def choices_line(classifier: Any) -> str:
    """Return what was chosen for the powersets of a classifier, and for all labels together."""
    choices = list(classifier.choices_)
    together = choices.pop() if len(choices) > len(classifier.powersets_) else None
    features = Counter(choice.feature_selection for choice in choices)
    models = Counter(choice.model for choice in choices)
    counted = [(name, features[kind]) for kind, name in _FEATURES.items() if features[kind]]
    (first, n_first), *rest = counted
    parts = [f"{plural(n_first, 'powerset')} {first}", *(f"{n} {name}" for name, n in rest)]
    line = ", ".join(parts)
    kinds = [f"{models[kind]} {name}" for kind, name in _MODELS.items() if models[kind]]
    if kinds:
        line += f"; {', '.join(kinds)}"
    if together is not None:
        how = f"blended, weight {together.weight:g}" if together.model == "blend" else "together"
        line += f"; all labels {how}"
    return line
