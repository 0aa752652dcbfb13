"""Tests of conditional independence, and the steps of the algorithms that use them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from h2pc._engine import CallbackTest, MaxMin
from h2pc._engine import Test as EngineTest
from h2pc.errors import SettingError
from h2pc.independence.context import Context
from h2pc.variables import Var, Vars

LogP = NDArray[np.float64]
"""Natural logarithms of p-values: they do not underflow, so they can be ranked."""


class Separation(NamedTuple):
    """The outcome of a search for a separating set."""

    z: Vars | None
    """The first set that separates, or None where none does."""
    log_p: float
    """The largest log p-value met on the way; with ``z``, it is that of ``z``."""


class Outcome(NamedTuple):
    """One test in full."""

    statistic: float
    df: float
    log_p: float
    performed: bool
    """False where samples are too few for the test: independence is assumed."""

    @property
    def p(self) -> float:
        """The p-value; 0.0 where it underflows."""
        return math.exp(self.log_p)


class CITest(ABC):
    """A conditional independence test at level ``alpha``.

    A new test is a class with one method, :meth:`log_p_given`. The steps of the algorithms run in
    the compiled engine for every test: they respect the constraints and limits of the context, and
    count. Variables are integers; they are numbered in the order of their names, so that ties
    broken by number are broken by name.

    Parameters
    ----------
    alpha : float, default=0.05
        Independence means p > alpha.

    Attributes
    ----------
    context : Context
        Constraints, limits and counts of the run that the test is used in.

    Examples
    --------
    A test that finds numbers dependent that are close.

    >>> import numpy as np
    >>> from h2pc import CITest, mmpc
    >>> class Closeness(CITest):
    ...     def log_p_given(self, target, candidates, z):
    ...         return np.array([-10.0 if abs(target - x) == 1 else 0.0 for x in candidates])
    >>> mmpc(2, Closeness(), (0, 1, 2, 3, 4))
    (1, 3)
    """

    def __init__(self, alpha: float = 0.05) -> None:
        if not 0.0 < alpha < 1.0:
            raise SettingError(f"alpha must lie between 0 and 1, both excluded; got {alpha!r}.")
        self.alpha = float(alpha)
        self.log_alpha = math.log(alpha)
        self.context = Context()

    @abstractmethod
    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate, whatever the context."""

    def may_separate(self, x: Var, y: Var, base: Vars, pool: Vars) -> bool:  # noqa: ARG002
        """Whether ``base`` with a subset of ``pool`` may separate the two: False saves a search."""
        return True

    def performs(self, x: Var, y: Var, z: Vars = ()) -> bool:  # noqa: ARG002
        """Whether x ⊥ y | z is tested, rather than assumed for lack of samples."""
        return True

    def unperformed(self, target: Var, given: Mapping[Var, Vars]) -> Vars:
        """Variables whose test of ``target`` given some others is not performed, sorted."""
        return tuple(v for v in sorted(given) if not self.performs(target, v, given[v]))

    def correlation(self, x: Var, y: Var, z: Vars = ()) -> float | None:  # noqa: ARG002
        """Partial correlation of x and y given z, where the test is of such; None elsewhere."""
        return None

    def log_p(self, x: Var, y: Var, z: Vars = ()) -> float:
        """Log p-value of x ⊥ y | z."""
        return float(self.log_p_many(x, (y,), z)[0])

    def independent(self, log_p: float) -> bool:
        """Whether a log p-value means independence: p > alpha."""
        return log_p > self.log_alpha

    def within(self, context: Context) -> Self:
        """Return the same test within another context."""
        test = object.__new__(type(self))
        test.__dict__ |= self.__dict__ | {"context": context}
        return test

    def focused(self, variables: Vars) -> CITest:  # noqa: ARG002
        """Return a test with the same answers, made ready for tests of ``variables``."""
        return self

    # The steps: one implementation, in the engine, for all tests.

    @property
    def _engine(self) -> EngineTest:
        """The test as the engine sees it."""
        has_shortcut = type(self).may_separate is not CITest.may_separate
        return CallbackTest(
            self.log_alpha, self.log_p_given, self.may_separate if has_shortcut else None
        )

    def log_p_many(self, target: Var, candidates: Vars, z: Vars = ()) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate; ``z`` is shared.

        Within the context: a pair that its constraints link has -inf, one that they separate 0.
        """
        return self._engine.log_p_many(self.context.engine, target, candidates, z)

    def prune(self, target: Var, candidates: Vars) -> tuple[Vars, dict[Var, Vars]]:
        """Candidates that are neither independent of the target nor separated by another one.

        Candidates are tried from the weakest link to the strongest, and separators from the
        strongest to the weakest, by the largest log p-value that was seen for each so far. Ties are
        broken by number.

        Returns
        -------
        kept : Vars
            Those that stay, from the strongest link to the weakest.
        separators : dict of Var to Vars
            What separated others; those that are in neither are independent of the target.
        """
        return self._engine.prune(self.context.engine, target, candidates)

    def prune_given_any(
        self, target: Var, candidates: Vars, dsep: Mapping[Var, Vars], xs: Vars
    ) -> Vars:
        """Candidates that pruning given some x keeps.

        Given x, the candidates are those that depend on the target given x and their separating
        set, of ``dsep``; where x is in that set, they are none.
        """
        return self._engine.kept_given_any(self.context.engine, target, candidates, dsep, xs)

    def iamb_fdr(self, target: Var, candidates: Vars, start: Vars = ()) -> Vars:
        """Markov boundary of the target by IAMB-FDR, in the order of entry."""
        return self._engine.iamb_fdr(self.context.engine, target, candidates, start)

    def first_separator(
        self,
        target: Var,
        candidate: Var,
        pool: Vars,
        *,
        base: Vars = (),
        min_size: int = 0,
        max_size: int | None = None,
    ) -> Separation:
        """First ``Z ⊆ pool`` with target ⊥ candidate | base ∪ Z, and the weakest link on the way.

        Subsets are tried by size, small first, and within a size in lexicographic order of the
        positions in ``pool``, as :func:`itertools.combinations` gives them. The ``z`` returned does
        not contain ``base``.
        """
        if min_size < 0:
            raise SettingError(f"min_size must be at least 0; got {min_size!r}.")
        largest = len(pool) if max_size is None else min(max_size, len(pool))
        if largest < min_size:
            return Separation(None, -math.inf)
        return Separation(
            *self._engine.first_separator(
                self.context.engine, target, candidate, base, pool, min_size, largest
            )
        )

    def inseparable(self, target: Var, candidates: Vars, pool: Vars) -> Vars:
        """Candidates that no subset of the others in ``pool`` separates from the target."""
        return self._engine.inseparable(self.context.engine, target, candidates, pool)

    def weakest_links(
        self, target: Var, candidates: Vars, base: Vars, pool: Vars
    ) -> dict[Var, float]:
        """Candidates that nothing from ``base`` to ``base ∪ pool`` separates from the target.

        Each comes with the largest log p-value that was met.
        """
        largest = self._engine.weakest_links(self.context.engine, target, candidates, base, pool)
        links = zip(candidates, largest, strict=True)
        return {x: log_p for x, log_p in links if not self.independent(log_p)}

    def max_min(self, target: Var, candidates: Vars) -> MaxMin:
        """Candidates with their weakest links, for the max-min heuristic.

        Its ``strongest()`` is the candidate whose weakest link is the strongest, or None.
        ``add(x)`` takes one into the conditioning sets, and drops what some subset with it
        separates.
        """
        return MaxMin(self._engine, self.context.engine, target, candidates)
