"""What the multi-label classifiers share: validation, seeds, predictions in order."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from h2pc.multilabel.compact_forest import CompactForestClassifier
from h2pc.multilabel.training_set import TrainingSet, labelled, places

MAX_SEED = np.iinfo(np.int32).max
"""Seeds are drawn below this, as in scikit-learn."""


def has_probabilities(classifier: Any) -> bool:
    """Whether the base classifier predicts probabilities."""
    return classifier.base is None or hasattr(classifier.base, "predict_proba")


class MultiLabelClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What the multi-label classifiers share: validation, seeds, predictions in order."""

    base: Any
    n_jobs: int | None

    @property
    def categories_(self) -> dict[str, tuple[Any, ...]]:
        """The levels in training of the features that are no numbers."""
        check_is_fitted(self)
        levels = self._reader.categories.levels
        return {} if levels is None else dict(zip(levels.names, levels.states, strict=True))

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the predicted labels of new samples.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        array of int, shape (n_samples, n_labels)
            The labels, 0 or 1, in the order of ``labels_``. Of each powerset the most probable
            combination is predicted; together they are the most probable combination of all
            labels, as far as powersets are independent given the features. A chain predicts each
            label given those that it has predicted before.
        """
        return self._predicted("predict", X).astype(np.int64)

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the predicted probability of each label.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        array of float, shape (n_samples, n_labels)
            The probability that the label is 1, in the order of ``labels_``: the form that
            scikit-learn's scores of several labels expect.
        """
        return self._predicted("predict_proba", X)

    @abstractmethod
    def _predict(self, method: str, X: Any) -> NDArray[np.float64]:
        """Return the predictions of a method for validated samples, labels sorted by name."""

    def _predicted(self, method: str, X: Any) -> NDArray[np.float64]:
        """Return the predictions of a method in the order of ``labels_``."""
        by_name = self._predict(method, self._validated_features(X))
        given: NDArray[np.float64] = by_name[:, places(self.labels_, sorted(self.labels_))]
        return given

    def _validated(self, X: Any, Y: Any) -> TrainingSet:
        """Return the training set; new samples will be read in the same way."""
        training, self._reader = labelled(self, X, Y)
        # An array: scikit-learn looks at its shape where probabilities are an array too.
        self.classes_ = np.tile([0, 1], (len(self.labels_), 1))
        return training

    def _validated_features(self, X: Any) -> Any:
        """Return the features of new samples."""
        check_is_fitted(self)
        return self._reader.read(self, X)

    def _base(self, n_jobs: int | None, seed: int) -> Any:
        """Return an unfitted base classifier, its random states set as in an ensemble."""
        made = CompactForestClassifier(n_jobs=n_jobs) if self.base is None else clone(self.base)
        random = np.random.RandomState(seed)
        keys = sorted(made.get_params(deep=True))
        random_states = [k for k in keys if k == "random_state" or k.endswith("__random_state")]
        return made.set_params(**{key: random.randint(MAX_SEED) for key in random_states})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.base is None or get_tags(self.base).input_tags.sparse
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        return tags
