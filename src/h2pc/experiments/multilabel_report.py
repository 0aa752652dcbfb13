"""The report on the multi-label experiment: the paper's claims, tables and graphs on our data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from h2pc.experiments.multilabel_claims import agreements, claims
from h2pc.experiments.multilabel_paper import ALGORITHMS, DATA_SETS, TITLES
from h2pc.experiments.multilabel_results import MultilabelResults
from h2pc.experiments.multilabel_tables import (
    accuracy_table,
    comparison_table,
    coverage_table,
    learning_table,
    n_folds,
    n_missing,
    powersets_table,
    score_numbers,
    score_table,
    structure_numbers,
)
from h2pc.experiments.synthetic_claims import Claim
from h2pc.io.files import replace_file
from h2pc.report.label_graphs import LabelGraph


def label_graphs(results: MultilabelResults) -> dict[str, LabelGraph]:
    """Return the graphs of Figures 3 to 7 by their file names."""
    return {
        f"labels_{data}_{algorithm}": results.label_graph(data, algorithm)
        for data in results.data_sets
        for algorithm in ALGORITHMS
    }


def write_report(
    results: MultilabelResults, folder: Path, pictures: Iterable[Path] = ()
) -> list[Path]:
    """Write the report and its tables into a folder, and return their paths.

    The pictures are those drawn before, in the same folder; a report can do without.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "report.md": report_text(results, [picture.name for picture in pictures]),
        "scores.csv": score_numbers(results).as_csv(),
        "structures.csv": structure_numbers(results).as_csv(),
    }
    for name, text in texts.items():
        replace_file(folder / name, text)
    return [folder / name for name in texts]


def report_text(results: MultilabelResults, pictures: Iterable[str] = ()) -> str:
    """Return the report as Markdown."""
    parts = [
        "# H2PC against MMHC on multi-label data\n",
        _summary(results),
        "## The paper's claims\n",
        _listed(claims(results)),
        "## The paper's numbers\n",
        _listed(agreements(results)),
        "## Subset accuracy (Table 5)\n",
        "Means over the folds.\n",
        accuracy_table(results).as_markdown(),
        "## Tests\n",
        "Wilcoxon's signed-rank test on the means of all data sets run, exact: one-sided for >, "
        "two-sided for ≠. The counts and the first p are those of subset accuracy. A lower Hamming "
        "loss counts as greater: it is the better one.\n",
        comparison_table(results).as_markdown(),
        *_structures(results),
        "## Other scores\n",
        "Hamming loss (lower is better):\n",
        score_table(results, "hamming_loss").as_markdown(),
        "F1, mean over the samples:\n",
        score_table(results, "example_f1").as_markdown(),
        "F1, mean over the labels; that of a label which is neither there nor told is 1:\n",
        score_table(results, "macro_f1").as_markdown(),
        "F1 of all labels together:\n",
        score_table(results, "micro_f1").as_markdown(),
        "## Graphs around the labels (Figures 3 to 7)\n",
        _graphs(pictures),
        "## Cells\n",
        coverage_table(results).as_markdown(),
        "Means and deviations of all scores are in `scores.csv`, what the graphs of every fold are "
        "like in `structures.csv`, and their edges in `results.jsonl`.\n",
    ]
    return "\n".join(parts)


def _structures(results: MultilabelResults) -> list[str]:
    """Return the sections on powersets, degrees and times."""
    parts = ["## Powersets (Table 4)\n"]
    for algorithm in ALGORITHMS:
        parts += [f"{TITLES[algorithm]}:\n", powersets_table(results, algorithm).as_markdown()]
    return [
        *parts,
        "The number of powersets is the mean of the folds; sizes are those of the powersets of all "
        "folds together. Features are those of the Markov boundaries. Labels are in one powerset "
        "by the edges between them, or as parents of the same feature; what the former do alone "
        "has a column of its own.\n",
        "## Learning time and label degree (Table 6)\n",
        "Mean seconds of a fold from the data to the graph, in one thread; mean degree of the "
        "labels of all folds, and its standard deviation.\n",
        learning_table(results).as_markdown(),
    ]


def _summary(results: MultilabelResults) -> str:
    """Return what was run, and what is missing of the paper's grid."""
    n_all, missing = len(DATA_SETS) * n_folds(results), n_missing(results)
    settings = ", ".join(f"{name} {value}" for name, value in results.settings.items())
    others = len(results.cells) - (n_all - missing)
    besides = f", and {others} others" if others else ""
    finished = (
        f"All {n_all} folds of the paper's data sets are finished{besides}."
        if not missing
        else f"**{missing} of the {n_all} folds of the paper's data sets are missing** (the last "
        f"table says which); {n_all - missing} are finished{besides}."
    )
    return (
        f"{finished} Each fold is told by all the others: the graph around the labels is learned "
        "from them once by each learner, and random forests tell the fold in seven ways.\n\n"
        f"Settings: {settings}.\n"
    )


def _listed(found: Iterable[Claim]) -> str:
    """Return claims as a list with their verdicts."""
    items = [
        f"{number}. **{claim.verdict}**: {claim.text}. {claim.evidence}".rstrip()
        for number, claim in enumerate(found, 1)
    ]
    return "\n".join(items) + "\n"


def _graphs(pictures: Iterable[str]) -> str:
    """Return the pictures, each with a line on what it shows."""
    shown = [name for name in pictures if name.endswith(".png")]
    if not shown:
        return "No pictures were drawn.\n"
    lines = [
        "The graph of the first finished fold. Labels are round and named, features square; "
        "powersets have colours of their own.\n"
    ]
    for name in shown:
        data, _, algorithm = name.removeprefix("labels_").removesuffix(".png").rpartition("_")
        lines.append(f"![{data}, {algorithm.upper()}]({name})\n")
    return "\n".join(lines)
