"""The demo: learn the skeleton of alarm from embedded data, and compare it with the truth."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from h2pc.data import Dataset
from h2pc.estimators.skeleton import skeleton
from h2pc.metrics import SkeletonScores, skeleton_scores
from h2pc.networks import BayesianNetwork, load_network
from h2pc.networks.files import replace_file
from h2pc.report.pictures import plot_skeleton_comparison
from h2pc.structure import SkeletonResult

_N_SAMPLES, _SEED = 5000, 1


def main(arguments: list[str] | None = None) -> None:
    """Run the demo and leave its results in a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="demo", help="where the results go")
    folder = Path(parser.parse_args(arguments).folder)
    folder.mkdir(parents=True, exist_ok=True)

    network = load_network("alarm")
    data = network.sample(_N_SAMPLES, seed=_SEED)
    results = {learner: skeleton(data, learner, n_jobs=-1) for learner in ("hpc", "mmpc")}
    scores = {
        name: skeleton_scores(result.skeleton, network.dag) for name, result in results.items()
    }

    _draw(results["hpc"], network, folder / "alarm.png")
    replace_file(folder / "alarm.json", _as_json(results, scores))
    replace_file(folder / "report.md", _as_markdown(data, results, scores))
    _say(results, scores, folder)


def _draw(result: SkeletonResult, network: BayesianNetwork, path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    ax = plot_skeleton_comparison(result.skeleton, network.dag.skeleton())
    ax.figure.suptitle(f"HPC on {_N_SAMPLES:,} samples of alarm")
    ax.figure.savefig(path, dpi=150)


def _as_json(results: dict[str, SkeletonResult], scores: dict[str, SkeletonScores]) -> str:
    learned = {
        name: {
            "edges": [list(edge) for edge in result.skeleton.named_edges],
            "precision": scores[name].precision,
            "recall": scores[name].recall,
            "n_tests": result.n_tests,
            "seconds": result.seconds,
        }
        for name, result in results.items()
    }
    return json.dumps({"network": "alarm", "n_samples": _N_SAMPLES, **learned}, indent=2) + "\n"


def _as_markdown(
    data: Dataset, results: dict[str, SkeletonResult], scores: dict[str, SkeletonScores]
) -> str:
    rows = "\n".join(
        f"| {name.upper()} | {len(result.skeleton.edges)} | {scores[name].precision:.3f} "
        f"| {scores[name].recall:.3f} | {result.n_tests:,} | {result.seconds:.3f} |"
        for name, result in results.items()
    )
    return (
        "# alarm, learned and compared with the truth\n\n"
        f"{data.n_variables} variables, {data.n_samples:,} samples (seed {_SEED}); "
        "the true network has 46 edges.\n\n"
        "| learner | edges | precision | recall | tests | seconds |\n|---|---|---|---|---|---|\n"
        f"{rows}\n\n![HPC against the truth](alarm.png)\n"
    )


def _say(
    results: dict[str, SkeletonResult], scores: dict[str, SkeletonScores], folder: Path
) -> None:
    table = Table("learner", "edges", "precision", "recall", "tests", "seconds", title="alarm")
    for name, result in results.items():
        table.add_row(
            name.upper(),
            str(len(result.skeleton.edges)),
            f"{scores[name].precision:.3f}",
            f"{scores[name].recall:.3f}",
            f"{result.n_tests:,}",
            f"{result.seconds:.3f}",
        )
    console = Console()
    console.print(table)
    console.print(f"See {folder}/report.md, {folder}/alarm.png and {folder}/alarm.json.")


if __name__ == "__main__":
    main()
