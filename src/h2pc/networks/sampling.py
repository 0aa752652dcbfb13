"""Forward sampling: every variable in one vectorised draw, after its parents."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.graph.dag import Dag
from h2pc.networks.families import parent_rows

Codes = NDArray[np.uint8] | NDArray[np.uint16]


def forward_sample(
    dag: Dag, tables: Sequence[NDArray[np.float64]], n_samples: int, seed: int
) -> Codes:
    """Codes ``(n_variables, n_samples)`` drawn from the network.

    Each variable has its own stream of random numbers, derived from the seed and its name. So the
    order of the variables does not matter, and a longer sample begins with the shorter one.
    """
    cards = tuple(table.shape[-1] for table in tables)
    dtype = np.uint8 if max(cards, default=0) <= 256 else np.uint16
    codes = np.empty((len(tables), n_samples), dtype)
    for v in dag.topological_order:
        uniform = _stream(seed, dag.names[v]).random(n_samples)
        rows = parent_rows(codes, cards, dag.parents(v))
        codes[v] = _inverse_cdf(tables[v].reshape(-1, cards[v]), rows, uniform)
    return codes


def _stream(seed: int, name: str) -> np.random.Generator:
    """Return the random numbers of one variable."""
    key = np.frombuffer(hashlib.sha256(name.encode(errors="surrogatepass")).digest()[:16], "<u4")
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(int(word) for word in key))
    return np.random.Generator(np.random.PCG64(sequence))


def _inverse_cdf(
    table: NDArray[np.float64], rows: NDArray[np.int64] | None, uniform: NDArray[np.float64]
) -> NDArray[np.intp]:
    """State of each sample: the first whose cumulative probability exceeds ``uniform``.

    A state of probability 0 is never drawn: its cumulative probability equals the one before it,
    and all those from the last possible state on are exactly 1.
    """
    cumulative = np.cumsum(table, axis=1)
    cumulative /= cumulative[:, -1:]
    n_rows, card = cumulative.shape
    if n_rows == 1 or rows is None:
        return np.searchsorted(cumulative[0], uniform, side="right")

    width = 1 << (card - 1).bit_length()
    padded = np.ones((n_rows, width))
    padded[:, :card] = cumulative
    flat = padded.ravel()
    first = rows * width
    position = first - 1
    step = width >> 1
    while step:
        position += step * (flat[position + step] <= uniform)
        step >>= 1
    return np.asarray(position - first + 1)
