"""Classifiers of powersets in model files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from h2pc.errors import FileFormatError
from h2pc.multilabel import label_graph
from h2pc.multilabel.label_classes import LabelClasses
from h2pc.multilabel.model_archive import ModelArchive
from h2pc.multilabel.model_forests import forest_arrays, forest_header, restored_forest
from h2pc.multilabel.model_header import Fields, dag_of, plain_dag
from h2pc.multilabel.powerset_classifier import PowersetClassifier
from h2pc.multilabel.powerset_model import PowersetModel, can_be_told
from h2pc.multilabel.training_set import Columns, Names, TrainingSet, places


def header(model: PowersetClassifier) -> dict[str, Any]:
    """Return what such a classifier adds to the header; powersets follow from the graph."""
    return {
        "dag": None if model.dag_ is None else plain_dag(model.dag_),
        "models": [
            {} if isinstance(each.classifier, DummyClassifier) else _forest_header(each)
            for each in model.models_
        ],
    }


def arrays(model: PowersetClassifier) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays of the classifier of each powerset."""
    for number, each in enumerate(model.models_):
        yield f"{number}/columns", each.features.astype("<i4")
        yield f"{number}/combinations", each.classes.combinations.astype("|i1")
        if isinstance(each.classifier, DummyClassifier):
            yield f"{number}/prior", each.classifier.class_prior_.astype("<f8")
        else:
            for name, array in forest_arrays(each.classifier):
                yield f"{number}/{name}", array


def restore(model: Any, about: Fields, archive: ModelArchive, training: TrainingSet) -> None:
    """Give a model what it had learned; ``training`` has the names, and no samples."""
    graph = about.optional("dag")
    if graph is None and model._always_needs_structure:
        raise FileFormatError("no graph in the header: expected one for this kind of model")
    model.dag_ = None if graph is None else dag_of(graph)
    model.powersets_ = model._powersets(training.targets, model.dag_)
    model.label_graph_ = model.boundaries_ = None
    if model.dag_ is not None:
        model.label_graph_ = label_graph(model.dag_, training.targets)
        model.boundaries_ = model._boundaries(model.dag_, training)
    parts = about.children("models")
    if len(parts) != len(model.powersets_):
        raise FileFormatError(
            f"{len(parts)} classifiers in the header: expected {len(model.powersets_)}, one for "
            f"each powerset"
        )
    model.models_ = [
        _restored_model(str(number), part, archive, powerset, training)
        for number, (part, powerset) in enumerate(zip(parts, model.powersets_, strict=True))
    ]
    model.combinations_ = [each.classes.combinations for each in model.models_]


def _forest_header(model: PowersetModel) -> dict[str, Any]:
    """Return all of the forest of a powerset that is no array."""
    return forest_header("the classifier of a powerset", model.classifier)


def _restored_model(
    place: str, about: Fields, archive: ModelArchive, powerset: Names, training: TrainingSet
) -> PowersetModel:
    """Return the model of a powerset, whose arrays are at a place of their own."""
    columns = _columns(archive.array(f"{place}/columns", "<i4"), len(training.features))
    classes = _classes(archive.array(f"{place}/combinations", "|i1", len(powerset)))
    labels = places(powerset, training.targets)
    if can_be_told(classes, columns):
        numbers = np.arange(len(classes))
        forest = restored_forest(about, archive, place, columns.size, numbers)
        return PowersetModel(columns, labels, classes, forest)
    prior = _prior(archive.array(f"{place}/prior", "<f8"), len(classes))
    return PowersetModel(columns, labels, classes, _by_frequency(prior, columns.size))


def _columns(columns: NDArray[Any], n_features: int) -> Columns:
    """Return columns that exist, each once."""
    inside = bool((columns >= 0).all() and (columns < n_features).all())
    if not inside or np.unique(columns).size < columns.size:
        raise FileFormatError(f"the columns of a model are strange: expected some of {n_features}")
    return columns.astype(np.intp)


def _classes(combinations: NDArray[Any]) -> LabelClasses:
    """Return different combinations of zeros and ones, in their order."""
    binary = bool(((combinations == 0) | (combinations == 1)).all())
    found, _ = LabelClasses.of(combinations)
    if not len(found) or not binary or not np.array_equal(found.combinations, combinations):
        raise FileFormatError("the combinations of labels are damaged: expected sorted zeros, ones")
    return found


def _prior(prior: NDArray[Any], n_classes: int) -> NDArray[np.float64]:
    """Return how frequent the combinations are."""
    if prior.size != n_classes or not (prior >= 0).all() or not abs(prior.sum() - 1) < 1e-6:
        raise FileFormatError("the frequencies of combinations are damaged: expected a sum of 1")
    return prior.astype(np.float64)


def _by_frequency(prior: NDArray[np.float64], n_features: int) -> DummyClassifier:
    """Return what tells the most frequent combination, fitted."""
    codes = np.arange(prior.size)
    classifier = DummyClassifier(strategy="prior").fit(np.zeros((prior.size, 1)), codes)
    classifier.n_features_in_, classifier.class_prior_ = n_features, prior
    return classifier
