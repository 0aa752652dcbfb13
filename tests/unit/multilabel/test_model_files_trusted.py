"""Model files: nothing that a file names is executed; files of other kinds are refused."""

import json
import sys
from io import BytesIO

import numpy as np
import pytest
import skops.io
from sklearn.naive_bayes import GaussianNB

from h2pc import (
    H2PC,
)
from h2pc.errors import FileFormatError
from h2pc.multilabel import model_files
from h2pc.multilabel.model_files import _packed, read_model
from h2pc.multilabel.trusted_types import own_types
from unit.multilabel.label_samples import X, Y
from unit.multilabel.model_bytes import bytes_of, entries, loaded, npy, stump, with_schema, zipped


@pytest.fixture(scope="module")
def stump_file(tmp_path_factory):
    return bytes_of(stump(), tmp_path_factory.mktemp("stump"))


HARMFUL = """
from pathlib import Path

Path({path!r}).touch()

def harm(*_):
    Path({path!r}).touch()

class Harmful:
    __init__ = __setstate__ = harm
"""
JSON = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "content": "[]"}
NOTHING = {
    "__class__": "dict",
    "__module__": "builtins",
    "__loader__": "DictNode",
    "content": {},
    "key_types": {**JSON, "__class__": "list", "__loader__": "ListNode", "content": []},
}


@pytest.mark.parametrize(
    "state",
    [
        {"__loader__": "ObjectNode", "content": NOTHING},
        {"__loader__": "ConstructorFromReduceNode", "content": JSON},
        {"__loader__": "TypeNode"},
        {"__loader__": "FunctionNode", "__class__": "harm"},
        {"__loader__": "DictNode", "content": {}, "key_types": JSON},
        {"__loader__": "ListNode", "content": []},
        {"__loader__": "TupleNode", "content": []},
        {"__loader__": "LossNode", "__reduce__": {"args": JSON}, "content": NOTHING},
        {"__loader__": "NdArrayNode", "type": "numpy", "file": "0.npy"},
        {"__loader__": "MethodNode", "content": {"func": "harm", "obj": JSON}},
    ],
    ids=lambda state: state["__loader__"],
)
def test_nothing_that_a_file_names_is_imported_or_executed(
    tmp_path, monkeypatch, stump_file, state
):
    executed = tmp_path / "executed"
    (tmp_path / "harmful.py").write_text(HARMFUL.format(path=str(executed)))
    monkeypatch.syspath_prepend(tmp_path)

    def change(schema):
        schema["content"]["content"]["more_"] = {
            "__module__": "harmful",
            "__class__": "Harmful",
            **state,
        }
        schema["content"]["key_types"]["content"].append(
            {"__class__": "str", "__module__": "builtins", "__loader__": "TypeNode"}
        )

    with pytest.raises(FileFormatError, match=r"harmful|MethodNode|damaged"):
        loaded(with_schema(stump_file, change), tmp_path)
    assert not executed.exists()
    assert "harmful" not in sys.modules


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("os", "system"),
        ("builtins", "eval"),
        ("h2pc.io.files", "replace_file"),
        ("h2pc.runs.cells", "CellStore"),
        ("h2pc.data.dataset", "Dataset"),
        ("h2pc.multilabel.data_files", "read_multilabel"),
        ("sklearn.tree._tree", "Tree"),
        ("scipy.sparse._csr", "csr_array"),
        ("joblib.memory", "Memory"),
    ],
)
def test_functions_and_types_that_could_do_more_than_hold_values_are_not_trusted(
    tmp_path, stump_file, module, name
):
    def change(schema):
        schema["content"]["content"]["base"] = {
            "__module__": module,
            "__class__": name,
            "__loader__": "ConstructorFromReduceNode",
            "content": JSON,
        }

    with pytest.raises(FileFormatError, match=f"not trusted: {module}.{name};"):
        loaded(with_schema(stump_file, change), tmp_path)


def test_own_types_that_a_file_may_name_hold_values_and_nothing_else():
    names = own_types()
    assert {
        "h2pc.learners.hybrid.H2PC",
        "h2pc.multilabel.classifiers.BinaryRelevance",
        "h2pc.multilabel.powerset_model.PowersetModel",
    } <= names
    for name in names:
        module, _, kind = name.rpartition(".")
        assert module.startswith(("h2pc.multilabel.", "h2pc.learners."))
        found = getattr(sys.modules[module], kind)
        assert isinstance(found, type)
        own = [base for base in found.__mro__ if base.__module__.startswith("h2pc.")]
        for base in own:
            assert not {"__reduce__", "__reduce_ex__", "__del__"} & vars(base).keys(), name
            state = vars(base).get("__setstate__")
            assert state is None or state.__module__ == "dataclasses", name


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"version": 4, "h2pc": "9.1"}, r"version 4, by h2pc 9\.1: this is h2pc .*fit the model"),
        ({"version": None}, "version None"),
        ({"format": "h2pc-network"}, "no model file"),
    ],
)
def test_headers_of_other_files_and_versions_are_refused(tmp_path, stump_file, bad, sentence):
    parts = entries(stump_file)
    header = {**json.loads(parts["h2pc.json"]), **bad}

    with pytest.raises(FileFormatError, match=sentence):
        loaded(zipped({**parts, "h2pc.json": json.dumps(header)}), tmp_path)


def test_a_header_that_lacks_something_is_refused(tmp_path, stump_file):
    parts = entries(stump_file)
    header = json.loads(parts["h2pc.json"])
    for name in header.keys() - {"h2pc"}:
        rest = {key: value for key, value in header.items() if key != name}

        with pytest.raises(FileFormatError, match=name):
            loaded(zipped({**parts, "h2pc.json": json.dumps(rest)}), tmp_path)


def test_files_of_the_format_before_are_refused_in_a_sentence(tmp_path):
    header = npy(np.frombuffer(b'{"format": "h2pc-model", "version": 2}', np.uint8))

    with pytest.raises(
        FileFormatError, match=r"of an earlier version of h2pc.*fit the model again"
    ):
        loaded(zipped({"header.npy": header, "0/columns.npy": npy(np.arange(2))}), tmp_path)


def with_header(text):
    return zipped({"h2pc.json": text})


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no model file"),
        (b"PK\x05\x06", "no model file"),
        (b"PK\x03\x04", "damaged"),
        (b"nonsense" * 1000, "no model file"),
        (npy(np.arange(3)), "no model file"),
        (zipped({"model.json": b"{}"}), "no model file"),
        (with_header(b"[]"), "damaged"),
        (with_header(b"{"), "damaged"),
        (with_header(b"\xff"), "damaged"),
        (with_header(b"[" * 100_000), "damaged"),
        (with_header(b"9" * 10_000), "damaged"),
        (with_header(b'{"format": "h2pc-model", "version": 3}'), "damaged"),
    ],
    ids=range(12),
)
def test_files_that_are_no_models_are_refused(tmp_path, content, sentence):
    with pytest.raises(FileFormatError, match=sentence):
        loaded(content, tmp_path)


@pytest.mark.parametrize("schema", [b"[]", b"{", b"{}", b"7", b'{"protocol": 99}', b"[" * 100_000])
def test_schemas_that_are_damaged_are_refused(tmp_path, stump_file, schema):
    with pytest.raises(FileFormatError, match="damaged"):
        loaded(zipped({**entries(stump_file), "schema.json": schema}), tmp_path)


def test_a_file_of_something_else_is_refused(tmp_path):
    for other in ([1, 2], GaussianNB().fit(X, Y["cat"]), H2PC()):
        with pytest.raises(FileFormatError, match="a multi-label classifier"):
            loaded(_packed(skops.io.dumps(other)), tmp_path)


def test_zip_bombs_are_refused_before_they_go_off(tmp_path, stump_file):
    bomb = zipped({"h2pc.json": b"x", "more.npy": bytes((1 << 26) + 1)})
    with pytest.raises(FileFormatError, match=r"unpacks to .* bytes: expected 67,108,864"):
        loaded(bomb, tmp_path)

    inner = BytesIO()
    np.savez_compressed(inner, data=np.zeros(1 << 20))
    with pytest.raises(FileFormatError, match=r"'more.npy' is no array"):
        loaded(zipped({**entries(stump_file), "more.npy": inner.getvalue()}), tmp_path)


def test_a_model_that_compresses_like_a_bomb_is_written_without_compression(tmp_path, monkeypatch):
    monkeypatch.setattr(model_files, "_ALWAYS", 1000)
    model = stump()
    model.background_ = np.zeros(1 << 20)

    assert len(bytes_of(model, tmp_path)) > 1 << 23
    assert loaded(bytes_of(model, tmp_path), tmp_path).background_.size == 1 << 20


def test_nothing_is_unpickled(tmp_path, stump_file):
    class Bomb:
        def __reduce__(self):
            return (tmp_path / "executed").touch, ()

    pickled = npy(np.array([Bomb()], object), allow_pickle=True)
    parts = entries(stump_file)
    for name in parts.keys() - {"h2pc.json", "schema.json"}:
        with pytest.raises(FileFormatError, match="allow_pickle=False"):
            loaded(zipped({**parts, name: pickled}), tmp_path)
    with pytest.raises(FileFormatError):
        loaded(pickled, tmp_path)
    assert not (tmp_path / "executed").exists()


def test_an_array_that_is_missing_is_named(tmp_path, stump_file):
    parts = entries(stump_file)
    for name in parts.keys() - {"h2pc.json"}:
        rest = {key: part for key, part in parts.items() if key != name}

        with pytest.raises(FileFormatError, match=name):
            loaded(zipped(rest), tmp_path)


def test_a_file_that_is_absent_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_model(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        read_model(tmp_path)
