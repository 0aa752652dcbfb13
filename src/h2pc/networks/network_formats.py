"""Reading and writing networks; the ending of the file's name chooses the format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from h2pc.errors import FileFormatError, SettingError

if TYPE_CHECKING:
    from h2pc.io.network_document import GaussianDocument, NetworkDocument
    from h2pc.networks.linear_gaussian import LinearGaussianNetwork
    from h2pc.networks.network import BayesianNetwork

    Network = BayesianNetwork | LinearGaussianNetwork

_XML = (".xml", ".bifxml", ".xmlbif")
READ_ENDINGS = (".bif", ".json", *_XML)
WRITTEN_ENDINGS = (*READ_ENDINGS, ".dot")


def read_network(path: str | os.PathLike[str]) -> Network:
    """Return the network of a file: BIF, XMLBIF or JSON, compressed or not.

    Parameters
    ----------
    path : path-like
        The file. Its name ends in ``.bif``, ``.xml``, ``.bifxml``, ``.xmlbif`` or ``.json``, before
        ``.gz``, ``.bz2`` or ``.xz`` if it is compressed.

    Returns
    -------
    BayesianNetwork or LinearGaussianNetwork
        The network, its variables sorted by name; a linear-Gaussian one comes from JSON. States
        are strings, except in files that :func:`write_network` wrote: there integers and booleans
        come back as such.

    Raises
    ------
    FileFormatError
        If the file is not a network; the message names the line, or the variable.
    SettingError
        If the ending is unknown.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc import load_network, read_network, write_network
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "asia.bif"
    >>> write_network(load_network("asia"), path)
    >>> read_network(path)
    BayesianNetwork(8 variables, 8 edges, 18 parameters)
    """
    from h2pc.io.files import bytes_of

    check_ending(path)
    return parsed_network(bytes_of(path), _ending(path), source=os.fspath(path))


def write_network(network: Network, path: str | os.PathLike[str]) -> None:
    """Write a network as BIF, XMLBIF or JSON, or its graph as DOT.

    A linear-Gaussian network is written as JSON; the other formats have no continuous variables.
    Every number reads back exactly. In BIF, names and states that other programs cannot read are
    replaced by identifiers; :func:`read_network` gives the originals back.

    Parameters
    ----------
    network : BayesianNetwork or LinearGaussianNetwork
        The network.
    path : path-like
        The file, which is replaced in one step. Its name ends in ``.bif``, ``.xml``, ``.bifxml``,
        ``.xmlbif``, ``.json`` or ``.dot``; after ``.gz`` it is compressed.

    Raises
    ------
    SettingError
        If the ending is unknown, the format has no continuous variables, or tables of more than a
        million cells would become BIF or XMLBIF.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc import load_network, write_network
    >>> write_network(load_network("asia"), pathlib.Path(tempfile.mkdtemp()) / "asia.json.gz")
    """
    from h2pc.io.files import replace_file

    replace_file(path, network_text(network, _ending(path, (".gz",))))


def check_ending(path: str | os.PathLike[str]) -> None:
    """Refuse a file that :func:`read_network` does not read."""
    if _ending(path) not in READ_ENDINGS:
        known = ", ".join(READ_ENDINGS)
        raise SettingError(f"{os.fspath(path)!r}: files that can be read end in {known}.")


def network_text(network: Network, ending: str) -> str:
    """Return what a file with this ending holds."""
    from h2pc.io.bif import bif_text
    from h2pc.io.dot import to_dot
    from h2pc.io.network_document import GaussianDocument
    from h2pc.io.network_json import network_json
    from h2pc.io.xmlbif import xmlbif_text

    if ending not in WRITTEN_ENDINGS:
        known = ", ".join(WRITTEN_ENDINGS)
        raise SettingError(f"Networks are written to files that end in {known}; got {ending!r}.")
    if ending == ".dot":
        return to_dot(network.dag)
    document = _document(network)
    if ending == ".json":
        return network_json(document)
    if isinstance(document, GaussianDocument):
        raise SettingError(
            f"A linear-Gaussian network is written to a file that ends in .json, or its graph to "
            f".dot; {ending} holds tables of discrete variables."
        )
    return bif_text(document) if ending == ".bif" else xmlbif_text(document)


def _document(network: Network) -> NetworkDocument | GaussianDocument:
    """Return the network as files describe it."""
    from h2pc.io.network_document import GaussianDocument, NetworkDocument
    from h2pc.networks.network import BayesianNetwork

    if isinstance(network, BayesianNetwork):
        return NetworkDocument(network.dag, network.states, network.tables)
    return GaussianDocument(
        network.dag, network.intercepts.tolist(), network.coefficients, network.variances.tolist()
    )


def parsed_network(content: bytes, ending: str, source: str) -> Network:
    """Return the network of a file with this ending and content; errors call it ``source``."""
    from h2pc.io.network_document import GaussianDocument
    from h2pc.networks.linear_gaussian import LinearGaussianNetwork
    from h2pc.networks.network import BayesianNetwork

    document = _parsed(content, ending, source)
    try:
        if isinstance(document, GaussianDocument):
            return LinearGaussianNetwork(*document)
        return BayesianNetwork(*document)
    except SettingError as error:
        raise FileFormatError(f"{source}: {error}") from None


def _parsed(content: bytes, ending: str, source: str) -> NetworkDocument | GaussianDocument:
    """Return what a file with this ending describes."""
    from h2pc.io.files import decoded

    if ending in _XML:
        from h2pc.io.xmlbif import parse_xmlbif

        return parse_xmlbif(content, source)
    if ending == ".bif":
        from h2pc.io.bif import parse_bif

        return parse_bif(decoded(content, source), source)

    from h2pc.io.network_json import parse_network_json

    return parse_network_json(decoded(content, source), source)


def _ending(
    path: str | os.PathLike[str], compressions: Sequence[str] = (".gz", ".bz2", ".xz")
) -> str:
    """Return the ending of a file's name, that of a compressed file aside."""
    name = Path(os.fspath(path).lower())
    return (name.with_suffix("") if name.suffix in compressions else name).suffix
