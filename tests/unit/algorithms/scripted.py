"""A test that answers from a script, for what depends on the very order of the questions."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from h2pc.independence.base import CITest, LogP
from h2pc.variables import Var, Vars

Question = tuple[Var, Var, Vars]


class ScriptedTest(CITest):
    """P-values of (x, y, z) as given, in whatever order; ``otherwise`` for the rest."""

    def __init__(self, p: Mapping[Question, float], otherwise: float, alpha: float = 0.05) -> None:
        super().__init__(alpha)
        self.p = {_normal(*question): value for question, value in p.items()}
        self.otherwise = otherwise
        self.asked: list[Question] = []

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        questions = [_normal(target, x, z) for x in candidates]
        self.asked += questions
        return np.array([math.log(self.p.get(q, self.otherwise)) for q in questions])


def _normal(x: Var, y: Var, z: Vars) -> Question:
    return min(x, y), max(x, y), tuple(sorted(z))
