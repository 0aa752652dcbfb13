"""Commands on tables of continuous and of mixed variables."""

import json

import pytest

from continuous_data import EDGES, continuous_frame, holed, mixed_frame

LINKED = {tuple(sorted(edge)) for edge in EDGES}


@pytest.fixture(scope="module", params=["continuous", "mixed"])
def table(request, tmp_path_factory):
    frame = continuous_frame() if request.param == "continuous" else mixed_frame()
    path = tmp_path_factory.mktemp("tables") / f"{request.param}.csv"
    frame.to_csv(path, index=False)
    return path


def test_learn_takes_the_table_as_it_is_and_says_how(run, table):
    told = run("learn", table)

    assert told.exit_code == 0, told.output
    assert "continuous: test " in told.stderr
    assert "correlation" in told.stdout
    assert "Traceback" not in told.output


def test_learn_finds_the_edges(run, table):
    answer = json.loads(run("learn", table, "--json").stdout)

    assert {tuple(sorted(edge)) for edge in answer["edges"]} == LINKED
    assert answer["kind"] == table.stem
    assert answer["settings"]["test"] == {"continuous": "gaussian", "mixed": "mixed"}[table.stem]
    assert answer["settings"]["scoring"] == "bic"


def test_cutting_is_one_option(run, table):
    answer = json.loads(run("learn", table, "--discretize", 3, "--json").stdout)

    assert answer["kind"] == "discrete"
    assert answer["settings"]["test"] == "g2"


def test_pictures_pages_and_graphs_are_written(run, table, tmp_path):
    outputs = [tmp_path / f"network.{ending}" for ending in ("html", "svg", "dot", "json", "csv")]
    told = run("learn", table, *(word for path in outputs for word in ("-o", path)))

    assert told.exit_code == 0, told.output
    assert all(path.stat().st_size > 0 for path in outputs)


def test_formats_of_tables_cannot_hold_numbers_and_say_so(run, table, tmp_path):
    told = run("learn", table, "-o", tmp_path / "network.bif")

    assert told.exit_code != 0
    assert told.stderr.count("Error: ") == 1
    assert not (tmp_path / "network.bif").exists()


def test_neighbours_have_correlations(run, table):
    told = run("neighbours", table, "--targets", "c")

    assert told.exit_code == 0, told.output
    assert "Markov boundary of c: b, d, e" in told.stdout
    assert "partial correlation" in told.stdout


def test_neighbours_print_json(run, table):
    answer = json.loads(run("neighbours", table, "--targets", "c", "--json").stdout)
    link = next(each for each in answer["targets"][0]["neighbours"] if each["name"] == "d")

    assert -1 < link["correlation"] < -0.3


def test_strengths_are_counted(run, table, tmp_path):
    told = run("strength", table, "--n-replicates", 5, "--json", "--checkpoint", tmp_path / "runs")

    assert told.exit_code == 0, told.output
    assert len(json.loads(told.stdout)["averaged"]) >= 3


def test_graphs_are_scored(run, table, tmp_path):
    assert run("learn", table, "-o", tmp_path / "found.dot", "--quiet").exit_code == 0
    told = run("score", tmp_path / "found.dot", table, "--json")

    assert told.exit_code == 0, told.output
    assert {"bic", "aic", "loglik"} <= set(json.loads(told.stdout)["scores"])


def test_a_table_is_checked(run, table):
    told = run("check", table)

    assert told.exit_code == 0, told.output
    assert table.stem in told.stdout


def test_missing_cells_are_available_cases(run, tmp_path):
    path = tmp_path / "holed.csv"
    holed(continuous_frame()).to_csv(path, index=False)

    assert run("learn", path).exit_code != 0
    answer = json.loads(run("learn", path, "--missing", "available", "--json").stdout)
    assert {tuple(sorted(edge)) for edge in answer["edges"]} >= {("a", "b"), ("c", "e")}
