"""The overview of a large graph: parts that are small, whole, and the same for any columns."""

import random

import pytest

from h2pc import Dag, LearnResult, load_network
from h2pc.graphs.layout import VIEW, box_width
from h2pc.report.page import network_page
from h2pc.report.page_layouts import MOST_IN_ONE_DRAWING, page_overview


@pytest.fixture(scope="module")
def link():
    dag = load_network("link").dag
    return dag.reordered(sorted(dag.names))


@pytest.fixture(scope="module")
def parts(link):
    return page_overview(link, ())


def chain(n):
    return Dag.from_edges([f"v{i:04}" for i in range(n)], [(i, i + 1) for i in range(n - 1)])


def test_graphs_have_an_overview_from_a_number_of_joined_variables_on():
    lonely = Dag.from_edges([*chain(MOST_IN_ONE_DRAWING).names, *(f"x{i}" for i in range(500))])
    few = Dag.from_edges(lonely.names, chain(MOST_IN_ONE_DRAWING).named_edges)

    assert page_overview(few, ()) is None
    assert page_overview(chain(MOST_IN_ONE_DRAWING + 1), ()) is not None


def test_every_variable_is_in_one_part_and_every_edge_inside_a_part_is_in_its_drawing(link, parts):
    assert sorted(v for part in parts for v in part["variables"]) == list(link.variables)
    for part in parts:
        inside = set(part["variables"])
        mine = [e for e, edge in enumerate(link.edges) if inside.issuperset(edge)]
        assert part["edges"] == mine
        assert len(part["bends"]) == len(mine)
        assert len(part["places"]) == len(inside)


def test_parts_of_link_are_few_and_small_and_named_by_the_variable_with_most_edges(link, parts):
    skeleton = link.skeleton()

    assert len(parts) <= 45
    for part in parts:
        if part["hub"] is None:
            assert all(skeleton.degree(v) == 0 for v in part["variables"])
            assert part["text"] == f"without edges ({len(part['variables'])})"
        else:
            degrees = [skeleton.degree(v) for v in part["variables"]]
            assert skeleton.degree(part["hub"]) == max(degrees)
            assert part["text"] == f"{link.names[part['hub']]} ({len(part['variables'])})"
            assert len(part["variables"]) <= 41


def test_the_overview_of_link_fits_a_window_and_no_box_lies_on_another(parts):
    x, y = zip(*(part["place"] for part in parts), strict=True)

    assert max(x) - min(x) < 1.1 * VIEW[0]
    assert max(y) - min(y) < 1.1 * VIEW[1]
    for i, one in enumerate(parts):
        assert one["width"] == box_width(one["text"])
        for other in parts[:i]:
            beside = abs(one["place"][0] - other["place"][0]) >= (one["width"] + other["width"]) / 2
            assert beside or abs(one["place"][1] - other["place"][1]) >= 30


def test_pairs_and_single_variables_are_put_together():
    pairs = [(f"a{i}", f"b{i}") for i in range(7)]
    names = [*chain(120).names, *(name for pair in pairs for name in pair), "x", "y", "z"]
    parts = page_overview(Dag.from_edges(names, [*chain(120).named_edges, *pairs]), ())

    assert [part["text"] for part in parts[-2:]] == ["7 small parts (14)", "without edges (3)"]


def test_long_names_are_cut_but_sizes_are_not():
    names = [f"a_very_long_name_of_a_variable_{i:03}" for i in range(150)]
    parts = page_overview(Dag.from_edges(names, [(i, i + 1) for i in range(149)]), ())

    assert all(part["text"].startswith("a_very_long_name_… (") for part in parts)
    assert all(part["text"].endswith(f"({len(part['variables'])})") for part in parts)


def test_edges_that_only_the_reference_has_belong_to_the_overview():
    dag = Dag.from_edges(chain(120).names)

    assert page_overview(dag, ()) is None
    parts = page_overview(dag, chain(120).edges)
    assert sum(len(part["edges"]) for part in parts) > 100


def test_the_order_of_columns_does_not_matter(link):
    names = list(link.names)
    random.Random(5).shuffle(names)
    one, two = (LearnResult(dag, None, 0.0) for dag in (link, link.reordered(names)))

    assert network_page(one, title="link") == network_page(two, title="link")
