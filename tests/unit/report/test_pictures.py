"""Pictures of graphs: every variable and every edge is there, and lines tell what they are."""

import shutil

import pytest

pytest.importorskip("matplotlib")

from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import ArrowStyle, FancyArrowPatch, FancyBboxPatch

from h2pc import (
    H2PC,
    Cpdag,
    Dag,
    EdgeStrengths,
    LearnResult,
    Skeleton,
    load_network,
    skeleton,
)
from h2pc.errors import GraphError, SettingError
from h2pc.graphs import dag_to_cpdag
from h2pc.report.pictures import plot_comparison, plot_network

CHAIN = Dag.from_edges(tuple("abcd"), [("a", "b"), ("b", "c"), ("a", "d")])
LAYOUTS = [
    "layers",
    "distances",
    pytest.param(
        "dot",
        marks=pytest.mark.skipif(
            shutil.which("dot") is None, reason="needs Graphviz (apt install graphviz)"
        ),
    ),
]


@pytest.fixture
def ax():
    return Figure().subplots()


def lines(ax):
    return [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]


def boxes(ax):
    return [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]


def ends(line):
    points = (
        line.get_path().vertices if line._path_original is None else line._path_original.vertices
    )
    return points[0], points[-1]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_variable_and_every_edge_is_drawn_between_the_right_boxes(ax, layout):
    plot_network(CHAIN, ax, layout=layout)

    place = {text.get_text(): text.get_position() for text in ax.texts}
    assert sorted(place) == list("abcd")
    assert len(boxes(ax)) == 4
    assert len(lines(ax)) == 3
    for line, (parent, child) in zip(lines(ax), CHAIN.named_edges, strict=True):
        for end, name in zip(ends(line), (parent, child), strict=True):
            assert abs(end[0] - place[name][0]) < 25
            assert abs(end[1] - place[name][1]) < 25


def test_whatever_has_a_graph_can_be_drawn(ax):
    result = LearnResult(CHAIN, None, 0.0, 0, 0, 0, {})
    cpdag = Cpdag(tuple("abc"), [("a", "b")], [("b", "c")])

    assert plot_network(load_network("asia"), ax).get_title() == "8 variables, 8 edges"
    assert plot_network(result, ax).get_title() == "4 variables, 3 edges"
    assert plot_network(cpdag, ax).get_title() == "3 variables, 2 edges"
    assert plot_network(Skeleton(["a"]), ax).get_title() == "1 variable, 0 edges"


def test_fitted_learners_and_skeleton_results_are_drawn(ax):
    data = load_network("asia").sample(1000, random_state=1)
    learner = H2PC().fit(data)
    joined = skeleton(data)

    assert plot_network(learner, ax).get_title() == f"8 variables, {len(learner.edges_)} edges"
    edges = len(joined.skeleton.edges)
    assert plot_network(joined, ax).get_title() == f"8 variables, {edges} edges"
    assert plot_comparison(learner, learner, ax).get_title().startswith(f"{len(learner.edges_)} ri")


def test_highlighted_variables_stand_out(ax):
    plot_network(CHAIN, ax, highlight=["b"], layout="layers")

    assert len({to_hex(box.get_facecolor()) for box in boxes(ax)}) == 2


def test_weak_edges_are_thin(ax):
    other = Dag.from_edges(tuple("abcd"), [("a", "b"), ("b", "c")])
    strengths = EdgeStrengths.of(CHAIN.names, [dag_to_cpdag(CHAIN), dag_to_cpdag(other)])
    plot_network(CHAIN, ax, strengths=strengths, layout="layers")

    width = {edge: line.get_linewidth() for edge, line in zip(CHAIN.edges, lines(ax), strict=True)}
    assert width[0, 3] < width[0, 1] == width[1, 2]


def test_a_comparison_tells_verdicts_by_colour_and_by_line(ax):
    learned = Dag.from_edges(tuple("abcd"), [("a", "b"), ("c", "b"), ("c", "d")])
    plot_comparison(learned, CHAIN, ax, view="dag", layout="layers")

    assert ax.get_title() == "1 right, 1 missing, 1 extra, 1 reversed"
    assert len({to_hex(line.get_edgecolor()) for line in lines(ax)}) == 4
    assert len({str(line.get_linestyle()) for line in lines(ax)}) == 4
    assert len(ax.get_legend().get_texts()) == 4


def arrowheads(ax):
    """Whether each edge has an arrowhead."""
    return [isinstance(line.get_arrowstyle(), ArrowStyle.CurveFilledB) for line in lines(ax)]


@pytest.mark.parametrize(
    ("settings", "view", "heads"),
    [
        ({}, "auto", [False] * 3),
        ({}, "class", [False] * 3),
        ({}, "dag", [True] * 3),
        ({"tiers": (("a", "d"), ("b",))}, "auto", [True, True, False]),
        ({"required": (("b", "c"),)}, "auto", [True, False, False]),
    ],
)
def test_what_was_learned_has_arrowheads_where_directions_are_identifiable(
    ax, settings, view, heads
):
    result = LearnResult(CHAIN, None, 0.0, settings=settings)
    plot_network(result, ax, view=view, layout="layers")

    assert arrowheads(ax) == heads


def test_graphs_and_networks_are_drawn_as_they_are_unless_their_class_is_wanted(ax):
    plot_network(CHAIN, ax, layout="layers")
    assert arrowheads(ax) == [True] * 3
    plot_network(load_network("asia"), ax := Figure().subplots())
    assert arrowheads(ax) == [True] * 8
    plot_network(CHAIN, ax := Figure().subplots(), view="class")
    assert arrowheads(ax) == [False] * 3


def test_fitted_learners_hand_over_their_constraints(ax):
    data = load_network("asia").sample(2000, random_state=1)
    for learner, n_lines in ((H2PC(), 3), (H2PC(tiers=[["smoke"], ["lung", "bronc"]]), 1)):
        plot_network(learner.fit(data), ax := Figure().subplots())
        assert arrowheads(ax).count(False) == n_lines


def test_classes_are_compared_unless_the_graphs_are_wanted(ax):
    learned = Dag.from_edges(tuple("abcd"), [("b", "a"), ("b", "c"), ("a", "d")])
    plot_comparison(learned, CHAIN, ax)

    assert ax.get_title() == "3 right, 0 missing, 0 extra"
    assert arrowheads(ax) == [False] * 3
    plot_comparison(learned, CHAIN, ax := Figure().subplots(), view="dag")
    assert ax.get_title() == "2 right, 0 missing, 0 extra, 1 reversed"


def test_constraints_of_the_learner_are_those_of_both_graphs_in_a_comparison(ax):
    plot_comparison(LearnResult(CHAIN, None, 0.0, settings={"required": (("a", "b"),)}), CHAIN, ax)

    assert ax.get_title() == "3 right, 0 missing, 0 extra"
    assert arrowheads(ax).count(True) == 2


def test_graphs_without_directions_are_compared_without_them(ax):
    learned = Dag.from_edges(tuple("abcd"), [("b", "a"), ("c", "b")])
    plot_comparison(learned, CHAIN.skeleton(), ax)

    assert ax.get_title() == "2 right, 1 missing, 0 extra"


def test_dollars_in_names_are_no_formulas(tmp_path):
    ax = plot_network(Dag.from_edges(["$a", "b$_"], [(0, 1)]), layout="layers")
    ax.figure.savefig(tmp_path / "picture.svg")

    assert (tmp_path / "picture.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"graph": 3}, GraphError, "got a int"),
        ({"graph": H2PC()}, GraphError, "got a H2PC, which is not fitted: call fit first"),
        ({"graph": CHAIN, "highlight": ["z"]}, GraphError, "'z'"),
        ({"graph": CHAIN, "layout": "round"}, SettingError, "'round'"),
        ({"graph": CHAIN, "view": "round"}, SettingError, "view must be .*'round'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        plot_network(**arguments)
