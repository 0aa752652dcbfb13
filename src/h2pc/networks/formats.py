"""One reader and one writer for all formats, chosen by the file's name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from h2pc.errors import SettingError
from h2pc.networks.bif import read_bif
from h2pc.networks.bif_writing import write_bif
from h2pc.networks.dot import write_dot
from h2pc.networks.json_files import read_json, write_json
from h2pc.networks.network import BayesianNetwork
from h2pc.networks.xmlbif import write_xmlbif
from h2pc.networks.xmlbif_reading import read_xmlbif

_Action = TypeVar("_Action")
_READERS: dict[str, Callable[[str | os.PathLike[str]], BayesianNetwork]] = {
    ".bif": read_bif,
    ".json": read_json,
    ".xml": read_xmlbif,
    ".xmlbif": read_xmlbif,
}
_WRITERS: dict[str, Callable[[BayesianNetwork, str | os.PathLike[str]], None]] = {
    ".bif": write_bif,
    ".dot": write_dot,
    ".json": write_json,
    ".xml": write_xmlbif,
    ".xmlbif": write_xmlbif,
}


def read_network(path: str | os.PathLike[str]) -> BayesianNetwork:
    """Read a network from ``.bif``, ``.json`` or ``.xml`` (XMLBIF), also with ``.gz``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc.networks import load_network, read_network, write_network
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "asia.bif"
    >>> write_network(load_network("asia"), path)
    >>> read_network(path)
    BayesianNetwork(8 variables, 8 edges, 18 parameters)
    """
    return _for_ending(path, _READERS, "read")(path)


def write_network(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network as ``.bif``, ``.json``, ``.xml`` (XMLBIF) or ``.dot``, also with ``.gz``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc.networks import load_network, write_network
    >>> write_network(load_network("asia"), pathlib.Path(tempfile.mkdtemp()) / "asia.dot")
    """
    _for_ending(path, _WRITERS, "written")(network, path)


def _for_ending(path: str | os.PathLike[str], actions: dict[str, _Action], verb: str) -> _Action:
    """Return the action for the ending of a file's name, ``.gz`` aside."""
    name = Path(path).name.lower().removesuffix(".gz")
    action = actions.get(Path(name).suffix)
    if action is None:
        known = ", ".join(actions)
        raise SettingError(f"{os.fspath(path)!r}: files that can be {verb} end in {known}.")
    return action
