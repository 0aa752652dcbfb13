"""Reasons why HPC finds some variables to be neighbours of a target, and others not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from h2pc.algorithms.edge_tests import FdrMethod, Pair, PairTest, edge_tests
from h2pc.algorithms.hpc import Neighbourhood
from h2pc.algorithms.neighbourhoods import neighbourhoods
from h2pc.algorithms.skeletons import Symmetry
from h2pc.independence.base import CITest
from h2pc.learners.edge_links import performed_log_p
from h2pc.runs.progress import ProgressBar
from h2pc.variables import Var, Vars, without


class Reason(StrEnum):
    """Why a variable is no neighbour."""

    SEPARATED = "separated"
    """A set makes it independent of the target."""
    NOT_A_DISCOVERY = "no discovery"
    """No such set was found, but given the boundary it does not pass the false discovery rate."""
    ONE_SIDED = "one-sided"
    """Only one of the two has found the other, and the AND rule needs both."""


@dataclass(frozen=True)
class NeighbourLink:
    """A neighbour, and the evidence for it.

    Attributes
    ----------
    name : str
        The neighbour.
    log10_p : float or None
        Decimal logarithm of the p-value of target ⊥ neighbour, given nothing; None where the power
        rule leaves the test out.
    weakest_log10_p : float or None
        The largest one among the tests that tried to separate the two, from both ends: the evidence
        where it is weakest. None for a required edge, which is not tested.
    given : tuple of str
        The conditioning set of that test.
    log10_q : float or None
        Decimal logarithm of the q-value: the weakest p-value adjusted for the number of pairs that
        have a target; None where ``untested`` names a variable.
    untested : str or None
        A variable that depends on both and that the power rule kept out of all tests of the two: it
        might separate them.
    correlation, weakest_correlation : float or None
        The correlation with the target, and the partial correlation given that subset; None where
        one of the two is discrete.
    """

    name: str
    log10_p: float | None
    weakest_log10_p: float | None
    given: tuple[str, ...]
    log10_q: float | None = None
    untested: str | None = None
    correlation: float | None = None
    weakest_correlation: float | None = None


@dataclass(frozen=True)
class SpouseLink:
    """A member of the Markov boundary that is no neighbour.

    Attributes
    ----------
    name : str
        The spouse.
    separator : tuple of str
        What makes it independent of the target.
    child : str or None
        The neighbour that, known as well, makes them dependent; the one that does it most. None
        where none does alone.
    log10_p : float
        Decimal logarithm of the p-value of target ⊥ spouse given the separator and this child.
    """

    name: str
    separator: tuple[str, ...]
    child: str | None
    log10_p: float


@dataclass(frozen=True)
class LeftOut:
    """A variable outside the Markov boundary, and why.

    Attributes
    ----------
    name : str
        The variable.
    reason : Reason
        Why it is no neighbour.
    log10_p : float
        Decimal logarithm of the p-value of target ⊥ variable, given nothing.
    separator : tuple of str or None
        What makes it independent of the target; empty where it is so anyway. Where the reason is
        one-sided, the set was found on the other side. None where there is no such set.
    tested : bool
        Whether the test given that set was performed; False where the power rule left it out, and
        independence was assumed.
    separator_log10_p : float or None
        Decimal logarithm of the p-value given that set; None where there is no such set, or the
        test was not performed.
    """

    name: str
    reason: Reason
    log10_p: float
    separator: tuple[str, ...] | None
    tested: bool = True
    separator_log10_p: float | None = None


@dataclass(frozen=True)
class Explanation:
    """What HPC found around one target, and why.

    Attributes
    ----------
    target : str
        The target.
    neighbours : tuple of NeighbourLink
        Its parents and children, from the strongest link to the weakest.
    spouses : tuple of SpouseLink
        The rest of its Markov boundary, by name. HPC looks for none around a single neighbour.
    left_out : tuple of LeftOut
        All other variables, from the strongest link given nothing to the weakest.
    """

    target: str
    neighbours: tuple[NeighbourLink, ...]
    spouses: tuple[SpouseLink, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def markov_boundary(self) -> tuple[str, ...]:
        """Names of neighbours and spouses, sorted."""
        links: tuple[NeighbourLink | SpouseLink, ...] = (*self.neighbours, *self.spouses)
        return tuple(sorted(link.name for link in links))


def explained_neighbours(
    ci: CITest,
    names: Sequence[str],
    targets: Vars,
    *,
    symmetry: Symmetry = Symmetry.AND,
    fdr_method: FdrMethod = "by",
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> tuple[Explanation, ...]:
    """Neighbours of some targets by HPC, with the reasons for them and against all others.

    Parameters
    ----------
    ci : CITest
        The independence test.
    names : sequence of str
        The names of its variables.
    targets : Vars
        The variables to explain.
    symmetry : Symmetry, default=Symmetry.AND
        When two variables are neighbours.
    fdr_method : {"by", "bh"}, default="by"
        The adjustment of the q-values.
    n_jobs : int, default=None
        The number of workers, as joblib counts them: by default one.
    progress : bool, default=None
        Whether there is a progress bar; by default on a terminal.

    Returns
    -------
    tuple of Explanation
        One for each target, in their order.

    Examples
    --------
    >>> from h2pc import Dag, DSeparationOracle
    >>> dag = Dag.from_edges(tuple("abcd"), [("a", "b"), ("b", "c"), ("d", "c")])
    >>> (why,) = explained_neighbours(DSeparationOracle(dag), dag.names, (1,))
    >>> [link.name for link in why.neighbours], why.spouses[0].name, why.spouses[0].child
    (['a', 'c'], 'd', 'c')
    """
    universe = tuple(range(len(names)))
    # Any variable may have a target in its neighbourhood: the OR rule needs all of them.
    wave = universe if symmetry is Symmetry.OR else targets
    seen: dict[Var, Neighbourhood] = {}
    with ProgressBar("Neighbourhoods", progress) as bar:
        while wave:
            bar.expect(len(wave))
            seen |= neighbourhoods(wave, ci, universe, n_jobs=n_jobs, bar=bar)
            wave = without(dict.fromkeys(x for target in targets for x in seen[target].pc), *seen)
    found = tuple(_Target(target, ci, names, seen, symmetry) for target in targets)
    pairs = {(min(each.target, x), max(each.target, x)) for each in found for x in each.pc}
    tests = edge_tests(
        ci,
        {(x, y): (seen[x], seen[y]) for x, y in pairs},
        targets,
        None,
        universe,
    )
    by_pair, log_q = tests.by_pair, tests.log_q(fdr_method)
    return tuple(each.explanation(by_pair, log_q) for each in found)


class _Target:
    """One target, and what was found around it and its neighbours."""

    def __init__(
        self,
        target: Var,
        ci: CITest,
        names: Sequence[str],
        seen: Mapping[Var, Neighbourhood],
        symmetry: Symmetry,
    ) -> None:
        self.target, self.ci, self.names, self.seen = target, ci, names, seen
        own = seen[target]
        named_by = tuple(x for x in sorted(seen) if target in seen[x].pc)
        if symmetry is Symmetry.OR:
            self.pc = (*own.pc, *without(named_by, *own.pc))
        else:
            self.pc = tuple(x for x in own.pc if x in named_by)
        self.spouses = without(own.mb, *own.pc, *self.pc)

    def explanation(
        self, tests: Mapping[Pair, PairTest], log_q: Mapping[Pair, float]
    ) -> Explanation:
        """Return the reasons for and against all variables, given the tests of the neighbours."""
        others = without(range(len(self.names)), self.target)
        log_p = dict(zip(others, self.ci.log_p_many(self.target, others).tolist(), strict=True))
        strongest_first = sorted(others, key=lambda x: (log_p[x], x))
        inside = frozenset((*self.pc, *self.spouses))
        links = []
        for x in strongest_first:
            if x in self.pc:
                pair = min(x, self.target), max(x, self.target)
                links.append(self._link(x, tests[pair], log_q.get(pair)))
        return Explanation(
            self.names[self.target],
            tuple(sorted(links, key=_by_strength)),
            tuple(self._spouse(x) for x in sorted(self.spouses)),
            tuple(self._left_out(x, log_p[x]) for x in strongest_first if x not in inside),
        )

    def _link(self, x: Var, test: PairTest, log_q: float | None) -> NeighbourLink:
        """Return the evidence for a neighbour."""
        alone = performed_log_p(self.ci, self.target, x)
        return NeighbourLink(
            self.names[x],
            _log10(alone),
            _log10(test.log_p),
            self._named(test.given),
            _log10(log_q),
            None if test.untested is None else self.names[test.untested],
            *(self.ci.correlation(self.target, x, z) for z in ((), test.given)),
        )

    def _spouse(self, x: Var) -> SpouseLink:
        """Return what joins a spouse to the target."""
        separator = self._separator(self.target, x) or ()
        children = without(self.pc, *separator)
        answers = [(self.ci.log_p(self.target, x, (*separator, y)), y) for y in children]
        log_p, child = min(answers, default=(0.0, None))
        named = None if child is None or self.ci.independent(log_p) else self.names[child]
        return SpouseLink(self.names[x], self._named(separator), named, log_p / math.log(10))

    def _left_out(self, x: Var, log_p: float) -> LeftOut:
        """Return why a variable is neither a neighbour nor a spouse."""
        if x in self.seen[self.target].pc:
            reason, separator = Reason.ONE_SIDED, self._separator(x, self.target)
        else:
            separator = self._separator(self.target, x)
            reason = Reason.NOT_A_DISCOVERY if separator is None else Reason.SEPARATED
        log10_p = log_p / math.log(10)
        if separator is None:
            return LeftOut(self.names[x], reason, log10_p, None)
        separating = performed_log_p(self.ci, self.target, x, separator)
        tested = separating is not None
        named = self._named(separator)
        return LeftOut(self.names[x], reason, log10_p, named, tested, _log10(separating))

    def _separator(self, target: Var, x: Var) -> Vars | None:
        """Return the set by which HPC of ``target`` separated ``x``, if it knows one."""
        view = self.seen[target]
        if x not in view.pcs:
            return (view.dsep or {}).get(x, ())
        return self.ci.first_separator(target, x, without(view.mb, x)).z

    def _named(self, variables: Vars) -> tuple[str, ...]:
        return tuple(sorted(self.names[v] for v in variables))


def _by_strength(link: NeighbourLink) -> tuple[float, float, str]:
    """Return what sorts links from the strongest to the weakest, those untested last."""
    return (
        math.inf if link.weakest_log10_p is None else link.weakest_log10_p,
        math.inf if link.log10_p is None else link.log10_p,
        link.name,
    )


def _log10(log_p: float | None) -> float | None:
    return None if log_p is None else log_p / math.log(10)
