"""G² and Pearson's chi-square: tests on contingency tables, with the heuristics of section 2.4.

*Degrees of freedom adjustment*: a row or column of a stratum without any sample is a structural
zero. *Power rule*: a test with fewer than ``power_rule`` samples per cell is not performed, and
independence is assumed. Where cells are missing, a test has the samples that are complete in its
own variables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import h2pc._engine as _engine
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.base import CITest, LogP, Outcome
from h2pc.io.memory import room
from h2pc.variables import Var, Vars

# Each cache takes at most a sixteenth of the memory that is free, and at most so much. A p-value
# that is not cached costs time only where tests are dear: in large samples.
_MOST_CACHED, _CACHED_PER_SAMPLE = 1 << 21, 25
_BYTES_PER_ANSWER = 32
_SHARE_OF_FREE_MEMORY = 16
_MOST_BYTES_FOR_ROUNDS = 1 << 29


class TableTest(CITest):
    """What the tests on contingency tables share; parameters as of :class:`GTest`."""

    _is_g2: ClassVar[bool]

    def __init__(
        self,
        data: Dataset,
        alpha: float = 0.05,
        *,
        power_rule: float = 5.0,
        adjust_df: bool = True,
        cache_size: int | None = None,
        bytes_for_rounds: int | None = None,
    ) -> None:
        super().__init__(alpha)
        if not (math.isfinite(power_rule) and power_rule >= 0.0):
            raise SettingError(f"power_rule must be a number from 0 on; got {power_rule!r}.")
        if cache_size is not None and cache_size < 0:
            raise SettingError(f"cache_size must be a number from 0 on; got {cache_size!r}.")
        self.data = data
        self.power_rule = float(power_rule)
        self.adjust_df = bool(adjust_df)
        given = {"cache_size": cache_size, "bytes_for_rounds": bytes_for_rounds}
        self._caches = {name: size for name, size in given.items() if size is not None}
        self._table_test = self._made()

    def _made(self) -> _engine.TableTest:
        caches = usual_caches(self.data) | self._caches
        size = caches["cache_size"]
        return _engine.TableTest(
            self.data.index,
            self._is_g2,
            self.log_alpha,
            self.power_rule,
            self.adjust_df,
            1 << (size - 1).bit_length() if size else 0,
            caches["bytes_for_rounds"],
        )

    @property
    def _engine(self) -> _engine.Test:
        return self._table_test

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate, whatever the context."""
        return self._table_test.log_p_many(None, target, candidates, z)

    def outcome(self, x: Var, y: Var, z: Vars = ()) -> Outcome:
        """Test x ⊥ y | z, with the statistic and its degrees of freedom."""
        return Outcome(*self._table_test.outcome(x, y, z))

    def performs(self, x: Var, y: Var, z: Vars = ()) -> bool:
        """Whether the power rule lets x ⊥ y | z be tested."""
        return self._table_test.performs(x, y, z)

    def unperformed(self, target: Var, given: Mapping[Var, Vars]) -> Vars:
        """Variables whose test of ``target`` given some others is not performed, sorted."""
        return self._table_test.unperformed(target, given)

    def focused(self, variables: Vars) -> Self:
        """Return a test with the same answers that has merged the equal rows of ``variables``."""
        merged = self._table_test.focused(variables)
        return self if merged is None else self._with(_table_test=merged)

    def _with(self, **changed: Any) -> Self:
        test = object.__new__(type(self))
        test.__dict__ |= self.__dict__ | changed
        return test

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_table_test"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._table_test = self._made()  # copies begin with empty caches


class GTest(TableTest):
    """The G² test of conditional independence, the test of the paper.

    Parameters
    ----------
    data : Dataset
        The sample.
    alpha : float, default=0.05
        Independence means p > alpha.
    power_rule : float, default=5.0
        Fewest samples per cell for a test to be performed; 0 performs every test. Where cells are
        missing, those that are complete in the variables of the test count.
    adjust_df : bool, default=True
        Whether rows and columns of zeros reduce the degrees of freedom.
    cache_size : int, default=None
        P-values to cache, 32 bytes each, rounded up to a power of two; 0 for none. By default as
        many as learning a whole network may need, up to 25 for every sample and two million.
    bytes_for_rounds : int, default=None
        Most bytes for the rounds of IAMB-FDR that are kept, of all targets together. By default a
        sixteenth of the memory that is free, and at most 512 MB.

    Examples
    --------
    >>> from h2pc import Dataset, GTest
    >>> data = Dataset.from_codes([[0, 0, 1, 1] * 10, [0, 0, 1, 1] * 10, [0, 1, 0, 1] * 10])
    >>> test = GTest(data)
    >>> test.log_p_many(0, (1, 2)) > test.log_alpha
    array([False,  True])
    >>> outcome = test.outcome(0, 1)
    >>> round(outcome.statistic, 3), outcome.df, outcome.performed
    (55.452, 1, True)
    """

    _is_g2 = True


class ChiSquareTest(TableTest):
    """Pearson's chi-square test of conditional independence; parameters as of :class:`GTest`.

    Examples
    --------
    >>> from h2pc import ChiSquareTest, Dataset
    >>> data = Dataset.from_codes([[0, 0, 1, 1] * 10, [0, 0, 1, 1] * 10])
    >>> ChiSquareTest(data).outcome(0, 1).statistic
    40.0
    """

    _is_g2 = False


def usual_caches(data: Dataset, max_memory: int | None = None) -> dict[str, int]:
    """Return the sizes of the caches, as parameters; ``max_memory`` is that of the process."""
    free = room(max_memory) // _SHARE_OF_FREE_MEMORY
    most = 1 << (free // _BYTES_PER_ANSWER).bit_length() >> 1  # it is rounded up
    n_useful = 8 * data.n_variables**2
    return {
        "cache_size": min(n_useful, _CACHED_PER_SAMPLE * data.n_samples, _MOST_CACHED, most),
        "bytes_for_rounds": min(free, _MOST_BYTES_FOR_ROUNDS),
    }


def bytes_of_counts(data: Dataset) -> int:
    """Return about what learning from counts takes at least, without caches."""
    n_levels = int(data.cards.sum())
    n_bitmaps = n_levels + int((data.n_missing > 0).sum())
    pairs = 4 * n_levels**2
    kept = pairs if pairs <= _engine.Sample.largest_pairs else 0
    return n_bitmaps * (data.n_samples // 8 + 8) + kept
