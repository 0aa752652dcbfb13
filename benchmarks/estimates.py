"""Estimates of what learning takes beside the truth: seconds and most memory, and their ratios.

Every case has a process of its own, which estimates first, learns then, and prints a line. At the
end stands the share of the cases that are right within a factor of two. The constants of
``h2pc.learners.cost_estimate`` come from other samples, of other random networks and in part of
the same networks of the library. ``--folder`` names the folder of the paper's data sets: the local
graphs around their labels follow.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import warnings
from copy import deepcopy
from pathlib import Path
from time import perf_counter
from typing import Any

from processes import figures_of_process, peak_megabytes, reset_peak

# Network, samples, seed, and parameters. Random networks are called by variables, most levels and
# average degree; those called by a number of variables alone are linear-Gaussian.
CASES: list[tuple[str, int, int, dict[str, Any]]] = [
    ("munin1", 5_000, 3, {}),
    ("munin1", 50_000, 3, {}),
    ("munin1", 5_000, 3, {"variant": "paper"}),
    ("munin1", 5_000, 2, {"targets": 5}),
    ("link", 500, 3, {}),
    ("link", 5_000, 3, {}),
    ("link", 5_000, 3, {"learner": "MMHC"}),
    ("link", 5_000, 2, {"targets": 20}),
    ("pigs", 5_000, 3, {}),
    ("pigs", 50_000, 3, {}),
    ("pigs", 5_000, 2, {"targets": 100}),
    ("pigs", 5_000, 3, {"n_jobs": 2}),
    ("win95pts", 5_000, 3, {}),
    ("win95pts", 1_000_000, 3, {}),
    ("barley", 5_000, 3, {}),
    ("barley", 50_000, 3, {}),
    ("alarm", 1_000_000, 2, {}),
    ("random-300-4-2", 1_000, 7, {}),
    ("random-300-2-4", 5_000, 7, {}),
    ("random-300-4-4", 50_000, 7, {}),
    ("random-1000-4-2", 500, 7, {}),
    ("random-1000-4-2", 1_000, 7, {"fdr": 0.05}),
    ("random-1000-2-2", 50_000, 7, {}),
    ("random-1000-4-4", 5_000, 7, {"n_jobs": 2}),
    ("random-3000-4-2", 1_000, 7, {"n_jobs": 2}),
    ("random-3000-2-4", 1_000, 7, {"targets": 3}),
    ("gaussian-200", 500, 7, {}),
    ("gaussian-200", 5_000, 7, {}),
    ("gaussian-200", 50_000, 7, {}),
]


def data_of(name: str, n_samples: int, seed: int) -> Any:
    """Return the samples of a network."""
    import h2pc

    kind, *sizes = name.split("-")
    network: Any
    if kind == "random":
        n_variables, levels, degree = map(int, sizes)
        network = h2pc.make_bayesian_network(
            n_variables, average_degree=degree, levels=(2, levels), random_state=seed
        )
    elif kind == "gaussian":
        network = h2pc.make_linear_gaussian_network(int(sizes[0]), random_state=seed)
    else:
        network = h2pc.load_network(name)
    return network.sample(n_samples, random_state=seed)


def labelled(folder: Path) -> tuple[Any, Any]:
    """Return a multi-label data set, and the names of its labels."""
    from h2pc import read_multilabel
    from h2pc.experiments.fold_predictions import NumberedData

    data = NumberedData.of(read_multilabel(folder))
    return data.discrete(), list(data.targets)


def measure(case: dict[str, Any]) -> dict[str, Any]:
    """Estimate, then learn: what a child process does."""
    import h2pc

    warnings.simplefilter("ignore")
    h2pc.H2PC().fit(h2pc.load_network("asia").sample(200, random_state=0))  # imports
    params = dict(case["params"])
    kind = getattr(h2pc, params.pop("learner", "H2PC"))
    if "folder" in case:
        data, params["targets"] = labelled(Path(case["folder"]))
    else:
        data = data_of(case["name"], case["samples"], case["seed"])
    if isinstance(params.get("targets"), int):
        step = data.n_variables // params["targets"]
        params["targets"] = [data.names[i * step] for i in range(params["targets"])]
    learner = kind(progress=False, **params)
    copy = deepcopy(data)  # without the index: learning makes its own
    start = perf_counter()
    found = h2pc.estimate_cost(copy, learner)
    asked = perf_counter() - start
    del copy
    reset_peak()
    start = perf_counter()
    learner.fit(data)
    seconds, peak = perf_counter() - start, peak_megabytes()
    return {
        "estimated": round(found.seconds, 3),
        "seconds": round(seconds, 3),
        "ratio": round(found.seconds / seconds, 2),
        "skeleton": round(found.skeleton / learner.result_.seconds["skeleton"], 2),
        "search": round(found.search / learner.result_.seconds["search"], 2),
        "estimated_mb": round(found.most_bytes / 1e6, 1),
        "peak_mb": round(peak, 1),
        "memory_ratio": round(found.most_bytes / 1e6 / peak, 2),
        "asked": round(asked, 3),
        "timed": found.n_timed,
        "targets": found.n_targets,
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--folder", type=Path, default=os.environ.get("H2PC_MULTILABEL"))
    parser.add_argument("--large", action="store_true", help="also bibtex and 10,000 variables")
    parser.add_argument("--json", type=Path, metavar="FILE", help="lines are added to this file")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.measure:
        print(json.dumps(measure(json.loads(chosen.measure))))
        return
    cases = [
        {"name": name, "samples": samples, "seed": seed, "params": params}
        for name, samples, seed, params in CASES
    ]
    if chosen.large:
        more = {"name": "random-10000-4-2", "samples": 1_000, "seed": 7, "params": {"n_jobs": 2}}
        cases.append(more)
    if chosen.folder:
        cases += [
            {"name": f"labels of {folder.name}", "folder": str(folder), "params": {"n_jobs": 2}}
            for folder in sorted(Path(chosen.folder).iterdir())
            if folder.is_dir() and (chosen.large or folder.name != "bibtex")
        ]
    rows = []
    for case in cases:
        if chosen.only not in case["name"]:
            continue
        row = {**case, **figures_of_process(__file__, ["--measure", json.dumps(case)])}
        rows.append(row)
        size = f" {case['samples']:,}" if "samples" in case else ""
        given = " ".join(f"{name}={value}" for name, value in case["params"].items())
        print(
            f"{case['name'] + size:26} {given:16} estimate {row['estimated']:8.2f} s, "
            f"truth {row['seconds']:8.2f} s, ratio {row['ratio']:5.2f} "
            f"(skeleton {row['skeleton']:5.2f}, search {row['search']:5.2f}); "
            f"{row['estimated_mb']:6.0f} MB, {row['peak_mb']:6.0f} MB, {row['memory_ratio']:4.2f}; "
            f"{row['timed']} of {row['targets']} timed in {row['asked']:.2f} s",
            flush=True,
        )
        if chosen.json:
            with chosen.json.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(row) + "\n")
    for what, figure in (("time", "ratio"), ("memory", "memory_ratio")):
        logs = [abs(math.log2(row[figure])) for row in rows]
        if logs:
            share = sum(each <= 1.0 for each in logs) / len(logs)
            print(
                f"{what}: {share:.0%} of {len(logs)} cases within a factor of two; typical factor "
                f"{2 ** (sum(logs) / len(logs)):.2f}, largest {2 ** max(logs):.2f}"
            )


if __name__ == "__main__":
    main()
