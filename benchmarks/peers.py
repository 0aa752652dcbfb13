"""Other libraries' tests and learners, called as their users would, in the fastest way they offer.

A peer that is not installed is left out. All run in one thread.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc import Dataset


def installed(module: str) -> ModuleType | None:
    """Return the module, or None where it cannot be imported."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def single_threaded_pyagrum() -> ModuleType | None:
    """Return pyAgrum, or None; ``BNLearner.setNumberOfThreads`` does not reach its tests."""
    pyagrum = installed("pyagrum")
    if pyagrum is not None:
        pyagrum.setNumberOfThreads(1)
    return pyagrum


def missing_peers() -> list[str]:
    """Return one sentence for every peer that is not there."""
    peers = {"pyAgrum": "pyagrum", "causal-learn": "causallearn"}
    return [
        f"{name} is not installed and left out; `pip install --group peers` brings it."
        for name, module in peers.items()
        if installed(module) is None
    ]


def versions() -> dict[str, str]:
    """Return the versions of whatever takes part."""
    found = {}
    for package in ("h2pc", "numba", "numpy", "pyagrum", "causal-learn"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


class CausalLearnTest:
    """causal-learn's G² test. It remembers every answer: :meth:`forget` before asking again."""

    def __init__(self, data: Dataset) -> None:
        from causallearn.utils.cit import CIT

        self._test = CIT(data.codes.T, "gsq")

    def forget(self) -> None:
        """Empty the cache of answers."""
        self._test.pvalue_cache.clear()

    def p_many(self, target: int, candidates: tuple[int, ...], z: tuple[int, ...]) -> list[float]:
        """Return the p-value of every candidate."""
        return [self._test(target, y, z) for y in candidates]


class PyAgrumTest:
    """pyAgrum's G² test; it keeps no answers, each call makes a new test in C++."""

    def __init__(self, data: Dataset, pyagrum: ModuleType) -> None:
        self._names = list(data.names)
        self._test = pyagrum.BNLearner(data.to_pandas()).G2

    def statistic_many(
        self, target: int, candidates: tuple[int, ...], z: tuple[int, ...]
    ) -> list[float]:
        """Return G² of every candidate (the p-value, which comes with it, is dropped)."""
        names, test = self._names, self._test
        x, knowing = names[target], [names[v] for v in z]
        return [test(x, names[y], knowing)[0] for y in candidates]


def causal_learn_pc(data: Dataset, alpha: float) -> Callable[[], Any]:
    """Return a run of causal-learn's PC with G²."""
    from causallearn.search.ConstraintBased.PC import pc

    table: NDArray[np.int64] = data.codes.T.astype(np.int64)
    return lambda: pc(table, alpha, "gsq", show_progress=False)


def pyagrum_miic(data: Dataset, pyagrum: ModuleType) -> Callable[[], Any]:
    """Return a run of pyAgrum's MIIC; making the learner from the table is left out."""
    learner = pyagrum.BNLearner(data.to_pandas())
    learner.useMIIC()
    return learner.learnPDAG


def pyagrum_pc(data: Dataset, pyagrum: ModuleType, alpha: float) -> Callable[[], Any] | None:
    """Return a run of pyAgrum's PC with G², which came with version 3."""
    learner = pyagrum.BNLearner(data.to_pandas())
    if not hasattr(learner, "usePC"):
        return None
    learner.usePC()
    learner.useG2Test()
    learner.setPCAlpha(alpha)
    return learner.learnPDAG
