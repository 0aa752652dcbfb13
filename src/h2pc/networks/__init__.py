"""Bayesian networks with their probability tables: files, sampling, queries, and a library."""

from h2pc.networks.bif import parse_bif, read_bif
from h2pc.networks.bif_writing import bif_text, write_bif
from h2pc.networks.dot import write_dot
from h2pc.networks.formats import read_network, write_network
from h2pc.networks.json_files import json_text, parse_json, read_json, write_json
from h2pc.networks.library import load_network, network_names
from h2pc.networks.network import BayesianNetwork
from h2pc.networks.xmlbif import write_xmlbif, xmlbif_text
from h2pc.networks.xmlbif_reading import read_xmlbif

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
