"""The switch of directions in a real browser: everything on the page follows it."""

import pytest

from h2pc import Dag, LearnResult
from h2pc.graphs import dag_to_cpdag
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.report.page import network_page

# c → d ← e is a v-structure, d → f follows from it; b – a – c could be reversed.
LEARNED = Dag.from_edges(
    tuple("abcdef"), [("b", "a"), ("a", "c"), ("c", "d"), ("e", "d"), ("d", "f")]
)
TRUE = Dag.from_edges(tuple("abcdef"), [("a", "b"), ("a", "c"), ("c", "d"), ("e", "f")])
ARROWS = "Object.fromEntries(cy.edges().map((e) => [e.data('e'), e.style('target-arrow-shape')]))"
HEADS = "#edges thead th"


def page_of(dag=LEARNED, **more):
    links = [EdgeLink(u, v, float(i), -float(i), ()) for i, (u, v) in enumerate(dag.named_edges)]
    settings = more.pop("settings", {})
    result = LearnResult(dag, None, -1.0, settings=settings)
    return network_page(result, title="directions", links=links, **more)


def rows(page):
    """The ends of the edges in the table."""
    lines = page.tab.locator("#edges tbody tr")
    return [tuple(line.locator("td").all_inner_texts()[:2]) for line in lines.all()]


def choose_edge(page, e):
    middle = page.graph(f"cy.getElementById('e{e}').renderedMidpoint()")
    box = page.tab.locator("#graph").bounding_box()
    page.tab.mouse.click(box["x"] + middle["x"], box["y"] + middle["y"])


def test_only_identifiable_directions_have_an_arrowhead_until_all_are_wanted(opened):
    page = opened(page_of())
    choice = page.tab.locator("#directions option:checked")

    assert choice.inner_text() == "only identifiable"
    assert page.graph(ARROWS) == {
        "0": "none",
        "1": "none",
        "2": "triangle",
        "3": "triangle",
        "4": "triangle",
    }
    page.tab.select_option("#directions", label="all")
    assert choice.inner_text() == "all"
    assert set(page.graph(ARROWS).values()) == {"triangle"}
    hollow = "cy.edges().filter((e) => e.style('target-arrow-fill') === 'hollow').length"
    assert page.graph(hollow) == 2


def test_the_key_d_and_the_arrow_keys_switch(opened):
    page = opened(page_of())
    page.tab.keyboard.press("d")
    assert page.tab.input_value("#directions") == "dag"
    assert "Directions: all; 2 of 5 edges not identifiable." in page.tab.inner_text("#status")

    page.tab.focus("#directions")
    page.tab.keyboard.press("ArrowUp")
    assert page.tab.input_value("#directions") == "class"
    assert page.graph("cy.edges('.undirected').length") == 2

    page.tab.fill("#name", "")
    page.tab.focus("#name")
    page.tab.keyboard.press("d")  # a letter of a name
    assert page.tab.input_value("#directions") == "class"


def test_the_table_of_edges_follows_and_stays_sorted(opened):
    page = opened(page_of())
    page.tab.locator(HEADS, has_text="score gain").locator("button").click()
    page.tab.locator(HEADS, has_text="score gain").locator("button").click()

    assert page.tab.locator(HEADS).all_inner_texts()[:2] == ["first variable", "second variable"]
    as_class = [("e", "→ d"), ("d", "→ f"), ("c", "→ d"), ("a", "– b"), ("a", "– c")]
    assert rows(page) == as_class
    page.tab.keyboard.press("d")
    assert page.tab.locator(HEADS).all_inner_texts()[:2] == ["parent", "child"]
    assert rows(page) == [("e", "→ d"), ("d", "→ f"), ("c", "→ d"), ("b", "→ a"), ("a", "→ c")]
    page.tab.keyboard.press("d")
    assert rows(page) == as_class


def test_a_variable_has_neighbours_whose_direction_is_not_identifiable(opened):
    page = opened(page_of())
    page.click("c")
    names = "cy.nodes(`.${kind}`).map((n) => n.data('name'))"
    kinds = f"['parent', 'child', 'neighbour', 'spouse'].map((kind) => {names})"

    assert page.graph(kinds) == [[], ["d"], ["a"], ["e"]]
    assert "Direction not identifiable (1)" in page.tab.inner_text("#details")
    assert "Markov boundary: 3 variables" in page.tab.inner_text("#details")
    assert "direction not identifiable 1" in page.tab.inner_text("#status")
    page.tab.keyboard.press("d")
    assert page.chosen() == "c"
    assert page.graph(kinds) == [["a"], ["d"], [], ["e"]]
    assert "Direction not identifiable (" not in page.tab.inner_text("#details")
    assert "Markov boundary: 3 variables" in page.tab.inner_text("#details")


def test_an_edge_without_direction_says_so_and_keeps_its_evidence(opened):
    strengths = EdgeStrengths.of(LEARNED.names, [dag_to_cpdag(LEARNED)] * 3)
    page = opened(page_of(strengths=strengths))
    e = LEARNED.named_edges.index(("b", "a"))
    choose_edge(page, e)

    def facts():
        lines = page.tab.locator("#details tr").all_inner_texts()
        return dict(line.split("\t") for line in lines)

    assert page.chosen() == "a – b"
    assert facts()["direction"] == "not identifiable"
    assert facts()["score gain"] == f"{e:.1f}"
    assert "bootstrap direction" not in facts()
    page.tab.keyboard.press("d")
    assert page.chosen() == "b → a"
    assert facts()["direction"] == "not identifiable"
    assert facts()["bootstrap direction"] == "0.50"


def test_legend_and_verdicts_are_those_of_the_view(opened):
    page = opened(page_of(reference=TRUE))
    legend = page.tab.locator("#legend")
    verdict = f"cy.getElementById('e{LEARNED.named_edges.index(('b', 'a'))}').classes()"

    assert "direction not identifiable (2)" in legend.inner_text()
    # Learned c → d ← e, but nothing in the reference identifies the direction of c – d.
    assert "right (2)" in legend.inner_text()
    assert "differently marked (1)" in legend.inner_text()
    assert "right" in page.graph(verdict)
    assert page.graph("cy.edges('.only-reference')[0].style('target-arrow-shape')") == "none"
    page.tab.keyboard.press("d")
    assert "right (2)" in legend.inner_text()
    assert "reversed (1)" in legend.inner_text()
    assert "differently marked" not in legend.inner_text()
    assert "reversed" in page.graph(verdict)
    assert page.graph("cy.edges('.only-reference')[0].style('target-arrow-shape')") == "triangle"


def test_constraints_keep_arrowheads(opened):
    page = opened(page_of(settings={"tiers": (("b",), ("a",))}))

    assert set(page.graph(ARROWS).values()) == {"triangle"}
    assert "direction not identifiable (0)" in page.tab.inner_text("#legend")


def test_a_page_may_begin_with_all_directions(opened):
    page = opened(page_of(view="dag"))

    assert page.tab.input_value("#directions") == "dag"
    assert page.graph("cy.edges('.undirected').length") == 0


@pytest.mark.parametrize("dark", [False, True])
def test_every_kind_of_neighbour_has_a_colour_of_its_own(opened, dark):
    page = opened(page_of(), color_scheme="dark" if dark else "light")
    page.click("c")
    kinds = ("child", "neighbour", "spouse", "chosen")
    colours = {page.graph(f"cy.nodes('.{kind}')[0].style('border-color')") for kind in kinds}

    assert len(colours) == 4
