"""Other libraries' learners of continuous data, called as their users would; h2pc is not needed.

``gaussian_peers.py`` prints the learners that are there, ``gaussian_peers.py LEARNER DATA ANSWER``
runs one of them. DATA is a file of NumPy with ``values`` (samples by variables) and ``names``.
"""

from __future__ import annotations

import argparse
import json
import logging
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

Edges = list[tuple[str, str]]
Run = tuple[Callable[[], Any], Callable[[Any], tuple[Edges, Edges | None]]]
"""What learns, which is timed, and what reads directed and undirected edges from its result.

Of a directed graph, which stands for its equivalence class, the second are None.
"""


def causal_learn_pc(alpha: float) -> Callable[[NDArray[np.float64], list[str]], Run]:
    """Return PC with Fisher's z."""

    def prepared(values: NDArray[np.float64], names: list[str]) -> Run:
        from causallearn.search.ConstraintBased.PC import pc

        def run() -> Any:
            return pc(values, alpha, "fisherz", show_progress=False)

        return run, lambda found: _by_end_marks(found.G.graph, names)

    return prepared


def causal_learn_ges(values: NDArray[np.float64], names: list[str]) -> Run:
    """Return GES with the score BIC, its default."""
    from causallearn.search.ScoreBased.GES import ges

    return lambda: ges(values), lambda found: _by_end_marks(found["G"].graph, names)


def pgmpy_hill_climbing(values: NDArray[np.float64], names: list[str]) -> Run:
    """Return hill climbing with BIC of linear-Gaussian networks."""
    import pandas as pd
    from pgmpy.estimators import HillClimbSearch

    search = HillClimbSearch(pd.DataFrame(values, columns=names))

    def run() -> Any:
        return search.estimate(scoring_method="bic-g", show_progress=False)

    return run, lambda found: (list(found.edges()), None)


def pgmpy_pc(values: NDArray[np.float64], names: list[str]) -> Run:
    """Return PC with partial correlations, at the level of 0.01, its default."""
    import pandas as pd
    from pgmpy.estimators import PC

    search = PC(pd.DataFrame(values, columns=names))

    def run() -> Any:
        return search.estimate(
            variant="stable",
            ci_test="pearsonr",
            return_type="pdag",
            significance_level=0.01,
            n_jobs=1,
            show_progress=False,
        )

    return run, lambda found: (list(found.directed_edges), list(found.undirected_edges))


LEARNERS = {
    "causallearn-pc-05": ("causal-learn", "PC 0.05", causal_learn_pc(0.05)),
    "causallearn-pc-01": ("causal-learn", "PC 0.01", causal_learn_pc(0.01)),
    "causallearn-ges": ("causal-learn", "GES", causal_learn_ges),
    "pgmpy-hc": ("pgmpy", "hill climbing", pgmpy_hill_climbing),
    "pgmpy-pc": ("pgmpy", "PC 0.01", pgmpy_pc),
}
"""The distribution, the title, and how to make a run."""


def _by_end_marks(marks: NDArray[Any], names: list[str]) -> tuple[Edges, Edges]:
    """Return the edges of causal-learn's matrix of the marks at the ends of edges.

    ``marks[v, u] == 1`` is an arrowhead at v of the edge between u and v, -1 a tail. An edge with
    two arrowheads, which its PC leaves where two colliders contradict each other, has no direction.
    """
    arrows, lines = [], []
    for u, v in zip(*np.nonzero(np.triu(marks != 0)), strict=True):
        ends = int(marks[u, v]), int(marks[v, u])
        if ends == (-1, 1):
            arrows.append((names[u], names[v]))
        elif ends == (1, -1):
            arrows.append((names[v], names[u]))
        else:
            lines.append((names[u], names[v]))
    return arrows, lines


def titles() -> dict[str, str]:
    """Return the title of every learner that is there, with the version of its library."""
    found = {}
    for name, (distribution, title, _) in LEARNERS.items():
        try:
            found[name] = f"{distribution} {version(distribution)}, {title}"
        except PackageNotFoundError:
            continue
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("learner", nargs="?", choices=LEARNERS, help="none lists what is there")
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("answer", nargs="?", type=Path, help="where the graph goes, as JSON")
    chosen = parser.parse_args()
    if chosen.learner is None:
        print(json.dumps(titles()))
        return
    warnings.simplefilter("ignore")
    logging.disable()
    with np.load(chosen.data) as file:
        values, names = file["values"], [str(name) for name in file["names"]]
    run, edges_of = LEARNERS[chosen.learner][2](values, names)
    start = perf_counter()
    found = run()
    seconds = perf_counter() - start
    directed, undirected = edges_of(found)
    answer = {"directed": directed, "undirected": undirected, "seconds": seconds}
    chosen.answer.write_text(json.dumps(answer))


if __name__ == "__main__":
    main()
