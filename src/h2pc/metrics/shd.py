"""Structural Hamming distance: the number of edges to mend."""

from __future__ import annotations

from h2pc.errors import GraphError
from h2pc.graphs import Cpdag, Dag
from h2pc.metrics.edge_scores import edge_scores


def shd(learned: Dag | Cpdag, true: Dag | Cpdag) -> int:
    """Structural Hamming distance between two equivalence classes; variables match by name.

    Every edge that is missing, that is extra, or that has another mark (reversed, directed instead
    of undirected or the other way round) counts one.

    Parameters
    ----------
    learned : Dag or Cpdag
        What was learned. Of a Dag, the completed graph of its class is taken: data cannot
        distinguish equivalent graphs. A Cpdag is taken as it is, completed or not.
    true : Dag or Cpdag
        The truth, on the same names in any order.

    Returns
    -------
    int
        The number of pairs of variables that the two graphs do not join alike.

    Raises
    ------
    GraphError
        If the names differ.

    See Also
    --------
    dag_shd : The distance between the graphs themselves.
    h2pc.metrics.compare_edges : The edges behind the number.

    Notes
    -----
    Tsamardinos, Brown and Aliferis (2006), *The max-min hill-climbing Bayesian network structure
    learning algorithm*, Algorithm 4.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.metrics import shd
    >>> true = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> shd(Dag.from_edges(["c", "b", "a"], [("c", "b"), ("b", "a")]), true)
    0
    >>> shd(Dag.from_edges(["a", "b", "c"], [("a", "b"), ("c", "b")]), true)
    2
    """
    return edge_scores(learned, true).shd


def dag_shd(learned: Dag, true: Dag) -> int:
    """Structural Hamming distance between two directed graphs; variables match by name.

    Every edge that is missing, extra or reversed counts one, even where data could not
    distinguish the two.

    Parameters
    ----------
    learned, true : Dag
        The graphs, on the same names in any order.

    Returns
    -------
    int
        The number of pairs of variables that the two graphs do not join alike.

    Raises
    ------
    GraphError
        If the names differ, or one of the graphs is not a Dag.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.metrics import dag_shd
    >>> true = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> dag_shd(Dag.from_edges(["c", "b", "a"], [("c", "b"), ("b", "a")]), true)
    2
    """
    for graph in (learned, true):
        if not isinstance(graph, Dag):
            raise GraphError(f"dag_shd compares two Dags; got a {type(graph).__name__}.")
    return edge_scores(learned, true, as_classes=False).shd
