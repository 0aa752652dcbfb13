"""A score that remembers its families."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from h2pc.errors import SettingError
from h2pc.scores.base import LocalScore, Scores
from h2pc.variables import Var, Vars

_Family = tuple[Var, frozenset[Var]]


class CachedScore(LocalScore):
    """The same scores as another one, worked out once for every family.

    The compiled scores of this package answer in a few microseconds; a look-up takes one. The
    oldest families are forgotten first.

    Parameters
    ----------
    inner : LocalScore
        The score to ask.
    size : int
        Most families to remember; one takes about 400 bytes.

    Examples
    --------
    >>> from h2pc import Dataset
    >>> from h2pc.scores import BDeu, CachedScore, CountedScore
    >>> asked = CountedScore(BDeu(Dataset.from_codes([[0, 1] * 20, [0, 1] * 20, [1] * 40])))
    >>> score = CachedScore(asked)
    >>> score.family(0, (1, 2)) == score.family(0, (2, 1))
    True
    >>> asked.n_scores
    1
    """

    def __init__(self, inner: LocalScore, size: int = 1_000_000) -> None:
        if size < 1:
            raise SettingError(f"size must be at least 1 family; got {size!r}.")
        self.inner = inner
        self.size = size
        self._scores: dict[_Family, float] = {}

    @property
    def n_variables(self) -> int:
        """The number of variables; they are 0, 1, …."""
        return self.inner.n_variables

    def family(self, child: Var, parents: Vars = ()) -> float:
        """Score of ``child`` with these parents, asked for where it is not known."""
        family = (child, frozenset(parents))
        score = self._scores.get(family)
        if score is None:
            score = self.inner.family(child, parents)
            self._remember({family: score})
        return score

    def changed(self, child: Var, parents: Vars, others: Vars) -> Scores:
        """Score of the family with one change, asked for where it is not known."""
        now = frozenset(parents)
        families = [(child, now ^ {x}) for x in others]
        known = {family: self._scores.get(family) for family in families}
        unknown = {
            family: x for family, x in zip(families, others, strict=True) if known[family] is None
        }
        if unknown:
            asked = self.inner.changed(child, parents, tuple(unknown.values()))
            new = dict(zip(unknown, asked.tolist(), strict=True))
            known |= new
            self._remember(new)
        return np.array([known[family] for family in families], np.float64)

    def _remember(self, new: dict[_Family, float]) -> None:
        self._scores |= new
        with suppress(KeyError, StopIteration, RuntimeError):  # other threads forget some, too
            while len(self._scores) > self.size:
                del self._scores[next(iter(self._scores))]
