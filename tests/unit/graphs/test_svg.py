"""Drawings for notebooks: one SVG, without scripts, in which names are escaped."""

from xml.etree import ElementTree

import pytest

from h2pc import BayesianNetwork, Cpdag, Dag, LearnResult, Skeleton, load_network, skeleton
from h2pc.graphs import dag_to_cpdag
from h2pc.graphs.svg import MOST_VARIABLES

SVG = "{http://www.w3.org/2000/svg}"
ODD = ("<script>alert(1)</script>", 'a & "b"', "a very long name that does not fit into a box")


def drawing(shown) -> ElementTree.Element:
    """The SVG of an object's HTML, which must be well-formed."""
    return ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>").find(f"{SVG}svg")


def counts(shown) -> tuple[int, int, int]:
    """Numbers of boxes, lines and arrow heads."""
    svg = drawing(shown)
    return tuple(len(svg.findall(f".//{SVG}{tag}")) for tag in ("rect", "polyline", "polygon"))


def test_every_kind_of_graph_is_drawn_with_its_edges():
    dag = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("c", "b"), ("a", "c")])

    assert counts(dag) == (3, 3, 3)
    assert counts(dag.skeleton()) == (3, 3, 0)
    assert counts(Cpdag(["a", "b", "c"], [("a", "b")], [("b", "c")])) == (3, 2, 1)


def test_a_graph_without_consistent_extension_is_drawn_too():
    circle = Cpdag(["a", "b", "c"], [("a", "b"), ("b", "c"), ("c", "a")])

    assert counts(circle) == (3, 3, 3)


def test_names_are_escaped_and_long_ones_are_whole_in_the_title():
    svg = drawing(Dag.from_edges(ODD, [(0, 1)]))

    assert {title.text for title in svg.iter(f"{SVG}title")} == set(ODD)
    assert "<script" not in Dag(ODD, [[]] * 3)._repr_html_()


def test_networks_and_results_are_drawn_with_their_repr_as_caption():
    asia = load_network("asia")
    learned = LearnResult(asia.dag, None, -1.0, 1, 1, 1, {}, {}, None)
    joined = skeleton(asia.sample(500), progress=False)

    for shown in (asia, learned, joined):
        assert shown._repr_html_().startswith(f"<div>{shown!r}</div><svg ")
        assert counts(shown)[0] == 8


@pytest.mark.parametrize("name", ["alarm", "hepar2"])
def test_arrows_lead_down_and_everything_is_inside(name):
    dag = load_network(name).dag

    svg = drawing(dag_to_cpdag(dag))

    left, top, width, height = map(float, svg.get("viewBox").split())
    for line in svg.iter(f"{SVG}polyline"):
        points = [tuple(map(float, pair.split(","))) for pair in line.get("points").split()]
        assert all(left <= x <= left + width and top <= y <= top + height for x, y in points)
    arrows = drawing(dag).findall(f"{SVG}polyline")
    ends = [(a.get("points").split()[0], a.get("points").split()[-1]) for a in arrows]
    assert all(float(start.split(",")[1]) < float(end.split(",")[1]) for start, end in ends)


def test_large_and_empty_graphs_have_a_caption_only():
    large = Skeleton([f"v{i:03}" for i in range(MOST_VARIABLES + 1)], [(0, 1)])

    assert large._repr_html_() == "<div>Skeleton of 251 variables and 1 edge</div>"
    assert Dag((), ())._repr_html_() == "<div>Dag of 0 variables and 0 edges</div>"
    assert BayesianNetwork(Dag((), ()), (), ())._repr_html_().startswith("<div>BayesianNetwork(0")
