"""The type I errors of tests at several levels, drawn with matplotlib (the extra ``plots``)."""

from __future__ import annotations

from itertools import cycle
from typing import Any

from h2pc.independence.compared_tests import ComparedTests

_COLOURS = ("#1b7f5c", "#5a6fd6", "#a06000", "#c0351d", "#8a3f9c", "#3b4652", "#2a8aa8")
_MARKERS = "os^Dv*P"
_DASHES = ("-", "--", "-.", ":")
_BAND = "#e3e8ec"
_LEAST = 0.0005


def plot_test_errors(compared: ComparedTests, ax: Any = None) -> Any:
    """Draw the type I error of every test against its nominal level, on logarithmic axes.

    A test that keeps its level runs along the diagonal; the band has the 95 % limits of chance.
    Above it a test finds links that are not there, below it it is cautious. Errors below 0.0005 are
    drawn at the lower edge.

    Parameters
    ----------
    compared : ComparedTests
        What :func:`compare_tests` returns.
    ax : matplotlib axes, default=None
        The axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib axes
        The axes drawn on.

    Examples
    --------
    >>> from h2pc import compare_tests, load_network, plot_test_errors
    >>> data = load_network("asia").sample(300, random_state=1)
    >>> found = compare_tests(data, tests=["g2", "chi2"], n_repetitions=50)
    >>> plot_test_errors(found).get_title()
    'type I errors on 300 samples'
    """
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.figure(figsize=(6.4, 5.2), layout="constrained").subplots()
    drawn = [curve for curve in compared.curves if curve.n_tests]
    if drawn:
        levels = drawn[0].levels
        lows, highs = _limits(levels, min(curve.n_tests for curve in drawn))
        ax.fill_between(levels, lows, highs, color=_BAND, label="95 % limits of chance")
        ax.plot(levels, levels, color="#6b7782", linewidth=0.8)
    for curve, colour, marker, dash in zip(
        drawn, cycle(_COLOURS), cycle(_MARKERS), cycle(_DASHES), strict=False
    ):
        errors = [max(error, _LEAST) for error in curve.errors]
        style = {"color": colour, "marker": marker, "linestyle": dash, "markersize": 4.5}
        ax.plot(curve.levels, errors, label=curve.test, linewidth=1.4, **style)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(bottom=_LEAST)
    ax.set_xlabel("nominal level")
    ax.set_ylabel("type I error")
    ax.set_title(f"type I errors on {compared.n_samples:,} samples")
    if drawn:
        ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _limits(levels: tuple[float, ...], n: int) -> tuple[list[float], list[float]]:
    """Return between which shares of n samples 95 % lie, at each level."""
    from scipy.stats import binom

    low, high = (binom.ppf(q, n, levels) / n for q in (0.025, 0.975))
    return [max(value, _LEAST) for value in low.tolist()], high.tolist()
