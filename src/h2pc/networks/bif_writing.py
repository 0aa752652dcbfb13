"""Writing BIF: every number reads back exactly."""

from __future__ import annotations

import os
import re

import numpy as np

from h2pc.errors import SettingError
from h2pc.io.files import replace_file
from h2pc.networks.assembly import Family, families_of
from h2pc.networks.network import BayesianNetwork


def write_bif(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network as a BIF file, in one step; every number reads back exactly.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc.networks import load_network, write_bif
    >>> write_bif(load_network("asia"), pathlib.Path(tempfile.mkdtemp()) / "asia.bif")
    """
    replace_file(path, bif_text(network))


def bif_text(network: BayesianNetwork) -> str:
    """Return a network in BIF.

    Examples
    --------
    >>> from h2pc.networks import bif_text, load_network
    >>> bif_text(load_network("asia")).splitlines()[2]
    'variable asia {'
    """
    parts = ["network unknown {\n}\n"]
    families = families_of(network)
    states = {family.name: family.states for family in families}
    for family in families:
        listed = ", ".join(map(_quoted, family.states))
        parts.append(
            f"variable {_quoted(family.name)} {{\n"
            f"  type discrete [ {len(family.states)} ] {{ {listed} }};\n}}\n"
        )
    parts += (_probability_text(family, states) for family in families)
    return "".join(parts)


def _probability_text(family: Family, states: dict[str, tuple[str, ...]]) -> str:
    """Return the probability block of one variable."""
    if not family.parents:
        values = ", ".join(map(repr, family.table.tolist()))
        return f"probability ( {_quoted(family.name)} ) {{\n  table {values};\n}}\n"
    given = ", ".join(map(_quoted, family.parents))
    labels = [[_quoted(state) for state in states[parent]] for parent in family.parents]
    lines = [f"probability ( {_quoted(family.name)} | {given} ) {{\n"]
    for row in np.ndindex(family.table.shape[:-1]):
        label = ", ".join(names[i] for names, i in zip(labels, row, strict=True))
        lines.append(f"  ({label}) {', '.join(map(repr, family.table[row].tolist()))};\n")
    return "".join([*lines, "}\n"])


def _quoted(name: str) -> str:
    """Return a name as BIF can hold it: bare if it is one word, in quotes otherwise."""
    if re.fullmatch(r"(?!.*(//|/\*))[^\s{}()\[\],;|\"]+", name):
        return name
    if '"' in name or "\n" in name or "\r" in name:
        raise SettingError(f"BIF cannot hold the name {name!r}: it has a quote or a line break.")
    return f'"{name}"'
