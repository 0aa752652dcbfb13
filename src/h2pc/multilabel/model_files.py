"""Fitted multi-label classifiers in files.

A file is that of skops: a zip of JSON and of arrays, which are read with ``allow_pickle=False``. It
names types, and only those that are trusted are imported (``trusted_types``). Indices that
compiled code will follow are checked (``stored_trees``). A file of unknown origin is refused, or at
worst a bad classifier.
"""

from __future__ import annotations

import io
import json
import os
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pydoc import locate
from typing import Any, TypeVar

import sklearn
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.utils.validation import check_is_fitted

from h2pc.errors import FileFormatError, H2pcWarning, Remedy, SettingError
from h2pc.io.files import whole_file
from h2pc.multilabel.base import MultiLabelClassifier
from h2pc.multilabel.stored_models import (
    restored_model,
    restored_value,
    stored_model,
    stored_value,
)
from h2pc.multilabel.stored_trees import expect, type_name
from h2pc.multilabel.trusted_types import own_types, untrusted_types
from h2pc.version import __version__

_T = TypeVar("_T")

FORMAT, VERSION = "h2pc-model", 3
_HEADER, _SCHEMA, _OLD_HEADER = "h2pc.json", "schema.json", "header.npy"
# A file may unpack to this: real models have a tenth of the ratio, zip bombs five times as much.
_MOST_RATIO, _ALWAYS = 200, 1 << 26
_EXPECTED = "expected a file of write_model"


def write_model(model: MultiLabelClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted multi-label classifier to a file, which appears whole or not at all.

    The file is that of `skops <https://skops.readthedocs.io>`_, a zip of JSON and arrays. Equal
    models of h2pc and scikit-learn give equal files, whatever the number of workers that fitted
    them.

    Parameters
    ----------
    model : BinaryRelevance, MinimalLabelPowersetClassifier, LabelPowerset, ClassifierChain, …
        A fitted multi-label classifier of h2pc, with any base classifier that skops can hold:
        those of scikit-learn and pipelines of them, those of LightGBM, and others that keep their
        state in attributes.
    path : path
        The file.

    Raises
    ------
    SettingError
        If the model, or a part of it, is of a kind that the file cannot hold.

    Notes
    -----
    ``n_jobs``, ``verbose``, ``progress``, ``checkpoint`` and ``memory`` are not kept, in no
    estimator of the model. Estimators among the parameters, such as ``base``, come back as they
    are before fitting.

    See Also
    --------
    read_model : Read the model back.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sklearn.linear_model import LogisticRegression
    >>> from h2pc import BinaryRelevance, read_model, write_model
    >>> X, Y = [[0], [1], [2], [3]] * 5, [[0, 0], [0, 0], [0, 1], [1, 1]] * 5
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.h2pc"
    >>> write_model(BinaryRelevance(LogisticRegression()).fit(X, Y), path)
    >>> read_model(path).predict([[1], [3]]).tolist()
    [[0, 0], [1, 1]]
    """
    kind = type(model)
    if not isinstance(model, MultiLabelClassifier) or type_name(kind) not in own_types():
        raise SettingError(
            f"model is of type {kind.__name__}: expected a multi-label classifier of h2pc"
        )
    check_is_fitted(model)
    _write(lambda: stored_model(model), path)


def read_model(path: str | os.PathLike[str], *, trusted: Iterable[str | type] = ()) -> Any:
    """Read a multi-label classifier from a file.

    Nothing in the file is executed. It may name types, and a type is imported only if it is one of
    h2pc or of scikit-learn, whose content is checked, or if ``trusted`` names it.

    Parameters
    ----------
    path : path
        The file.
    trusted : iterable of str or type, default=()
        Further types that the file may hold, such as ``"lightgbm.sklearn.LGBMClassifier"``. The
        error about a file with other types names them. Trust them if you trust the origin of the
        file: a type may do anything when it is made, and compiled code may follow indices of the
        file to anywhere in memory.

    Returns
    -------
    BinaryRelevance, MinimalLabelPowersetClassifier, LabelPowerset, ClassifierChain, …
        The fitted classifier. Its predictions and probabilities are those of the one that was
        written, bit for bit.

    Raises
    ------
    FileFormatError
        If the file is damaged, of another version, no model file at all, or holds types that are
        not trusted.

    Warns
    -----
    H2pcWarning
        If another version of scikit-learn wrote the file: predictions may differ.

    Notes
    -----
    Trees, histogram trees without categories, and sparse matrices are checked, node by node.
    Estimators of scikit-learn whose compiled code follows other fitted indices have to be trusted:
    support vector machines but ``LinearSVC``, neighbours, ``GradientBoostingClassifier``.

    See Also
    --------
    write_model : Write a model.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from h2pc import LabelPowerset, read_model, write_model
    >>> model = LabelPowerset(KNeighborsClassifier(1, algorithm="brute"))
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.h2pc"
    >>> write_model(model.fit([[0], [1]] * 5, [[0, 1], [1, 0]] * 5), path)
    >>> read_model(path, trusted=[KNeighborsClassifier]).predict([[1]]).tolist()
    [[1, 0]]
    """
    names = _names([trusted] if isinstance(trusted, str | type) else trusted)
    with open(path, "rb") as file:
        content = file.read()
    wrote = sklearn.__version__
    try:
        wrote, types = _checked(content)
        model = restored_model(_loaded(content, types, names), names)
    except Exception as error:  # whatever a file holds, it is read or refused
        raise _refusal(os.fspath(path), error, wrote) from None
    if wrote != sklearn.__version__:
        warnings.warn(
            f"{os.fspath(path)}: written with scikit-learn {wrote}, and this is "
            f"{sklearn.__version__}: predictions may differ; fit the model again to be sure",
            H2pcWarning,
            stacklevel=2,
        )
    return model


def write_parts(value: Any, path: str | os.PathLike[str]) -> None:
    """Write parts of a model to a file, which appears whole or not at all."""
    _write(lambda: stored_value(value), path)


def read_parts(path: str | os.PathLike[str], kind: type[_T], *, trusted: Iterable[str] = ()) -> _T:
    """Return the parts of a model of :func:`write_parts`, which must be of some type."""
    with open(path, "rb") as file:
        content = file.read()
    wrote = sklearn.__version__
    try:
        wrote, types = _checked(content)
        names = frozenset(trusted)
        value = restored_value(_loaded(content, types, names), names)
        expect(isinstance(value, kind), kind.__name__)
    except Exception as error:  # whatever a file holds, it is read or refused
        raise _refusal(os.fspath(path), error, wrote) from None
    found: _T = value
    return found


def _names(trusted: Iterable[str | type]) -> frozenset[str]:
    """Return the names of trusted types."""
    names = [type_name(each) if isinstance(each, type) else each for each in trusted]
    for name in names:
        if not isinstance(name, str):
            raise SettingError(f"trusted holds {name!r}: expected types, or their full names")
    return frozenset(names)


def _refusal(path: str, error: Exception, wrote: str) -> FileFormatError:
    """Return one sentence about a file that cannot be read."""
    if isinstance(error, FileFormatError):
        message, remedies = error.message, error.remedies
    else:
        message = f"the model file is damaged ({type(error).__name__}: {error}): {_EXPECTED}"
        remedies = ()
    if wrote != sklearn.__version__ and not remedies:
        message = (
            f"{message}; it was written with scikit-learn {wrote}, and this is "
            f"{sklearn.__version__}: fit the model again"
        )
    return FileFormatError(f"{path}: {message}", *remedies)


def _checked(content: bytes) -> tuple[str, set[str]]:
    """Return the version of scikit-learn that wrote a file, and the types that the file names."""
    if content[:4] != b"PK\x03\x04":
        raise FileFormatError(f"no model file: {_EXPECTED}")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        unpacked = sum(entry.file_size for entry in archive.infolist())
        most = max(_ALWAYS, _MOST_RATIO * len(content))
        if unpacked > most:
            raise FileFormatError(f"the file unpacks to {unpacked:,} bytes: expected {most:,}")
        if _OLD_HEADER in names:
            raise FileFormatError(
                f"a model file of an earlier version of h2pc, which h2pc {__version__} does not "
                f"read: fit the model again"
            )
        if _HEADER not in names or len(frozenset(names)) < len(names):
            raise FileFormatError(f"no model file: {_EXPECTED}")
        header = json.loads(archive.read(_HEADER))
        if header["format"] != FORMAT:
            raise FileFormatError(f"no model file: {_EXPECTED}")
        if header["version"] != VERSION:
            raise FileFormatError(
                f"a model file of version {header['version']!r}, by h2pc {header['h2pc']}: this is "
                f"h2pc {__version__}, expected version {VERSION}; fit the model again"
            )
        for name in names:
            # Everything is read, so that checksums are compared. Arrays alone: an archive inside
            # the archive could unpack to any size.
            is_array = archive.read(name).startswith(b"\x93NUMPY")
            if name not in (_HEADER, _SCHEMA) and not is_array:
                raise FileFormatError(f"{name!r} is no array: {_EXPECTED}")
        schema = json.loads(archive.read(_SCHEMA))
    return str(header["scikit-learn"]), set(_named_types(schema))


def _loaded(content: bytes, types: set[str], trusted: frozenset[str]) -> Any:
    """Return the plain values of a file, if all of its types are trusted."""
    from skops.io import get_untrusted_types, loads

    unknown = get_untrusted_types(data=content)
    if refused := untrusted_types(types, unknown, trusted):
        raise FileFormatError(
            f"the file holds types that are not trusted: {', '.join(refused)}",
            Remedy("trusted", refused, "reads it, if you trust its origin"),
        )
    with warnings.catch_warnings():
        # One warning of our own stands for one of each estimator.
        warnings.simplefilter("ignore", InconsistentVersionWarning)
        return loads(content, trusted=unknown)


def _write(plain: Callable[[], Any], path: str | os.PathLike[str]) -> None:
    """Write plain values to a file, which appears whole or not at all."""
    content = _packed(_dumped(plain))
    with whole_file(path) as file:
        file.write(content)


def _dumped(plain: Callable[[], Any]) -> bytes:
    """Return plain values as skops writes them."""
    from skops.io import dumps, get_untrusted_types

    try:
        content: bytes = dumps(plain())
        for name in get_untrusted_types(data=content):
            if locate(name) is None:
                raise TypeError(f"{name} cannot be imported")
    except Exception as error:  # any object may refuse to be stored, in its own way
        raise SettingError(
            f"the model cannot be written ({type(error).__name__}: {error}): expected estimators "
            f"and parameters that skops can hold"
        ) from None
    return content


def _packed(content: bytes) -> bytes:
    """Return a file of skops with a header, the same for equal models.

    skops names arrays by their addresses in memory, and notes the address of each object: the
    former are numbered, the latter left out.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    schema = json.loads(parts.pop(_SCHEMA))
    if other := [part for part in parts.values() if not part.startswith(b"\x93NUMPY")]:
        raise SettingError(
            f"the model cannot be written: it holds bytes, such as {other[0][:20]!r}, or a sparse "
            f"matrix that is compressed neither by rows nor by columns"
        )
    numbers: dict[bytes, str] = {}
    for state in _states(schema):
        if isinstance(state.get("__id__"), int):
            del state["__id__"]
        if isinstance(state.get("file"), str):
            array = parts[state["file"]]
            state["file"] = numbers.setdefault(array, f"{len(numbers)}.npy")
    header = {
        "format": FORMAT,
        "version": VERSION,
        "h2pc": __version__,
        "scikit-learn": sklearn.__version__,
    }
    # ASCII only: a name may hold half a character, which UTF-8 cannot.
    texts = {_HEADER: header, _SCHEMA: schema}
    entries = {
        name: json.dumps(text, separators=(",", ":")).encode() for name, text in texts.items()
    }
    entries |= {name: array for array, name in numbers.items()}
    unpacked = sum(map(len, entries.values()))
    packed = _zipped(entries, zipfile.ZIP_DEFLATED)
    if unpacked > max(_ALWAYS, _MOST_RATIO * len(packed)):
        return _zipped(entries, zipfile.ZIP_STORED)  # it would look like a zip bomb
    return packed


def _zipped(entries: dict[str, bytes], compression: int) -> bytes:
    """Return a zip of entries without dates."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return file.getvalue()


def _states(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects in a schema of skops, each before its parts."""
    if isinstance(schema, dict):
        if isinstance(schema.get("__loader__"), str):
            yield schema
        for part in schema.values():
            yield from _states(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _states(part)


def _named_types(schema: Any) -> Iterator[str]:
    """Yield the types that a schema names."""
    for state in _states(schema):
        yield f"{state.get('__module__')}.{state.get('__class__')}"
