"""Boxes and lines of a picture, drawn with matplotlib (the extra ``plots``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from h2pc.graphs.layout import HEIGHT, box_width, shown
from h2pc.report.places import Placed

Line = tuple[str, str]
"""The names of the ends of an edge."""

_BOX, _BORDER, _TEXT = "#e8eef4", "#75828e", "#1c2630"
_CHOSEN, _CHOSEN_BORDER = "#ffe2cc", "#d2541b"
# Points for each pixel of a layout, and the sizes of new figures, in inches.
_SCALE, _SMALLEST, _LARGEST, _TITLE = 0.8, 4.0, 30.0, 0.45


def axes_for(ax: Any, where: Placed, below: float = 0.0) -> tuple[Any, float]:
    """Return the axes, with some inches below new ones, and the points for each pixel."""
    width, height = where.size
    if ax is None:
        import matplotlib.pyplot as plt

        inches = [side * _SCALE / 72 for side in where.size]
        shrink = min(1.0, _LARGEST / max(*inches, 1e-9))
        wide, high = (max(side * shrink, _SMALLEST) for side in inches)
        _, ax = plt.subplots(figsize=(wide, high + _TITLE + below), layout="constrained")
        return ax, _SCALE * shrink
    box = ax.get_position()
    points = [72 * part for part in ax.figure.get_size_inches()]
    return ax, min(points[0] * box.width / width, points[1] * box.height / height)


def draw_line(
    ax: Any,
    where: Placed,
    line: Line,
    scale: float,
    arrow: bool,
    colour: str,
    style: Any,
    width: float,
) -> None:
    """Draw an edge from border to border."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    points, curved = where.way(*line)
    codes = [Path.MOVETO, *[Path.CURVE4 if curved else Path.LINETO] * (len(points) - 1)]
    ax.add_patch(
        FancyArrowPatch(
            path=Path(points, codes),
            arrowstyle="-|>" if arrow else "-",
            mutation_scale=11 * scale,
            linewidth=width * scale,
            linestyle=style,
            color=colour,
            joinstyle="round",
            zorder=1,
        )
    )


def draw_boxes(ax: Any, where: Placed, scale: float, chosen: Sequence[str] = ()) -> None:
    """Draw the variables and their names."""
    from matplotlib.patches import FancyBboxPatch

    for name, (x, y) in where.places.items():
        width = box_width(name)
        stands_out = name in chosen
        ax.add_patch(
            FancyBboxPatch(
                (x - width / 2, y - HEIGHT / 2),
                width,
                HEIGHT,
                boxstyle="round,pad=0,rounding_size=7",
                facecolor=_CHOSEN if stands_out else _BOX,
                edgecolor=_CHOSEN_BORDER if stands_out else _BORDER,
                linewidth=(2.2 if stands_out else 0.9) * scale,
                zorder=2,
            )
        )
        style = {"ha": "center", "va": "center_baseline", "color": _TEXT, "size": 10.4 * scale}
        ax.text(x, y, shown(name), zorder=3, parse_math=False, **style)


def save_figure(
    figure: Any, folder: Path, name: str, dpi: int, fonttype: str = "path"
) -> list[Path]:
    """Write a figure as PNG and as SVG, the same bytes each time, and return the paths."""
    import matplotlib as mpl

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for ending, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
        paths.append(folder / f"{name}.{ending}")
        with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": fonttype}):
            figure.savefig(paths[-1], dpi=dpi, metadata=metadata)
    return paths


def counted(number: int, what: str) -> str:
    """Return a number with a noun.

    Examples
    --------
    >>> counted(1, "edge"), counted(1200, "edge")
    ('1 edge', '1,200 edges')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
