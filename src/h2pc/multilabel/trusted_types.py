"""Which types a model file may name: their construction stores values and does nothing else.

A file names types, and skops imports a type, calls it, or sets its attributes, if the type is
trusted. Types of h2pc are trusted by the rule of :func:`own_types`, types of scikit-learn, NumPy
and scipy by skops; of scikit-learn only the modules of ``ALLOWED``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import FunctionType
from typing import Any

from sklearn.base import BaseEstimator

from h2pc import learners, multilabel
from h2pc.learners.parameters import Parameters
from h2pc.multilabel.stored_trees import type_name

CHECKED = frozenset(
    {
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
        "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
        "sklearn.utils._bunch.Bunch",
    }
)
"""Plain Python that skops does not trust: trees that are checked after reading, and values."""

ALLOWED = (
    "sklearn._loss",
    "sklearn.compose",
    "sklearn.decomposition._incremental_pca",
    "sklearn.decomposition._pca",
    "sklearn.decomposition._truncated_svd",
    "sklearn.discriminant_analysis",
    "sklearn.dummy",
    "sklearn.ensemble._bagging",
    "sklearn.ensemble._forest",
    "sklearn.ensemble._hist_gradient_boosting",
    "sklearn.ensemble._stacking",
    "sklearn.ensemble._voting",
    "sklearn.ensemble._weight_boosting",
    "sklearn.feature_selection",
    "sklearn.frozen",
    "sklearn.impute",
    "sklearn.linear_model",
    "sklearn.model_selection",
    "sklearn.multiclass",
    "sklearn.multioutput",
    "sklearn.naive_bayes",
    "sklearn.neural_network",
    "sklearn.pipeline",
    "sklearn.preprocessing",
    "sklearn.random_projection",
    "sklearn.svm._classes.LinearSVC",
    "sklearn.tree._classes",
    "sklearn.utils._bunch",
)
"""Modules that predict by NumPy and Python, or by trees that are checked after reading.

This is how their algorithms work; their sources have not been audited line by line.
Others follow fitted indices in compiled code: libsvm, neighbours, gradient boosting with trees of
regression, isolation forests, clusters.
"""


@cache
def own_types() -> frozenset[str]:
    """Return the names of h2pc's own types that a file may hold.

    These are estimators of ``h2pc.multilabel`` and ``h2pc.learners``, and frozen data classes and
    named tuples of ``h2pc.multilabel`` whose ``__init__`` is the generated one. All of them store
    what they are given, and have no ``__setstate__`` or ``__reduce__`` of their own.
    """
    values = {type_name(kind) for kind in _classes_of(multilabel) if _is_plain_value(kind)}
    estimators = {
        type_name(kind)
        for package in (multilabel, learners)
        for kind in _classes_of(package)
        if issubclass(kind, BaseEstimator | Parameters)
    }
    return frozenset(values | estimators)


def untrusted_types(
    named: Iterable[str], unknown: Iterable[str], trusted: Iterable[str]
) -> list[str]:
    """Return the types of a file that nobody trusts, sorted.

    ``named`` are all types of the file, and ``unknown`` those that skops does not trust.
    """
    others = {
        name
        for name in named
        if name.startswith("sklearn.")
        and not any(name == module or name.startswith(f"{module}.") for module in ALLOWED)
    }
    return sorted((others | frozenset(unknown)) - own_types() - CHECKED - frozenset(trusted))


def _classes_of(package: Any) -> Iterator[type]:
    """Yield the classes that the modules of a package define."""
    for found in iter_modules(package.__path__, f"{package.__name__}."):
        for value in vars(import_module(found.name)).values():
            if isinstance(value, type) and value.__module__ == found.name:
                yield value


def _is_plain_value(kind: type) -> bool:
    """Whether a class is a frozen data class or a named tuple that stores what it is given."""
    if is_dataclass(kind):
        init: Any = kind.__init__
        # A generated __init__ has no line of a file.
        generated = isinstance(init, FunctionType) and init.__code__.co_filename == "<string>"
        params = kind.__dataclass_params__  # type: ignore[attr-defined]
        return bool(params.frozen) and generated and not hasattr(kind, "__post_init__")
    return issubclass(kind, tuple) and hasattr(kind, "_fields")
