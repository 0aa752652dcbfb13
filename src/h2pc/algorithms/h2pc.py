"""H2PC, Algorithm 5: the skeleton by HPC, its directions by a search. MMHC is the same by MMPC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.learn_result import LearnResult
from h2pc.algorithms.neighbourhoods import Learner
from h2pc.algorithms.score_search import Search, poll_of
from h2pc.algorithms.skeletons import Symmetry, learned_skeleton
from h2pc.algorithms.tabu import tabu_search
from h2pc.graphs import Dag, Skeleton
from h2pc.independence.base import CITest
from h2pc.independence.constraints import EdgeConstraints
from h2pc.runs import CellStore
from h2pc.runs.limits import Watch
from h2pc.scores.base import LocalScore
from h2pc.variables import Vars, without

# Of the time that there is: a skeleton without directions would be of little use.
_SHARE_OF_SKELETON = 0.8


def h2pc(
    ci: CITest,
    score: LocalScore,
    names: Sequence[str],
    *,
    learner: Learner = hpc,
    search: Search = tabu_search,
    targets: Vars | None = None,
    symmetry: Symmetry = Symmetry.AND,
    second: CITest | None = None,
    constraints: EdgeConstraints | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    watch: Watch | None = None,
    checkpoint: CellStore | None = None,
) -> LearnResult:
    """Directed graph of all variables, or the local graph around ``targets``.

    Around targets, the skeleton is learned as far as their Markov boundaries may reach: with the
    neighbours of their neighbours. The graph then has these variables alone.

    Parameters
    ----------
    ci : CITest
        The independence test, within a context that has the constraints.
    score : LocalScore
        The score to search with, of the same variables.
    names : sequence of str
        The names of the variables.
    learner : callable
        The local learner: HPC, or MMPC for MMHC.
    search : callable
        The search inside the skeleton.
    targets : Vars, optional
        The variables whose Markov boundaries are wanted; by default all.
    symmetry : Symmetry
        When two variables are joined in the skeleton.
    second : CITest, optional
        A bolder test for whom one has found and who has not found that one, as
        :func:`learned_skeleton` says.
    constraints : EdgeConstraints, optional
        What the directions must keep to.
    n_jobs : int, optional
        The number of workers for the neighbourhoods, as joblib counts them.
    progress : bool, optional
        Whether there is a progress bar; by default on a terminal.
    watch : Watch, optional
        Limits of the run and of its searches; by default there are none.
    checkpoint : CellStore, optional
        Where finished neighbourhoods are kept for another run, as :func:`learned_skeleton` says.

    Returns
    -------
    LearnResult
        The graph, the skeleton, and what they cost.

    Examples
    --------
    >>> from h2pc import GTest, load_network
    >>> from h2pc.scores import BDeu
    >>> data = load_network("asia").sample(5000, random_state=2)
    >>> h2pc(GTest(data), BDeu(data), data.names).dag.named_edges[:2]
    (('bronc', 'dysp'), ('either', 'dysp'))
    """
    known = EdgeConstraints() if constraints is None else constraints
    depth = 0 if targets is None else 1
    watch = Watch(names=names) if watch is None else watch
    joined = learned_skeleton(  # lines 1-5
        ci,
        names,
        learner,
        targets=targets,
        depth=depth,
        symmetry=symmetry,
        second=second,
        n_jobs=n_jobs,
        progress=progress,
        watch=watch.first_part(_SHARE_OF_SKELETON),
        checkpoint=checkpoint,
    )
    start = perf_counter()
    skeleton = joined.skeleton
    if targets is not None:
        skeleton = edges_around(targets, skeleton)
        known = inside(known, skeleton)
    found = search(score, skeleton, constraints=known, poll=poll_of(watch))  # lines 6-7
    dag = Dag(names, found.parent_sets)
    total = found.score
    if targets is not None:
        region = sorted({*targets, *(v for edge in skeleton.edges for v in edge)})
        total -= sum(score.family(v) for v in without(dag.variables, *region))
        dag, skeleton = dag.subgraph(region), skeleton.subgraph(region)
    return LearnResult(
        dag,
        skeleton,
        score=total,
        n_tests=joined.n_tests,
        n_scores=found.n_scores,
        n_moves=found.n_moves,
        seconds={"skeleton": joined.seconds, "search": perf_counter() - start},
        settings=joined.settings,
        complete=joined.complete and found.complete,
        n_cut=joined.n_cut,
        joined=joined,
    )


def edges_around(targets: Vars, skeleton: Skeleton) -> Skeleton:
    """Edges of the targets and of their neighbours: all that is known in full."""
    near = {*targets, *(v for target in targets for v in skeleton.adjacent(target))}
    edges = ((u, v) for u, v in skeleton.edges if u in near or v in near)
    return Skeleton(skeleton.names, edges)


def inside(known: EdgeConstraints, skeleton: Skeleton) -> EdgeConstraints:
    """Constraints without the required edges that lie outside the skeleton."""
    required = tuple((u, v) for u, v in known.required if skeleton.has_edge(u, v))
    return replace(known, required=required)
