"""Classifier chains in model files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import multioutput
from sklearn.base import clone

from h2pc.errors import FileFormatError
from h2pc.multilabel.classifier_chain import ClassifierChain
from h2pc.multilabel.model_archive import ModelArchive
from h2pc.multilabel.model_forests import forest_arrays, forest_header, restored_forest
from h2pc.multilabel.model_header import Fields
from h2pc.multilabel.training_set import TrainingSet, places


def header(model: ClassifierChain) -> dict[str, Any]:
    """Return what a chain adds to the header."""
    return {
        "order": list(model.order_),
        "models": [forest_header("a classifier of the chain", each) for each in _forests(model)],
    }


def arrays(model: ClassifierChain) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays of the classifier of each label that varies, and of what is constant."""
    yield "constant", model._constant.astype("|i1")
    for number, forest in enumerate(_forests(model)):
        for name, array in forest_arrays(forest):
            yield f"{number}/{name}", array


def restore(model: Any, about: Fields, archive: ModelArchive, training: TrainingSet) -> None:
    """Give a chain what it had learned; ``training`` has the names, and no samples."""
    model.order_ = about.texts("order")
    if not frozenset(training.targets).issuperset(model.order_):
        raise FileFormatError("the order of the chain has strange labels: expected known ones")
    constant = archive.array("constant", "|i1")
    if constant.size != len(training.targets) or not ((constant == 0) | (constant == 1)).all():
        raise FileFormatError("the constant labels are damaged: expected zeros and ones")
    model._constant = constant.astype(np.float64)
    model._chained = places(model.order_, training.targets)
    parts = about.children("models")
    if len(parts) != len(model.order_):
        raise FileFormatError(f"{len(parts)} classifiers: expected {len(model.order_)}")
    n_features, both = len(training.features), np.arange(2, dtype=np.int8)
    forests = [
        restored_forest(part, archive, str(number), n_features + number, both)
        for number, part in enumerate(parts)
    ]
    model.chain_ = _chain(forests, n_features) if forests else None


def _chain(forests: list[Any], n_features: int) -> Any:
    """Return scikit-learn's chain of fitted forests."""
    chain = multioutput.ClassifierChain(clone(forests[0]))
    chain.n_features_in_ = n_features
    chain.order_ = np.arange(len(forests))
    chain.estimators_ = forests
    chain.chain_method_ = "predict"
    chain.classes_ = [forest.classes_ for forest in forests]
    return chain


def _forests(model: ClassifierChain) -> list[Any]:
    """Return the classifiers from the first label to the last."""
    return [] if model.chain_ is None else model.chain_.estimators_
