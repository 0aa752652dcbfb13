"""A score that counts the families it is asked for."""

from __future__ import annotations

from threading import Lock
from typing import Any

from h2pc.scores.base import LocalScore, Scores
from h2pc.variables import Var, Vars


class CountedScore(LocalScore):
    """The same scores as another one, and how many were asked for.

    Around a :class:`CachedScore` it counts what is asked, inside of one what is worked out.

    Parameters
    ----------
    inner : LocalScore
        The score to ask.

    Examples
    --------
    >>> from h2pc import Dataset
    >>> from h2pc.scores import BDeu, CountedScore
    >>> score = CountedScore(BDeu(Dataset.from_codes([[0, 1] * 20, [0, 1] * 20, [1] * 40])))
    >>> score.changed(0, (), (1, 2)).size, score.n_scores
    (2, 2)
    """

    def __init__(self, inner: LocalScore) -> None:
        self.inner = inner
        self._n_scores = 0
        self._lock = Lock()

    @property
    def n_scores(self) -> int:
        """The number of family scores so far."""
        return self._n_scores

    @property
    def n_variables(self) -> int:
        """The number of variables; they are 0, 1, …."""
        return self.inner.n_variables

    def family(self, child: Var, parents: Vars = ()) -> float:
        """Ask, and count one."""
        self._count(1)
        return self.inner.family(child, parents)

    def changed(self, child: Var, parents: Vars, others: Vars) -> Scores:
        """Ask, and count one for every change."""
        self._count(len(others))
        return self.inner.changed(child, parents, others)

    def _count(self, n: int) -> None:
        with self._lock:
            self._n_scores += n

    def __getstate__(self) -> tuple[Any, ...]:
        return self.inner, self._n_scores  # locks do not travel

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.__init__(state[0])  # type: ignore[misc]
        self._n_scores = state[1]
