"""The panel that explains the labels of one sample, in a real browser."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from h2pc import Dag, LearnResult, MinimalLabelPowersetClassifier, network_page
from unit.multilabel.label_samples import DAG, NEW, X, Y


@pytest.fixture(scope="module")
def explained():
    """A model whose graph lacks the features ``sun`` and ``flat``, and a sample of it."""
    model = MinimalLabelPowersetClassifier(GaussianNB(), structure=DAG).fit(X, Y)
    return model, model.explain(NEW, 11)


def page_of(model, why, **settings):
    result = LearnResult(model.dag_, None, math.nan)
    return network_page(result, title="t", labels=model.labels_, explanation=why, **settings)


def test_every_powerset_is_explained_with_bars(opened, explained):
    model, why = explained
    page = opened(page_of(model, why))
    parts = page.tab.locator("#why article")

    assert parts.count() == len(why.powersets)
    for i, part in enumerate(why.powersets):
        telling = [each for each in part.features if each.contribution]
        rows = parts.nth(i).locator("tbody tr")
        assert rows.count() == len(telling)
        widths = []
        for k, each in enumerate(telling):
            assert each.feature in rows.nth(k).inner_text()
            sign = "for" if each.contribution > 0 else "against"
            bar = rows.nth(k).locator(f".contribution .{sign}").bounding_box()
            widths.append(bar["width"] if bar else 0.0)
        shares = np.abs([each.contribution for each in telling])
        np.testing.assert_allclose(widths, widths[0] * shares / shares[0], atol=1.0)
        marks = parts.nth(i).locator(".variables li").all_inner_texts()
        assert [mark.startswith("✓") for mark in marks] == [
            label in part.predicted for label in part.labels
        ]
    assert "Contributions do not add up." in page.tab.inner_text("#why")
    assert page.tab.locator("#run").is_hidden()


def test_a_feature_of_the_panel_is_selected_in_the_graph(opened, explained):
    page = opened(page_of(*explained))
    page.tab.locator("#why tbody button", has_text="rain").first.click()

    assert page.chosen() == "rain"
    assert page.graph("cy.nodes('.chosen').map((n) => n.data('name'))") == ["rain"]
    page.tab.locator("#why .variables button", has_text="cat").click()
    assert page.chosen() == "cat"


def test_features_that_the_graph_lacks_are_text(opened, explained):
    page = opened(page_of(*explained))
    row = page.tab.locator("#why tbody tr", has_text="sun").first

    assert row.locator("button").count() == 0


def test_both_themes_and_small_screens_show_the_bars(opened, explained):
    for theme in ("light", "dark"):
        page = opened(page_of(*explained), color_scheme=theme, width=420)
        colours = page.tab.evaluate(
            """() => [getComputedStyle(document.querySelector("#why .for")).backgroundColor,
                      getComputedStyle(document.querySelector("#why")).backgroundColor]"""
        )
        wide = "document.documentElement.scrollWidth <= window.innerWidth"
        assert colours[0] != colours[1]
        assert page.tab.evaluate(wide)


def test_names_are_text(opened):
    nasty = "<img src=x onerror=alert(1)>"
    x, y = X.rename(columns={"rain": nasty}), Y.rename(columns={"bee": "<b>bee"})
    dag = Dag.from_edges(["ant", "<b>bee", "cat", nasty], [(nasty, "ant"), (nasty, "<b>bee")])
    model = MinimalLabelPowersetClassifier(GaussianNB(), structure=dag).fit(x, y)
    page = opened(page_of(model, model.explain(pd.DataFrame(x), 1)))

    assert nasty in page.tab.inner_text("#why")
    assert page.tab.locator("#why img, #why b").count() == 0


def test_without_an_explanation_there_is_no_panel(opened, explained):
    page = opened(page_of(explained[0], None))

    assert page.tab.locator("#why").is_hidden()
