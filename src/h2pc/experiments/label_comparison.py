"""Multi-label methods beside each other, on the same folds of the same data sets.

Run it as ``python -m h2pc.experiments.label_comparison --folder FOLDER --out DIR``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from h2pc.errors import H2pcError
from h2pc.experiments.label_comparison_cells import (
    ComparisonSetup,
    copy_binary_relevance,
    run_comparison,
)
from h2pc.experiments.label_comparison_report import write_report
from h2pc.experiments.label_comparison_results import ComparisonResults
from h2pc.experiments.label_methods import METHODS
from h2pc.experiments.published import DATA_SETS


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the comparison with the options of the command line, and write its report."""
    chosen = _parser().parse_args(arguments)
    try:
        if chosen.folder is not None:
            setup = ComparisonSetup(chosen.random_state, chosen.folds, chosen.trees)
            data, first = chosen.data or DATA_SETS, chosen.first_folds
            if chosen.br_from is not None:
                copy_binary_relevance(chosen.out, chosen.br_from, data, setup, first)
            run_comparison(
                chosen.out,
                chosen.folder,
                data,
                chosen.methods,
                setup,
                first_folds=first,
                n_jobs=chosen.n_jobs,
            )
        paths = write_report(ComparisonResults.read(chosen.out), chosen.out)
    except H2pcError as error:
        raise SystemExit(str(error)) from None
    sys.stdout.write(f"See {paths[0]}.\n")


def _words(text: str) -> list[str]:
    """Return the words between commas."""
    return [word for word in (part.strip() for part in text.split(",")) if word]


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--folder", type=Path, help="folder of the data sets; without it, only the report is made"
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="folder of finished cells, graphs and the report"
    )
    parser.add_argument("--data", type=_words, metavar="A,B", help="default: the paper's ten")
    parser.add_argument(
        "--methods", type=_words, metavar="A,B", help=f"of {', '.join(METHODS)}; default: all"
    )
    parser.add_argument("--first-folds", type=int, metavar="N", help="instead of all folds")
    parser.add_argument(
        "--br-from",
        type=Path,
        metavar="FOLDER",
        help="take binary relevance from results of the paper's experiment",
    )
    parser.add_argument("--n-jobs", type=int, help="processes; a cell has one thread")
    parser.add_argument("--random-state", type=int, default=0, help="seed of all folds")
    parser.add_argument("--folds", type=int, default=10, help="number of folds")
    parser.add_argument("--trees", type=int, default=100, help="number of trees of a forest")
    return parser


if __name__ == "__main__":
    main()
