"""Learners of continuous data beside those of other libraries; the limit of many samples; genes.

Without options: distance from the truth and seconds, on samples of random linear-Gaussian networks,
one core. ``--many-samples N``: how often H2PC recovers the equivalence classes of N networks from a
million samples. ``--genes``: one target among 20,000 variables, and all pairs of them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from h2pc import (
    GES,
    H2PC,
    MMHC,
    Cpdag,
    Dag,
    Dataset,
    GaussianTest,
    LinearGaussianNetwork,
    TabuSearch,
    hpc,
    make_linear_gaussian_network,
    shd,
)
from h2pc.data.moments import columns_of, correlation_blocks

PEERS = Path(__file__).with_name("gaussian_peers.py")
OURS: dict[str, tuple[str, Any]] = {
    "h2pc": ("H2PC", H2PC()),
    "h2pc-bge": ("H2PC, BGe", H2PC(scoring="bge")),
    "mmhc": ("MMHC", MMHC()),
    "ges": ("GES", GES()),
    "tabu": ("TabuSearch", TabuSearch()),
}

# The sizes of bnlearn's networks of continuous variables, whose files are not needed here.
SIZES = {
    "random 50": (50, 75),
    "random 200": (200, 300),
    "as ecoli70": (46, 70),
    "as magic-niab": (44, 66),
    "as arth150": (107, 150),
}
SAMPLES = (500, 5000)
LIMIT_SAMPLES = 1_000_000
N_GENES, N_CELLS = 20_000, 200


class Cell(NamedTuple):
    """A learner on one sample of one network."""

    network: str
    n_samples: int
    seed: int
    learner: str


def sampled(cell: Cell) -> tuple[Dag, Dataset]:
    """Return the true graph and the data of a cell; they do not depend on the learner."""
    truth = make_linear_gaussian_network(*SIZES[cell.network], random_state=cell.seed)
    return truth.dag, truth.sample(cell.n_samples, random_state=cell.seed)


def run_of_ours(learner: str, table: Path, answer: Path) -> None:
    """Learn from a file, as the peers do: only learning is timed."""
    with np.load(table) as file:
        data = Dataset.from_values(file["values"].T, names=[str(name) for name in file["names"]])
    own = OURS[learner][1]
    own.fit(make_linear_gaussian_network(5).sample(100))  # loads the compiled code
    start = perf_counter()
    own.fit(data)
    seconds = perf_counter() - start
    found = {"directed": own.edges_, "undirected": None, "seconds": seconds}
    answer.write_text(json.dumps(found))


def measured(cell: Cell, python: str, limit: float) -> dict[str, Any]:
    """Return the distance and the seconds of a cell, or why there are none."""
    true, data = sampled(cell)
    with TemporaryDirectory() as folder:
        table, answer = Path(folder) / "data.npz", Path(folder) / "answer.json"
        np.savez(table, values=data.values.T, names=np.array(data.names))
        if cell.learner in OURS:
            command = [sys.executable, __file__, "--one", cell.learner, str(table), str(answer)]
        else:
            command = [python, str(PEERS), cell.learner, str(table), str(answer)]
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        try:
            run = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=limit,
                env=os.environ | threads,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"failure": f"over {limit:g} s"}
        if run.returncode != 0:
            return {"failure": (run.stderr.strip().splitlines() or ["no message"])[-1]}
        found = json.loads(answer.read_text())
    if found["undirected"] is None:
        graph: Dag | Cpdag = Dag.from_edges(data.names, found["directed"])
    else:
        graph = Cpdag(data.names, found["directed"], found["undirected"])
    return {"distance": shd(graph, true) / len(true.edges), "seconds": found["seconds"]}


def cells(networks: list[str], seeds: int, learners: list[str]) -> Iterator[Cell]:
    """Yield all cells; learners take turns on each sample."""
    for network in networks:
        for n_samples in SAMPLES:
            for seed in range(seeds):
                for learner in learners:
                    yield Cell(network, n_samples, seed, learner)


def failed_before(cell: Cell, done: dict[Cell, dict[str, Any]]) -> dict[str, Any]:
    """Return the failure of a learner on the first sample of this size or a smaller one, if any."""
    earlier = (cell._replace(n_samples=n, seed=0) for n in SAMPLES if n <= cell.n_samples)
    found = (done.get(each, {}) for each in earlier)
    return next((each for each in found if "failure" in each), {})


def compare(options: argparse.Namespace) -> None:
    """Measure all cells that are not in the file of results, and print the tables."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # the runs inherit it
    titles = {name: title for name, (title, _) in OURS.items()}
    listed = subprocess.run(
        [options.peer_python, str(PEERS)], capture_output=True, text=True, check=True
    )
    titles |= json.loads(listed.stdout)
    done: dict[Cell, dict[str, Any]] = {}
    if options.results.exists():
        for line in options.results.read_text().splitlines():
            cell, found = json.loads(line)
            done[Cell(*cell)] = found
    with options.results.open("a") as file:
        for cell in cells(options.networks, options.seeds, list(titles)):
            if cell in done:
                continue
            found = failed_before(cell, done)
            found = found or measured(cell, options.peer_python, options.limit)
            done[cell] = found
            file.write(json.dumps([cell, found]) + "\n")
            file.flush()
            print(*cell, found, file=sys.stderr)
    for what in ("distance", "seconds"):
        print_table(done, options, titles, what)


def print_table(
    done: dict[Cell, dict[str, Any]],
    options: argparse.Namespace,
    titles: dict[str, str],
    what: str,
) -> None:
    """Print means over the seeds in Markdown; of seconds also how many times those of H2PC."""
    print(f"\n| network | samples | {' | '.join(titles.values())} |")
    print("|---|---:|" + "---:|" * len(titles))
    for network in options.networks:
        for n_samples in SAMPLES:
            row, ours = [], 0.0
            for learner in titles:
                found = [done[Cell(network, n_samples, s, learner)] for s in range(options.seeds)]
                failures = [each["failure"] for each in found if "failure" in each]
                if failures:
                    row.append(failures[0])
                    continue
                mean = fmean(each[what] for each in found)
                ours = ours or mean
                times = "" if what == "distance" or learner in OURS else f" ({mean / ours:.0f}×)"
                row.append(f"{mean:.2f}" if what == "distance" else f"{mean:.3g}{times}")
            n_variables, n_edges = SIZES[network]
            size = f"{network} ({n_variables}, {n_edges})"
            print(f"| {size} | {n_samples:,} | {' | '.join(row)} |")


def weakest_link(truth: LinearGaussianNetwork, x: int, y: int) -> float:
    """Return the smallest partial correlation of two variables given up to four others."""
    covariance = truth.covariance
    others = [v for v in truth.dag.variables if v not in (x, y)]
    found = 1.0
    for size in range(5):
        for z in combinations(others, size):
            inverse = np.linalg.inv(covariance[np.ix_([x, y, *z], [x, y, *z])])
            r = abs(inverse[0, 1]) / np.sqrt(inverse[0, 0] * inverse[1, 1])
            found = min(found, float(r))
    return found


def limit(n_networks: int, n_samples: int) -> None:
    """Print how often H2PC recovers the equivalence class, and why it does not."""
    print("| edges per variable | recovered | missed, with a link below 1.96 / √n | missed |")
    print("|---:|---:|---:|---:|")
    for density in (1.0, 1.5):
        n_recovered = n_weak = 0
        for seed in range(n_networks):
            n_variables = 8 + seed % 8
            truth = make_linear_gaussian_network(
                n_variables, round(density * n_variables), random_state=seed
            )
            learner = H2PC().fit(truth.sample(n_samples, random_state=seed))
            if shd(learner.dag_, truth.dag) == 0:
                n_recovered += 1
                continue
            linked = set(learner.result_.skeleton.edges)
            missing = [edge for edge in truth.dag.skeleton().edges if edge not in linked]
            weakest = [weakest_link(truth, *edge) for edge in missing]
            n_weak += bool(weakest) and min(weakest) < 1.96 / n_samples**0.5
            print(n_variables, seed, "missing", missing, weakest, file=sys.stderr)
        n_other = n_networks - n_recovered - n_weak
        print(f"| {density} | {n_recovered} of {n_networks} | {n_weak} | {n_other} |", flush=True)


def peak_gigabytes() -> float:
    """Return the most memory that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def genes(which: str, n_variables: int, n_samples: int) -> None:
    """Measure HPC of one variable, or the tests of all pairs; prints a row."""
    truth = make_linear_gaussian_network(n_variables, random_state=1)
    data = truth.sample(n_samples, random_state=1)
    before = peak_gigabytes()
    start = perf_counter()
    if which == "target":
        target = max(truth.dag.variables, key=lambda v: (len(truth.dag.adjacent(v)) == 4, -v))
        found = set(hpc(target, GaussianTest(data), tuple(range(data.n_variables))))
        true = set(truth.dag.adjacent(target))
        said = f"{len(found & true)} of {len(true)} neighbours, {len(found - true)} others"
    else:
        n_pairs = n_variables * (n_variables - 1) // 2
        bound = np.tanh(6.1 / np.sqrt(n_samples - 3))  # p = 1e-9, Fisher's z
        n_linked = 0
        for block in correlation_blocks(columns_of(data)):
            is_linked = np.abs(block.values) > bound
            n_linked += int(np.count_nonzero(is_linked)) // (1 + (block.rows == block.columns))
        said = f"{n_pairs:,} pairs, {n_linked:,} with |r| > {bound:.3f}"
    seconds = perf_counter() - start
    print(f"| {which} | {seconds:.2f} s | {before:.2f} GB | {peak_gigabytes():.2f} GB | {said} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer-python", default=sys.executable, help="has causal-learn, pgmpy")
    parser.add_argument("--results", type=Path, default=Path("build/continuous.jsonl"))
    parser.add_argument("--networks", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--seeds", type=int, default=3, metavar="N")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds of a run")
    parser.add_argument("--many-samples", type=int, metavar="N", help="networks, 1e6 samples each")
    parser.add_argument("--samples", type=int, default=LIMIT_SAMPLES, help="with --many-samples")
    parser.add_argument("--genes", action="store_true")
    parser.add_argument("--gene", choices=("target", "pairs"), help=argparse.SUPPRESS)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        learner, table, answer = chosen.one
        run_of_ours(learner, Path(table), Path(answer))
    elif chosen.many_samples:
        limit(chosen.many_samples, chosen.samples)
    elif chosen.gene:
        genes(chosen.gene, N_GENES, N_CELLS)
    elif chosen.genes:
        print("| what | time | memory before | peak memory | found |")
        print("|---|---:|---:|---:|---|", flush=True)
        for which in ("target", "pairs"):  # in processes of their own, for the memory
            subprocess.run([sys.executable, __file__, "--gene", which], check=True)
    else:
        chosen.results.parent.mkdir(parents=True, exist_ok=True)
        compare(chosen)


if __name__ == "__main__":
    main()
