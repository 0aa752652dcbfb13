"""Claimed and actual shares of true edges, drawn with matplotlib (the extra ``plots``)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any, NamedTuple

from h2pc.errors import SettingError
from h2pc.graphs import Cpdag, Dag, Skeleton
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.networks.network import BayesianNetwork

QValues = Mapping[tuple[str, str], float | None]
"""q-values of edges by the names of their ends; None where there is none."""
Claims = QValues | EdgeStrengths
Truth = Dag | Cpdag | Skeleton | BayesianNetwork

LEVELS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Nominal false discovery rates that are drawn."""

_COLOURS = ("#1b7f5c", "#5a6fd6", "#a06000", "#c0351d", "#8a3f9c", "#3b4652", "#2a8aa8")
_MARKERS = "os^Dv*P"
_DIAGONAL, _WRONG, _TEXT = "#6b7782", "#f7e6e2", "#6b7782"
_N_BINS = 10
_NORMAL = 1.959964  # the 97.5 % quantile
_SERIES, _GROUND = "calibration of claims", "diagonal of claims"


class CalibrationPoint(NamedTuple):
    """A claimed share, the actual one, and its 95 % interval."""

    claimed: float
    actual: float
    low: float
    high: float


def plot_calibration(
    claims: Claims | Sequence[Claims],
    truth: Truth | Sequence[Truth],
    ax: Any = None,
    *,
    levels: Sequence[float] = LEVELS,
    label: str | None = None,
) -> Any:
    """Draw what was claimed of edges against what is true in a known network.

    q-values claim a share of false edges: of the edges with q ≤ 0.05 at most 5 % on average. Drawn
    is the actual share of false edges against the claimed one, on logarithmic axes; without any
    edge it counts 0, and below the lowest level it is drawn at the lower edge. Above the diagonal
    there are more false edges than claimed.

    Strengths are no probabilities, but are often read as such. Drawn is the share of true edges
    against the strength, for pairs in ten bins of strength; pairs that no graph joins are left out.
    Below the diagonal there are fewer true edges than the strength says.

    Bars are 95 % intervals: two standard errors of the mean over several samples; of one sample,
    and of strengths, Wilson's interval. Edges of one sample are not independent, so that the latter
    are rather too short.

    Parameters
    ----------
    claims : mapping, EdgeStrengths, or sequence of these
        The q-values of edges by pairs of names, as ``SkeletonResult.q_values`` returns them, or
        strengths as :func:`edge_strengths` returns them; several if there are several samples. A
        pair without a q-value, None, is not claimed.
    truth : Dag, Cpdag, Skeleton, BayesianNetwork, or sequence of these
        The true graph, or one for each of the samples; directions do not matter.
    ax : matplotlib axes, default=None
        The axes to draw on; by default those of a new figure. Several methods can be drawn on the
        same axes, one after the other.
    levels : sequence of float, default=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
        The nominal false discovery rates to draw; they do not matter to strengths.
    label : str, default=None
        The name of the method in the legend; by default there is none.

    Returns
    -------
    matplotlib axes
        The axes drawn on.

    Examples
    --------
    >>> from h2pc import Dag, plot_calibration
    >>> true = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> q_values = {("a", "b"): 1e-6, ("b", "c"): 0.004, ("a", "c"): 0.03}
    >>> ax = plot_calibration(q_values, true)
    >>> ax.get_xlabel()
    'claimed share of false edges (nominal FDR)'
    """
    listed, truths = _paired(claims, truth)
    is_strength = {isinstance(each, EdgeStrengths) for each in listed}
    if len(is_strength) > 1:
        raise SettingError("claims must be all strengths or all q-values; got both.")
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.figure(figsize=(5.6, 5.2), layout="constrained").subplots()
    if is_strength == {True}:
        points = strength_points(
            [each for each in listed if isinstance(each, EdgeStrengths)], truths
        )
        _draw_strength_axes(ax)
    else:
        drawn = _checked_levels(levels)
        mappings = [each for each in listed if not isinstance(each, EdgeStrengths)]
        points = false_discovery_points(mappings, truths, drawn)
        draw_false_discovery_axes(ax, drawn)
    draw_points(ax, points, label)
    return ax


def false_discovery_points(
    claims: Sequence[QValues], truths: Sequence[Truth], levels: Sequence[float]
) -> list[CalibrationPoint]:
    """Return the mean share of false edges at every level at which any sample has an edge."""
    found = [
        [(q, frozenset(pair) in edges) for pair, q in claim.items() if q is not None]
        for claim, edges in zip(claims, map(_true_edges, truths), strict=True)
    ]
    points = []
    for level in levels:
        counts = []
        for claim in found:
            verdicts = [is_true for q, is_true in claim if q <= level]
            counts.append((verdicts.count(False), len(verdicts)))
        if any(n for _, n in counts):
            points.append(false_discovery_point(level, counts))
    return points


def false_discovery_point(level: float, counts: Sequence[tuple[int, int]]) -> CalibrationPoint:
    """Return the mean share of false edges, given their number and that of all, by sample.

    Examples
    --------
    >>> point = false_discovery_point(0.05, [(0, 10), (1, 10), (0, 0)])
    >>> round(point.actual, 4), round(point.low, 4), round(point.high, 4)
    (0.0333, 0.0, 0.0987)
    """
    shares = [n_false / max(n, 1) for n_false, n in counts]
    if len(counts) == 1:
        return CalibrationPoint(level, shares[0], *_wilson(*counts[0]))
    width = _NORMAL * stdev(shares) / math.sqrt(len(shares))
    mean = fmean(shares)
    return CalibrationPoint(level, mean, max(mean - width, 0.0), min(mean + width, 1.0))


def strength_points(
    claims: Sequence[EdgeStrengths], truths: Sequence[Truth]
) -> list[CalibrationPoint]:
    """Return the mean strength and the share of true edges of every bin that has a pair."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_N_BINS)]
    for claim, edges in zip(claims, map(_true_edges, truths), strict=True):
        for edge in claim.edges:
            verdict = frozenset((edge.parent, edge.child)) in edges
            place = min(int(edge.strength * _N_BINS), _N_BINS - 1)
            bins[place].append((edge.strength, verdict))
    points = []
    for pairs in filter(None, bins):
        n_true = sum(verdict for _, verdict in pairs)
        claimed = fmean(strength for strength, _ in pairs)
        points.append(CalibrationPoint(claimed, n_true / len(pairs), *_wilson(n_true, len(pairs))))
    return points


def draw_false_discovery_axes(ax: Any, levels: Sequence[float]) -> None:
    """Draw the diagonal, and what is above and below it, unless it is there already."""
    if _is_drawn(ax):
        return
    least, most = min(levels) / 1.25, max(levels) * 1.25
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(least, most)
    ax.set_ylim(least, 1.0)
    _draw_ground(ax, (least, most), above=True)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
    ax.set_xlabel("claimed share of false edges (nominal FDR)")
    ax.set_ylabel("actual share of false edges (FDR)")
    corner = {"transform": ax.transAxes, "fontsize": 8, "color": _TEXT}
    ax.text(0.03, 0.97, "more false edges than claimed", va="top", **corner)
    ax.text(0.97, 0.03, "fewer false edges than claimed", ha="right", **corner)


def draw_points(ax: Any, points: Iterable[CalibrationPoint], label: str | None = None) -> None:
    """Draw one method, in a colour and with a marker that the axes do not have yet."""
    number = sum(line.get_gid() == _SERIES for line in ax.get_lines())
    colour, marker = _COLOURS[number % len(_COLOURS)], _MARKERS[number % len(_MARKERS)]
    drawn = list(points)
    x = [point.claimed for point in drawn]
    least = ax.get_ylim()[0] if ax.get_yscale() == "log" else 0.0
    y, low, high = (
        [max(value, least) for value in part]
        for part in (
            [point.actual for point in drawn],
            [point.low for point in drawn],
            [point.high for point in drawn],
        )
    )
    ax.vlines(x, low, high, color=colour, linewidth=1.0, alpha=0.6)
    (line,) = ax.plot(
        x, y, color=colour, marker=marker, markersize=4.5, linewidth=1.4, clip_on=False, label=label
    )
    line.set_gid(_SERIES)
    if label is not None:
        ax.legend(frameon=False, fontsize=8)


def _draw_strength_axes(ax: Any) -> None:
    """Draw the diagonal, and what is above and below it, unless it is there already."""
    if _is_drawn(ax):
        return
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.0)
    _draw_ground(ax, (0.0, 1.0), above=False)
    ax.set_xlabel("strength (claimed share of true edges)")
    ax.set_ylabel("actual share of true edges")
    corner = {"transform": ax.transAxes, "fontsize": 8, "color": _TEXT}
    ax.text(0.03, 0.97, "more true edges than claimed", va="top", **corner)
    ax.text(0.97, 0.03, "fewer true edges than claimed", ha="right", **corner)


def _draw_ground(ax: Any, ends: tuple[float, float], *, above: bool) -> None:
    """Draw the diagonal; the side on which too much is claimed is shaded."""
    edge = ax.get_ylim()[1 if above else 0]
    ax.fill_between(ends, ends, [edge, edge], color=_WRONG, linewidth=0, zorder=0)
    (line,) = ax.plot(ends, ends, color=_DIAGONAL, linewidth=0.8)
    line.set_gid(_GROUND)
    ax.spines[["top", "right"]].set_visible(False)


def _is_drawn(ax: Any) -> bool:
    return any(line.get_gid() == _GROUND for line in ax.get_lines())


def _wilson(n_hits: int, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    from scipy.stats import binomtest

    if n == 0:
        return 0.0, 1.0
    low, high = binomtest(n_hits, n).proportion_ci(method="wilson")
    return float(low), float(high)


def _paired(
    claims: Claims | Sequence[Claims], truth: Truth | Sequence[Truth]
) -> tuple[list[Claims], list[Truth]]:
    """Return claims and truths, as many of the one as of the other."""
    listed = [claims] if isinstance(claims, Mapping | EdgeStrengths) else list(claims)
    for each in listed:
        if not isinstance(each, Mapping | EdgeStrengths):
            raise SettingError(
                "claims must be q-values by pairs of names, EdgeStrengths, or several of these; "
                f"got a {type(each).__name__}."
            )
    if isinstance(truth, Dag | Cpdag | Skeleton | BayesianNetwork):
        truths: list[Truth] = [truth] * len(listed)
    else:
        truths = list(truth)
    if not listed or len(truths) != len(listed):
        raise SettingError(
            "truth must be one graph, or one for each of at least one claims; got "
            f"{len(truths)} graphs for {len(listed)} claims."
        )
    return listed, truths


def _true_edges(truth: Truth) -> frozenset[frozenset[str]]:
    """Return the pairs of names that the true graph joins."""
    graph = truth.dag if isinstance(truth, BayesianNetwork) else truth
    plain = graph if isinstance(graph, Skeleton) else graph.skeleton()
    return frozenset(map(frozenset, plain.named_edges))


def _checked_levels(levels: Sequence[float]) -> tuple[float, ...]:
    """Return the levels in increasing order."""
    found = tuple(sorted(map(float, levels)))
    if not found or not 0.0 < found[0] <= found[-1] < 1.0:
        raise SettingError(f"levels must be numbers between 0 and 1; got {levels!r}.")
    return found
