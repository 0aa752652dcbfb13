"""How the joint probability of labels given the features factorises, read off a graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from h2pc.errors import GraphError
from h2pc.graphs import Dag
from h2pc.graphs.adjacency import reached


class ChainLink(NamedTuple):
    """What a label depends on, given all features and the labels before it."""

    label: str
    before: tuple[str, ...]
    """The labels before it that matter, sorted."""
    features: tuple[str, ...]
    """The features that matter, sorted."""


def chain_links(dag: Dag, powerset: Iterable[str], labels: Iterable[str]) -> tuple[ChainLink, ...]:
    """Return the Markov boundary of every label among all features and the labels before it.

    By the chain rule the probability of the labels given the features is the product, over the
    labels in any order, of the probability of each one given the features and the labels before
    it. Here the order is a topological one of the graph, ties by name. Given its boundary, a label
    is independent of all other features and labels before it. Where no label is a parent of a
    feature, the boundary is its parents.

    Parameters
    ----------
    dag : Dag
        A graph on labels and features.
    powerset : iterable of str
        The names of some labels: those of the chain.
    labels : iterable of str
        The names of all labels; all other variables are features.

    Returns
    -------
    tuple of ChainLink
        The labels in the order of the chain, each with its boundary.

    Examples
    --------
    Given the feature ``x``, its parents depend on each other.

    >>> from h2pc import Dag
    >>> from benchmarks.chain_links import chain_links
    >>> dag = Dag.from_edges(tuple("abcxz"), [("a", "x"), ("b", "x"), ("a", "c"), ("z", "c")])
    >>> for link in chain_links(dag, "abc", "abc"):
    ...     print(link)
    ChainLink(label='a', before=(), features=('x',))
    ChainLink(label='b', before=('a',), features=('x',))
    ChainLink(label='c', before=('a',), features=('z',))
    """
    chosen, own = frozenset(powerset), frozenset(labels)
    for label in sorted(chosen | own):
        if label not in frozenset(dag.names):
            raise GraphError(f"Unknown label {label!r}; expected a variable of the graph.")
        if label not in own:
            raise GraphError(f"A powerset is made of labels; {label!r} is none.")
    by_name = Dag.from_edges(sorted(dag.names), dag.named_edges)
    order = [v for v in by_name.topological_order if by_name.names[v] in chosen]
    features = {v for v, name in enumerate(by_name.names) if name not in own}

    links, before = [], set[int]()
    for v in order:
        near = _boundary(by_name, v, features | before)
        links.append(
            ChainLink(
                by_name.names[v], _names(by_name, near & before), _names(by_name, near & features)
            )
        )
        before.add(v)
    return tuple(links)


def _boundary(dag: Dag, v: int, universe: set[int]) -> set[int]:
    """Return the Markov boundary of a variable among others.

    Another variable belongs to it if the rest does not separate the two: in the moral graph of
    their ancestors (Lauritzen et al. 1990) there is a path around the rest.
    """
    kept = reached({*universe, v}, dag.parent_sets)
    found, seen, waiting = set[int](), {v}, [v]
    while waiting:
        u = waiting.pop()
        near = set(dag.parent_sets[u])
        for child in kept.intersection(dag.child_sets[u]):
            near.update((child, *dag.parent_sets[child]))
        found |= near & universe
        fresh = near - universe - seen
        seen |= fresh
        waiting.extend(fresh)
    return found - {v}


def _names(dag: Dag, variables: set[int]) -> tuple[str, ...]:
    """Return the names of variables, in their order."""
    return tuple(dag.names[v] for v in sorted(variables))
