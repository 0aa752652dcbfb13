"""Communities: classes of variables with many edges inside, and few between them."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from h2pc.graphs.checked_names import Edge
from h2pc.variables import Var, Vars


def communities(n_variables: int, edges: Sequence[Edge], most: int) -> tuple[Vars, ...]:
    """Return classes of at most so many variables, the largest first.

    Classes are merged while that raises the modularity, the best pair first (Clauset, Newman and
    Moore 2004, *Finding community structure in very large networks*). Gains are whole numbers, and
    ties break by number, so that the classes are the same everywhere.
    """
    classes: list[list[Var]] = [[v] for v in range(n_variables)]
    degrees = [0] * n_variables
    between: list[dict[Var, int]] = [{} for _ in range(n_variables)]
    for u, v in edges:
        between[u][v] = between[v][u] = between[u].get(v, 0) + 1
        degrees[u] += 1
        degrees[v] += 1

    def offer(u: Var, v: Var) -> tuple[int, Var, Var]:
        """What merging two classes gains: edges between them, less those of a random graph."""
        gain = 2 * len(edges) * between[u][v] - degrees[u] * degrees[v]
        return -gain, min(u, v), max(u, v)

    offers = [offer(u, v) for u in range(n_variables) for v in between[u] if u < v]
    heapify(offers)
    while offers and offers[0][0] < 0:
        best = heappop(offers)
        _, u, v = best
        is_old = v not in between[u] or offer(u, v) != best
        if is_old or len(classes[u]) + len(classes[v]) > most:
            continue
        classes[u] += classes[v]
        degrees[u] += degrees[v]
        del between[u][v], between[v][u]
        for w, n_edges in between[v].items():
            del between[w][v]
            between[u][w] = between[w][u] = between[u].get(w, 0) + n_edges
        classes[v], between[v] = [], {}
        for w in between[u]:
            heappush(offers, offer(u, w))
    found = [tuple(sorted(some)) for some in classes if some]
    return tuple(sorted(found, key=lambda some: (-len(some), some)))
