"""What a learner of skeletons hands back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from h2pc.algorithms.checkpoints import Finished
from h2pc.algorithms.separating_sets import separating_sets
from h2pc.graphs import Skeleton
from h2pc.variables import Var


@dataclass(frozen=True, repr=False)
class SkeletonResult:
    """A skeleton, and how it came about.

    Two results are equal if everything but the time is.

    Attributes
    ----------
    skeleton : Skeleton
        The edges that the symmetry rule leaves, on all variables.
    neighbourhoods : mapping of str to tuple of str
        What the local learner found for every variable whose whole neighbourhood was learned,
        before symmetry: names, sorted.
    n_tests : int
        The number of independence tests.
    seconds : float
        The time it took.
    settings : mapping of str to object
        All that decides the result, besides the data.
    complete : bool
        Whether all neighbourhoods that were wanted are there. Where a limit came first, the
        skeleton has the edges whose ends are both known.
    n_cut : int
        The number of searches for a separating set that were cut short by a limit.
    settled : tuple of str
        The variables whose edges are all known: all, where there were neither targets nor limits.
    found : mapping of Var to Finished
        What the local learner found about each target; kept in memory only.

    Examples
    --------
    >>> from h2pc import load_network, skeleton
    >>> result = skeleton(load_network("asia").sample(2000, random_state=1), targets=["bronc"])
    >>> result.neighbours("bronc")
    ('dysp', 'smoke')
    >>> result.settled
    ('bronc',)
    >>> result.settings["learner"], result.settings["alpha"]
    ('hpc', 0.05)
    """

    skeleton: Skeleton
    neighbourhoods: Mapping[str, tuple[str, ...]]
    n_tests: int
    seconds: float = field(compare=False)
    settings: Mapping[str, object] = field(default_factory=dict)
    complete: bool = True
    n_cut: int = 0
    settled: tuple[str, ...] = ()
    found: Mapping[Var, Finished] = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        incomplete = "" if self.complete else ", incomplete"
        return (
            f"{type(self).__name__}({len(self.skeleton.names)} variables, "
            f"{len(self.skeleton.edges)} edges, {self.n_tests} tests, {self.seconds:.3g} s"
            f"{incomplete})"
        )

    def separating_sets(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Sets that made pairs independent, as HPC found them; empty for other learners."""
        return separating_sets(self.skeleton.names, self.found)

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Names of what the skeleton joins to ``name``: all of them, if ``name`` is settled."""
        skeleton = self.skeleton
        return tuple(skeleton.names[v] for v in skeleton.adjacent(skeleton.variable(name)))
