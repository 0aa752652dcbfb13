"""DOT, the language of Graphviz: the graph of a network, written only."""

from __future__ import annotations

import os

from h2pc.graphs.exchange import to_dot
from h2pc.io.files import replace_file
from h2pc.networks.network import BayesianNetwork


def write_dot(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write the graph of a network as a DOT file, in one step.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc.networks import load_network, write_dot
    >>> write_dot(load_network("asia"), pathlib.Path(tempfile.mkdtemp()) / "asia.dot")
    """
    replace_file(path, to_dot(network.dag))
