"""Slow twin of the search among classes: every member of a class is changed in every way."""

from __future__ import annotations

from collections.abc import Iterator

from h2pc.algorithms.search import Add, Delete, Reverse
from h2pc.graphs import Cpdag, Dag
from h2pc.scores import LocalScore
from reference.slow_graphs import cpdag_of, members_of_class
from reference.slow_search import Landscape


def slow_class_search(
    score: LocalScore, names: tuple[str, ...], max_parents=None, *, tries_variables=False
) -> Cpdag:
    """The class from which no deletion, turn or insertion gains; deletions are made first."""
    rules = Landscape(score, max_parents=max_parents)
    here = climbed(Dag.from_edges(names, []), rules)
    due = set(range(len(names))) if tries_variables else set()
    while due:
        for v in range(len(names)):
            if v not in due:
                continue
            due.remove(v)
            there = climbed(cleared(here, v, rules), rules)
            if height(rules)(there) > height(rules)(here):
                changed = {u for u in range(len(names)) if ends(here, u) != ends(there, u)}
                due |= changed.union(*(there.adjacent(u) for u in changed))
                here = there
    return cpdag_of(members_of_class(here))


def climbed(here: Dag, rules: Landscape) -> Dag:
    """The local maximum that leads on from a class."""
    while True:
        for kind in (Delete, Reverse, Add):
            best = max(neighbours(here, kind, rules), key=height(rules), default=here)
            if height(rules)(best) > height(rules)(here):
                here = best
                break
        else:
            return here


def cleared(here: Dag, v: int, rules: Landscape) -> Dag:
    """A class in which a variable has no edges, taken away in the order of their other ends."""
    for u in range(len(here.names)):
        apart = [dag for dag in neighbours(here, Delete, rules) if u not in dag.adjacent(v)]
        if u in here.adjacent(v):
            here = max(apart, key=height(rules))
    return here


def ends(dag: Dag, v: int) -> tuple:
    """What the class joins to a variable."""
    graph = cpdag_of(members_of_class(dag))
    return graph.parents(v), graph.children(v), graph.neighbours(v)


def neighbours(dag: Dag, kind: type, rules: Landscape) -> Iterator[Dag]:
    """What changes of one kind make of the members of a class."""
    for member in members_of_class(dag):
        for move, after in rules.neighbours(frozenset(member.edges)):
            if type(move) is kind:
                yield Dag.from_edges(dag.names, after)


def height(rules: Landscape):
    """The score of a graph."""
    return lambda dag: rules.height(frozenset(dag.edges))
