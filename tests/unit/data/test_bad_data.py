"""Data that cannot be used are refused in one sentence: what was expected, what came, where."""

import datetime
import decimal
import enum

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from h2pc.data import Dataset
from h2pc.errors import DataError, DataTypeError, H2pcError, SettingError


class Colour(enum.StrEnum):
    RED = "red"


DAY = datetime.date(2020, 1, 1)
COLUMNS = "expected categories, strings, booleans or real numbers"
TABLES = "expected a pandas, polars or pyarrow table"

BAD_COLUMNS = {
    "complex numbers": ({"a": np.array([1j, 2])}, f"'a' is of type complex128: {COLUMNS}"),
    "complex in pandas": (pd.DataFrame({"a": [1j, 2]}), "'a' is of type complex128"),
    "dates": ({"a": [DAY, DAY]}, "'a' .*type 'date'"),
    "dates in an array": ({"a": np.array(["2020"], "M8[D]")}, "'a' .*make categories of dates"),
    "dates in pandas": (pd.DataFrame({"a": [DAY]}).astype("M8[s]"), "'a' .*datetime64.* of dates"),
    "dates in polars": (pl.DataFrame({"a": [DAY]}), "'a' is of type Date: expected.* of dates"),
    "dates in arrow": (pa.table({"a": [DAY]}), "'a' is of type date32.*: expected"),
    "durations": (pd.DataFrame({"a": pd.to_timedelta([1, 2])}), "'a' is of type timedelta64"),
    "periods": (pd.DataFrame({"a": pd.period_range("2020", periods=2)}), "'a' is of type period"),
    "lists": ({"a": [[1], [2]]}, "'a' .*values of type 'list'"),
    "lists in pandas": (pd.DataFrame({"a": [[1], [2]]}), "'a' .*values of type 'list'"),
    "lists in polars": (pl.DataFrame({"a": [[1], [2]]}), r"'a' is of type List\(Int64\)"),
    "structs in arrow": (pa.table({"a": [{"x": 1}]}), "'a' is of type struct"),
    "dictionaries": ({"a": [{}, {}]}, "'a' .*values of type 'dict'"),
    "sets": (np.array([[set()], [set()]]), "'X0' .*values of type 'set'"),
    "tuples": ({"a": [(1, 2), (3, 4)]}, "'a' .*values of type 'tuple'"),
    "bytes": ({"a": [b"x", b"y"]}, "'a' .*values of type 'bytes'"),
    "bytes in an array": (np.array([[b"x"]]), r"'X0' is of type \|S1"),
    "decimals": ({"a": [decimal.Decimal(1)]}, "'a' .*values of type 'Decimal'"),
    "enumerations": ({"a": [Colour.RED]}, "'a' .*values of type 'Colour'"),
    "functions": ({"a": [print]}, "'a' .*values of type 'builtin_function_or_method'"),
    "strings and integers": ({"a": ["x", 1]}, "'a' mixes values of type int and str"),
    "booleans and integers": ({"a": [True, 1]}, "'a' mixes values of type bool and int"),
    "strings and floats": ({"a": ["x", 0.5]}, "'a' mixes values of type float and str"),
    "a mixture in pandas": (pd.DataFrame({"a": ["x", 1, None]}), "'a' mixes .* int and str: exp"),
    "dates in a sparse column": (
        pd.DataFrame({"a": pd.arrays.SparseArray(np.array(["2020-01-01"], "M8[s]"))}),
        r"'a' is of type datetime64\[s\].*the month",
    ),
    "a number for a column": ({"a": 3}, "'a' is of type 'int': expected a list"),
    "a string for a column": ({"a": "xyz"}, "'a' is of type 'str': expected a list"),
    "a frame for a column": ({"a": pd.DataFrame({"x": [1]})}, "'a' is of type 'DataFrame': exp"),
}

BAD_TYPES = {
    "nothing": (None, f"'NoneType': {TABLES}"),
    "a number": (3, f"'int': {TABLES}"),
    "a string": ("data.csv", f"'str': {TABLES}"),
    "lists of rows": ([[0, 1], [1, 0]], "'list': expected .* two-dimensional NumPy array"),
    "a pandas series": (pd.Series([0, 1]), f"'Series': {TABLES}"),
    "a polars series": (pl.Series([0, 1]), f"'Series': {TABLES}"),
    "a lazy frame": (pl.LazyFrame({"a": [1]}), r"'LazyFrame': expected.*collect\(\)"),
    "complex numbers in a sparse matrix": (
        scipy.sparse.csr_matrix([[0, 1j]]),
        "sparse matrix is of type complex128: expected booleans, integers or floats",
    ),
    "a masked array": (np.ma.masked_array([[0, 1]], [[0, 1]]), "masked.*: expected a plain array"),
    "names of several parts": (pd.DataFrame({("a", "b"): [1]}), r"\('a', 'b'\).*expected a string"),
    "a float for a name": (pd.DataFrame({0.5: [1]}), "0.5 is of type 'float': expected a string"),
    "a boolean for a name": ({True: [1]}, "True is of type 'bool': expected a string"),
}

BAD_DATA = {
    "no columns": ({}, "no columns: expected at least one"),
    "no columns in pandas": (pd.DataFrame(index=[1, 2]), "no columns"),
    "no columns in an array": (np.zeros((3, 0), int), "no columns"),
    "no rows": ({"a": []}, "no rows: expected at least one"),
    "no rows in pandas": (pd.DataFrame({"a": []}), "no rows"),
    "no rows in polars": (pl.DataFrame({"a": []}), "no rows"),
    "no rows in arrow": (pa.table({"a": pa.array([], pa.string())}), "no rows"),
    "no rows in an array": (np.zeros((0, 3), int), "no rows"),
    "a scalar array": (np.array(3), r"0 dimension\(s\): expected 2"),
    "a flat array": (np.arange(3), r"1 dimension\(s\): expected 2, samples by variables"),
    "no rows in a sparse array": (scipy.sparse.csr_array((0, 3), dtype=int), "no rows"),
    "no columns in a sparse array": (scipy.sparse.csr_array((3, 0), dtype=int), "no columns"),
    "a flat sparse array": (scipy.sparse.coo_array([0, 1]), r"1 dimension\(s\): expected 2"),
    "a cube": (np.zeros((2, 2, 2), int), r"3 dimension\(s\): expected 2"),
    "ragged rows": (np.array([[1], [1, 2]], dtype=object), r"1 dimension\(s\): expected 2"),
    "records": (np.array([(1, 2)], "i4,i4"), r"1 dimension\(s\): expected 2"),
    "ragged columns": ({"a": [1, 2], "b": [1]}, "'b' has 1 rows: expected 2, as in column 'a'"),
    "a matrix for a column": ({"a": np.zeros((2, 2), int)}, "'a' is not a plain array of 1 dim"),
    "a name twice": (pd.DataFrame([[0, 1]], columns=["a", "a"]), "'a' occurs more than once"),
    "a name twice in arrow": (pa.table([[0], [1]], names=["a", "a"]), "'a' occurs more than once"),
    "a name and its number": ({1: [0], "1": [1]}, "'1' occurs more than once"),
    "infinite values": ({"a": [0.0, np.inf]}, "'a' holds infinite values: expected finite"),
    "minus infinity": (np.array([[1.0, -np.inf]]), "'X1' holds infinite values"),
    "no categories": (
        pd.DataFrame({"a": pd.Categorical([None], categories=[])}),
        "'a' declares no categories: expected at least one",
    ),
    "an empty enum": (
        pl.DataFrame({"a": pl.Series([None], dtype=pl.Enum([]))}),
        "'a' declares no categories",
    ),
    "infinity among fractions": ({"a": [0.5, np.inf]}, "'a' holds infinite values"),
    "infinity in a wide array": (
        np.where(np.eye(3, 50), np.inf, 0.5),
        "'X00' holds infinite values: expected finite",
    ),
    "infinity in pandas": (
        pd.DataFrame({"a": [0.5, 1.5], "b": [1.5, -np.inf]}),
        "'b' holds infinite values",
    ),
    "infinity in polars": (pl.DataFrame({"a": [0.5, np.inf]}), "'a' holds infinite values"),
    "infinity in arrow": (pa.table({"a": [0.5, np.inf]}), "'a' holds infinite values"),
    "infinity in a sparse array": (
        scipy.sparse.csr_array([[0.5, np.inf]]),
        "'X1' holds infinite values",
    ),
    "integers beyond the range of floats": (
        {"a": [10**400 + i for i in range(21)]},
        "'a' holds integers so long that floats cannot tell them apart",
    ),
    "such integers and fractions": ({"a": [10**400, 0.5]}, "'a' holds integers so long"),
    "integers that are one float": (
        {"a": np.arange(2**62, 2**62 + 30)},
        "'a' holds integers so long that floats cannot tell them apart",
    ),
    "an identifier": (
        {"id": [f"n{i}" for i in range(60)]},
        "'id' has 60 levels in 60 rows and looks like an identifier.*max_levels=",
    ),
    "an identifier of strings": (
        pd.DataFrame({"id": [f"n{i}" for i in range(51)]}),
        "'id' has 51 levels in 51 rows",
    ),
    "an identifier in an array": (
        np.arange(200).reshape(100, 2).astype(str),
        "'X0' has 100 levels",
    ),
    "an identifier of categories": (
        pd.DataFrame({"id": pd.Categorical(range(60))}),
        "'id' has 60 levels in 60 rows",
    ),
    "too many levels": (
        {"a": list(map(str, range(65_537)))},
        "'a' has 65537 levels: expected at most 65536",
    ),
    "too many categories": (
        pd.DataFrame({"a": pd.Categorical(range(65_537))}),
        "'a' has 65537 levels",
    ),
}


def _one_clear_sentence(error: Exception) -> bool:
    return "expected" in str(error) and "\n" not in str(error)


@pytest.mark.parametrize(("data", "message"), BAD_COLUMNS.values(), ids=BAD_COLUMNS)
def test_columns_of_other_kinds_are_refused(data, message):
    with pytest.raises(DataTypeError, match=message) as caught:
        Dataset.from_data(data)

    assert isinstance(caught.value, TypeError)
    assert _one_clear_sentence(caught.value)


@pytest.mark.parametrize(("data", "message"), BAD_TYPES.values(), ids=BAD_TYPES)
def test_what_is_no_table_is_refused(data, message):
    with pytest.raises(DataTypeError, match=message) as caught:
        Dataset.from_data(data)

    assert isinstance(caught.value, H2pcError)
    assert _one_clear_sentence(caught.value)


@pytest.mark.parametrize(("data", "message"), BAD_DATA.values(), ids=BAD_DATA)
def test_data_that_make_no_sense_are_refused(data, message):
    with pytest.raises(DataError, match=message) as caught:
        Dataset.from_data(data)

    assert isinstance(caught.value, ValueError)
    assert _one_clear_sentence(caught.value)


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (["a"], DataError, "1 names came for 2 columns"),
        (["a", "b", "c"], DataError, "3 names came for 2 columns"),
        (["a", "a"], DataError, "'a' occurs more than once"),
        ("ab", DataTypeError, "the string 'ab'"),
        (["a", None], DataTypeError, "None is of type 'NoneType'"),
        (["a", ("b", "c")], DataTypeError, "expected a string"),
    ],
)
@pytest.mark.parametrize(
    "data", [np.eye(2, dtype=int), {"x": [1], "y": [2]}, pd.DataFrame({"x": [1], "y": [2]})]
)
def test_names_that_do_not_fit_are_refused(data, names, error, message):
    with pytest.raises(error, match=message):
        Dataset.from_data(data, names=names)


def test_a_data_set_keeps_its_names():
    with pytest.raises(SettingError, match="names came with a Dataset"):
        Dataset.from_data(Dataset.from_data({"a": [1]}), names=["b"])


@pytest.mark.parametrize("max_levels", [0, -1, "ten", 2.5])
def test_a_limit_that_is_no_positive_number_is_refused(max_levels):
    with pytest.raises(SettingError, match=r"max_levels=.*: expected a positive integer"):
        Dataset.from_data({"a": [0, 1]}, max_levels=max_levels)


def test_more_levels_than_the_limit_are_refused():
    with pytest.raises(DataError, match="'b' has 3 levels: expected at most max_levels=2"):
        Dataset.from_data({"a": [0, 1, 0], "b": [0, 1, 2]}, max_levels=2)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"codes": [0, 1]}, DataError, r"1 dimension\(s\): expected 2, variables by samples"),
        ({"codes": [[0], [0, 1]]}, DataError, "ragged"),
        ({"codes": np.zeros((0, 2), int)}, DataError, r"shape \(0, 2\)"),
        ({"codes": np.zeros((2, 0), int)}, DataError, r"shape \(2, 0\)"),
        ({"codes": [[0.5]]}, DataTypeError, "float64: expected integers"),
        ({"codes": [["x"]]}, DataTypeError, "expected integers"),
        ({"codes": [[0, -1]]}, DataError, "'X0' has codes from -1 to 0: expected 0 to"),
        (
            {"codes": [[0, 2]], "cards": [2]},
            DataError,
            "'X0' has codes from 0 to 2: expected 0 to 1",
        ),
        ({"codes": [[0]], "cards": [1, 1]}, DataError, "list of 1 integers"),
        ({"codes": [[0]], "cards": [1.5]}, DataError, "list of 1 integers"),
        ({"codes": [[0]], "cards": [65_537]}, DataError, "65537 levels: expected at most 65536"),
        ({"codes": [[0]], "states": [["x"], ["y"]]}, DataError, "states of 2 variables came"),
        ({"codes": [[0]], "states": [["x", "x"]]}, DataError, "'X0' has a state twice"),
        (
            {"codes": [[1]], "states": [["x"]]},
            DataError,
            "'X0' has codes from 1 to 1: expected 0 to 0",
        ),
        ({"codes": [[0]], "states": [["x"]], "cards": [2]}, DataError, "has 1 states: expected 2"),
        ({"codes": [[0]], "names": ["a", "b"]}, DataError, "2 names came for 1 columns"),
    ],
)
def test_codes_that_make_no_sense_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        Dataset.from_codes(**settings)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, 2.0], r"shape \(2,\): expected variables by samples"),
        ([[1.0], [1.0, 2.0]], "ragged or holds no numbers: expected an array"),
        ([["x"]], "ragged or holds no numbers"),
        ([[1j]], "ragged or holds no numbers"),
        (np.zeros((0, 2)), r"shape \(0, 2\)"),
        (np.zeros((2, 0)), r"shape \(2, 0\)"),
        ([[0.5, np.inf]], "'X0' holds infinite values: expected finite numbers"),
    ],
)
def test_values_that_make_no_sense_are_refused(values, message):
    with pytest.raises(DataError, match=message):
        Dataset.from_values(values)
