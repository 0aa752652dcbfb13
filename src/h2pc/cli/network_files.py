"""The files of a learned network, in every format."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from h2pc.cli.learning import LearningOptions
from h2pc.cli.outputs import PICTURES, WITH_PARAMETERS, Content, Output, csv_text, picture
from h2pc.cli.printing import plural
from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.io.dot import to_dot
from h2pc.io.network_document import MAX_CELLS_AS_TEXT
from h2pc.networks.network_formats import network_text

if TYPE_CHECKING:
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.data import Dataset
    from h2pc.learners.edge_strengths import EdgeStrengths
    from h2pc.learners.edge_table import EdgeTable
    from h2pc.multilabel.data import MultilabelData
    from h2pc.multilabel.label_factors import LabelFactors
    from h2pc.multilabel.label_structure import LabelStructure
    from h2pc.networks import BayesianNetwork, LinearGaussianNetwork
    from h2pc.report.identifiable import View
    from h2pc.report.label_graphs import LabelGraph


@dataclass(frozen=True)
class NetworkFiles:
    """A network, what it was learned from, and all that its page shows."""

    result: LearnResult
    data: Dataset
    learning: LearningOptions
    source: str
    """The name of the file that it was learned from."""
    how: str = ""
    """In what other way than from all samples at once."""
    links: EdgeTable | None = None
    strengths: EdgeStrengths | None = None
    reference: Dag | None = None
    highlight: Sequence[str] = ()
    view: View = "class"

    def by_kind(self) -> dict[str, Callable[[], Content]]:
        """Return a function for each kind of file that makes its content."""
        return {
            **{kind: partial(self._network, kind) for kind in WITH_PARAMETERS},
            **{kind: partial(self._picture, kind) for kind in PICTURES},
            "dot": lambda: to_dot(self.result.dag),
            "json": lambda: self.result.to_json() + "\n",
            "edges": self._edges,
            "html": self._page,
        }

    def _network(self, kind: str) -> str:
        ending = ".json" if kind == "network" else f".{kind}"
        return network_text(self.learning.fitted(self.result.dag, self.data), ending)

    def _edges(self) -> str:
        if self.links is not None:
            return csv_text(*self.links.as_text())
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
            title=f"{self._samples} of {plural(self.data.n_variables, 'variable')}{self._how}",
            strengths=self.strengths,
            links=() if self.links is None else self.links.links,
            reference=self.reference,
            view=self.view,
            network=self._parameters(),
            data=self.data,
        )

    def _parameters(self) -> BayesianNetwork | LinearGaussianNetwork | None:
        """Return the fitted network; None where there is none, or nobody would read its tables."""
        has_none = self.data.kind == "mixed" or _is_too_large(self.result.dag, self.data)
        return None if has_none else self.learning.fitted(self.result.dag, self.data)

    @property
    def _samples(self) -> str:
        return f"{self.source}, {plural(self.data.n_samples, 'sample')}"

    @property
    def _how(self) -> str:
        return f", {self.how}" if self.how else ""

    def _picture(self, kind: str) -> bytes:
        from h2pc.report.pictures import plot_comparison, plot_network

        if self.reference is None:
            more: dict[str, Any] = {"highlight": self.highlight, "strengths": self.strengths}
            draw = partial(plot_network, self.result, view=self.view, **more)
        else:
            draw = partial(plot_comparison, self.result, self.reference, view=self.view)
        return picture(draw, kind, self._samples + self._how)


def _is_too_large(dag: Dag, data: Dataset) -> bool:
    """Whether the tables of a graph have more cells than anybody would read."""
    cards = [int(data.cards[v]) for v in data.variables(dag.names)]
    n_cells = sum(prod(cards[u] for u in (v, *dag.parents(v))) for v in dag.variables)
    return n_cells > MAX_CELLS_AS_TEXT


def check_parameters(files: Sequence[Output], data: Dataset) -> None:
    """Refuse files of a network whose parameters they cannot hold, before the work."""
    for path, kind in files:
        if kind not in WITH_PARAMETERS or data.kind == "discrete":
            continue
        if data.kind == "mixed":
            raise SettingError(
                f"--out {path}: a network of continuous and discrete variables has no parameters: "
                f"expected a file of its graph, such as .json or .dot; --discretize cuts numbers "
                f"into levels."
            )
        if kind != "network":
            raise SettingError(
                f"--out {path}: {path.suffix} holds tables of discrete variables: expected a name "
                f"that ends in .network.json for regressions of continuous ones, or a file of the "
                f"graph."
            )


def label_files(data: MultilabelData, found: LabelStructure) -> dict[str, Callable[[], Content]]:
    """Return the same for the graph around the labels of some data."""
    from h2pc.networks import BayesianNetwork
    from h2pc.report.page import network_page

    dag, name = found.result.dag, data.name

    def network() -> BayesianNetwork | None:
        if _is_too_large(dag, found.data):
            return None
        size: Any = found.result.settings["equivalent_sample_size"]
        return BayesianNetwork.fit(dag, found.data, equivalent_sample_size=size)

    near = sorted({*found.labels, *(variable for edge in found.edges for variable in edge)})
    return {
        "json": lambda: found.result.to_json() + "\n",
        "dot": lambda: to_dot(Dag.from_edges(near, found.edges)),
        "svg": lambda: _label_picture(name, found, "svg", {"Date": None}),
        "png": lambda: _label_picture(name, found, "png", {"Software": None}),
        "html": lambda: network_page(
            found.result,
            title=_labels_of(data),
            labels=found.labels,
            powersets=found.powersets,
            boundaries=found.boundaries,
            network=network(),
            data=found.data,
        ),
    }


def factor_files(data: MultilabelData, found: LabelFactors) -> dict[str, Callable[[], Content]]:
    """Return the same for labels that were joined by tests: lines have no direction."""
    from h2pc.multilabel.factor_document import factor_graph
    from h2pc.report.label_graphs import LabelGraph
    from h2pc.report.page import label_factor_page

    dag = factor_graph(found)
    graph = LabelGraph(data.name, found.labels, dag.named_edges, dag.named_edges)
    return {
        "json": lambda: json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False) + "\n",
        "dot": lambda: to_dot(dag.skeleton()),
        "svg": lambda: _drawn(graph, "svg", {"Date": None}),
        "png": lambda: _drawn(graph, "png", {"Software": None}),
        "html": lambda: label_factor_page(found, title=_labels_of(data)),
    }


def _labels_of(data: MultilabelData) -> str:
    """Return the title of a page of labels."""
    return (
        f"The labels of {data.name}, {plural(len(data.Y), 'sample')} of "
        f"{plural(len(data.label_names), 'label')} and {plural(len(data.feature_names), 'feature')}"
    )


def _label_picture(name: str, found: LabelStructure, kind: str, metadata: dict[str, None]) -> bytes:
    """Return a picture of the graph around labels; directions are those that are identifiable."""
    from h2pc.report.identifiable import identifiable_directions
    from h2pc.report.label_graphs import LabelGraph

    directed = frozenset(identifiable_directions(found.result).named_directed)
    undirected = tuple(edge for edge in found.edges if edge not in directed)
    return _drawn(LabelGraph(name, found.labels, found.edges, undirected), kind, metadata)


def _drawn(graph: LabelGraph, kind: str, metadata: dict[str, None]) -> bytes:
    """Return a picture, the same bytes each time."""
    import matplotlib as mpl

    from h2pc.report.label_graphs import plot_label_graph

    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": graph.title, "svg.fonttype": "none"}):
        figure = plot_label_graph(graph).figure
        figure.savefig(content, format=kind, dpi=110, metadata=metadata)
    return content.getvalue()
