"""Columns that are no variables: row numbers, constants, identifiers, the index of pandas."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from h2pc import read_dataset
from h2pc.errors import DataError, DataWarning, SettingError

N = 300
RNG = np.random.default_rng(0)
COLUMNS = {
    "sex": RNG.choice(["f", "m"], N).tolist(),
    "ages": RNG.integers(18, 80, N).tolist(),
    "weight": RNG.normal(70, 9, N).round(6).tolist(),
    "population": np.unique(RNG.integers(1000, 10**9, 2 * N))[RNG.permutation(N)].tolist(),
}
USED = tuple(sorted(COLUMNS))


def written(tmp_path, ending, columns):
    """A file with some more columns before the usual ones."""
    frame = pl.DataFrame({**columns, **COLUMNS}, strict=False)
    path = tmp_path / f"a.{ending}"
    if ending == "csv":
        frame.write_csv(path)
    elif ending == "parquet":
        frame.write_parquet(path)
    else:
        pytest.importorskip("fastexcel")
        frame.write_excel(path)
    return path


ONE_MORE = {
    "row numbers": ("Unnamed: 0", list(range(N)), "row numbers"),
    "row numbers of R": ("X", list(range(1, N + 1)), "row numbers"),
    "row numbers with gaps": ("index", list(range(0, 3 * N, 3)), "row numbers"),
    "constant": ("unit", ["kg"] * N, "constant"),
    "empty": ("notes", [None] * N, "empty"),
    "words": ("customer", [f"C{i}" for i in range(N)], "identifier: 300 values in 300 rows"),
    "nearly": ("mail", [f"m{max(3, i)}" for i in range(N)], "identifier: 297 values in 300 rows"),
    "shuffled": ("account", RNG.permutation(N).tolist(), "identifier"),
    "named": ("patient_id", (RNG.permutation(N) * 10**7 + 3).tolist(), "identifier"),
    "years": ("year", list(range(1700, 1700 + N)), "row numbers"),
}


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
@pytest.mark.parametrize("case", ONE_MORE)
def test_a_column_that_is_no_variable_is_left_out_by_name_and_can_be_kept(tmp_path, case, ending):
    name, values, reason = ONE_MORE[case]
    path = written(tmp_path, ending, {name: values})

    with pytest.warns(DataWarning) as notices:
        data = read_dataset(path, levels=3)

    assert data.names == USED
    (notice,) = [str(each.message) for each in notices]
    assert notice.startswith(f"left out {name!r} ({reason}")
    assert notice.endswith(f"keep=[{name!r}] keeps it")
    if case != "empty":
        for keep in ([name], ["all"]):
            assert set(read_dataset(path, levels=3, keep=keep).names) == {name, *USED}
        assert read_dataset(path, columns=[name, "sex"], levels=3).columns == (name, "sex")


def test_measurements_are_kept_although_all_differ(tmp_path):
    data = read_dataset(written(tmp_path, "csv", {}), levels=3)

    assert data.names == USED
    assert data.cards.tolist() == [3, 3, 2, 3]


def test_a_nameless_first_column_is_left_out_if_it_names_or_numbers_rows(tmp_path):
    frame = pd.DataFrame({"a": [0, 1, 1, 0], "b": [1, 1, 0, 0]})
    frame.to_csv(tmp_path / "numbers.csv")
    frame.set_axis(list("wxyz")).to_csv(tmp_path / "names.csv")

    for name in ("numbers", "names"):
        with pytest.warns(DataWarning, match="left out 'column 1'"):
            assert read_dataset(tmp_path / f"{name}.csv").names == ("a", "b")
    with pytest.warns(DataWarning):
        assert read_dataset(tmp_path / "numbers.csv", header=True).names == ("a", "b")


def test_a_nameless_column_that_describes_is_a_variable(tmp_path):
    (tmp_path / "a.csv").write_text(",b\nx,1\ny,0\nx,1\ny,1\n")

    assert read_dataset(tmp_path / "a.csv").names == ("b", "column 1")


def test_the_index_of_pandas_in_parquet_is_no_column(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": [0, 1, 1, 0], "b": [1, 1, 0, 0]})
    indexes = {
        "__index_level_0__": frame.set_axis(list("xxyy")),
        "who": frame.set_axis(pd.Index(list("xxyy"), name="who")),
    }
    for name, indexed in indexes.items():
        indexed.to_parquet(tmp_path / "a.parquet")
        with pytest.warns(DataWarning, match=rf"left out '{name}' \(index of a data frame\)"):
            assert read_dataset(tmp_path / "a.parquet").names == ("a", "b")
        assert name in read_dataset(tmp_path / "a.parquet", keep=[name]).names
    frame.to_parquet(tmp_path / "a.parquet")  # a range is not stored
    assert read_dataset(tmp_path / "a.parquet").names == ("a", "b")


def test_one_value_and_missing_ones_are_two_levels_where_missing_is_a_level(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\nyes,1\n,0\nyes,1\n,1\n")

    assert read_dataset(tmp_path / "a.csv", missing="level").names == ("a", "b")
    with pytest.warns(DataWarning, match=r"left out 'a' \(constant\)"):
        data = read_dataset(tmp_path / "a.csv", missing="drop")
    assert data.n_samples == 4  # the holes of a column that is left out drop no row


def test_everything_that_is_wrong_is_said_at_once(tmp_path):
    pl.DataFrame(
        {
            "size": [0.5, 1.5, float("inf"), 3.5],
            "day": pl.Series([1, 2, 3, 4]).cast(pl.Date),
            "sex": ["f", None, "m", "m"],
            "age": [1, 2, None, 3],
        }
    ).write_parquet(tmp_path / "a.parquet")

    with pytest.raises(DataError) as error:
        read_dataset(tmp_path / "a.parquet")

    sentence = str(error.value)
    assert "column 'size' holds infinite values: expected finite numbers" in sentence
    assert "column 'day' is of type" in sentence
    assert "missing values in columns 'sex' (1), 'age' (1): expected none" in sentence
    for remedy in ("drop=['size', 'day'] leaves them out", "missing='drop' drops"):
        assert remedy in sentence
    dropped = read_dataset(tmp_path / "a.parquet", drop=["day", "size"], missing="drop")
    assert dropped.names == ("age", "sex")


def test_a_column_to_keep_must_be_there(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,1\n0,0\n")

    with pytest.raises(DataError, match="unknown column 'c': expected one of 'a', 'b'"):
        read_dataset(tmp_path / "a.csv", keep=["c"])


GENES = pl.DataFrame(
    {"gene": [f"G{i}" for i in range(40)]}
    | {f"GSM{j}": RNG.normal(size=40).round(3) for j in range(12)}
)


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_genes_as_rows_are_noticed_and_become_variables(tmp_path, ending):
    path = tmp_path / f"genes.{ending}"
    if ending == "xlsx":
        pytest.importorskip("fastexcel")
        GENES.write_excel(path)
    else:
        getattr(GENES, f"write_{ending}")(path)

    with pytest.warns(DataWarning) as notices:
        read_dataset(path, levels=2)
    data = read_dataset(path, levels=2, transpose=True)

    assert any("transpose=True makes the rows variables" in str(n.message) for n in notices)
    assert data.names == tuple(sorted(GENES["gene"].to_list()))
    assert data.n_samples == 12
    assert data.cards.tolist() == [2] * 40


@pytest.mark.parametrize(
    "names",
    [["x1", "x2", "x3", "x4", "x5", "x6", "x7"], ["mpg", "hp", "wt", "qs", "dr", "am", "z"]],
)
def test_names_with_measurements_are_not_taken_for_genes(tmp_path, names):
    frame = GENES.select("gene", *(f"GSM{j}" for j in range(7)))
    frame.columns = ["gene", *names]
    frame.write_csv(tmp_path / "a.csv")

    with pytest.warns(DataWarning) as notices:
        read_dataset(tmp_path / "a.csv", levels=2)
    assert not any("transpose" in str(notice.message) for notice in notices)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("g,s1,s2\na,1,2\na,2,3\n", "'g' does not name the variables: column name 'a' occurs"),
        ("g,s1,s2\na,1,2\n,2,3\n", "'g' does not name the variables: row 2 has no name"),
        ("g\na\nb\n", "a single column: expected names"),
    ],
)
def test_rows_without_names_do_not_become_variables(tmp_path, content, sentence):
    (tmp_path / "a.csv").write_text(content)

    with pytest.raises(DataError) as error:
        read_dataset(tmp_path / "a.csv", transpose=True)
    assert sentence in str(error.value)


def test_forms_of_text_are_refused_where_a_file_is_none(tmp_path):
    pl.DataFrame({"a": [1, 0]}).write_parquet(tmp_path / "a.parquet")
    (tmp_path / "a.arff").write_text("@relation r\n@attribute a numeric\n@data\n1\n0\n")

    with pytest.raises(SettingError, match=r"sep=';' came with .*a.parquet: expected a text file"):
        read_dataset(tmp_path / "a.parquet", sep=";")
    with pytest.raises(SettingError, match="transpose=True came with ARFF"):
        read_dataset(tmp_path / "a.arff", transpose=True)
