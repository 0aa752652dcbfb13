"""The report on the second experiment: the paper's claims, tables and graphs with our results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from h2pc.experiments.claims import claim_list, filled, finished, write_texts
from h2pc.experiments.multilabel_claims import agreements, claims
from h2pc.experiments.multilabel_results import SCORES, MultilabelResults
from h2pc.experiments.multilabel_tables import (
    accuracy_table,
    comparison_table,
    coverage_table,
    difference_table,
    learning_table,
    n_missing,
    powersets_table,
    score_numbers,
    score_table,
    structure_numbers,
)
from h2pc.experiments.published import ALGORITHMS, DATA_SETS, Algorithm

_FIGURES: dict[str, tuple[str, ...]] = {
    "Figure 3": ("emotions", "yeast"),
    "Figure 4": ("image", "scene"),
    "Figure 5": ("slashdot", "genbase"),
    "Figure 6": ("medical", "enron"),
    "Figure 7": ("bibtex", "corel5k"),
}
_BY_ROW: tuple[Algorithm, ...] = ("mmhc", "h2pc")
"""The order of the paper's pictures."""


def write_report(
    results: MultilabelResults, folder: Path, pictures: Iterable[Path] = ()
) -> list[Path]:
    """Write the report and its tables into the folder of the pictures; return their paths."""
    texts = {
        "report.md": report_text(results, [picture.name for picture in pictures]),
        "scores.csv": score_numbers(results).as_csv(),
        "structures.csv": structure_numbers(results).as_csv(),
    }
    return write_texts(folder, texts)


def report_text(results: MultilabelResults, pictures: Iterable[str] = ()) -> str:
    """Return the report as Markdown."""
    tables = {score: score_table(results, score) for score in SCORES[1:]}
    tables |= {f"powersets_{name}": powersets_table(results, name) for name in ALGORITHMS}
    n_all, n_cells = len(DATA_SETS) * results.n_folds, len(results.cells)
    return filled(
        "multilabel_report.md",
        finished=finished("folds of the paper's data sets", n_all, n_missing(results), n_cells),
        settings=", ".join(f"{name} {value}" for name, value in results.settings.items()),
        claims=claim_list(claims(results)),
        agreements=claim_list(agreements(results)),
        accuracy=accuracy_table(results).as_markdown(),
        tests=comparison_table(results).as_markdown(),
        differences=difference_table(results).as_markdown(),
        learning=learning_table(results).as_markdown(),
        graphs=_graphs(pictures),
        cells=coverage_table(results).as_markdown(),
        **{name: table.as_markdown() for name, table in tables.items()},
    )


def _graphs(pictures: Iterable[str]) -> str:
    """Return the pictures of the graphs, under the figures of the paper."""
    names = list(pictures)
    shown = {name.removesuffix(".png"): name for name in names if name.endswith(".png")}
    if not shown:
        return "No pictures were drawn.\n"
    lines = [
        "The graphs of the first finished fold, MMHC's before H2PC's as in the paper. Labels are "
        "round, features square; powersets of several labels have colours. Of large graphs those "
        "features are drawn that join labels; the number of others follows the name of a label. "
        "Pictures have the width of a text on A4, and names of 6 points at least.\n"
    ]
    of_paper = {data for figure in _FIGURES.values() for data in figure}
    others = sorted({name.split("_", 1)[1].rpartition("_")[0] for name in shown} - of_paper)
    for figure, data_sets in {**_FIGURES, "Other data sets": tuple(others)}.items():
        found = [(data, f"labels_{data}_{each}", each) for data in data_sets for each in _BY_ROW]
        found = [each for each in found if each[1] in shown]
        if found:
            run = dict.fromkeys(data for data, _, _ in found)
            lines.append(f"### {figure}: {' and '.join(run)}\n")
        for data, name, algorithm in found:
            link = f"; [for print]({name}.pdf)" if f"{name}.pdf" in names else ""
            lines.append(f"![{data}, {algorithm.upper()}]({shown[name]})\n")
            lines.append(f"*{figure}, {data}, by {algorithm.upper()}{link}*\n")
    return "\n".join(lines)
