"""The sets of features that a powerset may be predicted from."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control
from sklearn.base import BaseEstimator

from h2pc.independence.named import independence_test
from h2pc.multilabel.feature_sets import candidate_features
from h2pc.multilabel.training_set import labelled

RNG = np.random.default_rng(0)
N = 300
FEATURES = pd.DataFrame(RNG.normal(size=(N, 12)), columns=[f"x{j:02}" for j in range(12)])
FEATURES["x05"] = FEATURES["x03"] + 0.3 * RNG.normal(size=N)
LABELS = pd.DataFrame(
    {
        "a": FEATURES["x03"] + 0.5 * RNG.normal(size=N) > 0,
        "b": FEATURES["x08"] + 0.5 * RNG.normal(size=N) > 0,
    }
).astype(int)


def training(features=FEATURES, labels=LABELS):
    return labelled(BaseEstimator(), features, labels, may_miss=True)[0]


def dependent(sample, label):
    """Return the features whose p-values pass Benjamini and Hochberg, one test at a time."""
    data = sample.discrete()
    ci = independence_test(data)
    p = [
        np.exp(ci.log_p_many(data.variable(label), (data.variable(x),)))[0] for x in sample.features
    ]
    q = false_discovery_control(p)
    return {x for x, value in zip(sample.features, q, strict=True) if value <= 0.05}


def test_sets_are_the_boundary_the_dependent_features_and_all():
    sample = training()

    [of_a, of_b] = candidate_features(sample, [("a",), ("b",)], [("x03",), ("x08",)])

    assert list(of_a) == ["markov_boundary", "dependent", "all"]
    assert of_a["markov_boundary"] == ("x03",)
    assert set(of_a["dependent"]) == dependent(sample, "a") | {"x03"}
    assert {"x03", "x05"} <= set(of_a["dependent"])
    assert of_a["all"] == tuple(sorted(FEATURES.columns))
    assert set(of_b.get("dependent", ("x08",))) == dependent(sample, "b") | {"x08"}


def test_the_features_of_a_powerset_depend_on_one_of_its_labels():
    sample = training()

    [found] = candidate_features(sample, [("a", "b")], [("x00", "x11")])

    expected = dependent(sample, "a") | dependent(sample, "b") | {"x00", "x11"}
    assert set(found["dependent"]) == expected
    assert list(found["dependent"]) == sorted(found["dependent"])


def test_equal_sets_come_once():
    sample = training(FEATURES[["x00", "x03", "x08"]])
    everything = ("x00", "x03", "x08")

    [all_of_them] = candidate_features(sample, [("a",)], [everything])
    assert list(all_of_them) == ["markov_boundary"]

    near = tuple(sorted(dependent(training(), "a")))
    [same] = candidate_features(training(), [("a",)], [near])
    assert list(same) == ["markov_boundary", "all"]


def test_nearly_all_features_are_no_set_of_their_own():
    copies = pd.DataFrame({f"x{j}": FEATURES["x03"] for j in range(9)})
    sample = training(copies.assign(y=FEATURES["x00"]))

    [found] = candidate_features(sample, [("a",)], [("x0",)])

    assert list(found) == ["markov_boundary", "all"]


def test_a_powerset_may_have_no_boundary():
    [found] = candidate_features(training(), [("a",)], [()])

    assert found["markov_boundary"] == ()
    assert {"x03", "x05"} <= set(found["dependent"])


@pytest.mark.parametrize("value", [0.0, np.nan])
def test_constant_and_missing_features_are_no_problem(value):
    features = FEATURES.assign(x01=1.0)
    features.loc[::3, "x03"] = value

    [found] = candidate_features(training(features), [("a",)], [("x03",)])

    assert "x01" not in found.get("dependent", ())
