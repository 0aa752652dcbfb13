"""Box plots and lines as in the paper's figures, with matplotlib (the extra ``plots``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from h2pc.report.shapes import save_figure

_BOX, _EDGE, _OTHER = "#8fcbb3", "#1b7f5c", "#5a6fd6"
# Learners differ in markers and dashes too: prints may be grey.
_STYLES = (
    {"color": _EDGE, "marker": "o"},
    {"color": _OTHER, "marker": "s", "linestyle": "--"},
    {"color": "#b3470f", "marker": "^", "linestyle": "-."},
    {"color": "#22303c", "marker": "D", "linestyle": ":"},
)
_COLUMNS = 2
_WIDTH, _HEIGHT = 17 / 2.54, 2.05
"""Inches: the width of a page of print, and the height of a row of panels."""
_LONGEST = 60
"""Letters of a line of a panel's title."""
_FONTS: Any = {
    "font.size": 7,
    "axes.titlesize": 7.5,
    "figure.titlesize": 9,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
}


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
    limits: Mapping[str, Mapping[int, tuple[float, float]]] | None = None
    """The limits of their intervals."""
    segments: Sequence[Sequence[int]] | None = None
    """Numbers of samples that a line may join; all of them by default."""
    level: float = 0.0
    """What the axis has in any case."""
    log: bool = False
    """Whether the axis is logarithmic."""


class Figure(NamedTuple):
    """Panels under one title."""

    title: str
    panels: tuple[Boxes | Lines, ...]


def plot_boxes(panel: Boxes, ax: Any) -> None:
    """Draw a box plot for every number of samples, to the most extreme values, and the means."""
    drawn = {place: values for place, values in enumerate(panel.groups.values()) if values}
    ax.boxplot(
        list(drawn.values()),
        positions=list(drawn),
        widths=0.6,
        whis=(0, 100),
        showfliers=False,
        manage_ticks=False,
        patch_artist=True,
        boxprops={"facecolor": _BOX, "edgecolor": _EDGE},
        medianprops={"color": _EDGE, "linewidth": 1.6},
        whiskerprops={"color": _EDGE},
        capprops={"color": _EDGE},
    )
    ax.axhline(1.0, color="#5b6570", linewidth=0.8, linestyle=":")
    means = [sum(values) / len(values) for values in drawn.values()]
    ax.plot(list(drawn), means, color="black", marker=".", label="mean")
    if panel.log:
        _by_logarithms(ax)
    _finish(ax, panel.title, panel.groups)


def plot_lines(panel: Lines, ax: Any) -> None:
    """Draw one line for every learner by the number of samples, with the limits of its means."""
    sizes = tuple(dict.fromkeys(size for means in panel.series.values() for size in means))
    middle = (len(panel.series) - 1) / 2
    for number, (name, means) in enumerate(panel.series.items()):
        style: dict[str, Any] = {**_STYLES[number % len(_STYLES)], "label": name}
        shift = 0.0 if panel.limits is None else 0.07 * (number - middle)
        for joined in panel.segments or (sizes,):
            chosen = [size for size in joined if size in means]
            places = [sizes.index(size) + shift for size in chosen]
            ax.plot(places, [means[size] for size in chosen], **style)
            style["label"] = None
            for place, size in zip(places, chosen, strict=True):
                if panel.limits is not None:
                    limits = panel.limits[name][size]
                    ax.plot([place] * 2, limits, color=style["color"], linewidth=0.7)
    if panel.log:
        _by_logarithms(ax)
    else:
        low, high = ax.get_ylim()
        ax.set_ylim(min(low, panel.level) if panel.level else 0.0, max(high, panel.level))
    if panel.level:
        ax.axhline(panel.level, color="#5b6570", linewidth=0.6, linestyle=":")
    _finish(ax, panel.title, sizes)


def save_figures(figures: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Draw figures into a folder, as PNG and as SVG, and return their paths."""
    import matplotlib as mpl

    paths = []
    for name, figure in figures.items():
        with mpl.rc_context(_FONTS):
            paths += save_figure(_drawn(figure), folder, name, dpi=300)
    return paths


def _drawn(figure: Figure) -> Any:
    """Return a figure as wide as a page of print, its panels in place."""
    from matplotlib.figure import Figure as Canvas

    n_rows = -(-len(figure.panels) // _COLUMNS)
    canvas = Canvas(figsize=(_WIDTH, _HEIGHT * n_rows + 0.3), layout="constrained")
    places = list(canvas.subplots(n_rows, _COLUMNS, squeeze=False).flat)
    for panel, ax in zip(figure.panels, places, strict=False):
        plot_boxes(panel, ax) if isinstance(panel, Boxes) else plot_lines(panel, ax)
    for ax in places[len(figure.panels) :]:
        ax.set_axis_off()
    canvas.suptitle(figure.title)
    for ax, panel in zip(places, figure.panels, strict=False):
        if isinstance(panel, Lines):  # all have the same learners
            handles, names = ax.get_legend_handles_labels()
            canvas.legend(handles, names, loc="outside lower center", ncols=4, frameon=False)
            break
    canvas.draw_without_rendering()  # places the panels, once for both files
    canvas.set_layout_engine("none")
    return canvas


def _by_logarithms(ax: Any) -> None:
    """Make the axis logarithmic, with plain numbers."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    ax.set_yscale("log")
    low, high = ax.get_ylim()
    steps = (1.0, 2.0, 5.0) if high < 100 * low else (1.0,)
    ax.yaxis.set_major_locator(LogLocator(subs=steps))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.yaxis.set_minor_formatter(NullFormatter())


def _finish(ax: Any, title: str, sizes: Iterable[int]) -> None:
    """Write the labels; sizes are evenly spaced, as in the paper."""
    labels = [f"{size:,}" for size in sizes]
    ax.set_xticks(range(len(labels)), labels, rotation=30)
    ax.set_xlim(-0.6, len(labels) - 0.4)
    ax.set_xlabel("samples")
    if len(title) > _LONGEST:  # what is better has a line of its own
        head, bracket, tail = title.rpartition(" (")
        title = f"{fill(head or tail, _LONGEST)}\n{bracket.strip()}{tail if head else ''}".strip()
    ax.set_title(title)
    ax.spines[["top", "right"]].set_visible(False)
