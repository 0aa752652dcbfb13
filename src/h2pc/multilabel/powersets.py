"""Minimal label powersets and their Markov boundaries, read off a graph (Theorems 8 and 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from h2pc.errors import GraphError
from h2pc.graphs import Dag, Skeleton


class LabelLink(NamedTuple):
    """Two labels that depend on each other given the features, and why."""

    labels: tuple[str, str]
    """Both of them, sorted."""
    adjacent: bool
    """Whether an edge joins them."""
    through: tuple[str, ...]
    """The features that are children of both, sorted."""


def minimal_label_powersets(dag: Dag, labels: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the smallest sets of labels independent of all other labels given the features.

    Theorem 8: two labels are in the same minimal powerset where a path joins them on which every
    variable between is a label, or a feature with both its neighbours on the path as parents.

    Parameters
    ----------
    dag : Dag
        A graph on labels and features, to which their distribution is faithful.
    labels : iterable of str
        The names of the labels, in any order; all other variables are features.

    Returns
    -------
    tuple of tuples of str
        The powersets, a partition of the labels: each sorted, in the order of first labels.

    See Also
    --------
    label_links : Which labels are joined, and why.
    powerset_boundary : The Markov boundary of a powerset.

    Examples
    --------
    The feature ``x`` joins its parents ``a`` and ``b``. Their common parent ``w`` joins nothing,
    and neither does ``z``, one of whose parents is a feature.

    >>> from h2pc import Dag
    >>> from h2pc.multilabel.powersets import minimal_label_powersets
    >>> edges = [("a", "x"), ("b", "x"), ("w", "b"), ("w", "c"), ("c", "z"), ("w", "z")]
    >>> minimal_label_powersets(Dag.from_edges(tuple("abcwxz"), edges), ["c", "b", "a"])
    (('a', 'b'), ('c',))
    """
    graph = label_graph(dag, labels)
    return tuple(
        tuple(graph.names[v] for v in component) for component in graph.connected_components()
    )


def powerset_boundary(dag: Dag, powerset: Iterable[str], labels: Iterable[str]) -> tuple[str, ...]:
    """Return the features next to a set of labels: their parents, children and spouses.

    Theorem 9: where the set is a label powerset, minimal or not, these are its Markov boundary,
    among the features and among all other variables. A part of a minimal powerset also depends on
    the rest of it.

    Parameters
    ----------
    dag : Dag
        A graph on labels and features, to which their distribution is faithful.
    powerset : iterable of str
        The names of some labels.
    labels : iterable of str
        The names of all labels; all other variables are features.

    Returns
    -------
    tuple of str
        The names of the features, sorted.

    Examples
    --------
    >>> from h2pc import Dag
    >>> from h2pc.multilabel.powersets import powerset_boundary
    >>> dag = Dag.from_edges(tuple("abuvxz"), [("a", "x"), ("b", "x"), ("u", "x"), ("v", "u")])
    >>> powerset_boundary(dag, ["a", "b"], labels=["a", "b"])
    ('u', 'x')
    """
    (boundary,) = powerset_boundaries(dag, (powerset,), labels)
    return boundary


def powerset_boundaries(
    dag: Dag, powersets: Iterable[Iterable[str]], labels: Iterable[str]
) -> tuple[tuple[str, ...], ...]:
    """Return :func:`powerset_boundary` of each powerset."""
    known = frozenset(dag.names)
    all_labels = frozenset(_checked(labels, known))
    found = []
    for powerset in powersets:
        chosen = _checked(powerset, known)
        for label in chosen:
            if label not in all_labels:
                raise GraphError(f"A powerset is made of labels; {label!r} is none.")
        near = {name for label in chosen for name in dag.markov_boundary(label)}
        found.append(tuple(sorted(near - all_labels)))
    return tuple(found)


def enclosing_powerset(
    labels: Iterable[str], minimal: Iterable[tuple[str, ...]]
) -> tuple[str, ...]:
    """Return the smallest label powerset that holds the labels, given the minimal ones.

    A part of a minimal powerset depends on the features of the rest, since no label is given.
    """
    own = frozenset(labels)
    return tuple(label for part in minimal if own.intersection(part) for label in part)


def label_graph(dag: Dag, labels: Iterable[str]) -> Skeleton:
    """Return the graph on the labels whose connected components are the minimal label powersets.

    Parameters
    ----------
    dag : Dag
        A graph on labels and features.
    labels : iterable of str
        The names of the labels, in any order; all other variables are features.

    Returns
    -------
    Skeleton
        The labels, sorted by name; an edge for every link.

    Examples
    --------
    >>> from h2pc import Dag
    >>> from h2pc.multilabel.powersets import label_graph
    >>> dag = Dag.from_edges(tuple("abcx"), [("a", "x"), ("b", "x"), ("b", "c")])
    >>> label_graph(dag, ["c", "b", "a"])
    Skeleton(('a', 'b', 'c'), [('a', 'b'), ('b', 'c')])
    """
    names = sorted(_checked(labels, frozenset(dag.names)))
    return Skeleton(names, [link.labels for link in label_links(dag, names)])


def label_links(dag: Dag, labels: Iterable[str]) -> tuple[LabelLink, ...]:
    """Return the pairs of labels that are adjacent or have a common child among the features.

    Parameters
    ----------
    dag : Dag
        A graph on labels and features.
    labels : iterable of str
        The names of the labels, in any order; all other variables are features.

    Returns
    -------
    tuple of LabelLink
        Every pair once, sorted by name.

    Examples
    --------
    >>> from h2pc import Dag
    >>> from h2pc.multilabel.powersets import label_links
    >>> dag = Dag.from_edges(tuple("abcx"), [("a", "x"), ("b", "x"), ("b", "c")])
    >>> for link in label_links(dag, ["a", "b", "c"]):
    ...     print(link)
    LabelLink(labels=('a', 'b'), adjacent=False, through=('x',))
    LabelLink(labels=('b', 'c'), adjacent=True, through=())
    """
    own = frozenset(_checked(labels, frozenset(dag.names)))
    adjacent: set[tuple[str, str]] = set()
    through: dict[tuple[str, str], list[str]] = {}
    for name in sorted(dag.names):
        above = sorted(own.intersection(dag.parents(name)))
        if name in own:
            adjacent.update((min(name, y), max(name, y)) for y in above)
        else:
            for pair in combinations(above, 2):
                through.setdefault(pair, []).append(name)
    return tuple(
        LabelLink(pair, pair in adjacent, tuple(through.get(pair, ())))
        for pair in sorted(adjacent.union(through))
    )


def _checked(labels: Iterable[str], known: frozenset[str]) -> tuple[str, ...]:
    """Labels, which must be distinct variables of the graph, in the order given."""
    if isinstance(labels, str):
        raise GraphError(f"Labels come as a sequence of names; got the string {labels!r}.")
    found = tuple(labels)
    for label, n in Counter(found).items():
        if label not in known:
            raise GraphError(
                f"Unknown label {label!r}; expected one of the graph's {len(known)} variables."
            )
        if n > 1:
            raise GraphError(f"Labels must be distinct; {label!r} comes twice.")
    return found
