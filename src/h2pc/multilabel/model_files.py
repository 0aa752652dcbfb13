"""Fitted multi-label classifiers in files.

A file is NumPy's ``.npz``: a header of JSON, and arrays, read with ``allow_pickle=False``. No code
and no name of a type that would be imported is in it, so nothing in a file is ever executed.
Indices are checked (``forest_arrays``), since compiled code will follow them. A file of unknown
origin is refused, or at worst a bad classifier.
"""

from __future__ import annotations

import json
import os
from math import isfinite
from typing import IO, Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn import multioutput
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils.validation import check_is_fitted

from h2pc.data import Dataset
from h2pc.data.tables import default_names
from h2pc.errors import FileFormatError, SettingError
from h2pc.graphs import Dag
from h2pc.io.files import whole_file
from h2pc.learners.hybrid import H2PC, MMHC
from h2pc.multilabel.base import MultiLabelClassifier
from h2pc.multilabel.chain import ClassifierChain
from h2pc.multilabel.classifiers import (
    BinaryRelevance,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from h2pc.multilabel.compact_forest import CompactForestClassifier
from h2pc.multilabel.forest_arrays import Arrays, expect, forest_arrays, restored_forest, within
from h2pc.multilabel.powerset_classifier import PowersetClassifier
from h2pc.multilabel.powerset_model import PowersetModel
from h2pc.multilabel.training_set import Categories, FeatureReader, TrainingSet, places
from h2pc.version import __version__

Header = dict[str, Any]

FORMAT, VERSION = "h2pc-model", 2
_HEADER = "header"
# A file may unpack to this: real models have a tenth of the ratio, zip bombs five times as much.
_MOST_RATIO, _ALWAYS = 200, 1 << 26
_NOT_KEPT = ("n_jobs", "verbose", "progress", "checkpoint")
"""Parameters that do not change a model."""

_CLASSIFIERS: dict[str, type[MultiLabelClassifier]] = {
    kind.__name__: kind
    for kind in (BinaryRelevance, ClassifierChain, LabelPowerset, MinimalLabelPowersetClassifier)
}
_ESTIMATORS: dict[str, Any] = {
    kind.__name__: kind for kind in (H2PC, MMHC, CompactForestClassifier)
}
"""Estimators that may be parameters of a model."""


def write_model(model: MultiLabelClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted multi-label classifier to a file, which appears whole or not at all.

    The file is a compressed ``.npz`` of NumPy, with a header of JSON. Equal models give equal
    files, whatever the number of workers that fitted them.

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
    ``n_jobs``, ``verbose``, ``progress`` and ``checkpoint`` are not kept.

    See Also
    --------
    read_model : Read the model back.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from h2pc import BinaryRelevance, read_model, write_model
    >>> X, Y = [[0], [1], [2], [3]] * 5, [[0, 0], [1, 0], [0, 1], [0, 0]] * 5
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.h2pc"
    >>> write_model(BinaryRelevance(random_state=0).fit(X, Y), path)
    >>> read_model(path).predict([[1], [2]]).tolist()
    [[1, 0], [0, 1]]
    """
    kind = type(model).__name__
    if _CLASSIFIERS.get(kind) is not type(model):
        raise SettingError(f"model is of type {kind}: expected one of {', '.join(_CLASSIFIERS)}")
    check_is_fitted(model)
    levels = model._reader.categories.levels
    categories = () if levels is None else [(n, model.categories_[n]) for n in levels.columns]
    header: Header = {
        "format": FORMAT,
        "version": VERSION,
        "h2pc": __version__,
        "scikit-learn": sklearn.__version__,
        "kind": kind,
        "settings": _plain_settings(kind, model),
        "labels": list(model.labels_),
        "features": list(getattr(model, "feature_names_in_", ())),
        "n_features": model.n_features_in_,
        "categories": _plain("a level of a category", categories),
    }
    fitted, arrays = _fitted_parts(model)
    # ASCII only: a name may hold half a character, which UTF-8 cannot.
    text = json.dumps({**header, **fitted}, allow_nan=False, separators=(",", ":"))
    with whole_file(path) as file:
        contents: Any = {_HEADER: np.frombuffer(text.encode("ascii"), np.uint8), **arrays}
        np.savez_compressed(file, **contents)


def read_model(path: str | os.PathLike[str]) -> Any:
    """Read a multi-label classifier from a file.

    Nothing in the file is executed, so that a file of unknown origin is safe to open.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    BinaryRelevance, MinimalLabelPowersetClassifier, LabelPowerset or ClassifierChain
        The fitted classifier. Its predictions and probabilities are those of the one that was
        written, bit for bit.

    Raises
    ------
    FileFormatError
        If the file is damaged, of another version, or no model file at all.

    See Also
    --------
    write_model : Write a model.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from h2pc import LabelPowerset, read_model, write_model
    >>> model = LabelPowerset(random_state=0).fit([[0], [1]] * 5, [[0, 1], [1, 0]] * 5)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.h2pc"
    >>> write_model(model, path)
    >>> read_model(path).predict([[1]]).tolist()
    [[1, 0]]
    """
    with open(path, "rb") as file:
        try:
            return _restored(*_contents(file))
        except FileFormatError as error:
            raise FileFormatError(f"{os.fspath(path)}: {error}") from None
        except Exception as error:  # whatever a file holds, it is read or refused
            raise FileFormatError(
                f"{os.fspath(path)}: the model file is damaged ({type(error).__name__}: {error}): "
                f"expected a file of write_model"
            ) from None


def _contents(file: IO[bytes]) -> tuple[Header, Arrays]:
    """Return the header and the arrays of a file, of a version that we know."""
    expected = "expected a file of write_model"
    if file.read(4) != b"PK\x03\x04":
        raise FileFormatError(f"no model file: {expected}")
    most = max(_ALWAYS, _MOST_RATIO * file.seek(0, os.SEEK_END))
    file.seek(0)
    with np.load(file, allow_pickle=False) as archive:
        unpacked = sum(entry.file_size for entry in archive.zip.infolist())
        if unpacked > most:
            raise FileFormatError(f"the file unpacks to {unpacked:,} bytes: expected {most:,}")
        if _HEADER not in archive:
            raise FileFormatError(f"no model file: {expected}")
        header = json.loads(archive[_HEADER].tobytes())
        if header["format"] != FORMAT:
            raise FileFormatError(f"no model file: {expected}")
        if header["version"] != VERSION:
            raise FileFormatError(
                f"a model file of version {header['version']!r}, by h2pc {header['h2pc']}: this is "
                f"h2pc {__version__}, expected version {VERSION}; fit the model again"
            )
        return header, {name: archive[name] for name in archive if name != _HEADER}


def _restored(header: Header, arrays: Arrays) -> MultiLabelClassifier:
    """Return the model of a header and its arrays."""
    model = _CLASSIFIERS[header["kind"]](**_settings(header["settings"]))
    labels, n_features = tuple(header["labels"]), header["n_features"]
    features = tuple(header["features"]) or default_names(n_features)
    names = frozenset((*labels, *features))
    distinct = len(names) == len(labels) + n_features and all(isinstance(n, str) for n in names)
    if not labels or not distinct:
        raise FileFormatError("labels and features are damaged: expected distinct names")
    if header["features"]:
        model.feature_names_in_ = np.array(features, object)
    model.n_features_in_ = n_features
    model.labels_ = labels
    model.classes_ = np.tile([0, 1], (len(labels), 1))
    categories = _categories(header["categories"], features)
    by_name = tuple(sorted(features))
    model._reader = FeatureReader(categories, places(by_name, features))
    training = TrainingSet(None, np.empty(0), by_name, tuple(sorted(labels)), categories)
    if isinstance(model, PowersetClassifier):
        _restore_powersets(model, header, arrays, training)
    elif isinstance(model, ClassifierChain):
        _restore_chain(model, header, arrays, training)
    return model


def _fitted_parts(model: Any) -> tuple[Header, Arrays]:
    """Return what a fitted model consists of; the rest follows from its graph."""
    header: Header
    inputs: list[Arrays]
    arrays: Arrays = {}
    if isinstance(model, PowersetClassifier):
        header = {"dag": _plain("dag_", model.dag_)}
        classifiers = [each.classifier for each in model.models_]
        inputs = [{"columns": m.features, "combinations": m.combinations} for m in model.models_]
    else:
        header = {"order": list(model.order_)}
        arrays["constant"] = model._constant
        classifiers = [] if model.chain_ is None else model.chain_.estimators_
        inputs = [{} for _ in classifiers]
    header["forests"] = []
    for number, (classifier, parts) in enumerate(zip(classifiers, inputs, strict=True)):
        if isinstance(classifier, DummyClassifier):
            header["forests"].append(None)
            parts["prior"] = classifier.class_prior_
        else:
            header["forests"].append(_plain_settings("the base classifier", classifier))
            parts |= forest_arrays(classifier)
        arrays |= {f"{number}/{name}": array for name, array in parts.items()}
    return header, arrays


def _restore_powersets(
    model: PowersetClassifier, header: Header, arrays: Arrays, training: TrainingSet
) -> None:
    """Give a model what it had learned; ``training`` has the names, and no samples."""
    model.dag_ = _value(header["dag"])
    model._set_powersets(training)
    model.models_ = []
    for number, powerset in enumerate(model.powersets_):
        parts = _parts(arrays, number)
        columns, combinations = parts["columns"].astype(np.intp), parts["combinations"]
        expect(columns.ndim == 1 and within(columns, len(training.features)), "known columns")
        expect(combinations.dtype == np.int8 and within(combinations, 2), "labels 0 and 1")
        expect(combinations.shape[1:] == (len(powerset),) and combinations.size > 0, "labels")
        combinations.flags.writeable = False
        classes = np.arange(len(combinations))
        classifier = _restored_classifier(header, number, parts, columns.size, classes)
        labels = places(powerset, training.targets)
        model.models_.append(PowersetModel(columns, labels, combinations, classifier))
    expect(len(header["forests"]) == len(model.models_), "a classifier for each powerset")
    model.combinations_ = [each.combinations for each in model.models_]


def _restore_chain(
    model: ClassifierChain, header: Header, arrays: Arrays, training: TrainingSet
) -> None:
    """Give a chain what it had learned; ``training`` has the names, and no samples."""
    model.order_ = tuple(header["order"])
    places(model.order_, training.targets)  # all of them are labels
    model._constant = arrays["constant"]
    expect(model._constant.shape == (len(training.targets),), "a constant for each label")
    expect(model._constant.dtype == np.float64, "a number for each label")
    expect(len(header["forests"]) == len(model.order_), "a classifier for each label")
    n_features, both = len(training.features), np.arange(2, dtype=np.int8)
    forests = [
        _restored_classifier(header, number, _parts(arrays, number), n_features + number, both)
        for number in range(len(model.order_))
    ]
    model.chain_ = None
    if forests:
        model.chain_ = multioutput.ClassifierChain(clone(forests[0]))
        model.chain_.n_features_in_ = n_features
        model.chain_.order_ = np.arange(len(forests))
        model.chain_.estimators_ = forests
        model.chain_.chain_method_ = "predict"
        model.chain_.classes_ = [forest.classes_ for forest in forests]


def _restored_classifier(
    header: Header, number: int, parts: Arrays, n_features: int, classes: NDArray[Any]
) -> Any:
    """Return a fitted forest, or the classifier that predicts the most frequent class."""
    settings = header["forests"][number]
    if settings is not None:
        forest = CompactForestClassifier(**_settings(settings))
        return restored_forest(forest, parts, n_features, classes, header["scikit-learn"])
    prior = parts["prior"]
    expect(prior.dtype == np.float64 and prior.shape == classes.shape, "a frequency for each class")
    classifier = DummyClassifier(strategy="prior")
    classifier.fit(np.zeros((classes.size, n_features)), classes)
    classifier.class_prior_ = prior
    return classifier


def _plain_settings(what: str, estimator: Any) -> Header:
    """Return the parameters of an estimator as JSON can hold them."""
    settings = estimator.get_params(deep=False)
    return {
        name: _plain(f"{name} of {what}", settings[name])
        for name in sorted(settings)
        if name not in _NOT_KEPT
    }


def _plain(what: str, value: Any) -> Any:
    """Return a value as JSON can hold it: graphs and estimators by their parts."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, list | tuple):
        return [_plain(what, each) for each in value]
    if isinstance(value, Dag):
        return {"Dag": {"names": list(value.names), "edges": _plain(what, value.named_edges)}}
    kind = type(value).__name__
    if _ESTIMATORS.get(kind) is type(value) and not getattr(value, "oob_score", False):
        return {kind: _plain_settings(kind, value)}
    raise SettingError(
        f"{what} is {value!r}: a model file holds numbers, words, graphs, H2PC, MMHC and "
        f"CompactForestClassifier without oob_score"
    )


def _value(plain: Any) -> Any:
    """Return the value that was written by ``_plain``; lists as tuples."""
    if isinstance(plain, list):
        return tuple(map(_value, plain))
    if not isinstance(plain, dict):
        return plain
    [(kind, parts)] = plain.items()
    if kind == "Dag":
        return Dag.from_edges(parts["names"], parts["edges"])
    return _ESTIMATORS[kind](**_settings(parts))


def _settings(plain: Header) -> Header:
    """Return the parameters of an estimator."""
    return {name: _value(value) for name, value in plain.items() if name not in _NOT_KEPT}


def _categories(plain: list[Any], features: tuple[str, ...]) -> Categories:
    """Return the levels of the features that are no numbers."""
    if not plain:
        return Categories(None)
    names, states = zip(*plain, strict=True)
    places(names, features)  # all of them are features
    codes = np.zeros((len(names), 1), np.int64)
    return Categories(Dataset.from_codes(codes, names=names, states=states))


def _parts(arrays: Arrays, number: int) -> Arrays:
    """Return the arrays of one classifier."""
    prefix = f"{number}/"
    own = (name for name in arrays if name.startswith(prefix))
    return {name.removeprefix(prefix): arrays[name] for name in own}
