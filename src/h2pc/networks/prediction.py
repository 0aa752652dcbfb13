"""The most probable state of one variable for every sample of a data set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.graphs.dag import Dag
from h2pc.networks.elimination import posterior_table
from h2pc.networks.likelihood import sample_log_likelihoods
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
    filled = np.zeros((len(tables), codes.shape[1]), np.uint16)
    filled[list(known)] = codes
    scores = []
    for state in range(tables[target].shape[-1]):
        filled[target] = state
        scores.append(sample_log_likelihoods(dag, tables, filled, (target, *dag.children(target))))
    best = np.asarray(np.argmax(scores, axis=0))
    if missing is not None:
        is_open = missing[[i for i, v in enumerate(known) if v in boundary]].any(axis=0)
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
