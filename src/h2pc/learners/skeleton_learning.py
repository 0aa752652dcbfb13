"""The skeleton of a table of data."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from time import perf_counter
from typing import Any, Literal

from h2pc.algorithms.edge_tests import FdrMethod
from h2pc.algorithms.neighbourhoods import Learner
from h2pc.algorithms.skeletons import SkeletonResult, Symmetry, learned_skeleton
from h2pc.checks import checked
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.named import CITestFactory, TestName
from h2pc.learners.data_warnings import warn_of_untestable
from h2pc.learners.validation import (
    CHECKS,
    LEARNERS,
    NamedEdge,
    constrained_test,
    false_discovery_control,
    opened_checkpoint,
    settings_of,
    started_watch,
    warn_of_limits,
    with_choices,
)
from h2pc.runs.limits import Limits


def skeleton(
    data: Any,
    learner: Literal["hpc", "mmpc"] | Learner = "hpc",
    *,
    targets: Iterable[str] | None = None,
    depth: int = 0,
    symmetry: Literal["and", "or"] = "and",
    fdr: float | None = None,
    fdr_method: FdrMethod = "by",
    alpha: float = 0.05,
    test: TestName | CITestFactory = "auto",
    power_rule: float = 5.0,
    required: Iterable[NamedEdge] = (),
    forbidden: Iterable[NamedEdge] = (),
    tiers: Iterable[Iterable[str]] = (),
    n_jobs: int | None = None,
    progress: bool | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
    max_conditioning: int | Literal["auto"] | None = "auto",
    max_subset_tests: int | None = None,
) -> SkeletonResult:
    """Learn which variables are directly linked.

    A local learner looks for the neighbourhood of every variable, and a symmetry rule makes edges
    of the neighbourhoods. The order of the columns and of the rows, the names of the levels,
    ``n_jobs`` and the backend of joblib do not change the result.

    Parameters
    ----------
    data : Dataset, pandas, polars or pyarrow table, 2-d array, or dict of columns
        The sample, as :meth:`Dataset.from_data` takes it.
    learner : {"hpc", "mmpc"} or callable, default="hpc"
        The local learner; a callable is called as ``learner(target, ci, universe)``.
    targets : iterable of str, default=None
        Variables whose neighbours are wanted; by default all. Only what decides these neighbours
        is learned: see the notes.
    depth : int, default=0
        The distance from the targets up to which neighbours are wanted as well: 1 for those of
        their neighbours.
    symmetry : {"and", "or"}, default="and"
        Whether an edge needs both ends to find each other, or one of them.
    fdr, fdr_method : default=None, "by"
        The false discovery rate of the edges, as in :class:`H2PC`; for "hpc" and "mmpc" only.
    alpha, test, power_rule : default=0.05, "auto", 5.0
        The independence test, as in :class:`H2PC`.
    required, forbidden, tiers : iterable, default=()
        Constraints, as in :class:`H2PC`. A required edge links its ends; a pair is not linked where
        both directions are forbidden, one by one or by the tiers.
    n_jobs, progress, checkpoint : default=None
        As in :class:`H2PC`.
    max_seconds, max_memory, max_conditioning, max_subset_tests : default=None, None, "auto", None
        Limits, as in :class:`H2PC`.

    Returns
    -------
    SkeletonResult
        The skeleton, the neighbourhoods before symmetry, the number of tests and the time.

    Raises
    ------
    SettingError
        If a parameter makes no sense, or the checkpoint belongs to another run.
    DataError
        If the data cannot be used, or a name is not one of theirs.

    Notes
    -----
    With ``targets`` and the "and" rule, the neighbourhoods of the targets are learned, then those
    of all variables in them; each step of ``depth`` goes on with the neighbours thus confirmed. The
    skeleton holds the edges whose ends have both found each other: all edges of the targets and of
    the variables within ``depth`` of them, just as without ``targets``, and perhaps some farther
    away. ``complete_variables`` are those whose edges are all known.

    Under the "or" rule any variable might find a target: all neighbourhoods are learned.

    Examples
    --------
    >>> from h2pc import load_network, skeleton
    >>> data = load_network("asia").sample(5000, random_state=2)
    >>> skeleton(data).skeleton.named_edges  # doctest: +NORMALIZE_WHITESPACE
    (('asia', 'tub'), ('bronc', 'dysp'), ('bronc', 'smoke'), ('dysp', 'either'),
     ('either', 'lung'), ('either', 'tub'), ('either', 'xray'), ('lung', 'smoke'))
    >>> skeleton(data, targets=["smoke"]).neighbours("smoke")
    ('bronc', 'lung')
    """
    given = {name: value for name, value in locals().items() if name != "data"}
    start, params = perf_counter(), checked(given, CHECKS)
    local = learner if callable(learner) else LEARNERS[learner]
    if fdr is not None and callable(learner):
        raise SettingError(
            f"fdr needs p-values of edges: expected learner 'hpc' or 'mmpc'; got {learner!r}."
        )
    sample = Dataset.from_data(data)
    params = with_choices(params, sample)
    limits = Limits(max_seconds, max_memory, params["max_conditioning"], max_subset_tests)
    watch = started_watch(limits, sample)
    ci = constrained_test(sample, params, limits)
    warn_of_untestable(ci)
    with opened_checkpoint(checkpoint, sample, {**params, "learner": local}) as store:
        result = learned_skeleton(
            ci,
            sample.names,
            local,
            targets=None if targets is None else sample.variables(params["targets"]),
            depth=params["depth"],
            symmetry=Symmetry(symmetry),
            control=false_discovery_control(params),
            n_jobs=params["n_jobs"],
            progress=params["progress"],
            watch=watch,
            checkpoint=store,
        )
    warn_of_limits(
        result,
        watch,
        has_checkpoint=checkpoint is not None,
        stacklevel=2,
        may_cut=max_conditioning == "auto" and max_subset_tests is None,
    )
    settings = settings_of(params, complete=result.complete)
    return replace(result, seconds=perf_counter() - start, settings=settings)
