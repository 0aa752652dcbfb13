"""The slider of strengths in a real browser: pairs that the averaged graph lacks come and go."""

import pytest

from h2pc import Dag, LearnResult
from h2pc.graphs import Cpdag
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.report.page import network_page

NAMES = tuple("abcdefg")
WEAKER = (
    "cy.edges('.revealed').map((e) => e.source().data('name') + e.target().data('name')).sort()"
)
PLACES = "cy.nodes().map((n) => [n.data('name'), n.position('x'), n.position('y')])"


def strengths_of(resampling="bootstrap"):
    """In 20 graphs a → c ← b always, c → d in 4 (once reversed), d – e in 2, f – g in 1."""
    graphs = []
    for i in range(20):
        directed = [("a", "c"), ("b", "c"), *[("d", "c") if i == 3 else ("c", "d")] * (i < 4)]
        open_pairs = [*[("d", "e")] * (i < 2), *[("f", "g")] * (i < 1)]
        graphs.append(Cpdag(NAMES, directed, open_pairs))
    return EdgeStrengths.of(NAMES, graphs, resampling=resampling)


def page_of(*, averaged=True, dag=None, **more):
    strengths = more.pop("strengths", strengths_of())
    settings = {"threshold": 0.5} if averaged else {}
    dag = strengths.averaged(0.5) if dag is None else dag
    result = LearnResult(dag, None, -1.0, settings=settings)
    return network_page(result, title="strengths", strengths=strengths, **more)


def slide(page, key, times=1):
    page.tab.focus("#weak")
    for _ in range(times):
        page.tab.keyboard.press(key)


def test_the_slider_begins_at_the_threshold_and_reveals_weaker_pairs_to_the_left(opened):
    page = opened(page_of())
    assert page.tab.inner_text("#weak-value") == "above 0.50: 2 of 2 edges"
    assert page.graph(WEAKER) == []

    slide(page, "ArrowLeft")
    assert page.graph(WEAKER) == ["cd"]
    assert page.tab.inner_text("#weak-value") == "from 0.20: 2 of 2 edges, 1 weaker pair"
    page.wait_until_shown("cy.edges('.revealed')[0]")
    slide(page, "ArrowLeft")
    assert page.graph(WEAKER) == ["cd", "de"]
    slide(page, "ArrowRight", 2)
    assert page.graph(WEAKER) == []
    page.wait_until_shown("cy.edges('.weaker')[0]", False)
    slide(page, "ArrowRight")
    assert page.graph("cy.edges('.weak').length") == 0  # strengths are one, as high as can be


def test_pairs_of_a_small_share_are_not_on_the_page_unless_wanted(opened):
    few, all_ = opened(page_of()), opened(page_of(min_strength=0))

    assert few.graph("cy.edges('.weaker').length") == 2
    assert all_.graph("cy.edges('.weaker').length") == 3
    assert few.tab.inner_text("#summary") == "7 variables, 2 edges"


def test_sliding_moves_no_variable(opened):
    page = opened(page_of(min_strength=0))
    before, pan = page.graph(PLACES), page.graph("[cy.zoom(), cy.pan()]")
    slide(page, "ArrowLeft", 3)

    assert page.graph("cy.edges('.revealed').length") == 3
    assert page.graph(PLACES) == before
    assert page.graph("[cy.zoom(), cy.pan()]") == pan


def test_weaker_pairs_are_dashed_pale_and_thin(opened):
    page = opened(page_of())
    slide(page, "ArrowLeft", 2)
    look = "[e.style('line-style'), e.numericStyle('opacity'), e.numericStyle('width')]"
    strong = page.graph(f"cy.edges().not('.weaker').map((e) => {look})")
    weak = page.graph(f"cy.edges('.revealed').map((e) => {look})")

    assert {style for style, _, _ in strong} == {"solid"}
    assert {style for style, _, _ in weak} == {"dashed"}
    assert max(opacity for _, opacity, _ in weak) < min(opacity for _, opacity, _ in strong)
    assert max(width for _, _, width in weak) < min(width for _, _, width in strong)


def test_a_weaker_pair_has_an_arrowhead_where_most_graphs_agree(opened):
    page = opened(page_of())
    arrows = (
        "Object.fromEntries(cy.edges('.weaker').map((e) => "
        "[e.source().data('name') + e.target().data('name'), e.style('target-arrow-shape')]))"
    )

    assert page.graph(arrows) == {"cd": "triangle", "de": "none"}
    page.tab.keyboard.press("d")
    assert page.graph(arrows) == {"cd": "triangle", "de": "triangle"}


def test_details_and_table_have_strength_and_direction_of_weaker_pairs(opened):
    page = opened(page_of())
    slide(page, "ArrowLeft", 2)
    middle = page.graph("cy.edges('.revealed')[0].renderedMidpoint()")
    box = page.tab.locator("#graph").bounding_box()
    page.tab.mouse.click(box["x"] + middle["x"], box["y"] + middle["y"])

    facts = dict(line.split("\t") for line in page.tab.locator("#details tr").all_inner_texts())
    assert page.chosen() == "c → d"
    assert facts == {
        "in the graph": "no",
        "direction": "mostly this way",
        "bootstrap strength": "0.20",
        "bootstrap direction": "0.75",
    }
    rows = [
        row.locator("td").all_inner_texts() for row in page.tab.locator("#edges tbody tr").all()
    ]
    assert rows == [
        ["a", "→ c", "yes", "identifiable", "1.00", "1.00"],
        ["b", "→ c", "yes", "identifiable", "1.00", "1.00"],
        ["c", "→ d", "no", "mostly this way", "0.20", "0.75"],
        ["d", "– e", "no", "either way", "0.10", "–"],
    ]
    assert "2 edges, 2 weaker pairs" in page.tab.inner_text("#edges caption")
    assert "weaker pair, not in the graph (2)" in page.tab.inner_text("#legend")


def test_a_variable_lists_its_weaker_pairs_but_has_them_not_in_its_boundary(opened):
    page = opened(page_of())
    page.click("c")

    assert "Markov boundary: 2 variables" in page.tab.inner_text("#details")
    assert page.tab.locator("#details tbody tr").count() == 3


def test_the_page_of_a_learned_graph_begins_with_that_graph(opened):
    learned = Dag.from_edges(NAMES, [("a", "c"), ("b", "c"), ("f", "g")])
    page = opened(page_of(averaged=False, dag=learned))

    assert page.tab.inner_text("#weak-value") == "as learned: 3 of 3 edges"
    assert page.graph("cy.edges('.weak, .revealed').length") == 0
    slide(page, "ArrowRight")
    assert page.graph("cy.edges('.weak').length") == 1  # f – g, in one of 20 graphs


def test_an_edge_of_the_reference_only_is_revealed_where_samples_have_it(opened):
    reference = Dag.from_edges(NAMES, [("a", "c"), ("b", "c"), ("c", "d")])
    page = opened(page_of(reference=reference))
    page.tab.uncheck("#overlay")
    page.wait_until_shown("cy.edges('.only-reference')[0]", False)
    slide(page, "ArrowLeft")

    page.wait_until_shown("cy.edges('.only-reference')[0]")
    assert page.graph("cy.edges('.weaker').length") == 2
    line = page.tab.locator("#edges tbody tr", has_text="missing").inner_text()
    assert line.split("\t")[-2:] == ["0.20", "0.75"]


def test_other_measures_hide_all_weaker_pairs(opened):
    from h2pc.learners.edge_links import EdgeLink

    links = [EdgeLink("a", "c", 5.0, -2.0, ("b",)), EdgeLink("b", "c", 9.0, -3.0, ("a",))]
    page = opened(page_of(links=links))
    slide(page, "ArrowLeft", 2)
    page.tab.select_option("#measure", "gain")

    assert page.graph("cy.edges('.revealed').length") == 0
    assert page.tab.inner_text("#weak-value") == "from 5.0: 2 of 2 edges"


@pytest.mark.parametrize(
    ("resampling", "word"), [("bootstrap", "bootstrap"), ("subsample", "subsampling")]
)
def test_strengths_are_called_by_the_way_of_resampling(opened, resampling, word):
    page = opened(page_of(strengths=strengths_of(resampling)))

    assert page.tab.locator("#measure option").all_inner_texts() == [f"{word} strength"]


def test_a_graph_without_edges_can_show_weaker_pairs(opened):
    page = opened(page_of(dag=Dag.from_edges(NAMES)))
    slide(page, "ArrowLeft", 2)

    assert page.graph("cy.edges('.revealed').length") == 4
    assert page.tab.inner_text("#weak-value") == "from 0.10: 0 of 0 edges, 4 weaker pairs"
