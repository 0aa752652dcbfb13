"""What a search returns."""

from __future__ import annotations

from dataclasses import dataclass, field

from h2pc.algorithms.moves import Edge, Move
from h2pc.variables import Vars


@dataclass(frozen=True)
class Found:
    """The best graph of a search, and the moves that it made.

    Attributes
    ----------
    parent_sets : tuple of Vars
        The parents of every variable, sorted.
    score : float
        The sum of the scores of its families; it is exact.
    trail : tuple of Move
        All moves of the search, those after the best graph included.
    n_moves_to_best : int
        The number of moves up to the best graph.
    n_scores : int
        The number of family scores that the search needed.
    complete : bool
        False where the search was stopped: the graph is the best until then.

    Examples
    --------
    >>> from h2pc.algorithms.moves import Add, Delete
    >>> found = Found(((), (0,)), -2.5, (Add(0, 1), Delete(0, 1)), n_moves_to_best=1)
    >>> found.edges, found.n_moves
    (((0, 1),), 2)
    """

    parent_sets: tuple[Vars, ...]
    score: float
    trail: tuple[Move, ...]
    n_moves_to_best: int
    n_scores: int = field(default=0, compare=False)
    complete: bool = True

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Every (parent, child) pair, sorted."""
        pairs = ((u, v) for v, parents in enumerate(self.parent_sets) for u in parents)
        return tuple(sorted(pairs))

    @property
    def n_moves(self) -> int:
        """The number of moves that the search made."""
        return len(self.trail)
