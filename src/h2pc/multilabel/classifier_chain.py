"""Classifier chains: every label by the features and the labels before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import multioutput
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if

from h2pc.errors import SettingError
from h2pc.learners.validation import number_of_jobs
from h2pc.multilabel.multi_label import MAX_SEED, MultiLabelClassifier, has_probabilities
from h2pc.multilabel.training_set import places


class ClassifierChain(MultiLabelClassifier):
    """Tell every label by the features and the labels before it in a chain.

    A baseline to compare with. It is scikit-learn's chain, with names, the same base classifier and
    the same treatment of seeds and constant labels as the other classifiers here.

    Parameters
    ----------
    base : classifier, optional
        The binary classifier; by default a :class:`CompactForestClassifier` of 100 trees.
    order : iterable of str, or "random", optional
        The labels from first to last; by default in the order of their names.
    n_jobs : int, optional
        The number of workers of the default base classifier, as joblib counts them.
    random_state : int, RandomState instance or None
        Seeds the base classifier, whose own random states are set, and the random order.

    Attributes
    ----------
    labels_ : tuple of str
        The names of the labels, in the order of the columns of ``Y``.
    order_ : tuple of str
        The labels that vary, from first to last; what is constant needs no classifier.
    classes_ : array of int, shape (n_labels, 2)
        0 and 1 for every label.
    chain_ : sklearn.multioutput.ClassifierChain or None
        The chain of the labels that vary, if there are any.
    n_features_in_, feature_names_in_ : int, array of str
        The number of features, and their names if they have any.

    References
    ----------
    J. Read, B. Pfahringer, G. Holmes, E. Frank (2011), Classifier chains for multi-label
    classification, Machine Learning 85.

    Examples
    --------
    >>> from h2pc.multilabel.classifier_chain import ClassifierChain
    >>> X = [[0], [1], [2], [3]] * 5
    >>> Y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5
    >>> ClassifierChain(random_state=0).fit(X, Y).predict([[1], [2]]).tolist()
    [[1, 0], [1, 1]]
    """

    def __init__(
        self,
        base: Any = None,
        *,
        order: Iterable[str] | str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.order = order
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn a classifier for each label.

        Parameters
        ----------
        X : array, sparse matrix, or pandas, polars or pyarrow table; samples by features
            Numbers; in tables also categories, which classifiers see as numbers of levels.
        Y : array, sparse matrix or table, shape (n_samples, n_labels)
            The labels, 0 or 1. The columns of a table name them; else they are ``Y0, Y1, …``.

        Returns
        -------
        self
            The fitted chain.
        """
        n_jobs = number_of_jobs(self.n_jobs)
        training = self._read(X, Y)
        random = check_random_state(self.random_state)
        seed = random.randint(MAX_SEED)
        varies = dict(zip(training.targets, np.ptp(training.Y, axis=0) > 0, strict=True))
        order = _chain_order(self.order, training.targets, random)
        self.order_ = tuple(label for label in order if varies[label])
        self._constant = training.Y[0].astype(np.float64)
        self._chained = places(self.order_, training.targets)
        self.chain_ = None
        if self.order_:
            chain = multioutput.ClassifierChain(self._base(n_jobs, seed))
            self.chain_ = chain.fit(training.X, training.Y[:, self._chained])
        return self

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return each label as its classifier tells it, given the labels told before.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        array of int, shape (n_samples, n_labels)
            The labels, 0 or 1, in the order of ``labels_``.
        """
        return self._told("predict", X).astype(np.int64)

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each label, given the labels told before.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        array of float, shape (n_samples, n_labels)
            How probable it is that the label is 1.
        """
        return self._told("predict_proba", X)

    def _told(self, method: str, X: Any) -> NDArray[np.float64]:
        """Return what the chain tells, and what is constant."""
        x = self._features(X)
        told = np.tile(self._constant, (x.shape[0], 1))
        if self.chain_ is not None:
            told[:, self._chained] = getattr(self.chain_, method)(x)
        return self._in_given_order(told)


def _chain_order(order: object, labels: Sequence[str], random: Any) -> tuple[str, ...]:
    """Return the sorted labels in the order of the chain."""
    if order is None:
        return tuple(labels)
    if isinstance(order, str) and order == "random":
        return tuple(labels[i] for i in random.permutation(len(labels)))
    if isinstance(order, Iterable) and not isinstance(order, str):
        named = tuple(order)
        if sorted(map(str, named)) == list(labels):
            return named
    raise SettingError(
        f"order must hold each of the {len(labels)} labels once, or be 'random' or None; "
        f"got {order!r}."
    )
