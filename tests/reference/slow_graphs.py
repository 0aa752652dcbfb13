"""Slow twins of the graph algorithms, by definition and enumeration."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

from h2pc.errors import GraphError
from h2pc.graphs import Cpdag, Dag
from strategies import names_of


def is_dag(names, edges) -> bool:
    """Whether these (parent, child) pairs make no cycle."""
    try:
        return bool(Dag.from_edges(names, edges).names)
    except GraphError:
        return False


@cache
def all_dags(n_nodes: int) -> tuple[Dag, ...]:
    """Every graph on ``n_nodes`` variables."""
    names = names_of(n_nodes)
    pairs = list(combinations(range(n_nodes), 2))
    found = []
    for choice in product((0, 1, 2), repeat=len(pairs)):
        edges = [(v, u) if c == 2 else (u, v) for (u, v), c in zip(pairs, choice, strict=True) if c]
        if is_dag(names, edges):
            found.append(Dag.from_edges(names, edges))
    return tuple(found)


def v_structures(directed, adjacent_pairs) -> set[tuple[int, int, int]]:
    """Every u → w ← v with u < v not adjacent."""
    joined = {frozenset(pair) for pair in adjacent_pairs}
    return {
        (u, w, v)
        for (u, w), (v, w2) in product(directed, repeat=2)
        if w == w2 and u < v and frozenset((u, v)) not in joined
    }


def extensions(pdag: Cpdag) -> Iterator[Dag]:
    """Every graph with the directed edges, the skeleton and the v-structures of ``pdag``."""
    pairs = (*pdag.directed, *pdag.undirected)
    wanted = v_structures(pdag.directed, pairs)
    for chosen in orientations(pdag.undirected):
        edges = [*pdag.directed, *chosen]
        if v_structures(edges, pairs) == wanted and is_dag(pdag.names, edges):
            yield Dag.from_edges(pdag.names, edges)


def members_of_class(dag: Dag) -> list[Dag]:
    """Every graph with the skeleton and the v-structures of ``dag`` (Verma and Pearl, 1990)."""
    wanted = v_structures(dag.edges, dag.edges)
    return [
        Dag.from_edges(dag.names, edges)
        for edges in orientations(dag.edges)
        if v_structures(edges, edges) == wanted and is_dag(dag.names, edges)
    ]


def orientations(edges) -> Iterator[list[tuple[int, int]]]:
    """``edges`` with each of them kept or turned round, in every way."""
    for turned in product((False, True), repeat=len(edges)):
        yield [(v, u) if turn else (u, v) for (u, v), turn in zip(edges, turned, strict=True)]


def cpdag_of(members: list[Dag]) -> Cpdag:
    """The edges on which all ``members`` agree, and the others without direction."""
    agreed = set.intersection(*(set(dag.edges) for dag in members))
    others = [edge for edge in members[0].edges if edge not in agreed]
    return Cpdag(members[0].names, agreed, others)


def d_separated_by_trails(dag: Dag, x: int, y: int, z: set[int]) -> bool:
    """The definition: no trail between ``x`` and ``y`` is active given ``z``."""
    known = {v for v in dag.variables if v in z or z.intersection(dag.descendants(v))}

    def active(trail: list[int]) -> bool:
        for before, v, after in zip(trail, trail[1:], trail[2:], strict=False):
            collider = dag.has_edge(before, v) and dag.has_edge(after, v)
            if (collider and v not in known) or (not collider and v in z):
                return False
        return True

    def trails(trail: list[int]) -> Iterator[list[int]]:
        if trail[-1] == y:
            yield trail
            return
        for v in dag.adjacent(trail[-1]):
            if v not in trail:
                yield from trails([*trail, v])

    return not any(active(trail) for trail in trails([x]))
