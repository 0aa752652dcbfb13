"""Skeletons: the neighbourhoods of all variables, or of some, made symmetric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from time import perf_counter

from h2pc.algorithms.checkpoints import Checkpoint, Finished
from h2pc.algorithms.hpc import Neighbourhood, hpc, hpc_neighbourhood
from h2pc.algorithms.neighbourhoods import Learned, Learner, neighbourhoods
from h2pc.algorithms.skeleton_result import SkeletonResult
from h2pc.graphs import Skeleton
from h2pc.independence.base import CITest
from h2pc.runs import CellStore
from h2pc.runs.bars import ProgressBar
from h2pc.runs.limits import Watch
from h2pc.runs.workers import Shared
from h2pc.variables import Var, Vars, without


class Symmetry(StrEnum):
    """When X–Y is an edge, given the neighbourhoods of X and of Y."""

    AND = "and"
    """If each is in the neighbourhood of the other."""
    OR = "or"
    """If one of them is in the neighbourhood of the other."""


def learned_skeleton(
    ci: CITest,
    names: Sequence[str],
    learner: Learner = hpc,
    *,
    targets: Vars | None = None,
    depth: int = 0,
    symmetry: Symmetry = Symmetry.AND,
    second: CITest | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    watch: Watch | None = None,
    checkpoint: CellStore | None = None,
) -> SkeletonResult:
    """Skeleton of the variables that an independence test knows.

    Parameters
    ----------
    ci : CITest
        The independence test that answers.
    names : sequence of str
        The names of its variables.
    learner : callable
        The local learner, called as ``learner(target, ci, universe)``.
    targets : Vars, optional
        The variables whose neighbourhoods are wanted; by default all.
    depth : int
        How far from the targets the neighbourhoods are wanted as well: 1 for their neighbours.
    symmetry : Symmetry
        When two variables are joined.
    second : CITest, optional
        A test with a smaller power rule. Under the AND rule, where one of two variables has found
        the other and not the other way round, the other is learned again with it; not around
        targets, where that would mean to learn every variable.
    n_jobs : int, optional
        The number of workers, as joblib counts them.
    progress : bool, optional
        Whether there is a progress bar; by default on a terminal.
    watch : Watch, optional
        Limits of the run and of its searches; by default there are none.
    checkpoint : CellStore, optional
        Where finished neighbourhoods are kept for another run, one of :attr:`Checkpoint.FIELDS`.

    Returns
    -------
    SkeletonResult
        The skeleton, and the neighbourhoods that it is made of.

    See Also
    --------
    h2pc.skeleton : The same, from a table of data.

    Examples
    --------
    >>> from h2pc import Dag, DSeparationOracle
    >>> dag = Dag.from_edges(tuple("abcd"), [("a", "b"), ("c", "b"), ("c", "d")])
    >>> learned_skeleton(DSeparationOracle(dag), dag.names).skeleton == dag.skeleton()
    True
    """
    start = perf_counter()
    universe = tuple(range(len(names)))
    wanted = universe if targets is None else targets
    # Any variable may have a target in its neighbourhood: the OR rule needs all of them.
    first = universe if symmetry is Symmetry.OR else wanted
    views, shared = _Views(), Shared(ci)
    shared_second = None if second is None else Shared(second)
    with ProgressBar("Neighbourhoods", progress) as bar:

        def learn(
            wave: Vars, asked: Mapping[Var, Vars] | None = None, *, again: bool = False
        ) -> None:
            bar.expect(len(wave))
            kept = None if checkpoint is None else Checkpoint(checkpoint, names, asked, again=again)
            found = neighbourhoods(
                wave,
                shared_second if again and shared_second else shared,
                universe,
                _Hpc(asked) if learner is hpc else learner,
                n_jobs=n_jobs,
                bar=bar,
                watch=watch,
                checkpoint=kept,
            )
            views.add(found, asked, again=again)
            if len(found.sets) < len(wave):
                raise _LimitsReachedError

        with suppress(_LimitsReachedError):
            _learn_outwards(first, depth, views, learn, has_short_answers=learner is hpc)
            if second is not None and targets is None and symmetry is Symmetry.AND:
                asked = views.doubted()
                learn(tuple(asked), asked, again=True)
            views.complete = True
    return SkeletonResult(
        Skeleton(names, views.edges(symmetry)),
        {names[x]: tuple(sorted(names[y] for y in views.sets[x])) for x in sorted(views.sets)},
        views.n_tests,
        perf_counter() - start,
        {
            "learner": getattr(learner, "__name__", type(learner).__name__),
            "targets": None if targets is None else tuple(names[x] for x in sorted(targets)),
            "depth": depth,
            "symmetry": symmetry.value,
            "alpha": ci.alpha,
        },
        views.complete,
        views.n_cut,
        tuple(names[x] for x in sorted(views.sets) if views.is_settled(x)),
        views.found,
    )


class _LimitsReachedError(Exception):
    """Not all targets of a wave were learned."""


class _Hpc:
    """HPC of targets; of some, only whether others are their neighbours."""

    def __init__(self, wanted: Mapping[Var, Vars] | None) -> None:
        self.wanted = {} if wanted is None else wanted

    def __call__(self, target: Var, ci: CITest, universe: Vars) -> Vars | Neighbourhood:
        if target in self.wanted:
            return hpc_neighbourhood(target, ci, universe, self.wanted[target]).pc
        return hpc_neighbourhood(target, ci, universe)


class _Views:
    """What is known of the neighbourhoods, and what they cost."""

    def __init__(self) -> None:
        self.sets: dict[Var, Vars] = {}
        """Whole neighbourhoods."""
        self.short: dict[tuple[Var, Var], bool] = {}
        """Whether (target, other) are neighbours, where only some others were wanted."""
        self.second: dict[tuple[Var, Var], bool] = {}
        """The same of those that were learned again."""
        self.found: dict[Var, Finished] = {}
        """All that is known of those whose whole neighbourhoods were learned."""
        self.n_tests = self.n_cut = 0
        self.complete = False

    def add(self, found: Learned, asked: Mapping[Var, Vars] | None, *, again: bool) -> None:
        """Take in what was found, in whole or as an answer to what was asked."""
        self.n_tests, self.n_cut = self.n_tests + found.n_tests, self.n_cut + found.n_cut
        if asked is None:
            self.sets.update(found.sets)
            self.found.update(found.found)
            return
        answers = {(x, y): y in near for x, near in found.sets.items() for y in asked[x]}
        (self.second if again else self.short).update(answers)

    def has(self, x: Var, y: Var) -> bool | None:
        """Whether ``y`` is a neighbour as ``x`` sees it; None where nobody knows."""
        return y in self.sets[x] if x in self.sets else self.short.get((x, y))

    def is_settled(self, x: Var) -> bool:
        """Whether all that ``x`` sees as neighbours have been asked as well."""
        return all(y in self.sets or (y, x) in self.short for y in self.sets[x])

    def doubted(self) -> dict[Var, Vars]:
        """Who does not see whom it is seen by, by the one who does not see."""
        silent: dict[Var, Vars] = {}
        for x, near in sorted(self.sets.items()):
            for y in near:
                if self.has(y, x) is False:
                    silent[y] = (*silent.get(y, ()), x)
        return silent

    def edges(self, symmetry: Symmetry) -> Iterable[tuple[Var, Var]]:
        """Pairs that the symmetry rule joins; who has not been asked agrees with nobody."""
        pairs = ((x, y) for x, near in self.sets.items() for y in near)
        if symmetry is Symmetry.OR:
            return ((x, y) for x, y in pairs if y in self.sets)
        return ((x, y) for x, y in pairs if self.has(y, x) or self.second.get((y, x)))


def _learn_outwards(
    targets: Vars,
    depth: int,
    views: _Views,
    learn: Callable[..., None],
    has_short_answers: bool,
) -> None:
    """Learn all that decides about the edges of the targets, and ``depth`` steps from them.

    The edges of a variable are known once everything that it sees as a neighbour has been asked
    about it. Whole neighbourhoods are needed of those who have become neighbours, inside
    ``depth``; where a learner has short answers, the others give only these.
    """
    learn(targets)
    ring, inside = targets, dict.fromkeys(targets)
    for step in range(depth + 1):
        asked: dict[Var, Vars] = {}
        for x in ring:
            for y in views.sets[x]:
                if views.has(y, x) is None:
                    asked[y] = (*asked.get(y, ()), x)
        if asked and has_short_answers:
            learn(tuple(asked), asked)
        elif asked:
            learn(tuple(asked))
        joined = dict.fromkeys(y for x in ring for y in views.sets[x] if views.has(y, x))
        ring = without(joined, *inside)
        inside.update(dict.fromkeys(ring))
        if step < depth and (new := without(ring, *views.sets)):
            learn(new)
