"""The constants of ``h2pc._kernels.costs``, measured with the very parts that they are about.

Every part runs over samples of many sizes; least squares on relative errors gives the nanoseconds
per word, bit and row, beside a constant per call that the plans leave out. The lines printed can
be pasted into ``costs.py``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.optimize import nnls

from h2pc import Dataset
from h2pc._kernels import cells, costs, counting
from h2pc._kernels._jit import borrowed, kept_alive
from h2pc._kernels.handles import handle_of
from h2pc._kernels.sample import Settings, opened
from h2pc.data.counts import sample_of

SIZES = (500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
NO_SETTINGS = Settings(np.empty(0, np.int64), 0, 0.0, True, 0.0)
N_VARIABLES = 12

timed = numba.njit(nogil=True, error_model="numpy")


@timed
def and_counts(codes, layout, reals, repeats):
    view, _ = opened(codes, layout, reals)
    n_levels, n_words = view.first_row[view.n_variables], view.n_words
    n = 0
    for i in range(repeats):
        a, b = i % n_levels * n_words, (i * 7 + 1) % n_levels * n_words
        n += counting.and_count(view.bitmaps, a, view.bitmaps, b, n_words)
    return n


@timed
def cells_of_rows(view, fixed):
    keys = np.zeros(view.n_rows, np.int64)
    n_cells = np.int64(1)
    for v in fixed:
        n_cells *= view.cards[v]
        start = view.code_rows[v] * view.n_rows
        for r in range(keys.size):
            keys[r] = keys[r] * view.cards[v] + view.codes[start + r]
    return keys, n_cells


@timed
def set_bits(codes, layout, reals, fixed, varying, repeats):
    view, _ = opened(codes, layout, reals)
    keys, n_cells = cells_of_rows(view, fixed)
    cell_counts = np.zeros(n_cells, np.int64)
    for key in keys:
        cell_counts[key] += 1
    table = np.zeros(n_cells * view.cards[varying], np.int64)
    for _ in range(repeats):
        counting.count_by_set_bits(
            view.bitmaps,
            view.first_row[varying] * view.n_words,
            view.n_words,
            view.cards[varying],
            view.modes[varying],
            borrowed(keys),
            borrowed(cell_counts),
            n_cells,
            borrowed(table),
        )
    return table[0] + kept_alive((keys, cell_counts))


@timed
def scatter(codes, layout, reals, fixed, varying, repeats):
    view, _ = opened(codes, layout, reals)
    keys, n_cells = cells_of_rows(view, fixed)
    table = np.zeros(n_cells * view.cards[varying], np.int64)
    start = view.code_rows[varying] * view.n_rows
    for _ in range(repeats):
        counting.scatter(
            view.codes, start, view.cards[varying], borrowed(keys), keys.size, borrowed(table)
        )
    return table[0] + kept_alive(keys)


@timed
def row_keys(codes, layout, reals, fixed, repeats):
    """Do all that the plans do to find the cells of (strata …, target)."""
    view, _ = opened(codes, layout, reals)
    strata = np.empty(view.n_rows, np.int64)
    keys, rows = np.empty_like(strata), np.empty_like(strata)
    cell_of_row = borrowed(strata)
    n_strata_variables = fixed.size - 1
    n = 0
    for _ in range(repeats):
        n_strata = cells.row_keys(view, fixed, n_strata_variables, cell_of_row)
        n += cells.active_rows(
            view, fixed, n_strata_variables, cell_of_row, n_strata, borrowed(keys), borrowed(rows)
        )[0]
    return n + kept_alive((strata, keys, rows))


class Measurement(NamedTuple):
    """One run of a part: its work, in the units of the constants, and its time."""

    work: tuple[float, ...]
    nanoseconds: float


class Sized(NamedTuple):
    """A sample and the handle that kernels take."""

    data: Dataset
    arguments: tuple[Any, ...]
    outside_mode: NDArray[np.int64]
    """Samples outside the most frequent level of every variable."""


def skewed_sample(card: int, n_samples: int) -> Sized:
    """Return independent variables with levels ∝ 1/k."""
    rng = np.random.default_rng(card)
    weights = 1.0 / np.arange(1, card + 1)
    codes = rng.choice(card, (N_VARIABLES, n_samples), p=weights / weights.sum())
    data = Dataset.from_codes(codes, cards=[card] * N_VARIABLES)
    sample = sample_of(data, 0)
    modes = sample.level_counts[sample.first_row[:-1] + sample.modes]
    # The handle holds addresses; the tuple keeps the arrays behind them alive.
    handle = handle_of(sample, NO_SETTINGS)
    return Sized(data, (handle, *handle.arguments), n_samples - modes)


def nanoseconds(run: Callable[[int], object], turns: int) -> float:
    """Return the best time of one repeat, over turns of about two milliseconds."""
    run(1)
    start = perf_counter()
    run(10)
    repeats = max(1, int(0.02 / max(perf_counter() - start, 1e-6)))
    best = np.inf
    for _ in range(turns):
        start = perf_counter()
        run(repeats)
        best = min(best, perf_counter() - start)
    return 1e9 * best / repeats


def measurements(sizes: tuple[int, ...], turns: int) -> dict[str, list[Measurement]]:
    """Run every part over all sizes and several numbers of levels."""
    names = ("WORD", "BIT", "ROW", "KEY")
    found: dict[str, list[Measurement]] = {name: [] for name in names}
    for n_samples in sizes:
        n_words = -(-n_samples // 64)
        for card in (2, 3, 4, 8):
            sized = skewed_sample(card, n_samples)
            handle = sized.arguments[1:]
            time = nanoseconds(lambda k: and_counts(*handle, k), turns)  # noqa: B023
            found["WORD"].append(Measurement((n_words, 1.0), time))
            for n_fixed in (1, 2, 3):
                fixed, varying = np.arange(n_fixed), n_fixed
                if card**n_fixed > n_samples:
                    continue
                rest = (*handle, fixed, varying)
                bits, words = sized.outside_mode[varying], (card - 1) * n_words
                time = nanoseconds(lambda k: set_bits(*rest, k), turns)  # noqa: B023
                found["BIT"].append(Measurement((bits, words, 1.0), time))
                time = nanoseconds(lambda k: scatter(*rest, k), turns)  # noqa: B023
                found["ROW"].append(Measurement((n_samples, 1.0), time))
                time = nanoseconds(lambda k: row_keys(*handle, fixed, k), turns)  # noqa: B023
                # The plans count what comes on top of the keys as one more variable.
                found["KEY"].append(Measurement(((n_fixed + 1) * n_samples, 1.0), time))
    return found


def fitted(runs: list[Measurement]) -> tuple[NDArray[np.float64], float]:
    """Return the constants, the one per call last, and the median relative error."""
    work = np.array([run.work for run in runs])
    times = np.array([run.nanoseconds for run in runs])
    constants, _ = nnls(work / times[:, None], np.ones(times.size))
    errors = np.abs(work @ constants / times - 1.0)
    return constants, float(np.median(errors))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three sizes and short turns")
    chosen = parser.parse_args()
    sizes, turns = (SIZES[::3], 3) if chosen.quick else (SIZES, 15)

    console = Console()
    with console.status("measuring"):
        found = measurements(sizes, turns)
    table = Table(title="Nanoseconds")
    for heading in ("constant", "now", "measured", "per call", "median error"):
        table.add_column(heading, justify="right")
    value = {}
    for name, runs in found.items():
        constants, error = fitted(runs)
        names = ("BIT", "BIT_WORD") if name == "BIT" else (name,)
        for one, constant in zip(names, constants, strict=False):
            value[one] = constant
            now = f"{getattr(costs, one):.2f}"
            table.add_row(one, now, f"{constant:.2f}", f"{constants[-1]:.0f}", f"{error:.0%}")
    console.print(table)
    print(f"WORD = {value['WORD']:.2f}  # AND one word of a bitmap with another and count its bits")
    print(f"BIT = {value['BIT']:.2f}  # find a set bit and scatter it")
    print(f"BIT_WORD = {value['BIT_WORD']:.2f}  # look into a word for set bits")
    print(f"ROW = {value['ROW']:.2f}  # scatter one row")
    print(f"KEY = {value['KEY']:.2f}  # extend the key of one row by one variable")


if __name__ == "__main__":
    main()
