"""Samples of continuous and of mixed variables, for tests of all rooms."""

import numpy as np
import pandas as pd

EDGES = {("a", "b"), ("b", "c"), ("d", "c"), ("c", "e"), ("e", "f")}
"""The true graph: a → b → c ← d, c → e → f."""


def continuous_frame(n_samples=600, seed=0):
    """A linear-Gaussian sample of the graph, in units of very different size."""
    noise = np.random.default_rng(seed).normal(size=(6, n_samples))
    return _frame(noise, noise[0]).assign(a=1e6 + noise[0])


def mixed_frame(n_samples=1500, seed=0):
    """The same with words at both ends: a has two levels, f three."""
    noise = np.random.default_rng(seed).normal(size=(6, n_samples))
    is_high = noise[0] > 0
    frame = _frame(noise, 2.0 * is_high)
    levels = pd.qcut(frame["f"], 3, labels=["low", "middle", "high"]).astype(str)
    return frame.assign(a=np.where(is_high, "high", "low"), f=levels)


def _frame(noise, a):
    d = noise[3]
    b = a + noise[1]
    c = b - d + noise[2]
    e = c + noise[4]
    f = -e + noise[5]
    return pd.DataFrame({"a": a, "b": b, "c": 1e-6 * c, "d": d, "e": e, "f": 300 * f})


def holed(frame, share=0.1, seed=0):
    """Some cells missing at random; words become None."""
    blank = np.random.default_rng(seed).random(frame.shape) < share
    return frame.mask(blank).astype({name: object for name in frame if frame[name].dtype == object})
