"""Names of sixty letters without a space are whole wherever they are read."""

import pytest

from h2pc import BayesianNetwork, Dag, LearnResult, network_page
from h2pc.learners.edge_links import EdgeLink

NAMES = tuple(f"gene_{i}_{'expression_in_tissue_' * 3}"[:60] for i in range(4))
DAG = Dag.from_edges(NAMES, [(0, 2), (1, 2), (2, 3)])
# Elements whose text runs out of their own box, or out of the panel that they are in.
READ = "h1, h2, h3, button.variable, th button, td, .rows li div"
CUT = f"""(where) => [...document.querySelector(where).querySelectorAll('{READ}')]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0)
  .map((e) => [e.tagName, e.className, e.innerText, e.scrollWidth, e.clientWidth])"""


@pytest.fixture(scope="module")
def long_names():
    data = {name: ["low", "high", "low", "high"] * 5 for name in NAMES}
    links = [EdgeLink(u, v, 10.0, -3.0, (NAMES[0],), -2.0) for u, v in DAG.named_edges]
    return network_page(
        LearnResult(DAG, None, -1.0, settings={"required": (NAMES[:2],), "targets": NAMES[:1]}),
        title=NAMES[0],
        links=links,
        reference=DAG.without_edge(NAMES[0], NAMES[2]),
        separators={(NAMES[0], NAMES[1]): [NAMES[3]]},
        network=BayesianNetwork.fit(DAG, data),
        data=data,
    )


@pytest.mark.parametrize("width", [1300, 400])
def test_names_wrap_in_the_panel_and_in_the_tables(opened, long_names, width):
    page = opened(long_names, width=width)
    assert page.tab.evaluate(CUT, "#details") == []  # the variables with most edges
    page.tab.fill("#name", NAMES[2])
    page.tab.keyboard.press("Enter")

    assert page.chosen() == NAMES[2]
    for where in ("#details", "#edges", "#run", "#comparison", "header"):
        assert page.tab.evaluate(CUT, where) == []
    assert page.tab.evaluate("document.documentElement.scrollWidth") == width
    panel = page.tab.locator("#details").bounding_box()
    for button in page.tab.locator("#details button.variable").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= panel["x"] + panel["width"]
        assert "…" not in button.inner_text()


def test_short_names_are_not_broken(opened):
    dag = Dag.from_edges(("STROKEVOLUME", "LVEDVOLUME"), [(0, 1)])
    links = [EdgeLink(*dag.named_edges[0], 1533.25, -668.0, (), -20.0, log10_q=-5.0)]
    page = opened(network_page(LearnResult(dag, None, -1.0), title="t", links=links))
    page.tab.fill("#name", "LVEDVOLUME")
    page.tab.keyboard.press("Enter")

    buttons = page.tab.locator("#details button.variable").all()
    assert len(buttons) == 2  # among the neighbours, and in the table of edges
    assert all(button.bounding_box()["height"] < 30 for button in buttons)


def test_the_field_of_the_search_grows_with_the_name(opened, long_names):
    page = opened(long_names)
    before = page.tab.locator("#name").bounding_box()["width"]
    page.tab.fill("#name", NAMES[2])

    assert page.tab.locator("#name").bounding_box()["width"] > 1.5 * before
    assert page.tab.evaluate(
        "((e) => e.scrollWidth <= e.clientWidth)(document.querySelector('#name'))"
    )
    assert page.tab.locator("#names option").nth(2).get_attribute("value") == NAMES[2]


def test_a_tooltip_has_the_whole_name(opened, long_names):
    page = opened(long_names)
    x, y = page.tab.evaluate(
        "((cy) => Object.values(cy.getElementById('v2').renderedPosition()))"
        "(document.querySelector('#graph')._cyreg.cy)"
    )
    box = page.tab.locator("#graph").bounding_box()
    page.tab.mouse.move(box["x"] + x, box["y"] + y)
    page.wait(f"document.getElementById('graph').title === '{NAMES[2]}'")

    page.tab.mouse.move(box["x"] + 3, box["y"] + 3)
    page.wait("document.getElementById('graph').title === ''")
