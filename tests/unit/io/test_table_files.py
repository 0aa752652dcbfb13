"""Any table file as a data set: the same table in every format, columns cut, holes told."""

import bz2
import gzip
import lzma

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import Dataset, Discretizer, check
from h2pc.errors import DataError, FileFormatError, SettingError
from h2pc.io.table_files import csv_table, encoded, read_dataset, read_table, selected
from strategies import examples

ROWS = [("sand", 3, 7), ("rock", 1, 8), ("sand", 2, 7), ("mud", 3, 8)]
NAMES = ("ground", "depth", "wind")
ARFF = (
    "@relation coast\n@attribute ground {rock,sand,mud,ice}\n@attribute depth numeric\n"
    "@attribute wind numeric\n@data\n"
)


def text(between: str) -> str:
    return "".join(between.join(map(str, row)) + "\n" for row in [NAMES, *ROWS])


@pytest.fixture
def table(tmp_path):
    """Writes a file, and returns its path."""

    def writing(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return writing


@pytest.fixture
def workbook(tmp_path):
    """Writes an Excel file, and returns its path."""
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("fastexcel")

    def writing(rows):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(tmp_path / "coast.xlsx")
        return tmp_path / "coast.xlsx"

    return writing


def assert_is_the_coast(data: Dataset) -> None:
    assert data.names == ("depth", "ground", "wind")
    assert data.columns == NAMES
    assert data.states == ((1, 2, 3), ("mud", "rock", "sand"), (7, 8))
    assert data.codes.tolist() == [[2, 0, 1, 2], [2, 1, 2, 0], [0, 1, 0, 1]]


@pytest.mark.parametrize(("ending", "between"), [("csv", ","), ("tsv", "\t"), ("tab", "\t")])
@pytest.mark.parametrize(
    ("packing", "pack"),
    [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
def test_texts_are_read_packed_or_not(table, ending, between, packing, pack):
    path = table(f"coast.{ending}{packing}", pack(text(between).encode()))

    assert_is_the_coast(read_dataset(path))


def test_parquet_is_read(tmp_path):
    pl.DataFrame(ROWS, schema=NAMES, orient="row").write_parquet(tmp_path / "coast.parquet")

    assert_is_the_coast(read_dataset(tmp_path / "coast.parquet"))


def test_the_first_sheet_of_an_excel_file_is_read(workbook):
    assert_is_the_coast(read_dataset(workbook([NAMES, *ROWS])))


def test_cells_of_excel_are_numbers_words_and_missing_as_in_text(workbook):
    path = workbook([["a", " b", "c"], [1.0, "NA", True], [2.0, "x", False], [None, "1.5", True]])
    data = read_dataset(path, missing="level")

    assert data.names == ("a", "b", "c")
    assert data.states == ((1, 2, None), ("1.5", "x", None), (False, True))


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([["a", "a"], [1, 2]], "row 1: column name 'a' occurs more than once"),
        ([["a", "b"]], "no rows: expected names in the first row"),
        ([], "no rows: expected names in the first row"),
    ],
)
def test_excel_files_without_a_table_are_refused(workbook, rows, sentence):
    with pytest.raises(FileFormatError) as told:
        read_dataset(workbook(rows))
    assert f"coast.xlsx{',' if 'row 1' in sentence else ':'} {sentence}" in str(told.value)


def test_damaged_excel_files_are_refused(table):
    with pytest.raises(FileFormatError, match=r"a.xlsx: expected an Excel file, and a whole one"):
        read_dataset(table("a.xlsx", b"PK nonsense"))


def test_categories_of_arff_are_levels_in_their_order_seen_or_not(table):
    path = table("coast.arff", ARFF + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS))
    data = read_dataset(path)

    assert data.states[1] == ("rock", "sand", "mud", "ice")
    assert data.codes[1].tolist() == [1, 0, 1, 2]


def test_sparse_arff_is_read(table):
    header = "@relation r\n@attribute a {no,yes}\n@attribute b numeric\n@data\n"
    data = read_dataset(table("sparse.arff", header + "{0 yes}\n{1 3}\n{}\n"))

    assert data.states == (("no", "yes"), (0, 3))
    assert data.codes.tolist() == [[1, 0, 0], [0, 1, 0]]


def test_tabs_inside_quotes_and_commas_are_part_of_cells(table):
    data = read_dataset(table("a.tsv", 'a\tb\n"x\ty"\t1,5;\n"say ""z"""\t2,5;\n'))

    assert data.states == (('say "z"', "x\ty"), ("1,5;", "2,5;"))


def test_fractions_are_numbers_or_cut_as_the_discretizer_does(table):
    values = np.random.default_rng(0).normal(size=200)
    path = table("a.csv", "x\n" + "".join(f"{value!r}\n" for value in values.tolist()))

    assert read_dataset(path).values.tolist() == [values.tolist()]
    for strategy in ("quantile", "uniform"):
        data = read_dataset(path, levels=4, strategy=strategy)
        expected = Discretizer(strategy, 4).fit(values[:, None]).transform(values[:, None])[:, 0]
        assert data.codes[0].tolist() == expected.tolist()


def test_whole_numbers_are_cut_where_they_are_many_kinds(table):
    path = table("a.csv", "few,many\n" + "".join(f"{i % 20},{i % 21}\n" for i in range(420)))

    assert read_dataset(path).cards.tolist() == [20, 0]
    assert read_dataset(path).values.tolist() == [[i % 21 for i in range(420)]]
    assert read_dataset(path, levels=3).cards.tolist() == [20, 3]


def test_missing_values_of_cut_columns_stay_missing(table):
    path = table("a.csv", "x,y\n0.5,a\n,b\n2.5,\n3.5,b\n")

    with pytest.raises(DataError, match=r"missing values in columns 'x' \(1\), 'y' \(1\)"):
        read_dataset(path, levels=2)
    dropped = read_dataset(path, levels=2, missing="drop")
    level = read_dataset(path, levels=2, missing="level")
    available = read_dataset(path, levels=2, missing="available")
    assert available.n_missing.tolist() == [1, 1]
    assert available.cards.tolist() == [2, 2]
    assert dropped.n_samples == 2
    assert [states[-1] for states in level.states] == [None, None]


def test_dropping_rows_drops_words_that_are_gone(table):
    data = read_dataset(table("a.csv", "x,y\n0,a\n,b\n1,a\n"), missing="drop")

    assert data.states == ((0, 1), ("a",))


@given(
    st.lists(
        st.tuples(st.integers(-5, 5), st.sampled_from(["a", "b", "c"]), st.integers(0, 1)),
        min_size=1,
        max_size=30,
    )
)
@examples(50)
def test_csv_and_data_frames_make_the_same_data_set(rows):
    columns = {"z": [r[0] for r in rows], "m": [r[1] for r in rows], "a": [r[2] for r in rows]}
    content = "z,m,a\n" + "".join(f"{z},{m},{a}\n" for z, m, a in rows)
    data = encoded(csv_table(content.encode(), "text"))

    assert data.fingerprint() == Dataset.from_data(columns).fingerprint()


@pytest.mark.parametrize("ending", ["csv", "parquet", "arff"])
def test_columns_are_chosen_and_dropped_in_their_order(table, tmp_path, ending):
    if ending == "parquet":
        path = tmp_path / "coast.parquet"
        pl.DataFrame(ROWS, schema=NAMES, orient="row").write_parquet(path)
    elif ending == "arff":
        path = table("coast.arff", ARFF + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS))
    else:
        path = table("coast.csv", text(","))

    assert read_dataset(path, columns=["wind", "ground"]).columns == ("ground", "wind")
    assert read_dataset(path, drop=["depth"]).columns == ("ground", "wind")
    assert read_dataset(path, drop=["depth"]).codes[1].tolist() == [0, 1, 0, 1]
    with read_table(path) as read:
        with pytest.raises(DataError, match="unknown column 'sky': expected one of 'ground'"):
            selected(read, ["sky"])
        with pytest.raises(DataError, match="no column is left"):
            selected(read, ["wind"], ["wind"])


def test_columns_with_fractions_are_continuous(table):
    data = read_dataset(table("a.csv", "a,b,c,d\n1,1.5,x,0.5\n2.0,2,1.5,0.25\n"))

    assert data.states == ((1, 2), (), ("1.5", "x"), ())
    assert data.is_continuous.tolist() == [False, True, False, True]
    assert data.values.tolist() == [[1.5, 2.0], [0.5, 0.25]]


def test_missing_numbers_are_no_level(table):
    path = table("a.csv", "x,y\n0.5,a\n,b\n2.5,\n3.5,b\n")

    with pytest.raises(DataError) as refused:
        read_dataset(path)
    with pytest.raises(DataError) as level:
        read_dataset(path, missing="level")
    available = read_dataset(path, missing="available")

    assert "missing='level'" not in str(refused.value)
    assert "missing values in column 'x' (1) of numbers, which have no levels" in str(level.value)
    for remedy in ("missing='drop'", "missing='available'", "levels=2 cuts numbers"):
        assert remedy in str(level.value)
    assert available.n_missing.tolist() == [1, 1]
    assert np.isnan(available.values[0]).tolist() == [False, True, False, False]
    assert read_dataset(path, missing="drop").values.tolist() == [[0.5, 3.5]]
    assert read_dataset(path, missing="level", levels=2).kind == "discrete"


def test_the_limit_of_levels_is_none_of_numbers(table):
    rows = "".join(f"{i % 50 / 8},{i % 30},{'xyz'[i % 3]}\n" for i in range(100))
    path = table("a.csv", "x,many,word\n" + rows)

    assert read_dataset(path, max_levels=3).cards.tolist() == [0, 3, 0]
    with pytest.raises(DataError, match="column 'word' has 3 levels: expected at most 2"):
        read_dataset(path, max_levels=2)


@pytest.mark.parametrize("width", [1, 150])
def test_long_integers_of_a_text_are_those_of_a_frame(table, width):
    names = [f"v{j:03}" for j in range(width)]
    few = [[2**60 + (i + j) % 3 for j in range(width)] for i in range(40)]
    text = "\n".join([",".join(names), *(",".join(map(str, row)) for row in few)])

    data = read_dataset(table("a.csv", text + "\n"))

    assert data.states == ((2**60, 2**60 + 1, 2**60 + 2),) * width


def test_many_long_integers_that_are_one_number_are_refused(table):
    path = table("a.csv", "a,b\n" + "".join(f"{2**60 + i % 40},{i % 2}\n" for i in range(80)))

    with pytest.raises(DataError, match="'a' holds integers so long that floats cannot tell"):
        read_dataset(path)
    assert not check(path).is_ready


def test_cutting_is_that_of_the_discretizer_for_every_kind_of_file(table, tmp_path):
    values = np.random.default_rng(1).normal(size=90).round(3)
    frame = pl.DataFrame({"x": values, "many": np.arange(90) % 30, "few": np.arange(90) % 2})
    frame.write_parquet(tmp_path / "a.parquet")
    rows = "".join(f"{x!r},{many},{few}\n" for x, many, few in frame.iter_rows())
    header = "".join(f"@attribute {name} numeric\n" for name in frame.columns)
    paths = [
        tmp_path / "a.parquet",
        table("a.csv", "x,many,few\n" + rows),
        table("a.arff", f"@relation r\n{header}@data\n{rows}"),
    ]

    cut = Discretizer("uniform", 4, columns=["x", "many"]).fit(frame).transform(frame)
    expected = Dataset.from_data(cut)
    for path in paths:
        data = read_dataset(path, levels=4, strategy="uniform")
        assert data.fingerprint() == expected.fingerprint()


@pytest.mark.parametrize(
    ("name", "content", "error", "sentence"),
    [
        ("a.doc", "", SettingError, "expected a name that ends in .csv, .tsv"),
        ("a.csv", "", FileFormatError, "expected the names of the columns"),
        ("a.tsv", "a\tb\n1\n", FileFormatError, "a.tsv, line 2: a row of 1 values: expected 2"),
        ("a.tsv", 'a\tb\n1\t2\n"x\ty\n', FileFormatError, "a.tsv, line 3"),
        ("a.csv", "id\n" + "".join(f"{i}\n" for i in range(99)), DataError, "no column is left"),
    ],
)
def test_what_cannot_be_read_is_told(table, name, content, error, sentence):
    path = table(name, content)

    with pytest.raises(error) as told:
        read_dataset(path)
    assert sentence in str(told.value)
