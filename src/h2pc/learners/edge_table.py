"""The edges of a learned graph in order: how sure each is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from h2pc.algorithms.learn_result import LearnResult
from h2pc.graphs import Dag
from h2pc.independence.base import CITest
from h2pc.learners.edge_links import EdgeLink, edge_links
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.learners.identifiable_directions import identifiable_directions
from h2pc.learners.pair_tests import PairTests
from h2pc.scores.base import LocalScore

COLUMNS = (
    "parent",
    "child",
    "identifiable",
    "p_value",
    "q_value",
    "log10_p_value",
    "weakest_given",
    "untested",
    "gain",
    "correlation",
    "log10_p_given_parents",
    "strength",
    "direction",
)
"""The columns of a table of edges."""


@dataclass(frozen=True)
class EdgeTable:
    """Edges of a learned graph with the evidence for each, the most certain first.

    Edges are sorted by q-value, then by p-value, then by what the score loses without them.

    Attributes
    ----------
    links : tuple of EdgeLink
        The edges.

    Examples
    --------
    >>> from h2pc import H2PC, load_network
    >>> table = H2PC().fit(load_network("asia").sample(2000, random_state=1)).edge_table_
    >>> table.links[0].parent, table.links[0].child, table.links[0].identifiable
    ('bronc', 'dysp', True)
    >>> table.to_pandas().columns[:5].to_list()
    ['parent', 'child', 'identifiable', 'p_value', 'q_value']
    """

    links: tuple[EdgeLink, ...]

    def __len__(self) -> int:
        return len(self.links)

    def __iter__(self) -> Iterator[EdgeLink]:
        return iter(self.links)

    def with_strengths(self, strengths: EdgeStrengths) -> EdgeTable:
        """Return the table with the strength of every edge, and of its direction, by resampling."""
        found = {(e.parent, e.child): (e.strength, e.direction) for e in strengths.edges}
        found |= {(v, u): (strength, 1.0 - d) for (u, v), (strength, d) in found.items()}
        values = [found.get((link.parent, link.child), (0.0, None)) for link in self.links]
        return EdgeTable(
            tuple(
                replace(link, strength=strength, direction=direction)
                for link, (strength, direction) in zip(self.links, values, strict=True)
            )
        )

    def rows(self) -> list[tuple[Any, ...]]:
        """Return a tuple for every edge, of :data:`COLUMNS`."""
        return [
            (
                link.parent,
                link.child,
                link.identifiable,
                power_of_ten(link.weakest_log10_p),
                power_of_ten(link.log10_q),
                link.weakest_log10_p,
                link.weakest_given,
                link.untested,
                link.gain,
                link.correlation,
                link.log10_p,
                link.strength,
                link.direction,
            )
            for link in self.links
        ]

    def as_text(self) -> tuple[tuple[str, ...], list[list[object]]]:
        """Return the columns and the rows as a file has them: sets of names with semicolons."""
        return COLUMNS, [list(map(_cell, row)) for row in self.rows()]

    def to_pandas(self) -> Any:
        """Return the table as a pandas data frame, a row for each edge."""
        import narwhals as nw

        pd = nw.Implementation.PANDAS.to_native_namespace()
        return pd.DataFrame(self.rows(), columns=list(COLUMNS))


def edge_table(
    result: LearnResult,
    names: Sequence[str],
    ci: CITest,
    score: LocalScore,
    tests: PairTests | None = None,
) -> EdgeTable:
    """Edges of a learned graph in order.

    Parameters
    ----------
    result : LearnResult
        The learned graph; it may lack variables of the data.
    names : sequence of str
        The names of all variables of the data.
    ci, score : CITest, LocalScore
        The independence test and the score, of these variables.
    tests : PairTests, default=None
        The tests of the skeleton; without them there are no p-values of edges and no q-values.

    Returns
    -------
    EdgeTable
        The edges, the most certain first.
    """
    whole = Dag.from_edges(names, result.dag.named_edges)
    directed = frozenset(identifiable_directions(result).named_directed)
    links = (
        replace(link, identifiable=(link.parent, link.child) in directed)
        for link in edge_links(whole, ci, score)
    )
    if tests is not None:
        links = (_tested(link, tests) for link in links)
    return EdgeTable(tuple(sorted(links, key=_by_certainty)))


def _cell(value: object) -> object:
    """Return a value as a text file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "; ".join(value) if isinstance(value, tuple) else value


def power_of_ten(exponent: float | None) -> float | None:
    """Return 10 to some power; None for None, and 0 where it underflows."""
    return None if exponent is None else 10.0**exponent


def _tested(link: EdgeLink, tests: PairTests) -> EdgeLink:
    """Return an edge with its p-value and its q-value."""
    pair = tests[link.parent, link.child]
    return replace(
        link,
        weakest_log10_p=pair.log10_p,
        weakest_given=pair.given,
        log10_q=pair.log10_q,
        untested=pair.untested,
    )


def _by_certainty(link: EdgeLink) -> tuple[float, float, float, str, str]:
    """Return what sorts edges: small q-values first, then small p-values, then large gains."""
    q, p = (math.inf if x is None else x for x in (link.log10_q, link.weakest_log10_p))
    return q, p, -link.gain, link.parent, link.child
