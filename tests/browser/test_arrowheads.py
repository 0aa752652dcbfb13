"""An edge whose direction is not identifiable has no arrowhead, wherever it is drawn."""

import io

import pytest

from h2pc import Dag, LearnResult
from h2pc.graphs import Cpdag
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.report.page import network_page

NAMES = tuple("abcdefgh")
# c → d ← e is a v-structure; a – b – c could be reversed, and so could f – g.
LEARNED = Dag.from_edges(NAMES, [("a", "b"), ("b", "c"), ("c", "d"), ("e", "d"), ("f", "g")])
TRUE = Dag.from_edges(NAMES, [("a", "b"), ("c", "d"), ("e", "d"), ("g", "h"), ("a", "e")])
HEADS = (
    "Object.fromEntries(cy.edges(':visible').map((e) => "
    "[e.source().data('name') + e.target().data('name'), e.style('target-arrow-shape')]))"
)
TAILS = "cy.edges().filter((e) => e.style('source-arrow-shape') !== 'none').length"


def page_of(dag=LEARNED, **more):
    return network_page(LearnResult(dag, None, -1.0), title="arrowheads", **more)


def strengths():
    """In 20 graphs a weaker pair f – h without a direction, and e → f with one."""
    graphs = [
        Cpdag(NAMES, [*[("e", "f")] * (i < 6)], [("a", "b"), ("f", "g"), *[("f", "h")] * (i < 5)])
        for i in range(20)
    ]
    return EdgeStrengths.of(NAMES, graphs)


@pytest.mark.parametrize("dark", [False, True])
def test_in_the_drawing_with_a_selection_and_beside_a_reference(opened, dark):
    page = opened(page_of(reference=TRUE), color_scheme="dark" if dark else "light")
    lines = {"ab": "none", "bc": "none", "cd": "triangle", "ed": "triangle", "fg": "none"}
    # Of the edges that only the reference has.
    lines |= {"gh": "none", "ae": "none"}

    assert page.graph(HEADS) == lines
    for name in ("b", "d", "g"):
        page.search(name)
        page.tab.click("#fit")
        assert page.graph(HEADS) == lines
    page.tab.keyboard.press("Escape")
    page.graph("cy.edges().emit('tap').length")
    assert page.graph(HEADS) == lines
    page.tab.uncheck("#overlay")
    page.wait_until_drawn()
    assert page.graph(HEADS) == {edge: lines[edge] for edge in ("ab", "bc", "cd", "ed", "fg")}
    assert page.graph(TAILS) == 0


def test_of_weaker_pairs(opened):
    page = opened(page_of(strengths=strengths()))
    page.tab.locator("#weak").fill("0")
    page.wait_until_drawn()
    shown = page.graph(HEADS)

    assert shown["fh"] == "none"
    assert shown["ef"] == "triangle"


def test_in_rows_that_are_drawn_for_a_markov_boundary(opened):
    names = [f"{letter}{'x' * 20}" for letter in "abcdefgh"]
    dag = Dag.from_edges(names, LEARNED.edges)
    page = opened(page_of(dag), width=360, height=740)
    page.search(names[3])

    assert page.tab.is_visible("#back")
    assert set(page.graph(HEADS).values()) == {"triangle"}
    page.tab.select_option("#directions", "dag")
    page.search(names[1])
    assert page.graph(HEADS)[names[0] + names[1]] == "triangle"
    page.tab.select_option("#directions", "class")
    page.wait_until_drawn()
    assert page.graph(HEADS)[names[0] + names[1]] == "none"


def test_around_labels(opened):
    dag = Dag.from_edges(("x", "y", "z"), [("x", "y"), ("y", "z")])
    page = opened(page_of(dag, labels=["y", "z"]))

    assert set(page.graph(HEADS).values()) == {"none"}


@pytest.mark.parametrize(("view", "has_head"), [("class", False), ("dag", True)])
def test_in_the_picture_that_is_saved(opened, view, has_head):
    image = pytest.importorskip("matplotlib.image", reason="needs matplotlib")
    page = opened(page_of(Dag.from_edges(("a", "b"), [("a", "b")]), view=view))
    with page.tab.expect_download() as download:
        page.tab.click("#save")
    pixels = image.imread(io.BytesIO(download.value.path().read_bytes()))[..., :3]

    # Between the boxes the edge leads down, and is as wide as its head where it has one.
    grey = (abs(pixels - (0x7B / 255, 0x87 / 255, 0x92 / 255)) < 0.02).all(axis=2).sum(axis=1)
    middle = grey[len(grey) // 3 : 3 * len(grey) // 4]
    line = middle[middle > 0]
    assert len(line) > 50
    assert (line.max() > 2 * line.min()) == has_head
