"""Skeletons: the neighbourhoods of all variables, or of some, made symmetric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from time import perf_counter

from h2pc.graph import Skeleton
from h2pc.independence.base import CITest
from h2pc.local import hpc
from h2pc.runs import CellStore
from h2pc.runs.bars import ProgressBar
from h2pc.runs.limits import Watch
from h2pc.structure.checkpoints import Checkpoint
from h2pc.structure.neighbourhoods import Learned, Learner, neighbourhoods
from h2pc.structure.result import SkeletonResult
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
    kept = None if checkpoint is None else Checkpoint(checkpoint, names)
    sets: dict[Var, Vars] = {}
    n_tests = n_cut = 0
    complete = True
    with ProgressBar("Neighbourhoods", progress) as bar:
        waves = _waves(first, depth, sets)
        for wave in waves:
            bar.expect(len(wave))
            found: Learned = neighbourhoods(
                wave, ci, universe, learner, n_jobs=n_jobs, bar=bar, watch=watch, checkpoint=kept
            )
            sets.update(found.sets)
            n_tests, n_cut = n_tests + found.n_tests, n_cut + found.n_cut
            complete = len(found.sets) == len(wave)
            if not complete:
                break
    return SkeletonResult(
        Skeleton(names, _edges(sets, symmetry)),
        {names[x]: tuple(sorted(names[y] for y in sets[x])) for x in sorted(sets)},
        n_tests,
        perf_counter() - start,
        {
            "learner": getattr(learner, "__name__", type(learner).__name__),
            "targets": None if targets is None else tuple(names[x] for x in sorted(targets)),
            "depth": depth,
            "symmetry": symmetry.value,
            "alpha": ci.alpha,
        },
        complete,
        n_cut,
    )


def _waves(targets: Vars, depth: int, sets: Mapping[Var, Vars]) -> Iterator[Vars]:
    """Variables to learn next; ``sets`` holds what has been learned from the waves before.

    The edges of a variable are known once everything in its neighbourhood has been asked as well.
    So the targets come first, then all that they name, then what is named by those of them that
    have become neighbours, and so on.
    """
    yield targets
    ring, inside = targets, dict.fromkeys(targets)
    for _ in range(depth + 1):
        named = dict.fromkeys(y for x in ring for y in sets[x])
        if new := without(named, *sets):
            yield new
        joined = dict.fromkeys(y for x in ring for y in sets[x] if x in sets[y])
        ring = without(joined, *inside)
        inside.update(dict.fromkeys(ring))


def _edges(sets: Mapping[Var, Vars], symmetry: Symmetry) -> Iterable[tuple[Var, Var]]:
    """Pairs that the symmetry rule joins; what has not been learned agrees with nobody."""
    pairs = ((x, y) for x, near in sets.items() for y in near if y in sets)
    if symmetry is Symmetry.OR:
        return pairs
    return ((x, y) for x, y in pairs if x in sets[y])
