"""The classifier chain: every label given the labels before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context, multioutput
from sklearn.utils import check_random_state

from h2pc.checks import number_of_jobs
from h2pc.errors import SettingError
from h2pc.multilabel.base import MAX_SEED, MultiLabelClassifier
from h2pc.multilabel.training_set import TrainingSet, places


class ClassifierChain(MultiLabelClassifier):
    """Predict every label given the features and the labels before it in a chain.

    A baseline to compare with. It is scikit-learn's chain, with names, the same base classifier and
    the same treatment of seeds and constant labels as the other classifiers here.

    Parameters
    ----------
    base : classifier, default=None
        The binary classifier; None is a :class:`CompactForestClassifier` of 100 trees.
    order : iterable of str, "random" or None, default=None
        The labels from first to last; None is in the order of their names.
    n_jobs : int, default=None
        The number of workers of the default base classifier, as joblib counts them.
    random_state : int, RandomState instance or None, default=None
        Seeds the base classifier, whose own random states are set, and the random order.

    Attributes
    ----------
    labels_ : tuple of str
        The names of the labels, in the order of the columns of ``Y``.
    order_ : tuple of str
        The labels that vary, from first to last; a constant label needs no classifier.
    classes_ : list of arrays
        The two values of every label.
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
    >>> from h2pc import ClassifierChain
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit a classifier for each label that varies.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`MinimalLabelPowersetClassifier.fit`.

        Returns
        -------
        self
            The fitted chain.
        """
        n_jobs = number_of_jobs(self.n_jobs)
        training = self._validated(X, y, sample_weight)
        random = check_random_state(self.random_state)
        seed = random.randint(MAX_SEED)
        varies = dict(zip(training.targets, np.ptp(training.Y, axis=0) > 0, strict=True))
        order = _chain_order(self.order, training.targets, random)
        self.order_ = tuple(label for label in order if varies[label])
        self.chain_ = None
        self._constant = training.Y[0].astype(np.float64)
        if self.order_:
            labels = training.Y[:, places(self.order_, training.targets)]
            self.chain_ = _fitted_chain(self._base(n_jobs, seed), training, labels)
        return self

    def _predict(self, method: str, X: Any) -> NDArray[np.float64]:
        constant = self._constant - 0.5 if method == "decision_function" else self._constant
        predicted = np.tile(constant, (X.shape[0], 1))
        if self.chain_ is not None:
            varying = places(self.order_, sorted(self.labels_))
            with config_context(assume_finite=True):
                predicted[:, varying] = getattr(self.chain_, method)(X)
        return predicted


def _fitted_chain(base: Any, training: TrainingSet, labels: NDArray[Any]) -> Any:
    """Return scikit-learn's chain, fitted with weights of the samples if there are any."""
    # Features are checked already. scikit-learn's chain takes no missing ones otherwise, not even
    # where its base classifier does.
    if training.weights is None:
        with config_context(assume_finite=True):
            return multioutput.ClassifierChain(base).fit(training.X, labels)
    with config_context(assume_finite=True, enable_metadata_routing=True):
        chain = multioutput.ClassifierChain(base.set_fit_request(sample_weight=True))
        return chain.fit(training.X, labels, sample_weight=training.weights)


def _chain_order(order: object, labels: Sequence[str], random: Any) -> tuple[str, ...]:
    """Return the labels in the order of the chain."""
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
