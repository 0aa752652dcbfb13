"""Markov boundaries of labels, and tests of every pair of labels given them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from joblib import effective_n_jobs

from h2pc.algorithms.iamb import shrink
from h2pc.algorithms.neighbourhoods import Learner, neighbourhoods
from h2pc.errors import SettingError
from h2pc.independence.base import CITest
from h2pc.runs.workers import Shared, mapped
from h2pc.variables import Var, Vars, without

# For processes: to hand over a batch takes milliseconds, as long as some hundred tests.
_BATCHES_PER_WORKER = 4


class PairOutcomes(NamedTuple):
    """What was found for some labels."""

    boundaries: dict[Var, Vars]
    """The Markov boundary of each label, in the order of entry."""
    log_p: dict[tuple[Var, Var], float]
    """Log p-value of (one ⊥ other | boundary of the one, without the other), for ordered pairs."""
    n_tests: int


def pair_outcomes(
    labels: Vars,
    universe: Vars,
    learner: Learner,
    tests: tuple[CITest, CITest],
    n_jobs: int | None = None,
) -> PairOutcomes:
    """Test every ordered pair of labels given the Markov boundary of its first one.

    Boundaries are learned among the ``universe``, by the first of the ``tests``; the second one
    tests the pairs. Where samples are too few to test a pair given the whole boundary, the members
    that entered last are left out: independence would else be assumed.

    Examples
    --------
    In 0 ← 2 → 1, with 2 as feature, the labels 0 and 1 are independent given it.

    >>> from h2pc import Dag, DSeparationOracle
    >>> from h2pc.algorithms.iamb import iamb
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abx"), [(2, 0), (2, 1)]))
    >>> pair_outcomes((0, 1), (2,), iamb, (oracle, oracle)).log_p
    {(0, 1): 0.0, (1, 0): 0.0}
    """
    _check_performed(labels, universe, learner, tests[0])
    found = neighbourhoods(labels, tests[0], universe, learner, n_jobs=n_jobs)
    boundaries = {y: found[y].pc for y in labels}
    n_batches = min(len(labels), _BATCHES_PER_WORKER * effective_n_jobs(n_jobs))
    pair_test, near = Shared(tests[1]), Shared(boundaries)
    tasks = [(labels[i::n_batches], pair_test, near) for i in range(n_batches)]
    log_p: dict[tuple[Var, Var], float] = {}
    n_tests = sum(each.n_tests for each in found.values())
    for some, n in mapped(_tested, tasks, n_jobs):
        log_p |= some
        n_tests += n
    return PairOutcomes(boundaries, dict(sorted(log_p.items())), n_tests)


def _check_performed(labels: Vars, universe: Vars, learner: Learner, ci: CITest) -> None:
    """Refuse backward elimination where samples are too few for its first tests."""
    if learner is not shrink:
        return
    for y in labels:
        first, *others = without(universe, y) or (y,)
        if first != y and not ci.performs(y, first, tuple(others)):
            raise SettingError(
                f"boundary='shrink' tests a label given {len(others)} variables, which needs more "
                f"samples: expected 'iamb_fdr' or 'iamb', fewer columns, or power_rule=0."
            )


def _tested(
    labels: Vars, pair_test: Shared[CITest], boundaries: Shared[Mapping[Var, Vars]]
) -> tuple[dict[tuple[Var, Var], float], int]:
    """Log p-values of some labels with all others, and the number of tests."""
    ci = pair_test.value.within(pair_test.value.context.fresh())
    log_p: dict[tuple[Var, Var], float] = {}
    for y in labels:
        groups: dict[Vars, list[Var]] = {}  # of other labels by what is given
        for other in without(boundaries.value, y):
            given = _tested_given(ci, y, other, without(boundaries.value[y], other))
            groups.setdefault(given, []).append(other)
        for given, others in groups.items():
            found = ci.log_p_many(y, tuple(others), given).tolist()
            log_p |= {(y, other): value for other, value in zip(others, found, strict=True)}
    return log_p, ci.context.n_tests


def _tested_given(ci: CITest, x: Var, y: Var, boundary: Vars) -> Vars:
    """As much of a boundary, in the order of entry, as samples allow to condition on."""
    while boundary and not ci.performs(x, y, boundary):
        boundary = boundary[:-1]
    return boundary
