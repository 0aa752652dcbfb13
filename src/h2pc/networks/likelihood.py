"""The log-likelihood of each sample: one look into each table, or a sum over what is missing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.graphs.dag import Dag
from h2pc.networks.elimination import Factor, ancestors, eliminated
from h2pc.networks.families import family_cells
from h2pc.variables import Var, Vars

Tables = Sequence[NDArray[np.float64]]


def sample_log_likelihoods(
    dag: Dag,
    tables: Tables,
    codes: NDArray[np.unsignedinteger],
    variables: Vars,
    unseen: float | None = None,
    missing: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Return the log-likelihood of each sample: what the tables of ``variables`` make of it.

    A code as large as the number of states is an unseen state. It has probability ``unseen``, and
    the states of the table share the rest; given an unseen state of a parent, they are uniform. A
    missing cell is one of the states of the table.
    """
    total = np.zeros(codes.shape[1])
    for v in variables:
        logs = _family_logs(dag, tables, codes, unseen, v)
        if missing is not None:
            logs[missing[[*dag.parents(v), v]].any(axis=0)] = 0.0
        total += logs
    if missing is not None:
        for i in np.flatnonzero(missing.any(axis=0)):
            hidden = tuple(np.flatnonzero(missing[:, i]).tolist())
            total[i] += _log_of_the_rest(dag, tables, codes[:, i].tolist(), unseen, hidden)
    return total


def _family_logs(
    dag: Dag, tables: Tables, codes: NDArray[np.unsignedinteger], unseen: float | None, v: Var
) -> NDArray[np.float64]:
    """Return the log probability of ``v`` given its parents, for each sample."""
    cards = tuple(table.shape[-1] for table in tables)
    family = (*dag.parents(v), v)
    with np.errstate(divide="ignore"):
        log_table = np.log(tables[v]).ravel()
    if unseen is None:
        return np.asarray(log_table[family_cells(codes, cards, family)])
    own = codes[list(family)]
    own_cards = [cards[u] for u in family]
    is_new = own == np.array(own_cards)[:, np.newaxis]
    own[is_new] = 0
    logs = np.asarray(log_table[family_cells(own, own_cards, tuple(range(len(family))))])
    logs[is_new[:-1].any(axis=0)] = -math.log(cards[v])
    logs += math.log1p(-unseen)
    logs[is_new[-1]] = math.log(unseen)
    return logs


def _log_of_the_rest(
    dag: Dag, tables: Tables, codes: Sequence[int], unseen: float | None, hidden: Vars
) -> float:
    """Return the log probability of one sample, as far as families with hidden variables go."""
    unknown = frozenset(hidden)
    relevant = ancestors(dag, (v for v in dag.variables if v not in unknown))
    factors = [
        _factor(dag, tables, codes, unseen, v, unknown)
        for v in relevant
        if not unknown.isdisjoint((*dag.parents(v), v))
    ]
    cards = {v: tables[v].shape[-1] for v in relevant}
    summed = eliminated(factors, tuple(v for v in hidden if v in cards), cards)
    value = float(summed.values)
    return math.log(value) + summed.log_scale if value > 0.0 else -math.inf


def _factor(
    dag: Dag,
    tables: Tables,
    codes: Sequence[int],
    unseen: float | None,
    v: Var,
    unknown: frozenset[Var],
) -> Factor:
    """Return the table of ``v`` as a function of the hidden variables of its family."""
    family = (*dag.parents(v), v)
    evidence = {u: codes[u] for u in family if u not in unknown}
    card = tables[v].shape[-1]
    new = {u for u, code in evidence.items() if code == tables[u].shape[-1]}
    if v in new:
        assert unseen is not None
        return Factor((), np.array(unseen))
    share = 1.0 if unseen is None or v in unknown else 1.0 - unseen
    if new:  # of a parent: all states are equally probable
        table = np.full(tables[v].shape, 1.0 / card)
        evidence |= dict.fromkeys(new, 0)
    else:
        table = tables[v]
    return Factor(family, table * share).given(evidence)
