"""Fitted models as plain values, and back.

What compiled code would follow blindly is held as arrays by a stand-in, and made anew from them
once they have been checked: trees, sparse matrices, graphs, levels. Parameters that do not change
a model are not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, fields, is_dataclass
from inspect import signature
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble._forest import BaseForest
from sklearn.tree import BaseDecisionTree
from sklearn.tree._tree import Tree

from h2pc.data import Dataset
from h2pc.graphs import Dag, Skeleton
from h2pc.multilabel.base import MultiLabelClassifier
from h2pc.multilabel.blended_classifier import BlendedClassifier
from h2pc.multilabel.powerset_model import PowersetModel
from h2pc.multilabel.stored_trees import (
    SPARSE,
    StoredForest,
    StoredSparse,
    StoredTree,
    StoredTrees,
    check_histogram_trees,
    check_tree,
    expect,
    is_array,
    type_name,
    with_attributes,
    within,
)
from h2pc.multilabel.training_set import Categories

NOT_KEPT = ("n_jobs", "verbose", "progress", "checkpoint", "memory")
"""Parameters that do not change a model; two of them say where an estimator writes files."""


@dataclass(frozen=True, eq=False)
class StoredGraph:
    """A graph, by its names and edges."""

    names: tuple[str, ...]
    edges: list[tuple[int, int]]
    is_directed: bool

    @classmethod
    def of(cls, graph: Dag | Skeleton) -> Self:
        """Return a graph by its names and edges."""
        return cls(graph.names, list(graph.edges), isinstance(graph, Dag))

    def original(self) -> Dag | Skeleton:
        """Return the graph; cycles and unknown variables are refused."""
        if self.is_directed:
            return Dag.from_edges(self.names, self.edges)
        return Skeleton(self.names, self.edges)


@dataclass(frozen=True, eq=False)
class StoredCategories:
    """The levels of the features that are no numbers."""

    names: tuple[str, ...]
    states: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, categories: Categories) -> Self:
        """Return the levels, features in the order of their columns."""
        levels = categories.levels
        if levels is None:
            return cls((), ())
        by_name = dict(zip(levels.names, levels.states, strict=True))
        return cls(levels.columns, tuple(by_name[name] for name in levels.columns))

    def original(self) -> Categories:
        """Return the levels as they are used."""
        if not self.names:
            return Categories(None)
        codes = np.zeros((len(self.names), 1), np.int64)
        return Categories(Dataset.from_codes(codes, names=self.names, states=self.states))


_STAND_INS = (
    StoredCategories,
    StoredForest,
    StoredGraph,
    StoredSparse,
    StoredTree,
    StoredTrees,
)


def stored_model(model: MultiLabelClassifier) -> Any:
    """Return a copy of a fitted model that consists of plain values.

    Estimators among its parameters are held as they are before fitting.
    """
    parameters = {
        name: clone(value)
        for name, value in model.get_params(deep=False).items()
        if isinstance(value, BaseEstimator)
    }
    return stored_value(with_attributes(model, {**vars(model), **parameters}))


def restored_value(stored: Any, trusted: frozenset[str]) -> Any:
    """Return what plain values stand for, where all that compiled code follows is checked."""

    def restored(value: Any) -> Any:
        new = _with_parts(value, restored)
        if isinstance(new, _STAND_INS):
            return new.original()
        if isinstance(new, BaseEstimator):
            _forget(new)
            check_tree(new)
            if type_name(type(new)) not in trusted:
                check_histogram_trees(new)
        return new

    return restored(stored)


def restored_model(stored: Any, trusted: frozenset[str]) -> MultiLabelClassifier:
    """Return the model of plain values, whose labels and features are known ones."""
    model: Any = restored_value(stored, trusted)
    expect(isinstance(model, MultiLabelClassifier), "a multi-label classifier")
    labels = model.labels_
    expect(type(labels) is tuple and len(labels) > 0, "labels")
    expect(all(type(name) is str for name in labels), "names of labels")
    expect(len(frozenset(labels)) == len(labels), "distinct labels")
    expect(type(model.n_features_in_) is int, "a number of features")
    if hasattr(model, "models_"):
        _check_powersets(model)
    found: MultiLabelClassifier = model
    return found


def _check_powerset(model: PowersetModel, n_features: int, n_labels: int) -> None:
    """Refuse a model of labels or features that are not among so many, and such parts of it."""
    columns, labels, combinations = model.features, model.labels, model.combinations
    for places, n in ((columns, n_features), (labels, n_labels)):
        expect(is_array(places) and places.dtype == np.intp, "known columns")
        expect(places.ndim == 1 and within(places, n), "known columns")
    expect(is_array(combinations) and combinations.dtype == np.int8, "labels 0 and 1")
    expect(within(combinations, 2) and combinations.size > 0, "labels 0 and 1")
    expect(combinations.shape[1:] == labels.shape, "labels of each combination")
    combinations.flags.writeable = False
    blend = model.classifier
    if isinstance(blend, BlendedClassifier):
        parts = blend.parts if blend.joint is None else (*blend.parts, blend.joint)
        expect(len(parts) > 0, "a blend of models")
        for part in parts:
            expect(isinstance(part, PowersetModel), "a blend of models")
            _check_powerset(part, columns.size, labels.size)
        expect(np.array_equal(blend.combinations, combinations), "the combinations of the model")


def _check_powersets(model: Any) -> None:
    """Refuse models of powersets of unknown labels or features."""
    for each in (each for each in model.models_ if isinstance(each, PowersetModel)):
        _check_powerset(each, model.n_features_in_, len(model.labels_))
    if hasattr(model, "combinations_"):  # one copy is enough
        model.combinations_ = [each.combinations for each in model.models_]


def stored_value(value: Any) -> Any:
    """Return a value with stand-ins for what a file does not hold."""
    if type(value) is Tree:
        return StoredTree(StoredTrees.of([value]))
    if type(value) in (Dag, Skeleton):
        return StoredGraph.of(value)
    if type(value) is Categories:
        return StoredCategories.of(value)
    if SPARSE.get(type(value).__name__) is type(value):
        return StoredSparse.of(value)
    if isinstance(value, StoredForest):  # its trees have been taken out
        trees, shares = StoredTrees.of(value.trees), stored_value(value.shares)
        return StoredForest(stored_value(value.first), value.seeds, trees, shares)
    if isinstance(value, BaseEstimator):
        value = _with_forest(value)
        new = _with_parts(value, stored_value)
        if new is not value:
            _forget(new)
        return new
    return _with_parts(value, stored_value)


def _with_forest(estimator: Any) -> Any:
    """Return a forest with one stand-in for all its trees; other estimators as they are."""
    trees = getattr(estimator, "estimators_", None) if isinstance(estimator, BaseForest) else None
    if not isinstance(trees, list) or not all(isinstance(t, BaseDecisionTree) for t in trees):
        return estimator
    forest = StoredForest.of(trees) if trees else None
    if forest is None:
        return estimator
    return with_attributes(estimator, {**vars(estimator), "estimators_": forest})


def _with_parts(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Return a copy of a value whose parts are converted: of containers, estimators, values."""
    kind: Any = type(value)
    if kind in (list, tuple, set):
        return kind(map(convert, value))
    if isinstance(value, dict):
        new = copy(value)
        for key, part in value.items():
            new[key] = convert(part)
        return new
    if kind is np.ndarray:
        if value.dtype != object:
            return value
        parts = np.empty(value.size, object)
        for place, part in enumerate(value.reshape(-1)):  # parts may be lists
            parts[place] = convert(part)
        return parts.reshape(value.shape)
    is_known = isinstance(value, BaseEstimator) or kind.__module__.startswith(("h2pc.", "sklearn."))
    # Compiled objects are more than their attributes, and say so.
    is_compiled = kind.__reduce__ is not object.__reduce__ or not hasattr(value, "__dict__")
    if not is_known or is_compiled:
        return value
    attributes = vars(value)
    if is_dataclass(kind) and not isinstance(value, BaseEstimator):  # without what is cached
        attributes = {field.name: getattr(value, field.name) for field in fields(kind)}
    return with_attributes(value, {name: convert(part) for name, part in attributes.items()})


def _forget(estimator: Any) -> None:
    """Set the parameters that are not kept to their defaults."""
    parameters = signature(type(estimator).__init__).parameters
    for name in NOT_KEPT:
        if name in parameters and name in vars(estimator):
            vars(estimator)[name] = parameters[name].default
