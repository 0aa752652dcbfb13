"""P-values of edges: the largest among the tests that tried to separate two variables.

Two variables that are not adjacent are independent given some set. If that set is among those that
were tested, its p-value is at most the largest one. So the largest p-value bounds that of the
hypothesis "not adjacent" from above (Armen and Tsamardinos, 2011; Strobl, Spirtes and Visweswaran,
2019), and the false discovery rate of the edges can be controlled. Where the set may not be among
them, because some variable was left out on both sides by tests that were not performed for lack of
samples, there is no such bound, and an edge counts as p = 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from h2pc.algorithms.hpc import Neighbourhood
from h2pc.independence.attempts import Attempts
from h2pc.independence.base import CITest
from h2pc.independence.constraints import EdgeConstraints
from h2pc.variables import Var, Vars, without

Pair = tuple[Var, Var]
"""Two variables, the smaller number first."""

FdrMethod = Literal["by", "bh"]
"""Benjamini and Yekutieli (2001), or Benjamini and Hochberg (1995)."""

# Of log p-values: how strongly a variable is linked to two others that it might separate. Chosen by
# simulation, see docs/decisions.md.
_SHARE_OF_EVIDENCE = 1 / 3

_NO_ATTEMPTS = Attempts()


@dataclass(frozen=True)
class FalseDiscoveryControl:
    """Which edges of a skeleton are kept.

    Attributes
    ----------
    level : float
        The largest q-value of an edge.
    method : {"by", "bh"}
        The adjustment for the number of pairs.
    """

    level: float
    method: FdrMethod = "by"


class PairTest(NamedTuple):
    """Two variables, and the test that says most against an edge between them."""

    x: Var
    y: Var
    log_p: float | None
    """Its log p-value; None where the power rule has left out every test that could tell."""
    given: Vars
    """Its conditioning set, sorted."""
    untested: Var | None = None
    """A variable that might separate them, and that the power rule kept out of all their tests."""
    required: bool = False
    """Whether a constraint joins them, so that nothing was tested."""


def attempts_of(view: Neighbourhood, y: Var) -> Attempts:
    """Return the tests by which a variable tried to separate another one from itself."""
    own = view.attempts.get(y, _NO_ATTEMPTS)
    if y in view.pcs or view.dsep is None:
        return own
    return own._replace(separators=(*own.separators, view.dsep.get(y, ())))


def untested_variables(ci: CITest, view: Neighbourhood) -> frozenset[Var]:
    """Return the variables that a target was left without by a test that was not performed.

    They depend on it, and its tests of others were not conditioned on them. DE-PCS left them out,
    or IAMB-FDR did not find them; for MMPC some subset separated them.
    """
    dsep = {} if view.dsep is None else dict(view.dsep.items())
    if view.iamb is not None:
        dsep |= dict.fromkeys(without(view.pcs, *view.iamb), view.iamb)
    return frozenset(ci.unperformed(view.target, dsep))


def untested_separator(ci: CITest, x: Var, y: Var, candidates: Iterable[Var]) -> Var | None:
    """Return a variable that might separate two others, of those that neither could test.

    It is linked to both: what separates two variables tells at least as much about each as they
    tell about each other. Samples vary, and several variables may separate together: links a third
    as strong count.
    """
    candidates = tuple(sorted(candidates))
    weakest = float(ci.log_p_given(x, (y,), ())[0]) * _SHARE_OF_EVIDENCE
    links = np.maximum(*(ci.log_p_given(end, candidates, ()) for end in (x, y)))
    return next((v for v, log_p in zip(candidates, links, strict=True) if log_p <= weakest), None)


def pair_test(ci: CITest, x: Var, y: Var, attempts: Iterable[Attempts]) -> PairTest:
    """Return the test of a pair that has the largest p-value, of all attempts from both ends.

    P-values of sets that separate the two are computed here: the steps of the algorithms need no
    more than the verdict.
    """
    tests: list[tuple[float, Vars]] = []
    separators: set[Vars] = set()
    for log_p, given, separating in attempts:
        if log_p is not None:
            tests.append((log_p, tuple(sorted(given))))
        separators.update(tuple(sorted(z)) for z in separating)
    performed = (z for z in separators if ci.performs(x, y, z))
    tests.extend((float(ci.log_p_given(x, (y,), z)[0]), z) for z in performed)
    if not tests:
        return PairTest(x, y, None, min(separators, key=_size, default=()))
    log_p, given = min(tests, key=_by_weakness)
    return PairTest(x, y, log_p, given)


def _by_weakness(test: tuple[float, Vars]) -> tuple[float, int, Vars]:
    """Return what sorts tests: large p-values first, then small sets, then by name."""
    log_p, z = test
    return -log_p, *_size(z)


def _size(z: Vars) -> tuple[int, Vars]:
    """Return what sorts sets: small ones first, then by name."""
    return len(z), z


@dataclass(frozen=True)
class EdgeFamily:
    """Edges whose hypotheses are one family: their q-values are of this family.

    Attributes
    ----------
    tests : tuple of PairTest
        The tests of the edges that were learned, sorted by pair.
    n_pairs : int
        The number of pairs that could have become edges. Those that did not count as p = 1.

    Examples
    --------
    >>> family = EdgeFamily((PairTest(0, 1, -9.0, ()), PairTest(1, 2, -6.0, (0,))), n_pairs=3)
    >>> {pair: round(math.exp(q), 5) for pair, q in family.log_q("bh").items()}
    {(0, 1): 0.00037, (1, 2): 0.00372}
    """

    tests: tuple[PairTest, ...]
    n_pairs: int

    def log_q(self, method: FdrMethod) -> dict[Pair, float]:
        """Return the log q-value of every edge that was tested: the level that it passes at.

        Edges with an untested separator have none.
        """
        ranked = sorted(
            (t.log_p, (t.x, t.y)) for t in self.tests if t.log_p is not None and t.untested is None
        )
        factor = math.log(max(1, self.n_pairs))
        if method == "by":
            factor += math.log(_harmonic(max(1, self.n_pairs)))
        log_q, smallest = {}, 0.0
        for rank in range(len(ranked), 0, -1):
            log_p, pair = ranked[rank - 1]
            smallest = min(smallest, log_p + factor - math.log(rank))
            log_q[pair] = smallest
        return dict(sorted(log_q.items()))


def _harmonic(n: int) -> float:
    """Return 1 + 1/2 + … + 1/n; for large n by the expansion of Euler, which is as exact."""
    if n <= 1000:
        return math.fsum(1.0 / i for i in range(1, n + 1))
    return math.log(n) + np.euler_gamma + 1.0 / (2 * n) - 1.0 / (12 * n**2)


@dataclass(frozen=True)
class EdgeTests:
    """The tests of all edges that were learned, before any of them were taken out.

    Attributes
    ----------
    families : tuple of EdgeFamily
        Around targets, the pairs of the targets, and the other pairs that were looked at; else all.
        Copies of variables are a family of their own.
    """

    families: tuple[EdgeFamily, ...] = ()

    @property
    def by_pair(self) -> dict[Pair, PairTest]:
        """The tests by pair."""
        tests = (test for family in self.families for test in family.tests)
        return {(test.x, test.y): test for test in sorted(tests)}

    def log_q(self, method: FdrMethod) -> dict[Pair, float]:
        """Return the log q-value of every edge that was tested, in its family."""
        merged: dict[Pair, float] = {}
        for family in self.families:
            merged |= family.log_q(method)
        return dict(sorted(merged.items()))

    def kept(self, control: FalseDiscoveryControl) -> frozenset[Pair]:
        """Return the edges that pass, and those that are required; untested ones count as p = 1."""
        log_q, limit = self.log_q(control.method), math.log(control.level)
        return frozenset(
            pair
            for pair, test in self.by_pair.items()
            if test.required or log_q.get(pair, 0.0) <= limit
        )


def edge_tests(
    ci: CITest,
    ends: Mapping[Pair, tuple[Neighbourhood, Neighbourhood]],
    learned: Iterable[Var],
    targets: Iterable[Var] | None,
    universe: Vars,
) -> EdgeTests:
    """Tests of the edges of a skeleton.

    Parameters
    ----------
    ci : CITest
        The independence test.
    ends : mapping of pair to tuple of Neighbourhood
        The edges, each with what was found for its first variable, and for its second.
    learned : iterable of Var
        The variables that were tested against all others.
    targets : iterable of Var or None
        The variables whose pairs are a family of their own; None where there are none.
    universe : Vars
        All variables that could become neighbours.

    Returns
    -------
    EdgeTests
        With the number of pairs that could have become edges. Pairs that constraints decide are
        not among them, and required edges have no p-value.
    """
    constraints = ci.context.constraints
    first = frozenset(learned if targets is None else targets)
    rest = frozenset(learned) - first
    groups: tuple[list[PairTest], list[PairTest]] = ([], [])
    views = {view.target: view for both in ends.values() for view in both}
    untested = {v: untested_variables(ci, view) for v, view in views.items()}
    for (x, y), (one, other) in sorted(ends.items()):
        if y in constraints.decided.get(x, {}):
            test = PairTest(x, y, None, (), required=True)
        else:
            test = pair_test(ci, x, y, (attempts_of(one, y), attempts_of(other, x)))
            if both := untested[x] & untested[y]:
                test = test._replace(untested=untested_separator(ci, x, y, both))
        groups[0 if x in first or y in first else 1].append(test)
    n_first = _n_pairs(first, universe, constraints)
    n_pairs = (n_first, _n_pairs(first | rest, universe, constraints) - n_first)
    families = (EdgeFamily(tuple(tests), n) for tests, n in zip(groups, n_pairs, strict=True))
    return EdgeTests(tuple(family for family in families if family.n_pairs or family.tests))


def _n_pairs(variables: frozenset[Var], universe: Vars, constraints: EdgeConstraints) -> int:
    """Return the number of undecided pairs that have one of the variables."""
    n_inside, n_all = len(variables), len(universe)
    decided = {pair for pair in _decided(constraints, frozenset(universe)) if pair & variables}
    return math.comb(n_inside, 2) + n_inside * (n_all - n_inside) - len(decided)


def _decided(constraints: EdgeConstraints, universe: frozenset[Var]) -> Iterator[frozenset[Var]]:
    for x, others in constraints.decided.items():
        yield from (frozenset((x, y)) for y in others if x in universe and y in universe)


def with_tests_of_copies(tests: EdgeTests, ci: CITest, copies: Mapping[Var, Var]) -> EdgeTests:
    """Return the tests with those of copies, each given nothing."""
    if not copies:
        return tests
    alone = (Attempts(separators=((),)),)
    pairs = sorted((min(pair), max(pair)) for pair in copies.items())
    more = tuple(pair_test(ci, x, y, alone) for x, y in pairs)
    return EdgeTests((*tests.families, EdgeFamily(more, len(more))))
