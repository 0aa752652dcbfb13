"""The legend counts the lines that are drawn, and follows the slider."""

import re

import pytest

from h2pc import Dag, LearnResult, load_network
from h2pc.graphs import dag_to_cpdag
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.report.page import network_page


@pytest.fixture(scope="module")
def alarm():
    """A page of alarm with edges missing, extra and reversed, strengths and score gains."""
    true = load_network("alarm").dag
    learned = true.without_edge("LVFAILURE", "HISTORY").reversed_edge("PULMEMBOLUS", "PAP")
    learned = learned.with_edge("FIO2", "MINVOLSET")
    other = true.with_edge("HR", "MINVOL")
    graphs = [dag_to_cpdag(dag) for dag in [learned] * 7 + [true] * 2 + [other]]
    links = [
        EdgeLink(parent, child, 10.0 * i, -float(i), ())
        for i, (parent, child) in enumerate(learned.named_edges)
    ]
    return network_page(
        LearnResult(learned, None, -1.0),
        title="alarm",
        strengths=EdgeStrengths.of(learned.names, graphs),
        links=links,
        reference=true,
    )


def counts(page):
    """The numbers of the legend, by what they count."""
    page.wait_until_drawn()
    found = re.findall(r"(.+) \((\d+)\)", page.tab.inner_text("#legend"))
    return {what.strip(): int(n) for what, n in found}


def drawn(page, kinds, without=()):
    """The number of lines that are drawn and have these classes, and none of the others."""
    return page.graph(f"""cy.edges(':visible').filter((e) =>
      {list(kinds)}.every((kind) => e.hasClass(kind)) &&
      !{list(without)}.some((kind) => e.hasClass(kind))).length""")


def check(page):
    """Compare the legend with the lines."""
    found = counts(page)
    for verdict in ("right", "missing", "extra", "reversed", "differently marked"):
        if verdict in found:
            assert found[verdict] == drawn(page, ["compared", verdict.replace(" ", "-")])
    learned, either = drawn(page, [], ["weaker"]), drawn(page, ["reversible"], ["weaker"])
    assert found["direction not identifiable"] == either
    assert found["direction identifiable"] == learned - either
    # While graphs are compared, edges that only the reference has are missing ones.
    is_compared = page.tab.is_checked("#overlay")
    weaker = drawn(page, ["weaker"], ["only-reference"] if is_compared else [])
    assert found["weaker pair, not in the graph"] == weaker
    return found


def test_counts_follow_the_slider_of_score_gains(opened, alarm):
    page = opened(alarm)
    at_start = check(page)
    page.tab.select_option("#measure", "gain")
    page.tab.locator("#weak").fill("30")
    fewer = check(page)

    assert fewer["right"] < at_start["right"]
    assert fewer["missing"] == at_start["missing"] == 1
    assert fewer["direction identifiable"] + fewer["direction not identifiable"] == 16
    page.tab.select_option("#measure", "strength")
    assert check(page) == at_start


def test_counts_follow_the_slider_of_strengths_and_the_comparison(opened, alarm):
    page = opened(alarm)
    assert check(page)["weaker pair, not in the graph"] == 0
    page.tab.locator("#weak").fill("0")
    assert check(page)["weaker pair, not in the graph"] == 1
    page.tab.uncheck("#overlay")
    found = check(page)
    assert "right" not in found
    assert found["weaker pair, not in the graph"] == 2  # the missing edge is one now
    page.tab.locator("#weak").fill(page.tab.get_attribute("#weak", "max"))
    found = check(page)
    assert found["weaker pair, not in the graph"] == 0
    assert found["direction identifiable"] + found["direction not identifiable"] < 46


def test_counts_are_those_of_the_view(opened, alarm):
    page = opened(alarm)
    as_class = check(page)
    page.tab.keyboard.press("d")
    as_graph = check(page)

    assert "differently marked" in as_class
    assert "differently marked" not in as_graph
    assert as_graph["reversed"] == 1


def test_counts_are_those_of_the_part_that_is_drawn(opened):
    names = [f"{'long' * 5}{i}" for i in range(9)]
    dag = Dag.from_edges(names, [(0, 8), (1, 8), (2, 3), (3, 4), (4, 5), (5, 6)])
    page = opened(network_page(LearnResult(dag, None, -1.0), title="rows"), width=360, height=740)
    assert counts(page) == {"direction identifiable": 2, "direction not identifiable": 4}
    page.search(names[8])

    assert page.tab.is_visible("#back")
    assert counts(page) == {"direction identifiable": 2, "direction not identifiable": 0}
