"""The same network in pgmpy and pyAgrum, which are imported when they are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from h2pc.errors import DataTypeError, SettingError
from h2pc.graphs.exchange import optional_module
from h2pc.io.network_document import Family, NetworkDocument, State, assembled

if TYPE_CHECKING:
    from h2pc.networks.network import BayesianNetwork


def to_pyagrum(network: BayesianNetwork) -> Any:
    """Return a ``pyagrum.BayesNet``."""
    gum = optional_module("pyagrum", "pyagrum")
    other = gum.BayesNet()
    dag = network.dag
    for name, states in zip(network.names, network.states, strict=True):
        other.add(_pyagrum_variable(gum, name, states))
    for parent, child in dag.named_edges:
        other.addArc(parent, child)
    for v, name in enumerate(network.names):
        table = other.cpt(name)
        axis = {family_name: i for i, family_name in enumerate((*dag.parents(name), name))}
        # pyAgrum lists the variables of a table fastest first, and its arrays the other way round.
        order = [axis[family_name] for family_name in reversed(table.names)]
        table[:] = np.ascontiguousarray(network.tables[v].transpose(order))
    return other


def _pyagrum_variable(gum: Any, name: str, states: tuple[State, ...]) -> Any:
    if all(type(state) is int for state in states) and list(states) == sorted(states):  # type: ignore[type-var]
        return gum.IntegerVariable(name, name, list(states))
    return gum.LabelizedVariable(name, name, list(map(str, states)))


def from_pyagrum(other: Any) -> NetworkDocument:
    """Return the graph, states and tables of a ``pyagrum.BayesNet``."""
    gum = optional_module("pyagrum", "pyagrum")
    if not isinstance(other, gum.BayesNet):
        raise DataTypeError(f"Expected a pyagrum.BayesNet; got {type(other).__name__}.")
    families = []
    for name in other.names():
        table = other.cpt(name)
        axes = list(reversed(table.names))
        parents = [axis for axis in axes if axis != name]
        values = table.toarray().transpose([axes.index(axis) for axis in (*parents, name)])
        variable = other.variable(name)
        is_integer = variable.varType() in (gum.VarType_INTEGER, gum.VarType_RANGE)
        states = tuple(map(int, variable.labels())) if is_integer else tuple(variable.labels())
        families.append(Family(name, states, tuple(parents), values))
    return assembled(families)


def to_pgmpy(network: BayesianNetwork) -> Any:
    """Return a ``pgmpy.models.DiscreteBayesianNetwork``."""
    models = optional_module("pgmpy.models", "pgmpy")
    factors = optional_module("pgmpy.factors.discrete", "pgmpy")
    other = models.DiscreteBayesianNetwork()
    other.add_nodes_from(network.names)
    other.add_edges_from(network.dag.named_edges)
    states = dict(zip(network.names, map(list, network.states), strict=True))
    for v, name in enumerate(network.names):
        parents, card = network.dag.parents(name), network.cards[v]
        other.add_cpds(
            factors.TabularCPD(
                name,
                card,
                network.tables[v].reshape(-1, card).T,
                evidence=list(parents),
                evidence_card=[len(states[parent]) for parent in parents],
                state_names={member: states[member] for member in (*parents, name)},
            )
        )
    return other


def from_pgmpy(model: Any) -> NetworkDocument:
    """Return the graph, states and tables of a discrete Bayesian network of pgmpy."""
    if not hasattr(model, "get_cpds"):
        raise DataTypeError(f"Expected a network of pgmpy; got {type(model).__name__}.")
    families = []
    for name in model.nodes():
        table = model.get_cpds(name)
        if table is None:
            raise SettingError(f"The network of pgmpy has no table for {name!r}: expected one.")
        _, *parents = table.variables
        values = np.moveaxis(np.asarray(table.values), 0, -1)
        families.append(Family(name, tuple(table.state_names[name]), tuple(parents), values))
    return assembled(families)
