"""The choice of features and of classifiers for a powerset, by samples that were held out.

A powerset has one classifier of its combinations, one classifier for each part of it, or both
blended. Which one, and which features, is decided by how well each predicts samples that it was not
fitted on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from h2pc.multilabel.blended_classifier import (
    BlendedClassifier,
    blended,
    factor_product,
    on_columns,
)
from h2pc.multilabel.held_out import held_out_proba
from h2pc.multilabel.powerset_model import (
    PowersetModel,
    fitted_model,
    frequent_combinations,
    marginals,
    row_numbers,
)
from h2pc.multilabel.training_set import Columns, Names, TrainingSet, in_order, places

Floats = NDArray[np.float64]
Objective = Literal["subset", "f1", "hamming"]
ModelKind = Literal["combinations", "blend", "parts"]
Quality = tuple[float, float]
"""How good predictions are by the objective, and by a finer measure among equals."""

WEIGHTS = (0.25, 0.5, 0.75, 1.0)
"""How much the parts count in a blend; with 1 they count alone."""

MOST_PARTS = 50
"""Of more labels than this, single ones have no classifiers: they would take most of the time, and
did not predict more combinations right on bibtex and corel5k (docs/decisions.md)."""

_FREQUENT = 3
"""Combinations of fewer samples are left out, if that predicts better."""

POWERS = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
"""Powers of probabilities that are tried to make them neither too clear nor too unclear."""


class ModelChoice(NamedTuple):
    """What was chosen for some labels that are predicted together."""

    labels: Names
    feature_selection: str
    """Which features: "markov_boundary", "dependent" or "all"."""
    model: ModelKind
    """One classifier of combinations, one for each part of the labels, or a blend of both."""
    weight: float
    """The weight of the parts in a blend."""
    scores: dict[str, float]
    """How well each candidate predicts samples that were held out; the highest was chosen."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """Models of some labels, with the probabilities that they predict for held-out samples."""

    models: tuple[PowersetModel, ...]
    held_out: tuple[Floats, ...]
    """For each model, samples by combinations; nothing where it is not needed."""
    choices: tuple[ModelChoice, ...] = ()

    @cached_property
    def features(self) -> Columns:
        """The columns of all features in use, sorted."""
        return np.unique(np.concatenate([model.features for model in self.models]))


@dataclass(frozen=True, eq=False)
class PowersetTask:
    """Some labels of a training set, and the classifiers that may be fitted for them."""

    training: TrainingSet
    labels: Names
    new_base: Callable[[int], Any]
    """Makes an unfitted base classifier, given a seed."""
    seed: int
    objective: Objective
    least: int = 1
    """Combinations of fewer samples are no classes."""

    def fixed(self, features: Names, *, needs_held_out: bool = True) -> Fitted:
        """Return the classifier of the combinations on the given features."""
        training = self.training
        columns = places(features, training.features)
        base = self.new_base(self.seed)
        model = fitted_model(
            base, training.X, training.Y, columns, self._columns, training.weights, self.least
        )
        return Fitted((model,), (self._held_out(model),) if needs_held_out else ())

    def chosen(self, candidates: Mapping[str, Names], *, in_parts: bool) -> Fitted:
        """Return the best models: on one of several sets of features, in one piece or in parts.

        The parts are the single labels, if they are allowed.
        """
        selection, joint, scores = self._joint(candidates)
        parts = None
        may_part = in_parts and 1 < len(self.labels) <= MOST_PARTS
        if may_part and self._learns(joint.models[0]):
            features = candidates[selection]
            parts = [replace(self, labels=(label,)).fixed(features) for label in self.labels]
        return self._best(selection, joint, parts, scores)

    def together(self, parts: Sequence[Fitted], features: Names) -> Fitted:
        """Return the parts, or the better one of all labels together or a blend with the parts."""
        used = tuple(self.training.features[j] for p in parts for j in p.features)
        candidates = {"markov_boundary": tuple(sorted(set(used))), "all": features}
        if candidates["markov_boundary"] == features:
            del candidates["markov_boundary"]
        selection, joint, scores = self._joint(candidates)
        best = self._best(selection, joint, parts, scores)
        inner = tuple(choice for part in parts for choice in part.choices)
        kept = tuple(model for part in parts for model in part.models)
        if best.choices[0].model == "parts":  # calibrated already
            return Fitted(kept, tuple(p for part in parts for p in part.held_out), inner)
        return replace(best, choices=(*inner, *best.choices))

    def _joint(self, candidates: Mapping[str, Names]) -> tuple[str, Fitted, dict[str, float]]:
        """Return the best features for one classifier of all combinations, and their scores."""
        best: tuple[Quality, str, Fitted] | None = None
        scores: dict[str, float] = {}
        for selection, features in candidates.items():
            fitted = self.fixed(features)
            quality = self._quality(fitted)
            scores[selection] = quality[0]
            if best is None or quality > best[0]:
                best = quality, selection, fitted
        assert best is not None  # there is always a set of features
        quality, selection, fitted = best
        kept, _ = frequent_combinations(self.training.Y[:, self._columns], _FREQUENT)
        if self.least < _FREQUENT and 1 < len(kept) < len(fitted.models[0].combinations):
            pruned = replace(self, least=_FREQUENT).fixed(candidates[selection])
            found = self._quality(pruned)
            scores[f"{selection}, frequent combinations"] = found[0]
            fitted = pruned if found > quality else fitted
        return selection, fitted, scores

    def _best(
        self,
        selection: str,
        joint: Fitted,
        parts: Sequence[Fitted] | None,
        scores: dict[str, float],
    ) -> Fitted:
        """Return the joint classifier, the parts, or a blend of them, calibrated."""
        choice = ModelChoice(self.labels, selection, "combinations", 0.0, scores)
        best, quality = replace(joint, choices=(choice,)), self._quality(joint)
        for fitted, found in self._with_parts(choice, joint, parts or ()):
            if found > quality:
                best, quality = fitted, found
        return self._calibrated(best)

    def _with_parts(self, choice: ModelChoice, joint: Fitted, parts: Sequence[Fitted]) -> Any:
        """Yield all models with parts, and their quality, and enter it into the scores."""
        if not parts:
            return
        models = tuple(model for part in parts for model in part.models)
        apart = Fitted(models, tuple(p for part in parts for p in part.held_out))
        made = choice._replace(model="parts", weight=1.0)
        yield replace(apart, choices=(made,)), self._scored(choice, "parts", apart)
        if not all(hasattr(model.classifier, "predict_proba") for model in models):
            return
        [own], [held_out] = joint.models, joint.held_out
        local = [on_columns(model, np.arange(0), own.labels) for model in models]
        product = factor_product(local, apart.held_out, own.combinations)
        for weight in WEIGHTS:
            used = apart.features if weight == 1.0 else np.union1d(own.features, apart.features)
            classifier = BlendedClassifier(
                None if weight == 1.0 else on_columns(own, used, own.labels),
                tuple(on_columns(model, used, own.labels) for model in models),
                own.combinations,
                weight,
            )
            mixed = replace(own, features=used, classifier=classifier)
            fitted = Fitted((mixed,), (blended(held_out, product, weight),))
            made = choice._replace(model="blend", weight=weight)
            yield (
                replace(fitted, choices=(made,)),
                self._scored(choice, f"blend {weight:g}", fitted),
            )

    def _scored(self, choice: ModelChoice, name: str, fitted: Fitted) -> Quality:
        """Return the quality of some models, and enter it into the scores."""
        quality = self._quality(fitted)
        choice.scores[f"{choice.feature_selection}, {name}"] = quality[0]
        return quality

    def _calibrated(self, fitted: Fitted) -> Fitted:
        """Return the models with probabilities that are neither too clear nor too unclear."""
        models, held_out = [], []
        for model, p in zip(fitted.models, fitted.held_out, strict=True):
            inner, power = model.classifier, self._best_power(model, p)
            if power == 1.0 or not hasattr(inner, "predict_proba"):
                models.append(model)
                held_out.append(p)
                continue
            if not isinstance(inner, BlendedClassifier):
                alone = on_columns(model, model.features, model.labels)
                inner = BlendedClassifier(alone, (), model.combinations)
            models.append(replace(model, classifier=replace(inner, power=power)))
            held_out.append(blended(p, None, 0.0, power))
        return replace(fitted, models=tuple(models), held_out=tuple(held_out))

    def _best_power(self, model: PowersetModel, probabilities: Floats) -> float:
        """Return the power of probabilities that gives the labels the smallest Brier score."""
        known = ~np.isnan(probabilities[:, 0])
        p, true = probabilities[known], self.training.Y[known][:, model.labels]
        if not self._learns(model) or not len(p):
            return 1.0
        weights = self._weights(known)
        errors = []
        for power in POWERS:
            present = marginals(blended(p, None, 0.0, power), model.combinations)
            errors.append(float(np.average(((present - true) ** 2).mean(axis=1), weights=weights)))
        return POWERS[int(np.argmin(errors))]

    @property
    def _columns(self) -> Columns:
        return places(self.labels, self.training.targets)

    @staticmethod
    def _learns(model: PowersetModel) -> bool:
        return not isinstance(model.classifier, DummyClassifier)

    def _weights(self, rows: NDArray[np.bool_]) -> Floats | None:
        weights = self.training.weights
        return None if weights is None else weights[rows]

    def _held_out(self, model: PowersetModel) -> Floats:
        x = in_order(self.training.X, model.features)
        if not self._learns(model):
            return np.asarray(model.classifier.predict_proba(x))
        codes = frequent_combinations(self.training.Y[:, model.labels], self.least)[1]
        n_classes = len(model.combinations)
        return held_out_proba(
            model.classifier, x, codes, n_classes, self.training.weights, self.seed
        )

    def _quality(self, fitted: Fitted) -> Quality:
        """Return how well independent models predict the samples that were held out."""
        Y = self.training.Y
        known = np.all([~np.isnan(p[:, 0]) for p in fitted.held_out], axis=0)
        if not known.any():
            return 0.0, 0.0
        n = int(known.sum())
        right, likely, squares = np.ones(n, np.bool_), np.ones(n), np.ones(n)
        accuracy, brier, n_labels = np.zeros(n), np.zeros(n), 0
        for model, probabilities in zip(fitted.models, fitted.held_out, strict=True):
            p, true = probabilities[known], Y[known][:, model.labels]
            if self.objective == "subset":
                codes = row_numbers(true, model.combinations)  # -1 is never right
                right &= p.argmax(axis=1) == codes
                likely *= np.where(codes >= 0, p[np.arange(n), codes], 0.0)
                squares *= (p**2).sum(axis=1)
            else:
                present = marginals(p, model.combinations)
                accuracy += ((present > 0.5) == true).sum(axis=1)
                brier += ((present - true) ** 2).sum(axis=1)
                n_labels += true.shape[1]
        weights = self._weights(known)

        def mean(values: Any) -> float:
            return float(np.average(values, weights=weights))

        if self.objective == "subset":
            return mean(right), mean(2.0 * likely - squares)
        # A set of highest expected F1 depends on all labels: their probabilities must be good.
        first = -brier if self.objective == "f1" else accuracy
        return mean(first / n_labels), mean(-brier / n_labels)
