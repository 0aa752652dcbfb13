"""Which test suits a table: errors and power by resampling it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from h2pc.checks import jobs, number, whole_number, yes_or_no
from h2pc.data import Dataset
from h2pc.errors import DataError, SettingError
from h2pc.independence.base import Outcome
from h2pc.independence.candidate_tests import Candidate, candidates_for
from h2pc.independence.compared_tests import (
    Choice,
    ComparedTest,
    ComparedTests,
    ErrorCurve,
    recommendation,
)
from h2pc.independence.resampling import (
    Question,
    column_of,
    dataset_of,
    independent_sample,
    linked_sample,
    question_of,
)
from h2pc.random_state import RandomState, seed_of
from h2pc.runs.progress import ProgressBar
from h2pc.runs.workers import Shared, mapped
from h2pc.variables import Var, Vars

LEVELS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Nominal levels of the curves."""

_N_CONDITIONS = (0, 1, 2)
_MOST_SCANNED = 300
"""Questions of the table that are tested for links, for each number of conditions."""
_BATCH = 50
# What random numbers are for: they differ.
_SCAN, _INDEPENDENT, _LINKED = range(3)


class Link(NamedTuple):
    """A question of the table whose answer is a link."""

    variables: Vars
    log_p: float
    kept: float
    """The share of samples that keep their x, so that the effect has the size seen."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """What is compared: workers get it."""

    data: Dataset
    candidates: tuple[Candidate, ...]
    alpha: float
    power_rule: float
    seed: int

    def outcomes(self, question: Question, power_rule: float, seed: int) -> list[Outcome]:
        """Return the outcome of every test on the samples of a question."""
        found = []
        made: dict[int | None, Dataset] = {}
        for each in self.candidates:
            if each.levels not in made:
                cut = each.levels
                columns = question if cut is None else tuple(column.cut(cut) for column in question)
                made[each.levels] = dataset_of(columns)
            # Stopped no earlier than the largest level allows.
            extra = {"random_state": seed} if each.is_drawn else {}
            level = max(self.alpha, *LEVELS)
            test = each.make(made[each.levels], level, power_rule=power_rule, **extra)
            found.append(test.outcome(0, 1, tuple(range(2, len(question)))))
        return found

    def random(self, *purpose: int) -> np.random.Generator:
        """Return the random numbers for a purpose."""
        return np.random.default_rng([self.seed, *purpose])


def compare_tests(
    data: Any,
    *,
    alpha: float = 0.05,
    tests: Iterable[str] | None = None,
    n_repetitions: int = 1000,
    power_rule: float = 5.0,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> ComparedTests:
    """Return how well independence tests do on a table, and which one suits it.

    The table is resampled. *Type I error*: a variable x is permuted within the strata of others, z,
    so that x ⊥ y | z holds for any y while both keep their relation to z; a test should find a link
    in a share ``alpha`` of such samples. *Power*: links of the table, the weaker half of those
    found, are drawn anew at their size.

    Parameters
    ----------
    data : table, or Dataset
        As in :meth:`Dataset.from_data`.
    alpha : float, default=0.05
        The level of the tests.
    tests : iterable of str, default=None
        The tests, by name; by default all that suit the data.
    n_repetitions : int, default=1000
        Resampled tables for each number of conditioning variables, independent ones and linked
        ones.
    power_rule : float, default=5.0
        Fewest samples per cell for a test on counts to be performed.
    random_state : int, RandomState instance or None, default=0
        The seed.
    n_jobs : int, default=None
        Workers, as in joblib; they change no figure.
    progress : bool, default=None
        Whether there is a progress bar; by default where the standard error stream is a terminal.

    Returns
    -------
    ComparedTests
        A report that prints as a table; its fields can be used as well.

    Examples
    --------
    >>> from h2pc import compare_tests, load_network
    >>> data = load_network("asia").sample(500, random_state=1)
    >>> found = compare_tests(data, tests=["g2", "shrinkage"], n_repetitions=100)
    >>> found.recommended
    'g2'
    >>> [row.n_conditions for row in found.rows if row.test == "g2"]
    [0, 1, 2]
    """
    if not 0.0 < number()("alpha", alpha) < 1.0:
        raise SettingError(f"alpha must lie between 0 and 1, both excluded; got {alpha!r}.")
    whole_number(1)("n_repetitions", n_repetitions)
    number(least=0.0)("power_rule", power_rule)
    dataset = Dataset.from_data(data)
    variables = _varying(dataset)
    comparison = Comparison(
        dataset,
        candidates_for(dataset, tests),
        alpha,
        power_rule,
        seed_of(random_state),
    )
    sizes = [k for k in _N_CONDITIONS if len(variables) >= 2 + k]
    shown = yes_or_no("progress", progress)
    with ProgressBar("Comparing tests", shown=shown) as bar:
        bar.expect(2 * len(sizes) * n_repetitions)
        found = {
            k: _compared(comparison, variables, k, n_repetitions, jobs("n_jobs", n_jobs), bar)
            for k in sizes
        }
    return _report(comparison, found)


def _varying(data: Dataset) -> Vars:
    """Return the variables that have two values or more."""
    found = tuple(v for v in range(data.n_variables) if column_of(data, v).varies)
    if len(found) < 2:
        raise DataError(
            f"the data have {len(found)} columns that vary: expected two or more to compare tests"
        )
    return found


class Samples(NamedTuple):
    """Log p-values of every test on every sample, and whether it was performed."""

    log_p: NDArray[np.float64]
    performed: NDArray[np.bool_]


def _compared(
    comparison: Comparison,
    variables: Vars,
    k: int,
    n_repetitions: int,
    n_jobs: int | None,
    bar: ProgressBar,
) -> tuple[Samples, Samples | None]:
    """Return independent and linked samples of tests given ``k`` variables."""
    shared = Shared(comparison)

    def resampled(purpose: int, links: Sequence[Link]) -> Samples:
        starts = range(0, n_repetitions, _BATCH)
        tasks = [
            (shared, variables, k, purpose, links, a, min(a + _BATCH, n_repetitions))
            for a in starts
        ]
        batches = {}
        for start, samples in mapped(_batch, tasks, n_jobs):
            batches[start] = samples
            bar.advance(samples.log_p.shape[1])
        parts = [batches[start] for start in starts]
        return Samples(*(np.hstack(part) for part in zip(*parts, strict=True)))

    independent = resampled(_INDEPENDENT, ())
    links = _links(comparison, variables, k)
    if not links:
        bar.advance(n_repetitions)
    return independent, resampled(_LINKED, links) if links else None


def _batch(
    shared: Shared[Comparison],
    variables: Vars,
    k: int,
    purpose: int,
    links: Sequence[Link],
    start: int,
    stop: int,
) -> tuple[int, Samples]:
    """Return the tests on some of the samples; each has random numbers of its own."""
    comparison = shared.value
    found = []
    for i in range(start, stop):
        rng = comparison.random(purpose, k, i)
        if purpose == _LINKED:
            link = links[i % len(links)]
            question = question_of(comparison.data, *_split(link.variables))
            sample = linked_sample(question, link.kept, rng)
        else:
            chosen = tuple(rng.choice(variables, 2 + k, replace=False).tolist())
            sample = independent_sample(question_of(comparison.data, *_split(chosen)), rng)
        found.append(comparison.outcomes(sample, comparison.power_rule, seed=i))
    return start, Samples(
        np.array([[outcome.log_p for outcome in own] for own in found]).T,
        np.array([[outcome.performed for outcome in own] for own in found]).T,
    )


def _split(variables: Vars) -> tuple[Var, Var, Vars]:
    x, y, *z = variables
    return x, y, tuple(z)


def _links(comparison: Comparison, variables: Vars, k: int) -> list[Link]:
    """Return the weaker half of the links that tests find in the table, given ``k`` variables.

    A link is what one of the tests finds, at the level divided by their number. The size of its
    effect is what that test sees.
    """
    rng = comparison.random(_SCAN, k)
    log_level = math.log(comparison.alpha / len(comparison.candidates))
    links, seen = [], set()
    for i in range(_MOST_SCANNED):
        x, y, *z = rng.choice(variables, 2 + k, replace=False).tolist()
        chosen = (min(x, y), max(x, y), *sorted(z))
        if chosen in seen:
            continue
        seen.add(chosen)
        question = question_of(comparison.data, *_split(chosen))
        best = min(comparison.outcomes(question, 0.0, seed=i), key=lambda outcome: outcome.log_p)
        if best.log_p <= log_level and best.statistic > best.df:
            links.append(Link(chosen, best.log_p, math.sqrt(1.0 - best.df / best.statistic)))
    links.sort(key=lambda link: (-link.log_p, link.variables))
    return links[: (len(links) + 1) // 2]


def _report(
    comparison: Comparison, found: dict[int, tuple[Samples, Samples | None]]
) -> ComparedTests:
    alpha, candidates = comparison.alpha, comparison.candidates
    rows = tuple(
        _row(each.label, k, i, *found[k], alpha) for i, each in enumerate(candidates) for k in found
    )
    choices = [Choice(each.label, each.name, each.levels) for each in candidates]
    best, why = recommendation(choices, rows, alpha)
    return ComparedTests(
        alpha,
        comparison.data.n_samples,
        rows,
        tuple(
            _curve(each.label, [found[k][0] for k in found], i) for i, each in enumerate(candidates)
        ),
        best.name or best.label,
        best.levels,
        why,
    )


def _row(
    label: str, k: int, i: int, independent: Samples, linked: Samples | None, alpha: float
) -> ComparedTest:
    performed = independent.performed[i]
    n = int(performed.sum())
    n_found = int((independent.log_p[i][performed] <= math.log(alpha)).sum())
    low, high = binomial_limits(n_found, n)
    power = None
    if linked is not None:
        power = float(((linked.log_p[i] <= math.log(alpha)) & linked.performed[i]).mean())
    left_out = 1.0 - n / performed.size
    return ComparedTest(label, k, n_found / n if n else None, low, high, power, left_out, n)


def _curve(label: str, parts: list[Samples], i: int) -> ErrorCurve:
    log_p = np.concatenate([part.log_p[i][part.performed[i]] for part in parts])
    n = log_p.size
    errors = tuple(float((log_p <= math.log(level)).mean()) if n else 0.0 for level in LEVELS)
    return ErrorCurve(label, LEVELS, errors, n)


def binomial_limits(n_found: int, n: int) -> tuple[float, float]:
    """Return the 95 % limits of a share (Clopper and Pearson, 1934).

    Examples
    --------
    >>> low, high = binomial_limits(5, 100)
    >>> round(low, 4), round(high, 4)
    (0.0164, 0.1128)
    """
    from scipy.special import betaincinv

    low = float(betaincinv(n_found, n - n_found + 1, 0.025)) if n_found else 0.0
    high = float(betaincinv(n_found + 1, n - n_found, 0.975)) if n_found < n else 1.0
    return low, high
