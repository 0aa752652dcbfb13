"""A learned network in every format that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from h2pc.cli.learners import Learning
from h2pc.cli.outputs import PICTURES, Content, Output, csv_text, picture

if TYPE_CHECKING:
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.data import Dataset
    from h2pc.graphs import Dag
    from h2pc.learners.edge_links import EdgeLink
    from h2pc.learners.edge_strengths import EdgeStrengths

# Pairs grow with the square of the variables, and a page has to be read by a browser.
_MOST_VARIABLES = 100


@dataclass(frozen=True)
class LearnedFiles:
    """A network, what it was learned from, and all that its page shows."""

    result: LearnResult
    data: Dataset
    learning: Learning
    title: str
    links: Sequence[EdgeLink] = ()
    strengths: EdgeStrengths | None = None
    reference: Dag | None = None

    def contents(self) -> dict[str, Callable[[], Content]]:
        """Return what makes each kind of file."""
        pictures = {kind: partial(self._picture, kind) for kind in PICTURES}
        return {
            "bif": self._bif,
            "xml": self._xml,
            "dot": self._dot,
            "json": lambda: self.result.to_json() + "\n",
            "edges": self._edges,
            "html": self._page,
            **pictures,
        }

    def _bif(self) -> str:
        from h2pc.networks import bif_text

        return bif_text(self.learning.fitted(self.result.dag, self.data))

    def _xml(self) -> str:
        from h2pc.networks import xmlbif_text

        return xmlbif_text(self.learning.fitted(self.result.dag, self.data))

    def _dot(self) -> str:
        from h2pc.graphs import to_dot

        return to_dot(self.result.dag)

    def _edges(self) -> str:
        if self.strengths is None:
            return csv_text(("parent", "child"), self.result.dag.named_edges)
        rows = [
            (edge.parent, edge.child, edge.strength, edge.direction)
            for edge in self.strengths.edges
        ]
        return csv_text(("parent", "child", "strength", "direction"), rows)

    def _page(self) -> str:
        from h2pc.report.page import network_page

        return network_page(
            self.result,
            title=self.title,
            strengths=self.strengths,
            links=self.links,
            reference=self.reference,
            separators=self._separators(),
        )

    def _separators(self) -> dict[tuple[str, str], tuple[str, ...]] | None:
        """Return what separates pairs without an edge; none where HPC has not looked."""
        dag, joined = self.result.dag, self.result.joined
        too_many = self.data.n_variables > _MOST_VARIABLES
        if joined is None or self.strengths is not None or too_many:
            return None
        edges, names = dag.skeleton().named_edges, frozenset(dag.names)
        return {
            pair: between
            for pair, between in joined.separating_sets().items()
            if pair not in edges and names.issuperset((*pair, *between))
        }

    def _picture(self, kind: str) -> bytes:
        from h2pc.graphs import dag_to_cpdag
        from h2pc.report.pictures import plot_comparison, plot_network

        if self.reference is not None:
            classes = dag_to_cpdag(self.result.dag), dag_to_cpdag(self.reference)
            return picture(partial(plot_comparison, *classes), kind, self.title)
        targets, strengths = self.learning.targets, self.strengths
        draw = partial(plot_network, self.result.dag, highlight=targets, strengths=strengths)
        return picture(draw, kind, self.title)


def rehearse(outputs: Sequence[Output], data: Dataset, learning: Learning) -> None:
    """Refuse names that a file cannot hold, before the network is learned."""
    from h2pc import networks
    from h2pc.graphs import Dag

    writers = {"bif": "bif_text", "xml": "xmlbif_text"}
    for kind in dict.fromkeys(output.kind for output in outputs if output.kind in writers):
        text = getattr(networks, writers[kind])
        text(learning.fitted(Dag.from_edges(data.names), data))
