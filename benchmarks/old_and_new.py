"""Two installed versions of h2pc side by side: times, memory, and whether the answers are the same.

``--old PYTHON --new PYTHON`` name the interpreters that the versions are installed for. Every case
has a process of its own under each of them, and these take turns, because the speed of a machine
changes within seconds; the best run of each counts. Answers are compared, and differences are
printed.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import inspect
import json
import math
import os
import platform
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from time import perf_counter, process_time
from typing import Any, NamedTuple

ALPHA = 0.05
SEED = 1
SCRIPT = str(Path(__file__).resolve())
ROUNDS = 4  # turns of each version; two where a single run takes longer than it has
PATIENCE = 20.0  # seconds of a run after which there is no second turn
SAME = 1e-9  # log p-values that are further apart are other answers

NETWORKS = (  # with the numbers of samples
    ("alarm", 5000),
    ("insurance", 20_000),
    ("hailfinder", 20_000),
    ("andes", 5000),
    ("pigs", 5000),
    ("munin1", 5000),
    ("link", 1000),
)
IN_TWO_THREADS = {
    "hpc": ("alarm", "insurance", "andes", "pigs", "munin1", "link"),
    "mmpc": ("andes", "pigs"),
}
DEFAULTS: dict[str, Any] = {"settings": {}}
PAPER = {"variant": "paper"}
LEVELS = ("2", "3", "4", "2-20")
SIZES = (500, 5000, 50_000)
TEXTS = ("enron", "bibtex")
LABELLED = ("emotions", "scene", "yeast", "image", "genbase", "medical", "slashdot", "enron")
LABELLED += ("bibtex", "corel5k")
OLD, NEW = "old", "new"


class Case(NamedTuple):
    """What both versions do: a name, a group of the table, a kind of task and its details."""

    name: str
    group: str
    kind: str
    details: dict[str, Any]


def cases(folder: Path | None, *, with_labels: bool) -> list[Case]:
    """All cases, in the order of the table."""
    found = [
        Case(
            f"{'marginal' if k == 0 else f'|Z| = {k}'}, {levels} levels, n = {n:,}",
            f"tests, |Z| = {k}",
            "tests",
            {"n_conditions": k, "levels": levels, "n_samples": n},
        )
        for k in range(4)
        for levels in LEVELS
        for n in SIZES
    ]
    for network, n in NETWORKS:
        name = f"data and test, {network} {n:,}"
        found.append(Case(name, "data and test", "made", {"network": network, "n_samples": n}))
    for learner, in_two in IN_TWO_THREADS.items():
        for network, n in NETWORKS:
            details = {"learner": learner, "network": network, "n_samples": n}
            for jobs in (1, 2) if network in in_two else (1,):
                group = f"{learner.upper()} skeleton{_threads(jobs)}"
                name = f"{learner.upper()} {network} {n:,}{_threads(jobs)}"
                found.append(Case(name, group, "skeleton", {**details, "jobs": jobs}))
    for title, settings in (("as in the paper", PAPER), ("defaults", {})):
        for network, n in NETWORKS:
            details = {"network": network, "n_samples": n, "settings": settings}
            name = f"H2PC ({title}) {network} {n:,}"
            found.append(Case(name, f"H2PC {title}", "network", details))
    if folder is not None:
        for text in TEXTS:
            for jobs in (1, 2):
                details = {"data": text, "folder": str(folder), "jobs": jobs}
                name = f"labels of {text}{_threads(jobs)}"
                found.append(Case(name, f"labels of text{_threads(jobs)}", "text", details))
    if folder is not None and with_labels:
        for data in LABELLED:
            details = {"data": data, "folder": str(folder)}
            found.append(Case(f"label graph of {data}", "label graphs", "label graph", details))
    details = {"n_variables": 100_000, "n_samples": 500}
    found.append(Case("one of 100,000", "one of many", "one of many", details))
    found += [Case(f"process: {how}", "process", "process", {"how": how}) for how in COMMANDS]
    return found


def _threads(jobs: int) -> str:
    return "" if jobs == 1 else f", {jobs} threads"


# What a worker does, under the interpreter of one version.


class Task(NamedTuple):
    """A piece of work that is timed."""

    run: Callable[[Any], Any]
    answer: Callable[[Any], Any]
    """What is compared, made of what a run returned: numbers, or a dict of fields."""
    before: Callable[[], Any] = lambda: None
    """What the run needs, made anew every time and not timed."""
    per: int = 1
    """The number of pieces that the seconds are divided by."""


def digest(value: object) -> str:
    """Return a short name for a large answer."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def fresh(data: Any) -> Any:
    """Return the same data as a new object: nothing that tests or scores left in it is there."""
    from h2pc import Dataset

    return Dataset.from_codes(data.codes, cards=data.cards, names=data.names, states=data.states)


def sampled(network: str, n_samples: int) -> Any:
    """Return the sample of a network that all cases share."""
    from h2pc import load_network

    return load_network(network).sample(n_samples, SEED)


def tests_task(n_conditions: int, levels: str, n_samples: int) -> Task:
    """Independence tests on the data and with the questions of ``tests_per_second.py``.

    Marginal ones include making the test, which counts all pairs.
    """
    from h2pc import GTest
    from tests_per_second import (
        POWER_RULE,
        all_pairs,
        cards_of,
        conditional_questions,
        dependent_sample,
        refused,
    )

    data = dependent_sample(cards_of(levels), n_samples, seed=n_samples)
    questions = conditional_questions(n_conditions) if n_conditions else all_pairs()
    off = any(refused(data, question) for question in questions)
    power_rule = 0.0 if off else POWER_RULE
    # Answers must not come from a cache. Where it cannot be switched off, every test is a new one.
    has_cache = "remembered" in inspect.signature(GTest).parameters
    no_cache: dict[str, Any] = {"remembered": 0} if has_cache else {}

    def made(sample: Any) -> Any:
        return GTest(sample, power_rule=power_rule, **no_cache)

    def prepared() -> Any:
        test = made(fresh(data))
        target, candidates, z = questions[0]
        test.log_p_many(candidates[0], (target,), z[:0])  # what is made at the first question
        return test

    ready = prepared() if n_conditions and has_cache else None

    def before() -> Any:
        if n_conditions:
            return ready or prepared()
        return fresh(data)

    def run(given: Any) -> Any:
        test = given if n_conditions else made(given)
        return [test.log_p_many(*question) for question in questions]

    def answer(found: Any) -> list[float]:
        return [float(log_p) for row in found for log_p in row]

    return Task(run, answer, before, sum(len(q.candidates) for q in questions))


def made_task(network: str, n_samples: int) -> Task:
    """A data set from codes, a test on it, and a first marginal and conditional question."""
    from h2pc import GTest

    data = sampled(network, n_samples)
    candidates = tuple(range(2, data.n_variables))

    def run(_: None) -> Any:
        test = GTest(fresh(data), ALPHA)
        return [*test.log_p_many(0, candidates), *test.log_p_many(0, candidates, (1,))]

    return Task(run, lambda found: [float(log_p) for log_p in found])


def skeleton_task(learner: str, network: str, n_samples: int, jobs: int) -> Task:
    """A skeleton, as a user would learn it."""
    from h2pc import skeleton

    data = sampled(network, n_samples)
    return Task(
        lambda given: skeleton(given, learner, alpha=ALPHA, n_jobs=jobs, progress=False),
        lambda found: {
            "n_edges": len(found.skeleton.edges),
            "n_tests": found.n_tests,
            "edges": digest(found.skeleton.named_edges),
            "neighbourhoods": digest(sorted(found.neighbourhoods.items())),
        },
        lambda: fresh(data),
    )


def answer_of_network(found: Any) -> dict[str, Any]:
    """Return what is compared of a learned network."""
    return {
        "n_edges": len(found.dag.edges),
        "n_tests": found.n_tests,
        "n_scores": found.n_scores,
        "n_moves": found.n_moves,
        "score": float(found.score).hex(),
        "edges": digest(found.dag.named_edges),
    }


def network_task(network: str, n_samples: int, settings: dict[str, Any]) -> Task:
    """H2PC from data to network, in one thread."""
    from h2pc import H2PC

    data = sampled(network, n_samples)
    known = inspect.signature(H2PC).parameters
    if settings == PAPER and "variant" not in known:  # the old one
        old = {"restarts": 0, "second_power_rule": None}
        settings = {name: value for name, value in old.items() if name in known}
    return Task(
        lambda given: H2PC(progress=False, **settings).fit(given).result_,
        answer_of_network,
        lambda: fresh(data),
    )


def numbered(data: str, folder: str) -> Any:
    """Return the features and labels of a data set as numbers, in either version."""
    import h2pc

    if hasattr(h2pc, "load_multilabel"):  # the old one
        from h2pc.experiments.multilabel_folds import NumberedData

        return NumberedData.of(h2pc.load_multilabel(data, folder))
    from h2pc.experiments.fold_predictions import NumberedData

    return NumberedData.of(h2pc.read_multilabel(Path(folder) / data))


def labels_of(table: Any) -> tuple[str, ...]:
    """Return the names of the labels, in either version."""
    return getattr(table, "targets", None) or table.labels


def text_task(data: str, folder: str, jobs: int) -> Task:
    """HPC of all labels of text data; making the test is timed."""
    from h2pc import GTest, hpc

    try:
        from h2pc.algorithms.neighbourhoods import neighbourhoods
    except ImportError:  # the old version
        from h2pc.structure import neighbourhoods

    table = numbered(data, folder)
    dataset = table.discrete()
    targets = dataset.variables(labels_of(table))
    universe = tuple(range(dataset.n_variables))

    def answer(found: Any) -> dict[str, Any]:
        old = hasattr(found, "sets")
        sets = found.sets if old else {target: each.pc for target, each in found.items()}
        n_tests = found.n_tests if old else sum(each.n_tests for each in found.values())
        return {
            "n_neighbours": sum(map(len, sets.values())),
            "n_tests": n_tests,
            "sets": digest(sorted(sets.items())),
        }

    return Task(
        lambda given: neighbourhoods(targets, GTest(given, ALPHA), universe, hpc, n_jobs=jobs),
        answer,
        lambda: fresh(dataset),
    )


def label_graph_task(data: str, folder: str) -> Task:
    """H2PC around all labels of a data set, as ``label_graphs.py`` does it, in one thread."""
    from h2pc import H2PC

    table = numbered(data, folder)
    discrete = table.discrete()
    return Task(
        lambda given: H2PC(targets=labels_of(table), progress=False).fit(given).result_,
        answer_of_network,
        lambda: fresh(discrete),
    )


def one_of_many_task(n_variables: int, n_samples: int) -> Task:
    """HPC of one target among many variables, with making the data set and the test."""
    import numpy as np

    from h2pc import Dataset, GTest, hpc
    from one_of_many import blocks, planted

    target, _ = planted(n_variables, n_samples, SEED)
    bits = np.concatenate([block for _, block in blocks(n_variables, n_samples, SEED, 0.5)])

    def run(_: None) -> Any:
        data = Dataset.from_codes(bits)
        return hpc(target, GTest(data, ALPHA), tuple(range(data.n_variables)))

    return Task(
        run,
        lambda found: {"pc": digest(found)},
    )


def pyagrum_task(network: str, n_samples: int) -> Task:
    """Greedy hill climbing of pyAgrum with BDeu; making its learner is not timed."""
    import peers

    data = sampled(network, n_samples)
    run, graph_of = peers.pyagrum_hill_climbing(peers.Task(peers.table_of(data), ALPHA, 10.0))
    return Task(lambda _: run(), lambda found: {"n_edges": len(graph_of(found).directed)})


TASKS: dict[str, Callable[..., Task]] = {
    "tests": tests_task,
    "made": made_task,
    "skeleton": skeleton_task,
    "network": network_task,
    "text": text_task,
    "label graph": label_graph_task,
    "one of many": one_of_many_task,
    "pyagrum": pyagrum_task,
}


def worker(kind: str, details: dict[str, Any]) -> None:
    """Do one case; every line of the input asks for a turn of so many seconds.

    The first turn also loads what is compiled or cached, and is followed by others; its answer is
    the one that is compared.
    """
    import h2pc

    said = {"version": h2pc.__version__, "place": str(Path(h2pc.__file__).parent)}
    said["python"] = platform.python_version()
    task = TASKS[kind](**details)
    say(said)
    gc.disable()
    for line in sys.stdin:
        turn = timed(task, float(line))
        gc.collect()
        say(turn)


def say(value: object) -> None:
    """Write a line for the process that measures."""
    print(json.dumps(value), flush=True)


def timed(task: Task, seconds: float) -> dict[str, Any]:
    """Run for a while, once at least, and return the best run and the last answer."""
    best, cpu, spent, n_runs, found = math.inf, math.inf, 0.0, 0, None
    while n_runs == 0 or spent < seconds:
        given = task.before()
        found = None  # what the run before it found is freed outside the clock
        start, cpu_start = perf_counter(), process_time()
        found = task.run(given)
        took, cpu_took = perf_counter() - start, process_time() - cpu_start
        best, cpu = min(best, took), min(cpu, cpu_took)
        spent, n_runs = spent + took, n_runs + 1
    return {
        "seconds": best / task.per,
        "cpu": cpu / task.per,
        "whole": best,
        "runs": n_runs,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "answer": task.answer(found),
    }


# What measures.


class WorkerError(Exception):
    """A worker came to an end."""


@dataclass
class Figures:
    """The best of one version on one case."""

    seconds: float = math.inf
    cpu: float = math.inf
    megabytes: float = 0.0
    runs: int = 0
    answer: Any = None

    def add(self, turn: dict[str, Any]) -> None:
        """Take in a turn."""
        self.seconds = min(self.seconds, turn["seconds"])
        self.cpu = min(self.cpu, turn["cpu"])
        self.megabytes = max(self.megabytes, turn["megabytes"])
        self.runs += turn["runs"]
        self.answer = turn["answer"]


@dataclass
class Row:
    """One line of the table."""

    name: str
    group: str
    kind: str
    old: Figures = field(default_factory=Figures)
    new: Figures = field(default_factory=Figures)
    difference: str = ""
    error: str = ""

    @property
    def ratio(self) -> float:
        """How many times faster the new version is."""
        return self.old.seconds / self.new.seconds


class Worker:
    """A process that does one case under one interpreter, a turn at a time."""

    def __init__(self, python: str, kind: str, details: dict[str, Any]) -> None:
        self._errors = TemporaryFile("w+")  # noqa: SIM115 - open as long as the process is there
        self._process = subprocess.Popen(
            [python, SCRIPT, "--worker", json.dumps([kind, details])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env=environment(),
        )
        self.said = self._answer()

    def turn(self, seconds: float) -> dict[str, Any]:
        """Let it work for so many seconds, or once."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._errors.seek(0)
            raise WorkerError(last_line(self._errors.read()))
        return json.loads(line)

    def close(self) -> None:
        """End it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
        self._errors.close()


def last_line(text: str) -> str:
    """Return what a program said at its end."""
    return (text.strip().splitlines() or ["it ended without a message"])[-1]


def environment() -> dict[str, str]:
    """Return the surroundings of a worker: each version comes from its own interpreter."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


Pair = tuple[tuple[str, str, dict[str, Any]], tuple[str, str, dict[str, Any]]]
"""The interpreter, the kind of task and the details of the old version, and of the new one."""


def measured(row: Row, pair: Pair, seconds: float) -> None:
    """Let both versions take turns, and fill in their figures."""
    workers: list[Worker] = []
    try:
        workers += [Worker(*pair[0])]
        workers += [Worker(*pair[1])]
        sides = list(zip((row.old, row.new), workers, strict=True))
        slowest = 0.0
        for n_rounds in range(1, ROUNDS + 1):
            for figures, process in sides:
                turn = process.turn(seconds / ROUNDS)
                figures.add(turn)
                slowest = max(slowest, turn["whole"])
            if slowest > PATIENCE or (n_rounds > 1 and slowest > seconds):
                break
    except WorkerError as error:
        row.error = str(error)
    finally:
        for process in workers:
            process.close()


PYTHON_PROCESS = """
from h2pc import H2PC, read_dataset
for edge in H2PC(progress=False).fit(read_dataset("alarm.csv")).edges_:
    print(*edge, sep=",")
"""
COMMANDS = {
    "import": ["-c", "import h2pc; print(h2pc.GTest.__name__, h2pc.H2PC.__name__)"],
    "command line": ["-m", "h2pc", "learn", "alarm.csv", "-o", "-", "--quiet"],
    "Python": ["-c", PYTHON_PROCESS],
}


def measured_processes(row: Row, how: str, pythons: tuple[str, str], seconds: float) -> None:
    """Let both versions take turns in fresh processes: wall time, CPU time and peak memory."""
    with TemporaryDirectory() as folder:
        write_sample = [pythons[0], SCRIPT, "--write-sample", str(Path(folder) / "alarm.csv")]
        subprocess.run(write_sample, check=True, env=environment())
        sides = list(zip((row.old, row.new), pythons, strict=True))
        spent = 0.0
        while row.new.runs < 2 or (spent < 2 * seconds and row.new.runs < 20):
            for figures, python in sides:
                try:
                    turn = process_turn([python, *COMMANDS[how]], folder)
                except WorkerError as error:
                    row.error = str(error)
                    return
                figures.add(turn)
                spent += turn["seconds"]


def process_turn(command: list[str], folder: str) -> dict[str, Any]:
    """Run a program once, in a folder."""
    with TemporaryFile("w+") as out, TemporaryFile("w+") as errors:
        start = perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdout=out, stderr=errors, env=environment()
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = perf_counter() - start
        out.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            raise WorkerError(last_line(errors.read()))
        return {
            "seconds": seconds,
            "cpu": usage.ru_utime + usage.ru_stime,
            "megabytes": usage.ru_maxrss / 1024,
            "runs": 1,
            "answer": {"output": digest(out.read())},
        }


def write_sample(path: Path) -> None:
    """Write 5,000 samples of alarm as a CSV file."""
    data = sampled("alarm", 5000)
    columns = [
        [str(states[code]) for code in codes]
        for codes, states in zip(data.codes.tolist(), data.states, strict=True)
    ]
    lines = [",".join(row) for row in (data.names, *zip(*columns, strict=True))]
    path.write_text("\n".join(lines) + "\n")


def difference(old: Any, new: Any) -> str:
    """Say how two answers differ; nothing where they do not."""
    if old == new:
        return ""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        others = [abs(a - b) for a, b in zip(old, new, strict=True) if a != b]
        apart = max(others)
        bits = f"{len(others)} of {len(old)} log p-values differ by up to {apart:.2g}"
        return bits if apart > SAME else f"rounding: {bits}"
    if isinstance(old, dict) and isinstance(new, dict):
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        return ", ".join(f"{name} {old.get(name)} and {new.get(name)}" for name in names)
    return "the answers have other shapes"


# What is printed.


def in_words(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1.0:
            return f"{seconds * factor:,.3g} {unit}" if seconds < 100 else f"{seconds:,.0f} s"
    return f"{1e6 * seconds:.3g} µs"


def geometric_mean(ratios: Iterable[float]) -> float:
    """Return the mean of ratios."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(math.fsum(logs) / len(logs))


def printed(rows: Sequence[Row]) -> Any:
    """Return the table of all cases."""
    from rich.table import Table

    table = Table(title="The old version and the new one", caption_justify="left")
    table.add_column("case")
    for heading in ("old", "new", "old/new", "CPU", "MB old", "MB new", "answers"):
        table.add_column(heading, justify="right")
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        last = following is None or following.group != row.group
        if row.error:
            table.add_row(row.name, "", "", "", "", "", "", "[red]failed[/]", end_section=last)
            continue
        answers = "same"
        if row.difference:
            rounding = row.difference.startswith("rounding")
            answers = "[yellow]rounding[/]" if rounding else "[bold red]DIFFER[/]"
        table.add_row(
            row.name,
            in_words(row.old.seconds),
            in_words(row.new.seconds),
            f"{row.ratio:.2f}" if row.ratio >= 1.0 else f"[red]{row.ratio:.2f}[/]",
            f"{row.old.cpu / max(row.new.cpu, 1e-9):.2f}",
            f"{row.old.megabytes:.0f}",
            f"{row.new.megabytes:.0f}",
            answers,
            end_section=last,
        )
    table.caption = "Tests: time of one. CPU: old/new of CPU time. MB: peak memory of the process"
    return table


def summary(rows: Sequence[Row]) -> Any:
    """Return the table of all groups."""
    from rich.table import Table

    table = Table(title="old/new")
    table.add_column("group")
    for heading in ("cases", "geometric mean", "smallest"):
        table.add_column(heading, justify="right")
    table.add_column("where")
    groups = dict.fromkeys(row.group for row in rows)
    parts = [(group, [row for row in rows if row.group == group]) for group in groups]
    for title, part in (*parts, ("all", list(rows))):
        worst = min(part, key=lambda row: row.ratio)
        mean = geometric_mean(row.ratio for row in part)
        cells = [title, f"{len(part)}", f"{mean:.2f}", f"{worst.ratio:.2f}", worst.name]
        table.add_row(*cells, end_section=title != "all" and title == parts[-1][0])
    return table


def threads(rows: Sequence[Row]) -> Any | None:
    """Return how many times faster two threads are than one, of both versions."""
    from rich.table import Table

    table = Table(title="Two threads")
    table.add_column("case")
    for heading in ("one, new", "two, new", "one/two, new", "one/two, old"):
        table.add_column(heading, justify="right")
    by_name = {row.name: row for row in rows}
    for name, two in by_name.items():
        one = by_name.get(name.removesuffix(_threads(2)))
        if one is None or one is two:
            continue
        table.add_row(
            one.name,
            in_words(one.new.seconds),
            in_words(two.new.seconds),
            f"{one.new.seconds / two.new.seconds:.2f}",
            f"{one.old.seconds / two.old.seconds:.2f}",
        )
    return table if table.row_count else None


def beside_pyagrum(pythons: tuple[str, str], seconds: float) -> str:
    """Return a sentence on pyAgrum's greedy hill climbing beside H2PC of the new version."""
    network, n_samples = NETWORKS[0]
    details: dict[str, Any] = {"network": network, "n_samples": n_samples}
    for python in (pythons[1], pythons[0]):
        found = subprocess.run(
            [python, "-c", "import pyagrum, pandas"],
            capture_output=True,
            check=False,
            env=environment(),
        )
        if found.returncode == 0:
            break
    else:
        return "pyAgrum is not installed for either interpreter, and left out."
    row = Row("pyAgrum", "peers", "pyagrum")
    ours = pythons[1], "network", {**details, **DEFAULTS}
    measured(row, ((python, "pyagrum", details), ours), seconds)
    if row.error:
        return f"pyAgrum beside H2PC failed: {row.error}"
    return (
        f"{network}, n = {n_samples:,}: pyAgrum's greedy hill climbing {in_words(row.old.seconds)} "
        f"({row.old.answer['n_edges']} edges), H2PC() {in_words(row.new.seconds)} "
        f"({row.new.answer['n_edges']} edges), ratio {row.ratio:.1f}"
    )


def facts_of(row: Row) -> dict[str, Any]:
    """Return a row for a file; of long answers a digest is kept."""
    facts = asdict(row)
    for version in (OLD, NEW):
        if isinstance(facts[version]["answer"], list):
            facts[version]["answer"] = digest(facts[version]["answer"])
        if not math.isfinite(facts[version]["seconds"]):
            facts[version] = None
    return facts | {"ratio": None if row.error else row.ratio}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--old", metavar="PYTHON", help="the interpreter of the old version")
    parser.add_argument("--new", metavar="PYTHON", default=sys.executable)
    parser.add_argument("--only", metavar="REGEX", default="", help="cases with such a name")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each version on each case")
    parser.add_argument("--folder", type=Path, default=os.environ.get("H2PC_MULTILABEL"))
    parser.add_argument("--labels", action="store_true", help="label graphs of all data sets, too")
    parser.add_argument("--peers", action="store_true", help="pyAgrum beside H2PC, too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--worker", metavar="TASK", help=argparse.SUPPRESS)
    parser.add_argument("--write-sample", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(*json.loads(options.worker))
        return
    if options.write_sample:
        write_sample(options.write_sample)
        return
    folder = None if options.folder is None else Path(options.folder).resolve()
    every = cases(folder, with_labels=options.labels)
    chosen = [case for case in every if re.search(options.only, case.name)]
    if options.list:
        print(*(case.name for case in chosen), sep="\n")
        return
    if options.old is None:
        parser.error("--old must name the interpreter of the old version")
    measure_all(chosen, (options.old, options.new), options)
    if folder is None:
        print("Labels are left out: --folder (or H2PC_MULTILABEL) names the folder of their data.")


def measure_all(
    chosen: Sequence[Case], pythons: tuple[str, str], options: argparse.Namespace
) -> None:
    """Measure the cases, print the tables and keep the figures."""
    from rich.console import Console

    console = Console()
    if console.width < 120:
        console = Console(width=120)
    versions = []
    for title, python in zip((OLD, NEW), pythons, strict=True):
        try:
            process = Worker(python, "network", {"network": "asia", "n_samples": 500, **DEFAULTS})
            process.turn(0.0)  # compiles, where that is done once on a machine
            process.close()
        except WorkerError as error:
            raise SystemExit(f"{python} cannot learn a network: {error}") from None
        versions.append(process.said)
        console.print(f"{title}: h2pc {process.said['version']} in {process.said['place']}")
    rows = []
    for i, case in enumerate(chosen):
        row = Row(case.name, case.group, case.kind)
        if case.kind == "process":
            measured_processes(row, case.details["how"], pythons, options.seconds)
        else:
            old, new = ((python, case.kind, case.details) for python in pythons)
            measured(row, (old, new), options.seconds)
        row.difference = "" if row.error else difference(row.old.answer, row.new.answer)
        rows.append(row)
        text = row.error or f"{in_words(row.old.seconds)} {in_words(row.new.seconds)}"
        console.print(f"{i + 1}/{len(chosen)} {row.name}: {text}", style="dim", highlight=False)
    if rows:
        console.print(printed(rows))
    complete = [row for row in rows if not row.error]
    if complete:
        console.print(summary(complete))
    if (in_threads := threads(complete)) is not None:
        console.print(in_threads)
    for row in rows:
        if row.error:
            console.print(f"[bold red]FAILED[/] {row.name}: {row.error}", soft_wrap=True)
        elif row.difference.startswith("rounding"):
            console.print(f"{row.name}: {row.difference}", soft_wrap=True)
        elif row.difference:
            console.print(f"[bold red]DIFFERENT[/] {row.name}: {row.difference}", soft_wrap=True)
    sentence = beside_pyagrum(pythons, options.seconds) if options.peers else None
    if sentence:
        console.print(sentence, soft_wrap=True)
    if options.json:
        facts = {"machine": platform.platform(), "processors": os.cpu_count()}
        facts |= {"versions": versions, "seconds": options.seconds, "peers": sentence}
        facts["rows"] = [facts_of(row) for row in rows]
        options.json.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
