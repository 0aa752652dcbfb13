"""Nominal and actual false discovery rates as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from h2pc.experiments.edge_fdr_cells import LEVELS, RANDOM
from h2pc.experiments.edge_fdr_tables import Runs, controlled, determined_shares
from h2pc.report.calibration import (
    CalibrationPoint,
    draw_false_discovery_axes,
    draw_points,
    false_discovery_point,
)
from h2pc.report.shapes import save_figure
from h2pc.runs.cells import Record

PICTURE = "calibration"

_METHODS = {"by": "Benjamini-Yekutieli", "bh": "Benjamini-Hochberg"}

# Of the variables: networks with more that are nearly determined have a panel of their own.
_MOST_DETERMINED = 0.05


def calibration_figure(runs: Runs) -> Any:
    """Return a figure with a row for each method, and a line for each sample size.

    Columns are kinds of networks. Rates are the mean over all samples of these.
    """
    from matplotlib.figure import Figure

    panels = _panels(runs)
    figure = Figure(figsize=(4.4 * len(panels), 4.2 * len(_METHODS)), layout="constrained")
    rows = figure.subplots(len(_METHODS), len(panels), squeeze=False, sharex=True, sharey=True)
    for axes, (method, name) in zip(rows, _METHODS.items(), strict=True):
        for ax, (title, networks) in zip(axes, panels.items(), strict=True):
            draw_false_discovery_axes(ax, LEVELS)
            ax.set_title(f"{name}, {title}", fontsize=9)
            for n_samples in sorted({c.n_samples for c in runs if c.network in networks}):
                records = [
                    record
                    for cell, record in runs.items()
                    if cell.network in networks and cell.n_samples == n_samples
                ]
                draw_points(ax, _points(records, method), f"{n_samples:,} samples")
            ax.label_outer()
    return figure


def _points(records: Sequence[Record], method: str) -> list[CalibrationPoint]:
    """Return the mean rate at every nominal level."""
    points = []
    for level in LEVELS:
        counted = map(controlled(method, level), records)
        points.append(false_discovery_point(level, [(n_false, n) for n, n_false in counted]))
    return points


def save_calibration(runs: Runs, folder: Path) -> list[Path]:
    """Draw the picture as PNG and SVG, and return the paths."""
    return save_figure(calibration_figure(runs), folder, PICTURE, dpi=160)


def _panels(runs: Runs) -> dict[str, AbstractSet[str]]:
    """Return the networks by kind, of the kinds that there are."""
    shares = determined_shares(runs)
    few = frozenset(name for name, share in shares.items() if share <= _MOST_DETERMINED)
    names = frozenset(cell.network for cell in runs)
    panels: dict[str, AbstractSet[str]] = {
        "random networks": frozenset(name for name in names if name.startswith(RANDOM)),
        ", ".join(sorted(few)): few,
        "nearly determined:\n" + ", ".join(sorted(shares.keys() - few)): shares.keys() - few,
    }
    return {title: networks for title, networks in panels.items() if networks}
