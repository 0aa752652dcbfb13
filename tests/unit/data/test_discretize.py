"""Numbers are cut into intervals, and new numbers alike."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from h2pc import read_dataset
from h2pc.data import Dataset, Discretizer, discretize
from h2pc.errors import DataError, DataTypeError, SettingError

NUMBERS = [1.5, 2.0, 3.0, 10.0, 20.0]
LABELS = ("(-inf, 3]", "(3, inf)")

TABLES = {
    "pandas": pd.DataFrame({"x": NUMBERS, "kind": list("aabbb")}, index=[9, 9, 1, 0, 4]),
    "polars": pl.DataFrame({"x": NUMBERS, "kind": list("aabbb")}),
    "arrow": pa.table({"x": NUMBERS, "kind": list("aabbb")}),
}
tables = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


@tables
def test_two_quantile_bins_are_the_values_up_to_the_median_and_those_above(table):
    cut = discretize(table, levels=2)

    data = Dataset.from_data(cut)
    assert type(cut) is type(table)
    assert data.columns == ("x", "kind")
    assert data.states == (("a", "b"), LABELS)
    assert data.codes[1].tolist() == [0, 0, 0, 1, 1]


@tables
def test_the_table_that_came_in_is_left_alone(table):
    discretize(table, levels=2)

    assert list(np.asarray(table["x"])) == NUMBERS


def test_pandas_rows_keep_their_labels():
    assert discretize(TABLES["pandas"])["x"].index.tolist() == [9, 9, 1, 0, 4]


@tables
def test_new_data_are_cut_at_the_old_edges(table):
    cutter = Discretizer(levels=2).fit(table)
    make = pa.table if isinstance(table, pa.Table) else type(table)
    new = make({"x": [3.0, 3.1, -np.inf, 1e9]})

    data = Dataset.from_data(cutter.transform(new))

    assert data.states == (LABELS,)
    assert data.codes.tolist() == [[0, 1, 0, 1]]


@tables
def test_all_intervals_are_declared_although_unobserved(table):
    cutter = Discretizer(strategy="uniform", levels=4).fit(table)

    data = Dataset.from_data(cutter.transform(table))

    assert data.states[1] == ("(-inf, 6.125]", "(6.125, 10.75]", "(10.75, 15.375]", "(15.375, inf)")
    assert data.codes[1].tolist() == [0, 0, 0, 1, 3]


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"x": [1.0, None, 3.0]}),
        pd.DataFrame({"x": pd.array([1.5, None, 3.0], "Float64")}),
        pl.DataFrame({"x": [1.0, None, 3.0]}),
        pl.DataFrame({"x": [1.0, float("nan"), 3.0]}),
        pa.table({"x": [1.0, None, 3.0]}),
    ],
    ids=["pandas", "pandas Float64", "polars", "polars NaN", "arrow"],
)
def test_missing_values_stay_missing(table):
    data = Dataset.from_data(discretize(table, levels=2), missing="level")

    assert data.states[0][2] is None
    assert data.codes.tolist() == [[0, 2, 1]]


def test_arrays_get_the_numbers_of_the_intervals():
    values = np.array([[0.1, 5.5], [0.2, 5.5], [0.3, 7.0], [0.4, 9.0]])

    cut = discretize(values, levels=2)

    assert cut.dtype == np.int64
    assert cut.tolist() == [[0, 0], [0, 0], [1, 1], [1, 1]]


def test_missing_values_of_an_array_stay_nan_and_can_be_encoded():
    cut = discretize(np.array([[0.5], [np.nan], [1.5]]), levels=2)

    assert cut[[0, 2], 0].tolist() == [0, 1]
    assert np.isnan(cut[1, 0])
    assert Dataset.from_data(cut, missing="level").states == ((0, 1, None),)


def test_only_the_chosen_columns_of_an_array_are_cut():
    values = np.array([[0.1, 0.5], [0.2, 0.7]])

    assert discretize(values, levels=2, columns=[1]).tolist() == [[0.1, 0.0], [0.2, 1.0]]
    assert discretize(np.array([[10, 3], [20, 4]]), levels=2, columns=[0]).tolist() == [
        [0, 3],
        [1, 4],
    ]


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_whole_numbers_are_cut_where_they_are_more_than_twenty_kinds(dtype):
    table = pd.DataFrame({"few": np.arange(420) % 20, "many": np.arange(420) % 21}).astype(dtype)

    cut = discretize(table, levels=3)

    assert cut["few"].tolist() == table["few"].tolist()
    assert cut["many"].nunique() == 3
    as_array = discretize(table.to_numpy(), levels=3)
    assert as_array.dtype == np.int64
    assert as_array[:, 0].tolist() == table["few"].tolist()
    assert set(as_array[:, 1]) == {0, 1, 2}


def test_python_and_files_cut_the_same_columns(tmp_path):
    rng = np.random.default_rng(0)
    age, kind = rng.integers(18, 79, 500), rng.integers(0, 4, 500)
    table = pd.DataFrame({"age": age, "size": rng.normal(size=500).round(2), "kind": kind})
    table.to_csv(tmp_path / "a.csv", index=False)

    data = Dataset.from_data(discretize(table, levels=3))

    assert data.fingerprint() == read_dataset(tmp_path / "a.csv", levels=3).fingerprint()


def test_other_columns_are_cut_where_they_are_chosen():
    table = pd.DataFrame({"x": [0.5, 1.5], "n": [10, 20]})

    assert discretize(table, levels=2)["n"].tolist() == [10, 20]
    chosen = discretize(table, levels=2, columns=["n"])
    assert chosen["x"].tolist() == [0.5, 1.5]
    assert chosen["n"].tolist() == ["(-inf, 15]", "(15, inf)"]


def test_repeated_quantiles_give_fewer_levels():
    values = np.array([0.0] * 6 + [0.5, 1.0])[:, None]

    cutter = Discretizer(levels=4).fit(values)

    assert cutter.edges_[0].tolist() == [0.0]
    assert cutter.transform(values)[:, 0].tolist() == [0] * 6 + [1, 1]


@pytest.mark.parametrize("levels", [2, 3, 4, 7])
def test_no_quantile_bin_is_empty(levels):
    values = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 5.5])[:, None]

    cutter = Discretizer(levels=levels).fit(values)

    found = np.unique(cutter.transform(values))
    assert found.tolist() == list(range(cutter.edges_[0].size + 1))
    assert found.size <= levels


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_a_constant_column_has_one_level(strategy):
    cut = discretize(pd.DataFrame({"x": [2.5, 2.5]}), strategy=strategy)

    assert Dataset.from_data(cut).states == (("(-inf, inf)",),)


def test_one_level_has_no_edge():
    assert Discretizer(levels=1).fit(np.array([[1.5], [2.5]])).edges_[0].size == 0


def test_labels_of_near_edges_are_told_apart():
    table = pd.DataFrame({"x": 1 + np.arange(4) * 1e-9})

    labels = discretize(table, levels=4)["x"].cat.categories

    assert len(set(labels)) == 4
    assert labels[0] == "(-inf, 1.00000000075]"


def test_a_fitted_discretizer_never_changes_and_can_be_pickled():
    cutter = Discretizer(levels=2).fit(np.array([[0.5], [2.5]]))

    with pytest.raises(SettingError, match="fitted already"):
        cutter.fit(np.array([[5.0], [6.0]]))
    with pytest.raises(TypeError):
        cutter.edges_[0] = np.array([3.0])
    with pytest.raises(ValueError, match="read-only"):
        cutter.edges_[0][0] = 3.0
    assert pickle.loads(pickle.dumps(cutter)).edges_[0].tolist() == [1.5]


def test_edges_are_unknown_before_the_fit():
    with pytest.raises(SettingError, match=r"expected fit\(data\) first"):
        Discretizer().transform(np.array([[1.0]]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"strategy": "kmeans"}, "strategy='kmeans': expected 'quantile' or 'uniform'"),
        ({"levels": 0}, "levels=0: expected at least 1"),
        ({"levels": 2.5}, "levels=2.5: expected an integer"),
        ({"levels": True}, "levels=True: expected an integer"),
        ({"columns": "x"}, "columns='x': expected a list"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        discretize(TABLES["pandas"], **settings)


@pytest.mark.parametrize(
    ("data", "columns", "error", "message"),
    [
        (pd.DataFrame({"x": [0.5]}), ["y"], DataError, "'y' is unknown: expected one of"),
        (pd.DataFrame({"x": ["a"]}), ["x"], DataTypeError, "'x' is of type String: expected num"),
        (pd.DataFrame({"x": [np.inf, 1]}), None, DataError, "'x' holds infinite values"),
        (pd.DataFrame({"x": [np.nan]}), ["x"], DataError, "'x' holds no value"),
        (pd.DataFrame([[0.5, 1]], columns=["x", "x"]), None, DataError, "'x' occurs more than"),
        (np.array([[0.5]]), [1], DataError, "1 is unknown: expected a position below 1"),
        (np.array([[0.5]]), ["x"], DataError, "'x' is unknown: expected a position"),
        (np.array([0.5]), None, DataError, r"1 dimension\(s\): expected 2"),
        (np.array([["x"]]), None, DataTypeError, "expected numbers"),
        ([[0.5]], None, DataTypeError, "'list': expected a pandas, polars or pyarrow table"),
    ],
)
def test_data_that_cannot_be_cut_are_refused(data, columns, error, message):
    with pytest.raises(error, match=message):
        discretize(data, columns=columns)


def test_a_column_that_new_data_lack_is_named():
    cutter = Discretizer(levels=2).fit(pd.DataFrame({"x": [0.5, 1.5]}))

    with pytest.raises(DataError, match="'x' is unknown"):
        cutter.transform(pd.DataFrame({"y": [0.5]}))
