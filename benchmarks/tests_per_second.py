"""Microseconds per independence test: h2pc, a plain scatter kernel, NumPy, pyAgrum, causal-learn.

Every contestant answers the same questions in the same run, in one thread, taking turns; the best
of several turns counts. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.special import gammaincc, gammaln

import peers
import plain_scatter
from h2pc import Dataset, GTest

N_VARIABLES = 60
N_QUESTIONS = 4  # (target, z) per shape, each with 56 candidates
MIXED = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20)
POWER_RULE = 5.0
SAME = 1e-6
FAR = -600.0  # log p-values below which the p-value may underflow
N_FRACTIONS = 100  # of the continued fraction; so far in the tail few do

OURS, SCATTER, BINCOUNT, PYAGRUM, CAUSAL_LEARN = (
    "h2pc",
    "byte scatter",
    "numpy.bincount",
    "pyAgrum",
    "causal-learn",
)
CONTESTANTS = (OURS, SCATTER, BINCOUNT, PYAGRUM, CAUSAL_LEARN)


class Question(NamedTuple):
    """A target, a conditioning set, and the candidates that share them."""

    target: int
    candidates: tuple[int, ...]
    z: tuple[int, ...]


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    n_conditions: int
    levels: str
    n_samples: int
    power_rule_off: bool
    microseconds: dict[str, float]

    def ratio(self, contestant: str) -> float:
        """How many times longer than h2pc a contestant takes."""
        return self.microseconds[contestant] / self.microseconds[OURS]

    @property
    def shape(self) -> str:
        """The row in words."""
        condition = f"|Z| = {self.n_conditions}" if self.n_conditions else "marginal"
        return f"{condition}, {self.levels} levels, n = {self.n_samples:,}"


def dependent_sample(cards: Sequence[int], n_samples: int, seed: int) -> Dataset:
    """Moderately dependent variables with skewed levels.

    Each variable follows one of the four before it in 40 % of the samples, and otherwise draws from
    Zipf's law, level k with probability ∝ 1/k; then its levels are shuffled.
    """
    rng = np.random.default_rng(seed)
    hidden = np.empty((len(cards), n_samples), np.int64)
    codes = np.empty((len(cards), n_samples), np.uint8)
    for v, card in enumerate(cards):
        weights = 1.0 / np.arange(1, card + 1)
        hidden[v] = rng.choice(card, n_samples, p=weights / weights.sum())
        if v > 0:
            followed = hidden[rng.integers(max(0, v - 4), v)] % card
            hidden[v] = np.where(rng.random(n_samples) < 0.4, followed, hidden[v])
        codes[v] = rng.permutation(card)[hidden[v]]
    return Dataset.from_codes(codes, cards=cards)


def cards_of(levels: str) -> list[int]:
    """Numbers of levels of all variables."""
    if levels != "2-20":
        return [int(levels)] * N_VARIABLES
    shuffled = np.random.default_rng(1).permutation(np.resize(MIXED, N_VARIABLES))
    return [int(card) for card in shuffled]


def all_pairs() -> list[Question]:
    """Every pair once, asked target by target."""
    everything = range(N_VARIABLES)
    return [Question(v, tuple(everything[v + 1 :]), ()) for v in everything[:-1]]


def some_pairs() -> list[Question]:
    """Every seventh pair or so, for contestants that would take minutes over all of them."""
    thinned = [Question(v, ys[v % 7 :: 7], ()) for v, ys, _ in all_pairs()]
    return [question for question in thinned if question.candidates]


def conditional_questions(n_conditions: int) -> list[Question]:
    """Random targets and conditioning sets; all variables but four are candidates."""
    rng = np.random.default_rng(n_conditions)
    orders = [rng.permutation(N_VARIABLES).tolist() for _ in range(N_QUESTIONS)]
    return [Question(o[0], tuple(sorted(o[4:])), tuple(o[1 : 1 + n_conditions])) for o in orders]


def refused(data: Dataset, question: Question) -> bool:
    """Whether the power rule would refuse one of the tests."""
    most = max(data.cards[list(question.candidates)])
    fixed = math.prod(int(data.cards[v]) for v in (question.target, *question.z))
    return bool(fixed * most * POWER_RULE > data.n_samples)


def bincount_log_p(
    codes: NDArray[np.int64], cards: list[int], target: int, ys: tuple[int, ...], z: tuple[int, ...]
) -> NDArray[np.float64]:
    """Log p-values with NumPy: the key of (z, target) once, then one ``bincount`` per candidate."""
    key = np.zeros(codes.shape[1], np.int64)
    for v in (*z, target):
        key = key * cards[v] + codes[v]
    n_t, n_strata = cards[target], math.prod(cards[v] for v in z)
    statistic, df = np.empty(len(ys)), np.empty(len(ys), np.int64)
    for i, y in enumerate(ys):
        n_y = cards[y]
        counts = np.bincount(key * n_y + codes[y], minlength=n_strata * n_t * n_y)
        table = counts.reshape(n_strata, n_t, n_y)
        rows, columns = table.sum(axis=2), table.sum(axis=1)
        totals = rows.sum(axis=1)
        half = sum_x_log_x(table) - sum_x_log_x(rows) - sum_x_log_x(columns) + sum_x_log_x(totals)
        free = (np.count_nonzero(rows, axis=1) - 1) * (np.count_nonzero(columns, axis=1) - 1)
        statistic[i], df[i] = max(0.0, 2.0 * half), free[totals > 0].sum()
    return log_sf(statistic, df)


def log_sf(statistic: NDArray[np.float64], df: NDArray[np.int64]) -> NDArray[np.float64]:
    """Log of the chi-square tail, by SciPy; by a continued fraction where its answer underflows."""
    x, a = 0.5 * statistic, 0.5 * np.maximum(df, 1)
    with np.errstate(divide="ignore"):
        log_p = np.log(gammaincc(a, x))
    for i in np.flatnonzero(log_p < FAR):
        fraction = 0.0
        for n in range(N_FRACTIONS, 0, -1):
            fraction = n * (n - a[i]) / (x[i] + 2.0 * n + 1.0 - a[i] - fraction)
        log_p[i] = a[i] * math.log(x[i]) - x[i] - gammaln(a[i])
        log_p[i] -= math.log(x[i] + 1.0 - a[i] - fraction)
    return np.where(df == 0, 0.0, log_p)


def sum_x_log_x(counts: NDArray[np.int64]) -> float:
    """Σ n·ln n."""
    positive = counts[counts > 0].astype(np.float64)
    return float(positive @ np.log(positive))


class Run(NamedTuple):
    """A contestant's way through the questions of one row."""

    questions: list[Question]
    answers: Callable[[], list[Any]]
    before: Callable[[], None] = lambda: None

    @property
    def n_tests(self) -> int:
        """How many tests there are to compute."""
        return sum(len(question.candidates) for question in self.questions)


def runs(data: Dataset, n_conditions: int, power_rule: float) -> dict[str, Run]:
    """Return what every contestant has to do for one row."""
    questions = conditional_questions(n_conditions) if n_conditions else all_pairs()
    fewer = questions if n_conditions else some_pairs()
    ready = GTest(data, power_rule=power_rule, cache_size=0)

    fresh = [data]

    def forget() -> None:
        # What a data set keeps for its tests, such as the counts of all pairs, is new every time.
        if not n_conditions:
            fresh[0] = Dataset.from_codes(data.codes, cards=data.cards, names=data.names)

    def ours() -> list[Any]:
        # Marginal answers rest on the counts of all pairs, so making these is part of the price.
        test = ready if n_conditions else GTest(fresh[0], power_rule=power_rule, cache_size=0)
        return [test.log_p_many(*question) for question in questions]

    arrays = [(target, np.array(ys), np.array(z, np.int64)) for target, ys, z in questions]

    def scatter() -> list[Any]:
        return [plain_scatter.log_p_many(data.codes, data.cards, *array) for array in arrays]

    codes, cards = data.codes.astype(np.int64), data.cards.tolist()

    def bincount() -> list[Any]:
        return [bincount_log_p(codes, cards, *question) for question in fewer]

    contestants = {OURS: Run(questions, ours, forget)}
    if plain_scatter.installed():
        contestants[SCATTER] = Run(questions, scatter)
    contestants[BINCOUNT] = Run(fewer, bincount)
    if pyagrum := peers.single_threaded_pyagrum():
        agrum = peers.PyAgrumTest(data, pyagrum)
        contestants[PYAGRUM] = Run(fewer, lambda: [agrum.statistic_many(*q) for q in fewer])
    if peers.installed("causallearn"):
        causal = peers.CausalLearnTest(data)
        contestants[CAUSAL_LEARN] = Run(
            fewer, lambda: [causal.p_many(*q) for q in fewer], causal.forget
        )
    return contestants


def check_answers(data: Dataset, contestants: dict[str, Run]) -> None:
    """Stop where a contestant computes something else than the others; it also warms them up.

    Of pyAgrum the statistics are compared: its degrees of freedom are others in sparse tables.
    """
    test = GTest(data, power_rule=0.0, cache_size=0)
    for name, run in contestants.items():
        run.before()
        answers = np.concatenate(run.answers())
        pairs = [(target, y, z) for target, ys, z in run.questions for y in ys]
        outcomes = [test.outcome(*pair) for pair in pairs]
        if name == PYAGRUM:
            expected = np.array([outcome.statistic for outcome in outcomes])
        elif name == CAUSAL_LEARN:
            expected = np.array([outcome.p for outcome in outcomes])
        else:
            expected = np.array([outcome.log_p for outcome in outcomes])
        wrong = ~np.isclose(answers, expected, rtol=SAME, atol=SAME)
        if wrong.any():
            first = int(np.argmax(wrong))
            raise SystemExit(
                f"{name} answers {answers[first]} to {pairs[first]}: expected {expected[first]}."
            )


def best_microseconds(contestants: dict[str, Run], budget: float) -> dict[str, float]:
    """Return the best time per test; turns go round until each has used ``budget`` seconds."""
    best = dict.fromkeys(contestants, math.inf)
    spent = dict.fromkeys(contestants, 0.0)
    gc.collect()
    gc.disable()
    while any(seconds < budget for seconds in spent.values()):
        for name, run in contestants.items():
            turn = 0.0
            while spent[name] < budget and turn < budget / 5:
                run.before()
                start = perf_counter()
                run.answers()
                seconds = perf_counter() - start
                turn += seconds
                spent[name] += seconds
                best[name] = min(best[name], seconds)
    gc.enable()
    return {name: 1e6 * best[name] / run.n_tests for name, run in contestants.items()}


def measured(levels: str, n_samples: int, n_conditions: int, budget: float) -> Row:
    """Measure one row."""
    data = dependent_sample(cards_of(levels), n_samples, seed=n_samples)
    questions = conditional_questions(n_conditions) if n_conditions else all_pairs()
    off = any(refused(data, question) for question in questions)
    contestants = runs(data, n_conditions, 0.0 if off else POWER_RULE)
    check_answers(data, contestants)
    return Row(n_conditions, levels, n_samples, off, best_microseconds(contestants, budget))


def printed(rows: list[Row]) -> Table:
    """Return the table; in brackets how many times longer than h2pc."""
    names = [name for name in CONTESTANTS if name in rows[0].microseconds]
    table = Table(title="Microseconds per test (times h2pc)", caption_justify="left")
    for heading in ("shape", "levels", "n"):
        table.add_column(heading, justify="right")
    for name in names:
        table.add_column(name, justify="right")
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        cells = [f"|Z| = {row.n_conditions}" if row.n_conditions else "marginal"]
        cells += [row.levels, f"{row.n_samples:,}{'°' if row.power_rule_off else ' '}"]
        cells.append(f"{row.microseconds[OURS]:,.2f}")
        for name in names[1:]:
            ratio = row.ratio(name)
            times = f"({ratio:,.0f}×)" if ratio >= 10 else f"({ratio:.1f}×)"
            cells.append(f"{row.microseconds[name]:,.1f} {times:>8}")
        last = following is None or following.n_conditions != row.n_conditions
        table.add_row(*cells, end_section=last)
    table.caption = (
        "° some of these tests would be refused by the power rule, which is switched off here.\n"
        "Marginal tests of h2pc include making the test, which counts all pairs."
    )
    return table


def aims(rows: list[Row]) -> list[tuple[bool, str]]:
    """Return which aims hold, each with the row that is closest to missing it."""
    few = [row for row in rows if row.n_samples == 5000 and row.levels != "2-20"]
    wanted = [
        (
            f"n = 5,000, up to 4 levels, {shape}",
            SCATTER,
            times,
            [r for r in few if r.n_conditions == k],
        )
        for shape, times, k in (("marginal", 15.0, 0), ("|Z| = 1", 6.0, 1), ("|Z| = 2", 3.0, 2))
    ]
    wanted += [("everywhere", SCATTER, 0.9, rows), ("everywhere", CAUSAL_LEARN, 50.0, rows)]
    result = []
    for where, rival, times, among in wanted:
        among = [row for row in among if rival in row.microseconds]
        if among:
            worst = min(among, key=lambda row: row.ratio(rival))
            ratio = worst.ratio(rival)
            result.append(
                (
                    ratio >= times,
                    f"{where}: at least {times:g} × {rival}; lowest {ratio:.2f} × ({worst.shape})",
                )
            )
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="n up to 5,000 and short turns")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    chosen = parser.parse_args()
    sizes = (500, 5000) if chosen.quick else (500, 5000, 50_000)
    budget = 0.03 if chosen.quick else 0.3

    console = Console()
    if console.width < 120:
        console = Console(width=120)
    begin = perf_counter()
    rows = []
    with console.status("measuring") as status:
        for n_conditions in range(plain_scatter.MOST_CONDITIONS + 1):
            for levels in ("2", "3", "4", "2-20"):
                for n_samples in sizes:
                    rows.append(measured(levels, n_samples, n_conditions, budget))
                    status.update(f"measured {rows[-1].shape}")
    console.print(printed(rows))
    for sentence in peers.missing_peers():
        console.print(sentence)
    if not plain_scatter.installed():
        brought = "`pip install --group peers` brings it"
        console.print(f"{SCATTER} needs numba, which is not installed, and is left out; {brought}.")
    for holds, sentence in aims(rows):
        console.print(f"[green]holds [/]  {sentence}" if holds else f"[red]missed[/]  {sentence}")
    console.print(f"{perf_counter() - begin:.0f} s in all", style="dim")
    if chosen.json:
        facts = {"machine": platform.platform(), "versions": peers.versions()}
        facts["rows"] = [asdict(row) for row in rows]
        chosen.json.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
