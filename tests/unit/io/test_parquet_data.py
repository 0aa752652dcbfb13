"""Parquet files as data sets: what is taken, cut, dropped and refused."""

import tracemalloc

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from h2pc import Dataset, Discretizer
from h2pc.errors import DataError, DataTypeError, FileFormatError, SettingError
from h2pc.io.parquet_data import read_parquet_data

RNG = np.random.default_rng(0)
DEPTH, MANY = RNG.normal(size=200), np.arange(200) % 21
COAST = {
    "ground": ["sand", "rock"] * 100,
    "depth": DEPTH,
    "many": MANY,
    "few": MANY % 20,
    "wet": [True, False] * 100,
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "coast.parquet"
    pq.write_table(pa.table(COAST), path, row_group_size=70)
    return path


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_numbers_of_many_kinds_are_cut_as_the_discretizer_does(path, strategy):
    data = read_parquet_data(path, levels=3, strategy=strategy)

    assert data.columns == tuple(COAST)
    assert data.states[data.variable("ground")] == ("rock", "sand")
    assert data.states[data.variable("wet")] == (False, True)
    assert data.cards[data.variable("few")] == 20
    for name, values in (("depth", DEPTH), ("many", MANY)):
        expected = Discretizer(strategy, 3).fit(values[:, None]).transform(values[:, None])[:, 0]
        assert data.codes[data.variable(name)].tolist() == expected.tolist()


def test_without_cutting_whole_numbers_are_levels_and_fractions_refused(path):
    with pytest.raises(DataTypeError, match="column 'depth' holds floats, 200 different ones"):
        read_parquet_data(path)
    data = read_parquet_data(path, drop=["depth"])
    table = pa.table(COAST).drop(["depth"])
    assert data.fingerprint() == Dataset.from_data(table).fingerprint()
    assert data.cards[data.variable("many")] == 21


def test_columns_that_are_not_wanted_are_not_read(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"day": pa.array([0, 1], pa.date32()), "x": [1, 2], "a": [3, 4]}), path)

    assert read_parquet_data(path, columns=["a", "x"]).columns == ("x", "a")
    assert read_parquet_data(path, drop=["day", "a"]).columns == ("x",)
    with pytest.raises(DataError, match="unknown column 'sky': expected one of 3"):
        read_parquet_data(path, drop=["sky"])
    with pytest.raises(DataError, match="no column is left"):
        read_parquet_data(path, columns=["a"], drop=["a"])


def test_missing_values_are_refused_dropped_or_a_level(tmp_path):
    path = tmp_path / "t.parquet"
    columns = {"x": [0.5, None, 2.5, 3.5], "word": ["a", "b", None, "a"], "n": [1, 2, 2, 1]}
    pq.write_table(pa.table(columns), path)

    with pytest.raises(DataError, match=r"missing values in columns 'word' \(1\), 'x' \(1\)"):
        read_parquet_data(path, levels=2)
    dropped = read_parquet_data(path, levels=2, missing="drop")
    level = read_parquet_data(path, levels=2, missing="level")
    assert dropped.n_samples == 2
    assert dropped.states[dropped.variable("word")] == ("a",)
    assert [own[-1] for own in level.states] == [2, None, None]


def test_cutting_refuses_what_cannot_be_cut(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": [0.5, np.inf]}), path)

    with pytest.raises(DataError, match="column 'x' holds infinite values"):
        read_parquet_data(path, levels=2)
    with pytest.raises(SettingError, match="levels=0: expected at least 1"):
        read_parquet_data(path, levels=0)


def test_damaged_files_are_refused_whatever_is_damaged(tmp_path, path):
    whole = path.read_bytes()
    damaged = tmp_path / "damaged.parquet"
    places = range(4, len(whole), max(1, len(whole) // 60))

    refused = 0
    for content in (b"", whole[: len(whole) // 2], *(_changed(whole, at) for at in places)):
        damaged.write_bytes(content)
        try:
            read_parquet_data(damaged, levels=3)
        except (FileFormatError, DataError, DataTypeError) as error:
            refused += "damaged.parquet: expected a Parquet file, and a whole one" in str(error)
    assert refused > 2


def test_files_with_too_many_cells_and_files_that_are_not_there_are_told(tmp_path, path):
    with pytest.raises(FileFormatError, match="200 rows of 5 columns: expected 1 to 999 cells"):
        read_parquet_data(path, max_cells=999)
    with pytest.raises(FileNotFoundError):
        read_parquet_data(tmp_path / "nowhere.parquet")


def test_a_tall_file_takes_little_more_than_its_codes(tmp_path):
    path, n_rows = tmp_path / "tall.parquet", 200_000
    words = np.array(["low", "high"])
    codes = RNG.integers(0, 2, (12, n_rows), np.int8)
    columns = {f"x{j}": words[own] if j % 2 else own for j, own in enumerate(codes.astype(int))}
    pq.write_table(pa.table(columns), path)
    tracemalloc.start()
    try:
        data = read_parquet_data(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert data.n_samples == n_rows
    assert peak < data.codes.nbytes + 60 * n_rows  # not 8 × 12


def _changed(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :]
