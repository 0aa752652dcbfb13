"""Slow twin of the search among classes: every member of a class is changed in every way."""

from __future__ import annotations

from collections.abc import Iterator

from h2pc.algorithms.search import Add, Delete, Reverse
from h2pc.graphs import Cpdag, Dag
from h2pc.scores import LocalScore
from reference.slow_graphs import cpdag_of, members_of_class
from reference.slow_search import Landscape


def slow_class_search(score: LocalScore, names: tuple[str, ...], max_parents=None) -> Cpdag:
    """The class from which no deletion, turn or insertion gains; deletions are made first."""
    rules = Landscape(score, max_parents=max_parents)
    here = Dag.from_edges(names, [])
    while True:
        for kind in (Delete, Reverse, Add):
            best = max(neighbours(here, kind, rules), key=height(rules), default=here)
            if height(rules)(best) > height(rules)(here):
                here = best
                break
        else:
            return cpdag_of(members_of_class(here))


def neighbours(dag: Dag, kind: type, rules: Landscape) -> Iterator[Dag]:
    """What changes of one kind make of the members of a class."""
    for member in members_of_class(dag):
        for move, after in rules.neighbours(frozenset(member.edges)):
            if type(move) is kind:
                yield Dag.from_edges(dag.names, after)


def height(rules: Landscape):
    """The score of a graph."""
    return lambda dag: rules.height(frozenset(dag.edges))
