"""XMLBIF 0.3, the XML form of BIF: written only."""

from __future__ import annotations

import os
import re
from html import escape

from h2pc.errors import SettingError
from h2pc.io.files import replace_file
from h2pc.networks.assembly import Family, families_of
from h2pc.networks.network import BayesianNetwork

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_xmlbif(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network as an XMLBIF file, in one step.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc.networks import load_network, write_xmlbif
    >>> write_xmlbif(load_network("asia"), pathlib.Path(tempfile.mkdtemp()) / "asia.xml")
    """
    replace_file(path, xmlbif_text(network))


def xmlbif_text(network: BayesianNetwork) -> str:
    """Return a network in XMLBIF 0.3.

    Examples
    --------
    >>> from h2pc.networks import load_network, xmlbif_text
    >>> xmlbif_text(load_network("asia")).splitlines()[1]
    '<BIF VERSION="0.3">'
    """
    families = families_of(network)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<BIF VERSION="0.3">',
            "<NETWORK>",
            "<NAME>unknown</NAME>",
            *map(_variable, families),
            *map(_definition, families),
            "</NETWORK>",
            "</BIF>",
            "",
        ]
    )


def _variable(family: Family) -> str:
    outcomes = "".join(f"\n  <OUTCOME>{_escaped(state)}</OUTCOME>" for state in family.states)
    return (
        f'<VARIABLE TYPE="nature">\n  <NAME>{_escaped(family.name)}</NAME>{outcomes}\n</VARIABLE>'
    )


def _definition(family: Family) -> str:
    """Return one table: the given variables first, the variable itself fastest."""
    given = "".join(f"\n  <GIVEN>{_escaped(parent)}</GIVEN>" for parent in family.parents)
    values = " ".join(map(repr, family.table.ravel().tolist()))
    return (
        f"<DEFINITION>\n  <FOR>{_escaped(family.name)}</FOR>{given}\n"
        f"  <TABLE>{values}</TABLE>\n</DEFINITION>"
    )


def _escaped(name: str) -> str:
    if _NOT_XML.search(name):
        raise SettingError(f"XML cannot hold the name {name!r}: it has a control character.")
    return escape(name, quote=False).replace("\r", "&#13;")
