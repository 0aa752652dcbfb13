"""What the package promises as a whole: quick import, true examples, no leftovers."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import h2pc

MODULES = sorted(module.name for module in pkgutil.walk_packages(h2pc.__path__, "h2pc."))


def test_importing_the_package_loads_neither_pandas_nor_scikit_learn():
    heavy = ("pandas", "polars", "sklearn", "scipy", "matplotlib", "networkx", "rich")
    code = f"import h2pc, sys; print([m for m in {heavy} if m in sys.modules])"

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("name", sorted(set(h2pc.__all__) - {"__version__"}))
def test_every_public_name_is_found_and_documented(name):
    assert getattr(h2pc, name).__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="attribute nothing"):
        _ = h2pc.nothing


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_are_true(name):
    module = importlib.import_module(name)

    failures, _ = doctest.testmod(module)

    assert failures == 0
