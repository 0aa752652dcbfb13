"""Parquet files as data sets: what is taken, cut, dropped and refused."""

import decimal
import subprocess
import sys

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from h2pc import Dataset, Discretizer, check, discretize
from h2pc.errors import DataError, DataTypeError, FileFormatError, SettingError
from h2pc.io.parquet_table import MAX_CELLS, parquet_table
from h2pc.io.table_files import read_dataset, read_table

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
    data = read_dataset(path, levels=3, strategy=strategy)

    assert data.columns == tuple(COAST)
    assert data.states[data.variable("ground")] == ("rock", "sand")
    assert data.states[data.variable("wet")] == (False, True)
    assert data.cards[data.variable("few")] == 20
    for name, values in (("depth", DEPTH), ("many", MANY)):
        expected = Discretizer(strategy, 3).fit(values[:, None]).transform(values[:, None])[:, 0]
        assert data.codes[data.variable(name)].tolist() == expected.tolist()


def test_without_cutting_fractions_and_many_whole_numbers_are_continuous(path):
    data = read_dataset(path)

    assert data.fingerprint() == Dataset.from_data(pa.table(COAST)).fingerprint()
    assert data.kind == "mixed"
    continuous = [name for v, name in enumerate(data.names) if data.is_continuous[v]]
    assert continuous == ["depth", "many"]
    assert data.values.tolist() == [DEPTH.tolist(), MANY.tolist()]


def test_columns_that_are_not_wanted_are_not_read(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"day": pa.array([0, 1], pa.date32()), "x": [1, 2], "a": [3, 4]}), path)

    assert read_dataset(path, columns=["a", "x"]).columns == ("x", "a")
    assert read_dataset(path, drop=["day", "a"]).columns == ("x",)
    with pytest.raises(DataError, match="unknown column 'sky': expected one of 'day', 'x', 'a'"):
        read_dataset(path, drop=["sky"])
    with pytest.raises(DataError, match="no column is left"):
        read_dataset(path, columns=["a"], drop=["a"])


def test_missing_values_are_refused_dropped_or_a_level(tmp_path):
    path = tmp_path / "t.parquet"
    columns = {"x": [0.5, None, 2.5, 3.5], "word": ["a", "b", None, "a"], "n": [1, 2, 2, 1]}
    pq.write_table(pa.table(columns), path)

    with pytest.raises(DataError, match=r"missing values in columns 'x' \(1\), 'word' \(1\)"):
        read_dataset(path, levels=2)
    dropped = read_dataset(path, levels=2, missing="drop")
    level = read_dataset(path, levels=2, missing="level")
    assert dropped.n_samples == 2
    assert dropped.states[dropped.variable("word")] == ("a",)
    assert [own[-1] for own in level.states] == [2, None, None]


def test_cutting_refuses_what_cannot_be_cut(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": [0.5, np.inf]}), path)

    with pytest.raises(DataError, match="column 'x' holds infinite values"):
        read_dataset(path, levels=2)
    with pytest.raises(SettingError, match="levels=0: expected at least 1"):
        read_dataset(path, levels=0)


def test_damaged_files_are_refused_whatever_is_damaged(tmp_path, path):
    whole = path.read_bytes()
    damaged = tmp_path / "damaged.parquet"
    places = range(4, len(whole), max(1, len(whole) // 60))

    refused = 0
    for content in (b"", whole[: len(whole) // 2], *(_changed(whole, at) for at in places)):
        damaged.write_bytes(content)
        try:
            read_dataset(damaged, levels=3)
        except (FileFormatError, DataError, DataTypeError) as error:
            refused += "damaged.parquet: expected a Parquet file, and a whole one" in str(error)
    assert refused > 2


def test_files_with_too_many_cells_and_files_that_are_not_there_are_told(tmp_path, path):
    too_many = pytest.raises(
        FileFormatError, match="200 rows of 5 columns: expected 1 to 999 cells"
    )
    with too_many, read_table(path, max_cells=999):
        pass
    with pytest.raises(FileNotFoundError):
        read_dataset(tmp_path / "nowhere.parquet")


TALL = """
import resource, sys
from h2pc import read_dataset
read_dataset(sys.argv[2])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
data = read_dataset(sys.argv[1])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(data.n_samples, data.codes.nbytes, 1024 * (peak - before))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is in kilobytes on Linux only")
def test_a_tall_file_takes_little_more_than_its_codes(tmp_path, path):
    tall, n_rows, n_columns = tmp_path / "tall.parquet", 1_000_000, 12
    words = np.array(["low", "high"])
    codes = RNG.integers(0, 2, (n_columns, n_rows), np.int8)
    columns = {f"x{j:02d}": words[own] if j % 2 else own for j, own in enumerate(codes.astype(int))}
    pq.write_table(pa.table(columns), tall)
    pq.write_table(pa.table(columns).slice(0, 10), path)

    program = [sys.executable, "-c", TALL, tall, path]
    told = subprocess.run(program, capture_output=True, text=True, check=True).stdout

    n_samples, n_bytes, peak = map(int, told.split())
    assert (n_samples, n_bytes) == (n_rows, n_columns * n_rows)
    assert peak < n_bytes + 80 * n_rows  # the table takes 8 × 6 + 16 × 6 bytes a row


def _changed(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :]


WORDS = pa.array(["b", "a", None, "b"])
COLUMNS = {
    "words": WORDS,
    "long words": WORDS.cast(pa.large_string()),
    "codes": WORDS.dictionary_encode(),
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
    "^a.*$": ["x", "x", "y", "z"],
}


def parquet(path, columns, **settings):
    pq.write_table(pa.table(columns), path, **settings)
    return path


@pytest.mark.parametrize("missing", ["level", "drop"])
@pytest.mark.parametrize("row_group_size", [1, 3, 100])
def test_a_file_is_read_as_the_table_that_it_holds(tmp_path, missing, row_group_size):
    columns = COLUMNS
    if missing == "drop":
        columns = {name: COLUMNS[name] for name in COLUMNS if name not in ("nothing", "some")}
    file = parquet(tmp_path / "t.parquet", columns, row_group_size=row_group_size)

    data = read_dataset(file, missing=missing, keep=["all"])

    # A Parquet file does not declare its words, a dictionary of arrow does.
    expected = Dataset.from_data(pa.table({**columns, "codes": WORDS}), missing=missing)
    assert data.fingerprint() == expected.fingerprint()
    assert data.columns == tuple(columns)
    types = [[type(state) for state in own] for own in data.states]
    assert types == [[type(state) for state in own] for own in expected.states]


def test_an_enum_of_polars_declares_its_levels(tmp_path):
    kinds = pl.Enum(["z", "y", "x"])
    pl.DataFrame({"a": pl.Series(["y", "z", "y"], dtype=kinds)}).write_parquet(
        tmp_path / "t.parquet"
    )

    assert read_dataset(tmp_path / "t.parquet").states == (("z", "y", "x"),)


def test_more_columns_than_one_block_holds_are_read(tmp_path):
    values = np.random.default_rng(0).integers(0, 3, (50_000, 90), np.int8)
    columns = {f"x{j:02d}": column for j, column in enumerate(values.T)}

    data = read_dataset(parquet(tmp_path / "t.parquet", columns))

    assert (data.codes == values.T).all()


def test_new_data_may_be_a_file_with_more_columns(tmp_path):
    data = Dataset.from_data({"b": [1, 2], "a": ["x", "y"]})
    file = parquet(tmp_path / "t.parquet", {"a": ["y", "y"], "c": [0.5, 1.5], "b": [2, 1]})

    with read_table(file) as table:
        assert data.encode_like(table).codes.tolist() == [[1, 1], [1, 0]]


def test_decimals_that_are_whole_numbers_are_these_numbers(tmp_path):
    two, five = decimal.Decimal("2.00"), decimal.Decimal("5.00")

    assert read_dataset(parquet(tmp_path / "t.parquet", {"a": [five, two, five]})).states == (
        (2, 5),
    )


@pytest.mark.parametrize(
    ("column", "error", "sentence"),
    [
        (pa.array([0], pa.date32()), DataTypeError, "'a' is of type Date.*the month"),
        ([{"x": 1}], DataTypeError, "'a' is of type Struct"),
        ([[1]], DataTypeError, "'a' is of type List"),
        (pa.array([], pa.int8()), FileFormatError, "0 rows of 1 columns"),
    ],
)
def test_columns_without_levels_are_refused(tmp_path, column, error, sentence):
    file = parquet(tmp_path / "t.parquet", {"a": column})

    with pytest.raises(error, match=sentence):
        read_dataset(file)


def test_a_file_of_pyarrow_is_no_table(path):
    with pytest.raises(DataTypeError, match=r"'ParquetFile': expected a pandas, polars or pyarrow"):
        Dataset.from_data(pq.ParquetFile(path))


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"])
def test_words_of_all_encodings_are_read(tmp_path, encoding):
    columns = {"words": ["b", None, "a", "b"] * 2000, "a": [0, 1, 1, 0] * 2000}
    settings = {"use_dictionary": False, "column_encoding": {"words": encoding}}
    file = parquet(tmp_path / "t.parquet", columns, data_page_version="2.0", **settings)

    data = read_dataset(file, missing="level")

    expected = Dataset.from_data(pa.table(columns), missing="level")
    assert data.fingerprint() == expected.fingerprint()


def test_words_that_are_no_text_are_refused(tmp_path):
    whole = parquet(tmp_path / "t.parquet", {"a": ["sand", "rock"] * 9}, compression="none")
    whole.write_bytes(whole.read_bytes().replace(b"sand", b"s\xff\xfed"))

    with pytest.raises(FileFormatError, match="expected a Parquet file, and a whole one"):
        read_dataset(whole)


def test_two_columns_of_one_name_are_refused(tmp_path):
    pq.write_table(pa.table([[0, 1], [1, 1]], ["a", "a"]), tmp_path / "t.parquet")

    with pytest.raises(DataError, match="column name 'a' occurs more than once"):
        read_dataset(tmp_path / "t.parquet")


# Numbers in the headers of pages become negative where their lowest bit changes.
READ_DAMAGED = """
import sys
from pathlib import Path
from h2pc.errors import H2pcError
from h2pc.io.table_files import read_dataset
path, refused = Path(sys.argv[1]), 0
whole = path.read_bytes()
for at in range(4, len(whole)):
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
    try:
        read_dataset(path, missing="level", levels=2, keep=["all"])
    except H2pcError:
        refused += 1
print(refused / len(whole))
"""


@pytest.mark.parametrize("settings", [{}, {"compression": "none", "use_dictionary": False}])
def test_files_with_a_damaged_bit_do_not_end_the_process(tmp_path, settings):
    columns = {"words": WORDS, "x": [0.5, None, 1.5, 2.0], "wet": [True, None, False, True]}
    file = parquet(tmp_path / "t.parquet", columns, **settings)

    program = [sys.executable, "-W", "ignore", "-c", READ_DAMAGED, file]
    done = subprocess.run(program, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert 0.2 < float(done.stdout) < 1


def test_without_pyarrow_the_extra_is_named(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)

    with pytest.raises(SettingError, match=r"Parquet files need pyarrow: .*'h2pc\[parquet\]'"):
        read_dataset(path)


def test_numbers_and_words_of_a_wide_file_are_read_in_blocks_as_in_a_frame(tmp_path):
    rng = np.random.default_rng(3)
    columns = {f"g{j:03}": rng.normal(size=50).round(3) for j in range(120)}
    columns["g007"] = np.where(np.arange(50) % 9, columns["g007"], np.nan)
    columns |= {f"n{j:02}": rng.integers(0, 9 + 5 * j, 50) for j in range(20)}
    columns |= {"h": rng.choice(["liver", "skin"], 50), "g1": rng.random(50) < 0.5}
    order = rng.permutation(list(columns)).tolist()
    frame = pl.DataFrame({name: columns[name] for name in order})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_csv(tmp_path / "a.csv")

    for levels in (None, 3):
        data = read_dataset(tmp_path / "a.parquet", levels=levels, missing="available")
        table = frame if levels is None else discretize(frame, levels=levels)
        other = Dataset.from_data(table, missing="available")
        assert data.fingerprint() == other.fingerprint()
        found = check(tmp_path / "a.parquet", levels=levels, missing="available")
        assert (found.kind, found.n_continuous) == (data.kind, data.is_continuous.sum())
        # Truth values of a text are words.
        text = read_dataset(tmp_path / "a.csv", levels=levels, missing="available", drop=["g1"])
        assert (
            text.fingerprint()
            == Dataset.from_data(table.drop("g1"), missing="available").fingerprint()
        )


def test_columns_read_in_groups_are_those_of_the_whole_table(tmp_path):
    rng = np.random.default_rng(4)
    kinds = [
        lambda: rng.integers(0, 2, 700).astype(bool),
        lambda: rng.integers(0, 2, 700),
        lambda: rng.integers(-1, 2, 700, np.int8),
        lambda: rng.integers(0, 4, 700, np.int32) * 300,
        lambda: rng.integers(0, 2, 700) * 1.0,
    ]
    runs = [kinds[i % 5] for i in (1, 1, 0, 2, 2, 4, 0, 3, 1, 2)]
    columns = [run() for run in runs for _ in range(600)]
    names = [f"v{j}" for j in rng.permutation(len(columns)).tolist()]
    table = pa.Table.from_arrays(list(map(pa.array, columns)), names=names)
    pq.write_table(table, tmp_path / "wide.parquet", row_group_size=400)

    data = read_dataset(tmp_path / "wide.parquet")

    whole = Dataset.from_data(dict(zip(names, columns, strict=True)))
    assert data.fingerprint() == whole.fingerprint()
    assert data.states == whole.states
    assert {type(states[0]) for states in data.states} == {bool, int}


def test_booleans_among_integers_are_read_once_and_are_what_they_were(tmp_path):
    columns = {f"v{j:02}": np.arange(40) % 3 == 0 if j % 2 else np.arange(40) % 2 for j in range(9)}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")

    data = read_dataset(tmp_path / "a.parquet")

    assert data.fingerprint() == Dataset.from_data(columns).fingerprint()
    with read_table(tmp_path / "a.parquet") as table:
        everything = [table.block([j]) for j in range(9)]
        assert all(block is not None for block in everything)
        assert table.series(1).to_list() == columns["v01"].tolist()
        assert table.column(2).codes.tolist() == columns["v02"].tolist()
        with pytest.raises(DataError, match="column name '0' occurs more than once"):
            table.transposed()  # the file is opened once more


def test_a_file_of_more_columns_than_memory_has_room_for_is_refused(tmp_path):
    columns = {f"v{j:04}": [True, False] for j in range(3000)}
    pq.write_table(pa.table(columns), tmp_path / "wide.parquet")

    with (
        pytest.raises(FileFormatError, match=r"its columns need 0\.\d+ GB of memory to be found"),
        parquet_table(tmp_path / "wide.parquet", MAX_CELLS, 1_000_000),
    ):
        pass
