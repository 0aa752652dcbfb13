"""What every counting kernel is given: the sample, and how counts become an answer.

A kernel is handed addresses rather than eleven arrays: a call then costs 2.5 microseconds, not 6.4,
and no array is reference-counted in the inner loops. A :class:`Handle` keeps the arrays alive.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import carray  # type: ignore[attr-defined]
from numpy.typing import NDArray

from h2pc._kernels._jit import JIT_DISABLED, part, pointer_to


class Sample(NamedTuple):
    """Codes and bitmaps of a data set, and what is worth counting once."""

    codes: NDArray[Any]
    """uint8 or uint16 (some variables, rows)."""
    code_rows: NDArray[np.int64]
    """Where in ``codes`` a variable is."""
    weights: NDArray[np.int64]
    """Samples that a row stands for; empty where that is one each."""
    bitmaps: NDArray[np.uint64]
    """(levels of all variables, words), of samples rather than rows; may be empty."""
    first_row: NDArray[np.int64]
    """(variables + 1): where the levels of a variable begin."""
    cards: NDArray[np.int64]
    """Number of levels of every variable."""
    modes: NDArray[np.int64]
    """Most frequent level of every variable, the one counted by subtraction."""
    level_counts: NDArray[np.int64]
    """Samples of every level of all variables."""
    pairs: NDArray[np.int32]
    """(levels, levels): how often two levels occur together; empty where not known."""
    answers: NDArray[np.uint64]
    """(a power of two, 4): answers to remember, written by the kernels; may be empty."""
    n_samples: int


class Settings(NamedTuple):
    """How counts become an answer."""

    x_log_x: NDArray[np.int64]
    """n·ln n in fixed point; empty for Pearson's statistic."""
    shift: int
    """Fractional bits of the fixed point."""
    power: float
    """Fewest samples per cell for a test to be performed."""
    adjust_df: bool
    log_alpha: float


class Handle(NamedTuple):
    """A sample and settings, ready to be passed to kernels as ``*handle.arguments``."""

    sample: Sample
    settings: Settings
    arguments: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        """Addresses do not travel: a copy is made anew from its arrays, and remembers nothing."""
        n_slots = len(self.sample.answers)
        return _copied, (self.sample._replace(answers=empty_answers(0)), self.settings, n_slots)


def handle_of(sample: Sample, settings: Settings) -> Handle:
    """Return the handle of a sample; all its arrays are contiguous."""
    arrays = [*sample[:-1], settings.x_log_x]
    numbers = [settings.shift, int(settings.adjust_df), sample.n_samples]
    if JIT_DISABLED:
        return Handle(sample, settings, (sample.codes, sample, settings))
    shapes = [length for array in arrays for length in (*array.shape, 0)[:2]]
    layout = np.array([*(a.ctypes.data for a in arrays), *shapes, *numbers], np.int64)
    reals = np.array([settings.power, settings.log_alpha])
    return Handle(sample, settings, (sample.codes, layout, reals))


def empty_answers(n_slots: int) -> NDArray[np.uint64]:
    """Return a table that remembers up to ``n_slots`` answers, a power of two."""
    return np.zeros((0 if JIT_DISABLED else n_slots, 4), np.uint64)


def _copied(sample: Sample, settings: Settings, n_slots: int) -> Handle:
    sample.codes.flags.writeable = False  # as they were: one type for the compiler
    return handle_of(sample._replace(answers=empty_answers(n_slots)), settings)


_N_ARRAYS = len(Sample._fields)  # all but n_samples, and x_log_x


@part
def _vector(layout, position, dtype):
    return carray(pointer_to(layout[position], dtype), (layout[_N_ARRAYS + 2 * position],))


@part
def _matrix(layout, position, dtype):
    shape = (layout[_N_ARRAYS + 2 * position], layout[_N_ARRAYS + 2 * position + 1])
    return carray(pointer_to(layout[position], dtype), shape)


if JIT_DISABLED:

    def opened(codes, sample, settings):
        """Return what a handle's arguments stand for."""
        return sample, settings

else:

    @part
    def opened(codes, layout, reals):
        """Return the sample and the settings that a handle's arguments stand for."""
        sample = Sample(
            _matrix(layout, 0, codes.dtype),
            _vector(layout, 1, np.int64),
            _vector(layout, 2, np.int64),
            _matrix(layout, 3, np.uint64),
            _vector(layout, 4, np.int64),
            _vector(layout, 5, np.int64),
            _vector(layout, 6, np.int64),
            _vector(layout, 7, np.int64),
            _matrix(layout, 8, np.int32),
            _matrix(layout, 9, np.uint64),
            layout[3 * _N_ARRAYS + 2],
        )
        settings = Settings(
            _vector(layout, 10, np.int64),
            layout[3 * _N_ARRAYS],
            reals[0],
            layout[3 * _N_ARRAYS + 1] != 0,
            reals[1],
        )
        return sample, settings
