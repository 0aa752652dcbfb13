"""All classes of graphs on a few variables, and the best of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, product

from h2pc.errors import GraphError
from h2pc.graphs import Cpdag, Dag, dag_to_cpdag
from h2pc.scores import LocalScore


@cache
def all_classes(names: tuple[str, ...]) -> dict[Cpdag, Dag]:
    """Every class, with one of its graphs."""
    pairs = list(combinations(range(len(names)), 2))
    found: dict[Cpdag, Dag] = {}
    for ways in product((None, 1, -1), repeat=len(pairs)):
        edges = [pair[::way] for pair, way in zip(pairs, ways, strict=True) if way is not None]
        try:
            dag = Dag.from_edges(names, edges)
        except GraphError:  # a cycle
            continue
        found.setdefault(dag_to_cpdag(dag), dag)
    return found


def best_score(score: LocalScore, names: tuple[str, ...], fits: Callable[[Cpdag], bool]) -> float:
    """The largest score of the classes that fit."""
    classes = all_classes(names)
    return max(score.total(dag.parent_sets) for cpdag, dag in classes.items() if fits(cpdag))
