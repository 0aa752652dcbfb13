"""The parameters of a network on the page: tables of probabilities, or regressions.

A page must stay small, so it has the rows of a table that most samples fall into.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset
from h2pc.errors import GraphError
from h2pc.graphs import Dag
from h2pc.io.network_document import State
from h2pc.networks import BayesianNetwork, LinearGaussianNetwork
from h2pc.networks.alignment import aligned_codes, aligned_numbers, dataset_of, missing_cells
from h2pc.networks.families import family_cells
from h2pc.variables import Var, Vars

Network = BayesianNetwork | LinearGaussianNetwork
Record = dict[str, Any]

_MOST_NUMBERS = 60_000
"""Of all tables of a page: some 400 KB."""

_ROWS = (1000, 300, 100, 50, 20, 10, 5, 2, 1)
"""How many rows a table may have: the largest of these numbers that keeps the page small."""

_MOST_LEVELS = 50
"""Of a variable and each of its parents: nobody would read wider tables."""

_DIGITS = 4


class _Sample(NamedTuple):
    """The samples that a network was fitted to, with the levels numbered as in the network."""

    codes: NDArray[np.unsignedinteger]
    missing: NDArray[np.bool_] | None
    weights: NDArray[np.int64] | None


class _Table(NamedTuple):
    """The table of a variable; its rows are ordered from the most frequent one on."""

    cards: tuple[int, ...]
    """Numbers of levels of the parents."""
    probabilities: NDArray[np.float64]
    rows: NDArray[np.intp]
    counts: NDArray[np.int64] | None
    """The number of samples of each row; None without data."""

    @property
    def width(self) -> int:
        """The number of numbers of a row."""
        return len(self.cards) + 1 + int(self.probabilities.shape[1])


def page_parameters(dag: Dag, network: Network | None, data: Any) -> Record | None:
    """Return the parameters of a network by variable of ``dag``, whose names are sorted.

    ``data`` are the samples that it was fitted to; without them rows have no numbers of samples.
    Data without a network are those of a network that has no parameters.
    """
    dataset = None if data is None else dataset_of(data, dag.names)
    if network is None:
        return (
            None if dataset is None else {"kind": "mixed" if dataset.kind == "mixed" else "large"}
        )
    if sorted(network.names) != list(dag.names) or {*network.dag.named_edges} != {*dag.named_edges}:
        raise GraphError("network must have the variables and the edges of the result.")
    if isinstance(network, LinearGaussianNetwork):
        return {"kind": "regressions", "regressions": _regressions(dag, network, dataset)}
    return {"kind": "tables", **_tables(dag, network, dataset)}


def _regressions(dag: Dag, network: LinearGaussianNetwork, data: Dataset | None) -> list[Record]:
    """Return the regression of each variable on its parents."""
    present = None if data is None else ~np.isnan(aligned_numbers(data, dag.names))
    found = []
    for v, name in enumerate(dag.names):
        own, parents = network.dag.variable(name), dag.parents(v)
        values = zip(network.dag.parents(name), network.coefficients[own].tolist(), strict=True)
        coefficients = dict(values)
        is_complete = None if present is None else present[[v, *parents]].all(axis=0)
        found.append(
            {
                "intercept": _rounded(network.intercepts[own]),
                "coefficients": [[u, _rounded(coefficients[dag.names[u]])] for u in parents],
                "deviation": _rounded(math.sqrt(network.variances[own])),
                "samples": None if is_complete is None else int(is_complete.sum()),
            }
        )
    return found


def _rounded(value: float) -> float:
    """Return a number with six digits."""
    return float(f"{value:.6g}")


def _tables(dag: Dag, network: BayesianNetwork, data: Dataset | None) -> Record:
    """Return the levels of the variables, and a table for each that does not have too many."""
    states = [network.states[network.dag.variable(name)] for name in dag.names]
    cards = tuple(map(len, states))
    sample = None
    if data is not None:
        codes, missing = aligned_codes(data, dag.names, states), missing_cells(data, dag.names)
        sample = _Sample(codes, missing, data.weights)
    few = [max(cards[u] for u in (v, *dag.parents(v))) <= _MOST_LEVELS for v in dag.variables]
    tables = {v: _table(dag, v, network, cards, sample) for v in dag.variables if few[v]}
    most = _most_rows(tables.values())
    return {
        "levels": [list(map(_level, own)) if few[v] else None for v, own in enumerate(states)],
        "tables": [_document(tables[v], most) if few[v] else None for v in dag.variables],
    }


def _level(state: State) -> str:
    """Return the name of a level."""
    return "missing" if state is None else str(state)


def _most_rows(tables: Collection[_Table]) -> int:
    """Return how many rows each table may have for the page to stay small."""
    for most in _ROWS:
        if sum(table.width * min(most, len(table.rows)) for table in tables) <= _MOST_NUMBERS:
            return most
    return 0


def _table(
    dag: Dag, v: Var, network: BayesianNetwork, cards: tuple[int, ...], sample: _Sample | None
) -> _Table:
    """Return the table of a variable, its parents in the order of their names."""
    parents, given = dag.parents(v), network.dag.parents(dag.names[v])
    table = network.tables[network.dag.variable(dag.names[v])]
    axes = [given.index(dag.names[u]) for u in parents]
    probabilities = table.transpose(*axes, len(axes)).reshape(-1, cards[v])
    rows, counts = np.arange(len(probabilities)), None
    if sample is not None:
        counts = _samples_by_row(sample, v, parents, cards)
        rows = np.argsort(-counts, kind="stable")
        # A fitted table says nothing where no sample is: all levels are equally probable there.
        if np.allclose(probabilities[counts == 0], 1 / cards[v]):
            rows = rows[: np.count_nonzero(counts)]
    return _Table(tuple(cards[u] for u in parents), probabilities, rows, counts)


def _samples_by_row(
    sample: _Sample, v: Var, parents: Vars, cards: tuple[int, ...]
) -> NDArray[np.int64]:
    """Return the number of samples for each configuration of the parents."""
    codes, missing, weights = sample
    cells = np.zeros(codes.shape[1], np.int64)
    if parents:
        cells = family_cells(codes, cards, parents)
    if missing is not None:
        is_complete = ~missing[[v, *parents]].any(axis=0)
        cells = cells[is_complete]
        weights = None if weights is None else weights[is_complete]
    n_rows = math.prod(cards[u] for u in parents)
    return np.bincount(cells, weights, minlength=n_rows).astype(np.int64)


def _document(table: _Table, most: int) -> Record:
    """Return the first rows of a table: levels of the parents, samples, probabilities."""
    rows = table.rows[:most]
    levels = np.column_stack(np.unravel_index(rows, (1, *table.cards)))[:, 1:]
    return {
        "rows": [
            [
                *own,
                None if table.counts is None else int(table.counts[row]),
                *table.probabilities[row].round(_DIGITS).tolist(),
            ]
            for own, row in zip(levels.tolist(), rows, strict=True)
        ],
        "n_seen": len(table.rows),
        "n_rows": len(table.probabilities),
    }
