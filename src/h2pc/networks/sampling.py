"""Forward sampling: every variable in one vectorised draw, after its parents."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.graphs.dag import Dag
from h2pc.networks.families import family_cells
from h2pc.networks.gaussian_inference import GaussianFamilies

Codes = NDArray[np.uint8] | NDArray[np.uint16]


BLOCK = 1 << 14
"""Samples drawn at a time: their intermediate arrays stay in the cache."""


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
    streams = [_stream(seed, name) for name in dag.names]
    thresholds = [_thresholds(table.reshape(-1, table.shape[-1])) for table in tables]
    for start in range(0, n_samples, BLOCK):
        block = codes[:, start : start + BLOCK]
        for v in dag.topological_order:
            uniform = streams[v].random((block.shape[1],))
            parents = dag.parents(v)
            rows = family_cells(block, cards, parents) if parents else None
            block[v] = _inverse_cdf(thresholds[v], rows, uniform)
    return codes


def gaussian_sample(families: GaussianFamilies, n_samples: int, seed: int) -> NDArray[np.float64]:
    """Numbers ``(n_variables, n_samples)`` drawn from a linear-Gaussian network, as above."""
    dag = families.dag
    values = np.empty((len(dag.names), n_samples))
    streams = [_stream(seed, name) for name in dag.names]
    deviations = np.sqrt(families.variances)
    for start in range(0, n_samples, BLOCK):
        block = values[:, start : start + BLOCK]
        for v in dag.topological_order:
            noise = streams[v].standard_normal(block.shape[1])
            block[v] = families.expected(v, block) + deviations[v] * noise
    return values


def _stream(seed: int, name: str) -> np.random.Generator:
    """Return the random numbers of one variable."""
    key = np.frombuffer(hashlib.sha256(name.encode(errors="surrogatepass")).digest()[:16], "<u4")
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(int(word) for word in key))
    return np.random.Generator(np.random.PCG64(sequence))


def _thresholds(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the cumulative probabilities of each row, filled with ones to a power of two.

    From the last possible state on they are exactly 1, also where a row misses one by rounding.
    """
    cumulative = np.cumsum(table, axis=1)
    cumulative /= cumulative[:, -1:]
    n_rows, card = cumulative.shape
    padded = np.ones((n_rows, 1 << (card - 1).bit_length()))
    padded[:, :card] = cumulative
    return padded


def _inverse_cdf(
    thresholds: NDArray[np.float64],
    rows: NDArray[np.int64] | None,
    uniform: NDArray[np.float64],
) -> NDArray[np.intp]:
    """State of each sample: the first whose threshold exceeds ``uniform``; by bisection.

    A state of probability 0 is never drawn: its threshold equals the one before it.
    """
    if rows is None:
        return np.searchsorted(thresholds[0], uniform, side="right")
    flat, width = thresholds.ravel(), thresholds.shape[1]
    first = rows * width
    position = first - 1
    step = width >> 1
    while step:
        position += step * (flat[position + step] <= uniform)
        step >>= 1
    return np.asarray(position - first + 1)
