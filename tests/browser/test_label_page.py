"""Pages of multi-label runs, and of large ones, in a real browser."""

import random

import numpy as np
import pytest

from h2pc import (
    MMHC,
    Dataset,
    LearnResult,
    irreducible_label_factors,
    make_multilabel_network,
    read_multilabel,
)
from h2pc.learners.edge_links import EdgeLink
from h2pc.report.page import label_factor_page, network_page
from multilabel_folder import FOLDER
from strategies import random_dag


def learned_labels():
    """The graph around the labels of enron; where that is missing, one of 50 labels."""
    if not (FOLDER / "enron").exists():
        truth = make_multilabel_network(n_labels=50, n_features=120, random_state=1)
        return LearnResult(truth.dag, None, 0.0, 0, 0, 0, {}), truth.labels
    data = read_multilabel(FOLDER / "enron")
    features = data.X.toarray() if hasattr(data.X, "toarray") else data.X
    codes = np.vstack([(features > np.median(features, axis=0)).T, data.Y.T]).astype(np.int64)
    names = [*data.feature_names, *data.label_names]
    table = Dataset.from_codes(codes, cards=[2] * len(codes), names=names)
    # A small level: this is about the page, and should be quick.
    result = MMHC(0.001, targets=data.label_names, progress=False).fit(table).result_
    return result, data.label_names


def show_powersets(page, result, labels):
    """Check colours, legend and the table of powersets."""
    shapes = page.graph("cy.nodes().map((n) => [n.data('name'), n.hasClass('label')])")
    assert {name for name, is_label in shapes if is_label} == set(labels)
    rows = page.tab.locator("#powersets tbody tr")
    colours = page.graph("new Set(cy.nodes('.label').map((n) => n.style('background-color'))).size")
    assert colours > 1

    page.tab.locator("#powersets th", has_text="labels").locator("button").click()
    page.tab.locator("#powersets th", has_text="labels").locator("button").click()
    rows.first.locator("td button").first.click()
    assert page.chosen().startswith("Powerset")
    bright = page.graph("cy.nodes('.chosen').map((n) => n.data('name'))")
    assert len(bright) > 1
    assert set(bright) <= set(labels)
    assert page.graph("cy.nodes('.dimmed').length") > 0
    assert "feature" in page.tab.inner_text("#legend")


def test_labels_features_and_powersets_are_told_apart(opened):
    truth = make_multilabel_network(n_labels=50, n_features=120, random_state=1)
    result = LearnResult(truth.dag, None, 0.0, 0, 0, 0, {})
    page = opened(network_page(result, title="50 labels", labels=truth.labels))

    assert page.tab.locator("#powersets tbody tr").count() == len(truth.powersets)
    show_powersets(page, result, truth.labels)


def test_factors_without_a_graph_have_lines_and_no_directions(opened):
    sample = make_multilabel_network(n_labels=4, n_features=8, random_state=3).sample(600, 2)
    page = opened(label_factor_page(irreducible_label_factors(sample), title="4 labels"))

    assert page.graph("cy.edges().length") > 0
    assert page.graph("cy.edges().every((e) => e.hasClass('undirected'))")
    assert page.tab.locator("#powersets tbody tr").count() == 3
    assert not page.tab.locator("#directions-choice").is_visible()
    page.tab.keyboard.press("d")
    assert page.graph("cy.edges().every((e) => e.hasClass('undirected'))")
    assert "irection" not in page.tab.inner_text("#legend")
    page.graph("cy.nodes().filter((n) => n.data('name') === 'Y0').emit('tap').length")
    assert "Neighbours" in page.tab.inner_text("#details")
    assert "Parents" not in page.tab.inner_text("#details")


@pytest.mark.slow
def test_the_labels_of_enron_are_shown_with_their_powersets(opened):
    result, labels = learned_labels()
    page = opened(network_page(result, title="enron", labels=labels))

    show_powersets(page, result, labels)


def test_a_label_tells_its_powerset_and_hidden_features_can_be_found(opened):
    truth = make_multilabel_network(n_labels=4, n_features=5, random_state=2)
    lonely = [f"nothing{i}" for i in range(40)]
    dag = type(truth.dag).from_edges([*truth.dag.names, *lonely], truth.dag.named_edges)
    page = opened(
        network_page(LearnResult(dag, None, 0.0, 0, 0, 0, {}), title="t", labels=truth.labels)
    )
    hidden = "cy.nodes().filter((n) => n.data('name') === 'nothing7')[0]"

    assert not page.tab.is_checked("#lonely")
    page.wait_until_shown(hidden, False)
    page.tab.fill("#name", "nothing7")
    page.tab.keyboard.press("Enter")
    page.wait_until_shown(hidden)
    page.tab.fill("#name", truth.labels[0])
    page.tab.keyboard.press("Enter")
    assert "label" in page.tab.inner_text("#details")


@pytest.mark.slow
def test_a_thousand_variables_are_usable(opened):
    dag = random_dag(random.Random(1), 1000, 1500)
    links = [EdgeLink(u, v, float(i), -1.0, ()) for i, (u, v) in enumerate(dag.named_edges)]
    html = network_page(LearnResult(dag, None, 0.0, 0, 0, 0, {}), title="large", links=links)
    page = opened(html)

    page.tab.fill("#name", dag.names[500])
    page.tab.keyboard.press("Enter")
    assert page.chosen() == dag.names[500]
    page.tab.select_option("#part", "whole")
    page.tab.select_option("#layout", "layers")
    page.tab.locator("#weak").fill("700")
    assert page.graph("cy.edges('.weak').length") == 700
    assert page.tab.locator("#edges tbody tr").count() == len(dag.edges)
