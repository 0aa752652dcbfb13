"""A directed acyclic graph that changes: who leads to whom by a detour, of two edges or more.

``edges`` and ``detours`` are matrices of bytes, 0 or 1, with a row for where a path begins.
"""

import numpy as np

from h2pc._kernels._jit import kernel, part
from h2pc._kernels.ordering import stable_order


@part
def _leads(edges, detours, u, v):
    """Whether there is a path from ``u`` to ``v``."""
    return edges[u, v] != 0 or detours[u, v] != 0


@part
def _take_over(edges, detours, u, v):
    """Let ``u``, who leads to ``v``, have detours to all that ``v`` leads to."""
    for x in range(edges.shape[0]):
        detours[u, x] |= edges[v, x] | detours[v, x]


@kernel()
def add_edge(edges, detours, u, v):
    """Add the edge u → v, which must not close a cycle."""
    if _leads(edges, detours, u, v):
        edges[u, v] = 1
        return  # and nobody gets farther by it
    edges[u, v] = 1
    _take_over(edges, detours, u, v)
    for a in range(edges.shape[0]):
        if _leads(edges, detours, a, u):
            _take_over(edges, detours, a, u)


@kernel()
def remove_edge(edges, detours, u, v):
    """Remove the edge u → v, which must be there."""
    edges[u, v] = 0
    if detours[u, v] != 0:
        return  # a detour leads the same way
    above = np.empty(edges.shape[0], np.int64)
    sizes = np.empty(edges.shape[0], np.int64)
    above[0], sizes[0], n_above = u, 0, 1
    for a in range(edges.shape[0]):
        if _leads(edges, detours, a, u):
            above[n_above], sizes[n_above] = a, 1
            for x in range(edges.shape[0]):
                sizes[n_above] += edges[a, x] | detours[a, x]
            n_above += 1
    # Who leads to another leads to more: in this order, children come first.
    for i in stable_order(sizes[:n_above]):
        a = above[i]
        detours[a, :] = 0
        for child in range(edges.shape[0]):
            if edges[a, child] != 0:
                _take_over(edges, detours, a, child)
