"""Pictures of the graph around the labels: nothing hides anything, equal files."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib.colors import to_hex

from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.report.label_graphs import (
    LabelGraph,
    label_graph_layout,
    plot_label_graph,
    save_label_graphs,
)

COAST = LabelGraph(
    "coast",
    ("sea", "sky", "tree", "$rock"),
    (("sea", "sky"), ("blue", "sky"), ("tree", "green"), ("wet", "green")),
)


def large(n_labels, n_features, n_edges):
    """A graph in which labels are parents of labels and features; some labels have no edge."""
    rng = np.random.default_rng(0)
    labels = [f"label{j}" for j in range(n_labels)]
    names = [*labels[: n_labels * 2 // 3], *(f"feature{j}" for j in range(n_features))]
    pairs = np.sort(rng.integers(len(names), size=(4 * n_edges, 2)), axis=1).tolist()
    edges = {(names[i], names[j]) for i, j in pairs if i != j and names[i] in labels}
    return LabelGraph("large", tuple(labels), tuple(sorted(edges)[:: len(edges) // n_edges]))


def nearest(places):
    points = np.array(list(places.values()))
    distance = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(distance, np.inf)
    return distance.min()


def drawn(ax):
    """Size of the markers, colour and number of points of every group of variables."""
    return {
        (round(float(group.get_sizes()[0])), to_hex(group.get_facecolor()[0])): len(
            group.get_offsets()
        )
        for group in ax.collections
        if hasattr(group, "get_sizes") and len(group.get_sizes())
    }


def test_labels_and_features_are_drawn_apart_and_powersets_have_colours():
    ax = plot_label_graph(COAST)

    assert sorted(drawn(ax).values()) == [2, 2, 3]
    assert drawn(ax)[45, "#d5dade"] == 3
    assert drawn(ax)[130, "#ffffff"] == 2
    assert ax.get_title() == "coast: 4 labels in 3 powersets, 3 features, 4 edges"


def test_small_graphs_name_everything_and_dollars_are_no_formulas(tmp_path):
    ax = plot_label_graph(COAST)
    save_label_graphs({"coast": COAST}, tmp_path)

    names = {"sea", "sky", "tree", "$rock", "blue", "green", "wet"}
    assert {text.get_text() for text in ax.texts} == names
    assert all(name in (tmp_path / "coast.svg").read_text() for name in names)


def test_arrows_lead_from_parents_to_children():
    places, _ = label_graph_layout(COAST)
    [arrow] = [
        group
        for group in plot_label_graph(COAST).collections
        if hasattr(group, "U") and len(group.U) == 1
    ]

    way = np.subtract(places["sky"], places["sea"])
    assert np.dot(way, (arrow.U[0], arrow.V[0])) > 0
    assert np.linalg.norm((arrow.U[0], arrow.V[0])) < np.linalg.norm(way)


def test_edges_whose_direction_is_not_identifiable_are_lines():
    groups = plot_label_graph(COAST._replace(undirected=COAST.edges[:1])).collections
    heads = [(len(group.U), group.headlength) for group in groups if hasattr(group, "U")]

    assert sum(n for n, length in heads if length == 0) == 1
    assert sum(n for n, length in heads if length > 0) == len(COAST.edges) - 1


def test_a_graph_of_374_labels_names_its_labels_and_nothing_hides_another():
    graph = large(374, 250, 700)
    places, (width, height) = label_graph_layout(graph)
    ax = plot_label_graph(graph)

    assert {text.get_text() for text in ax.texts} == set(graph.labels)
    assert nearest(places) > 0.25  # inches; a label is of 0.16
    assert all(0 < x < width and 0 < y < height for x, y in places.values())
    assert max(width, height) < 40


def test_a_graph_too_large_for_distances_is_drawn_in_a_picture_of_a_sensible_size():
    edges = tuple((f"feature{j}", "label") for j in range(2600))
    places, size = label_graph_layout(LabelGraph("star", ("label",), edges))

    assert len(set(places.values())) == 2601
    assert max(size) < 100


def test_parts_that_no_edge_joins_do_not_overlap():
    labels = tuple(f"label{j}" for j in range(40))
    edges = tuple((labels[2 * j], labels[2 * j + 1]) for j in range(10))
    places, _ = label_graph_layout(LabelGraph("parts", labels, edges))

    assert len(places) == 40
    assert nearest(places) > 0.3


def test_labels_without_any_edge_are_drawn():
    ax = plot_label_graph(LabelGraph("lonely", ("a", "b"), ()))

    assert ax.get_title() == "lonely: 2 labels in 2 powersets, 0 features, 0 edges"
    assert drawn(ax) == {(130, "#ffffff"): 2}


def test_the_order_of_labels_and_edges_does_not_move_anything():
    turned = COAST._replace(labels=COAST.labels[::-1], edges=COAST.edges[::-1])

    assert label_graph_layout(turned) == label_graph_layout(COAST)


def test_equal_graphs_give_equal_files(tmp_path):
    one = save_label_graphs({"coast": COAST}, tmp_path / "one")
    two = save_label_graphs({"coast": COAST}, tmp_path / "two")

    assert [path.name for path in one] == ["coast.png", "coast.svg"]
    assert one[0].read_bytes().startswith(b"\x89PNG")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_of_a_graph_only_what_is_near_its_labels_is_drawn():
    names = ("a", "b", "u", "v", "w", "x")
    edges = [("a", "x"), ("b", "x"), ("u", "x"), ("v", "u"), ("w", "a")]
    ax = plot_label_graph(Dag.from_edges(names, edges), ["a", "b"])

    assert ax.get_title() == "graph: 2 labels in 1 powerset, 3 features, 4 edges"


def test_labels_go_with_a_graph_that_does_not_know_them():
    with pytest.raises(SettingError, match="must name the labels of the Dag"):
        plot_label_graph(Dag.from_edges(["a"]))
    with pytest.raises(SettingError, match="must be None for a LabelGraph"):
        plot_label_graph(COAST, ["sea"])
