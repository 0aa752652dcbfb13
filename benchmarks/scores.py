"""Families scored per second: h2pc in bulk and one by one, and NumPy.

The questions are those of a search that has reached the true graph: for every variable, all of its
parents as candidates to leave and four others as candidates to enter. Everyone answers the same
questions in the same run, in one thread, taking turns; the best of several turns counts.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.special import gammaln

from h2pc import Dataset, load_network
from h2pc.scores import BIC, FNML, QNML, BDeu, LocalScore
from h2pc.variables import Vars, without

PAIRS = (  # network, samples
    ("alarm", 5000),
    ("insurance", 20_000),
    ("andes", 5000),
    ("hailfinder", 20_000),
    ("mildew", 50_000),
)
SEED = 0
N_ENTERING = 4
MOST_PARENTS = 4
ESS = 10.0
SAME = 1e-9, 1e-6  # relative; absolute: terms are rounded to about 1e-8
MOST_MICROSECONDS = 60.0  # for alarm with two parents and four candidates to enter
OURS, ONE_BY_ONE, NUMPY = "h2pc", "one by one", "NumPy"

Question = tuple[int, Vars, Vars]
"""A child, its parents, and the variables that leave or enter."""


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    network: str
    n_samples: int
    n_parents: int
    kind: str
    n_calls: int
    n_families: int
    seconds: dict[str, float]

    def per_second(self, name: str) -> float:
        """Families per second."""
        return self.n_families / self.seconds[name]

    @property
    def microseconds_per_call(self) -> float:
        """What one question of a search takes."""
        return 1e6 * self.seconds[OURS] / self.n_calls


def questions_of(network: str, data: Dataset) -> dict[tuple[int, str], list[Question]]:
    """Return the questions, by the number of parents and whether one of them leaves or enters."""
    dag = load_network(network).dag.reordered(data.names)
    rng = np.random.default_rng(SEED)
    found = defaultdict(list)
    for child in dag.variables:
        parents = dag.parents(child)
        if len(parents) > MOST_PARENTS:
            continue
        near = without(dag.adjacent(child), *parents)
        far = rng.permutation(without(dag.variables, child, *dag.adjacent(child))).tolist()
        found[len(parents), "enter"].append((child, parents, (*near, *far)[:N_ENTERING]))
        if parents:
            found[len(parents), "leave"].append((child, parents, parents))
    return dict(sorted(found.items()))


def family_of(parents: Vars, x: int) -> Vars:
    """Return the parents after one of them has left, or another variable has entered."""
    return without(parents, x) if x in parents else (*parents, x)


def numpy_bdeu(data: Dataset, child: int, parents: Vars) -> float:
    """BDeu of one family, from ``bincount`` where the table is small and else from ``unique``."""
    key = np.zeros(data.n_rows, np.int64)
    for x in parents:
        key = key * data.cards[x] + data.codes[x]
    r, q = int(data.cards[child]), math.prod(data.cards[list(parents)].tolist())
    cells, tables = counts_of(key * r + data.codes[child], q * r), counts_of(key, q)
    return log_rising(cells, ESS / (q * r)) - log_rising(tables, ESS / q)


def counts_of(key: NDArray[np.int64], n_possible: int) -> NDArray[np.int64]:
    """Count how often every number occurs; only those that do."""
    if n_possible > 4 * key.size:
        return np.unique(key, return_counts=True)[1]
    counts = np.bincount(key, minlength=1)
    return counts[counts > 0]


def log_rising(counts: NDArray[np.int64], a: float) -> float:
    """Σ ln Γ(n + a) - ln Γ(a)."""
    return float((gammaln(counts + a) - gammaln(a)).sum())


def runs(data: Dataset, questions: list[Question]) -> dict[str, Callable[[], list[float]]]:
    """Return what every contestant has to do for one row."""
    score = BDeu(data, ESS)
    families = [
        (child, family_of(parents, x)) for child, parents, others in questions for x in others
    ]

    def in_bulk() -> list[float]:
        answers = [score.changed(*question) for question in questions]
        return np.concatenate(answers).tolist()

    return {
        OURS: in_bulk,
        ONE_BY_ONE: lambda: [score.family(*family) for family in families],
        NUMPY: lambda: [numpy_bdeu(data, *family) for family in families],
    }


def best_seconds(contestants: dict[str, Callable[[], object]], budget: float) -> dict[str, float]:
    """Return the best time of each; turns go round until everyone has used ``budget`` seconds."""
    best = dict.fromkeys(contestants, math.inf)
    spent = dict.fromkeys(contestants, 0.0)
    while any(seconds < budget for seconds in spent.values()):
        for name, run in contestants.items():
            if spent[name] < budget:
                start = perf_counter()
                run()
                seconds = perf_counter() - start
                spent[name] += seconds
                best[name] = min(best[name], seconds)
    return best


def measured(network: str, n_samples: int, budget: float) -> list[Row]:
    """Measure all rows of one network; stop where contestants differ."""
    data = load_network(network).sample(n_samples, random_state=SEED)
    rows = []
    for (n_parents, kind), questions in questions_of(network, data).items():
        contestants = runs(data, questions)
        answers = {name: np.array(run()) for name, run in contestants.items()}
        for name, found in answers.items():
            if not np.allclose(found, answers[NUMPY], *SAME):
                raise SystemExit(f"{network}: {name} has other scores than NumPy.")
        seconds = best_seconds(contestants, budget)
        n_families = sum(len(others) for *_, others in questions)
        rows.append(Row(network, n_samples, n_parents, kind, len(questions), n_families, seconds))
    return rows


def beside_bdeu(network: str, n_samples: int, budget: float) -> dict[str, float]:
    """Return the time that other scores take for all questions, as a share of BDeu's."""
    data = load_network(network).sample(n_samples, random_state=SEED)
    questions = [one for some in questions_of(network, data).values() for one in some]

    def answering(score: LocalScore) -> Callable[[], object]:
        return lambda: [score.changed(*question) for question in questions]

    contestants = {kind.__name__: answering(kind(data)) for kind in (BDeu, BIC, QNML, FNML)}
    seconds = best_seconds(contestants, budget)
    bdeu = seconds.pop("BDeu")
    return {name: one / bdeu for name, one in seconds.items()}


def printed(rows: list[Row]) -> Table:
    """Return the table, with how many times faster h2pc is in brackets."""
    table = Table(title="BDeu: families per second")
    for heading in ("network", "n", "parents", "candidates", "µs per call", *rows[0].seconds):
        table.add_column(heading, justify="right")
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        cells = [row.network, f"{row.n_samples:,}", str(row.n_parents), f"{row.kind}"]
        cells += [f"{row.microseconds_per_call:,.1f}", f"{row.per_second(OURS):,.0f}"]
        for name in list(row.seconds)[1:]:
            ratio = row.per_second(OURS) / row.per_second(name)
            cells.append(f"{row.per_second(name):,.0f} ({ratio:,.1f}×)")
        last = following is None or following.network != row.network
        table.add_row(*cells, end_section=last)
    return table


def microseconds_outside_the_kernel() -> float:
    """Return what a question costs that hardly needs an answer: Python's share of a call."""
    score = BDeu(Dataset.from_codes([[0, 1]] * 5))
    repeats = 200
    run = {"": lambda: [score.changed(0, (), (1, 2, 3, 4)) for _ in range(repeats)]}
    return 1e6 * best_seconds(run, 0.3)[""] / repeats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="n up to 5,000 and short turns")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    chosen = parser.parse_args()
    budget = 0.05 if chosen.quick else 0.5

    console = Console()
    if console.width < 120:
        console = Console(width=120)
    rows: list[Row] = []
    shares: dict[str, dict[str, float]] = {}
    with console.status("measuring") as status:
        for network, n_samples in PAIRS:
            if not chosen.quick or n_samples <= 5000:
                status.update(f"measuring {network}")
                rows += measured(network, n_samples, budget)
                shares[network] = beside_bdeu(network, n_samples, budget)
    console.print(printed(rows))
    for network, others in shares.items():
        line = ", ".join(f"{name} {share:.2f}" for name, share in others.items())
        console.print(f"{network}: time beside BDeu: {line}")
    console.print(
        f"{microseconds_outside_the_kernel():.1f} µs for a call with next to nothing to count"
    )
    aim = next(r for r in rows if (r.network, r.n_parents, r.kind) == ("alarm", 2, "enter"))
    holds = aim.microseconds_per_call <= MOST_MICROSECONDS
    console.print(
        f"{'[green]holds [/]' if holds else '[red]missed[/]'}  alarm, two parents, four enter: "
        f"at most {MOST_MICROSECONDS:g} µs; it takes {aim.microseconds_per_call:.1f}"
    )
    if chosen.json:
        facts = {
            "machine": platform.platform(),
            "rows": [asdict(row) for row in rows],
            "shares": shares,
        }
        chosen.json.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
