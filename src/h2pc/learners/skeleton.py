"""From a table of data to its skeleton."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from time import perf_counter
from typing import Any, Literal

from h2pc.algorithms.neighbourhoods import Learner
from h2pc.algorithms.skeleton_result import SkeletonResult
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.data import Dataset
from h2pc.independence.context import Context
from h2pc.learners.validation import (
    CITestFactory,
    NamedEdge,
    begun_watch,
    chosen_targets,
    constraint_settings,
    edge_constraints,
    independence_test,
    local_learner,
    name_of,
    number_of_jobs,
    opened_checkpoint,
    progress_choice,
    run_limit_settings,
    search_limit_settings,
    symmetry_rule,
    warn_of_limits,
    whole_number,
)
from h2pc.runs.limits import Limits


def skeleton(
    data: Any,
    learner: Literal["hpc", "mmpc"] | Learner = "hpc",
    *,
    targets: Iterable[str] | None = None,
    depth: int = 0,
    symmetry: Literal["and", "or"] = "and",
    alpha: float = 0.05,
    test: Literal["g2", "chi2"] | CITestFactory = "g2",
    power_rule: float = 5.0,
    required: Iterable[NamedEdge] = (),
    forbidden: Iterable[NamedEdge] = (),
    tiers: Iterable[Iterable[str]] = (),
    n_jobs: int | None = None,
    progress: bool | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
    max_conditioning: int | None = None,
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
    learner : {"hpc", "mmpc"} or callable
        The local learner; a callable is called as ``learner(target, ci, universe)``.
    targets : iterable of str, optional
        Variables whose neighbours are wanted; by default all. Only what is needed to know these
        neighbours is learned: see the notes.
    depth : int
        How far from the targets neighbours are wanted as well: 1 for those of their neighbours.
    symmetry : {"and", "or"}
        Whether an edge needs both ends to find each other, or one of them.
    alpha : float
        The level of the test: independence means p > alpha.
    test : {"g2", "chi2"} or callable
        The independence test; a callable is called as ``test(data, alpha, power_rule=power_rule)``
        with a Dataset and returns a :class:`CITest`.
    power_rule : float
        Fewest samples per cell for a test to be performed; 0 performs every test.
    required : iterable of (parent, child)
        Names of pairs that are linked for sure.
    forbidden : iterable of (parent, child)
        Names of edges that cannot be. The pair may still be linked the other way round; give both
        directions to keep it apart.
    tiers : iterable of groups of names
        Groups in the order of time: no edge leads from a later one to an earlier one. Inside a
        skeleton this rules out what ``forbidden`` leaves of a pair.
    n_jobs : int, optional
        The number of workers, as joblib counts them: by default one, -1 for all processors. They
        are threads unless ``joblib.parallel_config`` says otherwise.
    progress : bool, optional
        Whether there is a progress bar; by default where the standard error stream is a terminal.
    checkpoint : path, optional
        A folder where finished neighbourhoods are kept. A run that was interrupted goes on from
        there; other data, and settings that give other neighbourhoods, are refused. Functions among
        the settings go by their names: what they do must stay the same.
    max_seconds : float, optional
        The longest time that it may take. What is known by then is the result, which is marked as
        incomplete; a warning says so.
    max_memory : int, optional
        The most bytes that the process may hold; as of ``max_seconds``. Other processes that joblib
        may start hold as much each.
    max_conditioning : int, optional
        The largest conditioning set of a search for what separates two variables; the paper has no
        limit. A warning says how many searches were cut short.
    max_subset_tests : int, optional
        The most subsets that such a search tries; the paper has no limit.

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
    With ``targets`` and the "and" rule, the learner is asked about the targets, then about all that
    it found in their neighbourhoods; each step of ``depth`` asks about what was found for the
    neighbours thus confirmed. The skeleton holds the edges on which both ends were heard and
    agree: all edges of the targets and of what is within ``depth`` of them, just as without
    ``targets``, and perhaps some farther away. ``settled`` tells whose edges are complete.

    Under the "or" rule any variable might name a target: all are asked.

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
    start = perf_counter()
    progress = progress_choice(progress)
    chosen_learner, rule = local_learner(learner), symmetry_rule(symmetry)
    depth, n_jobs = whole_number("depth", depth, 0), number_of_jobs(n_jobs)

    limits = Limits(max_seconds, max_memory, max_conditioning, max_subset_tests)

    sample = Dataset.from_data(data)
    watch = begun_watch(limits, sample)
    variables = chosen_targets(targets, sample)
    known = edge_constraints(sample, required, forbidden, tiers)
    ci = independence_test(sample, test, alpha, power_rule, limits)
    ci = ci.within(Context(known))

    deciding = {
        "learner": chosen_learner,
        "test": test,
        "alpha": ci.alpha,
        "power_rule": float(power_rule),
        **constraint_settings(known, sample),
        **search_limit_settings(limits),
    }
    with opened_checkpoint(checkpoint, sample, deciding) as store:
        result = learned_skeleton(
            ci,
            sample.names,
            chosen_learner,
            targets=variables,
            depth=depth,
            symmetry=rule,
            n_jobs=n_jobs,
            progress=progress,
            watch=watch,
            checkpoint=store,
        )
    settings = {
        **result.settings,
        "test": name_of(test),
        "power_rule": float(power_rule),
        **constraint_settings(known, sample),
        **search_limit_settings(limits),
        **run_limit_settings(limits, result.complete),
    }
    warn_of_limits(result, watch, resumable=checkpoint is not None, stacklevel=2)
    return replace(result, seconds=perf_counter() - start, settings=settings)
