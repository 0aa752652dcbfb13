"""Pictures of the graph around the labels: nothing hides anything, equal files."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.multilabel.powersets import minimal_label_powersets
from h2pc.report.label_graphs import LabelGraph, plot_label_graph, save_label_graphs
from h2pc.report.label_layout import border_distance, label_graph_layout

A4_WIDTH = 17 / 2.54
"""Of a text, in inches."""
COAST = LabelGraph(
    "coast",
    ("sea", "sky", "tree", "$rock"),
    (("sea", "sky"), ("blue", "sky"), ("tree", "green"), ("wet", "green")),
)


def random_graph(n_labels, n_features, n_edges, seed=0):
    """A graph in which labels are parents of labels and features; some labels have no edge."""
    rng = np.random.default_rng(seed)
    labels = [f"label{j}" for j in range(n_labels)]
    names = [*labels[: n_labels * 2 // 3 + 1], *(f"feature{j}" for j in range(n_features))]
    pairs = np.sort(rng.integers(len(names), size=(4 * n_edges, 2)), axis=1).tolist()
    edges = sorted({(names[i], names[j]) for i, j in pairs if i != j and names[i] in labels})
    return LabelGraph("random", tuple(labels), tuple(edges[:: max(1, len(edges) // n_edges)]))


def overlapping(boxes):
    """Pairs of boxes that lie on each other."""
    names = sorted(boxes)
    middle = np.array([(boxes[v].x, boxes[v].y) for v in names])
    half = np.array([(boxes[v].width, boxes[v].height) for v in names]) / 2
    away = np.abs(middle[:, None] - middle[None])
    hit = (away < half[:, None] + half[None]).all(axis=2)
    return [(names[i], names[j]) for i, j in np.argwhere(hit) if i < j]


def assert_readable(drawing, graph):
    """Nothing overlaps, all is inside, and edges end at the borders of their boxes."""
    assert set(graph.labels) <= set(drawing.boxes)
    assert overlapping(drawing.boxes) == []
    for box in drawing.boxes.values():
        assert -1e-6 <= box.x - box.width / 2 <= box.x + box.width / 2 <= drawing.width + 1e-6
        assert -1e-6 <= box.y - box.height / 2 <= box.y + box.height / 2 <= drawing.height + 1e-6
    for curve in drawing.curves:
        start, _, end = curve.points
        assert border_distance(drawing.boxes[curve.tail], start) == pytest.approx(0, abs=1e-6)
        assert border_distance(drawing.boxes[curve.head], end) == pytest.approx(0, abs=1e-6)
        # Room for an arrowhead.
        assert np.hypot(*np.subtract(start, end)) > 0.7 * drawing.sizes.room


def patches(ax, colour):
    """Shapes of a colour, without those of the legend, which are small."""
    return [
        patch
        for patch in ax.patches
        if patch.get_fill()
        and to_hex(patch.get_facecolor()) == colour
        and patch.get_path().get_extents().height > 0.12
    ]


def texts(ax):
    return {text.get_text() for text in ax.texts}


@st.composite
def label_graphs(draw):
    """A graph on a few labels and features, some of whose edges are undirected."""
    labels = draw(st.integers(1, 7))
    features = draw(st.integers(0, 6))
    names = [*(f"l{j}" for j in range(labels)), *(f"f{j}" for j in range(features))]
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names))
    edges = draw(st.lists(pairs.filter(lambda pair: pair[0] < pair[1]), max_size=14, unique=True))
    undirected = draw(st.lists(st.sampled_from(edges), unique=True)) if edges else []
    return LabelGraph("some", tuple(names[:labels]), tuple(edges), tuple(undirected))


@settings(max_examples=25, deadline=None)
@given(label_graphs())
def test_small_graphs_are_readable_and_nothing_is_left_out(graph):
    drawing = label_graph_layout(graph)

    assert_readable(drawing, graph)
    assert set(drawing.boxes) == {*graph.labels, *graph.features}
    assert {frozenset((c.tail, c.head)) for c in drawing.curves} == set(map(frozenset, graph.edges))
    arrows = {(c.tail, c.head) for c in drawing.curves if c.arrow}
    assert arrows == set(graph.edges) - set(graph.undirected)


@pytest.mark.parametrize(
    ("n_labels", "n_features", "n_edges"),
    [
        *[(1, 0, 1), (1, 12, 12), (2, 1, 2), (6, 17, 28), (14, 18, 41), (45, 100, 120)],
        pytest.param(53, 55, 100, marks=pytest.mark.slow),
    ],
)
def test_graphs_of_all_sizes_are_readable(n_labels, n_features, n_edges):
    graph = random_graph(n_labels, n_features, n_edges)

    assert_readable(label_graph_layout(graph), graph)


@pytest.mark.parametrize(
    ("n_labels", "n_edges"),
    [(105, 100), *(pytest.param(374, n, marks=pytest.mark.slow) for n in (300, 900))],
)
def test_graphs_of_many_labels_are_readable_on_a_page_of_a4(n_labels, n_edges):
    graph = random_graph(n_labels, 250, n_edges)
    ax = plot_label_graph(graph, width=A4_WIDTH)

    assert_readable(label_graph_layout(graph, width=A4_WIDTH - 0.16), graph)
    wide, high = ax.figure.get_size_inches()
    assert wide < 1.05 * A4_WIDTH
    assert high < 10.3
    names = [text.get_fontsize() for text in ax.texts if text.get_text() in graph.labels]
    assert min(names) > 5.7


def test_what_all_of_many_labels_begin_with_is_left_out_and_said():
    labels = tuple(f"TAG_{j}" for j in range(101))
    many = LabelGraph("many", labels, (("TAG_0", "TAG_1"),))
    few = LabelGraph("few", labels[:9], ())

    assert {"0", "100", "names of labels without TAG_"} < texts(plot_label_graph(many))
    assert "TAG_8" in texts(plot_label_graph(few))


def test_powersets_of_the_same_colour_have_other_lines():
    labels = tuple(f"l{j:02}" for j in range(44))
    pairs = tuple((labels[j], labels[j + 1]) for j in range(0, 42, 2))
    ax = plot_label_graph(LabelGraph("pairs", labels, pairs))
    drawn = [patch for patch in ax.patches if patch.get_facecolor()[3] and patch.get_linewidth()]
    styles = {(patch.get_edgecolor(), str(patch.get_linestyle())) for patch in drawn}

    assert len(styles) == 22  # of 21 powersets, and of the labels that are alone


@given(label_graphs())
def test_powersets_are_those_of_the_graph(graph):
    dag = Dag.from_edges((*graph.labels, *graph.features), graph.edges)
    found = LabelGraph("directed", graph.labels, graph.edges).powersets

    assert set(found) == set(minimal_label_powersets(dag, graph.labels))


def test_names_fit_into_their_boxes():
    names = ("i", "W" * 11, "a long name of a label, with commas", "名前の長いラベル")
    edges = ((names[0], names[1]), ("feature_with_a_name_that_is_long", names[0]))
    graph = LabelGraph("names", names[:3], edges)
    ax = plot_label_graph(graph)
    renderer = FigureCanvasAgg(ax.figure).get_renderer()
    shapes = [patch.get_window_extent(renderer) for patch in ax.patches if patch.get_fill()]

    written = [text for text in ax.texts if text.get_ha() == "center"]
    assert len(written) == 4
    for text in written:
        extent = text.get_window_extent(renderer)
        assert any(
            box.x0 < extent.x0 and extent.x1 < box.x1 and box.y0 < extent.y0 and extent.y1 < box.y1
            for box in shapes
        ), text.get_text()
    assert label_graph_layout(graph._replace(labels=names)).boxes[names[3]].width > 8 * 8 / 72


def test_labels_and_features_are_drawn_apart_and_powersets_have_colours():
    ax = plot_label_graph(COAST)
    ends = {to_hex(patch.get_edgecolor()) for patch in ax.patches}

    assert len(patches(ax, "#eceff1")) == 3
    assert len(patches(ax, "#ffffff")) == 2
    assert "#0072b2" in ends
    assert ax.get_title() == "coast: 4 labels in 3 powersets, 3 features, 4 edges"
    assert {"feature", "directed edge", "label alone in its powerset"} <= texts(ax)
    assert "undirected edge" not in texts(ax)


def test_small_graphs_name_everything_and_dollars_are_no_formulas():
    ax = plot_label_graph(COAST)

    assert {"sea", "sky", "tree", "$rock", "blue", "green", "wet"} < texts(ax)


def test_arrowheads_point_at_children():
    boxes = label_graph_layout(COAST).boxes
    [curve] = [c for c in label_graph_layout(COAST).curves if c.tail == "sea"]

    assert (curve.head, curve.arrow) == ("sky", True)
    way = np.subtract((boxes["sky"].x, boxes["sky"].y), (boxes["sea"].x, boxes["sea"].y))
    assert np.dot(way, np.subtract(curve.points[2], curve.points[0])) > 0


def n_heads(ax):
    """Number of arrowheads, that of the legend included."""
    filled = [patch for patch in ax.patches if patch.get_fill() and patch.get_linewidth() == 0]
    return sum(len(patch.get_path().vertices) // 4 for patch in filled)


def test_edges_whose_direction_is_not_identifiable_are_lines():
    turned = tuple(edge[::-1] for edge in COAST.edges)
    some = plot_label_graph(COAST._replace(undirected=COAST.edges[:1]))
    none = plot_label_graph(COAST._replace(edges=(), undirected=turned))

    assert n_heads(plot_label_graph(COAST)) == len(COAST.edges) + 1
    assert n_heads(some) == len(COAST.edges)
    assert "undirected edge" in texts(some)
    assert n_heads(none) == 0
    assert none.get_title() == "coast: 4 labels in 3 powersets, 3 features, 4 edges"


def test_undirected_edges_may_form_a_cycle():
    edges = (("a", "b"), ("b", "c"), ("c", "a"))
    graph = LabelGraph("triangle", ("a", "b", "c"), edges, edges)

    assert graph.powersets == (("a", "b", "c"),)
    assert len(label_graph_layout(graph).curves) == 3


def test_of_many_features_those_are_drawn_that_join_labels_and_others_are_counted():
    edges = [(label, "child") for label in ("a", "b")]
    edges += [("a", f"child of a {j}") for j in range(70)]
    edges += [("spouse", "child"), ("spouse", "child of a 3"), ("parent", "b")]
    graph = LabelGraph("many", ("a", "b", "c"), tuple(edges))

    drawing = label_graph_layout(graph)

    assert set(drawing.boxes) == {"a", "b", "c", "child"}
    assert [drawing.boxes[label].hidden for label in "abc"] == [71, 2, 0]
    assert {"+71", "+2", "features not drawn"} < texts(plot_label_graph(graph))
    everything = label_graph_layout(graph, "all")
    assert len(everything.boxes) == 3 + len(graph.features)
    assert overlapping(everything.boxes) == []
    assert set(label_graph_layout(COAST, "joining").boxes) == set(COAST.labels)


@pytest.mark.slow
def test_parts_too_large_for_distances_are_drawn_in_layers():
    labels = tuple(f"label{j}" for j in range(2600))
    graph = LabelGraph("path", labels, tuple(("label0", label) for label in labels[1:]))
    drawing = label_graph_layout(graph)

    assert len(drawing.boxes) == 2600
    assert overlapping(drawing.boxes) == []


def test_many_pairs_and_single_labels_are_in_columns():
    labels = tuple(f"label{j}" for j in range(40))
    edges = tuple((labels[2 * j], labels[2 * j + 1]) for j in range(10))
    drawing = label_graph_layout(LabelGraph("parts", labels, edges))

    assert overlapping(drawing.boxes) == []
    lowest = max(drawing.boxes[label].y for label in labels[20:])
    assert lowest < min(drawing.boxes[label].y for label in labels[:20])
    assert drawing.width <= 7


def test_labels_without_any_edge_are_drawn():
    ax = plot_label_graph(LabelGraph("lonely", ("a", "b"), ()))

    assert ax.get_title() == "lonely: 2 labels in 2 powersets, 0 features, 0 edges"
    assert len(patches(ax, "#ffffff")) == 2
    assert texts(ax) == {"a", "b", "label alone in its powerset"}


def test_no_labels_give_a_picture_of_nothing():
    assert plot_label_graph(LabelGraph("none", (), ())).get_title().startswith("none: 0 labels")


@pytest.mark.parametrize("layout", ["none", "constrained"])
def test_on_given_axes_texts_shrink_with_the_drawing(layout):
    figure = Figure(figsize=(3.0, 3.0), layout=layout)
    ax = figure.subplots()
    assert plot_label_graph(random_graph(6, 17, 28), ax=ax) is ax
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    shapes = [patch.get_window_extent(renderer) for patch in ax.patches if patch.get_fill()]

    for text in (text for text in ax.texts if text.get_ha() == "center"):
        extent = text.get_window_extent(renderer)
        assert any(box.x0 < extent.x0 and extent.x1 < box.x1 for box in shapes), text.get_text()


def test_a_column_is_narrower_than_a_page():
    graph = LabelGraph("lonely", tuple(f"label{j}" for j in range(30)), ())

    page, column = (plot_label_graph(graph, width=width).figure for width in (7.0, 3.5))
    assert column.get_figwidth() < 3.7
    assert page.get_figwidth() > 6


def test_the_order_of_labels_and_edges_does_not_move_anything():
    turned = COAST._replace(labels=COAST.labels[::-1], edges=COAST.edges[::-1])

    assert label_graph_layout(turned) == label_graph_layout(COAST)


def test_equal_graphs_give_equal_files(tmp_path):
    one = save_label_graphs({"coast": COAST}, tmp_path / "one")
    two = save_label_graphs({"coast": COAST}, tmp_path / "two")

    assert [path.name for path in one] == ["coast.png", "coast.pdf"]
    assert one[0].read_bytes().startswith(b"\x89PNG")
    assert one[1].read_bytes().startswith(b"%PDF")
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


def test_unknown_options_are_refused():
    with pytest.raises(SettingError, match="features must be 'auto', 'all' or 'joining'; got 'no'"):
        plot_label_graph(COAST, features="no")
    with pytest.raises(SettingError, match="width must be a positive number of inches; got -1"):
        plot_label_graph(COAST, width=-1)
