"""The report on the comparison of multi-label methods."""

from __future__ import annotations

from pathlib import Path

from h2pc.errors import SettingError
from h2pc.experiments.claims import filled, write_texts
from h2pc.experiments.critical_differences import (
    LEVEL,
    PICTURE,
    all_ranks,
    ranked_methods,
    save_critical_differences,
)
from h2pc.experiments.label_comparison_aims import aim_list, aims
from h2pc.experiments.label_comparison_results import MEASURES, ComparisonResults
from h2pc.experiments.label_comparison_tables import (
    REFERENCE,
    comparison_table,
    factors_table,
    fold_count,
    measure_table,
    measure_title,
    numbers_table,
    seconds_table,
)
from h2pc.experiments.label_methods import column_title
from h2pc.experiments.markdown_tables import MarkdownTable
from h2pc.experiments.published import DATA_SETS

COMMAND = "python -m h2pc.experiments.label_comparison --folder FOLDER --out OUT"


def write_report(results: ComparisonResults, folder: Path) -> list[Path]:
    """Write the report, its numbers and the picture into a folder; return their paths."""
    try:
        pictures = save_critical_differences(results, folder)
        ranking = rank_text(results) if pictures else "Too little was run for a picture.\n"
    except SettingError as error:
        pictures, ranking = [], f"{error}\n"
    texts = {
        "report.md": report_text(results, ranking),
        "scores.csv": numbers_table(results).as_csv(),
    }
    return [*write_texts(folder, texts), *pictures]


def report_text(results: ComparisonResults, ranking: str) -> str:
    """Return the report as Markdown."""
    return filled(
        "label_comparison.md",
        finished=finished(results),
        settings=", ".join(f"{name} {value}" for name, value in results.settings.items()),
        command=COMMAND,
        trees=str(results.settings["trees"]),
        aims=aim_list(aims(results)),
        ranks=ranking,
        tests=_tests(results),
        factors=_shown(factors_table(results)),
        cpu=seconds_table(results, "cpu").as_markdown(),
        wall=seconds_table(results, "wall").as_markdown(),
        copied=_copied(results),
        **{measure: measure_table(results, measure).as_markdown() for measure in MEASURES},
    )


def finished(results: ComparisonResults) -> str:
    """Return a sentence on what was run."""
    listed = ", ".join(f"{data} {fold_count(results, data)}" for data in results.data_sets)
    missing = [data for data in DATA_SETS if data not in results.data_sets]
    lacking = (
        f" Of the paper's ten data sets, {', '.join(missing)} were not run." if missing else ""
    )
    return (
        f"{len(results.cells)} cells are finished, one for each data set, fold and method. Folds, "
        f"of {results.n_folds}: {listed}.{lacking}"
    )


def rank_text(results: ComparisonResults) -> str:
    """Return the picture, what it shows, and the mean ranks."""
    found = all_ranks(results)
    ranked = ranked_methods(results)
    left_out = [column_title(method) for method in results.methods if method not in ranked]
    lines = [f"![Critical differences]({PICTURE}.png)\n"]
    lines.append(
        "Mean ranks over the data sets, 1 is the best; bars join methods that Nemenyi's test does "
        f"not tell apart at {LEVEL} (Demšar 2006, drawn by scikit-posthocs)."
        + (f" Not on all data sets, so left out: {', '.join(left_out)}." if left_out else "")
        + "\n"
    )
    rows = [
        (
            measure_title(measure),
            f"{one.friedman:.2g}",
            f"{one.critical_difference:.2f}",
            ", ".join(f"{name} {rank:.2f}" for name, rank in one.means.sort_values().items()),
        )
        for measure, one in found.items()
    ]
    headings = ("measure", "Friedman p", "critical difference", "mean ranks")
    return "\n".join([*lines, MarkdownTable(headings, rows).as_markdown()])


def _tests(results: ComparisonResults) -> str:
    """Return the tests of the automatic choice, where it was run."""
    if REFERENCE not in results.methods or len(results.methods) == 1:
        return f"{column_title(REFERENCE)} was not run beside another method.\n"
    return comparison_table(results).as_markdown()


def _shown(table: MarkdownTable) -> str:
    """Return a table, or that it has no row."""
    return table.as_markdown() if table.rows else "No method with factors was run.\n"


def _copied(results: ComparisonResults) -> str:
    """Return a sentence on times that were taken from another run."""
    copied = any(times.get("fit", {}).get("cpu", 0.0) is None for times in results.seconds.values())
    if not copied:
        return ""
    return (
        "\nBR has no CPU seconds where its cells are those of the paper's experiment, which has "
        "the same folds, seeds and forests; its wall seconds are of that run.\n"
    )
