"""Why our label graphs differ from those of the paper's Tables 4 and 6: one change at a time.

Run it as ``python -m h2pc.experiments.label_graph_causes --folder FOLDER --out DIR``; it goes on
where an earlier run stopped, and adds to it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from h2pc.errors import H2pcError
from h2pc.experiments.label_graph_cells import CausesSetup, run_causes
from h2pc.experiments.label_graph_report import causes_report
from h2pc.experiments.label_graph_results import CausesResults
from h2pc.experiments.label_graph_variants import VARIANTS
from h2pc.experiments.published import ALGORITHMS, DATA_SETS
from h2pc.io.files import replace_file


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the experiment with the options of the command line, and write its report."""
    chosen = _parser().parse_args(arguments)
    try:
        if chosen.folder is not None:
            run_causes(
                chosen.out,
                chosen.folder,
                chosen.data,
                chosen.variants,
                CausesSetup(chosen.random_state, chosen.folds),
                algorithms=chosen.algorithms,
                first_folds=chosen.first_folds,
                n_jobs=chosen.n_jobs,
            )
        path = chosen.out / "report.md"
        replace_file(path, causes_report(CausesResults.read(chosen.out)))
    except H2pcError as error:
        raise SystemExit(str(error)) from None
    sys.stdout.write(f"See {path}.\n")


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
        "--out", type=Path, required=True, help="folder of finished graphs and of the report"
    )
    parser.add_argument(
        "--data", type=_words, metavar="A,B", default=DATA_SETS, help="default: the paper's ten"
    )
    parser.add_argument(
        "--algorithms", type=_words, metavar="A,B", default=ALGORITHMS, help="default: both"
    )
    parser.add_argument(
        "--variants",
        type=_words,
        metavar="A,B",
        default=tuple(VARIANTS),
        help=f"of {', '.join(VARIANTS)}; default: all",
    )
    parser.add_argument("--first-folds", type=int, metavar="N", default=2, help="default: 2")
    parser.add_argument("--n-jobs", type=int, help="processes; a graph has one thread")
    parser.add_argument("--random-state", type=int, default=0, help="seed of the folds")
    parser.add_argument("--folds", type=int, default=10, help="number of folds of a data set")
    return parser


if __name__ == "__main__":
    main()
