"""Strengths of edges: how often they are learned from resampled data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from h2pc.checks import number, one_of
from h2pc.errors import SettingError
from h2pc.graphs import Cpdag, Dag, Skeleton, greedy_dag
from h2pc.graphs.checked_names import both_ways
from h2pc.learners.replicates import RESAMPLINGS, Resampling
from h2pc.learners.stability_selection import ASSUMPTIONS, Assumption, Selections
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
    targets : tuple of str or None
        The variables that graphs were learned around; None for whole networks. The threshold and
        the error bounds are about pairs that have a target; other edges of the local graphs are
        counted too.
    resampling : {"bootstrap", "subsample"}
        Samples drawn with replacement, or halves of the rows: graphs 2k and 2k + 1 are those of the
        two halves of one split.

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
    targets: tuple[str, ...] | None = None
    resampling: Resampling = "bootstrap"

    def __post_init__(self) -> None:
        one_of(RESAMPLINGS)("resampling", self.resampling)
        for target in self.targets or ():
            if target not in self.names:
                raise SettingError(f"targets must be among the variables; {target!r} is not.")
        if self.resampling == "subsample" and self.n_graphs % 2:
            raise SettingError(
                f"Complementary halves have an even number of graphs; got {self.n_graphs}."
            )

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        graphs: Iterable[Cpdag],
        *,
        targets: Sequence[str] | None = None,
        resampling: Resampling = "bootstrap",
    ) -> EdgeStrengths:
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
        chosen = None if targets is None else tuple(targets)
        return cls(tuple(names), n_graphs, counts, chosen, resampling)

    def __repr__(self) -> str:
        around = "" if self.targets is None else f" around {', '.join(self.targets)}"
        return (
            f"{type(self).__name__}({len(self.names)} variables, {len(self.edges)} pairs seen in "
            f"{self.n_graphs} graphs{around})"
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

    @property
    def n_pairs(self) -> int:
        """The number of pairs that the strengths are about: all, or those that have a target."""
        others = len(self.names) - len(self.targets or self.names)
        return math.comb(len(self.names), 2) - math.comb(others, 2)

    @cached_property
    def threshold(self) -> float:
        """The strength that separates significant edges from others (Scutari and Nagarajan, 2013).

        Were the graphs all alike, an edge would be in all of them or in none. The threshold makes
        the distribution of the strengths of all pairs such a step, the closest one in the L1 norm.
        Around targets, it is that of the pairs that have a target.
        """
        n_pairs = self.n_pairs
        if n_pairs == 0:
            return 1.0
        seen = sorted(edge.strength for edge in self.edges if self.has_target(edge))
        knots = np.unique([0.0, *seen, 1.0])
        below = np.searchsorted(seen, knots, side="right") + (n_pairs - len(seen))
        height, width = below[:-1] / n_pairs, np.diff(knots)
        # The best height of the step is a median of the heights, weighted by their widths.
        reached = np.cumsum(width) >= 0.5
        step = float(height[int(np.argmax(reached))])
        allowed = below / n_pairs >= step
        return float(knots[int(np.argmax(allowed))])

    def expected_false_edges(
        self, threshold: float | None = None, *, assumption: Assumption = "none"
    ) -> float:
        """Bound on the expected number of false pairs above a threshold, by stability selection.

        With q the mean number of pairs that a graph joins, p the number of all pairs, B the number
        of splits and π the smallest strength above the threshold, the bound is q² / ((2π - 1) p).
        A pair is false if a graph of half the rows joins it with a probability of at most q / p.

        Parameters
        ----------
        threshold : float, default=None
            Pairs must be stronger than this; by default :attr:`threshold`.
        assumption : {"none", "unimodal"}, default="none"
            "unimodal" assumes that the share of splits of which both halves join a pair is
            unimodal, for every false pair. Then the bound is smaller.

        Returns
        -------
        float
            The bound. Around targets, all numbers are those of pairs that have a target.

        Raises
        ------
        SettingError
            If the graphs are not those of halves, or there is no bound for the threshold: it must
            be at least one half, and a little more with "unimodal".

        References
        ----------
        R. Shah, R. Samworth (2013), Variable selection with error control: another look at
        stability selection, Journal of the Royal Statistical Society B 75: Theorems 1 and 2.

        Examples
        --------
        >>> from h2pc.graphs import Cpdag
        >>> names = ("a", "b", "c", "d")
        >>> halves = [Cpdag(names, [("a", "b")])] * 19 + [Cpdag(names, [("c", "d")])]
        >>> strengths = EdgeStrengths.of(names, halves, resampling="subsample")
        >>> round(strengths.expected_false_edges(0.9), 3)
        0.185
        >>> round(strengths.expected_false_edges(0.9, assumption="unimodal"), 3)
        0.061
        """
        limit = self._checked(threshold)
        selections = self._selections(assumption)
        bound = selections.bound(self._least_above(limit), assumption)
        if bound is None:
            raise SettingError(
                f"threshold must be larger for a bound on false edges with assumption="
                f"{assumption!r}; got {limit:g}."
            )
        return bound

    def threshold_for(self, max_false_edges: float, *, assumption: Assumption = "none") -> float:
        """Return the smallest threshold whose bound on the expected number of false pairs is low.

        Parameters
        ----------
        max_false_edges : float
            The largest value of :meth:`expected_false_edges`.
        assumption : {"none", "unimodal"}, default="none"
            As there.

        Returns
        -------
        float
            The threshold, a multiple of ``1 / n_graphs``; pairs must be stronger.

        Raises
        ------
        SettingError
            If the graphs are not those of halves, or no threshold has so low a bound.

        Examples
        --------
        >>> from h2pc.graphs import Cpdag
        >>> names = ("a", "b", "c", "d")
        >>> halves = [Cpdag(names, [("a", "b")])] * 19 + [Cpdag(names, [("c", "d")])]
        >>> strengths = EdgeStrengths.of(names, halves, resampling="subsample")
        >>> strengths.threshold_for(0.3)
        0.75
        """
        most = number(least=0.0)("max_false_edges", max_false_edges)
        selections = self._selections(assumption)
        bound = None
        for count in range(1, self.n_graphs + 1):  # bounds fall as counts rise
            bound = selections.bound(count, assumption)
            if bound is not None and bound <= most:
                return (count - 1) / self.n_graphs
        if bound is None:
            raise SettingError(
                f"assumption={assumption!r} has no bound on false edges for these graphs: they "
                f"are too few, or join too many of the pairs."
            )
        raise SettingError(
            f"max_false_edges must be at least {bound:.3g}, the bound for pairs that all "
            f"{self.n_graphs} graphs join; got {max_false_edges!r}."
        )

    def to_pandas(self) -> Any:
        """Return :attr:`edges` as a pandas data frame, a row for each pair.

        Around targets, a column ``has_target`` tells which pairs have one.

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
        frame = pd.DataFrame([astuple(edge) for edge in self.edges], columns=columns)
        if self.targets is not None:
            frame["has_target"] = list(map(self.has_target, self.edges))
        return frame

    def has_target(self, edge: EdgeStrength) -> bool:
        """Whether a target is one of the two variables; without targets, all are."""
        return self.targets is None or not {edge.parent, edge.child}.isdisjoint(self.targets)

    def averaged(self, threshold: float | None = None) -> Dag:
        """Graph of the edges above the threshold, each in its more frequent direction.

        Edges enter from the strongest to the weakest; one that would close a cycle is left out.
        Around targets, it is a graph of the targets and of the variables that any graph joins.

        Parameters
        ----------
        threshold : float, default=None
            Edges must be stronger than this; by default :attr:`threshold`.
        """
        dag = greedy_dag(self.names, self._above(threshold))
        return dag if self.targets is None else Dag.from_edges(self._nearby, dag.named_edges)

    def skeleton(self, threshold: float | None = None) -> Skeleton:
        """Pairs above the threshold, without directions; variables as in :meth:`averaged`."""
        whole = Skeleton(self.names, self._above(threshold))
        return whole if self.targets is None else Skeleton(self._nearby, whole.named_edges)

    def _above(self, threshold: float | None) -> list[Edge]:
        """Pairs that are stronger than the threshold, the strongest first."""
        limit = self._checked(threshold)
        ranked = zip(self.edges, self._ranked, strict=True)
        return [pair for edge, pair in ranked if edge.strength > limit]

    def _checked(self, threshold: float | None) -> float:
        """Return the threshold, by default that of the strengths."""
        limit = self.threshold if threshold is None else threshold
        if isinstance(limit, bool) or not 0.0 <= limit <= 1.0:
            raise SettingError(f"threshold must lie between 0 and 1; got {threshold!r}.")
        return limit

    def _least_above(self, limit: float) -> int:
        """Smallest number of graphs whose share exceeds the limit, by the comparison of floats."""
        count = int(limit * self.n_graphs) - 1
        while count / self.n_graphs <= limit:
            count += 1
        return count

    def _selections(self, assumption: Assumption) -> Selections:
        """How many pairs the graphs join, if they are those of complementary halves."""
        one_of(ASSUMPTIONS)("assumption", assumption)
        if self.resampling != "subsample":
            raise SettingError(
                "Bounds on false edges need resampling='subsample'; these strengths have "
                f"resampling={self.resampling!r}."
            )
        ranked = zip(self.edges, self._ranked, strict=True)
        halves = sum(self._joined(*pair) for edge, pair in ranked if self.has_target(edge))
        return Selections(self.n_graphs, self.n_pairs, halves / (2 * self.n_graphs))

    @cached_property
    def _nearby(self) -> tuple[str, ...]:
        """Targets and variables that any graph joins, in the order of the names."""
        near = {*(self.targets or ()), *(name for e in self.edges for name in (e.parent, e.child))}
        return tuple(name for name in self.names if name in near)

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
