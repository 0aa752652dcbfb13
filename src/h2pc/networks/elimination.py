"""Exact inference by variable elimination, for queries whose factors stay small."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import DataError, SettingError
from h2pc.graphs.adjacency import reached
from h2pc.graphs.dag import Dag
from h2pc.variables import Var, Vars, without

MAX_FACTOR_CELLS = 1 << 24
"""The largest intermediate factor: 128 MB of float64."""


@dataclass(frozen=True)
class Factor:
    """A non-negative function of a few variables; one axis each, in their order.

    Its values are those here times the exponential of ``log_scale``.
    """

    variables: Vars
    values: NDArray[np.float64]
    log_scale: float = 0.0

    def given(self, evidence: Mapping[Var, int]) -> Factor:
        """Restrict the factor to the observed states."""
        index = tuple(evidence.get(v, slice(None)) for v in self.variables)
        rest = tuple(v for v in self.variables if v not in evidence)
        return Factor(rest, self.values[index], self.log_scale)


def posterior_table(
    dag: Dag,
    tables: Sequence[NDArray[np.float64]],
    target: Var,
    evidence: Mapping[Var, int],
) -> NDArray[np.float64]:
    """Probability of each state of ``target`` given the observed states of other variables."""
    relevant = ancestors(dag, (target, *evidence))
    certain = {v: 0 for v in relevant if tables[v].shape[-1] == 1 and v != target}
    evidence = certain | dict(evidence)
    factors = [Factor((*dag.parents(v), v), tables[v]).given(evidence) for v in relevant]
    hidden = without(relevant, target, *evidence)
    cards = {v: tables[v].shape[-1] for v in relevant}
    values = eliminated(factors, hidden, cards).values
    total = values.sum()
    if not total > 0:
        raise DataError("The evidence has probability 0 in this network.")
    return np.asarray(values / total).reshape(cards[target])


def eliminated(factors: Sequence[Factor], hidden: Vars, cards: Mapping[Var, int]) -> Factor:
    """Return the product of the factors, summed over the hidden variables."""
    left = list(factors)
    for v in _min_fill_order(left, hidden, cards):
        touched = [factor for factor in left if v in factor.variables]
        left = [factor for factor in left if v not in factor.variables]
        product = _product(touched, cards)
        summed = np.asarray(product.values.sum(axis=product.variables.index(v)))
        left.append(Factor(without(product.variables, v), summed, product.log_scale))
    return _product(left, cards)


def ancestors(dag: Dag, variables: Iterable[Var]) -> Vars:
    """Return the variables and all their ancestors: the others sum to one and can be left out."""
    return tuple(sorted(reached(variables, dag.parent_sets)))


def _min_fill_order(factors: Sequence[Factor], hidden: Vars, cards: Mapping[Var, int]) -> Vars:
    """Return an elimination order that greedily adds the fewest links; ties by size.

    Refuses the query before any work if one of its factors would be too large.
    """
    neighbours = _interaction_graph(factors)
    costs = {v: _fill(neighbours, v) for v in hidden}
    order: list[Var] = []
    while costs:
        v = min(costs, key=lambda u: (costs[u], _cells((u, *neighbours[u]), cards), u))
        around = neighbours.pop(v)
        cells = _cells((v, *around), cards)
        if cells > MAX_FACTOR_CELLS:
            raise SettingError(
                f"This query needs a factor of {cells:,} cells, more than the {MAX_FACTOR_CELLS:,} "
                "allowed here; hand the network to a junction tree with to_pyagrum() or to_pgmpy()."
            )
        for a in around:
            neighbours[a] |= around
            neighbours[a] -= {a, v}
        del costs[v]
        order.append(v)
        changed = around.union(*(neighbours[a] for a in around)) & costs.keys()
        costs.update({u: _fill(neighbours, u) for u in changed})
    return tuple(order)


def _interaction_graph(factors: Sequence[Factor]) -> dict[Var, set[Var]]:
    """Variables that share a factor."""
    neighbours: dict[Var, set[Var]] = {}
    for factor in factors:
        for v in factor.variables:
            neighbours.setdefault(v, set()).update(factor.variables)
    for v, around in neighbours.items():
        around.discard(v)
    return neighbours


def _fill(neighbours: Mapping[Var, set[Var]], v: Var) -> int:
    """Return the number of links that eliminating ``v`` adds."""
    return sum(b not in neighbours[a] for a, b in combinations(neighbours[v], 2))


def _cells(variables: Iterable[Var], cards: Mapping[Var, int]) -> int:
    return math.prod(cards[v] for v in variables)


def _product(factors: Sequence[Factor], cards: Mapping[Var, int]) -> Factor:
    """Product of the factors over the union of their variables, scaled to a maximum of one.

    The scale keeps long products from underflowing.
    """
    variables = tuple(sorted({v for factor in factors for v in factor.variables}))
    values = np.ones(tuple(cards[v] for v in variables))
    log_scale = 0.0
    for factor in factors:
        shape = tuple(cards[v] if v in factor.variables else 1 for v in variables)
        values *= factor.values.transpose(np.argsort(factor.variables)).reshape(shape)
        largest = float(values.max()) or 1.0
        values /= largest
        log_scale += factor.log_scale + math.log(largest)
    return Factor(variables, values, log_scale)
