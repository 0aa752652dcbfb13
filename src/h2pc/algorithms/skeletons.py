"""Skeletons: the neighbourhoods of all variables, or of some, made symmetric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import exp
from time import perf_counter
from typing import NamedTuple

from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.algorithms.edge_tests import (
    EdgeTests,
    FalseDiscoveryControl,
    FdrMethod,
    Pair,
    edge_tests,
)
from h2pc.algorithms.hpc import Neighbourhood, hpc
from h2pc.algorithms.neighbourhoods import Learner, neighbourhoods
from h2pc.graphs import Skeleton
from h2pc.independence.base import CITest
from h2pc.runs import CellStore
from h2pc.runs.limits import Watch
from h2pc.runs.progress import ProgressBar
from h2pc.runs.workers import Shared
from h2pc.variables import Var, Vars, without


class Symmetry(StrEnum):
    """When X–Y is an edge, given the neighbourhoods of X and of Y."""

    AND = "and"
    """If each is in the neighbourhood of the other."""
    OR = "or"
    """If one of them is in the neighbourhood of the other."""


@dataclass(frozen=True, repr=False)
class SkeletonResult:
    """A skeleton, and how it was found.

    Two results are equal if everything but the time is.

    Attributes
    ----------
    skeleton : Skeleton
        The edges that the symmetry rule leaves, on all variables; with a false discovery rate,
        those of them that keep to it.
    found : mapping of Var to Neighbourhood
        What the local learner found for every variable whose whole neighbourhood was learned,
        before symmetry.
    n_tests : int
        The number of independence tests.
    seconds : float
        The time it took.
    settings : mapping of str to object
        All that decides the result, besides the data.
    complete : bool
        Whether all neighbourhoods that are needed were learned. Where a limit came first, the
        skeleton has the edges for which both ends were learned.
    n_cut : int
        The number of searches for a separating set that were cut short by a limit.
    complete_variables : tuple of str
        The variables whose edges are all known: all, where there were neither targets nor limits.
    edge_tests : EdgeTests
        For every edge that the symmetry rule leaves, the test with the largest p-value.

    Examples
    --------
    >>> from h2pc import load_network, skeleton
    >>> result = skeleton(load_network("asia").sample(2000, random_state=1), targets=["bronc"])
    >>> result.neighbours("bronc")
    ('dysp', 'smoke')
    >>> result.complete_variables
    ('bronc',)
    >>> result.settings["learner"], result.settings["alpha"]
    ('hpc', 0.05)
    """

    skeleton: Skeleton
    found: Mapping[Var, Neighbourhood]
    n_tests: int
    seconds: float = field(compare=False)
    settings: Mapping[str, object] = field(default_factory=dict)
    complete: bool = True
    n_cut: int = 0
    complete_variables: tuple[str, ...] = ()
    edge_tests: EdgeTests = field(default_factory=EdgeTests)

    def __repr__(self) -> str:
        incomplete = "" if self.complete else ", incomplete"
        return (
            f"{type(self).__name__}({len(self.skeleton.names)} variables, "
            f"{len(self.skeleton.edges)} edges, {self.n_tests} tests, {self.seconds:.3g} s"
            f"{incomplete})"
        )

    def _repr_html_(self) -> str:
        return self.skeleton.to_html(repr(self))

    @property
    def neighbourhoods(self) -> dict[str, tuple[str, ...]]:
        """Names of the parents and children of :attr:`found`, sorted, before symmetry."""
        names = self.skeleton.names
        return {
            names[x]: tuple(sorted(names[y] for y in found.pc))
            for x, found in sorted(self.found.items())
        }

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Names of the neighbours of ``name``: all, where ``name`` is a complete variable."""
        return self.skeleton.adjacent(name)

    def p_values(self) -> dict[tuple[str, str], float | None]:
        """P-values of the edges: the largest among the tests that tried to separate the two.

        They bound the p-value of "not adjacent" from above. Pairs are in the order of names; edges
        that a false discovery rate has taken out are among them. None stands for edges that no test
        has tried to separate: required ones, and those of a local learner of your own.

        Examples
        --------
        >>> from h2pc import load_network, skeleton
        >>> result = skeleton(load_network("asia").sample(500, random_state=1))
        >>> p_values = result.p_values()
        >>> f"{p_values['bronc', 'smoke']:.1g}", f"{p_values['either', 'tub']:.1g}"
        ('3e-07', '0.005')
        """
        tests = self.edge_tests.by_pair
        return self._named({p: t.log_p for p, t in tests.items()})

    def q_values(self, method: FdrMethod = "by") -> dict[tuple[str, str], float | None]:
        """P-values adjusted for the number of pairs: q ≤ 0.05 keeps a false discovery rate of 5 %.

        Parameters
        ----------
        method : {"by", "bh"}, default="by"
            Benjamini and Yekutieli (2001), valid for dependent tests, or Benjamini and Hochberg
            (1995). Pairs that are not joined count as p = 1; around targets, the pairs of the
            targets are adjusted by themselves.

        Returns
        -------
        dict of (str, str) to float or None
            None for required edges, and for those whose p-value is no bound: some variable depends
            on both ends, and the power rule kept it out of all their tests.

        Examples
        --------
        >>> from h2pc import load_network, skeleton
        >>> result = skeleton(load_network("asia").sample(500, random_state=1))
        >>> q_values = result.q_values("bh")
        >>> f"{q_values['bronc', 'smoke']:.1g}", f"{q_values['either', 'tub']:.1g}"
        ('3e-06', '0.04')
        """
        log_q = self.edge_tests.log_q(method)
        return self._named({p: log_q.get(p) for p in self.edge_tests.by_pair})

    def _named(self, logs: Mapping[Pair, float | None]) -> dict[tuple[str, str], float | None]:
        """Return exponentials by pairs of names."""
        names = self.skeleton.names
        return {
            (names[x], names[y]): None if value is None else exp(value)
            for (x, y), value in logs.items()
        }

    def separating_sets(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Sets that separate pairs, as DE-PCS found them, or MMPC.

        Of every pair, in the order of names, the smaller set where both ends found one; empty for
        other learners.

        Examples
        --------
        >>> from h2pc import load_network, skeleton
        >>> result = skeleton(load_network("asia").sample(2000, random_state=1))
        >>> result.separating_sets()["bronc", "lung"]
        ('smoke',)
        """
        names = self.skeleton.names
        sets: dict[tuple[Var, Var], Vars] = {}
        for x, found in sorted(self.found.items()):
            if found.dsep is None:
                continue
            for y in without(range(len(names)), x, *found.pcs):
                pair, z = (min(x, y), max(x, y)), found.dsep.get(y, ())
                if pair not in sets or len(z) < len(sets[pair]):
                    sets[pair] = z
        return {
            (names[x], names[y]): tuple(names[v] for v in z) for (x, y), z in sorted(sets.items())
        }


def learned_skeleton(
    ci: CITest,
    names: Sequence[str],
    learner: Learner = hpc,
    *,
    targets: Vars | None = None,
    depth: int = 0,
    symmetry: Symmetry = Symmetry.AND,
    control: FalseDiscoveryControl | None = None,
    universe: Vars | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    watch: Watch | None = None,
    checkpoint: CellStore | None = None,
) -> SkeletonResult:
    """Skeleton of the variables of an independence test: lines 1 to 5 of Algorithm 5.

    Parameters
    ----------
    ci : CITest
        The independence test.
    names : sequence of str
        The names of its variables.
    learner : callable, default=hpc
        The local learner, called as ``learner(target, ci, universe)``.
    targets : Vars, default=None
        The variables whose neighbourhoods are wanted; by default all.
    depth : int, default=0
        The distance from the targets up to which neighbourhoods are wanted as well: 1 for their
        neighbours.
    symmetry : Symmetry, default=Symmetry.AND
        When two variables are joined.
    control : FalseDiscoveryControl, default=None
        The false discovery rate of the edges; by default all are kept.
    universe : Vars, default=None
        The variables that there are for the learner, sorted; by default all.
    n_jobs : int, default=None
        The number of workers, as joblib counts them: by default one.
    progress : bool, default=None
        Whether there is a progress bar; by default on a terminal.
    watch : Watch, default=None
        Limits of the run and of its searches; by default there are none.
    checkpoint : CellStore, default=None
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
    universe = tuple(range(len(names))) if universe is None else universe
    wanted = universe if targets is None else targets
    # Any variable may have a target in its neighbourhood: the OR rule needs all of them.
    first = universe if symmetry is Symmetry.OR else wanted
    test, views, complete = Shared(ci), _Views(), True
    saved = None if checkpoint is None else Checkpoint(checkpoint, names)
    with ProgressBar("Neighbourhoods", progress) as bar:
        for wave in _waves(first, depth, views, in_part=learner is hpc):
            bar.expect(len(wave.targets))
            if saved is not None:
                saved.begin(wave.wanted)
            found = neighbourhoods(
                wave.targets,
                test,
                universe,
                learner,
                wanted=wave.wanted,
                n_jobs=n_jobs,
                bar=bar,
                watch=watch,
                checkpoint=saved,
            )
            views.add(found, wave)
            if len(found) < len(wave.targets):  # a limit was reached
                complete = False
                break
    edges = {(min(edge), max(edge)) for edge in views.edges(symmetry)}
    tests = edge_tests(
        ci, {edge: views.ends(*edge) for edge in edges}, views.whole, targets, universe
    )
    return SkeletonResult(
        Skeleton(names, edges if control is None else tests.kept(control)),
        views.whole,
        views.n_tests,
        perf_counter() - start,
        complete=complete,
        n_cut=views.n_cut,
        complete_variables=tuple(names[x] for x in sorted(views.whole) if views.is_complete(x)),
        edge_tests=tests,
    )


class _Wave(NamedTuple):
    """Targets that are learned together."""

    targets: Vars
    wanted: Mapping[Var, Vars] | None = None
    """The variables that each is tested for; None for all."""


def _waves(targets: Vars, depth: int, views: _Views, *, in_part: bool) -> Iterator[_Wave]:
    """Targets whose neighbourhoods decide the edges of the first ones, and ``depth`` steps on.

    The edges of a variable are known once everything that it has found has been tested for it.
    Whole neighbourhoods are needed of confirmed neighbours, inside ``depth``; the others only have
    to confirm an edge, where the learner can work ``in_part``.
    """
    yield _Wave(targets)
    ring, inside = targets, dict.fromkeys(targets)
    for step in range(depth + 1):
        unconfirmed = views.untested(ring)
        if unconfirmed:
            yield _Wave(tuple(unconfirmed), unconfirmed if in_part else None)
        joined = dict.fromkeys(y for x in ring for y in views.whole[x].pc if views.has(y, x))
        ring = without(joined, *inside)
        inside.update(dict.fromkeys(ring))
        if step < depth and (new := without(ring, *views.whole)):
            yield _Wave(new)


class _Views:
    """What each variable has found so far, and what it cost."""

    def __init__(self) -> None:
        self.whole: dict[Var, Neighbourhood] = {}
        """Whole neighbourhoods."""
        self.confirmed: dict[tuple[Var, Var], bool] = {}
        """Whether x has found y, where x was tested for some variables only."""
        self._in_part: dict[tuple[Var, Var], Neighbourhood] = {}
        """What x found then, when it was tested for y."""
        self.n_tests = self.n_cut = 0

    def add(self, found: Mapping[Var, Neighbourhood], wave: _Wave) -> None:
        """Take in the neighbourhoods of a wave."""
        self.n_tests += sum(each.n_tests for each in found.values())
        self.n_cut += sum(each.n_cut for each in found.values())
        if wave.wanted is None:
            self.whole.update(found)
            return
        self.confirmed.update(
            {(x, y): y in each.pc for x, each in found.items() for y in wave.wanted[x]}
        )
        self._in_part.update({(x, y): each for x, each in found.items() for y in wave.wanted[x]})

    def ends(self, x: Var, y: Var) -> tuple[Neighbourhood, Neighbourhood]:
        """What both variables of an edge have found."""
        one, other = (self.whole.get(u) or self._in_part[u, v] for u, v in ((x, y), (y, x)))
        return one, other

    def has(self, x: Var, y: Var) -> bool | None:
        """Whether ``x`` has found ``y``; None where that was not tested."""
        return y in self.whole[x].pc if x in self.whole else self.confirmed.get((x, y))

    def is_complete(self, x: Var) -> bool:
        """Whether everything that ``x`` has found was tested for ``x``."""
        return all(y in self.whole or (y, x) in self.confirmed for y in self.whole[x].pc)

    def untested(self, ring: Vars) -> dict[Var, Vars]:
        """Variables that some of ``ring`` have found and that were not tested for these."""
        return _by_second((x, y) for x in ring for y in self.whole[x].pc if self.has(y, x) is None)

    def edges(self, symmetry: Symmetry) -> Iterable[tuple[Var, Var]]:
        """Pairs that the symmetry rule joins; what was not tested is not joined."""
        pairs = ((x, y) for x, own in self.whole.items() for y in own.pc)
        if symmetry is Symmetry.OR:
            return ((x, y) for x, y in pairs if y in self.whole)
        return ((x, y) for x, y in pairs if self.has(y, x))


def _by_second(pairs: Iterable[tuple[Var, Var]]) -> dict[Var, Vars]:
    """First members of the pairs, by the second."""
    grouped: dict[Var, Vars] = {}
    for x, y in pairs:
        grouped[y] = (*grouped.get(y, ()), x)
    return grouped
