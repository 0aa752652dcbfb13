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
        "age": "cut",
        "sex": "levels",
        "size": "refused",
        "unit": "left out",
        "chapter": "refused",
        "name": "left out",
        "day": "left out",
    }
    assert columns["age"].kind == "whole numbers"
    assert columns["size"].kind == "fractions"
    assert (columns["chapter"].n_values, columns["chapter"].n_missing) == (2, 133)
    assert (found.n_rows, found.n_samples, found.is_ready) == (200, 200, False)
    assert len(found.problems) == 2
    assert found.suggested == {"levels": 3, "missing": "available"}


def test_what_is_suggested_works(path):
    found = check(path)

    with pytest.warns(h2pc.DataWarning):
        data = read_dataset(path, **found.suggested)
    with pytest.warns(h2pc.DataWarning):
        eval(found.next_step, {"H2PC": H2PC, "read_dataset": read_dataset})

    assert {each.name: each.levels for each in found.columns if each.levels} == dict(
        zip(data.names, data.cards.tolist(), strict=True)
    )
    assert check(path, **found.suggested).is_ready


def test_a_data_frame_is_looked_at_as_the_learners_do():
    found = check(TABLE)
    columns = by_name(found)

    with pytest.raises(H2pcError):
        H2PC().fit(TABLE)
    refused = {name for name, each in columns.items() if each.action == "refused"}
    assert refused == {"Unnamed: 0", "size", "chapter", "name", "day"}
    assert columns["unit"].use == "1 level: constant"
    assert found.next_step == (
        "H2PC().fit(Dataset.from_data(discretize(data.drop(columns=['Unnamed: 0', 'name', "
        "'day']), levels=3), missing='available'))"
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
    ],
    ids=["dict", "array", "polars", "categories", "objects", "mixture", "empty", "infinite"],
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


def test_the_report_prints_converts_and_escapes(path):
    found = check(path)
    frame = found.to_pandas()

    assert "Next: H2PC().fit(read_dataset(" in repr(found)
    assert "levels=3 cuts" not in repr(found).splitlines()[0]
    assert frame.loc["age", "action"] == "cut"
    assert list(frame.columns) == ["kind", "n_values", "n_missing", "action", "levels", "reason"]
    html = check({"<b>": [0, 1]})._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_many_columns_are_not_all_printed():
    found = check({f"v{j:03}": [0, 1] for j in range(200)})

    assert "… 140 more columns" in repr(found)
    assert len(found.to_pandas()) == 200


def test_variables_that_no_test_has_samples_for_are_named():
    data = {"age": np.arange(240) % 61, "a": np.arange(240) % 2, "b": np.arange(240) // 2 % 2}
    found = check(data)

    assert found.untestable == ("age",)
    assert found.untested.marginal == pytest.approx(2 / 3)
    assert found.untested.given_one == 1.0
    assert check(data, levels=2).untestable == ()
    assert check(data, power_rule=0.0).untested.marginal == 0.0


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
    assert turned.suggested == {"levels": 2}
    assert len(turned.columns) == 30
