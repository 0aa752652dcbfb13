"""A drawing in layers: arrows lead down, few of them cross, long ones bend around what is between.

The steps are those of Sugiyama, Tagawa and Toda (1981), *Methods for visual understanding of
hierarchical system structures*; the last one is a least-squares fit that keeps the order.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

Node = int
Arc = tuple[Node, Node]
Point = tuple[float, float]

LAYER_GAP = 74.0
"""Between the middles of two layers, where arrows are short; in pixels, as everything here."""
_NODE_GAP, _BEND_GAP = 16.0, 12.0
_ORDER_SWEEPS, _PLACE_SWEEPS = 12, 24
_HALF_LAYER = 17.0
"""Half the height of a layer: that of a box, and a little."""
_STRAIGHT = 3.0
"""A bend that is less than this off the straight line is none."""


class Drawing(NamedTuple):
    """Where the nodes are, and where the arcs bend."""

    places: tuple[Point, ...]
    bends: tuple[tuple[Point, ...], ...]
    """For every arc, from its tail to its head."""


class _Layered(NamedTuple):
    """A graph in which every arc leads to the next layer: long arcs became chains."""

    layers: list[list[Node]]
    above: list[list[Node]]
    below: list[list[Node]]
    chains: list[list[Node]]
    """For every arc, the nodes that stand for it in the layers between."""


def drawn_in_layers(widths: Sequence[float], arcs: Sequence[Arc]) -> Drawing:
    """Return a drawing of nodes of these widths; arcs lead from smaller to larger nodes."""
    graph = _layered(_ranks(len(widths), arcs), arcs)
    _untangle(graph)
    half = [width / 2 + _NODE_GAP / 2 for width in widths]
    half += [_BEND_GAP / 2] * (len(graph.above) - len(widths))
    x = _x_places(graph, half, len(widths))
    y = [0.0] * len(x)
    height = 0.0
    for one, two in pairwise([[], *graph.layers]):
        height += _gap(x, one, graph.below) if one else 0.0
        for v in two:
            y[v] = height
    bends = [
        _bent([(x[v], y[v]) for v in (tail, *chain, head)])
        for (tail, head), chain in zip(arcs, graph.chains, strict=True)
    ]
    return Drawing(tuple(zip(x, y, strict=True))[: len(widths)], tuple(bends))


def _ranks(n: int, arcs: Sequence[Arc]) -> list[int]:
    """Return the layer of every node: heads below tails, arcs short."""
    above: list[list[Node]] = [[] for _ in range(n)]
    below: list[list[Node]] = [[] for _ in range(n)]
    for tail, head in arcs:
        above[head].append(tail)
        below[tail].append(head)
    rank = [0] * n
    for v in range(n):
        rank[v] = max((rank[u] + 1 for u in above[v]), default=0)
    for _ in range(8):
        before = rank.copy()
        for v in reversed(range(n)):
            if len(below[v]) > len(above[v]):
                rank[v] = min(rank[w] for w in below[v]) - 1
        for v in range(n):
            if len(above[v]) > len(below[v]):
                rank[v] = max(rank[u] for u in above[v]) + 1
        if rank == before:
            break
    top = min(rank, default=0)
    return [r - top for r in rank]


def _layered(rank: list[int], arcs: Sequence[Arc]) -> _Layered:
    """Return the graph with a node for every layer that an arc passes."""
    layers: list[list[Node]] = [[] for _ in range(max(rank, default=-1) + 1)]
    above: list[list[Node]] = [[] for _ in rank]
    below: list[list[Node]] = [[] for _ in rank]
    for v, r in enumerate(rank):
        layers[r].append(v)
    chains = []
    for tail, head in arcs:
        chain = []
        for r in range(rank[tail] + 1, rank[head]):
            chain.append(len(above))
            layers[r].append(len(above))
            above.append([])
            below.append([])
        for u, v in pairwise((tail, *chain, head)):
            below[u].append(v)
            above[v].append(u)
        chains.append(chain)
    return _Layered(layers, above, below, chains)


def _untangle(graph: _Layered) -> None:
    """Order every layer so that few arcs cross."""
    layers = graph.layers
    place = [0.0] * len(graph.above)
    _walk_from_the_top(graph)
    best, fewest = [layer.copy() for layer in layers], _crossings(graph)
    for sweep in range(_ORDER_SWEEPS):
        downwards = sweep % 2 == 0
        near = graph.above if downwards else graph.below
        for layer in layers if downwards else layers[::-1]:
            for i, v in enumerate(layer):
                # A node without neighbours on that side stays where it was.
                place[v] = _mean([place[u] for u in near[v]], i)
            layer.sort(key=lambda v: place[v])
            for i, v in enumerate(layer):
                place[v] = i
        _swap_neighbours(graph)
        if (found := _crossings(graph)) < fewest:
            best, fewest = [layer.copy() for layer in layers], found
    for layer, order in zip(layers, best, strict=True):
        layer[:] = order


def _walk_from_the_top(graph: _Layered) -> None:
    """Order every layer as a walk through the graph meets its nodes: families stay together."""
    met: dict[Node, None] = {}
    for start in (v for layer in graph.layers for v in layer):
        stack = [start]
        while stack:
            v = stack.pop()
            if v not in met:
                met[v] = None
                stack += [*graph.above[v], *graph.below[v]]
    rank = {v: i for i, v in enumerate(met)}
    for layer in graph.layers:
        layer.sort(key=lambda v: rank[v])


def _swap_neighbours(graph: _Layered) -> None:
    """Swap nodes that are next to each other where fewer arcs cross then."""
    position = _positions(graph.layers)

    def ends_of(v: Node) -> tuple[list[int], list[int]]:
        up, down = (sorted(position[u] for u in near[v]) for near in (graph.above, graph.below))
        return up, down

    ends = [ends_of(v) for v in range(len(graph.above))]
    for layer in graph.layers:
        for i in range(len(layer) - 1):
            u, v = layer[i], layer[i + 1]
            now = sum(_inversions(ends[u][side], ends[v][side]) for side in (0, 1))
            if now and now > sum(_inversions(ends[v][side], ends[u][side]) for side in (0, 1)):
                layer[i], layer[i + 1] = v, u
        position |= _positions([layer])
        for v in {w for u in layer for w in (*graph.above[u], *graph.below[u])}:
            ends[v] = ends_of(v)


def _inversions(left: list[int], right: list[int]) -> int:
    """Return how many pairs of ends cross, given sorted ends of the left and the right node."""
    return sum(len(left) - bisect_right(left, end) for end in right) if left else 0


def _crossings(graph: _Layered) -> int:
    """Return the number of crossings."""
    position = _positions(graph.layers)
    total = 0
    for layer in graph.layers:
        seen: list[int] = []
        for v in layer:
            ends = sorted(position[w] for w in graph.below[v])
            total += _inversions(seen, ends)
            for end in ends:
                insort(seen, end)
    return total


def _x_places(graph: _Layered, half: Sequence[float], n_real: int) -> list[float]:
    """Return places near those of the neighbours above and below, in the order of the layers."""
    x = [0.0] * len(half)
    for layer in graph.layers:
        for u, v in pairwise(layer):
            x[v] = x[u] + half[u] + half[v]
        middle = x[layer[-1]] / 2
        for v in layer:
            x[v] -= middle
    # Long arcs are straight where their bends weigh more than nodes.
    weight = [1.0] * n_real + [4.0] * (len(half) - n_real)
    for sweep in range(_PLACE_SWEEPS):
        for layer in graph.layers if sweep % 2 == 0 else graph.layers[::-1]:
            sides = [graph.above, graph.below]
            if sweep < _PLACE_SWEEPS // 2:
                del sides[1 - sweep % 2]
            wanted = [_mean([x[u] for near in sides for u in near[v]], x[v]) for v in layer]
            for v, found in zip(layer, _apart(layer, wanted, half, weight), strict=True):
                x[v] = found
    return x


def _apart(
    layer: list[Node], wanted: list[float], half: Sequence[float], weight: Sequence[float]
) -> list[float]:
    """Return the places nearest to the wanted ones, in squares, at which nothing overlaps."""
    # Less the room of what is to the left, places have to be in order only: pool what is not.
    offset, offsets = 0.0, []
    pools: list[tuple[float, float, int]] = []
    for i, v in enumerate(layer):
        offset += half[layer[i - 1]] + half[v] if i else 0.0
        offsets.append(offset)
        mean, mass, size = wanted[i] - offset, weight[v], 1
        while pools and pools[-1][0] >= mean:
            other, more, n = pools.pop()
            mean = (mean * mass + other * more) / (mass + more)
            mass, size = mass + more, size + n
        pools.append((mean, mass, size))
    means = [mean for mean, _, size in pools for _ in range(size)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _gap(x: list[float], layer: list[Node], below: list[list[Node]]) -> float:
    """Return the height from a layer to the next: more where arrows run far to the side."""
    far = max((abs(x[u] - x[v]) for u in layer for v in below[u]), default=0.0)
    return LAYER_GAP + min(0.06 * far, 1.5 * LAYER_GAP)


def _bent(way: list[Point]) -> tuple[Point, ...]:
    """Return where the way bends: straight down through a layer, so that it touches no box."""
    kept = [way[0]]
    for (x, y), (x_after, y_after) in pairwise(way[1:]):
        x_before, y_before = kept[-1]
        on_line = x_before + (x_after - x_before) * (y - y_before) / (y_after - y_before)
        if abs(x - on_line) > _STRAIGHT:
            kept += [(x, y - _HALF_LAYER), (x, y + _HALF_LAYER)]
    return tuple(kept[1:])


def _positions(layers: Iterable[Sequence[Node]]) -> dict[Node, int]:
    """Return the position of every node in its layer."""
    return {v: i for layer in layers for i, v in enumerate(layer)}


def _mean(values: list[float], otherwise: float) -> float:
    """Return the mean, or something else where there is nothing."""
    return sum(values) / len(values) if values else otherwise
