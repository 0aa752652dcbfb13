"""Tables from data: relative frequencies, with or without a Dirichlet prior."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import SettingError
from h2pc.graphs.dag import Dag
from h2pc.io.network_document import State, family_shape
from h2pc.networks.families import family_cells


@dataclass(frozen=True)
class Prior:
    """Imaginary samples: some in every cell, and some spread evenly over each table."""

    per_cell: float = 0.0
    per_table: float = 0.0


def checked_prior(equivalent_sample_size: float | None, pseudo_count: float | None) -> Prior:
    """Return the prior of these settings, of which at most one is given."""
    if equivalent_sample_size is not None and pseudo_count is not None:
        raise SettingError("Give equivalent_sample_size or pseudo_count, not both.")
    for name, value in (
        ("equivalent_sample_size", equivalent_sample_size),
        ("pseudo_count", pseudo_count),
    ):
        if value is not None and not 0 <= value < math.inf:
            raise SettingError(f"{name} must be a number of at least 0; got {value!r}.")
    return Prior(per_cell=pseudo_count or 0.0, per_table=equivalent_sample_size or 0.0)


def fitted_tables(
    dag: Dag,
    codes: NDArray[np.unsignedinteger],
    states: Sequence[tuple[State, ...]],
    weights: NDArray[np.int64] | None,
    prior: Prior,
    missing: NDArray[np.bool_] | None = None,
) -> list[NDArray[np.float64]]:
    """Return the table of each variable; a row without any sample or prior is uniform.

    Each table is that of the samples that are complete in its variables.
    """
    cards = tuple(map(len, states))
    tables = []
    for v in dag.variables:
        shape = family_shape([cards[u] for u in (*dag.parents(v), v)], dag.names[v])
        n_cells = math.prod(shape)
        cells = family_cells(codes, cards, v, dag.parents(v))
        own_weights = weights
        if missing is not None:
            is_complete = ~missing[[*dag.parents(v), v]].any(axis=0)
            cells = cells[is_complete]
            own_weights = None if weights is None else weights[is_complete]
        counts = np.bincount(cells, own_weights, minlength=n_cells).astype(np.float64)
        counts += prior.per_cell + prior.per_table / n_cells
        tables.append(_normalised(counts.reshape(shape)))
    return tables


def _normalised(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rows divided by their sums; a row of zeros becomes uniform."""
    totals = counts.sum(axis=-1, keepdims=True)
    empty = totals == 0
    return np.where(empty, 1 / counts.shape[-1], counts / np.where(empty, 1, totals))
