"""Layouts: arrows lead down, no box lies on another, the order of columns does not matter."""

import random

import numpy as np
import pytest
from hypothesis import given

from h2pc.graphs.layers import drawn_in_layers
from h2pc.graphs.layout import HEIGHT, box_width, layouts, shown
from strategies import dags, examples, random_dag


def arcs_of(dag):
    """Names in topological order, and the arcs by their new numbers."""
    place = {v: i for i, v in enumerate(dag.topological_order)}
    names = [dag.names[v] for v in dag.topological_order]
    return names, [(place[u], place[v]) for u, v in dag.edges]


def overlaps(names, places):
    """Number of pairs of boxes that lie on each other."""
    x, y = np.array(places).T
    wide = np.array([box_width(name) for name in names])
    near_x = np.abs(x[:, None] - x) < (wide[:, None] + wide) / 2 - 1
    near_y = np.abs(y[:, None] - y) < HEIGHT - 1
    return int((np.triu(near_x & near_y, 1)).sum())


@examples(50)
@given(dags(max_nodes=12))
def test_in_layers_arrows_lead_down_and_nothing_overlaps(dag):
    names, arcs = arcs_of(dag)
    drawing = layouts(names, arcs).drawings["layers"]

    assert all(drawing.places[u][1] < drawing.places[v][1] for u, v in arcs)
    assert overlaps(names, drawing.places) == 0


@examples(50)
@given(dags(max_nodes=12))
def test_by_distances_nothing_overlaps(dag):
    names, arcs = arcs_of(dag)

    assert overlaps(names, layouts(names, arcs).drawings["distances"].places) == 0


@examples(50)
@given(dags(max_nodes=12))
def test_long_arrows_pass_beside_the_boxes_of_the_layers_between(dag):
    names, arcs = arcs_of(dag)
    drawing = drawn_in_layers([box_width(name) for name in names], arcs)

    for way in drawing.bends:
        for x, y in way:
            boxes = [
                abs(x - bx) < box_width(name) / 2 and abs(y - by) < HEIGHT / 2
                for name, (bx, by) in zip(names, drawing.places, strict=True)
            ]
            assert not any(boxes)


def test_a_tree_is_drawn_without_crossings():
    arcs = [((v - 1) // 2, v) for v in range(1, 31)]
    places = drawn_in_layers([40.0] * 31, arcs).places

    for u, v in arcs:
        for a, b in arcs:
            if places[u][1] == places[a][1] and places[u][0] < places[a][0]:
                assert places[v][0] < places[b][0]


def test_parts_lie_side_by_side_and_single_variables_below():
    names = list("abcdefgh")
    places = layouts(names, [(0, 1), (1, 2), (3, 4)]).drawings["layers"].places

    lowest = max(y for _, y in places[:5])
    assert all(y > lowest for _, y in places[5:])
    assert overlaps(names, places) == 0


def test_flat_parts_and_others_keep_apart():
    names = list("abcdefgh")
    arcs = [(0, 1), (2, 3), (3, 4), (2, 4), (5, 6), (6, 7)]
    drawings = layouts(names, arcs).drawings

    assert overlaps(names, drawings["distances"].places) == 0
    for u, v in arcs:
        (x, y), (other_x, other_y) = (drawings["distances"].places[w] for w in (u, v))
        assert np.hypot(x - other_x, y - other_y) < 200


def test_graphs_too_wide_for_layers_begin_by_distances():
    star = [(0, v) for v in range(1, 200)]

    assert layouts([f"v{v}" for v in range(200)], star).first == "distances"
    assert layouts(["a", "b"], [(0, 1)]).first == "layers"


def test_long_names_are_cut_and_wide_letters_have_room():
    assert len(shown("x" * 300)) == 26
    assert box_width("x" * 300) == box_width("y" * 26)
    assert box_width("変数名") > box_width("abc")


@pytest.mark.slow
def test_a_thousand_variables_overlap_hardly_anywhere():
    names, arcs = arcs_of(random_dag(random.Random(1), 1000, 1500))
    drawings = layouts(names, arcs).drawings

    assert overlaps(names, drawings["layers"].places) == 0
    assert overlaps(names, drawings["distances"].places) < 20
