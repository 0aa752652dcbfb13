"""Slow twins of the searches: every neighbour of a graph is built, checked and scored anew."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import NamedTuple

from h2pc.algorithms.search import Add, Delete, Move, Reverse
from h2pc.graphs import Skeleton
from h2pc.independence.constraints import EdgeConstraints
from h2pc.scores import LocalScore

Edges = frozenset[tuple[int, int]]


class Landscape(NamedTuple):
    """A score and the rules of a search."""

    score: LocalScore
    skeleton: Skeleton | None = None
    max_parents: int | None = None
    constraints: EdgeConstraints = EdgeConstraints()

    def height(self, edges: Edges) -> float:
        return self.score.total(parent_sets(edges, self.score.n_variables))

    def allows(self, edge: tuple[int, int]) -> bool:
        joined = self.skeleton is None or self.skeleton.has_edge(*edge)
        return joined and self.constraints.allows(*edge)

    def neighbours(self, edges: Edges) -> list[tuple[Move, Edges]]:
        """Every legal move and where it leads, in the order that decides among equals."""
        found: list[tuple[Move, Edges]] = []
        for pair in permutations(range(self.score.n_variables), 2):
            opposite = pair[::-1]
            if pair in edges:
                found.append((Delete(*pair), edges - {pair}))
                found.append((Reverse(*pair), edges - {pair} | {opposite}))
            elif opposite not in edges:
                found.append((Add(*pair), edges | {pair}))
        return [(move, after) for move, after in found if self._is_legal(edges, after)]

    def _is_legal(self, before: Edges, after: Edges) -> bool:
        if before - after & set(self.constraints.required):
            return False
        if not all(map(self.allows, after - before)) or not is_acyclic(after):
            return False
        grown = {child for _, child in after - before}
        counts = [sum(v == child for _, v in after) for child in grown]
        return self.max_parents is None or all(n <= self.max_parents for n in counts)


def slow_tabu_search(
    rules: Landscape, start: Edges, list_size: int, patience: int, max_moves: int | None
) -> tuple[Edges, list[Move]]:
    """The best graph, and all moves."""
    here = start | set(rules.constraints.required)
    best, trail, visited, in_vain = here, [], [here], 0
    while len(trail) != max_moves:
        recent = visited[max(0, len(visited) - list_size) :]
        options = [(move, after) for move, after in rules.neighbours(here) if after not in recent]
        if not options:
            break
        move, after = max(options, key=lambda option: rules.height(option[1]))
        if patience == 0 and rules.height(after) <= rules.height(best):
            break
        here = after
        trail.append(move)
        visited.append(here)
        if rules.height(here) > rules.height(best):
            best, in_vain = here, 0
        else:
            in_vain += 1
            if in_vain == patience:
                break
    return best, trail


def slow_hill_climbing(
    rules: Landscape, start: Edges, restarts: int, perturbations: int, random_state: int
) -> tuple[Edges, list[Move]]:
    """The best graph, and all moves."""
    return _with_restarts(rules, start, (0, 0, None), restarts, perturbations, random_state)


def slow_tabu_restarts(
    rules: Landscape,
    start: Edges,
    list_size: int,
    patience: int,
    restarts: int,
    perturbations: int,
    random_state: int,
) -> tuple[Edges, list[Move]]:
    """The best graph of several walks, and all moves."""
    return _with_restarts(
        rules, start, (list_size, patience, None), restarts, perturbations, random_state
    )


def _with_restarts(
    rules: Landscape,
    start: Edges,
    walk: tuple,
    restarts: int,
    perturbations: int,
    random_state: int,
) -> tuple[Edges, list[Move]]:
    dice = Random(random_state)
    here = start | set(rules.constraints.required)
    best, trail = slow_tabu_search(rules, here, *walk)
    for _ in range(restarts):
        here = best
        for _ in range(perturbations):
            options = rules.neighbours(here)
            kinds = [
                kind for kind in (Add, Delete, Reverse) if kind in {type(m) for m, _ in options}
            ]
            if not kinds:
                break
            kind = dice.choice(kinds)
            move, here = dice.choice([option for option in options if type(option[0]) is kind])
            trail.append(move)
        here, moves = slow_tabu_search(rules, here, *walk)
        trail += moves
        if rules.height(here) > rules.height(best):
            best = here
    return best, trail


def parent_sets(edges: Edges, n_variables: int) -> tuple[tuple[int, ...], ...]:
    """The parents of every variable, sorted."""
    return tuple(tuple(sorted(u for u, v in edges if v == child)) for child in range(n_variables))


def is_acyclic(edges: Edges) -> bool:
    """Whether all edges can be taken away, those from nowhere first."""
    left = set(edges)
    while left:
        children = {v for _, v in left}
        first = {(u, v) for u, v in left if u not in children}
        if not first:
            return False
        left -= first
    return True


def applied(edges: Edges, move: Move) -> Edges:
    """The graph after the move, whether legal or not."""
    edge = (move.parent, move.child)
    match move:
        case Add():
            assert edge not in edges
            return edges | {edge}
        case Delete():
            assert edge in edges
            return edges - {edge}
        case Reverse():
            assert edge in edges
            return edges - {edge} | {edge[::-1]}
