"""Trees of scikit-learn as arrays, and back.

Compiled code of scikit-learn follows the indices in trees without checking them. Arrays may come
from a file of unknown origin, so a tree is only made of arrays whose indices have been checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csc_matrix, csr_array, csr_matrix, vstack
from sklearn.ensemble._forest import BaseForest
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.gradient_boosting import BaseHistGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.tree import BaseDecisionTree
from sklearn.tree._tree import Tree

from h2pc.errors import FileFormatError, Remedy

SPARSE: dict[str, Any] = {
    kind.__name__: kind for kind in (csr_array, csr_matrix, csc_array, csc_matrix)
}
"""Sparse matrices that are held as arrays."""

_OF_ONE_TREE = ("tree_", "shares_", "random_state")


@dataclass(frozen=True, eq=False)
class StoredSparse:
    """A sparse matrix, compressed by rows or columns."""

    kind: str
    shape: tuple[int, int]
    data: NDArray[Any]
    indices: NDArray[Any]
    first: NDArray[Any]

    @classmethod
    def of(cls, matrix: Any) -> Self:
        """Return a sparse matrix as arrays."""
        rows, columns = map(int, matrix.shape)
        kind = type(matrix).__name__
        return cls(kind, (rows, columns), matrix.data, matrix.indices, matrix.indptr)

    def original(self) -> Any:
        """Return the matrix, whose indices have been checked."""
        rows, columns = map(index, self.shape)
        by_row = self.kind.startswith("csr")
        n, width = (rows, columns) if by_row else (columns, rows)
        data, indices, first = self.data, self.indices, self.first
        # scipy checks less: it overflows where numbers are far apart.
        expect(is_array(data) and data.ndim == 1 and data.dtype.kind in "biufc", "numbers")
        expect(is_array(indices) and indices.shape == data.shape, "an index for each number")
        expect(indices.dtype in (np.int32, np.int64), "whole indices")
        expect(within(indices, width), f"indices below {width}")
        expect(is_array(first) and first.shape == (n + 1,), f"{n} rows or columns")
        expect(first.dtype in (np.int32, np.int64), "whole indices")
        expect(within(first, data.size + 1) and first[0] == 0, "rows or columns in the data")
        expect(bool((first[1:] >= first[:-1]).all()), "rows or columns in their order")
        return SPARSE[self.kind]((data, indices, first), shape=(rows, columns))


@dataclass(frozen=True, eq=False)
class StoredTrees:
    """Trees with the same features and classes, one after the other."""

    n_features: int
    n_classes: NDArray[np.intp]
    """The number of classes of each output; 1 for numbers."""
    n_nodes: NDArray[np.int64]
    nodes: dict[str, NDArray[Any]]
    """Field by field: equal values lie together, and compress better."""
    values: NDArray[np.float64]

    @classmethod
    def of(cls, trees: Sequence[Any]) -> Self:
        """Return compiled trees as arrays."""
        states = [tree.__getstate__() for tree in trees]
        nodes = np.concatenate([state["nodes"] for state in states])
        values = np.concatenate([state["values"] for state in states])
        return cls(
            trees[0].n_features,
            np.array(trees[0].n_classes),
            np.array([len(state["nodes"]) for state in states], np.int64),
            {field: np.ascontiguousarray(nodes[field]) for field in nodes.dtype.names or ()},
            values,
        )

    def original(self) -> list[Any]:
        """Return the compiled trees, whose indices have been checked."""
        n_features, n_classes, n_nodes = index(self.n_features), self.n_classes, self.n_nodes
        expect(is_array(n_classes) and n_classes.ndim == 1, "numbers of classes")
        expect(n_classes.dtype == np.intp and n_classes.size > 0, "numbers of classes")
        expect(bool((n_classes > 0).all()), "at least one class")
        nodes = _structured(self.nodes)
        shape = (len(nodes), n_classes.size, int(n_classes.max()))
        expect(is_array(self.values) and self.values.shape == shape, "values of each node")
        expect(self.values.dtype == np.float64, "values of each node")
        depths = _checked_depths(nodes, n_nodes, n_features)
        trees = []
        for size, end in zip(n_nodes.tolist(), np.cumsum(n_nodes).tolist(), strict=True):
            own = slice(end - size, end)
            tree = Tree(n_features, n_classes, n_classes.size)
            tree.__setstate__(
                {
                    "max_depth": int(depths[own].max()),
                    "node_count": size,
                    "nodes": nodes[own],
                    "values": self.values[own],
                }
            )
            trees.append(tree)
        return trees


@dataclass(frozen=True, eq=False)
class StoredTree:
    """One compiled tree."""

    trees: Any

    def original(self) -> Any:
        """Return the tree."""
        [tree] = self.trees
        return tree


@dataclass(frozen=True, eq=False)
class StoredForest:
    """The estimators of a forest, which differ in their seeds and trees alone.

    Arrays of all trees together take a small part of the space and time that many small ones take.
    """

    first: Any
    """The first estimator, without its tree."""
    seeds: NDArray[np.int64]
    trees: Any
    shares: Any
    """The shares of the classes in the leaves, for compact trees."""

    @classmethod
    def of(cls, estimators: Sequence[Any]) -> Self | None:
        """Return the estimators of a forest; None if they have more of their own."""
        first = _without_tree(estimators[0])
        alike = all(_are_same(vars(first), vars(_without_tree(each))) for each in estimators)
        if not alike or any(type(each.random_state) is not int for each in estimators):
            return None
        trees = [each.tree_ for each in estimators]
        if len({(tree.n_features, *tree.n_classes) for tree in trees}) > 1:
            return None
        shares = None
        if hasattr(estimators[0], "shares_"):
            shares = vstack([each.shares_ for each in estimators], format="csr")
        seeds = np.array([each.random_state for each in estimators], np.int64)
        return cls(first, seeds, trees, shares)

    def original(self) -> list[Any]:
        """Return the estimators of the forest."""
        expect(isinstance(self.first, BaseDecisionTree), "a decision tree")
        seeds, start, estimators = self.seeds.tolist(), 0, []
        for tree, seed in zip(self.trees, seeds, strict=True):
            each = _without_tree(self.first)
            each.random_state, each.tree_ = seed, tree
            if self.shares is not None:
                each.shares_ = self.shares[start : start + tree.node_count]
            start += tree.node_count
            estimators.append(each)
        expect(self.shares is None or self.shares.shape[0] == start, "shares of each node")
        return estimators


def check_tree(estimator: Any) -> None:
    """Refuse a decision tree, or a forest, whose trees do not fit its features."""
    if isinstance(estimator, BaseDecisionTree) and hasattr(estimator, "tree_"):
        tree, n_features = estimator.tree_, getattr(estimator, "n_features_in_", None)
        expect(type(tree) is Tree, "a tree")
        expect(type(n_features) is int and n_features == tree.n_features, "a tree of its features")
        shares = getattr(estimator, "shares_", None)
        expect(shares is None or shares.shape[0] == tree.node_count, "shares of each node")
    if isinstance(estimator, BaseForest) and hasattr(estimator, "estimators_"):
        trees, n_features = estimator.estimators_, getattr(estimator, "n_features_in_", None)
        expect(type(trees) is list and len(trees) > 0, "a list of trees")
        expect(type(n_features) is int, "a number of features")
        for each in trees:
            expect(isinstance(each, BaseDecisionTree) and hasattr(each, "tree_"), "fitted trees")
            check_tree(each)
            expect(each.n_features_in_ == n_features, "trees of the same features")


def check_histogram_trees(estimator: Any) -> None:
    """Refuse a histogram gradient boosting whose trees lead elsewhere."""
    if not isinstance(estimator, BaseHistGradientBoosting) or not hasattr(estimator, "_predictors"):
        return
    n_features: Any = getattr(estimator, "n_features_in_", None)
    mapper = estimator._bin_mapper
    expect(type(n_features) is int, "a number of features")
    if estimator._preprocessor is not None or np.any(mapper.is_categorical_):
        raise FileFormatError(
            "a histogram gradient boosting has categorical_features, whose tables cannot be "
            "checked: expected numbers alone",
            Remedy("trusted", [type_name(type(estimator))], "reads it, if you trust its origin"),
        )
    for tree in (tree for stage in estimator._predictors for tree in stage):
        expect(type(tree) is TreePredictor and is_array(tree.nodes), "histogram trees")
        nodes = tree.nodes
        expect(nodes.dtype == PREDICTOR_RECORD_DTYPE and nodes.ndim == 1, "nodes of a tree")
        expect(nodes.size > 0, "a node in each tree")
        inner = np.flatnonzero(nodes["is_leaf"] == 0)
        expect(within(nodes["feature_idx"][inner], n_features), f"one of {n_features} features")
        for side in ("left", "right"):
            child = nodes[side][inner].astype(np.int64)
            expect(bool(((child > inner) & (child < nodes.size)).all()), "children in the tree")
        expect(not nodes["is_categorical"].any(), "no splits by categories")


def is_array(value: object) -> bool:
    """Whether a value is an array of numbers and nothing else."""
    return type(value) is np.ndarray


def type_name(kind: type) -> str:
    """Return the full name of a type."""
    return f"{kind.__module__}.{kind.__qualname__}"


def with_attributes(like: Any, attributes: dict[str, Any]) -> Any:
    """Return an object of the same type that has these attributes."""
    kind: Any = type(like)
    new = kind.__new__(kind)
    vars(new).update(attributes)
    return new


def within(values: NDArray[Any], n: int) -> bool:
    """Whether all values are from 0 to n - 1."""
    return bool(((values >= 0) & (values < n)).all())


def expect(fulfilled: bool, what: str) -> None:
    """Refuse arrays that are not as expected."""
    if not fulfilled:
        raise FileFormatError(f"the arrays of the model are damaged: expected {what}")


def _without_tree(estimator: Any) -> Any:
    """Return a copy of a decision tree without what is its own."""
    shared = {name: value for name, value in vars(estimator).items() if name not in _OF_ONE_TREE}
    return with_attributes(estimator, {**shared, "random_state": None})


def _are_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two estimators have the same attributes."""

    def same(a: Any, b: Any) -> bool:
        if type(a) is not type(b):
            return False
        if isinstance(a, np.ndarray):
            return a.dtype == b.dtype and np.array_equal(a, b)
        return a is b or bool(a == b)

    return list(one) == list(other) and all(same(one[name], other[name]) for name in one)


def _structured(fields: dict[str, NDArray[Any]]) -> NDArray[Any]:
    """Return the nodes of all trees, as scikit-learn holds them."""
    kind = Tree(1, np.ones(1, np.intp), 1).__getstate__()["nodes"].dtype
    if {name: array.dtype for name, array in fields.items()} != {
        name: kind[name] for name in kind.names
    }:
        raise FileFormatError("its trees are those of another version of scikit-learn")
    nodes = np.empty(fields["left_child"].size, kind)
    for name, array in fields.items():
        expect(is_array(array) and array.shape == nodes.shape, f"{nodes.size} nodes")
        nodes[name] = array
    return nodes


def _checked_depths(
    nodes: NDArray[Any], n_nodes: NDArray[Any], n_features: int
) -> NDArray[np.int64]:
    """Return the depth of every node, where all trees are trees."""
    n = len(nodes)
    expect(is_array(n_nodes) and n_nodes.ndim == 1 and n_nodes.dtype.kind == "i", "sizes of trees")
    # Sizes are checked one by one as well: their sum could overflow.
    expect(within(n_nodes, n + 1) and bool(n_nodes.all()), "a node in each tree")
    expect(int(n_nodes.sum()) == n, "a node in each tree")
    roots = np.cumsum(n_nodes) - n_nodes
    root, end = np.repeat(roots, n_nodes), np.repeat(roots + n_nodes, n_nodes)
    inner = np.flatnonzero(nodes["left_child"] != -1)
    expect(within(nodes["feature"][inner], n_features), f"splits by one of {n_features} features")
    parent, n_parents = np.arange(n), np.zeros(n, np.int64)
    n_parents[roots] = 1
    for side in ("left_child", "right_child"):
        expect(within(nodes[side][inner], n), "children in the tree")
        child = root[inner] + nodes[side][inner]
        # Children come after their parents in all trees that scikit-learn grows: no cycles.
        expect(bool(((child > inner) & (child < end[inner])).all()), "children in the tree")
        np.add.at(n_parents, child, 1)
        parent[child] = inner
    expect(bool((n_parents == 1).all()), "one parent for each node")
    depth: NDArray[np.int64] = (parent != np.arange(n)).astype(np.int64)
    while (further := depth[parent]).any():  # each round doubles the steps upwards
        depth, parent = depth + further, parent[parent]
    return depth
