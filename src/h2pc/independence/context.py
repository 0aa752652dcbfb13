"""What cuts across all steps of a run: constraints, limits, counts, and when to stop."""

from __future__ import annotations

from functools import partial
from typing import Any

from h2pc._engine import Context as EngineContext
from h2pc.independence.attempts import Attempts
from h2pc.independence.constraints import EdgeConstraints
from h2pc.runs.limits import Watch
from h2pc.variables import Var, Vars

MANY_SUBSETS = 10_000_000
"""Subsets of one search after which a warning says that it takes long."""


class Context:
    """Constraints, limits, counts and the watch of a run: one value that the engine is given.

    Parameters
    ----------
    constraints : EdgeConstraints, default=None
        Pairs that need no test; by default there are none.
    watch : Watch, default=None
        Limits of the run and of its searches; by default there are none.
    many_subsets : int, default=10_000_000
        Subsets of one search after which a warning says that it takes long.

    Attributes
    ----------
    n_tests : int
        The number of tests so far. A search for a separating set counts every subset that it tried,
        and pairs that the constraints decide count as if they were tested.
    n_cut : int
        The number of searches for a separating set that a limit cut short.

    Examples
    --------
    >>> from h2pc import Dag, DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abc"), [(0, 1)]))
    >>> within = oracle.within(Context(EdgeConstraints(required=((0, 2),))))
    >>> within.log_p_many(0, (1, 2)), within.context.n_tests
    (array([-inf, -inf]), 2)
    """

    def __init__(
        self,
        constraints: EdgeConstraints | None = None,
        watch: Watch | None = None,
        *,
        many_subsets: int = MANY_SUBSETS,
    ) -> None:
        self.constraints = EdgeConstraints() if constraints is None else constraints
        self.watch = Watch() if watch is None else watch
        self.many_subsets = many_subsets
        limits, decided = self.watch.limits, self.constraints.decided
        self.engine = EngineContext(
            [list(decided.get(v, {}).items()) for v in range(max(decided) + 1)]
            if decided
            else None,
            limits.max_conditioning,
            limits.max_subset_tests,
            partial(_poll, self.watch, many_subsets),
            many_subsets,
        )

    @property
    def n_tests(self) -> int:
        """The number of tests so far."""
        return self.engine.n_tests

    @property
    def n_cut(self) -> int:
        """The number of searches for a separating set that a limit cut short."""
        return self.engine.n_cut

    def fresh(self, *, records: bool = False) -> Context:
        """Return the same context with nothing counted, for another thread or target.

        It may record the attempts to separate pairs.
        """
        other = object.__new__(Context)
        other.__dict__.update(self.__dict__, engine=self.engine.fresh(records))
        return other

    def attempts(self, target: Var) -> dict[Var, Attempts]:
        """Recorded attempts to separate variables from ``target``, where a test found a link."""
        found = self.engine.attempts(target)
        return {x: Attempts(*found[x]) for x in sorted(found)}

    def separators(self, target: Var) -> dict[Var, Vars]:
        """Recorded sets that separate variables from ``target``, the first of each.

        Variables that are independent of the target given nothing may be left out.
        """
        return self.engine.separators(target)

    def watched_by(self, watch: Watch) -> Context:
        """Return the context with the same constraints and another watch."""
        return Context(self.constraints, watch, many_subsets=self.many_subsets)

    def __reduce__(self) -> tuple[Any, ...]:
        made = partial(Context, many_subsets=self.many_subsets)
        return made, (self.constraints, self.watch)


def _poll(watch: Watch, many_subsets: int, long_search: tuple[Var, Var] | None) -> None:
    """Stop a run at its limits, and warn of long searches: the engine calls this now and then.

    It does not know the context: the engine's part of that would keep it alive for ever.
    """
    watch.check()
    if long_search is not None:
        one, other = map(watch.name, long_search)
        watch.warn(
            f"The search for what separates {one!r} from {other!r} has tried {many_subsets:,} "
            "subsets and goes on: max_subset_tests or max_conditioning bounds such searches."
        )
