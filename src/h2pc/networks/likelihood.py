"""The log-likelihood of each sample: one look into each table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.graphs.dag import Dag
from h2pc.networks.families import family_cells
from h2pc.variables import Vars


def sample_log_likelihoods(
    dag: Dag,
    tables: Sequence[NDArray[np.float64]],
    codes: NDArray[np.unsignedinteger],
    variables: Vars,
    unseen: float | None = None,
) -> NDArray[np.float64]:
    """Return the log-likelihood of each sample: what the tables of ``variables`` make of it.

    A code as large as the number of states is an unseen state. It has probability ``unseen``, and
    the states of the table share the rest; given an unseen state of a parent, they are uniform.
    """
    cards = tuple(table.shape[-1] for table in tables)
    total = np.zeros(codes.shape[1])
    for v in variables:
        with np.errstate(divide="ignore"):
            log_table = np.log(tables[v]).ravel()
        family = (*dag.parents(v), v)
        if unseen is None:
            total += log_table[family_cells(codes, cards, family)]
            continue
        own = codes[list(family)]
        own_cards = [cards[u] for u in family]
        is_new = own == np.array(own_cards)[:, np.newaxis]
        own[is_new] = 0
        logs = log_table[family_cells(own, own_cards, tuple(range(len(family))))]
        logs[is_new[:-1].any(axis=0)] = -math.log(cards[v])
        logs += math.log1p(-unseen)
        logs[is_new[-1]] = math.log(unseen)
        total += logs
    return total
