"""A score less a price for every edge: a prior over graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import h2pc._engine as _engine
from h2pc.errors import SettingError
from h2pc.scores.base import LocalScore
from h2pc.scores.table_score import EngineScore, engine_score
from h2pc.variables import Var


class PricedScore(EngineScore):
    """Another score, less a price for every edge, which is the same in both directions.

    Prices are rounded to the grid of the score, so that sums stay exact, and equivalent graphs
    score the same where they did before.

    Parameters
    ----------
    score : LocalScore
        The score; it may be written in Python.
    prices : mapping of (Var, Var) to float
        The prices of some pairs, in nats, from 0 on; each pair is given once, in any order.
    others : float, default=0.0
        The price of all other pairs.
    levels : sequence of int, default=()
        The number of levels of every variable; by default families may be of any size.
    max_cells : float, default=0.0
        Families whose tables have more cells than this cost more than any edge gains.

    Examples
    --------
    >>> from h2pc import Dataset
    >>> from h2pc.scores import BDeu
    >>> score = BDeu(Dataset.from_codes([[0, 0, 1, 1] * 5, [0, 0, 1, 1] * 5]))
    >>> priced = PricedScore(score, {(0, 1): 2.0})
    >>> score.family(0, (1,)) - priced.family(0, (1,)), score.family(0) - priced.family(0)
    (2.0, 0.0)
    """

    def __init__(
        self,
        score: LocalScore,
        prices: Mapping[tuple[Var, Var], float],
        others: float = 0.0,
        levels: Sequence[int] = (),
        max_cells: float = 0.0,
    ) -> None:
        self.score, self.prices, self.others = score, dict(prices), others
        self.levels, self.max_cells = levels, max_cells
        for pair, price in (*self.prices.items(), ("others", others)):
            if not price >= 0.0:
                raise SettingError(
                    f"A price must be a number from 0 on; that of {pair} is {price}."
                )

    @property
    def n_variables(self) -> int:
        """The number of variables; they are 0, 1, …."""
        return self.score.n_variables

    def price(self, u: Var, v: Var) -> float:
        """Price of a pair, as it was rounded."""
        price: float = self._engine_score.price(u, v)
        return price

    def _for_engine(self) -> Any:
        own: list[list[tuple[Var, float]]] = [[] for _ in range(self.n_variables)]
        for (u, v), price in self.prices.items():
            own[u].append((v, price))
            own[v].append((u, price))
        return _engine.PricedScore(
            engine_score(self.score), own, self.others, self.levels, self.max_cells
        )
