"""``check``: every column, everything that is wrong, and how to go on."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import h2pc
from h2pc import H2PC, Dataset, check, discretize, read_dataset
from h2pc.errors import H2pcError, SettingError

RNG = np.random.default_rng(0)
N = 200
TABLE = pd.DataFrame(
    {
        "Unnamed: 0": np.arange(N),
        "age": RNG.integers(18, 80, N),
        "sex": RNG.choice(["f", "m"], N),
        "size": RNG.normal(size=N).round(6),
        "unit": "kg",
        "chapter": [None if i % 3 else "a" if i % 2 else "b" for i in range(N)],
        "name": [f"P{i}" for i in range(N)],
        "day": pd.date_range("2020-01-01", periods=N),
    }
)


def by_name(found):
    return {column.name: column for column in found.columns}


@pytest.fixture
def path(tmp_path):
    TABLE.to_csv(tmp_path / "a.csv", index=False)
    return tmp_path / "a.csv"


def test_a_file_is_looked_at_column_by_column(path):
    found = check(path)
    columns = by_name(found)

    assert {name: each.action for name, each in columns.items()} == {
        "Unnamed: 0": "left out",
        "age": "numbers",
        "sex": "levels",
        "size": "numbers",
        "unit": "left out",
        "chapter": "refused",
        "name": "left out",
        "day": "left out",
    }
    assert columns["age"].kind == "whole numbers"
    assert columns["size"].kind == "fractions"
    assert (columns["chapter"].n_values, columns["chapter"].n_missing) == (2, 133)
    assert (found.n_rows, found.n_samples, found.is_ready) == (200, 200, False)
    assert len(found.problems) == 1
    assert found.suggested == {"missing": "available"}
    assert (found.n_discrete, found.n_continuous) == (2, 2)
    assert (found.kind, found.test) == ("mixed", "mixed")


def test_what_is_suggested_works(path):
    for levels in (None, 3):
        found = check(path, levels=levels)

        with pytest.warns(h2pc.DataWarning):
            data = read_dataset(path, levels=levels, **found.suggested)

        used = {"age", "chapter", "sex", "size"}
        assert {each.name: each.levels for each in found.columns if each.name in used} == dict(
            zip(data.names, data.cards.tolist(), strict=True)
        )
        assert found.kind == data.kind
        assert check(path, levels=levels, **found.suggested).is_ready
    with pytest.warns(h2pc.DataWarning):
        eval(found.next_step, {"H2PC": H2PC, "read_dataset": read_dataset})


def test_a_data_frame_is_looked_at_as_the_learners_do():
    found = check(TABLE, levels=3)
    columns = by_name(found)

    with pytest.raises(H2pcError):
        H2PC().fit(TABLE)
    refused = {name for name, each in columns.items() if each.action == "refused"}
    assert refused == {"chapter", "name", "day"}
    assert columns["Unnamed: 0"].use == "cut into 3: row numbers"
    assert by_name(check(TABLE))["Unnamed: 0"].use == "continuous: row numbers"
    assert columns["unit"].use == "1 level: constant"
    assert found.next_step == (
        "H2PC().fit(Dataset.from_data(discretize(data.drop(columns=['name', 'day', 'Unnamed: 0']), "
        "levels=3), missing='available'))"
    )
    eval(
        found.next_step,
        {"H2PC": H2PC, "Dataset": Dataset, "discretize": discretize, "data": TABLE},
    )


@pytest.mark.parametrize(
    "data",
    [
        {"a": [0, 1, 1, 0], "b": ["x", "y", "x", "y"]},
        np.array([[0, 1], [1, 0]]),
        pl.DataFrame({"a": [True, False], "b": ["x", None]}),
        pd.DataFrame({"a": pd.Categorical(["x", "y"], ["x", "y", "z"])}),
        {"a": [object(), object()]},
        {"a": [1, "x"]},
        {"a": [None, None]},
        {"a": [0.5, float("inf")]},
        {"a": [0.5, 1.5], "b": ["x", "y"]},
        {"a": [0.5, None], "b": ["x", "y"]},
        {"a": range(60), "b": [2**70 + i for i in range(60)]},
        pl.DataFrame({"a": pl.Series([2**70 * i for i in range(60)], dtype=pl.Int128)}),
        np.array([[0.5, 1.0], [0.5, np.nan]]),
    ],
    ids=[
        "dict",
        "array",
        "polars",
        "categories",
        "objects",
        "mixture",
        "empty",
        "infinite",
        "fractions",
        "missing fractions",
        "long integers",
        "very long integers",
        "array of floats",
    ],
)
def test_check_agrees_with_encoding_on_what_is_refused(data):
    found = check(data)

    try:
        encoded = Dataset.from_data(data)
    except (ValueError, TypeError):
        assert not found.is_ready
    else:
        assert found.is_ready
        assert [each.levels for each in found.columns] == encoded.cards.tolist()
        assert found.kind == encoded.kind


def test_the_report_prints_converts_and_escapes(path):
    found = check(path)
    frame = found.to_pandas()

    assert "Next: H2PC().fit(read_dataset(" in repr(found)
    assert "Continuous variables (2) and discrete ones (2): the test auto is mixed" in repr(found)
    assert frame.loc["age", "action"] == "numbers"
    assert list(frame.columns) == ["kind", "n_values", "n_missing", "action", "levels", "reason"]
    html = check({"<b>": [0, 1]})._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_many_columns_are_not_all_printed():
    found = check({f"v{j:03}": [0, 1] for j in range(200)})

    assert "… 140 more columns" in repr(found)
    assert len(found.to_pandas()) == 200


def test_variables_that_no_test_has_samples_for_are_named():
    places = np.char.add("p", (np.arange(240) % 61).astype(str))
    data = {"place": places, "a": np.arange(240) % 2, "b": np.arange(240) // 2 % 2}
    found = check(data)

    assert found.untestable == ("place",)
    assert found.untested.marginal == pytest.approx(2 / 3)
    assert found.untested.given_one == 1.0
    assert check(data, power_rule=0.0).untested.marginal == 0.0
    # The tests of continuous and mixed data need no samples per cell.
    mixed = check({**data, "x": np.arange(240) / 7})
    assert (mixed.untestable, mixed.untested) == ((), None)
    assert "samples per cell" not in repr(mixed)
    assert check({**data, "x": np.arange(240) / 7}, levels=2).untestable == ("place",)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"a": [0, 1] * 20}, "Discrete variables: the test auto is G²."),
        ({"a": [0.5, 1.5] * 20}, "Continuous variables: the test auto is Gaussian, of partial"),
        (
            {"a": [0.5, 1.5] * 20, "b": [0, 1] * 20, "c": list("xy") * 20},
            "Continuous variables (1) and discrete ones (2): the test auto is mixed, of lik",
        ),
    ],
)
def test_the_kind_of_table_and_its_test_are_said(data, sentence):
    assert sentence in repr(check(data))


def test_missing_numbers_as_a_level_are_refused_with_the_ways_out():
    data = {"x": [0.5, None, 1.5, 2.5] * 20, "y": list("abab") * 20}
    found = check(data, missing="level")

    assert found.problems == (
        "missing values in column 'x' (20) of numbers, which have no levels: expected none",
    )
    assert [(each.parameter, each.value) for each in found.remedies] == [
        ("missing", "drop"),
        ("missing", "available"),
        ("levels", 2),
    ]
    assert found.suggested == {"missing": "available"}
    assert check(data, missing="level", levels=2).is_ready


def test_options_of_files_are_refused_for_tables():
    with pytest.raises(SettingError, match="sep=';' came with a table: expected a file"):
        check(TABLE, sep=";")


def test_genes_as_rows_are_noticed(tmp_path):
    genes = pl.DataFrame(
        {"gene": [f"G{i}" for i in range(30)]}
        | {f"S{j}": RNG.normal(size=30).round(3) for j in range(8)}
    )
    genes.write_csv(tmp_path / "g.csv")

    assert any("transpose" in str(notice) for notice in check(tmp_path / "g.csv").notices)
    turned = check(tmp_path / "g.csv", transpose=True)
    assert turned.is_ready
    assert turned.kind == "continuous"
    assert len(turned.columns) == 30
