"""Strengths of edges: how often they are learned from resampled data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from h2pc.errors import SettingError
from h2pc.graphs import Cpdag, Dag, Skeleton, greedy_dag
from h2pc.graphs.checked_names import both_ways
from h2pc.variables import Var

Edge = tuple[Var, Var]


@dataclass(frozen=True)
class EdgeStrength:
    """One pair of variables, in its more frequent direction.

    Attributes
    ----------
    parent, child : str
        The names; where both directions were as frequent, in the order of names.
    strength : float
        The share of the graphs that join the two, in either direction.
    direction : float
        Among these graphs, the share that points from ``parent`` to ``child``; an edge that the
        equivalence class leaves open counts one half.
    """

    parent: str
    child: str
    strength: float
    direction: float


@dataclass(frozen=True, repr=False)
class EdgeStrengths:
    """Edges that were learned from many samples, and how often.

    Build one with :meth:`of`.

    Attributes
    ----------
    names : tuple of str
        The variables.
    n_graphs : int
        The number of graphs.
    half_counts : tuple of (parent, child, int)
        How often each edge was there, in halves: two for an edge that the equivalence class
        directs, one each way for an edge that it leaves open. Sorted; no zeros.

    Examples
    --------
    >>> from h2pc.graphs import Dag, dag_to_cpdag
    >>> names = ("a", "b", "c")
    >>> chain = dag_to_cpdag(Dag.from_edges(names, [("a", "b"), ("b", "c")]))
    >>> collider = dag_to_cpdag(Dag.from_edges(names, [("a", "b"), ("c", "b")]))
    >>> strengths = EdgeStrengths.of(names, (collider, collider, chain))
    >>> strengths.edges[0]
    EdgeStrength(parent='a', child='b', strength=1.0, direction=0.8333333333333334)
    >>> strengths.averaged().named_edges
    (('a', 'b'), ('c', 'b'))
    """

    names: tuple[str, ...]
    n_graphs: int
    half_counts: tuple[tuple[Var, Var, int], ...]

    @classmethod
    def of(cls, names: Sequence[str], graphs: Iterable[Cpdag]) -> EdgeStrengths:
        """Count the edges of equivalence classes on the same names, in the same order."""
        halves: Counter[Edge] = Counter()
        n_graphs = 0
        for graph in graphs:
            n_graphs += 1
            halves.update(graph.directed * 2)
            halves.update(both_ways(graph.undirected))
        if n_graphs == 0:
            raise SettingError("Edge strengths need at least one graph; got none.")
        counts = tuple((u, v, n) for (u, v), n in sorted(halves.items()))
        return cls(tuple(names), n_graphs, counts)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({len(self.names)} variables, {len(self.edges)} pairs seen in "
            f"{self.n_graphs} graphs)"
        )

    @cached_property
    def edges(self) -> tuple[EdgeStrength, ...]:
        """Every pair that any graph joins, from the strongest to the weakest, ties by name."""
        return tuple(
            EdgeStrength(
                self.names[u],
                self.names[v],
                self._joined(u, v) / (2 * self.n_graphs),
                self._halves[u, v] / self._joined(u, v),
            )
            for u, v in self._ranked
        )

    @cached_property
    def threshold(self) -> float:
        """The strength that separates significant edges from others (Scutari and Nagarajan, 2013).

        Were the graphs all alike, an edge would be in all of them or in none. The threshold makes
        the distribution of the strengths of all pairs such a step, the closest one in the L1 norm.
        """
        n_pairs = math.comb(len(self.names), 2)
        if n_pairs == 0:
            return 1.0
        seen = sorted(edge.strength for edge in self.edges)
        knots = np.unique([0.0, *seen, 1.0])
        below = np.searchsorted(seen, knots, side="right") + (n_pairs - len(seen))
        height, width = below[:-1] / n_pairs, np.diff(knots)
        # The best height of the step is a median of the heights, weighted by their widths.
        reached = np.cumsum(width) >= 0.5
        step = float(height[int(np.argmax(reached))])
        allowed = below / n_pairs >= step
        return float(knots[int(np.argmax(allowed))])

    def to_pandas(self) -> Any:
        """Return :attr:`edges` as a pandas data frame, a row for each pair.

        Examples
        --------
        >>> from h2pc.graphs import Cpdag
        >>> strengths = EdgeStrengths.of(("a", "b"), [Cpdag(("a", "b"), [("a", "b")])])
        >>> strengths.to_pandas().to_dict("list")
        {'parent': ['a'], 'child': ['b'], 'strength': [1.0], 'direction': [1.0]}
        """
        import narwhals as nw

        pd = nw.Implementation.PANDAS.to_native_namespace()
        columns = [each.name for each in fields(EdgeStrength)]
        return pd.DataFrame([astuple(edge) for edge in self.edges], columns=columns)

    def averaged(self, threshold: float | None = None) -> Dag:
        """Graph of the edges above the threshold, each in its more frequent direction.

        Edges enter from the strongest to the weakest; one that would close a cycle is left out.

        Parameters
        ----------
        threshold : float, default=None
            Edges must be stronger than this; by default :attr:`threshold`.
        """
        return greedy_dag(self.names, self._above(threshold))

    def skeleton(self, threshold: float | None = None) -> Skeleton:
        """Pairs above the threshold, without directions."""
        return Skeleton(self.names, self._above(threshold))

    def _above(self, threshold: float | None) -> list[Edge]:
        """Pairs that are stronger than the threshold, the strongest first."""
        limit = self.threshold if threshold is None else threshold
        if isinstance(limit, bool) or not 0.0 <= limit <= 1.0:
            raise SettingError(f"threshold must lie between 0 and 1; got {threshold!r}.")
        ranked = zip(self.edges, self._ranked, strict=True)
        return [pair for edge, pair in ranked if edge.strength > limit]

    @cached_property
    def _halves(self) -> Counter[Edge]:
        return Counter({(u, v): n for u, v, n in self.half_counts})

    def _joined(self, u: Var, v: Var) -> int:
        """Halves of both directions."""
        return self._halves[u, v] + self._halves[v, u]

    @cached_property
    def _ranked(self) -> tuple[Edge, ...]:
        """Every pair in its more frequent direction, the strongest first."""
        pairs = sorted({(min(edge), max(edge)) for edge in self._halves})
        turned = [(u, v) if self._halves[u, v] >= self._halves[v, u] else (v, u) for u, v in pairs]
        return tuple(sorted(turned, key=lambda edge: (-self._joined(*edge), edge)))
