"""A run around targets: they are marked, and chosen at the start."""

import pytest

from h2pc import H2PC, Dag, LearnResult, load_network
from h2pc.report.page import network_page

PHONE = {"width": 360, "height": 740}


def result_of(*targets):
    data = load_network("alarm").sample(1000, random_state=1)
    return H2PC(targets=targets, progress=False).fit(data).result_


def near(dag, *targets):
    found = {dag.names[v] for t in targets for v in dag.markov_boundary(dag.variable(t))}
    return sorted(found.union(targets))


@pytest.mark.parametrize("window", [{}, PHONE], ids=["wide", "phone"])
def test_targets_are_marked_and_chosen_with_their_boundaries_in_view(opened, window):
    result = result_of("CATECHOL", "HR")
    page = opened(network_page(result, title="two"), **window)
    wanted = near(result.dag, "CATECHOL", "HR")

    for kind in ("target", "chosen"):
        assert page.graph(f"cy.nodes('.{kind}').map((n) => n.data('name')).sort()") == [
            "CATECHOL",
            "HR",
        ]
    assert page.graph("cy.nodes().not('.dimmed').map((n) => n.data('name')).sort()") == wanted
    assert page.in_view(wanted) == wanted
    assert page.text_height() >= 10.9
    assert page.chosen() == "2 targets"
    assert "target (2)" in page.tab.inner_text("#legend")


def test_targets_look_unlike_other_variables_also_when_nothing_is_chosen(opened):
    page = opened(network_page(result_of("CATECHOL"), title="one"))
    page.tab.keyboard.press("Escape")
    look = "['background-color', 'shape', 'font-weight'].map((name) => n.style(name)).join()"
    marked, other = (
        set(page.graph(f"cy.nodes().filter((n) => {which}).map((n) => {look})"))
        for which in ("n.hasClass('target')", "!n.hasClass('target')")
    )

    assert len(marked) == 1
    assert not marked & other
    assert page.graph("cy.elements('.dimmed').length") == 0


def test_a_single_target_is_chosen_as_if_it_were_clicked(opened):
    result = result_of("CATECHOL")
    page = opened(network_page(result, title="one"))

    assert page.chosen() == "CATECHOL"
    at_start = page.tab.inner_text("#details")
    page.tab.keyboard.press("Escape")
    page.click("CATECHOL")
    assert page.tab.inner_text("#details") == at_start


def test_the_key_d_keeps_the_targets_chosen(opened):
    page = opened(network_page(result_of("CATECHOL", "HR"), title="two"))
    page.tab.keyboard.press("d")

    assert page.chosen() == "2 targets"
    assert page.graph("cy.nodes('.chosen').length") == 2


def test_without_targets_and_for_labels_nothing_is_chosen(opened):
    dag = Dag.from_edges(("a", "b", "y"), [("a", "y"), ("b", "y")])
    page = opened(
        network_page(
            LearnResult(dag, None, -1.0, settings={"targets": ("y",)}), title="y", labels=["y"]
        )
    )

    assert page.chosen() == "No selection"
    assert page.graph("cy.nodes('.target, .chosen').length") == 0
    assert "target" not in page.tab.inner_text("#legend")
