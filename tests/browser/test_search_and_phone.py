"""What is in view: the Markov boundary of a variable, and on a phone names that can be read."""

import random
from itertools import pairwise

import pytest

from h2pc import Dag, LearnResult, load_network
from h2pc.report.page import network_page
from strategies import random_dag

PHONE = {"width": 360, "height": 740}
READABLE = 10.9


def boundary(dag, name):
    return sorted(dag.names[v] for v in dag.markov_boundary(dag.variable(name)))


def page_of(dag, **more):
    return network_page(LearnResult(dag, None, -1.0), title="view", **more)


def overlapping(page):
    """Pairs of boxes that are drawn on each other."""
    boxes = page.graph("""cy.nodes(':visible').map((n) => {
      const at = n.boundingBox({includeOverlays: false});
      return [n.data('name'), at.x1 + 1, at.x2 - 1, at.y1 + 1, at.y2 - 1];
    })""")
    return [
        (one, other)
        for i, (one, *a) in enumerate(boxes)
        for other, *b in boxes[:i]
        if a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
    ]


@pytest.mark.parametrize("window", [{}, PHONE], ids=["wide", "phone"])
def test_searching_brings_the_whole_markov_boundary_into_view_with_names_to_read(opened, window):
    dag = load_network("alarm").dag
    page = opened(page_of(dag), **window)

    for name in ("HR", "CATECHOL", "VENTLUNG", "LVFAILURE", "FIO2"):
        page.search(name)
        wanted = sorted([name, *boundary(dag, name)])
        assert page.chosen() == name
        assert page.in_view(wanted) == wanted
        assert page.text_height() >= READABLE
        assert overlapping(page) == []


def test_a_boundary_that_is_too_far_apart_is_drawn_in_rows_and_a_key_leads_back(opened):
    dag = load_network("alarm").dag
    page = opened(page_of(dag), **PHONE)
    at_start = page.graph("cy.nodes(':visible').length")
    page.search("VENTLUNG")

    seen = page.graph("cy.nodes(':visible').map((n) => n.data('name')).sort()")
    assert seen == sorted(["VENTLUNG", *boundary(dag, "VENTLUNG")])
    heights = "cy.nodes('.{}').map((n) => n.position('y'))"
    middle = page.graph(heights.format("chosen"))[0]
    assert all(y > middle for y in page.graph(heights.format("child")))
    page.tab.keyboard.press("Escape")
    page.tab.focus("#graph")
    page.tab.keyboard.press("o")
    assert page.graph("cy.nodes(':visible').length") == at_start == 37


def passes(way, box):
    """Whether a way of straight pieces leads through a box."""
    x, y, width, height = box
    steps = [i / 200 for i in range(201)]
    points = (
        (a + step * (c - a), b + step * (d - b))
        for (a, b), (c, d) in pairwise(way)
        for step in steps
    )
    return any(abs(u - x) < width / 2 - 2 and abs(v - y) < height / 2 - 2 for u, v in points)


def test_no_edge_of_the_rows_passes_behind_a_box_of_a_line_between_its_ends(opened):
    dag = random_dag(random.Random(4), 30, 75)
    page = opened(page_of(dag, view="dag"), **PHONE)
    hub = max(dag.variables, key=lambda v: len(dag.markov_boundary(v)))
    page.search(dag.names[hub])

    assert page.tab.locator("#back").is_visible()
    boxes = page.graph("""Object.fromEntries(cy.nodes(':visible').map((n) =>
      [n.id(), [n.position('x'), n.position('y'), n.width(), n.height()]]))""")
    ways = page.graph("""cy.edges(':visible').map((e) => [e.source().id(), e.target().id(),
      e.hasClass('bent') ? e.segmentPoints().map(({x, y}) => [x, y]) : []])""")
    assert any(bends for *_, bends in ways)
    for tail, head, bends in ways:
        (*start, _, _), (*end, _, _) = boxes[tail], boxes[head]
        between = [
            box for box in boxes.values() if min(start[1], end[1]) < box[1] < max(start[1], end[1])
        ]
        assert not any(passes([start, *bends, end], box) for box in between)


def test_in_rows_a_click_on_a_variable_leads_to_its_own_boundary(opened):
    dag = load_network("alarm").dag
    page = opened(page_of(dag), **PHONE)
    page.search("VENTLUNG")
    page.click("MINVOL")

    assert page.chosen() == "MINVOL"
    wanted = sorted(["MINVOL", *boundary(dag, "MINVOL")])
    assert page.in_view(wanted) == wanted


@pytest.mark.parametrize("width", [360, 400])
def test_on_a_phone_names_can_be_read_from_the_start_and_nothing_is_cut_off(opened, width):
    dag = load_network("alarm").dag
    page = opened(page_of(dag, reference=dag), width=width, height=740)

    assert page.text_height() >= READABLE
    assert len(page.in_view(dag.names)) >= 5
    assert "Fit shows all" in page.tab.inner_text("#status")
    assert page.tab.evaluate("document.documentElement.scrollWidth") == width
    page.tab.click("#fit")
    assert page.in_view(dag.names) == sorted(dag.names)


def test_on_a_phone_controls_are_large_enough_and_do_not_overlap(opened):
    dag = load_network("alarm").dag
    page = opened(page_of(dag, reference=dag), **PHONE)
    controls = page.tab.locator("#toolbar button:visible, #drawing select:visible, #name").all()
    boxes = [control.bounding_box() for control in controls]

    assert len(boxes) >= 7
    for i, one in enumerate(boxes):
        assert one["height"] >= 36
        assert one["x"] >= 0
        assert one["x"] + one["width"] <= 360
        for other in boxes[:i]:
            beside = (
                one["x"] >= other["x"] + other["width"] or other["x"] >= one["x"] + one["width"]
            )
            assert beside or abs(one["y"] - other["y"]) >= 36
    assert page.tab.locator("#graph").bounding_box()["y"] < 300


def test_boxes_are_as_wide_as_their_names(opened):
    names = ["W" * 20, "i" * 20, "MMMM", "a"]
    page = opened(page_of(Dag.from_edges(names, [(0, 1), (1, 2), (2, 3)])))
    wide = dict(page.graph("cy.nodes().map((n) => [n.data('name'), n.width()])"))
    measured = page.tab.evaluate(
        """(names) => {
          const pen = document.createElement('canvas').getContext('2d');
          pen.font = '12px system-ui, sans-serif';
          return names.map((name) => pen.measureText(name).width);
        }""",
        names,
    )

    for name, width in zip(names, measured, strict=True):
        assert wide[name] >= width + 8
