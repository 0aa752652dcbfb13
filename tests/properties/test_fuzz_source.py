"""Nothing in a file is ever executed: the source has no way to do it."""

import ast
from pathlib import Path

import pytest

import h2pc

SOURCE = Path(h2pc.__file__).parent
OF_WORKERS = "runs/shared.py"  # values of this program, packed for its own workers
MODULES = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "yaml"}
CALLS = {"eval", "exec", "compile", "__import__", "read_pickle", "unsafe_load", "joblib.load"}


def dangers(text: str) -> list[str]:
    """What in a source file could execute what a file holds."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] in MODULES]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names]
            found += [n for n in names if module.split(".")[0] in MODULES or n in CALLS]
        elif isinstance(node, ast.Call):
            found += _dangerous_call(node)
    return found


def _dangerous_call(node: ast.Call) -> list[str]:
    name = ast.unparse(node.func)
    last = name.rpartition(".")[2]
    if name in CALLS or last in {"read_pickle", "unsafe_load"}:
        return [name]
    allowed = {k.arg: ast.unparse(k.value) for k in node.keywords}.get("allow_pickle", "False")
    if name in {"np.load", "numpy.load"} and "allow_pickle" not in ast.unparse(node):
        return [f"{name} without allow_pickle=False"]
    return [] if allowed == "False" else [f"{name} with allow_pickle={allowed}"]


@pytest.mark.parametrize(
    "path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE))
)
def test_no_source_file_executes_what_a_file_holds(path):
    expected = ["pickle"] if path == SOURCE / OF_WORKERS else []

    assert dangers(path.read_text()) == expected


def test_what_unpacks_values_for_workers_reads_no_file():
    names = {
        getattr(node, "attr", getattr(node, "id", ""))
        for node in ast.walk(ast.parse((SOURCE / OF_WORKERS).read_text()))
    }

    assert "loads" in names
    assert not {"open", "load", "Path", "read", "read_bytes", "fromfile", "memmap"} & names


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "import yaml.loader",
        "from pickle import load",
        "from joblib import load",
        "joblib.load(path)",
        "pd.read_pickle(path)",
        "eval(text)",
        "exec(text)",
        "np.load(path)",
        "np.load(path, allow_pickle=True)",
        "np.lib.format.read_array(file, allow_pickle=True)",
    ],
)
def test_every_way_of_executing_a_file_would_be_found(text):
    assert dangers(text) != []


def test_what_is_harmless_is_not_found():
    harmless = (
        "import json, re\nre.compile('a')\nnp.load(path, allow_pickle=False)\njson.load(file)\n"
    )

    assert dangers(harmless) == []
