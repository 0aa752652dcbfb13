"""The graph around the labels of some data, and the files that show it."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from h2pc.cli.multilabel_data import labelled_tables
from h2pc.cli.outputs import Content

if TYPE_CHECKING:
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.multilabel.data import MultilabelData

Names = tuple[str, ...]


@dataclass(frozen=True)
class LabelStructure:
    """The graph around the labels of some data, their powersets and Markov boundaries."""

    name: str
    result: LearnResult
    labels: Names
    powersets: tuple[Names, ...]
    boundaries: tuple[Names, ...]
    n_combinations: tuple[int, ...]
    """The number of combinations of the labels of each powerset in the data."""

    def record(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        from h2pc.multilabel import label_links

        links = label_links(self.result.dag, self.labels)
        groups = zip(self.powersets, self.n_combinations, self.boundaries, strict=True)
        return {
            "data": self.name,
            "labels": list(self.labels),
            "powersets": [
                {"labels": list(some), "n_combinations": n, "boundary": list(near)}
                for some, n, near in groups
            ],
            "links": [
                {"labels": list(pair), "adjacent": adjacent, "through": list(through)}
                for pair, adjacent, through in links
            ],
            "edges": [list(edge) for edge in self.edges],
            "n_tests": self.result.n_tests,
        }

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The edges to labels and to their children, which decide powersets and boundaries."""
        dag, labels = self.result.dag, frozenset(self.labels)
        is_label = [name in labels for name in dag.names]
        near = [is_label[v] or any(is_label[u] for u in dag.parents(v)) for v in dag.variables]
        return tuple((dag.names[u], dag.names[v]) for u, v in dag.edges if near[v])

    def contents(self) -> dict[str, Callable[[], Content]]:
        """Return a function for each kind of file that makes its content."""
        return {
            "json": lambda: self.result.to_json() + "\n",
            "dot": self._dot,
            "svg": lambda: self._picture("svg", {"Date": None}),
            "png": lambda: self._picture("png", {"Software": None}),
            "html": self._page,
        }

    def _dot(self) -> str:
        """Return the edges near the labels in the language of Graphviz."""
        from h2pc.graphs import Dag, to_dot

        names = sorted({*self.labels, *(name for edge in self.edges for name in edge)})
        return to_dot(Dag.from_edges(names, self.edges))

    def _picture(self, kind: str, metadata: dict[str, None]) -> bytes:
        """Return a picture, the same bytes each time."""
        import matplotlib as mpl

        from h2pc.report.label_graphs import LabelGraph, plot_label_graph

        content = io.BytesIO()
        with mpl.rc_context({"svg.hashsalt": self.name, "svg.fonttype": "none"}):
            figure = plot_label_graph(LabelGraph(self.name, self.labels, self.edges)).figure
            figure.savefig(content, format=kind, dpi=110, metadata=metadata)
        return content.getvalue()

    def _page(self) -> str:
        """Return the interactive page."""
        from h2pc.report.page import network_page

        return network_page(
            self.result,
            title=f"The labels of {self.name}",
            labels=self.labels,
            powersets=self.powersets,
            boundaries=self.boundaries,
        )


def label_structure(data: MultilabelData, learner: Any) -> LabelStructure:
    """Return the graph that a learner finds around the labels of some data."""
    from h2pc.multilabel import minimal_label_powersets
    from h2pc.multilabel.binary_relevance import BinaryRelevance
    from h2pc.multilabel.label_classes import LabelClasses
    from h2pc.multilabel.label_structure import boundaries
    from h2pc.multilabel.training_set import labelled, places

    training, _ = labelled(BinaryRelevance(), *labelled_tables(data))
    learner.set_params(targets=training.targets)
    result = learner.fit(training.discrete()).result_
    powersets = minimal_label_powersets(result.dag, training.targets)
    seen = [LabelClasses.of(training.Y[:, places(p, training.targets)])[0] for p in powersets]
    return LabelStructure(
        name=data.name,
        result=result,
        labels=training.targets,
        powersets=powersets,
        boundaries=boundaries(result.dag, powersets, training),
        n_combinations=tuple(map(len, seen)),
    )
