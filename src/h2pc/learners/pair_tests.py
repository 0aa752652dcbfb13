"""Tests of pairs of variables: which test joins or separates them, and its p-value."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from typing import Any

from h2pc.algorithms.edge_tests import FdrMethod, Pair, PairTest, attempts_of, pair_test
from h2pc.algorithms.skeletons import SkeletonResult
from h2pc.errors import DataError
from h2pc.independence.base import CITest
from h2pc.variables import Var


@dataclass(frozen=True)
class TestedPair:
    """Two variables, and the test that says most against an edge between them.

    Attributes
    ----------
    first, second : str
        Their names, in order.
    joined : bool
        Whether the skeleton joins them.
    p_value : float or None
        For an edge, the largest p-value among the tests that tried to separate the two, from both
        ends; for others, that of the test that separated them, or the largest one where HPC left
        them out because they were no discovery, which may be below alpha. None where the
        power rule left that test out, and where no test was needed.
    log10_p : float or None
        Its decimal logarithm, which does not underflow.
    given : tuple of str
        The conditioning set of that test.
    q_value : float or None
        The p-value adjusted for the number of pairs; 1 for pairs that are not joined, and None for
        required ones and where ``untested`` names a variable. An edge that a false discovery rate
        has taken out keeps its own.
    log10_q : float or None
        Its decimal logarithm.
    tested : bool
        Whether the test was performed.
    untested : str or None
        For an edge, a variable that depends on both and that the power rule kept out of all their
        tests. It might separate them, so that the p-value bounds nothing.
    """

    first: str
    second: str
    joined: bool
    p_value: float | None
    log10_p: float | None
    given: tuple[str, ...]
    q_value: float | None
    log10_q: float | None
    tested: bool
    untested: str | None = None


class PairTests:
    """Tests of the pairs of a learned skeleton, computed when they are needed.

    Iterating goes through the edges and through the pairs that depend on each other and that some
    variable separates. ``tests[x, y]`` is any pair, also one that is independent given nothing.

    Parameters
    ----------
    found : SkeletonResult
        The skeleton, and how it was found.
    ci : CITest
        The independence test that it was found by.
    method : {"by", "bh"}, default="by"
        The adjustment of the q-values.
    copies : collection of str, default=()
        The variables that copy another one: each is joined to it, and tested with no other.

    Examples
    --------
    >>> from h2pc import H2PC, load_network
    >>> tests = H2PC().fit(load_network("asia").sample(2000, random_state=1)).pair_tests_
    >>> pair = tests["bronc", "lung"]
    >>> pair.joined, pair.given, round(pair.p_value, 2)
    (False, ('smoke',), 0.06)
    """

    def __init__(
        self,
        found: SkeletonResult,
        ci: CITest,
        method: FdrMethod = "by",
        copies: Collection[str] = (),
    ) -> None:
        self._found, self._ci = found, ci
        self._names = found.skeleton.names
        self._number = {name: v for v, name in enumerate(self._names)}
        self._copies = frozenset(self._number[name] for name in copies)
        self._edges = found.edge_tests.by_pair
        self._log_q = found.edge_tests.log_q(method)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self):,} pairs, {len(self._edges):,} of them edges)"

    def __len__(self) -> int:
        return len(self._pairs)

    def __iter__(self) -> Iterator[TestedPair]:
        return map(self._tested, self._pairs)

    def __getitem__(self, pair: tuple[str, str]) -> TestedPair:
        if not isinstance(pair, tuple) or len(set(pair)) != 2 or len(pair) != 2:
            raise DataError(f"a pair is of two variables, as in tests['x', 'y']; got {pair!r}")
        x, y = sorted(self._variable(name) for name in pair)
        return self._tested((x, y))

    def edges(self) -> Iterator[TestedPair]:
        """Return the edges alone, also those that a false discovery rate has taken out."""
        return map(self._tested, self._edges)

    def to_pandas(self) -> Any:
        """Return the pairs as a pandas data frame, a row for each, the smallest q-value first."""
        import narwhals as nw

        pd = nw.Implementation.PANDAS.to_native_namespace()
        columns = [each.name for each in fields(TestedPair)]
        rows = sorted(self, key=_by_strength)
        return pd.DataFrame([astuple(row) for row in rows], columns=columns)

    @cached_property
    def _pairs(self) -> tuple[Pair, ...]:
        """Edges, and pairs that something separates."""
        pairs = set(self._edges)
        for x, view in self._found.found.items():
            for y in (*view.attempts, *(view.dsep or ())):
                pairs.add((min(x, y), max(x, y)))
        return tuple(sorted(pairs))

    def _variable(self, name: str) -> Var:
        if name not in self._number:
            raise DataError(f"there is no variable {name!r}: expected one of the data's")
        return self._number[name]

    def _tested(self, pair: Pair) -> TestedPair:
        names, is_edge = self._names, pair in self._edges
        test = self._edges[pair] if is_edge else self._separating(pair)
        return TestedPair(
            names[pair[0]],
            names[pair[1]],
            self._found.skeleton.has_edge(*pair) or (is_edge and not self._copies.isdisjoint(pair)),
            *_with_log10(test.log_p),
            tuple(names[v] for v in test.given),
            *_with_log10(self._log_q.get(pair) if is_edge else 0.0),
            test.log_p is not None,
            None if test.untested is None else names[test.untested],
        )

    def _separating(self, pair: Pair) -> PairTest:
        """Return the test of a pair that is not joined, from the ends that were learned."""
        x, y = pair
        is_decided = y in self._ci.context.constraints.decided.get(x, {})
        if is_decided or not self._copies.isdisjoint(pair):
            return PairTest(x, y, None, ())
        views, found = self._found.found, []
        for u, v in ((x, y), (y, x)):
            if u in views:
                found.append(attempts_of(views[u], v))
        separators = tuple(z for each in found for z in each.separators)
        if separators:  # other tests found them dependent, and do not matter here
            found = [each._replace(log_p=None) for each in found]
        return pair_test(self._ci, x, y, found)


def _with_log10(log: float | None) -> tuple[float | None, float | None]:
    """Return the exponential of a natural logarithm, and the decimal one."""
    return (None, None) if log is None else (math.exp(log), log / math.log(10))


def _by_strength(pair: TestedPair) -> tuple[bool, float, float, str, str]:
    q, p = (math.inf if x is None else x for x in (pair.log10_q, pair.log10_p))
    return not pair.joined, q, p, pair.first, pair.second
