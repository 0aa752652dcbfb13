"""Probability tables and regressions of a selected variable, in a real browser."""

import re

import numpy as np
import pytest

from h2pc import (
    BayesianNetwork,
    Dag,
    Dataset,
    LearnResult,
    LinearGaussianNetwork,
    load_network,
    network_page,
)

DAG = Dag.from_edges(("first", "second", "third"), [("first", "third"), ("second", "third")])


def page_of(network, data, **more):
    result = LearnResult(network.dag, None, -1.0)
    return network_page(result, title="t", network=network, data=data, **more)


def choose(page, name):
    page.tab.fill("#name", name)
    page.tab.keyboard.press("Enter")
    assert page.chosen() == name


def words(locator):
    """The texts of some elements, with single spaces."""
    return [re.sub(r"\s+", " ", text) for text in locator.all_inner_texts()]


@pytest.fixture(scope="module")
def asia():
    network = load_network("asia")
    data = network.sample(2000, random_state=1)
    return BayesianNetwork.fit(network.dag, data), data


@pytest.fixture(scope="module")
def large():
    """A variable with two parents of 20 levels each: 400 rows, of which some have no sample."""
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 20, (2, 1000))
    states = [[f"level {i}" for i in range(20)]] * 2 + [["no", "yes"]]
    codes = [first, second, (first + second + rng.integers(0, 2, 1000)) % 2]
    data = Dataset.from_codes(codes, names=DAG.names, states=states)
    return BayesianNetwork.fit(DAG, data, pseudo_count=1.0), data


def test_a_variable_has_its_probabilities_given_its_parents(opened, asia):
    network, data = asia
    page = opened(page_of(network, data, view="dag"))
    choose(page, "dysp")
    rows = words(page.tab.locator("#details .rows li"))

    assert "P(dysp | bronc, either)" in page.tab.locator("#details h3").all_inner_texts()
    assert len(rows) == 4
    counts = [int(re.search(r"([\d,]+) samples?", row)[1].replace(",", "")) for row in rows]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == 2000
    table = network.tables[network.dag.variable("dysp")]
    states = dict(zip(network.names, network.states, strict=True))
    for row in rows:
        bronc, either = re.match(r"bronc (\w+) either (\w+) ", row).groups()
        found = re.search(r"yes ([\d.<]+) no ([\d.<]+)$", row) or re.search(
            r"no ([\d.<]+) yes ([\d.<]+)$", row
        )
        own = table[states["bronc"].index(bronc), states["either"].index(either)]
        shown = [float(value) for value in found.groups()]
        assert shown == pytest.approx(own.tolist(), abs=0.0006)


def test_a_variable_without_parents_has_one_distribution(opened, asia):
    network, data = asia
    page = opened(page_of(network, data, view="dag"))
    choose(page, "smoke")

    [row] = words(page.tab.locator("#details .rows li"))
    assert row.startswith("2,000 samples ")
    assert "P(smoke)" in page.tab.locator("#details h3").all_inner_texts()


def test_bars_are_as_long_as_probabilities(opened, asia):
    page = opened(page_of(*asia))
    choose(page, "smoke")
    bar = page.tab.locator("#details .level").first
    share = float(bar.locator(".number").inner_text())

    size = bar.evaluate("(bar) => getComputedStyle(bar).backgroundSize")
    assert float(size.split("%")[0]) == pytest.approx(100 * share, abs=0.06)


def test_parents_of_the_directed_graph_are_named_where_directions_are_hidden(opened, asia):
    page = opened(page_of(*asia))
    about = "Parents are those of the directed graph."
    choose(page, "lung")

    assert about in page.tab.inner_text("#details")
    page.tab.select_option("#directions", "dag")
    assert "P(lung | smoke)" in page.tab.inner_text("#details")
    assert about not in page.tab.inner_text("#details")


def test_long_tables_begin_with_twenty_rows_and_have_a_button_for_the_others(opened, large):
    network, data = large
    page = opened(page_of(network, data))
    choose(page, "third")
    n_seen = len({*zip(*data.codes[:2].tolist(), strict=True)})
    rows = page.tab.locator("#details .rows li")

    assert rows.count() == 20
    assert f"… and {n_seen - 20} more." in page.tab.inner_text("#details")
    page.tab.click("#details .more")
    assert rows.count() == n_seen
    assert page.tab.locator("#details .more").count() == 0
    assert page.tab.evaluate("document.activeElement.className") == "rows scroll"
    left = 400 - n_seen
    assert f"{left} more combinations occur in no sample" in page.tab.inner_text("#details")


def test_continuous_variables_have_a_regression(opened):
    network = LinearGaussianNetwork(
        DAG, [1.5, 0.0, 20.25], [[], [], [0.25, -4e-5]], [4.0, 1.0, 9.0]
    )
    data = {name: np.linspace(0.1, 9.7, 50).tolist() for name in DAG.names}
    page = opened(page_of(network, data))

    choose(page, "third")
    assert words(page.tab.locator("#details .facts tr")) == [
        "intercept 20.25",
        "coefficient of first 0.25",
        "coefficient of second -4.000e-5",
        "residual standard deviation 3",
        "samples 50",
    ]
    page.tab.locator("#details .facts button", has_text="first").click()
    assert page.chosen() == "first"
    assert words(page.tab.locator("#details .facts tr"))[:2] == ["mean 1.5", "standard deviation 2"]


def test_data_of_both_kinds_have_no_parameters_and_the_page_says_so(opened):
    dag = Dag.from_edges(("x", "y"), [("x", "y")])
    data = {"x": [0.5, 1.25, 2.75], "y": ["u", "v", "u"]}
    page = opened(network_page(LearnResult(dag, None, -1.0), title="t", data=data))
    choose(page, "y")

    assert "continuous and discrete variables: their network has no parameters" in (
        page.tab.inner_text("#details")
    )


def test_a_page_without_a_network_says_nothing_of_parameters(opened):
    page = opened(network_page(LearnResult(DAG, None, -1.0), title="t"))
    choose(page, "third")

    assert "P(" not in page.tab.inner_text("#details")
    assert "arameters" not in page.tab.inner_text("#details")


def luminance(colour):
    """Relative luminance of a colour whose parts lie between 0 and 1."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_bars_can_be_told_from_the_ground_and_text_can_be_read_on_them(opened, asia, dark):
    page = opened(page_of(*asia), color_scheme="dark" if dark else "light")
    choose(page, "smoke")

    def style(where, name):
        return page.tab.locator(where).first.evaluate(f"(e) => getComputedStyle(e).{name}")

    text, ground = (
        [int(part) / 255 for part in re.findall(r"\d+", style(*of))]
        for of in (("#details .level", "color"), ("#details", "backgroundColor"))
    )
    gradient = style("#details .level", "backgroundImage")
    *bar, share = map(float, re.findall(r"[\d.]+", gradient.split("color(srgb ")[1])[:4])
    mixed = [share * b + (1 - share) * g for b, g in zip(bar, ground, strict=True)]

    assert contrast(text, mixed) > 4.5
    assert contrast(text, ground) > 4.5
    assert contrast(mixed, ground) > 1.2


def test_a_selected_variable_is_printed_and_no_selection_is_not(opened, large):
    page = opened(page_of(*large))
    page.tab.emulate_media(media="print")
    assert not page.tab.is_visible("#details")

    page.tab.emulate_media(media="screen")
    choose(page, "third")
    page.tab.emulate_media(media="print")
    assert page.tab.is_visible("#details")
    assert page.tab.locator("#details .rows li").last.is_visible()
    assert not page.tab.is_visible("#details .more")


def test_tables_fit_a_narrow_window(opened, large):
    page = opened(page_of(*large), width=400, height=800)
    choose(page, "third")

    assert page.tab.evaluate("document.documentElement.scrollWidth") == 400
    box = page.tab.locator("#details").bounding_box()
    row = page.tab.locator("#details .rows li").first.bounding_box()
    assert row["x"] >= box["x"]
    assert row["x"] + row["width"] <= box["x"] + box["width"]
