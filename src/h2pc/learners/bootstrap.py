"""Edge strengths: networks learned from resampled rows, by the bootstrap or of halves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

from sklearn.base import clone

from h2pc.checks import checked, one_of, whole_number
from h2pc.data import Dataset
from h2pc.errors import DataError, SettingError
from h2pc.graphs import Cpdag
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.learners.hybrid import H2PC
from h2pc.learners.identifiable_directions import identifiable_directions
from h2pc.learners.replicates import RESAMPLINGS, Resampling, Rows, replicate_rows, strata_of
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
    resampling: Resampling = "bootstrap",
    stratify: str | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> EdgeStrengths:
    """Learn networks from resampled data, and count their edges.

    A bootstrap sample draws as many rows as there are, with replacement; a subsample is half of
    them. Edges are counted in classes of equivalent graphs that obey the constraints of the
    learner, where a direction that neither data nor constraints decide counts one half each way.

    Parameters
    ----------
    data : Dataset, pandas, polars or pyarrow table, 2-d array, or dict of columns
        The sample, as :meth:`Dataset.from_data` takes it.
    learner : StructureLearner, default=None
        The learner of each network; by default ``H2PC()``. It is cloned. With ``targets`` it learns
        local graphs, and the result is about the pairs that have a target.
    n_replicates : int, default=200
        The number of samples; even for subsamples.
    resampling : {"bootstrap", "subsample"}, default="bootstrap"
        Samples drawn with replacement, or complementary halves of the rows: replicates 2k and
        2k + 1 are the two halves of one random split, as error bounds of stability selection need
        them. Of an odd number of rows, each split leaves one out.
    stratify : str, default=None
        A discrete variable whose levels are resampled each by itself, so that every sample has as
        many rows of each level as the data, or half as many. Missing values are a level.
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
        How often each edge came back, the network that they average to, and error bounds.

    Raises
    ------
    SettingError
        If a parameter makes no sense, or the checkpoint belongs to another run.
    DataError
        If the data cannot be used, or lack a variable.

    Notes
    -----
    Rows are drawn by their numbers, so their order decides the samples; the order of the columns
    and the names of the levels do not.

    References
    ----------
    N. Friedman, M. Goldszmidt, A. Wyner (1999), Data analysis with Bayesian networks: a bootstrap
    approach, UAI. R. Shah, R. Samworth (2013), Variable selection with error control: another look
    at stability selection, Journal of the Royal Statistical Society B 75.

    Examples
    --------
    >>> from h2pc import edge_strengths, load_network
    >>> strengths = edge_strengths(load_network("asia").sample(1000), n_replicates=20)
    >>> strongest = strengths.edges[0]
    >>> strongest.parent, strongest.child, strongest.strength
    ('bronc', 'dysp', 1.0)
    >>> strengths.averaged().has_edge(0, 7)
    False
    >>> halves = edge_strengths(
    ...     load_network("asia").sample(1000), n_replicates=20, resampling="subsample"
    ... )
    >>> halves.threshold_for(max_false_edges=2)
    0.9
    """
    learner = H2PC() if learner is None else learner
    if not isinstance(learner, StructureLearner):
        raise SettingError(f"learner must be a learner of networks; got {learner!r}.")
    if getattr(learner, "checkpoint", None) is not None:
        raise SettingError("learner must have no checkpoint: every replicate has data of its own.")
    n_replicates = whole_number(1)("n_replicates", n_replicates)
    one_of(RESAMPLINGS)("resampling", resampling)
    if resampling == "subsample" and n_replicates % 2:
        raise SettingError(
            f"n_replicates must be even with resampling='subsample', two halves of every split; "
            f"got {n_replicates}."
        )
    run = checked({"n_jobs": n_jobs, "progress": progress}, CHECKS)
    seed = seed_of(random_state)
    sample = Dataset.from_data(data)
    if sample.weights is not None:
        raise DataError("rows were merged: expected a data set whose rows are single samples")
    if resampling == "subsample" and sample.n_rows < 2:
        raise DataError("one row has no halves: expected two rows or more")
    strata = strata_of(sample, stratify)
    learner, targets = _with_targets(learner, sample)

    settings = {
        "version": __version__,
        "algorithm": type(learner).__name__,
        **({} if checkpoint is None else _written(learner)),
        "data": sample.fingerprint(),
        "random_state": seed,
        **({} if resampling == "bootstrap" else {"resampling": resampling}),
        **({} if stratify is None else {"stratify": stratify}),
    }
    replicate = partial(
        _replicate, sample=sample, learner=learner, seed=seed, strata=strata, resampling=resampling
    )
    with TemporaryDirectory() as temporary:
        folder = temporary if checkpoint is None else checkpoint
        with CellStore(folder, ["replicate"], settings) as store:
            run_cells(
                [(number,) for number in range(n_replicates)],
                replicate,
                store,
                **run,
            )
            found = [store.results((number,)) for number in range(n_replicates)]
    graphs = (Cpdag(sample.names, edges["directed"], edges["undirected"]) for edges in found)
    return EdgeStrengths.of(sample.names, graphs, targets=targets, resampling=resampling)


def _with_targets(
    learner: StructureLearner, sample: Dataset
) -> tuple[StructureLearner, tuple[str, ...] | None]:
    """Return the learner and its targets, sorted; those of an iterator could be read only once."""
    given = getattr(learner, "targets", None)
    if given is None:
        return learner, None
    targets: tuple[str, ...] = CHECKS["targets"]("targets", given)
    sample.variables(targets)  # refuses names that are not there
    return type(learner)(**(learner.get_params(deep=False) | {"targets": targets})), targets


def _replicate(
    cell: tuple[int],
    sample: Dataset,
    learner: StructureLearner,
    seed: int,
    strata: Sequence[Rows],
    resampling: Resampling,
) -> CellResult:
    """Return the class of the network learned from the rows of one replicate."""
    own = clone(learner)
    own._warns_of_data = False
    if hasattr(own, "progress"):
        own.set_params(progress=False)  # the bar is that of the replicates
    result = own.fit(sample.take(replicate_rows(cell[0], strata, resampling, seed))).result_
    found = identifiable_directions(result)
    place = sample.variables(found.names)  # around targets, those nearby only
    edges = {
        "directed": [(place[u], place[v]) for u, v in found.directed],
        "undirected": [(place[u], place[v]) for u, v in found.undirected],
    }
    return CellResult(edges, dict(result.seconds))


def _written(learner: StructureLearner) -> dict[str, str]:
    """Return all parameters that decide what the learner finds, in full; functions by name."""
    return {
        name: str(importable_name(name, value)) if callable(value) else repr(value)
        for name, value in learner.get_params(deep=False).items()
        if name not in _NO_MATTER
    }
