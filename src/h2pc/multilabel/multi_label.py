"""What all multi-label classifiers share: names, seeds, and what they tell scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from h2pc.multilabel.compact_forest import CompactForestClassifier
from h2pc.multilabel.training_set import TrainingSet, labelled, places


class MultiLabelClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of several labels, made of classifiers of a single target.

    Attributes
    ----------
    labels_ : tuple of str
        The names of the labels, in the order of the columns of ``Y``.
    classes_ : array of int, shape (n_labels, 2)
        0 and 1 for every label.
    """

    base: Any

    def _read(self, X: Any, Y: Any) -> TrainingSet:
        """Return the training set, and remember how it is read."""
        training, self._reader = labelled(self, X, Y)
        # An array, because scikit-learn asks for its shape where probabilities are one too.
        self.classes_ = np.tile([0, 1], (len(self.labels_), 1))
        return training

    def _features(self, X: Any) -> Any:
        """Return the features of new samples."""
        check_is_fitted(self)
        return self._reader.read(self, X)

    def _in_given_order(self, answers: NDArray[Any]) -> NDArray[Any]:
        """Return answers about labels sorted by name in the order of ``labels_``."""
        given: NDArray[Any] = answers[:, places(self.labels_, sorted(self.labels_))]
        return given

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


MAX_SEED = np.iinfo(np.int32).max
"""Seeds are drawn below this, as in scikit-learn."""


def has_probabilities(classifier: Any) -> bool:
    """Whether the base classifier of a multi-label classifier knows probabilities."""
    return classifier.base is None or hasattr(classifier.base, "predict_proba")
