"""Seconds to learn the neighbourhood of every variable, beside bnlearn, causal-learn and pyAgrum.

The networks are sampled with a fixed seed. Where R and bnlearn are installed they run on the very
same samples; otherwise their column shows figures of bnlearn 5.2.1 taken on a similar machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

import peers
from h2pc import Dataset, SkeletonResult, load_network, skeleton

ALPHA = 0.05
SEED = 1
AIM = 30.0
PAIRS = (  # network, samples
    ("alarm", 5000),
    ("alarm", 20_000),
    ("insurance", 20_000),
    ("andes", 5000),
    ("pigs", 500),
    ("pigs", 5000),
    ("hailfinder", 20_000),
)
WITH_PEERS = ("alarm", 5000)
LEARNERS = ("hpc", "mmpc")
WHILE = 3.0  # seconds that short runs are repeated for
PATIENCE = 10.0  # seconds after which a run is not repeated


class RFigures(NamedTuple):
    """What bnlearn took."""

    seconds: float
    n_tests: int | None = None
    measured: bool = False


# bnlearn 5.2.1, test "mi-adf", alpha 0.05, one thread; tests where they were noted.
STORED = {
    ("hpc", "alarm", 5000): RFigures(0.48, 10_300),
    ("hpc", "alarm", 20_000): RFigures(1.7),
    ("hpc", "insurance", 20_000): RFigures(4.3),
    ("hpc", "andes", 5000): RFigures(47.0, 456_000),
    ("hpc", "pigs", 500): RFigures(72.0),
    ("hpc", "pigs", 5000): RFigures(135.0, 2_300_000),
}

R_SCRIPT = """
suppressMessages(library(bnlearn))
arguments <- commandArgs(trailingOnly = TRUE)
cards <- scan(arguments[2], quiet = TRUE)
data <- read.csv(arguments[1], colClasses = "integer")
for (i in seq_along(data)) data[[i]] <- factor(data[[i]], levels = seq_len(cards[i]) - 1)
learner <- get(arguments[3], asNamespace("bnlearn"))
seconds <- system.time(
  found <- learner(data, test = "mi-adf", alpha = as.numeric(arguments[4]))
)[["elapsed"]]
cat(seconds, ntests(found))
"""


class Figures(NamedTuple):
    """One line of the table."""

    network: str
    n_samples: int
    n_edges: int
    n_tests: int
    seconds: float
    seconds_parallel: float
    faster: float
    """Times that all threads are faster than one: the median over runs side by side."""
    bnlearn: RFigures | None


def learn(learner: str, data: Dataset, n_jobs: int) -> SkeletonResult:
    """Learn the skeleton, as a user would."""
    return skeleton(data, learner, alpha=ALPHA, n_jobs=n_jobs, progress=False)


def best_seconds(run: Callable[[], Any], repetitions: int, patience: float) -> tuple[float, Any]:
    """Return the best time and the result; no run is repeated after ``patience`` seconds.

    Short ones are repeated for a while: the speed of the machine changes within a second.
    """
    best, spent, result = float("inf"), 0.0, None
    n_runs = 0
    while n_runs == 0 or (spent < patience and (n_runs < repetitions or spent < WHILE)):
        start = perf_counter()
        result = run()
        seconds = perf_counter() - start
        best, spent, n_runs = min(best, seconds), spent + seconds, n_runs + 1
    return best, result


def alternated(
    one: Callable[[], Any], other: Callable[[], Any], repetitions: int, patience: float
) -> list[tuple[float, float]]:
    """Return the times of both, run in turn for as long as :func:`best_seconds` would run both.

    The machine has moods that last seconds: only runs side by side can be compared.
    """
    times: list[tuple[float, float]] = []
    spent = 0.0
    while spent < 2 * patience and (len(times) < repetitions or spent < 2 * WHILE):
        pair = best_seconds(one, 1, 0.0)[0], best_seconds(other, 1, 0.0)[0]
        times.append(pair)
        spent += sum(pair)
    return times


def bnlearn_is_installed() -> bool:
    """Whether Rscript is there and finds bnlearn."""
    if shutil.which("Rscript") is None:
        return False
    command = ["Rscript", "--vanilla", "-e", "library(bnlearn)"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def bnlearn_figures(learner: str, data: Dataset) -> RFigures:
    """Run bnlearn on the sample; reading the data is not timed."""
    with TemporaryDirectory() as folder:
        table, cards, script = (Path(folder) / name for name in ("data.csv", "cards", "learn.R"))
        header = ",".join(f"v{v:04d}" for v in range(data.n_variables))
        np.savetxt(table, data.codes.T, fmt="%d", delimiter=",", header=header, comments="")
        cards.write_text(" ".join(map(str, data.cards)))
        script.write_text(R_SCRIPT)
        command = ["Rscript", "--vanilla", script, table, cards, learner, str(ALPHA)]
        child = subprocess.run(command, capture_output=True, text=True, check=False)
    if child.returncode != 0:
        raise SystemExit(f"Rscript failed:\n{child.stderr}")
    seconds, n_tests = child.stdout.split()[-2:]
    return RFigures(float(seconds), int(float(n_tests)), measured=True)


def measured(
    learner: str, network: str, n_samples: int, repetitions: int, *, with_r: bool
) -> Figures:
    """Measure one line."""
    data = load_network(network).sample(n_samples, random_state=SEED)
    n_jobs = os.cpu_count() or 1
    found = learn(learner, data, 1)
    if learn(learner, data, n_jobs).skeleton != found.skeleton:
        raise SystemExit(f"{network}: another skeleton with {n_jobs} workers than with one.")
    times = alternated(
        lambda: learn(learner, data, 1),
        lambda: learn(learner, data, n_jobs),
        repetitions,
        PATIENCE,
    )
    seconds, parallel = map(min, zip(*times, strict=True))
    faster = median(alone / together for alone, together in times)
    stored = STORED.get((learner, network, n_samples))
    bnlearn = bnlearn_figures(learner, data) if with_r else stored
    n_edges = len(found.skeleton.edges)
    return Figures(network, n_samples, n_edges, found.n_tests, seconds, parallel, faster, bnlearn)


def printed(learner: str, lines: list[Figures]) -> Table:
    """Return the table of all networks."""
    table = Table(title=f"{learner.upper()} of every variable: seconds", caption_justify="left")
    cores = os.cpu_count() or 1
    headings = ("network", "n", "edges", "tests", "1 thread", f"{cores} threads", "µs/test")
    for heading in (*headings, "bnlearn", "tests", "ratio"):
        table.add_column(heading, justify="right")
    for line in lines:
        cells = [line.network, f"{line.n_samples:,}", str(line.n_edges), f"{line.n_tests:,}"]
        cells += [f"{line.seconds:.3f}", f"{line.seconds_parallel:.3f} ({line.faster:.1f}×)"]
        cells.append(f"{1e6 * line.seconds / line.n_tests:.2f}")
        if line.bnlearn is None:
            cells += ["", "", ""]
        else:
            n_tests = line.bnlearn.n_tests
            cells.append(f"{line.bnlearn.seconds:.2f}{' ' if line.bnlearn.measured else '*'}")
            cells.append("" if n_tests is None else f"{n_tests:,}")
            cells.append(f"{line.bnlearn.seconds / line.seconds:.1f}×")
        table.add_row(*cells)
    if any(line.bnlearn and not line.bnlearn.measured for line in lines):
        table.caption = "* bnlearn 5.2.1, test mi-adf, alpha 0.05, on a similar machine, not now"
    return table


def peers_table(seconds: float) -> Table:
    """Measure the other Python libraries on one sample."""
    network, n_samples = WITH_PEERS
    data = load_network(network).sample(n_samples, random_state=SEED)
    runs: dict[str, Callable[[], Any]] = {}
    if pyagrum := peers.single_threaded_pyagrum():
        runs["pyAgrum MIIC"] = peers.pyagrum_miic(data, pyagrum)
        if pc := peers.pyagrum_pc(data, pyagrum, ALPHA):
            runs["pyAgrum PC (G²)"] = pc
    if peers.installed("causallearn"):
        runs["causal-learn PC (gsq)"] = peers.causal_learn_pc(data, ALPHA)
    table = Table(title=f"Whole structures, {network}, n = {n_samples:,}, one thread")
    for heading in ("learner", "seconds", "times h2pc"):
        table.add_column(heading, justify="right")
    for name, run in runs.items():
        theirs, _ = best_seconds(run, 3, 5.0)
        table.add_row(name, f"{theirs:.2f}", f"{theirs / seconds:.1f}×")
    return table


def chosen_pairs(networks: list[str] | None, sizes: list[int] | None) -> list[tuple[str, int]]:
    """Return the pairs asked for; without sizes, those that a network is listed with."""
    if sizes is None:
        listed = [pair for pair in PAIRS if networks is None or pair[0] in networks]
        others = [name for name in networks or () if name not in dict(PAIRS)]
        return listed + [(name, 5000) for name in others]
    names = networks or list(dict.fromkeys(name for name, _ in PAIRS))
    return [(name, size) for name in names for size in sizes]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="+", metavar="NAME", help="instead of the usual ones")
    parser.add_argument("--sizes", nargs="+", type=int, metavar="N", help="numbers of samples")
    parser.add_argument("--learner", choices=LEARNERS, default="hpc")
    parser.add_argument("--quick", action="store_true", help="alarm, n = 5,000, without peers")
    parser.add_argument("--no-peers", action="store_true", help="leave other libraries out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    chosen = parser.parse_args()
    pairs = chosen_pairs(chosen.networks, chosen.sizes)
    if chosen.quick and not (chosen.networks or chosen.sizes):
        pairs = [WITH_PEERS]
    with_peers = not (chosen.quick or chosen.no_peers)
    with_r = with_peers and bnlearn_is_installed()
    repetitions = 1 if chosen.quick else 5

    console = Console()
    if console.width < 110:
        console = Console(width=110)
    learn(chosen.learner, load_network("asia").sample(500, random_state=SEED), 1)  # compiles
    lines = []
    with console.status("measuring") as status:
        for network, n_samples in pairs:
            status.update(f"{network}, n = {n_samples:,}")
            lines.append(measured(chosen.learner, network, n_samples, repetitions, with_r=with_r))
    console.print(printed(chosen.learner, lines))
    for line in lines:
        if line.bnlearn is not None:
            ratio = line.bnlearn.seconds / line.seconds
            verdict = "[green]holds [/]" if ratio >= AIM else "[red]missed[/]"
            where = f"{line.network}, n = {line.n_samples:,}"
            console.print(f"{verdict}  at least {AIM:g} × bnlearn on {where}: {ratio:.1f} ×")
    if with_peers:
        ours = [line.seconds for line in lines if (line.network, line.n_samples) == WITH_PEERS]
        if ours:
            console.print(peers_table(ours[0]))
        for sentence in peers.missing_peers():
            console.print(sentence)
    if chosen.json:
        facts = {"machine": platform.platform(), "versions": peers.versions()}
        facts["lines"] = [
            line._asdict() | {"bnlearn": line.bnlearn and line.bnlearn._asdict()} for line in lines
        ]
        chosen.json.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
