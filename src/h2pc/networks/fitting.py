"""Tables from data: relative frequencies, with or without a Dirichlet prior."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.checks import number
from h2pc.errors import SettingError
from h2pc.graphs.dag import Dag
from h2pc.io.network_document import State, family_shape
from h2pc.networks.families import family_cells


def fitted_tables(
    dag: Dag,
    codes: NDArray[np.unsignedinteger],
    states: Sequence[tuple[State, ...]],
    weights: NDArray[np.int64] | None,
    equivalent_sample_size: float | None,
    pseudo_count: float | None,
    missing: NDArray[np.bool_] | None = None,
) -> list[NDArray[np.float64]]:
    """Return the table of each variable; a row without any sample or prior is uniform.

    Each table is that of the samples that are complete in its variables.
    """
    if equivalent_sample_size is not None and pseudo_count is not None:
        raise SettingError("Give equivalent_sample_size or pseudo_count, not both.")
    imaginary = number(least=0.0, optional=True)
    per_table = imaginary("equivalent_sample_size", equivalent_sample_size) or 0.0
    per_cell = imaginary("pseudo_count", pseudo_count) or 0.0
    cards = tuple(map(len, states))
    tables = []
    for v in dag.variables:
        shape = family_shape([cards[u] for u in (*dag.parents(v), v)], dag.names[v])
        n_cells = math.prod(shape)
        family = (*dag.parents(v), v)
        cells, own_weights = family_cells(codes, cards, family), weights
        if missing is not None:
            is_complete = ~missing[list(family)].any(axis=0)
            cells = cells[is_complete]
            own_weights = None if weights is None else weights[is_complete]
        counts = np.bincount(cells, own_weights, minlength=n_cells).astype(np.float64)
        counts += per_cell + per_table / n_cells
        counts = counts.reshape(shape)
        totals = counts.sum(axis=-1, keepdims=True)
        empty = totals == 0
        tables.append(np.where(empty, 1 / cards[v], counts / np.where(empty, 1, totals)))
    return tables
