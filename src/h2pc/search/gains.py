"""What every move of a search gains, kept up to date while the graph changes."""

from __future__ import annotations

import math
from collections.abc import Container
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from h2pc.graph.reachability import Reachability
from h2pc.scores.base import LocalScore
from h2pc.search.moves import Add, Delete, Move, Reverse
from h2pc.search.possible_edges import Numbers, PossibleEdges
from h2pc.search.space import SearchSpace
from h2pc.variables import Var, Vars, without

_MOST_KNOWN = 1 << 18
"""Families whose neighbours' scores are kept; a million scores take 8 MB."""

Gains = NDArray[np.float64]
"""What moves add to the score; minus infinity where they are not legal."""


class Step(NamedTuple):
    """A legal move and what it gains."""

    move: Move
    gain: float


class _Option(NamedTuple):
    """A move as the table sees it: what it gains, and the number of its edge."""

    gain: float
    number: int


class GainTable:
    """A graph that changes move by move, and what every legal move from it gains.

    For every possible edge the table holds how the score of its child changes if the edge comes or
    goes. Turning an edge round makes two such changes. After a move, the score is asked about the
    families that it touched, one or two, and about no others.

    Parameters
    ----------
    score : LocalScore
        The score that answers.
    space : SearchSpace
        Where the graph may go, and where it starts.

    Attributes
    ----------
    parent_sets : list of Vars
        The parents of every variable now, sorted.
    score : float
        The score of the graph now; it is exact.
    key : int
        What tells the graph of now from others: the words of its edges, combined by exclusive or
        (Zobrist, 1970). A move changes it by a word or two; 128 bits leave no room for chance.
    """

    def __init__(self, score: LocalScore, space: SearchSpace) -> None:
        self._local_score, self._space = score, space
        self._edges = PossibleEdges(space)
        self._follow(Reachability(len(self._edges.place)))
        self.parent_sets = list(space.start)
        self._families = [score.family(v, parents) for v, parents in enumerate(space.start)]
        self.score = math.fsum(self._families)
        self.key = 0
        n_edges = len(self._edges.pairs)
        self._is_there = np.zeros(n_edges, np.bool_)
        # One place more, for opposites that are not possible.
        self._is_opposed = np.zeros(n_edges + 1, np.bool_)
        self._change: Gains = np.full(n_edges + 1, -math.inf)
        self._after: Gains = np.full(n_edges, -math.inf)  # scores of families after a change
        # Walks from one summit meet the same families again and again; copies share what is known.
        self._known: dict[tuple[Var, Vars], Gains] = {}
        for child, parents in enumerate(space.start):
            for parent in parents:
                self._graph.add_edge(self._edges.place[parent], self._edges.place[child])
                number = self._edges.number.get((parent, child))
                if number is not None:
                    self._mark(number, is_there=True)
            self._refresh(child)

    def copy(self) -> GainTable:
        """Return the same table, which changes on its own from now on."""
        table = object.__new__(GainTable)
        table.__dict__.update(self.__dict__)
        table._follow(self._graph.copy())
        table.parent_sets, table._families = self.parent_sets.copy(), self._families.copy()
        table._change, table._after = self._change.copy(), self._after.copy()
        table._is_there, table._is_opposed = self._is_there.copy(), self._is_opposed.copy()
        return table

    def best(self, barred: Container[int] = ()) -> Step | None:
        """Legal move of the largest gain to a graph whose key is not barred, if there is one.

        Among equal gains, the parent of the smallest number decides, then the child; of one edge,
        the deletion comes before the reversal.
        """
        edges, pairs = self._edges, self._edges.pairs
        present = self._is_there.nonzero()[0]
        toggle = self._best(self._toggle_gains(), range(len(pairs)), edges.words, barred)
        turn = self._best(self._reversal_gains(present), present, edges.turning_words, barred)
        if toggle.gain == turn.gain == -math.inf:
            return None
        if turn.gain > toggle.gain or (turn.gain == toggle.gain and turn.number < toggle.number):
            return Step(Reverse(*pairs[turn.number]), turn.gain)
        kind = Delete if self._is_there[toggle.number] else Add
        return Step(kind(*pairs[toggle.number]), toggle.gain)

    def random_move(self, dice: Random) -> Move | None:
        """Legal move, if there is one: the dice decide on its kind, then on its edge."""
        toggles = self._toggle_gains() > -math.inf
        present = self._is_there.nonzero()[0]
        turns = self._reversal_gains(present) > -math.inf
        options: list[tuple[type[Move], list[int]]] = [
            (Add, (toggles & ~self._is_there).nonzero()[0].tolist()),
            (Delete, (toggles & self._is_there).nonzero()[0].tolist()),
            (Reverse, present[turns].tolist()),
        ]
        possible = [(kind, numbers) for kind, numbers in options if numbers]
        if not possible:
            return None
        kind, numbers = dice.choice(possible)
        return kind(*self._edges.pairs[dice.choice(numbers)])

    def make(self, move: Move) -> None:
        """Change the graph by a legal move."""
        for parent, child in move.toggled:
            self._toggle(parent, child)
        for _, child in move.toggled:
            self._refresh(child)

    def _follow(self, graph: Reachability) -> None:
        """Look at this graph from now on."""
        self._graph = graph
        self._detours = graph.detours.ravel()  # a view: it follows the changes

    def _best(
        self, gains: Gains, numbers: Numbers | range, words: list[int], barred: Container[int]
    ) -> _Option:
        """First of the best moves that are not barred, if there is one; uses ``gains`` up."""
        while gains.size:
            place = int(gains.argmax())
            gain, number = float(gains[place]), int(numbers[place])
            if gain == -math.inf or self.key ^ words[number] not in barred:
                return _Option(gain, number)
            gains[place] = -math.inf
        return _Option(-math.inf, 0)

    def _toggle_gains(self) -> Gains:
        """Gains of all additions and deletions."""
        closes_cycle = self._detours[self._edges.way_back]
        closes_cycle |= self._is_opposed[:-1]
        gains = self._change[:-1].copy()
        np.putmask(gains, closes_cycle, -math.inf)
        return gains

    def _reversal_gains(self, present: Numbers) -> Gains:
        """Gains of turning these edges round."""
        closes_cycle = self._detours[self._edges.way[present]]
        gains: Gains = self._change[present] + self._change[self._edges.opposite[present]]
        np.putmask(gains, closes_cycle, -math.inf)
        return gains

    def _toggle(self, parent: Var, child: Var) -> None:
        """Let an edge go if it is there, and come if it is not."""
        number, place = self._edges.number[parent, child], self._edges.place
        parents = self.parent_sets[child]
        comes = parent not in parents
        if comes:
            self._graph.add_edge(place[parent], place[child])
            self.parent_sets[child] = tuple(sorted((*parents, parent)))
        else:
            self._graph.remove_edge(place[parent], place[child])
            self.parent_sets[child] = without(parents, parent)
        self._mark(number, is_there=comes)
        # Not by adding the gain up: one from or to an astronomical penalty is rounded.
        self._families[child] = float(self._after[number])
        self.score = math.fsum(self._families)

    def _mark(self, number: int, *, is_there: bool) -> None:
        """Note that an edge has come or gone."""
        self._is_there[number] = is_there
        self._is_opposed[self._edges.opposite[number]] = is_there
        self.key ^= self._edges.words[number]

    def _refresh(self, child: Var) -> None:
        """Ask what a change of the parents of ``child`` gains now."""
        others, numbers = self._edges.sources[child], self._edges.into[child]
        parents, candidates = self.parent_sets[child], self._space.candidates[child]
        is_full = len(parents) >= self._space.max_parents
        if is_full or others is not candidates:
            self._change[numbers] = -math.inf
            joining = () if is_full else candidates
            places = [i for i, v in enumerate(others) if v in parents or v in joining]
            others, numbers = tuple(others[i] for i in places), numbers[places]
        if others:
            scores = self._known.get((child, parents))
            if scores is None:
                scores = self._local_score.changed(child, parents, others)
                if len(self._known) < _MOST_KNOWN:
                    self._known[child, parents] = scores
            self._after[numbers] = scores
            self._change[numbers] = scores - self._families[child]
