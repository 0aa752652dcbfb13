"""The most probable state of one variable for every sample of a data set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.graphs.dag import Dag
from h2pc.networks.elimination import posterior_table
from h2pc.networks.families import family_cells
from h2pc.variables import Var, Vars


def most_probable_states(
    dag: Dag,
    tables: Sequence[NDArray[np.float64]],
    target: Var,
    known: Vars,
    codes: NDArray[np.unsignedinteger],
    missing: NDArray[np.bool_] | None = None,
) -> NDArray[np.intp]:
    """Code of the most probable state per sample; row ``i`` of ``codes`` is variable ``known[i]``.

    If the whole Markov boundary is known, its tables decide. Otherwise each distinct sample is one
    query. A missing cell is not observed.
    """
    boundary = set(dag.markov_boundary(target))
    if not boundary <= set(known):
        return _by_queries(dag, tables, target, known, codes, missing)
    best = np.asarray(_log_scores(dag, tables, target, known, codes).argmax(axis=0))
    if missing is not None:
        places = [i for i, v in enumerate(known) if v in boundary]
        is_open = missing[places].any(axis=0)
        best[is_open] = _by_queries(
            dag, tables, target, known, codes[:, is_open], missing[:, is_open]
        )
    return best


def _by_queries(
    dag: Dag,
    tables: Sequence[NDArray[np.float64]],
    target: Var,
    known: Vars,
    codes: NDArray[np.unsignedinteger],
    missing: NDArray[np.bool_] | None,
) -> NDArray[np.intp]:
    """Return the same by exact inference, one query for each distinct sample."""
    observed = codes.astype(np.int64)
    if missing is not None:
        observed[missing] = -1
    samples, which = np.unique(observed, axis=1, return_inverse=True)
    best = np.empty(samples.shape[1], np.intp)
    for i, sample in enumerate(samples.T.tolist()):
        evidence = {v: code for v, code in zip(known, sample, strict=True) if code >= 0}
        best[i] = posterior_table(dag, tables, target, evidence).argmax()
    return np.asarray(best[which.ravel()])


def _log_scores(
    dag: Dag,
    tables: Sequence[NDArray[np.float64]],
    target: Var,
    known: Vars,
    codes: NDArray[np.unsignedinteger],
) -> NDArray[np.float64]:
    """Log probability of each state of ``target`` (rows) and sample, up to a constant."""
    cards = tuple(table.shape[-1] for table in tables)
    n_samples = codes.shape[1]
    filled = np.zeros((len(cards), n_samples), codes.dtype)
    filled[list(known)] = codes
    scores = np.zeros((cards[target], n_samples))
    for v in (target, *dag.children(target)):
        with np.errstate(divide="ignore"):
            log_table = np.log(tables[v]).ravel()
        for state in range(cards[target]):
            filled[target] = state
            cells = family_cells(filled, cards, v, dag.parents(v))
            scores[state] += log_table[cells]
    return scores
