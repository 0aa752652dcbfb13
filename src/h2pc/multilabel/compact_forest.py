"""Random forests in little memory: a tree keeps only the classes that its leaves have."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from h2pc.errors import DataError


class CompactForestClassifier(RandomForestClassifier):  # type: ignore[misc]
    """scikit-learn's random forest, in memory that does not grow with the number of classes.

    A tree of scikit-learn holds the share of every class in every node. With the thousands of label
    combinations of a powerset almost all of these are zero, and a forest of them takes tens of
    gigabytes. Here a tree keeps, once grown, only the classes that its leaves have. Trees,
    predictions and probabilities are those of scikit-learn, bit for bit; and they are added up in
    the order of the trees, so that ``n_jobs`` does not change them.

    Parameters
    ----------
    n_estimators, criterion, max_depth, …
        All of :class:`~sklearn.ensemble.RandomForestClassifier`, with the same defaults.

    Attributes
    ----------
    classes_, n_classes_, n_features_in_, feature_names_in_, feature_importances_, …
        All of :class:`~sklearn.ensemble.RandomForestClassifier`; ``estimators_`` are compact trees.

    Notes
    -----
    While it grows, a tree does hold a number for every node and class: one such table for each
    worker is the peak of memory. There is one target: several labels make one class each, as in
    :class:`LabelPowerset`.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc import CompactForestClassifier
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]] * 5)
    >>> forest = CompactForestClassifier(random_state=0).fit(X, ["a", "b", "b", "c"] * 5)
    >>> forest.predict([[0.2], [1.7]]).tolist()
    ['a', 'b']
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

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
            The fitted forest.
        """
        classes = np.asarray(y)
        if classes.ndim == 2 and classes.shape[1] > 1:
            raise DataError(f"y has {classes.shape[1]} columns: expected one class for each sample")
        super().fit(X, y, sample_weight)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the mean over the trees of the shares of the classes in the leaf of each sample.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_samples, n_features)
            The features.

        Returns
        -------
        array, shape (n_samples, n_classes)
            Probabilities, in the order of ``classes_``.
        """
        leaves = self.apply(X)
        total = np.zeros((len(leaves), self.n_classes_))
        samples = np.arange(len(leaves))
        for tree, reached in zip(self.estimators_, leaves.T, strict=True):
            shares = tree.shares_[reached]
            rows = np.repeat(samples, np.diff(shares.indptr))
            total[rows, shares.indices] += shares.data
        total /= len(self.estimators_)
        return total

    def _validate_estimator(self) -> None:
        self.estimator_ = CompactTree()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        return tags


class CompactTree(DecisionTreeClassifier):  # type: ignore[misc]
    """A tree of a compact forest."""

    tree_: Any
    shares_: csr_array
    """The share of each class in each leaf; the rows of inner nodes are empty."""

    def _fit(self, *args: Any, **settings: Any) -> Self:
        # Forests call this one, not ``fit``.
        super()._fit(*args, **settings)
        self.shares_ = _leaf_shares(self.tree_)
        self.tree_ = _without_values(self.tree_)
        return self

    def predict_proba(self, X: Any, check_input: bool = True) -> NDArray[np.float64]:
        """Return the shares of the classes in the leaf of each sample."""
        shares: NDArray[np.float64] = self.shares_[self.apply(X, check_input)].toarray()
        return shares

    def predict(self, X: Any, check_input: bool = True) -> NDArray[Any]:
        """Return the most frequent class in the leaf of each sample."""
        best: NDArray[Any] = self.classes_[self.predict_proba(X, check_input).argmax(axis=1)]
        return best


def _leaf_shares(tree: Any) -> csr_array:
    """Return the share of each class in each leaf, with an empty row for every inner node."""
    is_leaf = tree.children_left == -1
    in_leaves = csr_array(tree.value[is_leaf, 0])
    first = np.zeros(tree.node_count + 1, np.int64)
    first[1:][is_leaf] = np.diff(in_leaves.indptr)
    return csr_array(
        (in_leaves.data, in_leaves.indices, first.cumsum()), (tree.node_count, in_leaves.shape[1])
    )


def _without_values(tree: Any) -> Any:
    """Return the same splits with a single number in every node."""
    kind, (n_features, *_), state = tree.__reduce__()
    lean = kind(n_features, np.ones(1, np.intp), 1)
    lean.__setstate__({**state, "values": np.zeros((tree.node_count, 1, 1))})
    return lean
