"""Evidence for each edge of a learned graph: its part of the score, and a test of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass

from h2pc.graphs import Dag
from h2pc.independence.base import CITest
from h2pc.scores.base import LocalScore
from h2pc.variables import Var, Vars, without


@dataclass(frozen=True)
class EdgeLink:
    """One edge, and the evidence for it.

    Attributes
    ----------
    parent, child : str
        The names of its ends.
    gain : float
        The score of the graph minus that without the edge, in nats.
    log10_p : float or None
        Decimal logarithm of the p-value of parent ⊥ child given the other parents of the child;
        None where the test has too few samples to be performed.
    given : tuple of str
        These other parents, sorted.
    correlation : float or None
        The partial correlation of parent and child given the others; None where one of them is
        discrete.
    identifiable : bool
        Whether all equivalent graphs that obey the constraints have this direction.
    weakest_log10_p : float or None
        Decimal logarithm of the p-value of the edge: the largest among the tests that tried to
        separate the two. None where no such test was performed, or there was no skeleton.
    weakest_given : tuple of str
        The conditioning set of that test.
    log10_q : float or None
        Decimal logarithm of the q-value: 0 where the skeleton does not have the edge, None where
        ``untested`` names a variable.
    untested : str or None
        A variable that depends on both and that the power rule kept out of all tests of the two.
    strength, direction : float or None
        The share of resampled graphs that join the two, and among these the share that points from
        parent to child; None without resampling.

    Examples
    --------
    >>> EdgeLink("rain", "wet", gain=120.5, log10_p=-50.2, given=("sprinkler",)).given
    ('sprinkler',)
    """

    parent: str
    child: str
    gain: float
    log10_p: float | None
    given: tuple[str, ...]
    correlation: float | None = None
    identifiable: bool = False
    weakest_log10_p: float | None = None
    weakest_given: tuple[str, ...] = ()
    log10_q: float | None = None
    untested: str | None = None
    strength: float | None = None
    direction: float | None = None


def performed_log_p(ci: CITest, x: Var, y: Var, z: Vars = ()) -> float | None:
    """Return the log p-value of a test, or None where the power rule leaves it out."""
    log_p = ci.log_p(x, y, z)
    decided = log_p == -math.inf  # by a constraint
    return log_p if decided or ci.performs(x, y, z) else None


def edge_links(dag: Dag, ci: CITest, score: LocalScore) -> tuple[EdgeLink, ...]:
    """Evidence for every edge of a graph.

    Parameters
    ----------
    dag : Dag
        The graph; its variables are numbered as those of the test and of the score.
    ci : CITest
        The independence test.
    score : LocalScore
        The score that the graph was found by, or any other.

    Returns
    -------
    tuple of EdgeLink
        The edges, sorted by the names of the parent and of the child.

    Examples
    --------
    >>> from h2pc import BDeu, GTest, load_network
    >>> asia = load_network("asia")
    >>> data = asia.sample(5000, random_state=2)
    >>> strongest = max(edge_links(asia.dag, GTest(data), BDeu(data)), key=lambda link: link.gain)
    >>> strongest.parent, strongest.child, strongest.given
    ('bronc', 'dysp', ('either',))
    """
    names, links = dag.names, []
    for child in dag.variables:
        parents = dag.parents(child)
        gains = score.family(child, parents) - score.changed(child, parents, parents)
        for x, gain in zip(parents, gains.tolist(), strict=True):
            others = without(parents, x)
            log_p = performed_log_p(ci, child, x, others)
            log10_p = None if log_p is None else log_p / math.log(10)
            given = tuple(sorted(names[v] for v in others))
            correlation = ci.correlation(child, x, others)
            links.append(EdgeLink(names[x], names[child], gain, log10_p, given, correlation))
    return tuple(sorted(links, key=lambda link: (link.parent, link.child)))
