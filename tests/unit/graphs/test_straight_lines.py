"""Boxes joined by straight lines: none lies on another, lines keep away from boxes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from h2pc.graphs.straight_lines import joined_boxes, passed_boxes

coordinates = st.floats(-3, 3).map(lambda x: round(x, 2))
points = st.tuples(coordinates, coordinates)


@st.composite
def connected(draw):
    """Sizes of boxes, and lines that join all of them."""
    n = draw(st.integers(2, 12))
    lines = {(draw(st.integers(0, v - 1)), v) for v in range(1, n)}
    more = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=8))
    lines |= {(min(pair), max(pair)) for pair in more if pair[0] != pair[1]}
    sizes = draw(st.lists(st.sampled_from([0.3, 0.6, 1.4]), min_size=n, max_size=n))
    return [(width, 0.2) for width in sizes], sorted(lines)


@settings(max_examples=10, deadline=None)
@given(connected())
def test_no_box_lies_on_another(graph):
    sizes, lines = graph
    found = joined_boxes(sizes, lines, 0.3, 0.13, 7.0)

    away = np.abs(found[:, None] - found[None])
    half = np.array(sizes) / 2
    hit = (away < half[:, None] + half[None] + 0.1).all(axis=2)
    assert np.count_nonzero(hit) == len(sizes)
    assert (found - half >= -1e-3).all()
    assert (joined_boxes(sizes, lines, 0.3, 0.13, 7.0) == found).all()


def test_lines_of_a_tree_neither_cross_nor_pass_a_box():
    lines = [((v - 1) // 2, v) for v in range(1, 15)]
    sizes = [(0.7, 0.2)] * 15
    found = joined_boxes(sizes, lines, 0.3, 0.13, 7.0)

    ends = np.array(lines)
    passed = passed_boxes(found, np.array(sizes) / 2, found[ends[:, 0]], found[ends[:, 1]])
    assert np.count_nonzero(passed) == 2 * len(lines)


@given(points, points, points, st.tuples(st.floats(0.1, 2), st.floats(0.1, 2)))
def test_a_line_passes_a_box_where_one_of_its_points_is_inside(start, end, middle, half):
    start, end, middle, half = map(np.array, (start, end, middle, half))
    along = start + np.linspace(0, 1, 2001)[:, None] * (end - start)
    inside = (np.abs(along - middle) < half - 1e-9).all(axis=1).any()
    near = (np.abs(along - middle) < half + 1e-2).all(axis=1).any()

    [[passed]] = passed_boxes(middle[None], half[None], start[None], end[None])

    assert passed if inside else True
    assert near if passed else True


@pytest.mark.parametrize(("n", "expected"), [(0, (0, 2)), (1, (1, 2))])
def test_nothing_to_place(n, expected):
    assert joined_boxes([(1.0, 0.2)] * n, [], 0.3, 0.13, 7.0).shape == expected
