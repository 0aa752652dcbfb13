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
) -> NDArray[np.intp]:
    """Code of the most probable state per sample; row ``i`` of ``codes`` is variable ``known[i]``.

    If the whole Markov boundary is known, its tables decide. Otherwise each distinct sample is one
    query.
    """
    if set(dag.markov_boundary(target)) <= set(known):
        filled = np.zeros((len(tables), codes.shape[1]), np.uint16)
        filled[list(known)] = codes
        scores = []
        for state in range(tables[target].shape[-1]):
            filled[target] = state
            family = (target, *dag.children(target))
            scores.append(sample_log_likelihoods(dag, tables, filled, family))
        return np.asarray(np.argmax(scores, axis=0))
    samples, which = np.unique(codes, axis=1, return_inverse=True)
    best = np.empty(samples.shape[1], np.intp)
    for i, sample in enumerate(samples.T):
        evidence = dict(zip(known, map(int, sample), strict=True))
        best[i] = posterior_table(dag, tables, target, evidence).argmax()
    return np.asarray(best[which.ravel()])
