"""Slow twins of the distances between graphs, pair by pair."""

from itertools import combinations, permutations

from h2pc.graphs import Cpdag, Dag
from reference.slow_graphs import cpdag_of, members_of_class

NOTHING, LINE = "nothing", "line"


def how_joined(graph: Dag | Cpdag, x: str, y: str) -> str:
    """How the graph joins two names: with an arrowhead at one of them, a line, or nothing."""
    arrows = set(graph.named_edges if isinstance(graph, Dag) else graph.named_directed)
    lines = [] if isinstance(graph, Dag) else [set(line) for line in graph.named_undirected]
    if (x, y) in arrows:
        return f"arrow at {y}"
    if (y, x) in arrows:
        return f"arrow at {x}"
    return LINE if {x, y} in lines else NOTHING


def joins(graph: Dag | Cpdag) -> dict[frozenset[str], str]:
    """How the graph joins every pair of names."""
    return {frozenset(pair): how_joined(graph, *pair) for pair in combinations(graph.names, 2)}


def slow_distance(learned: Dag | Cpdag, true: Dag | Cpdag) -> int:
    """How many pairs of names are joined in different ways."""
    one, other = joins(learned), joins(true)
    return sum(one[pair] != other[pair] for pair in one)


def slow_shd(learned: Dag, true: Dag) -> int:
    """The distance between the classes, each found by listing all its members."""
    return slow_distance(*(cpdag_of(members_of_class(dag)) for dag in (learned, true)))


def oriented_by_meek(pdag: Cpdag) -> Cpdag:
    """The graph with all directions that follow by the rules of Meek (1995)."""
    arrows, lines = set(pdag.directed), {frozenset(line) for line in pdag.undirected}

    def adjacent(a: int, b: int) -> bool:
        return (a, b) in arrows or (b, a) in arrows or frozenset((a, b)) in lines

    def follows(a: int, b: int) -> bool:
        """Whether a – b has to be a → b: otherwise a new collider, or a cycle."""
        others = [v for v in pdag.variables if v not in (a, b)]
        return (
            any((c, a) in arrows and not adjacent(c, b) for c in others)
            or any((a, c) in arrows and (c, b) in arrows for c in others)
            or any(
                {frozenset((a, c)), frozenset((a, d))} <= lines
                and {(c, b), (d, b)} <= arrows
                and not adjacent(c, d)
                for c, d in combinations(others, 2)
            )
        )

    def next_arrow() -> tuple[int, int] | None:
        ends = (pair for line in lines for pair in permutations(sorted(line)))
        return next((pair for pair in ends if follows(*pair)), None)

    while (arrow := next_arrow()) is not None:
        arrows.add(arrow)
        lines.remove(frozenset(arrow))
    return Cpdag(pdag.names, arrows, map(tuple, lines))
