"""The choice of features and of a classifier for a powerset, by samples that were held out.

A powerset has one classifier of its combinations, one classifier for each of its labels, or both
blended. Which one, and which features, is decided by how well each predicts samples that it was not
fitted on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from h2pc.multilabel.combination_chain import CombinationChain
from h2pc.multilabel.held_out import held_out_proba
from h2pc.multilabel.powerset_model import (
    PowersetModel,
    fit_with,
    label_combinations,
    marginals,
)
from h2pc.multilabel.training_set import Names, TrainingSet, in_order, places

Objective = Literal["subset", "f1", "hamming"]
ModelKind = Literal["combinations", "blend", "labels"]

WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""How much the classifiers of single labels count in a blend; 0 and 1 are one of the two alone."""

_LEAST = 1e-2
"""Added to all probabilities of combinations together, before their logarithms are blended."""


class ModelChoice(NamedTuple):
    """What was chosen for a powerset."""

    powerset: Names
    feature_selection: str
    """Which features: "markov_boundary", "dependent" or "all"."""
    model: ModelKind
    """One classifier of combinations, one for each label, or a blend of both."""
    weight: float
    """The weight of the classifiers of single labels."""
    scores: dict[str, float]
    """How well each candidate predicts samples that were held out; the highest was chosen."""


@dataclass(frozen=True, eq=False)
class BlendedClassifier:
    """The geometric mean of a classifier of combinations, and of products over single labels."""

    joint: Any
    chain: CombinationChain
    weight: float
    """The weight of the products."""

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The numbers of the combinations."""
        classes: NDArray[np.int64] = self.joint.classes_
        return classes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each combination."""
        return blended(self.joint.predict_proba(X), self.chain.predict_proba(X), self.weight)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the most probable combination."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def blended(
    joint: NDArray[np.float64], products: NDArray[np.float64], weight: float
) -> NDArray[np.float64]:
    """Return the weighted geometric mean of two distributions, normalised."""
    least = _LEAST / joint.shape[1]
    logs = (1.0 - weight) * np.log(joint + least) + weight * np.log(products + least)
    odds = np.exp(logs - logs.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


@dataclass(frozen=True, eq=False)
class Fitted:
    """The models of a powerset, with the probabilities that they predict for held-out samples."""

    models: tuple[PowersetModel, ...]
    held_out: tuple[NDArray[np.float64], ...]
    """For each model, samples by combinations; empty if nobody asked for them."""
    choice: ModelChoice | None = None


@dataclass(frozen=True, eq=False)
class PowersetTask:
    """One powerset of a training set, and the classifiers that may be fitted for it."""

    training: TrainingSet
    powerset: Names
    new_base: Callable[[int], Any]
    """Makes an unfitted base classifier, given a seed."""
    seed: int
    objective: Objective

    def fixed(self, features: Names, *, needs_held_out: bool) -> Fitted:
        """Return the classifier of all combinations on the given features."""
        model, _, codes = self._joint(features)
        held_out = (self._held_out(model, codes),) if needs_held_out else ()
        return Fitted((model,), held_out)

    def chosen(self, candidates: Mapping[str, Names]) -> Fitted:
        """Return the best of several models, each on one of several sets of features."""
        best: tuple[tuple[float, float], str, PowersetModel, NDArray[np.float64]] | None = None
        scores: dict[str, float] = {}
        for selection, features in candidates.items():
            model, combinations, codes = self._joint(features)
            held_out = self._held_out(model, codes)
            quality = self._quality(held_out, codes, combinations)
            scores[selection] = quality[0]
            if best is None or quality > best[0]:
                best = quality, selection, model, held_out
        assert best is not None  # there are always all features
        _, selection, model, held_out = best
        fitted = Fitted(
            (model,),
            (held_out,),
            ModelChoice(self.powerset, selection, "combinations", 0.0, scores),
        )
        if len(self.powerset) > 1 and not isinstance(model.classifier, DummyClassifier):
            return self._with_labels(fitted, best[0], codes)
        return fitted

    def _with_labels(
        self, joint: Fitted, quality: tuple[float, float], codes: NDArray[np.int64]
    ) -> Fitted:
        """Return the better of a classifier of combinations and of others on the same features."""
        [model], [held_out], choice = joint.models, joint.held_out, joint.choice
        assert choice is not None
        base = self.new_base(self.seed)
        if not hasattr(base, "predict_proba"):
            return joint
        combinations, weights = model.combinations, self.training.weights
        x = in_order(self.training.X, model.features)
        chain = CombinationChain(base, combinations, random_state=self.seed)
        fit_with(chain, x, codes, weights)
        products = held_out_proba(chain, x, codes, len(combinations), weights, self.seed)
        best, scores = joint, dict(choice.scores)
        for weight in WEIGHTS[1:]:
            mixed = blended(held_out, products, weight)
            found = self._quality(mixed, codes, combinations)
            scores[f"{choice.feature_selection}, blend {weight:g}"] = found[0]
            if found > quality:
                classifier = (
                    chain if weight == 1.0 else BlendedClassifier(model.classifier, chain, weight)
                )
                own = PowersetModel(model.features, model.labels, combinations, classifier)
                made = choice._replace(model="blend", weight=weight, scores=scores)
                quality, best = found, Fitted((own,), (mixed,), made)
        apart = self._apart(model, chain, x, codes)
        found = self._quality_apart(apart)
        scores[f"{choice.feature_selection}, labels"] = found[0]
        if found > quality:
            best = replace(apart, choice=choice._replace(model="labels", weight=1.0))
        assert best.choice is not None
        return replace(best, choice=best.choice._replace(scores=scores))

    def _apart(
        self, model: PowersetModel, chain: CombinationChain, x: Any, codes: NDArray[np.int64]
    ) -> Fitted:
        """Return the classifiers of single labels, each as a model of its own."""
        models, held_out = [], []
        for j, estimator in enumerate(chain.estimators_):
            column = model.combinations[codes, j]
            combinations, own = label_combinations(column[:, np.newaxis])
            classifier = estimator
            if classifier is None:  # constant
                classifier = fit_with(DummyClassifier(strategy="prior"), x, own, None)
            models.append(
                PowersetModel(model.features, model.labels[j : j + 1], combinations, classifier)
            )
            held_out.append(self._held_out(models[-1], own))
        return Fitted(tuple(models), tuple(held_out))

    def _quality_apart(self, apart: Fitted) -> tuple[float, float]:
        """Return the quality of independent labels, as :meth:`_quality` does for combinations."""
        Y = self.training.Y
        true = np.column_stack([Y[:, model.labels] for model in apart.models])
        pairs = zip(apart.models, apart.held_out, strict=True)
        present = np.column_stack([marginals(p, model.combinations) for model, p in pairs])
        known = ~np.isnan(present).any(axis=1)
        weights = None if self.training.weights is None else self.training.weights[known]
        p, labels = present[known], true[known]
        right = ((p > 0.5) == labels).astype(np.float64)
        fine = -((p - labels) ** 2).mean(axis=1)
        by_sample = right.all(axis=1) if self.objective == "subset" else right.mean(axis=1)
        if self.objective == "subset":
            product = np.where(labels == 1, p, 1.0 - p).prod(axis=1)
            fine = 2.0 * product - (p**2 + (1.0 - p) ** 2).prod(axis=1)
        elif self.objective == "f1":
            by_sample = fine
        return float(np.average(by_sample, weights=weights)), float(
            np.average(fine, weights=weights)
        )

    def _joint(self, features: Names) -> tuple[PowersetModel, NDArray[np.int8], NDArray[np.int64]]:
        """Return a fitted classifier of all combinations, these, and those of the samples."""
        training = self.training
        columns = places(features, training.features)
        labels = places(self.powerset, training.targets)
        combinations, codes = label_combinations(training.Y[:, labels])
        learns = len(combinations) > 1 and columns.size > 0
        classifier = self.new_base(self.seed) if learns else DummyClassifier(strategy="prior")
        fit_with(classifier, in_order(training.X, columns), codes, training.weights)
        return PowersetModel(columns, labels, combinations, classifier), combinations, codes

    def _held_out(self, model: PowersetModel, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        x = in_order(self.training.X, model.features)
        n_classes, weights = len(model.combinations), self.training.weights
        if isinstance(model.classifier, DummyClassifier):
            return np.asarray(model.classifier.predict_proba(x))
        return held_out_proba(model.classifier, x, codes, n_classes, weights, self.seed)

    def _quality(
        self,
        probabilities: NDArray[np.float64],
        codes: NDArray[np.int64],
        combinations: NDArray[np.int8],
    ) -> tuple[float, float]:
        """Return how good predictions are by the objective, and by a finer measure among equals."""
        known = ~np.isnan(probabilities[:, 0])
        weights = None if self.training.weights is None else self.training.weights[known]
        p, true = probabilities[known], codes[known]
        if self.objective == "subset":
            right = p.argmax(axis=1) == true
            fine = 2.0 * p[np.arange(len(true)), true] - (p**2).sum(axis=1)
        else:
            present = marginals(p, combinations)
            labels = combinations[true]
            right = ((present > 0.5) == labels).mean(axis=1)
            fine = -((present - labels) ** 2).mean(axis=1)
            if self.objective == "f1":  # the set depends on all labels: probabilities must be good
                right = fine
        return (
            float(np.average(right, weights=weights)),
            float(np.average(fine, weights=weights)),
        )
