"""Bayesian networks with their probability tables: files, sampling, queries, and a library.

Names are resolved when they are first used: the library's names come without the networks.
"""

from typing import TYPE_CHECKING, Any

from h2pc.lazy import resolved

_HOME = {
    "BayesianNetwork": "h2pc.networks.network",
    "bif_text": "h2pc.networks.bif_writing",
    "json_text": "h2pc.networks.json_files",
    "load_network": "h2pc.networks.library",
    "network_names": "h2pc.networks.library",
    "parse_bif": "h2pc.networks.bif",
    "parse_json": "h2pc.networks.json_files",
    "read_bif": "h2pc.networks.bif",
    "read_json": "h2pc.networks.json_files",
    "read_network": "h2pc.networks.formats",
    "read_xmlbif": "h2pc.networks.xmlbif_reading",
    "write_bif": "h2pc.networks.bif_writing",
    "write_dot": "h2pc.networks.dot",
    "write_json": "h2pc.networks.json_files",
    "write_network": "h2pc.networks.formats",
    "write_xmlbif": "h2pc.networks.xmlbif",
    "xmlbif_text": "h2pc.networks.xmlbif",
}

__all__ = [
    "BayesianNetwork",
    "bif_text",
    "json_text",
    "load_network",
    "network_names",
    "parse_bif",
    "parse_json",
    "read_bif",
    "read_json",
    "read_network",
    "read_xmlbif",
    "write_bif",
    "write_dot",
    "write_json",
    "write_network",
    "write_xmlbif",
    "xmlbif_text",
]

if TYPE_CHECKING:
    from h2pc.networks.bif import parse_bif, read_bif
    from h2pc.networks.bif_writing import bif_text, write_bif
    from h2pc.networks.dot import write_dot
    from h2pc.networks.formats import read_network, write_network
    from h2pc.networks.json_files import json_text, parse_json, read_json, write_json
    from h2pc.networks.library import load_network, network_names
    from h2pc.networks.network import BayesianNetwork
    from h2pc.networks.xmlbif import write_xmlbif, xmlbif_text
    from h2pc.networks.xmlbif_reading import read_xmlbif


def __getattr__(name: str) -> Any:
    return resolved(__name__, _HOME, name)
