"""Missing values are refused, dropped or a level, whatever they look like."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from h2pc.data import Dataset
from h2pc.errors import DataError, SettingError

HOLED = {
    "None among strings": ({"a": ["x", None, "y"]}, ("x", "y")),
    "NaN among strings": ({"a": ["x", float("nan"), "y"]}, ("x", "y")),
    "NA among booleans": ({"a": [False, pd.NA, True]}, (False, True)),
    "NaT among integers": ({"a": [1, pd.NaT, 2]}, (1, 2)),
    "NumPy's NaN": (np.array([["x"], [np.nan], ["y"]], object), ("x", "y")),
    "floats for integers": (np.array([[1.0], [np.nan], [2.0]]), (1, 2)),
    "pandas str": (pd.DataFrame({"a": ["x", None, "y"]}), ("x", "y")),
    "pandas float": (pd.DataFrame({"a": [1, None, 2]}), (1, 2)),
    "pandas Float64": (pd.DataFrame({"a": pd.array([1, None, 2], "Float64")}), (1, 2)),
    "pandas Int64": (pd.DataFrame({"a": pd.array([1, None, 2], "Int64")}), (1, 2)),
    "pandas boolean": (pd.DataFrame({"a": pd.array([False, None, True], "boolean")}), (0, 1)),
    "pandas category": (pd.DataFrame({"a": pd.Categorical(["x", None, "y"])}), ("x", "y")),
    "pandas arrow": (pd.DataFrame({"a": pd.array([1, None, 2], "int8[pyarrow]")}), (1, 2)),
    "polars string": (pl.DataFrame({"a": ["x", None, "y"]}), ("x", "y")),
    "polars integer": (pl.DataFrame({"a": [1, None, 2]}), (1, 2)),
    "polars boolean": (pl.DataFrame({"a": [False, None, True]}), (False, True)),
    "polars float": (pl.DataFrame({"a": [1.0, None, 2.0]}), (1, 2)),
    "polars NaN": (pl.DataFrame({"a": [1.0, float("nan"), 2.0]}), (1, 2)),
    "polars enum": (
        pl.DataFrame({"a": pl.Series(["x", None, "y"], dtype=pl.Enum(["x", "y"]))}),
        ("x", "y"),
    ),
    "arrow string": (pa.table({"a": ["x", None, "y"]}), ("x", "y")),
    "arrow integer": (pa.table({"a": [1, None, 2]}), (1, 2)),
    "arrow dictionary": (
        pa.table({"a": pa.array(["x", None, "y"]).dictionary_encode()}),
        ("x", "y"),
    ),
    "a null in an arrow dictionary": (
        pa.table({"a": pa.DictionaryArray.from_arrays([0, 1, 2], ["x", None, "y"])}),
        ("x", "y"),
    ),
}

holed = pytest.mark.parametrize(("table", "states"), HOLED.values(), ids=HOLED)


@holed
def test_missing_values_are_an_error_by_default(table, states):
    name = "X0" if isinstance(table, np.ndarray) else "a"

    with pytest.raises(DataError, match=rf"missing values in column '{name}' \(1\): expected none"):
        Dataset.from_data(table)


@holed
def test_rows_with_missing_values_can_be_dropped(table, states):
    data = Dataset.from_data(table, missing="drop")

    assert data.states == (states,)
    assert data.codes.tolist() == [[0, 1]]
    assert data.codes.flags.c_contiguous


@holed
def test_missing_values_can_be_the_last_level(table, states):
    data = Dataset.from_data(table, missing="level")

    assert data.states == ((*states, None),)
    assert data.codes.tolist() == [[0, 2, 1]]
    assert data.cards.tolist() == [3]


def test_all_columns_with_missing_values_are_named_with_their_counts():
    table = {"a": ["x", None], "b": [0, 1], "c": [None, None]}

    with pytest.raises(DataError, match=r"columns 'a' \(1\), 'c' \(2\): expected none; pass"):
        Dataset.from_data(table)


def test_of_many_columns_with_missing_values_some_are_named():
    with pytest.raises(DataError, match=r"'X4' \(1\) and 3 more columns: expected"):
        Dataset.from_data(np.array([[1.0] * 8, [np.nan] * 8]))


def test_a_level_that_only_dropped_rows_had_is_gone_unless_declared():
    table = pd.DataFrame(
        {
            "hole": ["x", None, "x"],
            "found": ["p", "q", "r"],
            "declared": pd.Categorical(["p", "q", "r"]),
        }
    )

    data = Dataset.from_data(table, missing="drop")

    assert dict(zip(data.names, data.states, strict=True)) == {
        "hole": ("x",),
        "found": ("p", "r"),
        "declared": ("p", "q", "r"),
    }
    assert data.codes.tolist() == [[0, 2], [0, 1], [0, 0]]


def test_a_column_without_any_value_has_the_missing_level_alone():
    for table in (
        {"a": [None, None]},
        np.array([[np.nan], [np.nan]]),
        pa.table({"a": pa.nulls(2)}),
        pl.DataFrame({"a": [None, None]}),
        pd.DataFrame({"a": pd.to_datetime([None, None])}),
    ):
        data = Dataset.from_data(table, missing="level")

        assert data.states == ((None,),)
        assert data.codes.tolist() == [[0, 0]]


def test_the_missing_level_may_need_a_second_byte():
    table = {"a": [*range(256), *range(256), None, None]}

    data = Dataset.from_data(table, missing="level")

    assert data.codes.dtype == np.uint16
    assert data.codes[0, -1] == 256
    assert Dataset.from_data(table, missing="drop").codes.dtype == np.uint8


def test_data_without_missing_values_are_the_same_under_all_settings():
    table = {"a": ["x", "y"]}

    prints = {Dataset.from_data(table, missing=m).fingerprint() for m in ("error", "drop", "level")}

    assert len(prints) == 1


def test_dropping_every_row_is_an_error():
    with pytest.raises(
        DataError, match=r"every row has a missing value, in columns 'a' \(1\), 'b'"
    ):
        Dataset.from_data({"a": [0, None], "b": [None, 0]}, missing="drop")


@pytest.mark.parametrize("missing", ["ignore", None, 3])
def test_an_unknown_setting_is_refused(missing):
    with pytest.raises(SettingError, match=f"missing={missing!r}: expected 'error', 'drop'"):
        Dataset.from_data({"a": [0, 1]}, missing=missing)
