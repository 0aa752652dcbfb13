"""One reader and one writer for all formats, chosen by the file's name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from h2pc import networks
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.networks.network import BayesianNetwork

_READERS = {
    ".bif": "read_bif",
    ".json": "read_json",
    ".xml": "read_xmlbif",
    ".xmlbif": "read_xmlbif",
}
_WRITERS = {
    ".bif": "write_bif",
    ".dot": "write_dot",
    ".json": "write_json",
    ".xml": "write_xmlbif",
    ".xmlbif": "write_xmlbif",
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
    network: BayesianNetwork = getattr(networks, _for_ending(path, _READERS, "read"))(path)
    return network


def write_network(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network as ``.bif``, ``.json``, ``.xml`` (XMLBIF) or ``.dot``, also with ``.gz``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc.networks import load_network, write_network
    >>> write_network(load_network("asia"), pathlib.Path(tempfile.mkdtemp()) / "asia.dot")
    """
    getattr(networks, _for_ending(path, _WRITERS, "written"))(network, path)


def check_ending(path: str | os.PathLike[str]) -> None:
    """Refuse a file that :func:`read_network` has no reader for."""
    _for_ending(path, _READERS, "read")


def _for_ending(path: str | os.PathLike[str], actions: Mapping[str, str], verb: str) -> str:
    """Return the name of the action for the ending of a file's name, ``.gz`` aside."""
    name = Path(path).name.lower().removesuffix(".gz")
    action = actions.get(Path(name).suffix)
    if action is None:
        known = ", ".join(actions)
        raise SettingError(f"{os.fspath(path)!r}: files that can be {verb} end in {known}.")
    return action
