"""A Parquet file gives the data set of the table that it holds, a few columns at a time."""

import decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from h2pc.data import Dataset
from h2pc.errors import DataError, DataTypeError

WORDS = pa.array(["b", "a", None, "b"])
COLUMNS = {
    "words": WORDS,
    "long words": WORDS.cast(pa.large_string()),
    "codes": WORDS.dictionary_encode(),
    "ordered": pa.DictionaryArray.from_arrays([1, 0, 1, 1], ["z", "y", "x"], ordered=True),
    "nothing": pa.array([None] * 4, pa.string()),
    "integers": pa.array([7, -2, 7, 7]),
    "small": pa.array([1, None, 0, 1], pa.int8()),
    "far apart": pa.array([2**63, 0, 1, 1], pa.uint64()),
    "some": pa.array([None, None, None, None], pa.int32()),
    "flags": [True, None, False, True],
    "yes": [True, True, True, True],
    "whole": [1.0, None, 3.0, 1.0],
    "a": [1, 1, 2, 2],
    "a.b": ["x", "x", "y", "x"],
}


def parquet(path, columns, **settings):
    pq.write_table(pa.table(columns), path, **settings)
    return pq.ParquetFile(path)


@pytest.mark.parametrize("missing", ["level", "drop"])
@pytest.mark.parametrize("row_group_size", [1, 3, 100])
def test_a_file_is_read_as_the_table_that_it_holds(tmp_path, missing, row_group_size):
    columns = COLUMNS
    if missing == "drop":
        columns = {name: COLUMNS[name] for name in COLUMNS if name not in ("nothing", "some")}
    file = parquet(tmp_path / "t.parquet", columns, row_group_size=row_group_size)

    data = Dataset.from_data(file, missing=missing)

    expected = Dataset.from_data(file.read(), missing=missing)
    assert data.fingerprint() == expected.fingerprint()
    assert data.columns == tuple(columns)
    types = [[type(state) for state in own] for own in data.states]
    assert types == [[type(state) for state in own] for own in expected.states]


def test_more_columns_than_one_block_holds_are_read(tmp_path):
    values = np.random.default_rng(0).integers(0, 3, (50_000, 90), np.int8)
    file = parquet(
        tmp_path / "t.parquet", {f"x{j:02d}": column for j, column in enumerate(values.T)}
    )

    assert (Dataset.from_data(file).codes == values.T).all()


def test_columns_get_other_names_and_their_order_does_not_matter(tmp_path):
    file = parquet(tmp_path / "t.parquet", {"p": [1, 2], "q": ["x", "y"]})

    data = Dataset.from_data(file, names=["z", "y"])

    assert data.names == ("y", "z")
    assert data.states == (("x", "y"), (1, 2))


def test_new_data_may_be_a_file_with_more_columns(tmp_path):
    data = Dataset.from_data({"b": [1, 2], "a": ["x", "y"]})
    file = parquet(tmp_path / "t.parquet", {"a": ["y", "y"], "c": [0.5, 1.5], "b": [2, 1]})

    assert data.encode_like(file).codes.tolist() == [[1, 1], [1, 0]]


def test_decimals_that_are_whole_numbers_are_these_numbers(tmp_path):
    two, five = decimal.Decimal("2.00"), decimal.Decimal("5.00")
    file = parquet(tmp_path / "t.parquet", {"a": [five, two, five]})

    assert Dataset.from_data(file).states == ((2, 5),)


@pytest.mark.parametrize(
    ("column", "error", "sentence"),
    [
        (pa.array([0], pa.date32()), DataTypeError, "'a' is of type date32.*the month"),
        ([{"x": 1}], DataTypeError, "'a' is of type struct"),
        ([[1]], DataTypeError, "'a' is of type list"),
        (pa.array([], pa.int8()), DataError, "no rows: expected at least one"),
    ],
)
def test_columns_without_levels_are_refused(tmp_path, column, error, sentence):
    file = parquet(tmp_path / "t.parquet", {"a": column})

    with pytest.raises(error, match=sentence):
        Dataset.from_data(file)


def test_other_things_of_parquet_are_no_tables(tmp_path):
    parquet(tmp_path / "t.parquet", {"a": [1]})

    with pytest.raises(DataTypeError, match=r"'ParquetDataset': expected .*or a ParquetFile"):
        Dataset.from_data(pq.ParquetDataset(tmp_path / "t.parquet"))
