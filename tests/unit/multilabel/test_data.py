"""Features and labels of the same samples: what is kept, and what is refused."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import coo_array, csc_matrix, issparse
from sklearn.ensemble import RandomForestClassifier

from h2pc.errors import DataError, DataTypeError, H2pcError
from h2pc.multilabel.data import MultilabelData

X = np.array([[0.5, 2.0], [1.5, 0.0], [0.0, 0.0]])
Y = np.array([[1, 0], [1, 1], [0, 0]])
COLUMNS = {"depth": [0.5, 1.5, 0.0], "sea": [1, 1, 0], "sky": [0, 1, 0]}


def test_arrays_are_kept_with_names():
    data = MultilabelData(X, Y, ["depth", "wind"], ["sea", "sky"], name="coast")

    assert (data.n_samples, data.n_features, data.n_labels) == (3, 2, 2)
    assert (data.feature_names, data.label_names) == (("depth", "wind"), ("sea", "sky"))
    assert repr(data) == "MultilabelData('coast', 3 samples, 2 features, 2 labels)"
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.Y, Y)


def test_names_are_numbers_where_there_are_none():
    data = MultilabelData(np.zeros((1, 11)), [[0, 1]])

    assert data.feature_names[:3] == ("X00", "X01", "X02")
    assert data.label_names == ("Y0", "Y1")


def test_nothing_can_be_written_to_and_the_input_still_can():
    mine = X.copy()
    data = MultilabelData(mine, Y)

    for array in (data.X, data.Y, MultilabelData(csc_matrix(X), Y).X.data):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    with pytest.raises(AttributeError):
        data.name = "other"
    mine[0, 0] = 7


@pytest.mark.parametrize("kind", [csc_matrix, coo_array])
def test_what_is_sparse_stays_sparse(kind):
    data = MultilabelData(kind(X), Y)

    assert data.is_sparse
    assert issparse(data.X)
    assert data.X.format == "csr"
    assert "sparse" in repr(data)
    np.testing.assert_array_equal(data.X.toarray(), X)


@pytest.mark.parametrize(
    "labels",
    [
        Y,
        Y.tolist(),
        Y.astype(bool),
        Y.astype(np.uint8),
        Y.astype(float),
        csc_matrix(Y),
        Y.astype(str),
        np.array([["TRUE", "False"], ["true", " true"], ["FALSE", "0"]]),
        pd.DataFrame({"sea": ["1", "1", "0"], "sky": [False, True, False]}, dtype="category"),
        pl.DataFrame({"sea": [True, True, False], "sky": [0.0, 1.0, 0.0]}),
    ],
    ids=lambda labels: type(labels).__name__ + str(getattr(labels, "dtype", "")),
)
def test_labels_are_zeros_and_ones_however_they_are_said(labels):
    data = MultilabelData(X, labels)

    assert data.Y.dtype == np.int64
    np.testing.assert_array_equal(data.Y, Y)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_table_is_split_and_stays_a_table(library):
    frame = library(COLUMNS)

    data = MultilabelData.from_frame(frame, ["sky", "sea"], name="coast")

    assert isinstance(data.X, type(frame))
    assert (data.feature_names, data.label_names) == (("depth",), ("sky", "sea"))
    np.testing.assert_array_equal(data.Y, Y[:, ::-1])


@pytest.mark.parametrize(
    "features",
    [X, csc_matrix(X), pd.DataFrame(X, index=[7, 8, 9]), pl.DataFrame(X), pa.table(COLUMNS)],
)
def test_samples_are_taken_in_the_order_asked_for(features):
    data = MultilabelData(features, Y, label_names=["u", "v"], name="coast")

    some = data.take([2, 0])

    assert type(some.X) is type(data.X)
    assert (some.name, some.feature_names) == ("coast", data.feature_names)
    np.testing.assert_array_equal(some.Y, Y[[2, 0]])
    np.testing.assert_array_equal(some.to_pandas()[0], data.to_pandas()[0].iloc[[2, 0]])
    np.testing.assert_array_equal(data.take([True, False, True]).Y, Y[[0, 2]])


@pytest.mark.parametrize("features", [X, csc_matrix(X), pl.DataFrame(X, schema=["X0", "X1"])])
def test_pandas_gets_frames_with_the_names(features):
    frame, labels = MultilabelData(features, Y, label_names=["sea", "sky"]).to_pandas()

    assert list(frame.columns) == ["X0", "X1"]
    assert list(labels.columns) == ["sea", "sky"]
    np.testing.assert_array_equal(frame, X)
    np.testing.assert_array_equal(labels, Y)


@pytest.mark.parametrize("features", [X, csc_matrix(X)])
def test_a_forest_takes_the_data_as_they_are(features):
    data = MultilabelData(features, Y)

    forest = RandomForestClassifier(5, random_state=0).fit(data.X, data.Y)

    assert forest.predict(data.X).shape == Y.shape


def test_data_survive_a_pickle():
    data = pickle.loads(pickle.dumps(MultilabelData(X, Y, categories={"X0": ("a", "b")})))

    assert data.categories == {"X0": ("a", "b")}
    np.testing.assert_array_equal(data.Y, Y)


@pytest.mark.parametrize(
    ("no", "yes"), [("no", "yes"), ("off", "on"), ("absent", "present"), ("F", "T"), (False, True)]
)
def test_words_that_mean_no_and_yes_are_zero_and_one(no, yes):
    words = np.where(Y == 1, yes, no)

    np.testing.assert_array_equal(MultilabelData(X, words).Y, Y)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X, Y + 1), "label 'Y0' holds the value 2, in row 0: expected 0 or 1"),
        ((X, Y * 0.5), "label 'Y0' holds the value 0.5, in row 0: expected 0 or 1"),
        ((X, Y * [1, np.nan]), "label 'Y1' holds the value nan, in row 0: expected 0 or 1"),
        ((X, [["1"], ["wet"], ["0"]]), "label 'Y0' holds the value 'wet', in row 1: expected"),
        ((X, [[1], [None], [0]]), "label 'Y0' holds the value None, in row 1: expected 0 or 1"),
        ((X, [1, 0, 1]), "Y has 1 dimension(s): expected 2, samples by labels"),
        ((X, Y[:2]), "X has 3 rows, Y has 2: expected the same samples"),
        ((X[:0], Y[:0]), "0 samples, 2 features and 2 labels: expected at least one of each"),
        ((X, Y[:, :0]), "3 samples, 2 features and 0 labels: expected at least one of each"),
        ((X[:, 0], Y), "X has 1 dimension(s): expected 2, samples by features"),
        ((X.astype(str), Y), "X is of type <U32: expected numbers"),
        ((X.tolist(), Y), "data is of type 'list': expected a pandas, polars or pyarrow table"),
        ((X, Y, ["a", "b"], ["c", "b"]), "'b' is both a feature and a label: expected distinct"),
        ((X, Y, ["a", "a"]), "column name 'a' occurs more than once"),
        ((X, Y, ["a"]), "1 names came for 2 columns"),
        ((pd.DataFrame(X), Y, ["a", "b"]), "feature_names came with other names than the table's"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(arguments, message):
    with pytest.raises(H2pcError) as caught:
        MultilabelData(*arguments)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        (["sea", "sand"], DataError, "unknown label 'sand': expected one of the 3 columns"),
        (["sea", "sea"], DataError, "column name 'sea' occurs more than once"),
        ([], DataError, "no labels: expected the names of at least one"),
        ("sea", DataTypeError, "labels is the string 'sea': expected a list of names"),
        (["depth"], DataError, "label 'depth' holds the value 0.5"),
        (["sea", "sky", "depth"], DataError, "label 'depth' holds the value 0.5"),
    ],
)
def test_unknown_labels_and_wrong_ones_are_refused(labels, error, message):
    with pytest.raises(error) as caught:
        MultilabelData.from_frame(pd.DataFrame(COLUMNS), labels)

    assert message in str(caught.value)
