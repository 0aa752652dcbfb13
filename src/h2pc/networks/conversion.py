"""The same network for other libraries, imported only when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from h2pc.networks.assembly import families_of

if TYPE_CHECKING:
    from h2pc.networks.network import BayesianNetwork


def to_pyagrum(network: BayesianNetwork) -> Any:
    """Return a ``pyagrum.BayesNet``."""
    gum = _optional("pyagrum", "pyagrum")
    other = gum.BayesNet()
    families = families_of(network)
    for family in families:
        other.add(gum.LabelizedVariable(family.name, family.name, list(family.states)))
    for family in families:
        for parent in family.parents:
            other.addArc(parent, family.name)
    for family in families:
        table = other.cpt(family.name)
        axis = {name: i for i, name in enumerate((*family.parents, family.name))}
        # pyAgrum lists the variables of a table fastest first, and its arrays the other way round.
        order = [axis[name] for name in reversed(table.names)]
        table[:] = np.ascontiguousarray(family.table.transpose(order))
    return other


def to_pgmpy(network: BayesianNetwork) -> Any:
    """Return a ``pgmpy.models.DiscreteBayesianNetwork``."""
    models = _optional("pgmpy.models", "pgmpy")
    tables = _optional("pgmpy.factors.discrete", "pgmpy")
    other = models.DiscreteBayesianNetwork()
    other.add_nodes_from(network.names)
    other.add_edges_from(network.dag.named_edges)
    states = dict(zip(network.names, network.states, strict=True))
    for family in families_of(network):
        card = len(family.states)
        other.add_cpds(
            tables.TabularCPD(
                family.name,
                card,
                family.table.reshape(-1, card).T,
                evidence=list(family.parents),
                evidence_card=[len(states[parent]) for parent in family.parents],
                state_names={name: list(states[name]) for name in (*family.parents, family.name)},
            )
        )
    return other


def _optional(module: str, extra: str) -> Any:
    """Return a module of an optional dependency."""
    try:
        return import_module(module)
    except ImportError as error:
        hint = f"This needs {extra}, which is not installed: pip install 'h2pc[{extra}]'."
        raise ImportError(hint, name=module) from error
