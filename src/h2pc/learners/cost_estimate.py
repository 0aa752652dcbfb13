"""What learning a network will take: its time and its memory, before it is begun.

The neighbourhoods of a few targets are timed, then some pairs and families that a search would
score. Nothing that a later run uses is touched, but the index of the data, which is made once and
is the same for everyone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from joblib import effective_n_jobs

from h2pc.algorithms.hpc import Neighbourhood
from h2pc.algorithms.skeleton_prior import SkeletonPrior, gaining_pairs
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.graphs import Skeleton
from h2pc.independence.table_tests import usual_caches
from h2pc.learners.hybrid import H2PC, HybridLearner
from h2pc.learners.structure_learner import StructureLearner
from h2pc.learners.timed_targets import TimedTargets, Timing
from h2pc.learners.validation import LEARNERS, constrained_test, with_choices
from h2pc.learners.variants import SCORES_OF_COUNTS, distinct_data, prior_of, targets_of
from h2pc.runs.limits import Limits, Watch, in_bytes, memory_in_use
from h2pc.runs.workers import Shared, are_processes
from h2pc.scores.base import LocalScore
from h2pc.scores.named import local_score
from h2pc.variables import Vars, without

_SECONDS, _SECONDS_BEFORE_RUN = 2.0, 0.05
"""For which targets are timed: by request, and before a run that may turn out to be short."""

# Targets whose pairs are scored, to see how many pairs gain.
_MOST_SCANNED = 8

# Parents of the families that are timed, in a few turns where they take milliseconds: then another
# process may easily take as long. The quickest turn counts.
_MOST_PARENTS, _TURNS, _SECONDS_OF_TURNS = 3, 3, 0.1

# The constants below are of samples with seed 1: time of alarm, hailfinder, insurance, andes,
# barley, link, munin1, pigs and win95pts, of make_bayesian_network(300 or 1000, levels=(2, 4),
# random_state=1) and of 100 linear-Gaussian variables, 500 to 100,000 samples of each; memory of
# link, munin1, pigs, andes, alarm and random networks of 1,000 and 3,000 variables, up to a million
# samples.
#
# Two threads are 1.9 times as fast as one: see docs/benchmarks.md.
_EFFICIENCY = 0.9
# Pairs that only one end has found are fewer where the other end is in the sample: pairs of the
# search for every neighbour of a target, by the symmetry rule or without it.
_EDGES_PER_NEIGHBOUR, _PAIRS_PER_NEIGHBOUR = 0.4, 0.6
# Families that a search scores: for every pair, and for the trials after it.
_FAMILIES_PER_PAIR = {"accurate": 12.0, "paper": 6.5}
_FAMILIES_OF_TRIALS = 2500
# A search looks at a family once more than it is scored, and its families are the larger ones.
_SEARCH_PER_FAMILY = 2.0
# Bytes: of a neighbourhood as Python's objects for every byte of its pickle, and what it leaves in
# the caches; of a pair of the search; of a sample, of each worker.
_BYTES_PER_PICKLED, _BYTES_PER_TARGET, _BYTES_PER_PAIR, _BYTES_PER_SAMPLE = 6, 8_000, 1_200, 32
_BYTES_PER_ANSWER = 32

# Learning takes at most about 1e-8 s for every pair of variables and sample, of tests that count or
# correlate, and for a thousand samples more: so it is over in a few seconds.
_QUICK_TESTS = ("g2", "chi2", "gaussian", "mixed")
_WORK_OF_SECONDS, _SAMPLES_OF_A_TEST = 3e8, 1_000


@dataclass(frozen=True)
class CostEstimate:
    """What learning a network is expected to take; most estimates are right within a factor of two.

    Attributes
    ----------
    seconds : float
        The time of the whole run.
    skeleton, search : float
        The parts of it that the skeleton and the search take.
    most_bytes : int
        The most memory that the process holds meanwhile, all that it holds now included.
    n_timed, n_targets : int
        The number of targets that were timed, and of those that the run has to learn.

    Examples
    --------
    >>> estimate = CostEstimate(95.0, 70.0, 24.0, 300_000_000, n_timed=64, n_targets=1_000)
    >>> print(estimate)
    about 1.6 minutes (skeleton 70 s, search 24 s) and 300 MB of memory
    """

    seconds: float
    skeleton: float
    search: float
    most_bytes: int
    n_timed: int
    n_targets: int

    def __str__(self) -> str:
        parts = f"skeleton {_in_words(self.skeleton)}, search {_in_words(self.search)}"
        return (
            f"about {_in_words(self.seconds)} ({parts}) and {in_bytes(self.most_bytes)} of memory"
        )


def estimate_cost(data: Any, learner: StructureLearner | None = None) -> CostEstimate:
    """Estimate how long H2PC or MMHC will take to learn from some data, and in how much memory.

    A few targets are learned and timed, for about two seconds; what follows is not changed by it.
    Limits of time and memory, and what a checkpoint holds already, are not taken into account: this
    is what a complete result takes. The time is that of this machine, as busy as it is now.

    Parameters
    ----------
    data : Dataset, pandas, polars or pyarrow table, 2-d array, or dict of columns
        The sample, as :meth:`H2PC.fit` takes it.
    learner : H2PC or MMHC, default=None
        The learner with its parameters, fitted or not; by default ``H2PC()``. Learners without a
        skeleton are refused: the length of their searches shows only in the end.

    Returns
    -------
    CostEstimate
        Seconds and bytes; as text, a sentence.

    Raises
    ------
    SettingError
        If the learner is another one, or a parameter makes no sense.
    DataError
        If the data cannot be used.

    Examples
    --------
    >>> from h2pc import H2PC, estimate_cost, load_network
    >>> data = load_network("alarm").sample(2000, random_state=1)
    >>> estimate = estimate_cost(data, H2PC(n_jobs=2))
    >>> estimate.n_targets, estimate.seconds < 60.0
    (37, True)
    """
    learner = H2PC() if learner is None else learner
    if not isinstance(learner, HybridLearner):
        raise SettingError(
            "learner must be H2PC or MMHC: estimates are made of timed neighbourhoods; got "
            f"{learner!r}."
        )
    return _estimated(Dataset.from_data(data), learner, _SECONDS)


def estimate_of_long_run(data: Dataset, learner: StructureLearner) -> CostEstimate | None:
    """Return a quicker estimate; None where learning takes seconds, as the sizes alone tell.

    It is None for learners without a skeleton, too.
    """
    if not isinstance(learner, HybridLearner):
        return None
    work = data.n_variables**2 * (data.n_samples + _SAMPLES_OF_A_TEST)
    if _params_of(learner, data)["test"] in _QUICK_TESTS and work <= _WORK_OF_SECONDS:
        return None
    return _estimated(data, learner, _SECONDS_BEFORE_RUN)


def _estimated(data: Dataset, learner: HybridLearner, seconds: float) -> CostEstimate:
    """Return the estimate, from targets that are timed for so long."""
    start, params = perf_counter(), _params_of(learner, data)
    searches = Limits(
        max_conditioning=params["max_conditioning"], max_subset_tests=params["max_subset_tests"]
    )
    distinct = distinct_data(data, params)
    ci = constrained_test(distinct.data, params, Limits(max_memory=params["max_memory"]))
    universe = without(range(data.n_variables), *distinct.copies)
    if len(universe) > 1:
        ci.log_p_many(universe[0], universe[1:2])  # makes the index
    prepared = perf_counter() - start

    watch = Watch(searches, data.names)
    timing = Timing(ci, universe, LEARNERS[learner._local_learner], watch, seconds)
    targets, prior = targets_of(params, data), prior_of(params, distinct.data)
    if targets is not None:
        targets = tuple(dict.fromkeys(distinct.copies.get(v, v) for v in targets))
    if targets is None or params["symmetry"] == "or":
        learned, near = timing.everywhere(targets)
    else:
        learned, near = timing.around(targets)
    n_workers = _n_workers(params["n_jobs"])
    skeleton = sum(wave.seconds / _speedup(n_workers, wave.n_targets) for wave in learned)

    score = local_score(distinct.data, params["scoring"], params["equivalent_sample_size"])
    region = universe if targets is None else _region(near)
    scan, n_gaining = _scanned(score, prior, region, near[0])
    n_pairs = _n_pairs(near, prior, n_gaining)
    n_families = _FAMILIES_PER_PAIR[params["variant"]] * n_pairs
    if targets is None and params["variant"] == "accurate":
        n_families += _FAMILIES_OF_TRIALS
    search = scan / _speedup(n_workers, len(region))
    search += n_families * _SEARCH_PER_FAMILY * _seconds_of_family(score, near[0].found)
    return CostEstimate(
        prepared + skeleton + search,
        skeleton,
        search,
        _most_bytes(distinct.data, learned, n_pairs, n_workers, params["max_memory"]),
        n_timed=len({id(each) for wave in learned for each in wave.timed.values()}),
        n_targets=round(sum(wave.n_targets for wave in learned)),
    )


def _params_of(learner: HybridLearner, data: Dataset) -> dict[str, Any]:
    """Return the parameters of a learner as plain values, for some data."""
    checked = learner._checked_params()
    return with_choices(checked, data, SCORES_OF_COUNTS[checked["variant"]])


def _n_workers(n_jobs: int | None) -> int:
    """Return how many workers run at the same time: threads have one processor each at most."""
    n_workers: int = effective_n_jobs(n_jobs)
    return n_workers if are_processes() else min(n_workers, effective_n_jobs(-1))


def _speedup(n_workers: int, n_tasks: float) -> float:
    """Return how many times as fast as one worker several are."""
    return 1.0 + _EFFICIENCY * (max(1.0, min(n_workers, n_tasks)) - 1.0)


def _region(waves: Sequence[TimedTargets]) -> Vars:
    """Return the variables that were found around the targets that were timed."""
    found = [each for wave in waves for each in wave.found]
    return tuple(sorted({v for each in found for v in (each.target, *each.pc)}))


def _scanned(
    score: LocalScore, prior: SkeletonPrior | None, region: Vars, sample: TimedTargets
) -> tuple[float, float]:
    """Return the seconds that scoring all pairs takes, and how many of them gain."""
    near = frozenset(list(sample.timed)[:_MOST_SCANNED])
    if prior is None or prior.outside is None or len(region) < 2:
        return 0.0, 0.0
    names = tuple(map(str, range(score.n_variables)))
    priced = prior.priced(score, Skeleton(names, ()), frozenset())
    start = perf_counter()
    found = len(gaining_pairs(priced, region, near))
    n_pairs, n_scanned = len(region) * (len(region) - 1) / 2, len(near) * (len(region) - 1)
    share = max(1.0, n_pairs / n_scanned)
    return share * (perf_counter() - start), share * found


def _n_pairs(waves: Sequence[TimedTargets], prior: SkeletonPrior | None, n_gaining: float) -> float:
    """Return how many pairs the search may join, from the targets learned in full."""
    n_neighbours = sum(wave.total(lambda each: len(each.pc)) for wave in waves)
    is_inside = prior is None or prior.one_sided is None
    n_found = n_neighbours * (_EDGES_PER_NEIGHBOUR if is_inside else _PAIRS_PER_NEIGHBOUR)
    return max(n_found, n_gaining)


def _seconds_of_family(score: LocalScore, found: Sequence[Neighbourhood]) -> float:
    """Return how long scoring a family takes: of targets, with some of their neighbours."""
    families = [
        (each.target, each.pc[:size], each.pc)
        for each in found
        for size in range(min(_MOST_PARENTS + 1, len(each.pc)))
    ]
    turns: list[float] = []
    while len(turns) < _TURNS and sum(turns) < _SECONDS_OF_TURNS:
        start = perf_counter()
        for family in families:
            score.changed(*family)
        turns.append(perf_counter() - start)
    return min(turns) / max(1, sum(len(others) for *_, others in families))


def _most_bytes(
    data: Dataset,
    waves: Sequence[TimedTargets],
    n_pairs: float,
    n_workers: int,
    max_memory: int | None,
) -> int:
    """Return what the process will hold; it holds the index by now."""
    pickled = sum(wave.total(lambda each: Shared(each).packed.n_bytes) for wave in waves)
    n_targets = sum(wave.n_targets for wave in waves)
    parts = (
        memory_in_use(),
        _BYTES_PER_ANSWER * usual_caches(data, max_memory)["cache_size"],
        _BYTES_PER_PICKLED * pickled,
        _BYTES_PER_TARGET * n_targets,
        _BYTES_PER_PAIR * n_pairs,
        _BYTES_PER_SAMPLE * data.n_samples * n_workers,
    )
    return round(sum(parts))


def _in_words(seconds: float) -> str:
    """Return a time as people say it, with two digits.

    Examples
    --------
    >>> [_in_words(seconds) for seconds in (0.123, 61.0, 100.0, 40_000.0, 1e6)]
    ['0.12 s', '61 s', '1.7 minutes', '11 hours', '12 days']
    """
    for unit, size in ((" days", 86_400.0), (" hours", 3_600.0), (" minutes", 60.0)):
        if seconds >= 1.5 * size:
            return f"{_two_digits(seconds / size)}{unit}"
    return f"{_two_digits(seconds)} s"


def _two_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 9.95 else f"{value:.2g}"
