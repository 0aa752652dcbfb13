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
) -> NDArray[np.intp]:
    """Code of the most probable state per sample; row ``i`` of ``codes`` is variable ``known[i]``.

    If the whole Markov boundary is known, its tables decide. Otherwise each distinct sample is one
    query.
    """
    if set(dag.markov_boundary(target)) <= set(known):
        return np.asarray(_log_scores(dag, tables, target, known, codes).argmax(axis=0))
    samples, which = np.unique(codes, axis=1, return_inverse=True)
    best = np.empty(samples.shape[1], np.intp)
    for i, sample in enumerate(samples.T):
        evidence = dict(zip(known, map(int, sample), strict=True))
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
