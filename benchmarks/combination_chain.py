"""The probabilities of label combinations as products over the labels, by the graph of labels.

A classifier whose classes are the combinations of hundreds of labels has thousands of classes, most
of them of one sample. Here every label has a classifier of its own, given the features and some of
the labels before it. The graph says which ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble._base import _set_random_states
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils.validation import check_is_fitted

from h2pc.checks import number, number_of_jobs
from h2pc.errors import DataError, SettingError
from h2pc.multilabel.training_set import Columns, in_order, with_small_indices

# Numbers held at once while predicting: features of all samples in all contexts of a label.
_BATCH_CELLS = 8_000_000

_FLOOR = number(least=0.0)


class CombinationChain(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of label combinations, made of one classifier for every label.

    The probability of a combination is proportional to the product, over the labels, of the
    probability of its value given the features and its values of some other labels, the parents.
    It is normalised over the combinations that are given.

    Parameters
    ----------
    base : classifier
        The classifier of a label; it must have ``predict_proba``. Its copies have seeds of their
        own, drawn from its ``random_state``.
    combinations : array of 0 and 1, shape (n_combinations, n_labels)
        The combinations of the labels, all different.
    parents : sequence of sequences of int, default=None
        For each label, the positions of the labels that it is conditioned on; there must be no
        cycle. None is no parents at all: labels are independent, but for the combinations that are
        possible.
    features : sequence of sequences of int, default=None
        For each label, the columns of ``X`` that its classifier sees; None is all.
    floor : float, default=0.001
        The smallest probability of a value of a label: ``p`` becomes
        ``floor + (1 - 2 * floor) * p``, so that a forest whose trees all agree does not rule out a
        combination.
    n_jobs : int, default=None
        The number of workers, as joblib counts them: None is one, -1 all processors. It does not
        change the result.
    random_state : int, RandomState instance or None, default=None
        Seeds the classifiers of the labels.

    Attributes
    ----------
    classes_ : array of int, shape (n_combinations,)
        The numbers of the combinations.
    estimators_ : list of classifiers
        For each label its classifier; None where the label was constant.
    constants_ : array of int
        For each label its only value in training; -1 where there were two.

    See Also
    --------
    chain_links : The parents and features of every label, read off a graph.

    Examples
    --------
    The second label is the opposite of the first, whatever the feature.

    >>> from sklearn.naive_bayes import BernoulliNB
    >>> from benchmarks.combination_chain import CombinationChain
    >>> chain = CombinationChain(BernoulliNB(), [[0, 1], [1, 0]], parents=[(), (0,)])
    >>> chain.fit([[0], [0], [1], [1]] * 5, [0, 0, 1, 1] * 5).predict([[1], [0]]).tolist()
    [1, 0]
    """

    def __init__(
        self,
        base: Any,
        combinations: ArrayLike,
        parents: Sequence[Sequence[int]] | None = None,
        *,
        features: Sequence[Sequence[int]] | None = None,
        floor: float = 1e-3,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.combinations = combinations
        self.parents = parents
        self.features = features
        self.floor = floor
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit a classifier for every label.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_samples, n_features)
            The features.
        y : array of int, shape (n_samples,)
            The number of the combination of each sample.
        sample_weight : array, shape (n_samples,), default=None
            Weights of the samples; None is equal weights.

        Returns
        -------
        self
            The fitted classifier.
        """
        if not hasattr(self.base, "predict_proba"):
            raise SettingError(
                f"base must predict probabilities; {type(self.base).__name__} has no predict_proba."
            )
        if not _FLOOR("floor", self.floor) < 0.5:
            raise SettingError(f"floor must be below 0.5; got {self.floor!r}.")
        x = _matrix(X)
        combinations = _zero_one(self.combinations)
        n_labels = combinations.shape[1]
        self._parents = _checked_parents(self.parents, n_labels)
        everything = range(x.shape[1])
        self._features = _columns("features", self.features, n_labels, x.shape[1], everything)
        codes = _checked_codes(y, x.shape[0], len(combinations))
        labels = combinations[codes]
        self.classes_ = np.arange(len(combinations))
        self.n_features_in_ = x.shape[1]
        self._states = [_states(combinations, j, own) for j, own in enumerate(self._parents)]
        self._changes = _changes(self._states)

        seeds = check_random_state(self.random_state).randint(np.iinfo(np.int32).max, size=n_labels)
        self.constants_ = np.where(np.ptp(labels, axis=0) == 0, labels[0], -1)
        self.estimators_ = Parallel(n_jobs=number_of_jobs(self.n_jobs), prefer="threads")(
            delayed(self._fitted)(j, x, labels, sample_weight, seeds[j]) for j in range(n_labels)
        )
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each combination.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_samples, n_features)
            The features.

        Returns
        -------
        array, shape (n_samples, n_combinations)
            Probabilities, in the order of ``classes_``.
        """
        log_products = self._log_products(X)
        probabilities: NDArray[np.float64] = softmax(log_products, axis=1)
        return probabilities

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the most probable combination of each sample.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_samples, n_features)
            The features.

        Returns
        -------
        array of int, shape (n_samples,)
            The numbers of the combinations; the first one of those that are equally probable.
        """
        found: NDArray[np.int64] = self.classes_[self._log_products(X).argmax(axis=1)]
        return found

    def label_proba(self, X: Any, label: int, context: ArrayLike) -> NDArray[np.float64]:
        """Return the probability of one label, given the features and its parents.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_samples, n_features)
            The features.
        label : int
            The position of the label.
        context : array of 0 and 1, shape (n_samples, n_parents)
            The values of its parents.

        Returns
        -------
        array of float, shape (n_samples,)
            The probability that the label is 1, at least ``floor`` and at most ``1 - floor``.
        """
        check_is_fitted(self)
        x = _matrix(X)
        if self.constants_[label] >= 0:
            p = np.full(x.shape[0], float(self.constants_[label]))
        else:
            inputs = _beside(in_order(x, self._features[label]), np.asarray(context))
            p = np.asarray(self.estimators_[label].predict_proba(inputs)[:, 1], np.float64)
        return self.floor + (1.0 - 2.0 * self.floor) * p

    def _fitted(
        self, j: int, X: Any, labels: NDArray[np.int8], sample_weight: Any, seed: int
    ) -> Any:
        """Return the fitted classifier of a label; None if the label is constant."""
        if self.constants_[j] >= 0:
            return None
        inputs = _beside(in_order(X, self._features[j]), labels[:, self._parents[j]])
        if inputs.shape[1] == 0:  # frequencies are all there is to learn
            estimator = DummyClassifier(strategy="prior")
        else:
            estimator = clone(self.base)
            _set_random_states(estimator, seed)
        if sample_weight is None:
            return estimator.fit(inputs, labels[:, j])
        return estimator.fit(inputs, labels[:, j], sample_weight=sample_weight)

    def _log_products(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the product for each sample and combination."""
        check_is_fitted(self)
        x = _matrix(X)
        if x.shape[1] != self.n_features_in_:
            raise DataError(f"X has {x.shape[1]} features: expected {self.n_features_in_}")
        logs = Parallel(n_jobs=number_of_jobs(self.n_jobs), prefer="threads")(
            delayed(self._log_probabilities)(j, x) for j in range(len(self._states))
        )
        # Sums start where each label is in its most frequent state; few differ from that.
        usual = np.array(
            [log[states.usual] for log, states in zip(logs, self._states, strict=True)]
        )
        steps = np.concatenate([log - start for log, start in zip(logs, usual, strict=True)])
        # Row by row, and label by label: the other samples do not change the order of sums.
        found: NDArray[np.float64] = np.ascontiguousarray((self._changes @ steps).T)
        found += reduce(np.add, usual)[:, None]
        return found

    def _log_probabilities(self, j: int, X: Any) -> NDArray[np.float64]:
        """Return the log-probability of each state of a label for each sample, states first."""
        states = self._states[j]
        n_samples, n_contexts = X.shape[0], len(states.contexts)
        width = self._features[j].size + self._parents[j].size
        present = np.empty((n_contexts, n_samples))
        for some in gen_batches(n_contexts, max(1, _BATCH_CELLS // (n_samples * width + 1))):
            contexts = states.contexts[some]
            repeated = np.tile(np.arange(n_samples), len(contexts))
            rows = X if len(contexts) == 1 else X[repeated]
            values = np.repeat(contexts, n_samples, axis=0)
            present[some] = self.label_proba(rows, j, values).reshape(-1, n_samples)
        p = present[states.context_of]
        return np.log(np.where(states.values[:, None] == 1, p, 1.0 - p))


class _States(NamedTuple):
    """The values of a label and its parents in the combinations, each kind once."""

    values: NDArray[np.int8]
    """The value of the label in each state."""
    contexts: NDArray[np.int8]
    """The values of its parents, each kind once."""
    context_of: NDArray[np.intp]
    """The number of the context of each state."""
    of: NDArray[np.intp]
    """The number of the state of each combination."""
    usual: int
    """The state of most combinations."""


def _states(combinations: NDArray[np.int8], label: int, parents: Columns) -> _States:
    """Return the values of a label and its parents in the combinations."""
    columns = [*parents.tolist(), label]
    kinds, of = np.unique(combinations[:, columns], axis=0, return_inverse=True)
    contexts, context_of = np.unique(kinds[:, :-1], axis=0, return_inverse=True)
    usual = int(np.bincount(of).argmax())
    return _States(kinds[:, -1], contexts, context_of, of, usual)


def _changes(states: Sequence[_States]) -> sparse.csr_array:
    """Return which states of the labels each combination has, without the usual ones."""
    sizes = [len(one.values) for one in states]
    first = np.cumsum([0, *sizes])
    rows, columns = [], []
    for one, start in zip(states, first, strict=False):
        unusual = np.flatnonzero(one.of != one.usual)
        rows.append(unusual)
        columns.append(start + one.of[unusual])
    row, column = np.concatenate(rows), np.concatenate(columns)
    shape = len(states[0].of), int(first[-1])
    return sparse.csr_array((np.ones(row.size), (row, column)), shape)


def _matrix(X: Any) -> Any:
    """Return features as an array or a CSR matrix."""
    return sparse.csr_array(X) if sparse.issparse(X) else np.asarray(X)


def _beside(X: Any, values: NDArray[np.int8]) -> Any:
    """Return features with labels as further columns."""
    if values.shape[1] == 0:
        return X
    if sparse.issparse(X):
        return with_small_indices(sparse.hstack((X, sparse.csr_array(values)), "csr", X.dtype))
    return np.hstack((X, values.astype(X.dtype)))


def _zero_one(combinations: ArrayLike) -> NDArray[np.int8]:
    """Return combinations, which must be different rows of 0 and 1."""
    table = np.asarray(combinations)
    if table.ndim != 2 or 0 in table.shape or not np.isin(table, (0, 1)).all():
        raise SettingError(
            f"combinations must be rows of 0 and 1, one column for every label; "
            f"got an array of shape {table.shape}."
        )
    if len(np.unique(table, axis=0)) < len(table):
        raise SettingError("combinations must all be different; one of them comes twice.")
    return table.astype(np.int8)


def _checked_parents(parents: Sequence[Sequence[int]] | None, n_labels: int) -> list[Columns]:
    """Return the parents of each label, which are other labels, without a cycle."""
    found = _columns("parents", parents, n_labels, n_labels, default=())
    try:
        TopologicalSorter({j: own.tolist() for j, own in enumerate(found)}).prepare()
    except CycleError as error:
        way = " → ".join(map(str, error.args[1]))
        raise SettingError(f"parents of labels must have no cycle; got {way}.") from None
    return found


def _columns(
    what: str,
    chosen: Sequence[Sequence[int]] | None,
    n_labels: int,
    n_columns: int,
    default: Sequence[int],
) -> list[Columns]:
    """Return the columns chosen for each label, which must exist."""
    listed = (default,) * n_labels if chosen is None else chosen
    if len(listed) != n_labels:
        raise SettingError(f"{what} must be given for {n_labels} labels; got {len(listed)}.")
    found = [np.asarray(own, np.intp).reshape(-1) for own in listed]
    for label, own in enumerate(found):
        if own.size and not (own.min() >= 0 and own.max() < n_columns):
            raise SettingError(
                f"{what} of label {label} must be numbers from 0 to {n_columns - 1}; "
                f"got {own.tolist()}."
            )
    return found


def _checked_codes(y: Any, n_samples: int, n_combinations: int) -> NDArray[np.int64]:
    """Return the numbers of the combinations of the samples."""
    codes = np.asarray(y)
    if codes.shape != (n_samples,) or codes.dtype.kind not in "iu" or not n_samples:
        raise DataError(
            f"y is of shape {codes.shape} and type {codes.dtype}: expected the number of a "
            f"combination for each of {n_samples} samples"
        )
    if codes.min() < 0 or codes.max() >= n_combinations:
        raise DataError(
            f"y has numbers from {codes.min()} to {codes.max()}: expected those of "
            f"{n_combinations} combinations, from 0 on"
        )
    return codes.astype(np.int64)
