"""The page of alarm in a real browser: search, choose, hide, compare, sort, by mouse and by key."""

import re
from datetime import date

import pytest

from h2pc import Dag, LearnResult, load_network
from h2pc.graphs import dag_to_cpdag
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.report.page import network_page

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def alarm():
    """A page of alarm as a learner might have found it: one edge each reversed, missing, extra."""
    true = load_network("alarm").dag
    learned = true.without_edge("LVFAILURE", "HISTORY").reversed_edge("PULMEMBOLUS", "PAP")
    learned = learned.with_edge("FIO2", "MINVOLSET")
    strengths = EdgeStrengths.of(learned.names, [dag_to_cpdag(learned)] * 3 + [dag_to_cpdag(true)])
    links = [
        EdgeLink(parent, child, 10.0 * i, -float(i), ())
        for i, (parent, child) in enumerate(learned.named_edges)
    ]
    return network_page(
        LearnResult(learned, None, -1.0, 2, 3, 4, {"search": 0.5}, {"alpha": 0.05}),
        title="alarm",
        day=date(2026, 3, 9),
        strengths=strengths,
        links=links,
        reference=true,
        separators={("HR", "PAP"): ["CATECHOL"]},
    )


def test_a_slash_and_enter_lead_to_a_variable(opened, alarm):
    page = opened(alarm)
    page.tab.keyboard.press("/")
    page.tab.keyboard.type("catechol")
    page.tab.keyboard.press("Enter")

    assert page.chosen() == "CATECHOL"
    assert page.graph("cy.nodes('.parent').map((n) => n.data('name')).sort()") == [
        "ARTCO2",
        "INSUFFANESTH",
        "SAO2",
        "TPR",
    ]
    box = page.tab.locator("#graph").bounding_box()
    for name in ("CATECHOL", "ARTCO2", "INSUFFANESTH", "SAO2", "TPR"):
        x, y = page.place(name)
        assert 0 < x - box["x"] < box["width"]
        assert 0 < y - box["y"] < box["height"]


def test_a_click_shows_the_markov_boundary_and_dims_the_rest(opened, alarm):
    page = opened(alarm)
    page.click("HR")
    dag = load_network("alarm").dag
    boundary = {dag.names[v] for v in dag.markov_boundary(dag.variable("HR"))}

    assert page.chosen() == "HR"
    assert f"Markov boundary: {len(boundary)} variables" in page.tab.inner_text("#details")
    bright = set(page.graph("cy.nodes().not('.dimmed').map((n) => n.data('name'))"))
    assert bright == {"HR", *boundary}
    assert "CATECHOL" in page.tab.inner_text("#details tbody")


def test_buttons_lead_on_and_escape_clears(opened, alarm):
    page = opened(alarm)
    page.click("HR")
    page.tab.locator("#details button.variable", has_text="CATECHOL").first.click()
    assert page.chosen() == "CATECHOL"

    page.tab.keyboard.press("Escape")
    assert page.chosen() == "No selection"
    assert page.graph("cy.elements('.dimmed').length") == 0


def test_the_variables_with_most_edges_are_listed_and_lead_to_them(opened, alarm):
    page = opened(alarm)
    lines = page.tab.locator("#details .degrees li")

    assert lines.all_inner_texts() == [
        "VENTLUNG 6 edges",
        "CATECHOL 5 edges",
        "HR 5 edges",
        "INTUBATION 5 edges",
        "LVEDVOLUME 4 edges",
    ]
    lines.nth(3).locator("button").click()
    assert page.chosen() == "INTUBATION"


def test_the_title_of_the_window_is_the_heading(opened, alarm):
    page = opened(alarm)

    assert page.tab.title() == page.tab.inner_text("h1") == "alarm, learned on 9 March 2026"


def test_a_button_switches_between_the_classes_and_the_graphs(opened, alarm):
    page = opened(alarm)
    button = page.tab.locator("#comparison button")

    def right():
        drawn = page.graph("cy.edges('.right').length")
        column = page.tab.locator("#edges tbody tr", has_text="right").count()
        legend = re.search(r"right \((\d+)\)", page.tab.inner_text("#legend"))[1]
        return drawn, column, int(legend)

    table = page.tab.locator("#comparison tbody tr").all_inner_texts()
    classes, graphs = map(int, table[0].removeprefix("right\t").split("\t"))
    assert "compare the equivalence classes" in page.tab.inner_text("#comparison")
    assert right() == (classes,) * 3
    button.click()
    assert "compare the graphs" in page.tab.inner_text("#comparison")
    assert right() == (graphs,) * 3
    assert page.tab.evaluate("document.activeElement.textContent") == (
        "Compare the equivalence classes"
    )
    button.click()
    assert right() == (classes,) * 3
    assert classes != graphs


def test_a_variable_lists_what_separates_it(opened, alarm):
    page = opened(alarm)
    page.click("PAP")

    table = page.tab.locator("#details table").last
    assert table.locator("td").all_inner_texts() == ["HR", "CATECHOL"]


def test_a_click_on_an_edge_tells_its_numbers(opened, alarm):
    page = opened(alarm)
    page.tab.select_option("#directions", "dag")
    middle = page.graph("cy.edges('.reversed')[0].renderedMidpoint()")
    box = page.tab.locator("#graph").bounding_box()
    page.tab.mouse.click(box["x"] + middle["x"], box["y"] + middle["y"])

    assert page.chosen() == "PAP → PULMEMBOLUS"
    facts = page.tab.locator("#details tr").all_inner_texts()
    assert [fact.split("\t")[0] for fact in facts] == [
        "direction",
        "bootstrap strength",
        "bootstrap direction",
        "score gain",
        "p-value",
        "reference",
    ]


def test_an_edge_without_a_q_value_names_the_variable_that_was_not_tested(opened):
    dag = Dag.from_edges(("a", "b", "c"), [("a", "b"), ("b", "c")])
    links = [
        EdgeLink("a", "b", 5.0, -3.0, (), weakest_log10_p=-3.0, untested="c"),
        EdgeLink("b", "c", 9.0, -9.0, (), weakest_log10_p=-9.0, log10_q=-8.0),
    ]
    page = opened(network_page(LearnResult(dag, None, -1.0), title="untested", links=links))

    def facts_of(e):
        middle = page.graph(f"cy.edges()[{e}].renderedMidpoint()")
        box = page.tab.locator("#graph").bounding_box()
        page.tab.mouse.click(box["x"] + middle["x"], box["y"] + middle["y"])
        rows = page.tab.locator("#details tr").all_inner_texts()
        return dict(row.split("\t") for row in rows)

    explained, sure = facts_of(0), facts_of(1)
    assert explained["no q-value: untested given"] == "c"
    assert "q-value" not in explained
    assert "q-value" in sure
    assert "no q-value: untested given" not in sure


def test_the_slider_hides_weak_edges(opened, alarm):
    page = opened(alarm)
    page.tab.select_option("#measure", "gain")
    page.tab.focus("#weak")
    for _ in range(5):
        page.tab.keyboard.press("ArrowRight")

    assert page.graph("cy.edges('.weak').length") == 5
    assert page.tab.inner_text("#weak-value") == "from 50.0: 41 of 46 edges"
    page.tab.select_option("#measure", "strength")
    assert page.graph("cy.edges('.weak').length") == 0


def test_the_overlay_marks_edges_by_colour_and_line_and_can_be_switched_off(opened, alarm):
    page = opened(alarm)
    page.tab.select_option("#directions", "dag")
    look = "[e.style('line-color'), e.style('line-style'), e.style('line-dash-pattern')].join()"
    kinds = ("right", "missing", "extra", "reversed")
    looks = [page.graph(f"cy.edges('.{kind}').map((e) => {look})[0]") for kind in kinds]

    assert len({kind.split(")")[0] for kind in looks}) == 4
    assert len({kind.split(")")[1] for kind in looks}) == 4
    legend = page.tab.inner_text("#legend")
    assert all(f"{kind} (1)" in legend for kind in kinds[1:])
    assert "right (44)" in legend
    page.wait_until_shown("cy.edges('.only-reference')[0]")

    page.tab.uncheck("#overlay")
    page.wait_until_shown("cy.edges('.only-reference')[0]", False)
    assert "missing" not in page.tab.inner_text("#legend")


def test_edges_bend_where_the_layout_says(opened, alarm):
    page = opened(alarm)
    page.tab.select_option("#layout", "layers")
    wrong = page.graph("""(() => {
      const data = JSON.parse(document.getElementById('data').textContent);
      const bends = data.layouts.drawings.layers.bends;
      return cy.edges('.bent:visible').map((edge) => edge.segmentPoints().map((p, i) =>
        Math.hypot(p.x - bends[edge.data('e')][i][0], p.y - bends[edge.data('e')][i][1]))).flat();
    })()""")

    assert len(wrong) > 10
    assert max(wrong) < 2


def test_the_theme_follows_the_system_and_the_button(opened, alarm):
    page = opened(alarm, color_scheme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    dark, node = (
        page.tab.evaluate(background),
        page.graph("cy.nodes()[0].style('background-color')"),
    )
    page.tab.click("#theme")

    assert page.tab.evaluate(background) != dark
    assert page.graph("cy.nodes()[0].style('background-color')") != node


def test_keys_zoom_fit_and_move_the_graph(opened, alarm):
    page = opened(alarm)
    start = page.graph("cy.zoom()")
    page.tab.keyboard.press("+")
    assert page.graph("cy.zoom()") > start
    page.tab.keyboard.press("-")
    page.tab.keyboard.press("-")
    assert page.graph("cy.zoom()") < start
    page.tab.keyboard.press("f")
    assert page.graph("cy.zoom()") == pytest.approx(start)

    before = page.graph("cy.pan()")
    page.tab.focus("#graph")
    page.tab.keyboard.press("ArrowLeft")
    page.tab.keyboard.press("ArrowDown")
    after = page.graph("cy.pan()")
    assert after["x"] > before["x"]
    assert after["y"] < before["y"]


def test_another_layout_keeps_the_selection(opened, alarm):
    page = opened(alarm)
    page.click("HR")
    places = "cy.nodes().map((n) => n.position('x'))"
    before = page.graph(places)
    page.tab.select_option("#layout", "distances")

    assert page.graph(places) != before
    assert page.chosen() == "HR"
    assert page.graph("cy.nodes('.chosen').length") == 1


def test_everything_can_be_reached_by_tab_in_reading_order(opened, alarm):
    page = opened(alarm)
    seen = []
    for _ in range(15):
        page.tab.keyboard.press("Tab")
        seen.append(page.tab.evaluate("document.activeElement.id"))

    order = [
        "theme",
        "name",
        "zoom-in",
        "zoom-out",
        "fit",
        "save",
        "layout",
        "directions",
        "overlay",
    ]
    assert [name for name in seen if name in order] == order
    assert seen.index("graph") > seen.index("weak") > seen.index("overlay")


def test_the_table_of_edges_sorts_by_any_column_both_ways(opened, alarm):
    page = opened(alarm)
    heading = page.tab.locator("#edges th", has_text="gain")
    column = (
        "[...document.querySelectorAll('#edges tbody tr')].map((row) => row.cells[6].innerText)"
    )
    heading.locator("button").click()
    upwards = page.tab.evaluate(column)
    assert heading.get_attribute("aria-sort") == "ascending"
    heading.locator("button").click()
    downwards = page.tab.evaluate(column)

    assert heading.get_attribute("aria-sort") == "descending"
    assert upwards[:3] == ["0.0", "10.0", "20.0"]
    assert downwards[:2] == ["450.0", "440.0"]
    assert upwards[-1] == downwards[-1] == "–"
    assert len(upwards) == 47


def test_a_column_called_script_is_shown_and_not_run(opened):
    names = [SCRIPT, "</script>", "\"quoted' & <b>bold</b>", "\u2028{{data}}"]
    dag = Dag.from_edges(names, [(0, 1), (1, 2), (2, 3)])
    page = opened(
        network_page(
            LearnResult(dag, None, 0.0, 0, 0, 0, {}, {"targets": (SCRIPT,)}),
            title=SCRIPT,
            labels=[SCRIPT],
            reference=dag,
        )
    )
    page.tab.fill("#name", SCRIPT)
    page.tab.keyboard.press("Enter")

    assert page.chosen() == SCRIPT
    assert page.tab.inner_text("h1").startswith(f"{SCRIPT}, learned on ")
    assert page.tab.evaluate("document.querySelectorAll('script').length") == 3
    assert page.tab.evaluate("document.querySelectorAll('b').length") == 0


def test_print_has_the_picture_and_the_tables_in_light_colours(opened, alarm):
    page = opened(alarm, color_scheme="dark")
    page.tab.emulate_media(media="print")
    page.wait("document.getElementById('print-picture').naturalWidth > 500")

    assert not page.tab.is_visible("#graph")
    assert not page.tab.is_visible("#toolbar")
    assert page.tab.is_visible("#print-picture")
    assert page.tab.locator("#edges tbody tr").count() == 47
    assert (
        page.tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    )
    assert page.tab.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_narrow_window_needs_no_scrolling_sideways(opened, alarm):
    page = opened(alarm, width=400, height=800)
    middle = page.tab.inner_text("#status").partition("around ")[2].partition(".")[0]
    page.click(middle)

    assert page.tab.evaluate("document.documentElement.scrollWidth") == 400
    assert page.chosen() == middle


def test_an_empty_graph_has_a_page(opened):
    page = opened(
        network_page(LearnResult(Dag.from_edges([]), None, 0.0, 0, 0, 0, {}), title="none")
    )

    assert page.tab.inner_text("#summary") == "0 variables, 0 edges"


def test_edges_of_continuous_variables_have_correlations(opened):
    dag = Dag.from_edges(("a", "b", "c"), [("a", "b"), ("b", "c")])
    links = [
        EdgeLink("a", "b", 5.0, -3.0, (), correlation=-0.25),
        EdgeLink("b", "c", 9.0, -9.0, (), correlation=0.75),
    ]
    page = opened(network_page(LearnResult(dag, None, -1.0), title="numbers", links=links))
    text = page.tab.locator("body").inner_text()
    page.tab.select_option("#measure", "correlation")
    page.tab.locator("#weak").fill("1")

    assert "partial correlation" in text.lower()
    assert "−0.25" in text
    assert "+0.75" in text
    assert page.graph("cy.edges('.weak').length") == 1
    assert page.graph("cy.edges().map((e) => e.data('width')).sort()") == pytest.approx([1.4, 2.6])
