"""Printed on A4: the drawing, the legend and the tables whole, and no controls."""

import re

import pytest

from h2pc import LearnResult, load_network
from h2pc.graphs import dag_to_cpdag
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.report.page import network_page

# 210 x 297 mm less margins of 14 mm, at 96 pixels an inch.
PAPER = {"width": 688, "height": 1016}


@pytest.fixture(scope="module")
def alarm():
    """A page with every column that the table of edges can have."""
    true = load_network("alarm").dag
    learned = true.without_edge("LVFAILURE", "HISTORY")
    other = true.with_edge("HR", "MINVOL")
    graphs = [dag_to_cpdag(dag) for dag in [learned] * 3 + [other]]
    links = [
        EdgeLink(u, v, 1234.5, -123.0, ("STROKEVOLUME", "ERRLOWOUTPUT"), -12.3, -11.1)
        for u, v in learned.named_edges
    ]
    return network_page(
        LearnResult(learned, None, -1.0, settings={"alpha": 0.05}),
        title="alarm",
        strengths=EdgeStrengths.of(learned.names, graphs),
        links=links,
        reference=true,
    )


def printed(page):
    page.tab.emulate_media(media="print")
    page.tab.set_viewport_size(PAPER)
    page.wait("document.getElementById('print-picture').naturalWidth > 100")


def test_tables_are_as_wide_as_the_paper_and_shown_to_their_ends(opened, alarm):
    page = opened(alarm, color_scheme="dark")
    assert page.tab.locator("#edges thead th").count() >= 11
    printed(page)

    tables = page.tab.evaluate("""[...document.querySelectorAll('table')].map((table) => {
      const around = table.parentElement;
      return [table.getBoundingClientRect().right, around.scrollHeight - around.clientHeight];
    })""")
    assert len(tables) >= 4
    assert all(right <= PAPER["width"] and hidden == 0 for right, hidden in tables)
    assert page.tab.evaluate("document.documentElement.scrollWidth") == PAPER["width"]
    broken = page.tab.evaluate("""[...document.querySelectorAll('#edges td button')].filter(
      (it) => it.clientHeight > 1.8 * parseFloat(getComputedStyle(it).lineHeight)
    ).map((it) => it.innerText)""")
    assert broken == []


def test_the_drawing_and_the_legend_are_on_the_first_page_and_controls_on_none(opened, alarm):
    page = opened(alarm)
    printed(page)
    picture = page.tab.locator("#print-picture").bounding_box()

    assert picture["x"] >= 0
    assert picture["x"] + picture["width"] <= PAPER["width"]
    legend = page.tab.locator("#legend").bounding_box()
    assert legend["y"] >= picture["y"] + picture["height"]
    assert legend["y"] + legend["height"] <= PAPER["height"]
    assert "missing (1)" in page.tab.inner_text("#legend")
    assert page.tab.locator("input:visible, select:visible").count() == 0
    assert page.tab.locator("header button:visible, #drawing button:visible").count() == 0
    page.tab.locator("#comparison button").wait_for(state="attached")
    assert not page.tab.locator("#comparison button").is_visible()


def test_the_picture_has_the_whole_drawing_though_the_window_shows_a_part(opened, alarm):
    page = opened(alarm)
    picture = "document.getElementById('print-picture')"
    shape = f"{picture}.naturalWidth / {picture}.naturalHeight"
    box = page.graph("cy.elements(':visible').boundingBox()")
    page.search("HR")
    printed(page)

    assert page.tab.evaluate(shape) == pytest.approx(box["w"] / box["h"], rel=0.1)


def test_colours_around_a_selection_are_explained_where_there_is_one(opened, alarm):
    page = opened(alarm)
    around = page.tab.locator("#legend ul[aria-label^=Around]")
    printed(page)
    assert not around.is_visible()
    page.tab.emulate_media(media="screen")
    page.search("HR")
    printed(page)
    page.wait("document.getElementById('legend').classList.contains('of-selection')")

    assert around.is_visible()


def test_a_large_graph_prints_its_overview_and_all_its_edges(opened):
    dag = load_network("link").dag
    page = opened(network_page(LearnResult(dag, None, -1.0), title="link"))
    printed(page)

    assert page.tab.locator("#edges tbody tr").count() == len(dag.edges)
    assert "edges between two parts" in page.tab.inner_text("#legend")
    pages = len(re.findall(rb"/Type */Page\b", page.tab.pdf(format="A4")))
    assert 10 < pages < 30
