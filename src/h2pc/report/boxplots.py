"""Box plots and lines as in the paper's figures, with matplotlib (the extra ``plots``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from h2pc.report.shapes import save_figure

_BOX, _EDGE, _OTHER = "#8fcbb3", "#1b7f5c", "#5a6fd6"
_STYLES = ({"color": _EDGE, "marker": "o"}, {"color": _OTHER, "marker": "s", "linestyle": "--"})
_COLUMNS = 2


class Boxes(NamedTuple):
    """A panel of box plots of increase factors."""

    title: str
    groups: Mapping[int, tuple[float, ...]]
    """Factors by number of samples."""
    log: bool = False
    """Whether the axis is logarithmic."""


class Lines(NamedTuple):
    """A panel of lines of means."""

    title: str
    series: Mapping[str, Mapping[int, float]]
    """Means by learner and number of samples."""


class Figure(NamedTuple):
    """Panels under one title."""

    title: str
    panels: tuple[Boxes | Lines, ...]


def plot_boxes(panel: Boxes, ax: Any) -> None:
    """Draw a box plot for every number of samples, to the most extreme values, and the means."""
    drawn = {place: values for place, values in enumerate(panel.groups.values()) if values}
    if panel.log:
        from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

        ax.set_yscale("log")
        ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.yaxis.set_minor_formatter(NullFormatter())
    ax.boxplot(
        list(drawn.values()),
        positions=list(drawn),
        widths=0.6,
        whis=(0, 100),
        showfliers=False,
        manage_ticks=False,
        patch_artist=True,
        boxprops={"facecolor": _BOX, "edgecolor": _EDGE},
        medianprops={"color": _EDGE, "linewidth": 2.0},
        whiskerprops={"color": _EDGE},
        capprops={"color": _EDGE},
    )
    ax.axhline(1.0, color="#5b6570", linewidth=0.8, linestyle=":")
    means = [sum(values) / len(values) for values in drawn.values()]
    ax.plot(list(drawn), means, color="black", marker=".", linewidth=1.5, label="mean")
    _finish(ax, panel.title, panel.groups)


def plot_lines(panel: Lines, ax: Any) -> None:
    """Draw one line for every learner by the number of samples."""
    sizes = tuple(dict.fromkeys(size for means in panel.series.values() for size in means))
    for (name, means), style in zip(panel.series.items(), cycle(_STYLES), strict=False):
        places = [sizes.index(size) for size in means]
        ax.plot(places, list(means.values()), label=name, linewidth=1.8, **style)
    ax.set_ylim(bottom=0.0)
    ax.legend(frameon=False)
    _finish(ax, panel.title, sizes)


def save_figures(figures: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Draw figures into a folder, as PNG and as SVG, and return their paths."""
    from matplotlib.figure import Figure as Canvas

    paths = []
    for name, figure in figures.items():
        n_rows = -(-len(figure.panels) // _COLUMNS)
        canvas = Canvas(figsize=(11, 3.4 * n_rows), layout="constrained")
        places = list(canvas.subplots(n_rows, _COLUMNS, squeeze=False).flat)
        for panel, ax in zip(figure.panels, places, strict=False):
            plot_boxes(panel, ax) if isinstance(panel, Boxes) else plot_lines(panel, ax)
        for ax in places[len(figure.panels) :]:
            ax.set_axis_off()
        canvas.suptitle(figure.title)
        canvas.draw_without_rendering()  # places the panels, once for both files
        canvas.set_layout_engine("none")
        paths += save_figure(canvas, folder, name, dpi=130)
    return paths


def _finish(ax: Any, title: str, sizes: Iterable[int]) -> None:
    """Write the labels; sizes are evenly spaced, as in the paper."""
    labels = [f"{size:,}" for size in sizes]
    ax.set_xticks(range(len(labels)), labels, rotation=30)
    ax.set_xlim(-0.6, len(labels) - 0.4)
    ax.set_xlabel("samples")
    ax.set_title(title, fontsize=10)
    ax.spines[["top", "right"]].set_visible(False)
