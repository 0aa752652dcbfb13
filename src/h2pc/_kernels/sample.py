"""What every counting kernel is given: the sample, and how counts become an answer.

Inside of kernels, arrays are addresses (:class:`View`), so no loop counts references or looks for
negative indices. How they are handed over: ``handles.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype
from numba.core import types
from numpy.typing import NDArray

from h2pc._kernels._jit import JIT_DISABLED, beyond, borrowed, part, pointer_to
from h2pc._kernels.chi_square import critical_statistics


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
    rare_starts: NDArray[np.int64]
    """(samples + 1): where the list of a sample begins in ``rare_variables``; may be empty."""
    rare_variables: NDArray[np.uint16]
    """The binary variables that a sample has at their rarer level; for sparse data only."""
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
    asks: bool = False
    """Whether questions are asked: the code that answers them is compiled then."""


class View(NamedTuple):
    """A sample inside of kernels: flat arrays without owners, and their sizes."""

    codes: Any
    """The codes of ``v`` begin at ``code_rows[v] * n_rows``."""
    n_rows: int
    code_rows: Any
    weights: Any
    weighted: bool
    bitmaps: Any
    """The bitmap of a level begins at ``level * n_words``."""
    n_words: int
    """0 where there are no bitmaps."""
    first_row: Any
    cards: Any
    n_variables: int
    modes: Any
    level_counts: Any
    pairs: Any
    """How often two levels occur together is at ``a * n_levels + b``."""
    n_levels: int
    """0 where the counts of pairs are not known."""
    answers: Any
    """Four words for each of ``n_answers``."""
    n_answers: int
    rare_starts: Any
    rare_variables: Any
    n_listed: int
    """Length of all lists of variables; 0 where there are none."""
    n_samples: int


class Rules(NamedTuple):
    """Settings inside of kernels."""

    x_log_x: Any
    is_g2: bool
    shift: int
    unit: float
    """What half of a statistic in fixed point is multiplied with, to become the statistic."""
    power: float
    adjust_df: bool
    log_alpha: float
    critical: Any
    """The statistic up to which independence is not rejected, by degrees of freedom."""
    ask: int
    """The address of the code that answers; 0 where nothing is asked."""


N_ARRAYS = len(Sample._fields)  # all but n_samples, and x_log_x


def kind_of_codes(dtype: Any) -> Any:
    """Return the compiler's type of the codes of a sample."""
    return types.Array(from_dtype(dtype), 2, "C", readonly=True)


def kinds_of(codes: Any) -> tuple[Any, Any]:
    """Return the compiler's types of a view with codes of a type, and of rules."""
    whole, real, yes, address = types.int64, types.float64, types.boolean, types.CPointer
    wholes, words = address(whole), address(types.uint64)
    view = {
        "codes": address(codes),
        "n_rows": whole,
        "code_rows": wholes,
        "weights": wholes,
        "weighted": yes,
        "bitmaps": words,
        "n_words": whole,
        "first_row": wholes,
        "cards": wholes,
        "n_variables": whole,
        "modes": wholes,
        "level_counts": wholes,
        "pairs": address(types.int32),
        "n_levels": whole,
        "answers": words,
        "n_answers": whole,
        "rare_starts": wholes,
        "rare_variables": address(types.uint16),
        "n_listed": whole,
        "n_samples": whole,
    }
    rules = {
        "x_log_x": wholes,
        "is_g2": yes,
        "shift": whole,
        "unit": real,
        "power": real,
        "adjust_df": yes,
        "log_alpha": real,
        "critical": address(real),
        "ask": whole,
    }
    return (
        types.NamedTuple([view[name] for name in View._fields], View),
        types.NamedTuple([rules[name] for name in Rules._fields], Rules),
    )


@part
def _flat(layout, position, dtype):
    return pointer_to(layout[position], dtype)


@part
def _length(layout, position, axis):
    return layout[N_ARRAYS + 2 * position + axis]


if JIT_DISABLED:

    def opened(codes, sample, settings):
        """Return what a handle's arguments stand for."""
        view = View(
            sample.codes.ravel(),
            sample.codes.shape[1],
            sample.code_rows,
            sample.weights,
            sample.weights.size > 0,
            sample.bitmaps.ravel(),
            sample.bitmaps.shape[1],
            sample.first_row,
            sample.cards,
            sample.cards.size,
            sample.modes,
            sample.level_counts,
            sample.pairs.ravel(),
            sample.pairs.shape[0],
            sample.answers.ravel(),
            sample.answers.shape[0],
            sample.rare_starts,
            sample.rare_variables,
            sample.rare_variables.size,
            sample.n_samples,
        )
        rules = Rules(
            settings.x_log_x,
            settings.x_log_x.size > 0,
            settings.shift,
            2.0 ** (1 - settings.shift),
            settings.power,
            settings.adjust_df,
            settings.log_alpha,
            critical_statistics(settings.log_alpha),
            0,
        )
        return view, rules

else:

    @part
    def opened(codes, layout, reals):
        """Return the sample and the settings that a handle's arguments stand for."""
        view = View(
            _flat(layout, 0, codes.dtype),
            _length(layout, 0, 1),
            _flat(layout, 1, np.int64),
            _flat(layout, 2, np.int64),
            _length(layout, 2, 0) > 0,
            _flat(layout, 3, np.uint64),
            _length(layout, 3, 1),
            _flat(layout, 4, np.int64),
            _flat(layout, 5, np.int64),
            _length(layout, 5, 0),
            _flat(layout, 6, np.int64),
            _flat(layout, 7, np.int64),
            _flat(layout, 8, np.int32),
            _length(layout, 8, 0),
            _flat(layout, 9, np.uint64),
            _length(layout, 9, 0),
            _flat(layout, 10, np.int64),
            _flat(layout, 11, np.uint16),
            _length(layout, 11, 0),
            layout[3 * N_ARRAYS + 2],
        )
        rules = Rules(
            _flat(layout, 12, np.int64),
            _length(layout, 12, 0) > 0,
            layout[3 * N_ARRAYS],
            reals[2],
            reals[0],
            layout[3 * N_ARRAYS + 1] != 0,
            reals[1],
            beyond(borrowed(reals), 3),
            layout[3 * N_ARRAYS + 3],
        )
        return view, rules


@part
def write(values, place):
    """Write values where ``place`` begins.

    Not as ``place[:n] = values``: the words of its error alone would take seconds to compile.
    """
    for i in range(values.size):
        place[i] = values[i]


@part
def extended(members, x):
    """Members and one more."""
    more = np.empty(members.size + 1, np.int64)
    write(members, more)
    more[members.size] = x
    return more
