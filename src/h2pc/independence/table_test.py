"""What tests on contingency tables share, with the two heuristics of section 2.4.

*Degrees of freedom adjustment*: a row or column of a stratum without any sample is a structural
zero. *Power rule*: a test with fewer than ``power_rule`` samples per cell is not performed, and
independence is assumed.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Collection, Sequence
from itertools import accumulate, chain, compress, count
from operator import ne
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from h2pc._kernels import neighbouring, questions, rounds, searching, sifting
from h2pc._kernels._jit import JIT_DISABLED
from h2pc._kernels.handles import empty_answers, handle_of
from h2pc._kernels.sample import Settings
from h2pc.data import Dataset
from h2pc.data.counts import WORTH_MERGING, merged, sample_of
from h2pc.errors import SettingError
from h2pc.independence.base import (
    CITest,
    FoundByHpc,
    Kept,
    Linked,
    LogP,
    Separation,
    Settled,
    Sifted,
)
from h2pc.independence.rounds import MOST_BYTES, Rounds
from h2pc.variables import Var, Vars

# A table that the caches have no room for pays only where questions are dear: in large samples.
_MOST_REMEMBERED, _REMEMBERED_PER_SAMPLE = 1 << 21, 25
_NO_VARIABLES = np.empty(0, np.int64)
_NO_DETAILS = np.empty((2, 0))


class Outcome(NamedTuple):
    """One test in full."""

    statistic: float
    df: int
    log_p: float
    performed: bool
    """False where the power rule forbade the test: independence is assumed."""

    @property
    def p(self) -> float:
        """The p-value; 0.0 where it underflows."""
        return math.exp(self.log_p)


class TableTest(CITest):
    """What the tests on contingency tables share.

    Parameters
    ----------
    data : Dataset
        The sample.
    alpha : float
        Independence means p > alpha.
    power_rule : float
        Fewest samples per cell for a test to be performed; 0 performs every test.
    adjust_df : bool
        Whether rows and columns of zeros reduce the degrees of freedom.
    remembered : int, optional
        Answers to remember, 32 bytes each, rounded up to a power of two; 0 for none. By default as
        many as learning a whole network may need, up to 25 for every sample and two million.
    bytes_for_rounds : int
        Most bytes for the rounds of IAMBFDR that are remembered.
    """

    def __init__(
        self,
        data: Dataset,
        alpha: float = 0.05,
        *,
        power_rule: float = 5.0,
        adjust_df: bool = True,
        remembered: int | None = None,
        bytes_for_rounds: int = MOST_BYTES,
    ) -> None:
        super().__init__(alpha)
        if not (math.isfinite(power_rule) and power_rule >= 0.0):
            raise SettingError(f"power_rule must be a number from 0 on; got {power_rule!r}.")
        self.data = data
        self.power_rule = float(power_rule)
        self.adjust_df = bool(adjust_df)
        x_log_x, shift = self._fixed_point(data)
        settings = Settings(
            x_log_x, shift, self.power_rule, self.adjust_df, self.log_alpha, asks=True
        )
        n_answers = _power_of_two(usually_remembered(data) if remembered is None else remembered)
        self._handle = handle_of(sample_of(data, n_answers), settings)
        self._rounds = Rounds(data.n_variables, bytes_for_rounds)
        self._last_array: tuple[Vars, NDArray[np.int64]] = (), _NO_VARIABLES

    @staticmethod
    @abstractmethod
    def _fixed_point(data: Dataset) -> tuple[NDArray[np.int64], int]:
        """Return the table of n·ln n, empty for Pearson's statistic, and the fractional bits."""

    def log_p_many(self, target: Var, candidates: Vars, z: Vars = ()) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate; ``z`` is shared."""
        groups = (1, 0, len(candidates), 0, len(z), *z)
        return self._row(target, candidates, groups)

    def log_p_each(self, target: Var, candidates: Vars, zs: Sequence[Vars]) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate with a ``z`` of its own.

        Candidates with the same ``z`` are counted together where they stand side by side.
        """
        return self._row(target, candidates, _groups(zs, candidates))

    def log_p_grid(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z ∪ x) for every x and candidate; 0 if x is in z.

        Candidates with the same ``z`` are counted together where they stand side by side.
        """
        if not xs or not candidates:
            return np.zeros((len(xs), len(candidates)))
        return self._grid(target, candidates, _groups(zs, candidates), xs)

    def log_p_without_each(self, target: Var, members: Vars) -> LogP:
        """Log p-value of (target ⊥ member | the other members) for every member."""
        log_p: LogP = questions.log_p_without_each(
            *self._handle.arguments, target, _numbers(members)
        )
        return log_p

    def sift(self, target: Var, candidates: Vars, *, base: Vars = ()) -> Sifted:
        """Drop what is independent, and what another candidate separates, the weakest first."""
        found = np.empty((3, len(candidates)), np.int64)
        n_kept, n_gone, n_tests = sifting.sift(
            *self._handle.arguments, target, _numbers(base), _numbers(candidates), found
        )
        kept, gone, separators = found.tolist()
        by = zip(gone[:n_gone], separators[:n_gone], strict=True)
        return Sifted(tuple(kept[:n_kept]), dict(by), n_tests)

    def sift_given_any(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> Kept:
        """Candidates that a sift given some x keeps; those with one ``z`` best stand together."""
        if not xs or not candidates:
            return Kept((), 0)
        is_kept = np.zeros(len(candidates), np.bool_)
        n_tests = sifting.sift_given_any(
            *self._handle.arguments,
            target,
            _numbers(candidates),
            _numbers(_groups(zs, candidates)),
            _numbers(xs),
            is_kept,
        )
        return Kept(tuple(compress(candidates, is_kept)), n_tests)

    def settled(self, target: Var, candidates: Vars, members: Vars, limits: LogP) -> Settled:
        """Members after one change a round, until there is none."""
        _check_limits(limits, len(candidates) - (target in candidates))
        found = np.empty(len(candidates) + len(members), np.int64)
        room = self._rounds.lent_room()
        n_found, n_tests = rounds.settled(
            *self._handle.arguments,
            target,
            self._as_array(candidates),
            _numbers(members),
            _read_only(limits),
            self._rounds.owners,
            self._rounds.keys,
            self._rounds.rows,
            room,
            found,
        )
        self._rounds.give_back(room)
        return Settled(tuple(found[:n_found].tolist()), n_tests)

    def hpc(self, target: Var, universe: Vars, asked: Vars, limits: LogP) -> FoundByHpc | None:
        """HPC in one kernel, as far as no boundary or superset is large."""
        if JIT_DISABLED:
            return None
        found = np.empty((6, len(universe)), np.int64)
        room = self._rounds.lent_room()
        *sizes, n_tests = neighbouring.hpc(
            *self._handle.arguments,
            target,
            self._as_array(universe),
            self._as_array(asked) if asked is universe else _numbers(asked),
            _read_only(limits),
            WORTH_MERGING,
            neighbouring.addresses_for(self.data.codes.dtype),
            self._rounds.owners,
            self._rounds.keys,
            self._rounds.rows,
            room,
            found,
        )
        self._rounds.give_back(room)
        n_pcs, n_gone, n_sps, n_pc, n_mb = sizes
        by = zip(found[1, :n_gone].tolist(), found[2, :n_gone].tolist(), strict=True)
        return FoundByHpc(
            tuple(found[0, :n_pcs].tolist()),
            dict(by),
            tuple(found[3, :n_sps].tolist()),
            None if n_pc < 0 else tuple(found[4, :n_pc].tolist()),
            tuple(found[5, :n_mb].tolist()),
            n_tests,
        )

    def _as_array(self, variables: Vars) -> NDArray[np.int64]:
        """Array of ``variables``; round after round they are the very same tuple."""
        last, array = self._last_array
        if last is not variables:
            array = _numbers(variables)
            self._last_array = variables, array
        return array

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
        """First ``Z ⊆ pool`` with target ⊥ candidate | base ∪ Z, as :class:`CITest` says it."""
        if min_size < 0:
            raise SettingError(f"min_size must be at least 0; got {min_size!r}.")
        largest_size = len(pool) if max_size is None else min(max_size, len(pool))
        found = np.empty(len(pool) + 1, np.int64)
        size, log_p = searching.first_separator(
            *self._handle.arguments,
            target,
            candidate,
            _numbers(base),
            _numbers(pool),
            min_size,
            largest_size,
            found,
        )
        return Separation(tuple(found[:size].tolist()) if size >= 0 else None, log_p)

    def weakest_links(self, target: Var, candidates: Vars, base: Vars, pool: Vars) -> Linked:
        """Candidates that nothing from ``base`` to ``base ∪ pool`` separates from the target."""
        log_p = np.zeros(len(candidates))
        n_tests = searching.weakest_links(
            *self._handle.arguments,
            target,
            _numbers(candidates),
            _numbers(base),
            _numbers(pool),
            log_p,
        )
        links = zip(candidates, log_p.tolist(), strict=True)
        return Linked({x: largest for x, largest in links if largest <= self.log_alpha}, n_tests)

    def inseparable(self, target: Var, candidates: Vars, pool: Vars) -> Kept:
        """Candidates that no subset of the others in ``pool`` separates from the target."""
        is_kept = np.zeros(len(candidates), np.bool_)
        n_tests = searching.inseparable(
            *self._handle.arguments,
            target,
            _numbers(candidates),
            _numbers(pool),
            is_kept,
        )
        return Kept(tuple(compress(candidates, is_kept)), n_tests)

    def outcome(self, x: Var, y: Var, z: Vars = ()) -> Outcome:
        """Test x ⊥ y | z, and say what the answer is made of."""
        details = np.zeros((2, 1))
        log_p = self._grid(x, (y,), (1, 0, 1, 0, len(z), *z), details=details)[0]
        cells = math.prod(self.data.cards[[x, y, *z]].tolist())
        performed = float(min(cells, 10**300)) * self.power_rule <= self.data.n_samples
        return Outcome(float(details[0, 0]), int(details[1, 0]), float(log_p[0]), performed)

    def focused(self, variables: Vars) -> Self:
        """Return a test with the same answers that has merged the equal rows of ``variables``."""
        if (
            self._handle.sample.weights.size
        ):  # merged already; without bitmaps nothing else could be asked
            return self
        handle = merged(self._handle, tuple(sorted(set(variables))))
        if handle is None:
            return self
        return self._with(_handle=handle)

    def with_power_rule(self, power_rule: float) -> Self | None:
        """Return a test of the same sample that asks for fewer samples per cell, if they are."""
        if power_rule >= self.power_rule:
            return None
        sample, settings, _ = self._handle
        # Answers are not shared: what one test performs, the other may not.
        handle = handle_of(
            sample._replace(answers=empty_answers(len(sample.answers))),
            settings._replace(power=float(power_rule)),
        )
        return self._with(
            power_rule=float(power_rule), _handle=handle, _rounds=self._rounds.emptied()
        )

    def _row(self, target: Var, candidates: Vars, groups: Vars) -> LogP:
        log_p: LogP = self._grid(target, candidates, groups)[0]
        return log_p

    def _grid(
        self,
        target: Var,
        candidates: Vars,
        groups: Vars,
        xs: Vars = (),
        details: NDArray[np.float64] = _NO_DETAILS,
    ) -> LogP:
        log_p: LogP = questions.log_p_grid(
            *self._handle.arguments,
            target,
            _numbers(candidates),
            _numbers(groups),
            _numbers(xs) if xs else _NO_VARIABLES,
            details,
        )
        return log_p


def _numbers(variables: Collection[Var]) -> NDArray[np.int64]:
    """Return them as an array."""
    return np.fromiter(variables, np.int64, len(variables))


def _check_limits(limits: LogP, n_candidates: int) -> None:
    if len(limits) < n_candidates:
        raise SettingError(
            f"limits must have a number for each of {n_candidates} candidates; got {len(limits)}."
        )


def _read_only(array: LogP) -> LogP:
    """Return a view that cannot be written to: one type for the compiler."""
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def usually_remembered(data: Dataset) -> int:
    """Return the number of answers that are remembered unless a user says otherwise."""
    n_useful = 8 * data.n_variables**2
    return min(n_useful, _REMEMBERED_PER_SAMPLE * data.n_samples, _MOST_REMEMBERED)


def _power_of_two(remembered: int) -> int:
    """Return the size of the memory."""
    if remembered < 0:
        raise SettingError(f"remembered must be a number from 0 on; got {remembered!r}.")
    return 1 << (remembered - 1).bit_length() if remembered else 0


def _groups(zs: Sequence[Vars], candidates: Vars) -> Vars:
    """Runs of equal sets, as the kernel wants them: number, starts, starts of the sets, sets."""
    if len(zs) != len(candidates):
        raise SettingError(
            f"zs must have a set for each of {len(candidates)} candidates; got {len(zs)}."
        )
    starts = [0, *compress(count(1), map(ne, zs[1:], zs))] if zs else []
    sets = [zs[i] for i in starts]
    set_starts = accumulate(map(len, sets), initial=0)
    return (len(starts), *starts, len(zs), *set_starts, *chain.from_iterable(sets))
