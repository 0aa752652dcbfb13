"""Errors and power by resampling are those of the tests; the recommendation follows from them."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

from continuous_data import continuous_frame, holed, mixed_frame
from h2pc import H2PC, Dataset, GTest, MixedTest, compare_tests, load_network
from h2pc.errors import DataError, SettingError
from h2pc.independence.candidate_tests import CANDIDATES
from h2pc.independence.compared_tests import Choice, ComparedTest, recommendation
from h2pc.independence.comparing import LEVELS, binomial_limits
from h2pc.independence.resampling import (
    Column,
    dataset_of,
    independent_sample,
    linked_sample,
    question_of,
)

FEW = {"n_repetitions": 60, "progress": False}


@pytest.fixture(scope="module")
def child():
    return load_network("child").sample(400, random_state=3)


@pytest.fixture(scope="module")
def compared(child):
    return compare_tests(child, n_repetitions=250, progress=False)


def rows_of(compared, test):
    return [row for row in compared.rows if row.test == test]


# Resampled data


@pytest.mark.parametrize("n_conditions", [0, 1, 2])
def test_margins_and_relations_to_discrete_z_are_kept_exactly(child, n_conditions):
    question = question_of(child, 0, 1, tuple(range(2, 2 + n_conditions)))
    rng = np.random.default_rng(0)

    x, y, *z = independent_sample(question, rng)

    before, after = dataset_of(question), dataset_of((x, y, *z))
    assert (before.codes[0] != after.codes[0]).any()
    assert (before.codes[1:] == after.codes[1:]).all()
    key = [0, *range(2, 2 + n_conditions)]
    assert sorted(before.codes[key].T.tolist()) == sorted(after.codes[key].T.tolist())


def test_x_keeps_its_relation_to_a_continuous_z_and_loses_that_to_y():
    rng = np.random.default_rng(1)
    z = rng.normal(size=2000)
    x = 2.0 * z + rng.normal(size=z.size)
    question = (Column(x), Column(x + z), Column(z))  # x and y are one given z

    samples = [independent_sample(question, rng) for _ in range(100)]

    slopes = [np.polyfit(other[2].values, other[0].values, 1)[0] for other in samples]
    found = [MixedTest(dataset_of(other)).outcome(0, 1, (2,)).p for other in samples]
    assert np.mean(slopes) == pytest.approx(np.polyfit(z, x, 1)[0], abs=0.02)
    assert stats.kstest(found, "uniform").pvalue > 0.001


def test_linked_samples_have_the_statistic_of_the_table_on_average(child):
    number = {name: v for v, name in enumerate(child.names)}
    x, y, z = number["LVH"], number["LVHreport"], number["Disease"]
    few = child.take(np.arange(60))
    question = question_of(few, x, y, (z,))
    seen = GTest(dataset_of(question), power_rule=0).outcome(0, 1, (2,))
    kept = math.sqrt(1.0 - seen.df / seen.statistic)
    rng = np.random.default_rng(0)

    samples = [linked_sample(question, kept, rng) for _ in range(300)]

    found = [GTest(dataset_of(own), power_rule=0).outcome(0, 1, (2,)).statistic for own in samples]
    assert np.mean(found) == pytest.approx(seen.statistic, rel=0.25)


def test_samples_with_missing_values_are_left_out_of_a_question():
    data = Dataset.from_data(holed(mixed_frame(200), 0.2), missing="available")

    question = question_of(data, 0, 1, (2, 4))

    n = question[0].values.size
    assert 0 < n < 200
    assert dataset_of(question).is_complete
    assert dataset_of(question).n_samples == n


# The comparison


def test_exact_tests_keep_their_level(compared):
    for row in rows_of(compared, "permutation") + rows_of(compared, "semiparametric"):
        assert row.error_low <= compared.alpha
        assert row.error_low <= row.error <= row.error_high


def test_a_row_for_every_test_and_number_of_conditions(compared, child):
    labels = [each.label for each in CANDIDATES["discrete"]]

    assert [(row.test, row.n_conditions) for row in compared.rows] == [
        (label, k) for label in labels for k in (0, 1, 2)
    ]
    assert all(0.0 <= row.power <= 1.0 for row in compared.rows)
    assert compared.n_samples == child.n_samples
    assert compared.recommended in {each.name for each in CANDIDATES["discrete"]}
    assert f"test={compared.recommended!r}" in compared.recommendation
    H2PC(test=compared.recommended).fit(child)


def test_the_power_rule_leaves_out_the_same_tests_of_all_table_tests(compared):
    shares = {
        label: [row.left_out for row in rows_of(compared, label)]
        for label in ("g2", "chi2", "permutation", "shrinkage", "mixed")
    }

    assert shares["g2"] == shares["chi2"] == shares["permutation"] == shares["shrinkage"]
    assert shares["g2"][0] < shares["g2"][2]
    assert shares["mixed"] == [0.0, 0.0, 0.0]
    for row in compared.rows:
        assert row.n_tests == round(250 * (1.0 - row.left_out))


def test_what_the_power_rule_leaves_out_is_no_power(child):
    none = compare_tests(child, tests=["g2"], power_rule=1000.0, **FEW)

    assert [row.error for row in none.rows] == [None] * 3
    assert [row.left_out for row in none.rows] == [1.0] * 3
    assert {row.power for row in none.rows} == {0.0}
    assert none.curves[0].n_tests == 0


def test_curves_rise_with_the_level_and_agree_with_the_rows(compared):
    for curve in compared.curves:
        assert curve.levels == LEVELS
        assert list(curve.errors) == sorted(curve.errors)
        rows = rows_of(compared, curve.test)
        found = sum(row.error * row.n_tests for row in rows)
        assert curve.n_tests == sum(row.n_tests for row in rows)
        assert curve.errors[LEVELS.index(0.05)] == pytest.approx(found / curve.n_tests)


def test_no_order_and_no_worker_changes_a_figure(child):
    rng = np.random.default_rng(0)
    few = {"tests": ["g2", "permutation", "shrinkage"], **FEW}
    frame = child.to_pandas().iloc[:200, :8].astype(str)
    columns = rng.permutation(frame.columns).tolist()
    shuffled = frame.iloc[rng.permutation(len(frame))][columns]
    expected = compare_tests(frame, **few)

    assert compare_tests(shuffled, **few) == expected
    assert compare_tests(frame, n_jobs=3, **few) == expected
    assert compare_tests(frame, random_state=1, **few) != expected


@pytest.mark.parametrize("frame", [continuous_frame(150), mixed_frame(150)], ids=["cont.", "mixed"])
def test_no_order_changes_a_figure_of_continuous_data(frame):
    shuffled = frame.iloc[::-1, ::-1]
    expected = compare_tests(frame, **FEW)

    assert compare_tests(shuffled, **FEW) == expected
    assert compare_tests(frame, n_jobs=2, **FEW) == expected


def test_linear_gaussian_data_have_the_gaussian_test():
    found = compare_tests(continuous_frame(300), n_repetitions=300, progress=False)

    assert found.recommended == "gaussian"
    assert found.recommended_levels is None
    for row in rows_of(found, "gaussian"):
        assert row.error_low <= 0.05 <= row.error_high
    given_two = rows_of(found, "g2 on 2 levels")[2]
    assert given_two.error_low > 0.05  # cut conditions do not separate
    ours, cut = (rows_of(found, test) for test in ("gaussian", "g2 on 3 levels"))
    assert sum(row.power for row in ours) > sum(row.power for row in cut)


def test_mixed_data_have_the_mixed_test():
    found = compare_tests(mixed_frame(300), n_repetitions=200, progress=False)

    assert {row.test for row in found.rows} == {"mixed", "g2 on 3 levels", "g2 on 2 levels"}
    assert found.recommended == "mixed"


def test_missing_values_may_be_there(child):
    codes = child.codes.astype(int)
    codes[np.random.default_rng(0).random(codes.shape) < 0.1] = -1
    data = Dataset.from_codes(codes, cards=child.cards, names=child.names, missing="available")
    numbers = Dataset.from_data(holed(continuous_frame(200)), missing="available")

    assert len(compare_tests(data, tests=["g2", "shrinkage"], **FEW).rows) == 6
    assert compare_tests(numbers, **FEW).recommended == "gaussian"


def test_two_columns_have_no_conditions():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 100)
    frame = pl.DataFrame({"x": x, "y": np.where(rng.random(100) < 0.5, x, 1 - x), "c": [1] * 100})

    found = compare_tests(frame, tests=["chi2", "g2"], **FEW)

    assert [(row.test, row.n_conditions) for row in found.rows] == [("g2", 0), ("chi2", 0)]


def test_independent_columns_have_no_links_to_measure_power_with():
    frame = np.random.default_rng(4).integers(0, 2, (500, 4))

    found = compare_tests(frame, tests=["g2"], alpha=0.0001, **FEW)

    assert [row.power for row in found.rows] == [None] * 3
    assert "no link was seen" in found.recommendation


def test_frames_and_text_have_all_rows(compared):
    assert compared.to_pandas()["error"].tolist() == [row.error for row in compared.rows]
    assert compared.to_polars()["test"].to_list() == [row.test for row in compared.rows]
    assert len(str(compared).splitlines()) == 1 + len(compared.rows) + 1
    assert "recommended=" in repr(compared)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"alpha": 1.0}, "alpha"),
        ({"tests": ["gauss"]}, "tests"),
        ({"tests": "g2"}, "tests"),
        ({"tests": []}, "tests"),
        ({"n_repetitions": 0}, "n_repetitions"),
        ({"power_rule": -1.0}, "power_rule"),
        ({"random_state": -1}, "random_state"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"progress": 3}, "progress"),
    ],
)
def test_bad_settings_are_refused(child, settings, word):
    with pytest.raises(SettingError, match=word):
        compare_tests(child, **settings)


def test_a_test_of_another_kind_of_data_is_refused(child):
    with pytest.raises(SettingError, match="gaussian"):
        compare_tests(child, tests=["gaussian"])


def test_a_table_without_two_variables_is_refused():
    with pytest.raises(DataError, match="1 columns that vary"):
        compare_tests({"a": [0, 1, 1], "b": [2, 2, 2]})


# The recommendation


def row(test, error, power, n=1000, k=0):
    limits = (0.0, 1.0) if error is None else binomial_limits(round(error * n), n)
    return ComparedTest(test, k, error, *limits, power, 0.0, n)


def recommended(*rows, levels=None):
    choices = [Choice(name, name, levels) for name in dict.fromkeys(each.test for each in rows)]
    best, why = recommendation(choices, rows, 0.05)
    return best.label, why


def test_the_most_powerful_test_that_keeps_its_level_is_recommended():
    rows = [row("a", 0.09, 0.99), row("b", 0.06, 0.7), row("c", 0.03, 0.6)]

    name, why = recommended(*rows)

    assert name == "b"
    assert "at most 6.0 %" in why
    assert "70.0 %" in why
    assert "test='c' finds 60.0 %" in why


def test_one_number_of_conditions_without_its_level_is_enough_to_lose():
    rows = [row("a", 0.05, 0.9), row("a", 0.1, 0.9, k=2), row("b", 0.04, 0.3)]

    assert recommended(*rows)[0] == "b"


def test_a_difference_of_a_percentage_point_goes_to_the_default():
    assert recommended(row("a", 0.05, 0.700), row("b", 0.05, 0.709))[0] == "a"
    assert recommended(row("a", 0.05, 0.700), row("b", 0.05, 0.711))[0] == "b"


def test_an_error_that_chance_explains_is_no_reason():
    assert recommended(row("a", 0.1, 0.9, n=20), row("b", 0.05, 0.5, n=20))[0] == "a"


def test_where_no_test_keeps_the_level_the_closest_is_taken_with_a_warning():
    name, why = recommended(row("a", 0.3, 0.9), row("b", 0.1, 0.9), levels=3)

    assert name == "b"
    assert why.startswith("No test keeps the level 0.05: h2pc.discretize(data, levels=3) and")
    assert "10.0 %" in why


def test_limits_are_those_of_scipy():
    for n_found, n in [(0, 10), (3, 10), (10, 10), (51, 1000)]:
        exact = stats.binomtest(n_found, n).proportion_ci(0.95, "exact")

        assert binomial_limits(n_found, n) == pytest.approx((exact.low, exact.high))
