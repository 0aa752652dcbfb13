"""Missing values are refused, dropped, a level, or stay missing, whatever they look like."""

import pickle

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
    table = {"a": [*map(str, range(256)), *map(str, range(256)), None, None]}

    data = Dataset.from_data(table, missing="level")

    assert data.codes.dtype == np.uint16
    assert data.codes[0, -1] == 256
    assert Dataset.from_data(table, missing="drop").codes.dtype == np.uint8


def test_data_without_missing_values_are_the_same_under_all_settings():
    table = {"a": ["x", "y"]}

    settings = ("error", "drop", "level", "available")
    prints = {Dataset.from_data(table, missing=m).fingerprint() for m in settings}

    assert len(prints) == 1


@holed
def test_missing_values_can_stay(table, states):
    data = Dataset.from_data(table, missing="available")

    assert data.states == (states,)
    assert data.codes.tolist() == [[0, 2, 1]]
    assert data.n_missing.tolist() == [1]
    assert not data.is_complete
    assert repr(data).endswith("3 samples, 1 missing)")


def test_what_is_made_of_incomplete_data_is_incomplete():
    data = Dataset.from_data({"a": ["x", None, "y", None], "b": [1, 2, 2, 2]}, missing="available")
    same = pickle.loads(pickle.dumps(data))
    merged = data.compressed([0, 1])

    assert same.fingerprint() == data.fingerprint()
    assert same.n_missing.tolist() == [2, 0]
    assert data.take([1, 2]).codes.tolist() == [[2, 1], [1, 1]]
    assert data.take([0, 2]).is_complete
    assert merged.codes.tolist() == [[0, 2, 1], [0, 1, 1]]
    assert merged.n_missing.tolist() == [2, 0]
    assert data.to_pandas()["a"].isna().tolist() == [False, True, False, True]
    again = Dataset.from_data(data.to_pandas(), missing="available")
    assert again.fingerprint() == data.fingerprint()


def test_new_data_are_encoded_with_their_missing_values():
    data = Dataset.from_data({"a": ["x", "y"], "b": [1, 2]})
    holed = {"a": ["y", None], "b": [None, 2]}

    found = data.encode_like(holed, missing="available")

    assert found.codes.tolist() == [[1, 2], [2, 1]]
    assert data.encode_like(found, missing="available").fingerprint() == found.fingerprint()
    with pytest.raises(DataError, match="column 'a' holds a missing value"):
        data.encode_like(found)
    assert data.encode_like({"a": ["x"], "b": [1]}, missing="available").is_complete


def test_merged_rows_are_dropped_with_their_weights():
    data = Dataset.from_data({"a": ["x", None, "x", "y"], "b": [1, 1, 1, 2]}, missing="available")
    merged = data.compressed([0, 1])

    found = data.encode_like(merged, missing="drop")

    assert found.codes.tolist() == [[0, 1], [0, 1]]
    assert found.weights.tolist() == [2, 1]


def test_a_missing_value_belongs_to_the_level_none_where_there_is_one():
    data = Dataset.from_data({"a": ["x", None]}, missing="level")

    assert data.encode_like({"a": [None]}, missing="available").codes.tolist() == [[1]]


def test_the_code_of_a_missing_value_fits():
    words = [f"{i:03}" for i in range(256)]
    data = Dataset.from_data({"a": [*words, None]}, missing="available", max_levels=256)

    assert data.codes.dtype == np.uint16
    assert data.codes[0, -1] == 256
    assert data.n_missing.tolist() == [1]
    assert data.take([0, 256]).n_missing.tolist() == [1]
    assert data.take([0, 255]).codes.tolist() == [[0, 255]]


def test_a_column_of_nothing_but_missing_values_is_refused():
    with pytest.raises(DataError, match=r"nothing but missing values in column 'b' \(2\)"):
        Dataset.from_data({"a": [0, 1], "b": [None, None]}, missing="available")


def test_codes_below_zero_are_missing_if_they_may_be():
    data = Dataset.from_codes([[0, -1, 2], [1, 0, -1]], cards=[3, 2], missing="available")

    assert data.codes.tolist() == [[0, 3, 2], [1, 0, 2]]
    with pytest.raises(DataError, match="codes from -1 to 2: expected 0 to 2"):
        Dataset.from_codes([[0, -1, 2]])
    with pytest.raises(DataError, match="codes from -2 to 2"):
        Dataset.from_codes([[0, -2, 2]], missing="available")
    with pytest.raises(SettingError, match="missing='drop': expected 'error' or 'available'"):
        Dataset.from_codes([[0, 1]], missing="drop")


def test_dropping_every_row_is_an_error():
    with pytest.raises(
        DataError, match=r"every row has a missing value, in columns 'a' \(1\), 'b'"
    ):
        Dataset.from_data({"a": [0, None], "b": [None, 0]}, missing="drop")


@pytest.mark.parametrize("missing", ["ignore", None, 3])
def test_an_unknown_setting_is_refused(missing):
    with pytest.raises(SettingError, match=f"missing={missing!r}: expected 'error', 'drop'"):
        Dataset.from_data({"a": [0, 1]}, missing=missing)
