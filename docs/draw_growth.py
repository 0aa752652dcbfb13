"""Draw how time and memory grow: ``python docs/draw_growth.py`` writes pictures/growth.svg.

The points are those of docs/results/growth, which benchmarks/many_variables.py and many_rows.py
have measured.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.ticker import LogLocator, NullFormatter

DOCS = Path(__file__).parent
PICTURE = DOCS / "pictures" / "growth.svg"
RESULTS = DOCS / "results" / "growth"

COLOURS = {"new": "#1b7f5c", "old": "#a06000"}
NAMES = {"new": "now", "old": "before"}


def lines_of(file: str) -> list[dict[str, Any]]:
    """Return the points of a file of results."""
    text = (RESULTS / file).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def curves(
    points: list[dict[str, Any]], size: str, figure: str
) -> dict[str, tuple[list[float], list[float]]]:
    """Return sizes and figures of every version, sorted by size."""
    found = {}
    for version in COLOURS:
        own = sorted((p[size], p[figure]) for p in points if p["version"] == version)
        found[version] = ([x for x, _ in own], [y for _, y in own])
    return found


def draw(ax: Any, points: list[dict[str, Any]], size: str, figure: str, unit: str) -> None:
    """Draw one figure of both versions against the size."""
    for version, (sizes, figures) in curves(points, size, figure).items():
        style = {"marker": "o", "markersize": 4, "color": COLOURS[version], "linewidth": 1.4}
        dash = "-" if version == "new" else "--"
        ax.plot(sizes, figures, dash, label=NAMES[version], **style)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.xaxis.set_major_locator(LogLocator(100 if size == "rows" else 10))
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if unit.endswith("MB") else (1,)))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        axis.set_minor_formatter(NullFormatter())
    ax.set_xlabel(size)
    ax.set_ylabel(unit)
    ax.grid(color="#e3e8ec")
    ax.spines[["top", "right"]].set_visible(False)


def picture() -> str:
    """Return the picture as SVG, the same each time."""
    variables = [p for p in lines_of("variables.jsonl") if p["variant"] == "accurate"]
    rows = [p | p["seconds"] for p in lines_of("rows.jsonl") if p["table"] == "alarm"]
    content = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "growth", "svg.fonttype": "none", "font.size": 9}):
        figure = plt.figure(figsize=(7.6, 6.0), layout="constrained")
        axes = figure.subplots(2, 2)
        draw(axes[0, 0], variables, "variables", "seconds", "seconds")
        draw(axes[0, 1], variables, "variables", "peak_mb", "peak memory, MB")
        draw(axes[1, 0], rows, "rows", "all", "seconds")
        draw(axes[1, 1], rows, "rows", "peak_mb", "peak memory, MB")
        axes[0, 0].set_title("random networks, 1,000 samples", loc="left", fontsize=9)
        axes[1, 0].set_title("alarm, 37 variables", loc="left", fontsize=9)
        axes[0, 0].legend(frameon=False)
        figure.savefig(content, format="svg", metadata={"Date": None})
        plt.close(figure)
    return content.getvalue()


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
