"""Explanations: contributions by their definition, and everything that is said about them."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from h2pc import (
    BinaryRelevance,
    CompactForestClassifier,
    Dag,
    LabelExplanation,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from h2pc.errors import SettingError
from h2pc.multilabel.contributions import background_rows, replaced
from reference.slow_explanation import slow_contributions
from strategies import examples
from unit.multilabel.label_samples import DAG, NEW, X, Y, presence

FOREST = CompactForestClassifier(n_estimators=8)
BASES = [
    FOREST,
    GaussianNB(),
    make_pipeline(StandardScaler(), LogisticRegression()),
    DecisionTreeClassifier(max_depth=3),
    RidgeClassifier(),
]


def minimal(base=FOREST, **settings):
    settings = {"structure": DAG, "random_state": 0} | settings
    return MinimalLabelPowersetClassifier(base, **settings)


def found(explanation):
    """Everything that is computed, powerset by powerset and feature by feature."""
    return explanation.to_dict()["powersets"]


@pytest.fixture(scope="module")
def classifier():
    return minimal().fit(X, Y)


@pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
@pytest.mark.parametrize("kind", [MinimalLabelPowersetClassifier, LabelPowerset, BinaryRelevance])
@pytest.mark.parametrize("selection", [None, "markov_boundary"])
def test_contributions_are_those_of_the_definition(base, kind, selection):
    model = kind(base, feature_selection=selection, structure=DAG, random_state=0).fit(X, Y)
    background = NEW.iloc[20:32]
    names = sorted(X.columns)
    for row in (0, 7):
        why = model.explain(NEW, row, background=background)
        assert why.n_background == 12
        assert len(why.powersets) == len(model.models_)
        for part, own in zip(why.powersets, model.models_, strict=True):
            expected = slow_contributions(model, own, NEW[names].iloc[row], background[names])
            assert {each.feature for each in part.features} == {names[j] for j in expected}
            for each in part.features:
                falls = expected[names.index(each.feature)]
                assert each.contribution == pytest.approx(falls[0], abs=1e-12)
                assert each.label_contributions == pytest.approx(falls[1:], abs=1e-12)
                assert each.value == NEW[each.feature].iloc[row]


@pytest.mark.parametrize("base", [FOREST, GaussianNB(), RidgeClassifier()], ids=str)
def test_contributions_to_chosen_models_are_those_of_the_definition(base):
    model = minimal(base, feature_selection="auto").fit(X, Y)
    background, names = NEW.iloc[20:32], sorted(X.columns)

    why = model.explain(NEW, 5, background=background)

    assert {label for part in why.powersets for label in part.labels} == set(Y.columns)
    for part, own in zip(why.powersets, model.models_, strict=True):
        expected = slow_contributions(model, own, NEW[names].iloc[5], background[names])
        assert {each.feature for each in part.features} == {names[j] for j in expected}
        for each in part.features:
            falls = expected[names.index(each.feature)]
            assert each.contribution == pytest.approx(falls[0], abs=1e-12)
            assert each.label_contributions == pytest.approx(falls[1:], abs=1e-12)


def test_predictions_and_probabilities_are_those_of_the_classifier(classifier):
    for row in range(10):
        why = classifier.explain(NEW, row)
        labels = classifier.predict(NEW.iloc[[row]])[0]
        proba = dict(zip(classifier.labels_, presence(classifier, NEW.iloc[[row]])[0], strict=True))
        joint = classifier.predict_joint_proba(NEW.iloc[[row]])

        assert set(why.predicted) == {
            label for label, y in zip(classifier.labels_, labels, strict=True) if y
        }
        for part, own in zip(why.powersets, joint, strict=True):
            assert part.probability == own[0].max()
            others = sorted(own[0])[-2::-1][:3]
            assert [each.probability for each in part.alternatives] == [p for p in others if p > 0]
            assert part.label_probabilities == tuple(proba[label] for label in part.labels)


def test_the_feature_that_decides_contributes_most_and_an_unused_one_nothing():
    rng = np.random.default_rng(1)
    x = pd.DataFrame(rng.normal(size=(300, 3)), columns=["noise", "decides", "more"])
    x["flat"] = 2.0
    y = pd.DataFrame({"label": (x["decides"] > 0).astype(int)})
    tree = BinaryRelevance(DecisionTreeClassifier(), random_state=0).fit(x, y)
    new = pd.DataFrame({"noise": [9.0], "decides": [3.0], "more": [-9.0], "flat": [77.0]})
    [part] = tree.explain(new).powersets
    share = (background_rows(x[sorted(x)].to_numpy())[:, 0] > 0).mean()

    assert [each.feature for each in part.features] == ["decides", "flat", "more", "noise"]
    assert part.features[0].contribution == pytest.approx(1 - share)
    assert [each.contribution for each in part.features[1:]] == [0.0, 0.0, 0.0]
    assert [each.label_contributions for each in part.features[1:]] == [(0.0,)] * 3


def test_without_probabilities_a_contribution_is_the_share_of_changed_predictions():
    x = np.array([[0.0], [1.0], [2.0], [3.0]] * 5)
    y = x[:, :1] >= 2
    model = BinaryRelevance(RidgeClassifier(), random_state=0).fit(x, y)
    why = model.explain([[3.0]], background=[[0.0], [1.0], [1.0], [2.0]])
    [part] = why.powersets

    assert not why.has_probabilities
    assert (part.probability, part.label_probabilities, part.alternatives) == (None, None, ())
    assert part.features[0].contribution == 0.75
    assert "the share of 4 other samples whose value" in str(why)
    assert pd.isna(why.to_frame()["probability"]).all()


def test_categories_are_shown_by_their_levels():
    rng = np.random.default_rng(2)
    ground = rng.choice(["sand", "rock", "mud"], 200)
    x = pd.DataFrame({"ground": ground, "depth": rng.normal(size=200)})
    y = pd.DataFrame({"crab": (ground == "rock").astype(int)})
    model = BinaryRelevance(FOREST, random_state=0).fit(x, y)
    new = pd.DataFrame({"ground": ["rock"], "depth": [0.5]})
    [part] = model.explain(new).powersets

    assert [(each.feature, each.value) for each in part.features] == [
        ("ground", "rock"),
        ("depth", 0.5),
    ]
    others = x.copy()
    falls = []
    for word in ("sand", "mud", "rock"):
        changed = new.assign(ground=word)
        falls.append(presence(model, new)[0, 0] - presence(model, changed)[0, 0])
    share = [(others["ground"] == word).mean() for word in ("sand", "mud", "rock")]
    everything = model.explain(new, background=others, n_background=200).powersets[0].features[0]
    assert everything.contribution == pytest.approx(np.dot(falls, share))


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize(
    "base",
    [FOREST, ExtraTreesClassifier(5), DecisionTreeClassifier()],
    ids=lambda b: type(b).__name__,
)
def test_features_off_the_way_through_the_trees_are_left_out_rightly(base, form):
    rng = np.random.default_rng(6)
    x = rng.normal(size=(120, 25)).round(1)
    y = np.column_stack((x[:, 0] > 0, x[:, 1] * x[:, 2] > 0))
    model = LabelPowerset(base, random_state=0).fit(form(x), y)
    [part] = model.explain(form(x), 8, background=form(x[:10])).powersets
    expected = slow_contributions(model, model.models_[0], x[8], x[:10])

    for each in part.features:
        falls = expected[int(each.feature[1:])]
        assert each.contribution == pytest.approx(falls[0], abs=1e-12)
        assert each.label_contributions == pytest.approx(falls[1:], abs=1e-12)
    assert any(not each.contribution for each in part.features)
    assert any(each.contribution for each in part.features)


def test_small_batches_change_nothing(classifier, monkeypatch):
    expected = found(classifier.explain(NEW, 6))
    monkeypatch.setattr("h2pc.multilabel.contributions._BATCH_CELLS", 30)

    assert found(classifier.explain(NEW, 6)) == expected


@pytest.mark.parametrize("form", [csr_array, csr_matrix])
def test_sparse_samples_have_the_same_contributions(form):
    rng = np.random.default_rng(3)
    dense = rng.poisson(0.4, size=(150, 12)) * rng.choice([1.0, 0.5], size=(150, 12))
    y = np.column_stack((dense[:, 0] > 0, dense[:, 1] + dense[:, 2] > 0.5))
    model = LabelPowerset(FOREST, random_state=0)
    one = model.fit(dense, y).explain(dense, 5)
    two = model.fit(form(dense), y).explain(form(dense), 5)

    assert found(one) == found(two)
    assert any(each.contribution for each in one.powersets[0].features)


@examples(50)
@given(st.data())
def test_one_value_is_replaced_in_dense_and_sparse_samples(data):
    cell = st.sampled_from([0.0, 0.1, -2.0, 3.0])
    row = np.array([data.draw(st.lists(cell, min_size=1, max_size=6))])
    n_columns = row.shape[1]
    pairs = data.draw(st.lists(st.tuples(st.integers(0, n_columns - 1), cell), max_size=8))
    columns = np.array([j for j, _ in pairs], np.intp)
    values = np.array([value for _, value in pairs])
    expected = np.repeat(row, len(pairs), axis=0)
    for i, (j, value) in enumerate(pairs):
        expected[i, j] = value

    sparse = replaced(csr_array(row), columns, values)
    np.testing.assert_array_equal(replaced(row, columns, values), expected)
    np.testing.assert_array_equal(sparse.toarray(), expected)
    assert sparse.nnz == np.count_nonzero(expected)


def test_arrays_and_tables_of_any_library_give_the_same_explanation(classifier):
    expected = found(classifier.explain(NEW, 4))

    assert found(classifier.explain(pl.from_pandas(NEW), 4)) == expected
    by_number = minimal(structure=None, feature_selection=None).fit(X.to_numpy(), Y.to_numpy())
    why = by_number.explain(NEW.to_numpy(), 4)
    assert {each.feature for part in why.powersets for each in part.features} == {
        "X0",
        "X1",
        "X2",
        "X3",
    }


def test_the_order_of_columns_and_rows_and_the_workers_do_not_matter(classifier):
    # The bootstrap of a forest depends on the order of rows; the background does not.
    bayes = minimal(GaussianNB()).fit(X, Y)
    shuffled = np.random.default_rng(4).permutation(len(X))
    columns = ["rain", "flat", "sun", "wind"]
    other = minimal(FOREST, n_jobs=2).fit(X[columns], Y[["bee", "cat", "ant"]])
    again = minimal(GaussianNB()).fit(X.iloc[shuffled], Y.iloc[shuffled])

    assert found(classifier.explain(NEW, 9)) == found(other.explain(NEW[columns], 9))
    np.testing.assert_array_equal(bayes._background, again._background)


def test_the_background_has_frequent_samples_as_often_as_the_data():
    rows = np.repeat(np.eye(4), [400, 300, 200, 100], axis=0)
    kept = background_rows(rows, 10)

    assert kept.sum(axis=0).tolist() == [4, 3, 2, 1]
    np.testing.assert_array_equal(
        np.sort(background_rows(rows[::-1], 7), axis=0), np.sort(background_rows(rows, 7), axis=0)
    )
    np.testing.assert_array_equal(
        background_rows(csr_array(rows), 7).toarray(), background_rows(rows, 7)
    )
    assert len(background_rows(rows[:3], 10)) == 3


def test_training_samples_that_are_kept_have_only_the_features_in_use():
    model = minimal(feature_selection="markov_boundary").fit(X, Y)

    assert model._background.shape == (100, 4)
    used = np.flatnonzero(model._background.any(axis=0))
    assert [sorted(X.columns)[j] for j in used] == ["rain", "wind"]
    sparse = BinaryRelevance(
        FOREST, feature_selection="markov_boundary", structure=DAG_BY_NUMBER, random_state=0
    ).fit(csr_array(X.to_numpy()), Y.to_numpy())
    assert set(sparse._background.indices.tolist()) == {0, 2}
    assert sparse.explain(csr_array(NEW.to_numpy())).n_background == 100


DAG_BY_NUMBER = Dag.from_edges(["X0", "X2", "Y0", "Y1", "Y2"], [("X0", "Y0"), ("X2", "Y1")])


def test_roles_and_links_are_those_of_the_graph():
    dag = Dag.from_edges(
        ["ant", "bee", "cat", "rain", "sun", "wind"],
        [("ant", "rain"), ("bee", "rain"), ("wind", "rain"), ("sun", "ant"), ("bee", "cat")],
    )
    why = minimal(structure=dag).fit(X, Y).explain(NEW)
    [part] = why.powersets

    assert {each.feature: each.role for each in part.features} == {
        "rain": "child of ant, bee",
        "wind": "spouse of ant, bee",
        "sun": "parent of ant",
        "flat": "",
    }
    assert [link.labels for link in part.links] == [("ant", "bee"), ("bee", "cat")]
    assert "'ant' and 'bee' are both parents of rain." in str(why)
    assert "'bee' and 'cat' are adjacent." in str(why)


def test_without_a_graph_there_are_no_roles():
    [part, *_] = BinaryRelevance(FOREST, random_state=0).fit(X, Y).explain(NEW).powersets

    assert part.links == ()
    assert {each.role for each in part.features} == {""}


def test_only_the_powersets_of_some_labels_are_explained(classifier):
    assert [part.labels for part in classifier.explain(NEW, labels=["bee"]).powersets] == [
        ("ant", "bee")
    ]
    assert classifier.explain(NEW, n_background=7).n_background == 7


def test_a_powerset_without_features_or_with_one_combination_is_explained():
    dag = Dag.from_edges(["ant", "bee", "cat", "rain"], [("rain", "ant")])
    model = minimal(structure=dag, feature_selection="markov_boundary").fit(X, Y.assign(cat=1))
    why = model.explain(NEW)

    assert [part.labels for part in why.powersets] == [("ant",), ("bee",), ("cat",)]
    assert why.powersets[2].features == ()
    assert "cat" in why.predicted
    assert "No feature is used: the most frequent combination is predicted." in str(why)
    everything = minimal(structure=dag).fit(X, Y.assign(cat=1)).explain(NEW, labels=["cat"])
    assert {each.contribution for each in everything.powersets[0].features} == {0.0}


def test_the_text_asks_and_answers(classifier):
    rows = [classifier.explain(NEW, row) for row in range(20)]
    [why] = [each for each in rows if each.predicted == ("bee", "cat")][:1]
    text = str(why)

    assert text.startswith(
        f"Row {why.row}: 'bee' and 'cat' predicted.\n\nWhy 'bee', but not 'ant'?"
    )
    assert "Predicted together, with probability 0." in text
    assert "Each label by itself: bee 0." in text
    assert "'ant' and 'bee' are adjacent." in text
    assert re.search(r"rain +│ [-\d.]+ +│ \+0\.\d{3} █+", text)
    assert "parent of ant, bee" in text
    assert "1 other feature contributes nothing." in text
    assert text.endswith("Contributions do not add up.")
    assert max(map(len, text.splitlines())) <= 100
    assert repr(why) == text


def test_of_many_features_and_powersets_the_most_telling_are_shown():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(80, 30))
    y = np.column_stack([x[:, j] > 0 for j in range(14)])
    why = BinaryRelevance(GaussianNB(), random_state=0).fit(x, y).explain(x)
    text = str(why)

    assert text.count("Why ") == 10
    assert text.count("20 other features contribute less.") == 10
    assert "4 other powersets are not shown; choose labels to see them." in text
    assert text.index("Why 'Y") < text.index("Why not")
    assert len(why.to_frame()) == 14 * 30


def test_data_frames_have_a_row_for_each_feature(classifier):
    why = classifier.explain(NEW, 2)
    by_powerset, by_label = why.to_frame(), why.to_frame("label")

    assert list(by_powerset) == [
        *("powerset", "labels", "predicted", "probability"),
        *("feature", "value", "contribution", "role"),
    ]
    assert len(by_powerset) == 2 * 4
    assert len(by_label) == 3 * 4
    bee = by_label[by_label["label"] == "bee"].set_index("feature")["contribution"]
    for each in why.powersets[0].features:
        assert bee[each.feature] == each.label_contributions[1]
    with pytest.raises(SettingError, match="by must be 'powerset' or 'label'; got 'row'"):
        why.to_frame("row")


def test_plain_values_are_fit_for_json(classifier):
    why = classifier.explain(NEW, 2)
    plain = json.loads(json.dumps(why.to_dict(), allow_nan=False))

    assert plain == why.to_dict()
    assert plain["predicted"] == list(why.predicted)
    assert plain["powersets"][0]["labels"] == ["ant", "bee"]
    assert plain["powersets"][0]["features"][0].keys() == {
        *("feature", "value", "contribution", "label_contributions", "role")
    }


class _Texts(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)

    def handle_data(self, text):
        self.words.append(text)


def test_pages_are_complete_and_names_are_text():
    nasty = "</td><script>alert(1)</script>"
    x = X.rename(columns={"rain": nasty})
    why = LabelPowerset(FOREST, random_state=0).fit(x, Y.rename(columns={"ant": "<b>"})).explain(x)
    page, part = why.to_html(), why._repr_html_()

    assert page.startswith("<!doctype html>")
    assert part in page
    read = _Texts(page)
    assert nasty in read.words
    assert "script" not in read.tags
    assert "b" not in read.tags
    assert read.tags.count("rect") == sum(
        bool(each.contribution) for each in why.powersets[0].features
    )
    assert read.tags.count("h2") == 1
    assert "http" not in page


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"row": 300}, "row must be a number from 0 to 299, for there are 300 samples; got 300."),
        ({"row": -1}, "row must be a whole number from 0 on; got -1."),
        ({"row": 1.5}, "row must be a whole number from 0 on; got 1.5."),
        ({"labels": ["dog"]}, "labels must be among the 3 of the model; got 'dog'."),
        ({"labels": "bee"}, "labels must be a sequence of names; got the string 'bee'."),
        ({"labels": []}, "labels must name one label or more, or be None for all; got none."),
        ({"n_background": 0}, "n_background must be a whole number from 1 on; got 0."),
    ],
)
def test_settings_that_make_no_sense_are_refused(classifier, settings, sentence):
    with pytest.raises(SettingError, match=f"^{re.escape(sentence)}$"):
        classifier.explain(NEW, **settings)


def test_without_samples_to_compare_with_the_model_asks_for_them():
    model = minimal().fit(X, Y)
    expected = model.explain(NEW, background=X, n_background=400)
    del model._background

    with pytest.raises(SettingError, match="background must be a table of samples"):
        model.explain(NEW)
    assert isinstance(expected, LabelExplanation)
    assert found(model.explain(NEW, background=X, n_background=400)) == found(expected)
