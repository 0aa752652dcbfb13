"""Large graphs begin with an overview of their parts, which open by mouse and by key."""

import re

import pytest

from h2pc import Dag, LearnResult, load_network
from h2pc.learners.edge_links import EdgeLink
from h2pc.report.page import network_page

SHOWN = "cy.nodes(':visible').map((n) => n.data('name'))"


@pytest.fixture(scope="module")
def dag():
    return load_network("link").dag


@pytest.fixture(scope="module")
def link(dag):
    return network_page(LearnResult(dag, None, -1.0), title="link")


def shown(page):
    page.wait_until_drawn()
    return page.graph(SHOWN)


def options(page):
    return page.tab.locator("#part option").all_inner_texts()


def cliques():
    """A page of 30 cliques of five variables in a row, with a weak edge between neighbours."""
    pairs = [(5 * c + u, 5 * c + v) for c in range(30) for v in range(5) for u in range(v)]
    between = [(5 * c + 4, 5 * c + 5) for c in range(29)]
    dag = Dag.from_edges([f"v{i:03}" for i in range(150)], [*pairs, *between])
    links = [
        EdgeLink(u, v, 1.0 if int(u[1:]) // 5 != int(v[1:]) // 5 else 9.0, -1.0, ())
        for u, v in dag.named_edges
    ]
    return network_page(LearnResult(dag, None, -1.0), title="cliques", links=links)


def test_link_begins_with_boxes_that_can_be_read_and_do_not_overlap(opened, dag, link):
    page = opened(link)
    boxes = shown(page)
    sizes = [int(re.search(r"\(([\d,]+)\)$", name)[1]) for name in boxes]

    assert len(boxes) < 45
    assert sum(sizes) == len(dag.names)
    assert page.graph("cy.nodes(':visible').every((n) => n.hasClass('community'))")
    assert page.text_height() >= 9
    assert page.graph("""cy.nodes(':visible').every((n, i, all) => all.every((m) => n === m ||
      Math.abs(n.position('x') - m.position('x')) >= (n.width() + m.width()) / 2 ||
      Math.abs(n.position('y') - m.position('y')) >= n.height()))""")
    assert page.tab.input_value("#part") == "overview"


def test_lines_are_as_wide_as_there_are_edges_between_parts(opened, link):
    page = opened(link)
    page.wait_until_drawn()
    lines = page.graph("cy.edges(':visible').map((e) => [e.data('n'), e.numericStyle('width')])")
    between = page.graph("""(() => {
      const data = JSON.parse(document.getElementById('data').textContent);
      const partOf = (v) => data.overview.findIndex((part) => part.variables.includes(v));
      const part = data.names.map((_, v) => partOf(v));
      return data.edges.filter(([u, v]) => part[u] !== part[v]).length;
    })()""")

    assert sum(n for n, _ in lines) == between
    assert sorted(lines) == sorted(lines, key=lambda line: line[1])
    assert len({width for _, width in lines}) > 3
    assert f"edges between two parts, the wider the more ({between})" in page.tab.inner_text(
        "#legend"
    )


def test_a_click_opens_a_part_and_a_button_leads_back(opened, dag, link):
    page = opened(link)
    overview = shown(page)
    text = overview[0]
    page.click(text)

    assert page.chosen() == text
    names = shown(page)
    assert len(names) == int(re.search(r"\((\d+)\)", text)[1])
    assert text.split(" ")[0] in names
    assert page.text_height() >= 9
    assert page.graph("cy.edges(':visible').length") > 10
    page.tab.click("#back")
    assert shown(page) == overview
    assert page.chosen() == "No selection"
    assert not page.tab.is_visible("#back")


def test_parts_open_by_keys(opened, link):
    page = opened(link)
    overview = shown(page)
    page.tab.focus("#part")
    page.tab.keyboard.press("ArrowDown")
    assert page.tab.input_value("#part") == "whole"
    assert len(shown(page)) == 724
    page.tab.keyboard.press("ArrowDown")
    assert page.tab.input_value("#part") == "0"
    assert page.chosen() == overview[0]
    page.tab.focus("#graph")
    page.tab.keyboard.press("o")
    assert shown(page) == overview
    assert options(page)[2:] == overview


def test_searching_opens_the_part_of_the_variable_with_its_markov_boundary(opened, dag, link):
    page = opened(link)
    seen = set()
    for name in (dag.names[v] for v in (0, 100, 300, 500, 700)):
        page.search(name)
        wanted = sorted([name, *(dag.names[v] for v in dag.markov_boundary(dag.variable(name)))])
        assert page.chosen() == name
        assert page.in_view(wanted) == wanted
        assert page.text_height() >= 10.9
        seen.add(page.tab.input_value("#part") == "rows")
        page.tab.focus("#graph")
        page.tab.keyboard.press("o")
        assert page.tab.input_value("#part") == "overview"
        assert page.graph("cy.elements('.dimmed').length") == 0
    assert seen == {True, False}  # in the drawing of the part, and where that is too wide in rows


def test_the_panel_of_a_part_leads_to_its_variables_and_to_other_parts(opened, link):
    page = opened(link)
    page.tab.select_option("#part", "0")
    other = page.tab.locator("#details li", has_text=" edge").first
    text = other.locator("button").inner_text()
    other.locator("button").click()

    assert page.chosen() == text
    assert page.tab.input_value("#part") == str(options(page).index(text) - 2)
    variable = page.tab.locator("#details button.variable").first
    name = variable.inner_text()
    variable.click()
    assert page.chosen() == name


def test_the_slider_thins_the_lines_and_the_legend_counts_them(opened):
    page = opened(cliques())
    page.wait_until_drawn()
    lines = "cy.edges(':visible').length"
    legend = page.tab.locator("#legend")

    assert page.graph(lines) > 0
    between = re.search(r"the more \((\d+)\)", legend.inner_text())[1]
    assert int(between) == page.graph("cy.edges(':visible').reduce((n, e) => n + e.data('n'), 0)")
    page.tab.locator("#weak").fill("1")
    page.wait_until_drawn()
    assert page.graph(lines) == 0
    assert "the more (0)" in legend.inner_text()
    assert "edges inside parts (300)" in legend.inner_text()
    page.tab.select_option("#part", "0")
    page.tab.locator("#weak").fill("0")
    page.tab.keyboard.press("o")
    page.wait_until_drawn()
    assert f"the more ({between})" in legend.inner_text()
    assert int(between) == page.graph("cy.edges(':visible').reduce((n, e) => n + e.data('n'), 0)")


def test_on_a_phone_the_overview_can_be_read_and_opened(opened, dag, link):
    page = opened(link, width=360, height=740)
    boxes = shown(page)

    assert page.text_height() >= 10.9
    assert page.tab.evaluate("document.documentElement.scrollWidth") == 360
    page.click(boxes[0])
    assert page.chosen() == boxes[0]
    assert page.text_height() >= 10.9
    assert len(page.in_view(dag.names)) >= 3
    assert page.tab.evaluate("document.documentElement.scrollWidth") == 360


def test_all_variables_can_be_drawn_and_their_layout_chosen(opened, link):
    page = opened(link)
    assert not page.tab.is_visible("#layout")
    page.tab.select_option("#part", "whole")
    page.wait_until_drawn()

    assert page.graph("cy.nodes('[v]:visible').length") == 724
    assert page.graph("cy.nodes('.community:visible').length") == 0
    page.tab.select_option("#layout", "layers")
    assert page.graph("cy.edges('.bent').length") > 100


def test_small_graphs_have_no_overview(opened):
    page = opened(network_page(LearnResult(load_network("win95pts").dag, None, -1.0), title="s"))
    page.wait_until_drawn()

    assert not page.tab.is_visible("#part")
    assert not page.tab.is_visible("#back")
    assert page.graph("cy.nodes(':visible').length") == page.graph("cy.nodes().length") == 76
