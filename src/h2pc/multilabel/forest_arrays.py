"""Fitted forests as arrays, and back.

Compiled code of scikit-learn follows the indices in trees without checking them. Arrays may come
from a file of unknown origin, so that all indices are checked here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack
from sklearn.tree._tree import Tree

from h2pc.errors import FileFormatError
from h2pc.multilabel.compact_forest import CompactForestClassifier, CompactTree

Arrays = dict[str, NDArray[Any]]

_NODE = "node_"


def forest_arrays(forest: CompactForestClassifier) -> Arrays:
    """Return a fitted forest as arrays, its trees one after the other."""
    trees = [each.tree_ for each in forest.estimators_]
    shares = vstack([each.shares_ for each in forest.estimators_], format="csr")
    nodes = np.concatenate([tree.__getstate__()["nodes"] for tree in trees])
    drawn = -1 if forest._n_samples_bootstrap is None else forest._n_samples_bootstrap
    arrays = {
        **{f"{_NODE}{field}": nodes[field] for field in nodes.dtype.names or ()},
        "n_nodes": np.array([tree.node_count for tree in trees]),
        "seeds": np.array([each.random_state for each in forest.estimators_]),
        "shares": shares.data,
        "classes": shares.indices.astype(np.int32),
        "first": shares.indptr.astype(np.int64),
        "sizes": np.array([forest.estimators_[0].max_features_, forest._n_samples, drawn]),
    }
    weights = getattr(forest, "_sample_weight", None)
    return arrays if weights is None else {**arrays, "weights": weights}


def restored_forest(
    forest: CompactForestClassifier,
    arrays: Arrays,
    n_features: int,
    classes: NDArray[Any],
    version: str,
) -> CompactForestClassifier:
    """Return a forest, fitted as its arrays say; ``version`` of scikit-learn made them."""
    nodes, n_nodes, seeds = _nodes(arrays, version), arrays["n_nodes"], arrays["seeds"].tolist()
    depths = _checked_depths(nodes, n_nodes, n_features)
    shares = _shares(arrays, len(nodes), len(classes))
    max_features, n_samples, n_drawn = arrays["sizes"].tolist()
    forest.n_features_in_, forest.n_outputs_ = n_features, 1
    forest.classes_, forest.n_classes_ = classes, len(classes)
    forest._n_samples, forest._n_samples_bootstrap = n_samples, None if n_drawn < 0 else n_drawn
    forest._sample_weight = arrays.get("weights")
    forest.estimator_ = CompactTree()
    forest.estimators_ = []
    settings = {name: getattr(forest, name) for name in forest.estimator_params}
    for seed, size, end in zip(seeds, n_nodes.tolist(), np.cumsum(n_nodes).tolist(), strict=True):
        own = slice(end - size, end)
        tree = CompactTree(**{**settings, "random_state": seed})
        tree.n_features_in_, tree.n_outputs_, tree.max_features_ = n_features, 1, max_features
        tree.classes_ = np.arange(len(classes), dtype=np.float64)
        tree.n_classes_ = np.int64(len(classes))
        tree.tree_ = Tree(n_features, np.ones(1, np.intp), 1)
        tree.tree_.__setstate__(
            {
                "max_depth": int(depths[own].max()),
                "node_count": size,
                "nodes": nodes[own],
                "values": np.zeros((size, 1, 1)),
            }
        )
        tree.shares_ = shares[own]
        forest.estimators_.append(tree)
    return forest


def within(values: NDArray[Any], n: int) -> bool:
    """Whether all values are from 0 to n - 1."""
    return bool(((values >= 0) & (values < n)).all())


def expect(fulfilled: bool, what: str) -> None:
    """Refuse arrays that are not as expected."""
    if not fulfilled:
        raise FileFormatError(f"the arrays of the model are damaged: expected {what}")


def _nodes(arrays: Arrays, version: str) -> NDArray[Any]:
    """Return the nodes of all trees, as scikit-learn holds them."""
    kind = Tree(1, np.ones(1, np.intp), 1).__getstate__()["nodes"].dtype
    given = {name.removeprefix(_NODE): a for name, a in arrays.items() if name.startswith(_NODE)}
    if {name: a.dtype for name, a in given.items()} != {name: kind[name] for name in kind.names}:
        raise FileFormatError(
            f"its trees are those of scikit-learn {version}, and this is {sklearn.__version__}: "
            f"expected the same version; fit the model again"
        )
    nodes = np.empty(given["left_child"].size, kind)
    for name, array in given.items():
        expect(array.shape == nodes.shape, f"{nodes.size} nodes")
        nodes[name] = array
    return nodes


def _shares(arrays: Arrays, n_nodes: int, n_classes: int) -> csr_array:
    """Return the share of each class in each node, which only leaves have."""
    shares, classes, first = arrays["shares"], arrays["classes"], arrays["first"]
    # scipy checks less: it overflows where numbers are far apart.
    expect(shares.dtype == np.float64 and shares.ndim == 1, "shares of classes")
    expect(classes.dtype == np.int32 and classes.shape == shares.shape, "a class for each share")
    expect(within(classes, n_classes), f"{n_classes} classes")
    expect(first.dtype == np.int64 and first.shape == (n_nodes + 1,), "shares of each node")
    expect(within(first, shares.size + 1) and first[0] == 0, "shares of each node")
    expect(bool((first[1:] >= first[:-1]).all()), "shares in the order of the nodes")
    return csr_array((shares, classes, first), (n_nodes, n_classes))


def _checked_depths(
    nodes: NDArray[Any], n_nodes: NDArray[Any], n_features: int
) -> NDArray[np.int64]:
    """Return the depth of every node, where all trees are trees."""
    n = len(nodes)
    expect(n_nodes.ndim == 1 and n_nodes.dtype.kind == "i", "sizes of trees")
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
