"""Sparse input gives the codes that the same table gives when it is dense."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from h2pc import H2PC, GTest, hpc, load_network, skeleton
from h2pc.data import Dataset
from h2pc.errors import DataError
from strategies import examples

DENSE = np.array([[0, 3, 0, 0], [1, 0, 0, 5], [0, 3, 0, 5], [2, 1, 0, 5]])


@pytest.mark.parametrize("kind", ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("make", [sp.coo_matrix, sp.coo_array])
def test_every_format_is_read_as_the_dense_array(kind, dtype, make):
    dense = DENSE.astype(dtype)

    data = Dataset.from_data(make(dense).asformat(kind), names=["d", "b", "a", "c"])

    expected = Dataset.from_data(dense, names=["d", "b", "a", "c"])
    assert data.fingerprint() == expected.fingerprint()
    assert data.columns == expected.columns
    assert data.codes.dtype == np.uint8


VALUES = st.sampled_from([0, 0, 0, 0, 1, 1, 2, -3, 200, 256, 70_000, -(2**62), 2**62])


@given(arrays(np.int64, st.tuples(st.integers(1, 9), st.integers(1, 6)), elements=VALUES))
@examples(60)
def test_integers_of_any_size_are_read_as_the_dense_array(dense):
    data = Dataset.from_data(sp.csr_array(dense))

    assert data.fingerprint() == Dataset.from_data(dense).fingerprint()


FLOATS = st.sampled_from([0.0, 0.0, 1.0, -2.0, 7.0, np.nan, -0.0])


@given(arrays(np.float64, st.tuples(st.integers(1, 9), st.integers(1, 6)), elements=FLOATS))
@examples(60)
def test_whole_floats_and_missing_ones_are_read_as_in_the_dense_array(dense):
    data = Dataset.from_data(sp.csc_array(dense), missing="level")

    assert data.fingerprint() == Dataset.from_data(dense, missing="level").fingerprint()


def test_cells_stored_as_sums_are_added_up_and_the_matrix_stays_as_it_is():
    matrix = sp.csc_array((np.array([1, 2, 4]), np.array([1, 1, 0]), np.array([0, 3])), (3, 1))

    data = Dataset.from_data(matrix)

    assert data.states == ((0, 3, 4),)
    assert data.codes.tolist() == [[2, 1, 0]]
    assert matrix.data.tolist() == [1, 2, 4]


def test_zeros_that_are_stored_are_the_level_of_those_that_are_not():
    matrix = sp.csc_array((np.array([0, 1]), np.array([2, 1]), np.array([0, 2])), (3, 1))

    assert Dataset.from_data(matrix).codes.tolist() == [[0, 1, 0]]


def test_columns_without_a_zero_or_without_anything_else_have_no_other_level():
    data = Dataset.from_data(sp.csr_array([[2, 0], [5, 0]]))

    assert data.states == ((2, 5), (0,))


@pytest.mark.parametrize(
    ("matrix", "error", "sentence"),
    [
        (sp.csr_array([[0.0, np.inf]]), DataError, "column 'X1' holds infinite values"),
        (sp.csr_array([[np.nan, 1.0]]), DataError, "missing values in column 'X0'"),
    ],
)
def test_what_has_no_number_is_refused_as_in_a_dense_array(matrix, error, sentence):
    with pytest.raises(error, match=sentence):
        Dataset.from_data(matrix)


def test_new_data_may_be_sparse():
    data = Dataset.from_data(sp.csr_array(DENSE), names=["d", "b", "a", "c"])

    again = data.encode_like(sp.coo_array(DENSE[[3, 1]]))

    assert again.codes.tolist() == data.codes[:, [3, 1]].tolist()
    with pytest.raises(DataError, match="column 'd' holds the unseen state 9"):
        data.encode_like(sp.csr_array([[9, 0, 0, 0]]))


def test_learning_from_sparse_data_is_learning_from_the_same_data():
    sample = load_network("asia").sample(1000, random_state=0)
    dense, names = sample.codes.T, sample.names
    data = Dataset.from_data(sp.csr_array(dense), names=names)
    expected = Dataset.from_data(dense, names=names)

    learned = skeleton(data, targets=["smoke"])

    assert learned.skeleton == skeleton(expected, targets=["smoke"]).skeleton
    universe = tuple(range(8))
    assert hpc(0, GTest(data), universe) == hpc(0, GTest(expected), universe)
    assert H2PC().fit(data).result_ == H2PC().fit(expected).result_
    assert skeleton(sp.csr_array(dense)).skeleton.edges == skeleton(dense).skeleton.edges


def test_no_dense_copy_of_eight_bytes_per_cell_is_made():
    matrix = sp.random_array((1000, 8_000), density=0.02, rng=0, format="csc")
    matrix.data[:] = 1.0
    tracemalloc.start()
    try:
        data = Dataset.from_data(matrix)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    n_cells = data.codes.size
    assert data.codes.nbytes == n_cells
    assert peak < data.codes.nbytes + 2 * n_cells


# Sparse columns of pandas


@pytest.mark.parametrize(
    "dense",
    [
        pd.Series([0, 0, 3, 0, 1]),
        pd.Series([False, True, False, False, False]),
        pd.Series([0.0, 2.0, 0.0, 0.0, 0.0]),
        pd.Series([np.nan, 2.0, np.nan, 1.0, np.nan]),
        pd.Series([1.0, 2.0, np.nan, 1.0, 0.0]),
        pd.Series([4, 4, 4, 4, 4]),
    ],
)
@pytest.mark.parametrize("filled", ["by default", "with a value", "never"])
def test_a_sparse_column_of_pandas_is_read_as_a_dense_one(dense, filled):
    fill = {"by default": None, "with a value": dense.iloc[0], "never": dense.dtype.type(9)}[filled]
    sparse = pd.arrays.SparseArray(dense, fill_value=fill)

    data = Dataset.from_data(pd.DataFrame({"b": sparse, "a": list("xyxyx")}), missing="level")

    expected = Dataset.from_data(pd.DataFrame({"b": dense, "a": list("xyxyx")}), missing="level")
    assert data.fingerprint() == expected.fingerprint()


def test_a_frame_of_sparse_columns_is_read_as_the_matrix():
    frame = pd.DataFrame.sparse.from_spmatrix(sp.csr_array(DENSE), columns=list("dbac"))

    data = Dataset.from_data(frame)

    assert data.fingerprint() == Dataset.from_data(DENSE, names=list("dbac")).fingerprint()
