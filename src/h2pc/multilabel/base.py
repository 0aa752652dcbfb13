"""What the multi-label classifiers share: validation, seeds, predictions in order."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import (
    _check_sample_weight,
    _num_samples,
    check_is_fitted,
    has_fit_parameter,
)

from h2pc.errors import DataError, SettingError
from h2pc.multilabel.compact_forest import CompactForestClassifier
from h2pc.multilabel.label_values import label_table
from h2pc.multilabel.training_set import (
    TrainingSet,
    label_form,
    labelled,
    places,
)

MAX_SEED = np.iinfo(np.int32).max
"""Seeds are drawn below this, as in scikit-learn."""


def has_probabilities(classifier: Any) -> bool:
    """Whether the base classifier predicts probabilities."""
    return classifier.base is None or hasattr(classifier.base, "predict_proba")


def has_decisions(classifier: Any) -> bool:
    """Whether the base classifier has a decision function."""
    return hasattr(classifier.base, "decision_function")


class MultiLabelClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What the multi-label classifiers share: validation, seeds, predictions in order."""

    base: Any
    n_jobs: int | None

    @abstractmethod
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the classifier."""

    @abstractmethod
    def _predict(self, method: str, X: Any) -> NDArray[np.float64]:
        """Return the predictions of a method for validated samples, labels sorted by name.

        The methods: ``predict``, ``predict_proba`` (of presence), ``decision_function``.
        """

    @property
    def categories_(self) -> dict[str, tuple[Any, ...]]:
        """The levels in training of the features that are no numbers."""
        check_is_fitted(self)
        levels = self._reader.categories.levels
        return {} if levels is None else dict(zip(levels.names, levels.states, strict=True))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted labels of new samples.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        array, shape (n_samples, n_labels)
            The labels in the order of ``labels_``, with the values that they had in training: 0 and
            1 where they came as sets. A vector if they came as a vector.
        """
        predicted = self._predicted("predict", X)
        return self._form.written(predicted)

    def predict_sets(self, X: Any) -> list[frozenset[str]]:
        """Return the names of the labels that are predicted to be present in each sample.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        list of frozenset of str
            One set for each sample.
        """
        predicted = self._predicted("predict", X)
        names = np.array(self.labels_, object)
        return [frozenset(names[row > 0].tolist()) for row in predicted]

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return the predicted probabilities of the values of each label.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        list of arrays, shape (n_samples, 2)
            For each label of ``labels_``, the probabilities of its ``classes_``; the second is that
            of presence. One array if the labels came as a vector.
        """
        present = self._predicted("predict_proba", X)
        return self._form.probabilities(present)

    @available_if(has_decisions)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return how clearly each label is present by the decision function of the base classifier.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        array of float, shape (n_samples, n_labels)
            For each label, the best decision among combinations with it less the best one among
            those without it. A vector if the labels came as a vector.
        """
        decided = self._predicted("decision_function", X)
        return decided[:, 0] if self._form.is_vector else decided

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the subset accuracy: the share of samples all of whose labels are right.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.
        y : array, sparse matrix, table or list of sets
            Their labels, in the form of :meth:`fit`.
        sample_weight : array, shape (n_samples,), default=None
            Weights of the samples; None is equal weights.

        Returns
        -------
        float
            The share, between 0 and 1.
        """
        if label_table(y) is y:
            right = self._right_rows(X, y)
        else:
            predicted = self.predict_sets(X)
            if len(predicted) != len(y):
                raise DataError(
                    f"y has {len(y)} sets for {len(predicted)} samples: expected as many"
                )
            right = np.array([true == got for true, got in zip(y, predicted, strict=True)])
        return float(np.average(right, weights=sample_weight))

    def _right_rows(self, X: Any, y: Any) -> NDArray[np.bool_]:
        """Return the samples all of whose labels, in a table or a vector, are right."""
        # accuracy_score of scikit-learn takes no tables of words.
        predicted = self.predict(X).reshape(-1, len(self.labels_))
        true = y.toarray() if issparse(y) else np.asarray(y)
        true = true.reshape(-1, 1) if true.ndim == 1 else true
        if true.shape != predicted.shape:
            raise DataError(f"y is of shape {true.shape}: expected {predicted.shape}")
        return np.asarray(np.all(true == predicted, axis=1), np.bool_)

    def _predicted(self, method: str, X: Any) -> NDArray[np.float64]:
        """Return the predictions of a method in the order of ``labels_``."""
        by_name = self._predict(method, self._validated_features(X))
        given: NDArray[np.float64] = by_name[:, places(self.labels_, sorted(self.labels_))]
        return given

    def _validated(self, X: Any, Y: Any, sample_weight: Any) -> TrainingSet:
        """Return the training set; new samples will be read in the same way.

        Samples without weight are left out.
        """
        may_miss = bool(get_tags(self).input_tags.allow_nan)
        training, reader = labelled(self, X, Y, may_miss=may_miss)
        self._reader = replace(reader, may_miss=may_miss)
        self._form = label_form(training, self.labels_, Y)
        self.classes_ = self._form.classes
        if sample_weight is None:
            return training
        return _weighted(training, sample_weight, self._unfitted_base())

    def _validated_features(self, X: Any) -> Any:
        """Return the features of new samples."""
        check_is_fitted(self)
        return self._reader.read(self, X)

    def _unfitted_base(self, n_jobs: int | None = None) -> Any:
        """Return a copy of the base classifier."""
        return CompactForestClassifier(n_jobs=n_jobs) if self.base is None else clone(self.base)

    def _base(self, n_jobs: int | None, seed: int) -> Any:
        """Return an unfitted base classifier, its random states set as in an ensemble."""
        made = self._unfitted_base(n_jobs)
        random = np.random.RandomState(seed)
        keys = sorted(made.get_params(deep=True))
        random_states = [k for k in keys if k == "random_state" or k.endswith("__random_state")]
        return made.set_params(**{key: random.randint(MAX_SEED) for key in random_states})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(CompactForestClassifier() if self.base is None else self.base)
        tags.input_tags.sparse = base.input_tags.sparse
        tags.input_tags.allow_nan = base.input_tags.allow_nan
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        return tags


def _weighted(training: TrainingSet, sample_weight: Any, base: Any) -> TrainingSet:
    """Return the samples that have a weight, with their weights."""
    if not has_fit_parameter(base, "sample_weight"):
        raise SettingError(
            f"sample_weight came, but {type(base).__name__} takes no weights: expected another "
            f"base classifier, or no weights."
        )
    weights = _check_sample_weight(sample_weight, training.X, ensure_non_negative=True)
    has_weight = weights > 0
    if not has_weight.any():
        raise DataError(f"all {_num_samples(training.X)} weights are zero: expected some above")
    if has_weight.all():
        return replace(training, weights=weights)
    return replace(
        training, X=training.X[has_weight], Y=training.Y[has_weight], weights=weights[has_weight]
    )
