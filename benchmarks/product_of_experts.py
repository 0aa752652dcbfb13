"""Several classifiers of the same classes as one: the geometric mean of their probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble._base import _set_random_states
from sklearn.utils import check_random_state
from sklearn.utils.validation import _num_samples, check_is_fitted

from h2pc.checks import number
from h2pc.errors import SettingError

_FLOOR = number(above=0.0)


class ProductOfExperts(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose probabilities are the normalised geometric mean of those of others.

    A forest whose classes are label combinations knows which labels go together, but has few
    samples of each combination; a :class:`CombinationChain` without parents has many samples of
    every label, and knows nothing of the others. Where both are sure, so is their product.

    Parameters
    ----------
    experts : sequence of classifiers
        All of them must have ``predict_proba``.
    floor : float, default=0.001
        Mixed with every distribution: ``p`` becomes ``(1 - floor) * p + floor / n_classes``, so
        that no expert rules out a class by itself.
    random_state : int, RandomState instance or None, default=None
        Seeds the experts.

    Attributes
    ----------
    classes_ : array
        The classes.
    experts_ : list of classifiers
        The fitted experts.

    References
    ----------
    G. Hinton (2002), Training products of experts by minimizing contrastive divergence, Neural
    Computation 14.

    Examples
    --------
    >>> from sklearn.naive_bayes import BernoulliNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from benchmarks.product_of_experts import ProductOfExperts
    >>> both = ProductOfExperts([BernoulliNB(), DecisionTreeClassifier()], random_state=0)
    >>> both.fit([[0], [1]] * 5, [0, 1] * 5).predict([[1]]).tolist()
    [1]
    """

    def __init__(
        self, experts: Sequence[Any], *, floor: float = 1e-3, random_state: Any = None
    ) -> None:
        self.experts = experts
        self.floor = floor
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the experts.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_samples, n_features)
            The features.
        y : array, shape (n_samples,)
            The classes.
        sample_weight : array, shape (n_samples,), default=None
            Weights of the samples; None is equal weights.

        Returns
        -------
        self
            The fitted classifier.
        """
        if not len(self.experts):
            raise SettingError("experts must be at least one classifier; got none.")
        for expert in self.experts:
            if not hasattr(expert, "predict_proba"):
                raise SettingError(
                    f"experts must predict probabilities; "
                    f"{type(expert).__name__} has no predict_proba."
                )
        if _FLOOR("floor", self.floor) >= 1.0:
            raise SettingError(f"floor must be below 1; got {self.floor!r}.")
        random = check_random_state(self.random_state)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.experts_ = []
        for expert in self.experts:
            own = clone(expert)
            _set_random_states(own, random)
            self.experts_.append(own.fit(X, y, **weights))
        self.classes_ = self.experts_[0].classes_
        for own in self.experts_:
            if not np.array_equal(own.classes_, self.classes_):
                raise SettingError(
                    f"experts must know the same classes; {type(own).__name__} has "
                    f"{len(own.classes_)}, {type(self.experts_[0]).__name__} has "
                    f"{len(self.classes_)}."
                )
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_samples, n_features)
            The features.

        Returns
        -------
        array, shape (n_samples, n_classes)
            Probabilities, in the order of ``classes_``.
        """
        check_is_fitted(self)
        total = np.zeros((_num_samples(X), len(self.classes_)))
        for expert in self.experts_:
            share = (1.0 - self.floor) * np.asarray(expert.predict_proba(X), np.float64)
            total += np.log(share + self.floor / len(self.classes_))
        found: NDArray[np.float64] = softmax(total / len(self.experts_), axis=1)
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each sample.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_samples, n_features)
            The features.

        Returns
        -------
        array, shape (n_samples,)
            The classes; the first one of those that are equally probable.
        """
        found: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return found
