"""The picture of calibration shows claimed against actual shares of true edges."""

import matplotlib as mpl
import pytest

mpl.use("Agg")
from matplotlib import pyplot as plt

from h2pc import BayesianNetwork, Cpdag, Dag, EdgeStrengths, Skeleton, plot_calibration
from h2pc.errors import SettingError
from h2pc.report.calibration import false_discovery_points, strength_points

NAMES = tuple("abcd")
TRUE = Dag.from_edges(NAMES, [("a", "b"), ("c", "b"), ("c", "d")])
CLAIMS = {("a", "b"): 1e-9, ("d", "c"): 0.004, ("a", "c"): 0.03, ("b", "d"): 0.3, ("a", "d"): None}


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def series(ax):
    return [line for line in ax.get_lines() if line.get_marker() not in ("None", "")]


def strengths(*graphs):
    return EdgeStrengths.of(NAMES, [Cpdag(NAMES, (), edges) for edges in graphs])


def test_the_share_of_false_edges_counts_those_below_each_level_in_either_order():
    points = false_discovery_points([CLAIMS], [TRUE], (0.001, 0.01, 0.05, 0.5))

    assert [point.claimed for point in points] == [0.001, 0.01, 0.05, 0.5]
    assert [point.actual for point in points] == pytest.approx([0, 0, 1 / 3, 1 / 2])


def test_a_level_without_any_edge_has_no_point_but_a_sample_without_one_counts_nought():
    nothing = {("a", "c"): 0.9}

    assert false_discovery_points([nothing], [TRUE], (0.05,)) == []
    (point,) = false_discovery_points([nothing, CLAIMS], [TRUE, TRUE], (0.05,))
    assert point.actual == pytest.approx((0 + 1 / 3) / 2)


def test_intervals_of_several_samples_are_two_standard_errors_wide():
    wrong, right = {("a", "c"): 0.01}, {("a", "b"): 0.01}

    (point,) = false_discovery_points([wrong, right, right, right], [TRUE] * 4, (0.05,))

    assert (point.low, point.actual) == (0.0, 0.25)
    assert point.high == pytest.approx(0.25 + 1.96 * 0.25, abs=1e-3)


def test_intervals_of_one_sample_are_those_of_wilson():
    (point,) = false_discovery_points([{("a", "c"): 0.0, ("a", "b"): 0.0}], [TRUE], (0.05,))

    assert (point.low, point.high) == pytest.approx((0.0945, 0.9055), abs=1e-3)


def test_every_sample_is_compared_with_its_own_network():
    other = Dag.from_edges(NAMES, [("a", "c")])
    claim = {("a", "c"): 0.01}

    (both,) = false_discovery_points([claim, claim], [TRUE, other], (0.05,))

    assert both.actual == 0.5


def test_pairs_are_put_into_bins_by_strength():
    found = strengths(*[[("a", "b"), ("c", "d")]] * 9, [("a", "b"), ("a", "d")])

    points = strength_points([found], [TRUE])

    assert [point.claimed for point in points] == pytest.approx([0.1, 0.95])
    assert [point.actual for point in points] == [0, 1]
    assert points[1].low == pytest.approx(0.342, abs=1e-3)


@pytest.mark.parametrize(
    "truth",
    [
        TRUE,
        TRUE.skeleton(),
        Cpdag(NAMES, TRUE.edges),
        BayesianNetwork(TRUE, [["0"]] * 4, [[1.0], [[[1.0]]], [1.0], [[1.0]]]),
    ],
)
def test_the_truth_may_be_any_graph_or_network(truth):
    ax = plot_calibration(CLAIMS, truth, levels=[0.05])

    assert series(ax)[0].get_ydata().tolist() == pytest.approx([1 / 3])


def test_q_values_are_drawn_on_logarithmic_axes_and_nought_at_the_lower_edge():
    ax = plot_calibration(CLAIMS, TRUE, levels=[0.05, 0.01])

    (line,) = series(ax)
    assert line.get_xdata().tolist() == [0.01, 0.05]
    assert line.get_ydata().tolist() == pytest.approx([ax.get_ylim()[0], 1 / 3])
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert ax.get_ylabel() == "actual share of false edges (FDR)"
    assert [text.get_text() for text in ax.texts] == [
        "more false edges than claimed",
        "fewer false edges than claimed",
    ]


def test_strengths_are_drawn_on_axes_from_nought_to_one():
    ax = plot_calibration(strengths([("a", "b")], [("b", "a"), ("a", "c")]), TRUE)

    (line,) = series(ax)
    assert line.get_xdata().tolist() == [0.5, 1.0]
    assert line.get_ydata().tolist() == [0.0, 1.0]
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 1), (0, 1))
    assert ax.get_xlabel() == "strength (claimed share of true edges)"


def test_several_methods_share_axes_with_one_diagonal_and_differ_in_colour():
    _, ax = plt.subplots()

    assert plot_calibration(CLAIMS, TRUE, ax, label="BH") is ax
    plot_calibration([CLAIMS, CLAIMS], [TRUE, TRUE], ax, label="BY")

    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["BH", "BY"]
    assert len(ax.get_lines()) == 3
    assert len({line.get_color() for line in ax.get_lines()}) == 3


def test_nothing_claimed_leaves_the_axes_empty():
    ax = plot_calibration({}, TRUE)

    assert series(ax)[0].get_xdata().tolist() == []


@pytest.mark.parametrize(
    ("claims", "truth", "message"),
    [
        ([CLAIMS, CLAIMS], [TRUE], "1 graphs for 2 claims"),
        ([], TRUE, "at least one claims"),
        ([CLAIMS, strengths([("a", "b")])], TRUE, "all strengths or all q-values"),
        (["ab"], TRUE, "got a str"),
    ],
)
def test_claims_without_a_truth_of_their_own_are_refused(claims, truth, message):
    with pytest.raises(SettingError, match=message):
        plot_calibration(claims, truth)


def test_levels_that_are_no_rates_are_refused():
    with pytest.raises(SettingError, match="between 0 and 1"):
        plot_calibration(CLAIMS, Skeleton(NAMES), levels=[0.05, 1.0])
