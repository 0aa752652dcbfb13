"""Forests as arrays, and back: every index is checked, since compiled code will follow it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.tree._tree import Tree

from h2pc.errors import FileFormatError, SettingError
from h2pc.multilabel.compact_forest import CompactForestClassifier, CompactTree
from h2pc.multilabel.model_archive import ModelArchive
from h2pc.multilabel.model_header import Fields, check_settings, plain_settings

Arrays = dict[str, NDArray[Any]]

_NODES = {
    "left": ("left_child", "<i4"),
    "right": ("right_child", "<i4"),
    "feature": ("feature", "<i4"),
    "threshold": ("threshold", "<f8"),
    "impurity": ("impurity", "<f8"),
    "samples": ("n_node_samples", "<i4"),
    "weight": ("weighted_n_node_samples", "<f8"),
    "missing_left": ("missing_go_to_left", "|u1"),
}
"""What is kept of every node: the name that scikit-learn has for it, and the type in the file."""

_OTHERS = {
    "sizes": "<i4",  # nodes of every tree
    "seeds": "<i8",  # the random state of every tree
    "n_classes": "<i4",  # of every node: none unless it is a leaf
    "classes": "<i4",
    "shares": "<f8",
}

_NOT_KEPT = ("n_jobs", "verbose")
"""Settings of how one works, not of what comes out."""

_LEAF, _NO_FEATURE = -1, -2


def check_forest(what: str, classifier: object) -> None:
    """Refuse classifiers that a file cannot hold."""
    if type(classifier) is not CompactForestClassifier:
        raise SettingError(
            f"{what} is of type {type(classifier).__name__}: expected the default forest, or a "
            f"CompactForestClassifier, in a model to save"
        )
    if classifier.oob_score:
        raise SettingError(f"{what} has oob_score: expected none in a model to save")


def forest_settings(what: str, forest: CompactForestClassifier) -> dict[str, Any]:
    """Return the parameters of a forest as plain values."""
    check_forest(what, forest)
    return plain_settings(what, forest, _NOT_KEPT)


def unfitted_forest(about: Fields) -> CompactForestClassifier:
    """Return a forest with the parameters of a file."""
    settings = check_settings(about, CompactForestClassifier(), _NOT_KEPT)
    forest = CompactForestClassifier(**settings)
    try:
        check_forest("a forest", forest)
        forest._validate_params()
    except ValueError:
        raise FileFormatError("a forest has settings that make no sense: expected others") from None
    return forest


def forest_header(what: str, forest: CompactForestClassifier) -> dict[str, Any]:
    """Return all of a fitted forest that is no array."""
    drawn = forest._n_samples_bootstrap
    return {
        "settings": forest_settings(what, forest),
        "n_samples": int(forest._n_samples),
        "n_drawn": None if drawn is None else int(drawn),
        "max_features": int(forest.estimators_[0].max_features_),
        "has_weights": _sample_weight(forest) is not None,
    }


def forest_arrays(forest: CompactForestClassifier) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays of a fitted forest, its trees one after the other."""
    trees = forest.estimators_
    nodes = np.concatenate([tree.tree_.__getstate__()["nodes"] for tree in trees])
    if {*(nodes.dtype.names or ())} != {field for field, _ in _NODES.values()}:
        raise SettingError("scikit-learn has new kinds of trees: expected an older one, to save")
    shares = [tree.shares_ for tree in trees]
    others = {
        "sizes": [tree.tree_.node_count for tree in trees],
        "seeds": [tree.random_state for tree in trees],
        "n_classes": np.concatenate([np.diff(each.indptr) for each in shares]),
        "classes": np.concatenate([each.indices for each in shares]),
        "shares": np.concatenate([each.data for each in shares]),
    }
    for name, (field, dtype) in _NODES.items():
        yield name, nodes[field].astype(dtype)
    for name, dtype in _OTHERS.items():
        yield name, np.asarray(others[name]).astype(dtype)
    weights = _sample_weight(forest)
    if weights is not None:
        yield "weights", weights.astype("<f8")


def restored_forest(
    about: Fields, archive: ModelArchive, place: str, n_features: int, classes: NDArray[Any]
) -> CompactForestClassifier:
    """Return a forest that was saved, and whose arrays are at a place of their own."""
    types = {name: dtype for name, (_, dtype) in _NODES.items()} | _OTHERS
    arrays = {name: archive.array(f"{place}/{name}", dtype) for name, dtype in types.items()}
    forest = unfitted_forest(about.child("settings"))
    depths = _checked_depths(arrays, forest.n_estimators, n_features)
    _check_shares(arrays, len(classes))
    forest.n_features_in_, forest.n_outputs_ = n_features, 1
    forest.classes_, forest.n_classes_ = classes, len(classes)
    forest._n_samples = about.count("n_samples")
    forest._n_samples_bootstrap = about.count("n_drawn", optional=True)
    forest._sample_weight = _restored_weights(about, archive, place)
    forest.estimator_ = CompactTree()
    about_trees = {name: getattr(forest, name) for name in forest.estimator_params}
    max_features = about.count("max_features")
    forest.estimators_ = []
    for t, (tree, shares) in enumerate(_trees(arrays, depths, n_features, len(classes))):
        made = CompactTree(**{**about_trees, "random_state": int(arrays["seeds"][t])})
        made.n_features_in_, made.n_outputs_, made.max_features_ = n_features, 1, max_features
        made.classes_ = np.arange(len(classes), dtype=np.float64)
        made.n_classes_ = np.int64(len(classes))
        made.tree_, made.shares_ = tree, shares
        forest.estimators_.append(made)
    return forest


def _sample_weight(forest: CompactForestClassifier) -> Any:
    """Return the weights that class weights give to samples, if scikit-learn remembers them."""
    return getattr(forest, "_sample_weight", None)


def _restored_weights(about: Fields, archive: ModelArchive, place: str) -> Any:
    """Return the weights of the samples in training, if there are any."""
    if not about.flag("has_weights"):
        return None
    n, weights = about.count("n_samples"), archive.array(f"{place}/weights", "<f8")
    _expect(weights.size == n and bool((weights >= 0).all()), f"weights of {n} samples")
    return weights.astype(np.float64)


def _trees(
    arrays: Arrays, depths: NDArray[np.int64], n_features: int, n_classes: int
) -> Iterator[tuple[Any, csr_array]]:
    """Yield every tree, and the shares of the classes in its leaves."""
    kind = Tree(1, np.ones(1, np.intp), 1).__getstate__()["nodes"].dtype
    nodes = np.zeros(arrays["left"].size, kind)
    for name, (field, _) in _NODES.items():
        nodes[field] = arrays[name]
    first = np.concatenate(([0], np.cumsum(arrays["n_classes"], dtype=np.int64)))
    begin = 0
    for size in arrays["sizes"].tolist():
        end = begin + size
        tree = Tree(n_features, np.ones(1, np.intp), 1)
        tree.__setstate__(
            {
                "max_depth": int(depths[begin:end].max()),
                "node_count": size,
                "nodes": nodes[begin:end],
                "values": np.zeros((size, 1, 1)),
            }
        )
        rows = first[begin : end + 1]
        part = slice(rows[0], rows[-1])
        cells = arrays["shares"][part], arrays["classes"][part].astype(np.int64), rows - rows[0]
        yield tree, csr_array(cells, (size, n_classes))
        begin = end


def _checked_depths(arrays: Arrays, n_trees: int, n_features: int) -> NDArray[np.int64]:
    """Return the depth of every node, where all trees are trees."""
    sizes = arrays["sizes"].astype(np.int64)
    n = int(sizes.sum())
    _expect(sizes.size == n_trees == arrays["seeds"].size, f"{n_trees} trees")
    _expect(bool((sizes > 0).all()), "a node in every tree")
    _expect(bool((arrays["seeds"] >= 0).all() and (arrays["seeds"] < 2**32).all()), "seeds")
    _expect(all(arrays[name].size == n for name in (*_NODES, "n_classes")), f"{n} nodes")
    inner = arrays["left"] != _LEAF
    _expect(bool((inner == (arrays["right"] != _LEAF)).all()), "two children or none")
    feature = arrays["feature"]
    known = np.where(inner, (feature >= 0) & (feature < n_features), feature == _NO_FEATURE)
    _expect(bool(known.all()), f"splits by one of {n_features} features")
    _expect(not np.isnan(arrays["threshold"]).any(), "thresholds")
    _expect(bool(np.isfinite(arrays["impurity"]).all() and np.isfinite(arrays["weight"]).all()))
    _expect(bool((arrays["samples"] >= 0).all() and (arrays["missing_left"] <= 1).all()))
    return _depths(_parents(arrays, inner, sizes))


def _parents(
    arrays: Arrays, inner: NDArray[np.bool_], sizes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the parent of every node, counted through all trees; roots are their own."""
    roots = np.cumsum(sizes) - sizes
    root, size = np.repeat(roots, sizes), np.repeat(sizes, sizes)
    nodes = np.flatnonzero(inner)
    parent = np.arange(inner.size)
    n_parents = np.zeros(inner.size, np.int64)
    n_parents[roots] = 1
    for side in ("left", "right"):
        child = arrays[side][nodes].astype(np.int64)
        # Children come after their parents in all trees that scikit-learn grows: no cycles.
        inside = (child > nodes - root[nodes]) & (child < size[nodes])
        _expect(bool(inside.all()), "children after their parents")
        child += root[nodes]
        np.add.at(n_parents, child, 1)
        parent[child] = nodes
    _expect(bool((n_parents == 1).all()), "one parent for every node")
    return parent


def _depths(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how far the root is from every node: each step doubles how far one looks up."""
    depth: NDArray[np.int64] = (parent != np.arange(parent.size)).astype(np.int64)
    while True:
        further = depth[parent]
        if not further.any():
            return depth
        depth += further
        parent = parent[parent]


def _check_shares(arrays: Arrays, n_classes: int) -> None:
    """Refuse leaves without classes, classes that do not exist, and shares that are none."""
    counts, classes, shares = arrays["n_classes"], arrays["classes"], arrays["shares"]
    _expect(bool((np.where(arrays["left"] == _LEAF, counts > 0, counts == 0)).all()), "full leaves")
    _expect(
        int(counts.sum(dtype=np.int64)) == classes.size == shares.size, "a share for each class"
    )
    _expect(bool((classes >= 0).all() and (classes < n_classes).all()), f"{n_classes} classes")
    leaf = np.repeat(np.arange(counts.size, dtype=np.int64), counts)
    _expect(bool((np.diff(leaf * n_classes + classes) > 0).all()), "each class once in a leaf")
    _expect(bool(((shares > 0) & (shares <= 1)).all()), "shares above 0 and up to 1")


def _expect(fulfilled: bool, what: str = "finite numbers") -> None:
    """Refuse trees that are not as expected."""
    if not fulfilled:
        raise FileFormatError(f"the trees of a forest are damaged: expected {what}")
