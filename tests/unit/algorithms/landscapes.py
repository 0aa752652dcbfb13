"""Scores that are looked up in a table: for what depends on the very gains."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from h2pc.scores import LocalScore
from h2pc.variables import Var, Vars


class ScriptedScore(LocalScore):
    """Scores of (child, sorted parents) as given; ``otherwise`` for other parents, 0 for none."""

    def __init__(
        self, n_variables: int, script: Mapping[tuple[Var, Vars], float], otherwise: float = -100.0
    ) -> None:
        self._n_variables = n_variables
        self.script = script
        self.otherwise = otherwise
        self.calls: list[tuple[Var, Vars, Vars]] = []

    @property
    def n_variables(self) -> int:
        return self._n_variables

    def family(self, child: Var, parents: Vars = ()) -> float:
        default = self.otherwise if parents else 0.0
        return self.script.get((child, tuple(sorted(parents))), default)

    def changed(self, child: Var, parents: Vars, others: Vars):
        self.calls.append((child, parents, others))
        return super().changed(child, parents, others)


class RandomScore(LocalScore):
    """Random scores of all families, multiples of 1/8: with few ``levels``, many are equal."""

    def __init__(self, n_variables: int, levels: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.table = rng.integers(0, levels, (n_variables, 2**n_variables)) / 8.0

    @property
    def n_variables(self) -> int:
        return len(self.table)

    def family(self, child: Var, parents: Vars = ()) -> float:
        return float(self.table[child, sum(1 << v for v in parents)])


class RenumberedScore(LocalScore):
    """The score of another one whose variable ``number[v]`` is our ``v``."""

    def __init__(self, inner: LocalScore, number: Vars) -> None:
        self.inner = inner
        self.number = number

    @property
    def n_variables(self) -> int:
        return self.inner.n_variables

    def family(self, child: Var, parents: Vars = ()) -> float:
        return self.inner.family(self.number[child], tuple(self.number[v] for v in parents))


class CountedScore(LocalScore):
    """The score of another one, and how many family scores were computed."""

    def __init__(self, inner: LocalScore) -> None:
        self.inner = inner
        self.n_scores = 0

    @property
    def n_variables(self) -> int:
        return self.inner.n_variables

    def family(self, child: Var, parents: Vars = ()) -> float:
        self.n_scores += 1
        return self.inner.family(child, parents)

    def changed(self, child: Var, parents: Vars, others: Vars):
        self.n_scores += len(others)
        return self.inner.changed(child, parents, others)
