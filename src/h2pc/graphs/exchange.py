"""Other libraries that graphs and networks are exchanged with."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def optional_module(module: str, extra: str) -> Any:
    """Import a module of a library that comes with an extra of h2pc."""
    try:
        return import_module(module)
    except ImportError as error:
        hint = f"This needs {module.partition('.')[0]}: pip install 'h2pc[{extra}]'."
        raise ImportError(hint, name=module) from error
