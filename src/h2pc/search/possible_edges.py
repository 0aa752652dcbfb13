"""The edges that can come or go in a search, numbered."""

from __future__ import annotations

from itertools import chain
from random import Random

import numpy as np
from numpy.typing import NDArray

from h2pc.search.moves import Edge
from h2pc.search.space import SearchSpace
from h2pc.variables import Vars

Numbers = NDArray[np.intp]
"""Numbers of edges, or places in a matrix."""


class PossibleEdges:
    """Every edge that can come or go, numbered in the order of parent and child.

    Attributes
    ----------
    pairs : list of (parent, child)
        The edges, sorted; the number of an edge is its place.
    number : dict of (parent, child) to int
        The numbers of the edges.
    opposite : array of int
        For every edge, the number of the same edge turned round; if that is not possible, the
        number after the last.
    place : dict of Var to int
        The variables that have an edge now or may get one, numbered by themselves: a search around
        a few targets need not keep an account of all others.
    way, way_back : arrays of int
        For every edge, where a flattened matrix of such variables has (parent, child) and
        (child, parent).
    sources : tuple of Vars
        For every variable, the parents of the edges that lead to it, sorted.
    into : tuple of arrays of int
        For every variable, the numbers of these edges.
    words, turning_words : lists of int
        For every edge, a random word of 128 bits, and its word combined with that of its opposite.

    Examples
    --------
    >>> space = SearchSpace(((1,), (0, 2), ()), ((), (), ()), ((), (), ()), max_parents=2)
    >>> edges = PossibleEdges(space)
    >>> edges.pairs
    [(0, 1), (1, 0), (2, 1)]
    >>> edges.opposite
    array([1, 0, 3])
    """

    def __init__(self, space: SearchSpace) -> None:
        self.sources = tuple(map(_sources, space.candidates, space.required, space.start))
        self.pairs = sorted((u, v) for v, near in enumerate(self.sources) for u in near)
        self.number: dict[Edge, int] = {pair: i for i, pair in enumerate(self.pairs)}
        none = len(self.pairs)
        turned = [self.number.get((v, u), none) for u, v in self.pairs]
        self.opposite: Numbers = np.array(turned, np.intp)
        there = [(u, v) for v, parents in enumerate(space.start) for u in parents]
        self.place = {v: i for i, v in enumerate(sorted(set(chain(*self.pairs, *there))))}
        n, place = len(self.place), self.place
        self.way: Numbers = np.array([place[u] * n + place[v] for u, v in self.pairs], np.intp)
        self.way_back: Numbers = np.array([place[v] * n + place[u] for u, v in self.pairs], np.intp)
        self.into: tuple[Numbers, ...] = tuple(
            np.array([self.number[u, v] for u in near], np.intp)
            for v, near in enumerate(self.sources)
        )
        draw = Random(0).getrandbits
        self.words = [draw(128) for _ in self.pairs]
        with_none = [*self.words, 0]
        self.turning_words = [with_none[i] ^ with_none[j] for i, j in enumerate(turned)]


def _sources(candidates: Vars, required: Vars, start: Vars) -> Vars:
    """Parents that can come or go, sorted."""
    if set(start) <= {*candidates, *required}:
        return candidates
    return tuple(sorted({*candidates, *start} - {*required}))
