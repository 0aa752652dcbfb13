"""Edge strengths by the bootstrap: networks learned from samples drawn with replacement."""

from __future__ import annotations

import os
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn.base import clone

from h2pc.checks import checked, whole_number
from h2pc.data import Dataset
from h2pc.errors import DataError, SettingError
from h2pc.graphs import Cpdag
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.learners.hybrid import H2PC
from h2pc.learners.structure_learner import StructureLearner
from h2pc.learners.validation import CHECKS, importable_name
from h2pc.random_state import RandomState, seed_of
from h2pc.runs import CellResult, CellStore, run_cells
from h2pc.version import __version__

_NO_MATTER = ("n_jobs", "progress", "checkpoint")


def edge_strengths(
    data: Any,
    learner: StructureLearner | None = None,
    *,
    n_replicates: int = 200,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> EdgeStrengths:
    """Learn networks from bootstrap samples, and count their edges.

    A bootstrap sample draws as many rows as there are, with replacement. Edges are counted in the
    equivalence classes, where a direction that the data do not decide counts one half each way.

    Parameters
    ----------
    data : Dataset, pandas, polars or pyarrow table, 2-d array, or dict of columns
        The sample, as :meth:`Dataset.from_data` takes it.
    learner : StructureLearner, default=None
        The learner of each network; by default ``H2PC()``. It is cloned.
    n_replicates : int, default=200
        The number of bootstrap samples.
    random_state : int, random generator or None, default=0
        The seed that they are drawn with. The first ones are the same however many follow.
    n_jobs : int, default=None
        The number of processes, as joblib counts them. It does not change the result.
    checkpoint : path, default=None
        A folder where finished replicates are kept. A run that was interrupted goes on from there,
        and one with more replicates uses those it finds; other data or settings are refused.
        Functions among the settings go by their names: what they do must stay the same.
    progress : bool, default=None
        Whether there is a progress bar; by default where the standard error stream is a terminal.

    Returns
    -------
    EdgeStrengths
        How often each edge came back, and the network that they average to.

    Raises
    ------
    SettingError
        If a parameter makes no sense, or the checkpoint belongs to another run.
    DataError
        If the data cannot be used.

    Examples
    --------
    >>> from h2pc import edge_strengths, load_network
    >>> strengths = edge_strengths(load_network("asia").sample(1000), n_replicates=20)
    >>> strongest = strengths.edges[0]
    >>> strongest.parent, strongest.child, strongest.strength
    ('bronc', 'dysp', 1.0)
    >>> strengths.averaged().has_edge(0, 7)
    False
    """
    learner = H2PC() if learner is None else learner
    if not isinstance(learner, StructureLearner):
        raise SettingError(f"learner must be a learner of networks; got {learner!r}.")
    if getattr(learner, "targets", None) is not None:
        raise SettingError("learner must learn whole networks: expected targets=None.")
    if getattr(learner, "checkpoint", None) is not None:
        raise SettingError("learner must have no checkpoint: every replicate has data of its own.")
    n_replicates = whole_number(1)("n_replicates", n_replicates)
    run = checked({"n_jobs": n_jobs, "progress": progress}, CHECKS)
    seed = seed_of(random_state)
    sample = Dataset.from_data(data)
    if sample.weights is not None:
        raise DataError("rows were merged: expected a data set whose rows are single samples")

    settings = {
        "version": __version__,
        "algorithm": type(learner).__name__,
        **({} if checkpoint is None else _written(learner)),
        "data": sample.fingerprint(),
        "random_state": seed,
    }
    with TemporaryDirectory() as temporary:
        folder = temporary if checkpoint is None else checkpoint
        with CellStore(folder, ["replicate"], settings) as store:
            run_cells(
                [(number,) for number in range(n_replicates)],
                partial(_replicate, sample=sample, learner=learner, seed=seed),
                store,
                **run,
            )
            found = [store.results((number,)) for number in range(n_replicates)]
    graphs = (Cpdag(sample.names, edges["directed"], edges["undirected"]) for edges in found)
    return EdgeStrengths.of(sample.names, graphs)


def _replicate(
    cell: tuple[int], sample: Dataset, learner: StructureLearner, seed: int
) -> CellResult:
    """Return the equivalence class of the network learned from one bootstrap sample."""
    rng = np.random.default_rng([seed, cell[0]])
    rows = rng.integers(sample.n_samples, size=sample.n_samples)
    own = clone(learner)
    own._warns_of_data = False
    if hasattr(own, "progress"):
        own.set_params(progress=False)  # the bar is that of the replicates
    result = own.fit(sample.take(rows)).result_
    edges = {"directed": result.cpdag.directed, "undirected": result.cpdag.undirected}
    return CellResult(edges, dict(result.seconds))


def _written(learner: StructureLearner) -> dict[str, str]:
    """Return all parameters that decide what the learner finds, in full; functions by name."""
    return {
        name: str(importable_name(name, value)) if callable(value) else repr(value)
        for name, value in learner.get_params(deep=False).items()
        if name not in _NO_MATTER
    }
