"""The benchmark networks that come with the package; see ``SOURCES.md`` beside this file."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.networks.network import BayesianNetwork

_FOLDER = Path(__file__).parent
_ENDING = ".json.gz"

# P(Disease | BirthAsphyxia = no) of the paper's child; the published file has
# 3, 33, 29, 23, 5, 5 out of 98.
_PAPER_CHILD = (0.03, 0.33, 0.30, 0.24, 0.05, 0.05)


def network_names() -> tuple[str, ...]:
    """Return the names that :func:`load_network` knows, sorted.

    Examples
    --------
    >>> from h2pc import network_names
    >>> "alarm" in network_names()
    True
    """
    return tuple(sorted(file.name.removesuffix(_ENDING) for file in _FOLDER.glob(f"*{_ENDING}")))


def load_network(name: str, *, variant: str = "published") -> BayesianNetwork:
    """Return a network of the library.

    Parameters
    ----------
    name : str
        One of :func:`network_names`.
    variant : {"published", "paper"}, default="published"
        "paper" gives the tables used in the paper; only child's differ from the published ones, in
        P(Disease | BirthAsphyxia = no).

    Returns
    -------
    BayesianNetwork
        The network, its variables sorted by name.

    Examples
    --------
    >>> from h2pc import load_network
    >>> load_network("alarm")
    BayesianNetwork(37 variables, 46 edges, 509 parameters)
    """
    check_name(name)
    if variant not in ("published", "paper"):
        raise SettingError(f"variant must be 'published' or 'paper'; got {variant!r}.")
    network = _published(name)
    return _paper_child(network) if (name, variant) == ("child", "paper") else network


def check_name(name: str) -> None:
    """Refuse a name that is not one of the library."""
    if name not in network_names():
        close = get_close_matches(name.lower(), network_names(), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise SettingError(
            f"There is no network {name!r} in the library{hint} "
            f"It has {', '.join(network_names())}."
        )


@cache
def _published(name: str) -> BayesianNetwork:
    from h2pc.networks.network import BayesianNetwork
    from h2pc.networks.network_formats import read_network

    network = read_network(_FOLDER / f"{name}{_ENDING}")
    assert isinstance(network, BayesianNetwork)
    return network


def _paper_child(child: BayesianNetwork) -> BayesianNetwork:
    """Return child with the one row that differs in the paper."""
    import numpy as np

    from h2pc.networks.network import BayesianNetwork

    disease = child.dag.variable("Disease")
    no_asphyxia = child.states[child.dag.variable("BirthAsphyxia")].index("no")
    table = np.array(child.tables[disease])
    table[no_asphyxia] = _PAPER_CHILD
    tables = [table if v == disease else child.tables[v] for v in child.dag.variables]
    return BayesianNetwork(child.dag, child.states, tables)
