"""Classes of equivalent graphs, restricted by background knowledge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from h2pc.errors import GraphError
from h2pc.graphs.checked_names import Edge, End, numbered_edges
from h2pc.graphs.cpdag import Cpdag, dag_to_cpdag
from h2pc.graphs.dag import Dag
from h2pc.variables import Var


def dag_to_mpdag(dag: Dag, known: Iterable[Sequence[End]] = ()) -> Cpdag:
    """Maximally oriented graph of the class of ``dag``, restricted by known edges.

    An edge is directed where every equivalent graph with the known edges directs it so. Without
    known edges this is :func:`dag_to_cpdag`.

    Parameters
    ----------
    dag : Dag
        Any member of the class.
    known : iterable of pairs, default=()
        Edges of ``dag`` whose direction is known, (parent, child) by name or by number.

    Returns
    -------
    Cpdag
        The partially directed graph; it need not be completed.

    Raises
    ------
    GraphError
        If a known edge is not in the graph.

    Notes
    -----
    Meek (1995), *Causal inference and causal explanation with background knowledge*: the known
    edges are directed in the completed graph, which is then closed under his rules.

    Examples
    --------
    >>> from h2pc.graphs import Dag, dag_to_mpdag
    >>> chain = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> dag_to_mpdag(chain, [("a", "b")])
    Cpdag(('a', 'b', 'c'), [('a', 'b'), ('b', 'c')], [])
    >>> dag_to_mpdag(chain, [("b", "c")])
    Cpdag(('a', 'b', 'c'), [('b', 'c')], [('a', 'b')])
    """
    fixed = numbered_edges(dag.names, known)
    edges = frozenset(dag.edges)
    for u, v in fixed:
        if (u, v) not in edges:
            raise GraphError(
                f"known must hold edges of the graph; {dag.names[u]!r} → {dag.names[v]!r} is none."
            )
    return _closed(dag, frozenset(dag_to_cpdag(dag).directed).union(fixed))


def _closed(dag: Dag, directed: frozenset[Edge]) -> Cpdag:
    """Return the edges with those directed that Meek's rules direct, as ``dag`` has them."""
    marks = _Marks(dag, directed)
    place = {v: i for i, v in enumerate(dag.topological_order)}
    # In this order one pass directs a whole chain.
    still_open = sorted(
        frozenset(dag.edges) - directed, key=lambda edge: (place[edge[0]], place[edge[1]])
    )
    n_open = -1
    while n_open != len(still_open):
        n_open = len(still_open)
        still_open = [edge for edge in still_open if not marks.directs(*edge)]
    return Cpdag(dag.names, frozenset(dag.edges).difference(still_open), still_open)


class _Marks:
    """Directed and undirected edges, which rules change."""

    def __init__(self, dag: Dag, directed: frozenset[Edge]) -> None:
        pdag = Cpdag(dag.names, directed, frozenset(dag.edges) - directed)
        joined = sorted({v for edge in dag.edges for v in edge})
        self.parents = {v: set(pdag.parent_sets[v]) for v in joined}
        self.children = {v: set(pdag.child_sets[v]) for v in joined}
        self.neighbours = {v: set(pdag.neighbour_sets[v]) for v in joined}
        self.adjacent = {v: frozenset(dag.adjacent(v)) for v in joined}

    def directs(self, a: Var, b: Var) -> bool:
        """Whether a rule directs the undirected edge from a to b; if so, it is directed."""
        near = self.adjacent[b]
        # Rule 3 needs a v-structure: those of the graph have directed all they can beforehand.
        found = bool(
            self.parents[a] - near  # rule 1: x → a – b, x and b not adjacent
            or self.children[a] & self.parents[b]  # rule 2: a → x → b
            or any(  # rule 4: a – y → x → b, a and x adjacent, y and b not
                (self.neighbours[a] & self.parents[x]) - near
                for x in self.parents[b] & self.adjacent[a]
            )
        )
        if found:
            self.parents[b].add(a)
            self.children[a].add(b)
            self.neighbours[a].discard(b)
            self.neighbours[b].discard(a)
        return found
