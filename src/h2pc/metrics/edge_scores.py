"""Edge by edge: what is right, reversed, differently marked, missing or extra."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from h2pc.graphs import Cpdag, Dag, Mark, dag_to_cpdag, edge_marks
from h2pc.metrics.agreement import Agreement


class Verdict(StrEnum):
    """What became of an edge."""

    RIGHT = "right"
    REVERSED = "reversed"
    DIFFERENTLY_MARKED = "differently marked"
    MISSING = "missing"
    EXTRA = "extra"


@dataclass(frozen=True)
class ComparedEdge:
    """Two variables that are joined in one of two graphs, or in both; their names are sorted.

    Examples
    --------
    >>> from h2pc.metrics import ComparedEdge, Mark
    >>> edge = ComparedEdge("rain", "wet", Mark.UNDIRECTED, Mark.FORWARD)
    >>> edge.verdict.value
    'differently marked'
    >>> print(edge)
    rain – wet (truth: rain → wet)
    """

    first: str
    second: str
    learned: Mark | None
    """How the learned graph joins them, read from the first to the second; None if it does not."""
    true: Mark | None
    """How the true graph joins them, likewise."""

    @property
    def verdict(self) -> Verdict:
        """What became of the edge; differently marked is what only one of the graphs directs."""
        if self.learned == self.true:
            return Verdict.RIGHT
        if self.learned is None:
            return Verdict.MISSING
        if self.true is None:
            return Verdict.EXTRA
        if Mark.UNDIRECTED in (self.learned, self.true):
            return Verdict.DIFFERENTLY_MARKED
        return Verdict.REVERSED

    def __str__(self) -> str:
        learned, true = (
            f"{self.first} {mark or 'not joined to'} {self.second}"
            for mark in (self.learned, self.true)
        )
        return learned if self.verdict is Verdict.RIGHT else f"{learned} (truth: {true})"


@dataclass(frozen=True)
class EdgeScores:
    """How many edges are right, and in which way the others are not: their number by verdict.

    Examples
    --------
    >>> from h2pc.graphs import Cpdag
    >>> from h2pc.metrics import edge_scores
    >>> true = Cpdag(["a", "b", "c", "d"], [("a", "c"), ("b", "c")], [("b", "d")])
    >>> learned = Cpdag(["a", "b", "c", "d"], [("a", "c"), ("c", "b")], [("a", "b")])
    >>> scores = edge_scores(learned, true)
    >>> scores.right, scores.reversed, scores.differently_marked, scores.missing, scores.extra
    (1, 1, 0, 1, 1)
    >>> scores.shd
    3
    """

    adjacency: Agreement
    """Pairs that are joined, by whatever mark: learned against true."""
    orientation: Agreement
    """Arrowheads, learned against true; a right one is on the same end of the same pair."""
    right: int
    reversed: int
    differently_marked: int
    missing: int
    extra: int

    @property
    def shd(self) -> int:
        """The structural Hamming distance: all edges that are not right."""
        return self.reversed + self.differently_marked + self.missing + self.extra


def compare_edges(
    learned: Dag | Cpdag, true: Dag | Cpdag, *, as_classes: bool = True
) -> tuple[ComparedEdge, ...]:
    """Every edge of either graph, and how the other one has it; variables match by name.

    Parameters
    ----------
    learned : Dag or Cpdag
        What was learned.
    true : Dag or Cpdag
        The truth, on the same names in any order.
    as_classes : bool, default=True
        Whether a Dag stands for its equivalence class, as for :func:`~h2pc.metrics.shd`; otherwise
        its edges are compared as they are, as for :func:`~h2pc.metrics.dag_shd`.

    Returns
    -------
    tuple of ComparedEdge
        The edges, sorted by the names of their ends.

    Raises
    ------
    GraphError
        If the names differ.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.metrics import compare_edges
    >>> true = Dag.from_edges(["rain", "wet", "mud"], [("rain", "wet"), ("wet", "mud")])
    >>> learned = Dag.from_edges(["rain", "wet", "mud"], [("wet", "rain")])
    >>> for edge in compare_edges(learned, true):
    ...     print(f"{edge.verdict}: {edge}")
    missing: mud not joined to wet (truth: mud – wet)
    right: rain – wet
    >>> [edge.verdict.value for edge in compare_edges(learned, true, as_classes=False)]
    ['missing', 'reversed']
    """
    if as_classes:
        learned, true = (dag_to_cpdag(g) if isinstance(g, Dag) else g for g in (learned, true))
    names = sorted(true.names)
    ours, theirs = edge_marks(learned.reordered(names)), edge_marks(true.reordered(names))
    return tuple(
        ComparedEdge(names[u], names[v], ours.get((u, v)), theirs.get((u, v)))
        for u, v in sorted(ours.keys() | theirs.keys())
    )


def edge_scores(learned: Dag | Cpdag, true: Dag | Cpdag, *, as_classes: bool = True) -> EdgeScores:
    """Precision, recall and F1 of adjacencies and of orientations; variables match by name.

    Parameters
    ----------
    learned : Dag or Cpdag
        What was learned.
    true : Dag or Cpdag
        The truth, on the same names in any order.
    as_classes : bool, default=True
        As in :func:`compare_edges`.

    Returns
    -------
    EdgeScores
        The two :class:`~h2pc.metrics.Agreement` values, and the edges counted by verdict.

    Raises
    ------
    GraphError
        If the names differ.

    Notes
    -----
    Orientation is that of arrowheads in the completed graphs, over all edges, as in Ramsey,
    Glymour, Sanchez-Romero and Glymour (2017), *A million variables and more: the fast greedy
    equivalence search algorithm*. So an arrowhead on an extra edge is a false positive, and a
    missing directed edge costs a false negative. Since no edge here has two arrowheads, counting
    arrowheads is counting directed edges.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.metrics import edge_scores
    >>> true = Dag.from_edges(["a", "b", "c"], [("a", "c"), ("b", "c")])
    >>> scores = edge_scores(Dag.from_edges(["a", "b", "c"], [("a", "c"), ("c", "b")]), true)
    >>> scores.adjacency.f1, scores.orientation.precision, scores.orientation.recall
    (1.0, 1.0, 0.0)
    """
    edges = compare_edges(learned, true, as_classes=as_classes)
    number = Counter(edge.verdict for edge in edges)
    missing, extra = number[Verdict.MISSING], number[Verdict.EXTRA]
    return EdgeScores(
        Agreement(len(edges) - missing - extra, extra, missing),
        _arrowheads(edges),
        number[Verdict.RIGHT],
        number[Verdict.REVERSED],
        number[Verdict.DIFFERENTLY_MARKED],
        missing,
        extra,
    )


def _arrowheads(edges: tuple[ComparedEdge, ...]) -> Agreement:
    """Return the learned arrowheads against the true ones."""
    directed = (Mark.FORWARD, Mark.BACKWARD)
    learned = [edge for edge in edges if edge.learned in directed]
    n_true = sum(edge.true in directed for edge in edges)
    n_right = sum(edge.learned is edge.true for edge in learned)
    return Agreement(n_right, len(learned) - n_right, n_true - n_right)
