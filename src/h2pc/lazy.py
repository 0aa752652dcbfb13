"""Names of packages that are imported when they are first used."""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any


def resolved(package: str, home: Mapping[str, str], name: str) -> Any:
    """Return what a package calls by a name, from the module that is its home.

    For the ``__getattr__`` of a package: nothing is imported before it is used.
    """
    if name not in home:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    value = getattr(import_module(home[name]), name)
    setattr(sys.modules[package], name, value)
    return value
