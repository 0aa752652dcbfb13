"""Irreducible label factors of data."""

import json
import pickle
import random

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config

from h2pc import (
    H2PC,
    Dag,
    Dataset,
    GTest,
    LabelFactors,
    MultilabelData,
    irreducible_label_factors,
    make_multilabel_network,
)
from h2pc.errors import H2pcError
from h2pc.multilabel.label_factors import ASSUMPTIONS, FactorLink
from h2pc.multilabel.pair_outcomes import pair_outcomes
from h2pc.multilabel.powersets import LabelLink, minimal_label_powersets, powerset_boundary

TRUTH = make_multilabel_network(n_labels=6, n_features=12, random_state=4)
SAMPLE = TRUTH.sample(3000, random_state=1)
LABELS = SAMPLE.label_names


def table() -> pd.DataFrame:
    return pd.concat(SAMPLE.to_pandas(), axis=1)


@pytest.mark.parametrize("assumption", ASSUMPTIONS)
def test_the_factors_are_those_of_the_network_that_made_the_data(assumption):
    found = irreducible_label_factors(SAMPLE, assumption=assumption)

    assert found.factors == minimal_label_powersets(TRUTH.dag, LABELS)
    assert found.labels == tuple(sorted(LABELS))
    assert found.assumption == assumption
    assert found.n_tests > 0
    assert (found.dag is not None) == (assumption == "faithfulness")


@pytest.mark.parametrize("assumption", ASSUMPTIONS)
def test_neither_workers_nor_the_order_of_rows_and_columns_change_anything(assumption):
    known = irreducible_label_factors(table(), LABELS, assumption=assumption)
    frame, rng = table(), random.Random(2)
    shuffled = frame[rng.sample(list(frame), frame.shape[1])].sample(frac=1, random_state=3)
    labels = rng.sample(LABELS, len(LABELS))

    assert irreducible_label_factors(shuffled, labels, assumption=assumption, n_jobs=3) == known


@pytest.mark.slow
def test_processes_find_the_same():
    known = irreducible_label_factors(SAMPLE)
    with parallel_config(backend="loky"):
        assert irreducible_label_factors(SAMPLE, n_jobs=2) == known


def test_all_kinds_of_data_are_the_same_data():
    known = irreducible_label_factors(table(), LABELS)
    X, Y = SAMPLE.to_pandas()

    assert irreducible_label_factors(Dataset.from_data(table()), LABELS) == known
    assert irreducible_label_factors(SAMPLE) == known
    assert irreducible_label_factors(MultilabelData(X, Y)) == known


def test_words_of_features_are_levels():
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 30, 3000)
    y = (rng.random((3000, 2)) < np.where(kind % 2, 0.9, 0.1)[:, np.newaxis]).astype(int)
    words = {"kind": [f"word {i}" for i in range(30)]}
    data = MultilabelData(kind[:, np.newaxis], y, ["kind"], ["a", "b"], categories=words)

    # Cut at the median, the feature would say nothing.
    assert irreducible_label_factors(data).label_boundaries == (("kind",), ("kind",))


@pytest.mark.parametrize("structure", [TRUTH.dag, H2PC(progress=False)])
def test_a_graph_or_its_learner_may_be_given(structure):
    found = irreducible_label_factors(SAMPLE, assumption="faithfulness", structure=structure)

    dag = found.dag
    assert found.factors == minimal_label_powersets(dag, LABELS)
    assert found.boundaries == tuple(powerset_boundary(dag, f, LABELS) for f in found.factors)
    assert all(isinstance(link, LabelLink) for link in found.links)
    if isinstance(structure, Dag):
        assert (found.dag, found.n_tests) == (structure, 0)


@pytest.mark.parametrize("assumption", ASSUMPTIONS)
def test_a_result_is_plain_values_that_pickle_and_json_hold(assumption):
    found = irreducible_label_factors(SAMPLE, assumption=assumption)

    assert pickle.loads(pickle.dumps(found)) == found
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain == found.to_dict()
    assert [tuple(each["labels"]) for each in plain["factors"]] == list(found.factors)
    assert [tuple(each["boundary"]) for each in plain["factors"]] == list(found.boundaries)
    assert [tuple(each["labels"]) for each in plain["links"]] == [x.labels for x in found.links]
    assert (plain["edges"] is None) == (found.dag is None)
    assert str(found).splitlines()[0] == (
        f"6 labels in {len(found.factors)} irreducible factors ({assumption})"
    )


def test_infinite_log_p_values_are_null_in_json():
    link = FactorLink(("a", "b"), (-np.inf, -3.5))
    found = LabelFactors("composition", ("a", "b"), (("a", "b"),), ((),), ((), ()), (link,))

    assert found.to_dict()["links"] == [{"labels": ["a", "b"], "log_p": [None, -3.5]}]
    assert str(found) == "2 labels in 1 irreducible factor (composition)\na, b given nothing"


def test_labels_are_joined_by_either_test_or_by_both():
    either = irreducible_label_factors(SAMPLE, alpha=0.3)
    both = irreducible_label_factors(SAMPLE, alpha=0.3, join="both")

    assert all(min(link.log_p) <= np.log(0.3) for link in either.links)
    assert {x.labels for x in both.links} == {
        x.labels for x in either.links if max(x.log_p) <= np.log(0.3)
    }
    assert len(both.links) < len(either.links)


def test_many_labels_have_a_stricter_level():
    """Of 300 independent labels some pairs have p-values below 0.0001, and none is joined."""
    rng = np.random.default_rng(1)
    names = [f"y{i}" for i in range(300)] + ["x"]
    data = Dataset.from_codes(rng.integers(0, 2, (301, 400)), names=names)

    assert len(irreducible_label_factors(data, names[:-1], alpha=1e-4).links) > 0
    assert irreducible_label_factors(data, names[:-1]).links == ()


def everything(target, ci, universe):
    """A boundary of all variables."""
    return universe


def test_a_pair_is_tested_given_as_much_of_a_large_boundary_as_samples_allow():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (8, 200))
    codes[7] = codes[6]  # two labels that are the same, after six features
    ci = GTest(Dataset.from_codes(codes))
    assert ci.log_p(6, 7, (0, 1, 2, 3, 4, 5)) == 0.0  # not performed

    found = pair_outcomes((6, 7), (0, 1, 2, 3, 4, 5), everything, (ci, ci))

    # 5 samples in each of 2 * 2 * 2 ** 3 cells are 160.
    assert found.log_p == {(6, 7): ci.log_p(6, 7, (0, 1, 2)), (7, 6): ci.log_p(7, 6, (0, 1, 2))}
    assert found.log_p[6, 7] < ci.log_alpha


def test_without_features_labels_are_joined_where_they_depend():
    a = np.arange(200) % 2
    data = {"a": a, "b": a, "c": np.arange(200) // 2 % 2}

    found = irreducible_label_factors(data, ["a", "b", "c"])

    assert found.factors == (("a", "b"), ("c",))
    assert found.boundaries == ((), ())


def test_one_label_is_a_factor():
    found = irreducible_label_factors({"y": [0, 1] * 50, "x": [0, 1] * 50}, ["y"])

    assert (found.factors, found.boundaries, found.links) == ((("y",),), (("x",),), ())


def test_continuous_features_of_a_table_stay_continuous():
    rng = np.random.default_rng(0)
    x = rng.normal(size=2000)
    y = (x[:, np.newaxis] + rng.normal(size=(2000, 2)) > 0).astype(int)
    frame = pd.DataFrame({"x": x, "y0": y[:, 0], "y1": y[:, 1]})

    assert irreducible_label_factors(frame, ["y0", "y1"]).factors == (("y0",), ("y1",))
    found = irreducible_label_factors(frame, ["y0", "y1"], boundary="shrink")
    assert found.boundaries == (("x",), ("x",))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"assumption": "faith"}, "assumption must be one of 'faithfulness', 'composition'"),
        ({"join": "any"}, "join must be one of 'either', 'both'; got 'any'"),
        ({"boundary": "iamp"}, "Did you mean 'iamb'"),
        ({"boundary": None}, "boundary must be one of"),
        ({"test": "g3"}, "test must be one of"),
        ({"alpha": 0}, "alpha must be a number above 0, or None; got 0"),
        ({"alpha": 1.5}, "alpha must lie between 0 and 1"),
        ({"alpha": "small"}, "alpha must be a number above 0, or None; got 'small'"),
        ({"power_rule": -1}, "power_rule must be a number from 0 on"),
        ({"n_jobs": 0}, "n_jobs must be None"),
        ({"labels": "Y0"}, "labels is the string 'Y0': expected a list of names"),
        ({"labels": []}, "no labels: expected the names of at least one"),
        ({"labels": ["Y0", "Z"]}, "unknown label 'Z': expected one of the 18 columns"),
        ({"labels": ["Y0", "Y0"]}, "'Y0'"),
        ({"labels": None}, "labels must name the columns that are labels; got None"),
        ({"structure": TRUTH.dag}, "structure goes with assumption='faithfulness'"),
        ({"structure": 3, "assumption": "faithfulness"}, "structure must be a Dag"),
        (
            {"structure": TRUTH.dag, "assumption": "faithfulness", "alpha": 0.1},
            "has a level of its own",
        ),
        ({"boundary": "shrink"}, "boundary='shrink' tests a label given 11 variables"),
    ],
    ids=str,
)
def test_bad_input_is_one_sentence(settings, sentence):
    with pytest.raises(H2pcError) as refused:
        irreducible_label_factors(table(), **{"labels": LABELS, **settings})

    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
