"""The forms that labels come in, and that predictions go out in."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from h2pc import (
    BinaryRelevance,
    ClassifierChain,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from h2pc.errors import DataError
from unit.multilabel.label_samples import DAG, NEW, TRUE, X, Y, presence

KINDS = [
    BinaryRelevance(GaussianNB()),
    LabelPowerset(GaussianNB()),
    MinimalLabelPowersetClassifier(GaussianNB(), structure=DAG),
    ClassifierChain(GaussianNB()),
]
every = pytest.mark.parametrize("classifier", KINDS, ids=lambda c: type(c).__name__)

FORMS = {
    "booleans": (False, True),
    "words": ("no", "yes"),
    "switches": ("off", "on"),
    "capital letters": ("ABSENT", "PRESENT"),
    "any words": ("dry", "wet"),
    "signs": (-1, 1),
    "other numbers": (3, 8),
    "floats": (0.0, 1.0),
    "negative floats": (-1.0, 1.0),
    "digits": ("0", "1"),
}


def replaced(labels, absent, present):
    return pd.DataFrame(
        {name: np.where(labels[name] == 1, present, absent) for name in labels.columns}
    )


@every
@pytest.mark.parametrize("form", FORMS)
def test_predictions_have_the_values_of_training(classifier, form):
    absent, present = FORMS[form]
    expected = classifier.fit(X, Y).predict(NEW)
    probable = classifier.predict_proba(NEW)

    labels = replaced(Y, absent, present)
    predicted = classifier.fit(X, labels).predict(NEW)

    assert predicted.tolist() == np.where(expected == 1, present, absent).tolist()
    assert predicted.dtype.kind == np.array([absent]).dtype.kind
    assert [values.tolist() for values in classifier.classes_] == [[absent, present]] * 3
    np.testing.assert_array_equal(classifier.predict_proba(NEW), probable)
    assert classifier.score(NEW, replaced(TRUE, absent, present)) == classifier.fit(X, Y).score(
        NEW, TRUE
    )


@every
def test_of_words_that_mean_yes_and_no_yes_is_present_whatever_their_order(classifier):
    # ``off`` comes before ``on``, ``no`` before ``yes``; sorted, ``T`` comes after ``F``.
    sets = classifier.fit(X, Y).predict_sets(NEW)

    for absent, present in (("n", "y"), ("off", "on"), ("false", "true"), ("absent", "present")):
        assert classifier.fit(X, replaced(Y, absent, present)).predict_sets(NEW) == sets


def test_a_word_for_yes_may_come_first_in_the_alphabet():
    labels = pd.DataFrame({"cat": np.where(Y["cat"] == 1, "Present", "absent")})
    classifier = BinaryRelevance(GaussianNB()).fit(X, labels)

    assert sorted(set(labels["cat"])) == ["Present", "absent"]
    assert classifier.classes_[0].tolist() == ["absent", "Present"]
    assert classifier.score(NEW, replaced(TRUE[["cat"]], "absent", "Present")) > 0.8


@every
def test_columns_may_have_values_of_different_kinds(classifier):
    expected = classifier.fit(X, Y).predict(NEW)

    labels = pd.DataFrame(
        {"cat": Y["cat"] == 1, "ant": np.where(Y["ant"] == 1, "yes", "no"), "bee": Y["bee"]}
    )
    classifier.fit(X, labels)

    predicted = classifier.predict(NEW)
    assert predicted.dtype == object
    assert predicted[:, 0].tolist() == (expected[:, 0] == 1).tolist()
    assert predicted[:, 1].tolist() == np.where(expected[:, 1] == 1, "yes", "no").tolist()
    assert predicted[:, 2].tolist() == expected[:, 2].tolist()
    assert [values.tolist() for values in classifier.classes_] == [
        [False, True],
        ["no", "yes"],
        [0, 1],
    ]
    assert classifier.score(X, labels) == classifier.fit(X, Y).score(X, Y)


TABLES = {
    "polars": pl.from_pandas,
    "arrow": pa.Table.from_pandas,
    "categories": lambda frame: frame.astype("category"),
    "strings": lambda frame: frame.astype("string"),
}


@pytest.mark.parametrize("table", TABLES)
def test_words_come_in_tables_of_all_kinds(table):
    words = replaced(Y, "no", "yes")
    expected = KINDS[0].fit(X, words).predict(NEW)

    classifier = BinaryRelevance(GaussianNB()).fit(X, TABLES[table](words))

    assert classifier.labels_ == ("cat", "ant", "bee")
    assert classifier.predict(NEW).tolist() == expected.tolist()


@pytest.mark.parametrize("container", [np.asarray, lambda y: y.to_numpy().tolist()])
def test_words_come_in_arrays_and_lists(container):
    words = replaced(Y, "no", "yes")

    classifier = BinaryRelevance(GaussianNB()).fit(X, container(words))

    assert classifier.labels_ == ("Y0", "Y1", "Y2")
    assert set(classifier.predict(NEW).ravel().tolist()) == {"no", "yes"}
    assert classifier.score(X, container(words)) == KINDS[0].fit(X, Y).score(X, Y)


def sets_of(labels, kind=frozenset):
    return [kind(labels.columns[row == 1]) for row in labels.to_numpy()]


SETS = {
    "frozen": sets_of(Y),
    "sets": sets_of(Y, set),
    "a tuple of both": (*sets_of(Y.iloc[:200], set), *sets_of(Y.iloc[200:])),
    "a series": pd.Series(sets_of(Y)),
    "an array": np.array([*sets_of(Y), None], object)[:-1],
}


@every
@pytest.mark.parametrize("form", SETS)
def test_labels_may_come_as_sets(classifier, form):
    by_name = ["ant", "bee", "cat"]
    expected = classifier.fit(X, Y[by_name])
    predicted, probable = expected.predict(NEW), expected.predict_proba(NEW)

    classifier.fit(X, SETS[form])

    assert classifier.labels_ == ("ant", "bee", "cat")
    np.testing.assert_array_equal(classifier.predict(NEW), predicted)
    np.testing.assert_array_equal(classifier.predict_proba(NEW), probable)
    assert [values.tolist() for values in classifier.classes_] == [[0, 1]] * 3


@every
def test_predicted_sets_hold_the_names_of_what_is_predicted(classifier):
    predicted = classifier.fit(X, Y).predict(NEW)

    sets = classifier.predict_sets(NEW)

    assert all(type(each) is frozenset for each in sets)
    assert sets == [
        frozenset(label for label, y in zip(("cat", "ant", "bee"), row, strict=True) if y)
        for row in predicted.tolist()
    ]


@every
def test_sets_are_scored_as_tables_are(classifier):
    classifier.fit(X, sets_of(Y))
    weights = np.arange(len(NEW), dtype=float)
    table = TRUE[["ant", "bee", "cat"]]

    assert classifier.score(NEW, sets_of(TRUE)) == classifier.score(NEW, table)
    assert classifier.score(NEW, sets_of(TRUE, set), weights) == pytest.approx(
        np.average((classifier.predict(NEW) == table.to_numpy()).all(axis=1), weights=weights)
    )
    # A label that was never seen is never predicted: such samples are wrong.
    strange = [each | {"dog"} for each in sets_of(TRUE)]
    assert classifier.score(NEW, strange) == 0.0


@every
@pytest.mark.parametrize(("absent", "present"), [(0, 1), ("dry", "wet"), (False, True), (-1, 1)])
def test_a_vector_is_a_single_label(classifier, absent, present):
    classifier = type(classifier)(GaussianNB())
    table = classifier.fit(X, Y[["cat"]])
    expected, probable = table.predict(NEW)[:, 0], table.predict_proba(NEW)[0]
    as_vector = np.where(Y["cat"] == 1, present, absent)

    for vector in (as_vector, as_vector.tolist(), pd.Series(as_vector)):
        classifier.fit(X, vector)

        assert classifier.labels_ == ("Y0",)
        assert classifier.classes_.tolist() == [absent, present]
        assert classifier.predict(NEW).tolist() == np.where(expected == 1, present, absent).tolist()
        np.testing.assert_array_equal(classifier.predict_proba(NEW), probable)
        assert classifier.score(X, vector) == table.fit(X, Y[["cat"]]).score(X, Y[["cat"]])
        classifier.fit(X, vector)


@every
def test_probabilities_have_the_form_of_scikit_learn(classifier):
    found = classifier.fit(X, Y).predict_proba(NEW)

    assert isinstance(found, list)
    assert [both.shape for both in found] == [(300, 2)] * 3
    for both in found:
        np.testing.assert_allclose(both.sum(axis=1), 1.0, rtol=1e-12)


@every
def test_labels_may_be_sparse(classifier):
    classifier = type(classifier)(GaussianNB())
    expected = classifier.fit(X, Y.to_numpy()).predict(NEW)

    classifier.fit(X, csr_array(Y.to_numpy()))

    np.testing.assert_array_equal(classifier.predict(NEW), expected)
    assert classifier.score(X, csr_array(Y.to_numpy())) == classifier.score(X, Y)


@every
@pytest.mark.parametrize(
    ("value", "classes", "is_present"),
    [
        (0, [0, 1], False),
        (1, [0, 1], True),
        (True, [False, True], True),
        ("yes", ["yes"], True),
        ("no", ["no"], False),
        ("wet", ["wet"], False),
        (7, [7], False),
    ],
)
def test_a_constant_label_is_always_predicted(classifier, value, classes, is_present):
    if isinstance(classifier, MinimalLabelPowersetClassifier):  # constant labels in a learned graph
        classifier = MinimalLabelPowersetClassifier(GaussianNB())
    labels = pd.DataFrame({"cat": Y["cat"], "same": [value] * 400})

    classifier.fit(X, labels)

    assert classifier.predict(NEW)[:, 1].tolist() == [value] * 300
    assert classifier.classes_[1].tolist() == classes
    sure = np.ones((300, 1)) if len(classes) == 1 else [[1 - value, value]] * 300
    np.testing.assert_allclose(classifier.predict_proba(NEW)[1], sure, atol=1e-14)
    assert {"same" in each for each in classifier.predict_sets(NEW)} == {is_present}


def test_a_label_that_is_constant_in_a_fold_is_wrong_where_it_differs():
    words = replaced(Y, "no", "yes").assign(bee="no")
    classifier = BinaryRelevance(DecisionTreeClassifier(max_depth=2)).fit(X, words)

    assert classifier.score(NEW, replaced(TRUE, "no", "yes").assign(bee="yes")) == 0.0


@every
@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (
            pd.DataFrame({"sky": ["red", "blue", "grey", "red"] * 100}),
            "label 'sky' has 3 values, such as 'blue', 'grey' and 'red': expected two",
        ),
        (["a", "b", "c", "d"] * 100, "label 'Y0' has 4 values, such as 'a', 'b' and 'c'"),
        (np.arange(400) % 3, "Only binary classification is supported"),
        (pd.DataFrame({"sky": ["red", 1] * 200}), "label 'sky' mixes words with other values"),
        (
            pd.DataFrame({"sky": ["red", None] * 200}, dtype=object),
            "label 'sky' has no value in row 1: expected one everywhere",
        ),
        (
            pd.DataFrame({"cat": Y["cat"], "sky": [True, False, None, True] * 100}, dtype=object),
            "label 'sky' has no value in row 2",
        ),
        (pd.Series(["red", None] * 200, dtype=object), "label 'Y0' has no value in row 1"),
        (
            pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2021-01-01"] * 200)}),
            "label 'day' holds values of type datetime64",
        ),
        ([*sets_of(Y)[:-1], "cat"], "Y has a str in row 399: expected sets of labels"),
        ([*sets_of(Y)[:-1], {7}], "Y has the label 7 in row 399: expected names of labels"),
        ([set()] * 400, "Y has empty sets only: expected the names of at least one label"),
    ],
    ids=range(11),
)
def test_labels_that_make_no_sense_are_refused_in_one_sentence(classifier, labels, sentence):
    with pytest.raises(DataError, match=sentence) as caught:
        type(classifier)(GaussianNB()).fit(X, labels)
    assert "\n" not in str(caught.value)


@every
@pytest.mark.parametrize("missing", [np.nan, pd.NA])
def test_words_that_are_missing_are_refused(classifier, missing):
    words = replaced(Y, "no", "yes").astype(object)
    words.loc[3, "ant"] = missing

    with pytest.raises(DataError, match="label 'ant' has no value in row 3: expected one every"):
        classifier.fit(X, words)
    with pytest.raises(DataError, match="label 'Y0' has no value in row 3: expected one every"):
        classifier.fit(X, words["ant"])
    with pytest.raises(DataError, match="label 'ant' has no value in row 3: expected one every"):
        classifier.fit(X, pl.from_pandas(words.astype("string")))


@every
def test_labels_of_other_samples_are_not_scored(classifier):
    classifier.fit(X, sets_of(Y))

    with pytest.raises(DataError, match="y has 3 sets for 300 samples: expected as many"):
        classifier.score(NEW, sets_of(TRUE)[:3])
    with pytest.raises(DataError, match=r"y is of shape \(300, 2\): expected \(300, 3\)"):
        classifier.score(NEW, TRUE[["ant", "bee"]])


def test_probabilities_of_presence_are_those_of_the_second_value():
    classifier = BinaryRelevance(GaussianNB()).fit(X, replaced(Y, "yes", "no"))

    flipped = BinaryRelevance(GaussianNB()).fit(X, 1 - Y)
    np.testing.assert_array_equal(presence(classifier, NEW), presence(flipped, NEW))
