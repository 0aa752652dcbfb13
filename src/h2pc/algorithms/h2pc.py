"""H2PC, Algorithm 5: the skeleton by HPC, its directions by a search. MMHC is the same by MMPC.

The search is that of the paper, inside the skeleton, or has the skeleton as a prior.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from time import perf_counter

from h2pc.algorithms.edge_tests import FalseDiscoveryControl, with_tests_of_copies
from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.learn_result import LearnResult
from h2pc.algorithms.neighbourhoods import Learner
from h2pc.algorithms.search import SearchResult
from h2pc.algorithms.skeleton_prior import (
    Pair,
    SkeletonPrior,
    gaining_pairs,
    one_sided_pairs,
    pairs_near,
)
from h2pc.algorithms.skeletons import SkeletonResult, Symmetry, learned_skeleton
from h2pc.algorithms.tabu import tabu_search
from h2pc.graphs import Dag, Skeleton
from h2pc.independence.base import CITest
from h2pc.independence.constraints import EdgeConstraints
from h2pc.runs import CellStore
from h2pc.runs.limits import Watch
from h2pc.runs.progress import ProgressBar
from h2pc.scores.base import LocalScore
from h2pc.variables import Var, Vars, without

Search = Callable[..., SearchResult]
"""A search, called as ``search(score, skeleton, constraints=…, poll=…, bar=…)``."""

# Of the time that there is: a skeleton without directions would be of little use.
_SHARE_OF_SKELETON = 0.8


def hybrid_dag(
    ci: CITest,
    score: LocalScore,
    names: Sequence[str],
    *,
    learner: Learner = hpc,
    search: Search = tabu_search,
    prior: SkeletonPrior | None = None,
    targets: Vars | None = None,
    copies: Mapping[Var, Var] | None = None,
    symmetry: Symmetry = Symmetry.AND,
    control: FalseDiscoveryControl | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    watch: Watch | None = None,
    checkpoint: CellStore | None = None,
) -> LearnResult:
    """Directed graph of all variables, or the local graph around ``targets``: Algorithm 5.

    Around targets, the skeleton is learned as far as their Markov boundaries may reach: with the
    neighbours of their neighbours. The graph then has these variables alone.

    Parameters
    ----------
    ci : CITest
        The independence test; the constraints of its context hold for the directions as well.
    score : LocalScore
        The score to search with, of the same variables.
    names : sequence of str
        The names of the variables.
    learner : callable, default=hpc
        The local learner: HPC, or MMPC for MMHC.
    search : callable, default=tabu_search
        The search.
    prior : SkeletonPrior, default=None
        The prices of edges outside the skeleton; by default there are none, and the search stays
        inside, as in the paper.
    targets : Vars, default=None
        The variables whose Markov boundaries are wanted; by default all.
    copies : mapping of Var to Var, default=None
        Variables that are functions of another one and it of them, with that one; by default there
        are none. They take no part, and each is then joined to the one that it copies.
    symmetry, control, n_jobs, progress, checkpoint
        As in :func:`learned_skeleton`.
    watch : Watch, default=None
        Limits of the run and of its searches; by default there are none.

    Returns
    -------
    LearnResult
        The graph, the skeleton, and what they cost.

    Examples
    --------
    >>> from h2pc import GTest, load_network
    >>> from h2pc.scores import BDeu
    >>> data = load_network("asia").sample(5000, random_state=2)
    >>> hybrid_dag(GTest(data), BDeu(data), data.names).dag.named_edges[:2]
    (('bronc', 'dysp'), ('either', 'dysp'))
    """
    watch = Watch(names=names) if watch is None else watch
    copies = {} if copies is None else copies
    universe = without(range(len(names)), *copies)
    if targets is not None:
        targets = tuple(dict.fromkeys(copies.get(v, v) for v in targets))
    first = learned_skeleton(  # lines 1-5
        ci,
        names,
        learner,
        targets=targets,
        depth=0 if targets is None else 1,
        symmetry=symmetry,
        control=control,
        universe=universe,
        n_jobs=n_jobs,
        progress=progress,
        watch=watch.first_part(_SHARE_OF_SKELETON),
        checkpoint=checkpoint,
    )
    start = perf_counter()
    scans = prior is not None and prior.outside is not None
    with ProgressBar("Pairs", progress if scans else False) as bar:
        problem = search_problem(
            score,
            first,
            ci.context.constraints,
            universe=universe,
            targets=targets,
            prior=prior,
            poll=watch.poll,
            n_jobs=n_jobs,
            bar=bar,
        )
    # After a limit nothing is searched: then many pairs would only take time and memory.
    pairs = problem.pairs if watch.reached is None else Skeleton(names)
    with ProgressBar("Search", progress) as bar:
        found = search(  # lines 6-7
            problem.score, pairs, constraints=problem.constraints, poll=watch.poll, bar=bar
        )
    skeleton, region = first.skeleton, universe
    if targets is not None:
        skeleton = edges_around(targets, skeleton)
        region = region_of(targets, skeleton)
    copied = {v: u for v, u in copies.items() if u in region}
    region = tuple(sorted((*region, *copied)))
    parents = with_copies(found.parent_sets, copied, score)
    dag, skeleton = Dag(names, parents), Skeleton(names, (*skeleton.edges, *copied.items()))
    tests = with_tests_of_copies(first.edge_tests, ci, copied)
    return LearnResult(
        dag if targets is None else dag.subgraph(region),
        skeleton if targets is None else skeleton.subgraph(region),
        score=math.fsum(score.family(v, parents[v]) for v in region),
        n_tests=first.n_tests,
        n_scores=found.n_scores,
        n_moves=found.n_moves,
        seconds={"skeleton": first.seconds, "search": perf_counter() - start},
        complete=first.complete and found.complete,
        n_cut=first.n_cut,
        copies={names[v]: names[u] for v, u in copied.items()},
        skeleton_result=replace(first, edge_tests=tests),
    )


def with_copies(
    parent_sets: Sequence[Vars], copies: Mapping[Var, Var], score: LocalScore
) -> tuple[Vars, ...]:
    """Parent sets in which copies have the variable that they copy, where that gains."""
    parents = list(parent_sets)
    for v, u in copies.items():
        if score.family(v, (u,)) > score.family(v):
            parents[v] = (u,)
    return tuple(parents)


@dataclass(frozen=True)
class SearchProblem:
    """What the search of a hybrid algorithm is given."""

    score: LocalScore
    """The score to maximise, less the prices."""
    pairs: Skeleton
    """The pairs that may be joined."""
    constraints: EdgeConstraints
    """The constraints that hold for them."""


def search_problem(
    score: LocalScore,
    found: SkeletonResult,
    constraints: EdgeConstraints,
    *,
    universe: Vars | None = None,
    targets: Vars | None = None,
    prior: SkeletonPrior | None = None,
    poll: Callable[[], bool] | None = None,
    n_jobs: int | None = None,
    bar: ProgressBar | None = None,
) -> SearchProblem:
    """What is left to search for once the skeleton is found; by default all are in the universe."""
    skeleton, near = found.skeleton, None
    variables = tuple(range(len(skeleton.names))) if universe is None else universe
    if targets is not None:
        near = with_neighbours(targets, skeleton)
        skeleton = edges_around(targets, skeleton)
        variables = region_of(targets, skeleton)
    pairs = skeleton
    if prior is not None:
        one_sided = frozenset() if prior.one_sided is None else one_sided_pairs(found)
        seen = pairs_near(one_sided, variables, near)
        score = prior.priced(score, skeleton, seen)
        more: Iterable[Pair] = ()
        if prior.outside is not None:
            gaining = gaining_pairs(score, variables, near, poll, n_jobs=n_jobs, bar=bar)
            more = ((int(u), int(v)) for u, v in gaining)
        if poll is None or not poll():  # else there is no search that would join them
            new = (pair for pair in chain(seen, more) if is_possible(*pair, constraints))
            pairs = Skeleton(skeleton.names, chain(skeleton.edges, new))
    if targets is not None:
        constraints = inside(constraints, pairs)
    return SearchProblem(score, pairs, constraints)


def with_neighbours(targets: Vars, skeleton: Skeleton) -> frozenset[Var]:
    """Targets and their neighbours."""
    ends = frozenset(targets)
    found = (edge for edge in skeleton.edges if not ends.isdisjoint(edge))
    return ends.union(*found)


def edges_around(targets: Vars, skeleton: Skeleton) -> Skeleton:
    """Edges of the targets and of their neighbours: all that is known in full."""
    near = with_neighbours(targets, skeleton)
    edges = ((u, v) for u, v in skeleton.edges if u in near or v in near)
    return Skeleton(skeleton.names, edges)


def region_of(targets: Vars, around: Skeleton) -> Vars:
    """Variables of the local graph, given the edges around the targets."""
    return tuple(sorted({*targets, *(v for edge in around.edges for v in edge)}))


def is_possible(u: Var, v: Var, constraints: EdgeConstraints) -> bool:
    """Whether two variables may be joined, in one direction or the other."""
    return constraints.allows(u, v) or constraints.allows(v, u)


def inside(constraints: EdgeConstraints, skeleton: Skeleton) -> EdgeConstraints:
    """Constraints without the required edges that lie outside the skeleton."""
    pairs = frozenset(skeleton.edges)
    required = tuple((u, v) for u, v in constraints.required if (min(u, v), max(u, v)) in pairs)
    return replace(constraints, required=required)
