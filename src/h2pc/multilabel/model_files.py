"""Fitted multi-label classifiers in files. There is no pickle: any file can be opened safely."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from h2pc.data.tables import default_names
from h2pc.errors import FileFormatError, H2pcError, SettingError
from h2pc.io.files import whole_file
from h2pc.multilabel import model_chains, model_powersets
from h2pc.multilabel.binary_relevance import BinaryRelevance
from h2pc.multilabel.classifier_chain import ClassifierChain
from h2pc.multilabel.label_powerset import LabelPowerset
from h2pc.multilabel.minimal_label_powerset import MinimalLabelPowersetClassifier
from h2pc.multilabel.model_archive import ModelArchive, write_archive
from h2pc.multilabel.model_forests import forest_settings, unfitted_forest
from h2pc.multilabel.model_header import (
    Fields,
    categories_of,
    frozen,
    plain,
    plain_categories,
    plain_structure,
    structure_of,
)
from h2pc.multilabel.multi_label import MultiLabelClassifier
from h2pc.multilabel.training_set import FeatureReader, TrainingSet, places

_KINDS: dict[str, type[MultiLabelClassifier]] = {
    kind.__name__: kind
    for kind in (BinaryRelevance, ClassifierChain, LabelPowerset, MinimalLabelPowersetClassifier)
}
_NOT_KEPT = ("n_jobs",)


def save_model(model: MultiLabelClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted multi-label classifier to a file, which appears whole or not at all.

    The file is a zip file of a JSON header and of NumPy arrays with their checksums. Equal models
    give equal files, whatever the number of workers that learned them.

    Parameters
    ----------
    model : BinaryRelevance, MinimalLabelPowersetClassifier, LabelPowerset or ClassifierChain
        A fitted classifier, whose base classifier is the default, or a
        :class:`CompactForestClassifier`.
    path : path
        The file.

    Raises
    ------
    SettingError
        If the model, or a parameter of it, is of a kind that the file cannot hold.

    Notes
    -----
    Numbers of workers and what is said while learning are no part of a model: ``n_jobs`` and
    ``verbose`` are at their defaults when it comes back.

    See Also
    --------
    load_model : Read it back.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from h2pc import BinaryRelevance
    >>> from h2pc.multilabel.model_files import load_model, save_model
    >>> X, Y = [[0], [1], [2], [3]] * 5, [[0, 0], [1, 0], [0, 1], [0, 0]] * 5
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.h2pc"
    >>> save_model(BinaryRelevance(random_state=0).fit(X, Y), path)
    >>> load_model(path).predict([[1], [2]]).tolist()
    [[1, 0], [0, 1]]
    """
    kind = type(model).__name__
    if _KINDS.get(kind) is not type(model):
        raise SettingError(f"model is of type {kind}: expected one of {', '.join(_KINDS)}")
    check_is_fitted(model)
    part: Any = model_chains if isinstance(model, ClassifierChain) else model_powersets
    header = {
        "kind": kind,
        "settings": _plain_settings(model),
        "labels": list(model.labels_),
        "features": list(_feature_names(model)),
        "has_names": hasattr(model, "feature_names_in_"),
        "categories": plain_categories(model._reader.categories),
        **part.header(model),
    }
    with whole_file(path) as file:
        write_archive(file, header, part.arrays(model))


def load_model(path: str | os.PathLike[str]) -> Any:
    """Read a multi-label classifier from a file.

    Nothing in the file is executed, and every number that could lead astray is checked. So a file
    of unknown origin is at worst refused, or a bad classifier.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    BinaryRelevance, MinimalLabelPowersetClassifier, LabelPowerset or ClassifierChain
        The fitted classifier. It tells labels and probabilities as the one that was saved, bit for
        bit.

    Raises
    ------
    FileFormatError
        If the file is damaged, of another version, or no model file at all.

    See Also
    --------
    save_model : Write it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from h2pc import LabelPowerset, load_model, save_model
    >>> model = LabelPowerset(random_state=0).fit([[0], [1]] * 5, [[0, 1], [1, 0]] * 5)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.h2pc"
    >>> save_model(model, path)
    >>> load_model(path).predict([[1]]).tolist()
    [[1, 0]]
    """
    with open(path, "rb") as file:
        try:
            return _restored(ModelArchive(file))
        except H2pcError as error:
            raise FileFormatError(f"{os.fspath(path)}: {error}") from None


def _restored(archive: ModelArchive) -> MultiLabelClassifier:
    """Return the model of an archive."""
    about = Fields(archive.header)
    model = _unfitted(about)
    labels, features = about.texts("labels"), about.texts("features")
    has_names = about.flag("has_names")
    if not labels or not features or not frozenset(labels).isdisjoint(features):
        raise FileFormatError("labels and features are not apart: expected some of each")
    if not has_names and features != default_names(len(features)):
        raise FileFormatError("the features have strange names: expected those of an array")
    categories = categories_of(about.children("categories"), features)
    by_name, targets = tuple(sorted(features)), tuple(sorted(labels))
    if has_names:
        model.feature_names_in_ = np.array(features, object)
    model.n_features_in_ = len(features)
    model.labels_ = labels
    model.classes_ = np.tile([0, 1], (len(labels), 1))
    model._reader = FeatureReader(categories, places(by_name, features))
    training = TrainingSet(None, np.empty((0, len(labels))), by_name, targets, categories)
    part: Any = model_chains if isinstance(model, ClassifierChain) else model_powersets
    part.restore(model, about, archive, training)
    archive.check_all_read()
    return model


def _plain_settings(model: MultiLabelClassifier) -> dict[str, Any]:
    """Return the parameters of a model as plain values."""
    settings = model.get_params(deep=False)
    base, structure = settings.pop("base"), settings.pop("structure", None)
    kept = {name: plain(name, settings[name]) for name in sorted(settings) if name not in _NOT_KEPT}
    kept["base"] = None if base is None else forest_settings("base", base)
    if not isinstance(model, ClassifierChain):
        kept["structure"] = plain_structure(structure)
    return kept


def _unfitted(about: Fields) -> MultiLabelClassifier:
    """Return a model with the parameters of a file."""
    kind, settings = _KINDS[about.text("kind", _KINDS)], about.child("settings")
    expected = frozenset(kind().get_params(deep=False)).difference(_NOT_KEPT)
    if settings.values.keys() != expected:
        raise FileFormatError(f"strange settings: expected {', '.join(sorted(expected))}")
    base = settings.optional("base")
    found = {name: frozen(value) for name, value in settings.values.items()}
    found["base"] = None if base is None else unfitted_forest(base)
    if "structure" in expected:
        found["structure"] = structure_of(settings.optional("structure"))
    for name, value in found.items():
        if isinstance(value, dict):
            raise FileFormatError(f"the setting {name!r} is an object: expected none")
    return kind(**found)


def _feature_names(model: MultiLabelClassifier) -> tuple[str, ...]:
    """Return the names of the features; those of the columns of an array, if they have none."""
    return tuple(getattr(model, "feature_names_in_", default_names(model.n_features_in_)))


def feature_levels(model: MultiLabelClassifier) -> dict[str, tuple[Any, ...]]:
    """Return the levels that a fitted model knows of the features that are no numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> from h2pc import BinaryRelevance
    >>> from h2pc.multilabel.model_files import feature_levels
    >>> X = pd.DataFrame({"depth": [1.5, 0.5], "ground": ["sand", "rock"]})
    >>> feature_levels(BinaryRelevance().fit(X, [[0], [1]]))
    {'ground': ('rock', 'sand')}
    """
    levels = model._reader.categories.levels
    return {} if levels is None else dict(zip(levels.names, levels.states, strict=True))
