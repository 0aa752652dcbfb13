"""Every kind of table and column becomes the same codes and states."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from h2pc.data import Dataset

ROWS = {
    "s": ["b", "a", "b", "c"],
    "i": [10, -2, 10, 3],
    "t": [True, False, True, True],
}
STATES = ((-2, 3, 10), ("a", "b", "c"), (False, True))
CODES = [[2, 0, 2, 1], [1, 0, 1, 2], [1, 0, 1, 1]]


@pytest.mark.parametrize(
    "table",
    [
        ROWS,
        {name: np.array(values) for name, values in ROWS.items()},
        {name: tuple(values) for name, values in ROWS.items()},
        {name: pd.Series(values, index=[3, 1, 0, 2]) for name, values in ROWS.items()},
        {name: pl.Series(values) for name, values in ROWS.items()},
        pd.DataFrame(ROWS, index=[7, 7, 1, 0]),
        pd.DataFrame(ROWS).convert_dtypes(),
        pd.DataFrame(ROWS).convert_dtypes(dtype_backend="pyarrow"),
        pd.DataFrame(ROWS).astype(object),
        pl.DataFrame(ROWS),
        pa.table(ROWS),
        pa.concat_tables([pa.table(ROWS).slice(0, 1), pa.table(ROWS).slice(1)]),
        np.array(list(zip(*ROWS.values(), strict=True)), dtype=object),
    ],
    ids=lambda table: type(table).__module__ + "." + type(table).__name__,
)
def test_all_tables_are_read_alike(table):
    names = list(ROWS) if isinstance(table, np.ndarray) else None

    data = Dataset.from_data(table, names=names)

    assert data.columns == ("s", "i", "t")
    assert data.states == STATES
    assert data.codes.tolist() == CODES
    assert [{type(state) for state in own} for own in data.states] == [{int}, {str}, {bool}]


DECLARED = ["low", "high", "none"]
OBSERVED = ["high", "low", "high"]


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": pd.Categorical(OBSERVED, categories=DECLARED)}),
        pd.DataFrame({"a": pd.Categorical(OBSERVED, categories=DECLARED, ordered=True)}),
        pl.DataFrame({"a": pl.Series(OBSERVED, dtype=pl.Enum(DECLARED))}),
        pa.table({"a": pa.DictionaryArray.from_arrays([1, 0, 1], DECLARED, ordered=True)}),
    ],
    ids=["categorical", "ordered", "enum", "dictionary"],
)
def test_declared_categories_keep_their_order_although_unobserved(table):
    data = Dataset.from_data(table)

    assert data.states == (("low", "high", "none"),)
    assert data.cards.tolist() == [3]
    assert data.codes.tolist() == [[1, 0, 1]]


def test_declared_categories_can_be_of_any_type():
    table = pd.DataFrame(
        {
            "cut": pd.cut([1.0, 2.0, 5.0], 2),
            "day": pd.Categorical([datetime.date(2020, 1, 1)] * 3),
            "int": pd.Categorical([3, 1, 3], categories=[3, 2, 1]),
        }
    )

    data = Dataset.from_data(table)

    assert data.states[2] == (3, 2, 1)
    assert type(data.states[2][0]) is int
    assert data.codes.tolist() == [[0, 0, 1], [0, 0, 0], [0, 2, 0]]


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["b", "a", "b"]).dictionary_encode(),
        pa.chunked_array(
            [pa.array(["b"]).dictionary_encode(), pa.array(["a", "b"]).dictionary_encode()]
        ),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], pa.uint8()), ["b", "a", "b"]),
    ],
    ids=["array", "chunks", "repeated words"],
)
def test_an_unordered_arrow_dictionary_is_sorted(column):
    data = Dataset.from_data(pa.table({"a": column}))

    assert data.states == (("a", "b"),)
    assert data.codes.tolist() == [[1, 0, 1]]


def test_arrow_dictionaries_inside_pandas_are_read_as_strings():
    dtype = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))

    data = Dataset.from_data(pd.DataFrame({"a": pd.Series(["b", "a", "b"], dtype=dtype)}))

    assert data.states == (("a", "b"),)


def test_polars_categories_of_other_columns_do_not_leak_in():
    others = pl.Series(["z", "y"], dtype=pl.Categorical)
    table = pl.DataFrame({"a": pl.Series(["c", "a", None], dtype=pl.Categorical)})

    data = Dataset.from_data(table, missing="level")

    assert len(others) == 2
    assert data.states == (("a", "c", None),)


@pytest.mark.parametrize(
    "dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
)
@pytest.mark.parametrize("make", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_integers_of_any_width_and_value_are_levels(dtype, make):
    ends = np.iinfo(dtype)
    values = np.array([[ends.max, 5], [ends.min, 5], [ends.max, 7]], dtype)

    data = Dataset.from_data(make(values), names=["a", "b"])

    assert data.states == ((int(ends.min), int(ends.max)), (5, 7))
    assert data.codes.tolist() == [[1, 0, 1], [0, 0, 1]]


def test_integers_of_128_bits_are_levels():
    table = pl.DataFrame({"a": pl.Series([2**100, 1, 2**100], dtype=pl.Int128)})

    assert Dataset.from_data(table).states == ((1, 2**100),)


def test_far_apart_integers_of_an_array_are_levels():
    values = np.array([[0, 1], [10**12, 1], [300, 0]])

    data = Dataset.from_data(values)

    assert data.states == ((0, 300, 10**12), (0, 1))
    assert data.codes.tolist() == [[0, 2, 1], [1, 1, 0]]


def test_an_array_with_gaps_between_its_values_has_no_gaps_in_its_codes():
    data = Dataset.from_data(np.array([[4, -1], [9, -1], [4, 7]], np.int8))

    assert data.states == ((4, 9), (-1, 7))
    assert data.codes.tolist() == [[0, 1, 0], [0, 0, 1]]


def test_an_array_with_many_levels_takes_two_bytes():
    values = np.repeat(np.arange(300)[:, None], 2, axis=0) * [[1, 0]]

    data = Dataset.from_data(values.astype(str))

    assert data.codes.dtype == np.uint16
    assert data.cards.tolist() == [300, 1]


def test_arrays_larger_than_one_block_are_encoded_whole():
    values = np.random.default_rng(0).integers(0, 3, (4000, 1100), np.uint8)

    data = Dataset.from_data(values)

    assert (data.codes == values.T).all()


def test_columns_of_an_array_are_put_in_the_order_of_their_names():
    values = np.arange(6).reshape(2, 3)

    data = Dataset.from_data(values, names=["b", "c", "a"])

    assert data.states == ((2, 5), (0, 3), (1, 4))


def test_boolean_arrays_have_boolean_states():
    data = Dataset.from_data(np.array([[True, True], [False, True]]))

    assert data.states == ((False, True), (True,))
    assert all(type(state) is bool for own in data.states for state in own)


def test_booleans_and_integers_of_a_frame_keep_their_types():
    data = Dataset.from_data(pl.DataFrame({"a": [True, False], "b": [1, 0]}))

    assert [type(own[0]) for own in data.states] == [bool, int]


@pytest.mark.parametrize(
    "values",
    [
        np.array([["b"], ["a"]]),
        np.array([["b"], ["a"]], np.dtypes.StringDType()),
        np.array([[np.str_("b")], [np.str_("a")]], object),
    ],
)
def test_strings_of_arrays_are_plain_strings(values):
    data = Dataset.from_data(values)

    assert data.states == (("a", "b"),)
    assert type(data.states[0][0]) is str


def test_scalars_of_numpy_become_plain_python():
    data = Dataset.from_data({"a": [np.int64(3), 2], "b": [np.bool_(True), False]})

    assert [[type(state) for state in own] for own in data.states] == [[int, int], [bool, bool]]


def test_default_names_sort_in_the_order_of_the_columns():
    names = Dataset.from_data(np.zeros((2, 11), int)).names

    assert names[0] == "X00"
    assert names[-1] == "X10"
    assert Dataset.from_data(np.zeros((2, 10), int)).names[-1] == "X9"


def test_integer_labels_become_strings():
    data = Dataset.from_data(pd.DataFrame([[0, 1], [1, 1]], columns=[2, 10]))

    assert data.columns == ("2", "10")
    assert data.names == ("10", "2")
    assert data.states == ((1,), (0, 1))


def test_given_names_replace_those_of_the_table():
    data = Dataset.from_data(pd.DataFrame({"x": [0, 1], "y": ["a", "b"]}), names=["q", "p"])

    assert data.names == ("p", "q")
    assert data.states == (("a", "b"), (0, 1))


def test_a_data_set_is_returned_as_it_is():
    data = Dataset.from_data({"a": [0, 1]})

    assert Dataset.from_data(data) is data


def test_constant_columns_have_one_level():
    data = Dataset.from_data({"a": ["x", "x"], "b": [0, 0], "c": [True, True]})

    assert data.cards.tolist() == [1, 1, 1]


def test_a_single_row_is_enough():
    assert Dataset.from_data({"a": ["x"]}).codes.tolist() == [[0]]


@pytest.mark.parametrize(
    "table",
    [
        {"a": [1.0, 0.0, 1.0]},
        {"a": [1, 0.0, np.float32(1)]},
        np.array([[1.0], [0.0], [1.0]], np.float32),
        pl.DataFrame({"a": [1.0, 0.0, 1.0]}),
    ],
)
def test_a_few_whole_floats_are_the_integers_they_stand_for(table):
    data = Dataset.from_data(table)

    assert data.states == ((0, 1),)
    assert type(data.states[0][0]) is int
    assert data.codes.tolist() == [[1, 0, 1]]


def test_a_column_with_many_levels_needs_rows_or_a_word():
    many = {"a": [str(i) for i in range(60)]}

    assert Dataset.from_data(many, max_levels=60).cards.tolist() == [60]
    assert Dataset.from_data({"a": many["a"] * 2}).cards.tolist() == [60]
    assert Dataset.from_data({"a": many["a"][:50]}).cards.tolist() == [50]


def test_many_declared_levels_are_fine_if_few_are_observed():
    column = pd.Categorical(["7", "8"] * 3, categories=[str(i) for i in range(500)])

    assert Dataset.from_data(pd.DataFrame({"a": column})).cards.tolist() == [500]
