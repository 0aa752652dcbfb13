"""A test that remembers its answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from h2pc.errors import SettingError
from h2pc.independence.base import CITest, LogP
from h2pc.variables import Var, Vars

_Question = tuple[Var, Var, Vars]


def _question(x: Var, y: Var, z: Vars) -> _Question:
    """Return the same value for x ⊥ y | z and y ⊥ x | z, and for any order of z."""
    return (x, y, z) if x < y else (y, x, z)


class CachedTest(CITest):
    """The same answers as another test, asked once: x ⊥ y | z and y ⊥ x | z are one question.

    A look-up costs about a microsecond, as much as the compiled tests of this package; this wrapper
    is for tests that cost more. The oldest answers are forgotten first.

    Parameters
    ----------
    inner : CITest
        The test to ask.
    size : int
        Most answers to remember; an answer takes about 200 bytes.

    Examples
    --------
    >>> from h2pc import CachedTest, CountedTest, Dataset, GTest
    >>> asked = CountedTest(GTest(Dataset.from_codes([[0, 1] * 20, [0, 1] * 20, [1] * 40])))
    >>> test = CachedTest(asked)
    >>> test.log_p(0, 1) == test.log_p(1, 0)
    True
    >>> asked.n_tests
    1
    """

    def __init__(self, inner: CITest, size: int = 1_000_000) -> None:
        super().__init__(inner.alpha)
        if size < 1:
            raise SettingError(f"size must be at least 1 answer; got {size!r}.")
        self.inner = inner
        self.size = size
        self._answers: dict[_Question, float] = {}

    def log_p_many(self, target: Var, candidates: Vars, z: Vars = ()) -> LogP:
        """Ask about the candidates whose answer is not known."""
        z_sorted = tuple(sorted(z))
        questions = [_question(target, candidate, z_sorted) for candidate in candidates]
        found, unknown = self._known(questions)
        if unknown:
            some = tuple(candidates[i] for i in unknown.values())
            self._remember(found, unknown, self.inner.log_p_many(target, some, z))
        return np.array([found[question] for question in questions])

    def log_p_each(self, target: Var, candidates: Vars, zs: Sequence[Vars]) -> LogP:
        """Ask about the candidates whose answer is not known."""
        questions = [
            _question(target, candidate, tuple(sorted(z)))
            for candidate, z in zip(candidates, zs, strict=True)
        ]
        found, unknown = self._known(questions)
        if unknown:
            some = tuple(candidates[i] for i in unknown.values())
            asked = self.inner.log_p_each(target, some, [zs[i] for i in unknown.values()])
            self._remember(found, unknown, asked)
        return np.array([found[question] for question in questions])

    def _known(
        self, questions: list[_Question]
    ) -> tuple[dict[_Question, float], dict[_Question, int]]:
        """Return the known answers, and where each unknown one is asked for first."""
        found: dict[_Question, float] = {}
        unknown: dict[_Question, int] = {}
        for i, question in enumerate(questions):
            answer = self._answers.get(question)
            if answer is None:
                unknown.setdefault(question, i)
            else:
                found[question] = answer
        return found, unknown

    def _remember(
        self, found: dict[_Question, float], unknown: dict[_Question, int], asked: LogP
    ) -> None:
        new = dict(zip(unknown, asked.tolist(), strict=True))
        found |= new
        self._answers |= new
        with suppress(KeyError, StopIteration, RuntimeError):  # other threads forget some, too
            while len(self._answers) > self.size:
                del self._answers[next(iter(self._answers))]
