"""Draw the layers of the architecture: ``python docs/draw_layers.py`` writes pictures/layers.svg.

The layers are those that import-linter checks. Only the words beside them are kept here.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PICTURE = DOCS / "pictures" / "layers.svg"

WORDS = {
    "cli": "the commands",
    "experiments": "the experiments of the paper",
    "report": "pictures and pages",
    "multilabel": "multi-label data, powersets, classifiers, model files",
    "learners | metrics": "scikit-learn estimators; measures of quality",
    "algorithms": "the algorithms of the paper: HPC, MMPC, H2PC; tabu search",
    "independence | scores": "tests of independence, and scores of families",
    "runs": "parallel maps, limits, checkpoints, progress",
    "networks": "Bayesian networks: tables, samples, queries, the library",
    "io": "files",
    "data | graphs": "immutable values",
    "_engine": "C++: counting, the steps of the algorithms, the search",
    "random_state": "seeds",
    "checks": "checks of parameters",
    "variables | errors | version": "the vocabulary",
}

WIDTH, HEIGHT, GAP, LEFT, SPLIT = 860, 40, 6, 30, 375
ALGORITHMS, TESTS, ENGINE, OTHERS = "#cfe3f5", "#d9efd6", "#f9dfc6", "#ececec"
COLOURS = {
    "algorithms": ALGORITHMS,
    "independence | scores": TESTS,
    "_engine": ENGINE,
}


def layers() -> list[str]:
    """Return the layers, the top one first."""
    document = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = document["tool"]["importlinter"]["contracts"]
    return next(each["layers"] for each in contracts if each["type"] == "layers")


def picture() -> str:
    """Return the drawing."""
    names = layers()
    high = len(names) * (HEIGHT + GAP) + GAP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" '
        'font-family="system-ui, sans-serif" font-size="15" role="img">',
        "<title>The layers of h2pc: imports go down only</title>",
    ]
    for number, name in enumerate(names):
        top = GAP + number * (HEIGHT + GAP)
        middle = top + HEIGHT / 2 + 5
        lines += [
            f'<rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - 2}" height="{HEIGHT}" rx="5" '
            f'fill="{COLOURS.get(name, OTHERS)}" stroke="#8a8a8a"/>',
            f'<text x="{LEFT + 14}" y="{middle:g}" font-family="ui-monospace, monospace" '
            f'font-weight="600" fill="#111">{name.replace(" | ", " · ")}</text>',
            f'<text x="{SPLIT}" y="{middle:g}" fill="#222">{WORDS[name]}</text>',
        ]
    lines += [
        f'<path d="M 14 {GAP + 4} V {high - GAP - 12} m -6 -8 l 6 10 l 6 -10" fill="none" '
        'stroke="#8a8a8a" stroke-width="2"/>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
