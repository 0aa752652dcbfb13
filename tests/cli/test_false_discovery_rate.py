"""``h2pc learn --fdr``: edges whose q-value is small, in tables, files and JSON."""

import csv
import json

import pytest

from h2pc import H2PC, MMHC, load_network, read_dataset
from h2pc.learners.edge_table import COLUMNS

ASIA = load_network("asia").sample(5000, random_state=2)


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def answer_of(told):
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout)


@pytest.mark.parametrize(
    ("algorithm", "learner", "method"),
    [("h2pc", H2PC, "by"), ("h2pc", H2PC, "bh"), ("mmhc", MMHC, "by")],
)
def test_edges_are_those_of_the_learner_with_that_rate(run, asia_file, algorithm, learner, method):
    options = ("-a", algorithm, "--fdr", 0.05, "--fdr-method", method)
    answer = answer_of(run("learn", asia_file, *options, "--json"))
    fitted = learner(fdr=0.05, fdr_method=method).fit(ASIA)

    assert [tuple(edge) for edge in answer["edges"]] == fitted.edges_
    assert [tuple(edge) for edge in answer["skeleton"]] == fitted.skeleton_edges_
    assert (answer["settings"]["fdr"], answer["settings"]["fdr_method"]) == (0.05, method)
    assert {frozenset(e) for e in answer["edges"]} <= {frozenset(e) for e in answer["skeleton"]}


def test_a_smaller_rate_keeps_a_part_of_the_skeleton(run, asia_file):
    some, few = (
        answer_of(run("learn", asia_file, "--fdr", level, "--json"))["skeleton"]
        for level in (0.05, 1e-30)
    )

    assert 0 < len(few) < len(some)
    assert all(edge in some for edge in few)


def test_links_in_json_have_p_values_and_q_values_as_logarithms(run, asia_file):
    links = answer_of(run("learn", asia_file, "--fdr", 0.05, "--json"))["links"]
    table = H2PC(fdr=0.05).fit(ASIA).edge_table_

    assert [(link["parent"], link["child"]) for link in links] == [
        (link.parent, link.child) for link in table
    ]
    for shown, link in zip(links, table, strict=True):
        assert shown["weakest_log10_p"] == link.weakest_log10_p
        assert shown["weakest_given"] == list(link.weakest_given)
        assert shown["log10_q"] == link.log10_q <= -1.3
        assert shown["identifiable"] == link.identifiable
        assert shown["strength"] is shown["direction"] is None


def test_the_table_has_the_weakest_p_value_and_q(run, asia_file):
    told = run("learn", asia_file, "--fdr", 0.05)
    lines = [line for line in told.stdout.splitlines() if "│" in line or "┃" in line]

    assert [cell.strip() for cell in lines[0].split("┃")][-3:-1] == ["weakest log10 p", "q"]
    shown = [float(line.split("│")[-2]) for line in lines[1:]]
    assert len(shown) == len(H2PC(fdr=0.05).fit(ASIA).edges_)
    assert all(q <= 0.05 for q in shown)


def test_a_csv_file_has_the_whole_table_in_order(run, asia_file, tmp_path):
    file = tmp_path / "edges.csv"
    told = run("learn", asia_file, "-q", "--fdr", 0.05, "-o", file)
    rows, table = rows_of(file), H2PC(fdr=0.05).fit(ASIA).edge_table_

    assert (told.exit_code, told.output) == (0, "")
    assert list(rows[0]) == list(COLUMNS)
    assert len(rows) == len(table)
    for row, link in zip(rows, table, strict=True):
        assert (row["parent"], row["child"]) == (link.parent, link.child)
        assert float(row["log10_p_value"]) == link.weakest_log10_p
        assert float(row["q_value"]) == pytest.approx(10.0**link.log10_q)
        assert float(row["q_value"]) <= 0.05
        assert row["weakest_given"] == "; ".join(link.weakest_given)
        assert float(row["gain"]) == link.gain
        assert row["identifiable"] == str(link.identifiable).lower()
        assert row["strength"] == row["direction"] == row["correlation"] == ""


def test_without_a_skeleton_a_csv_file_has_empty_cells(run, asia_file, tmp_path):
    file = tmp_path / "edges.csv"
    run("learn", asia_file, "-q", "-a", "ges", "-o", file)
    rows = rows_of(file)

    assert len(rows) == 8
    for row in rows:
        assert row["p_value"] == row["q_value"] == row["weakest_given"] == ""
        assert float(row["gain"]) > 0


def test_a_method_alone_changes_the_q_values_and_keeps_all_edges(run, asia_file):
    plain, other = (
        answer_of(run("learn", asia_file, *options, "--json"))
        for options in ((), ("--fdr-method", "bh"))
    )

    assert plain["edges"] == other["edges"]
    assert plain["skeleton"] == other["skeleton"]
    found = {(link["parent"], link["child"]): link["log10_q"] for link in other["links"]}
    smaller = [link["log10_q"] - found[link["parent"], link["child"]] for link in plain["links"]]
    assert min(smaller) == 0.0 < max(smaller)


def test_targets_keep_to_the_rate(run, asia_file):
    answer = answer_of(run("learn", asia_file, "-t", "lung", "--fdr", 0.05, "--json"))
    fitted = H2PC(fdr=0.05, targets=["lung"]).fit(ASIA)

    assert [tuple(edge) for edge in answer["edges"]] == fitted.edges_
    assert answer["markov_boundaries"] == fitted.markov_boundaries_


@pytest.mark.parametrize("level", ["2", "0", "-0.5", "nan"])
def test_levels_outside_zero_and_one_are_refused(run, asia_file, refused, level):
    told = run("learn", asia_file, "--fdr", level)

    refused(told, 2, "--fdr must be a number above 0 and at most 1; got")


@pytest.mark.parametrize(
    ("options", "name"),
    [(("--fdr", "much"), "--fdr"), (("--fdr", 0.05, "--fdr-method", "holm"), "--fdr-method")],
)
def test_other_words_are_refused_by_the_name_of_the_option(run, asia_file, options, name):
    told = run("learn", asia_file, *options)

    assert told.exit_code == 2
    assert told.stdout == ""
    assert f"Error: Invalid value for '{name}'" in told.stderr


@pytest.mark.parametrize("algorithm", ["hc", "tabu", "ges"])
@pytest.mark.parametrize("options", [("--fdr", 0.05), ("--fdr-method", "bh")])
def test_algorithms_without_a_skeleton_have_no_rate(run, asia_file, refused, algorithm, options):
    told = run("learn", asia_file, "-a", algorithm, *options)

    refused(told, 2, f"{options[0]} does not go with --algorithm {algorithm}.")


@pytest.mark.parametrize("penalty", ["--one-sided-penalty", "--outside-penalty"])
def test_prices_of_edges_outside_do_not_go_with_a_rate(run, asia_file, refused, penalty):
    told = run("learn", asia_file, "--fdr", 0.05, penalty, 2)

    refused(told, 2, f"{penalty} is the price of edges outside the skeleton")
    assert "got 2.0 and --fdr 0.05" in told.stderr


def test_nothing_is_written_where_a_level_is_refused(run, asia_file, tmp_path):
    told = run("learn", asia_file, "--fdr", 2, "-o", tmp_path / "edges.csv")

    assert told.exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("n_samples", [200, 20_000])
def test_a_note_says_how_many_edges_the_rate_keeps(run, tmp_path, n_samples):
    file = tmp_path / "alarm.csv"
    data = load_network("alarm").sample(n_samples, random_state=1)
    data.to_pandas().drop(columns="ANAPHYLAXIS").to_csv(file, index=False)  # constant in a few
    told = run("learn", file, "--fdr", 0.05)

    fitted = H2PC(fdr=0.05).fit(read_dataset(file))
    q_values = fitted.edge_q_values_
    n_untested = sum(q is None for q in q_values.values())
    assert f"keeps {len(fitted.skeleton_edges_)} of {len(q_values)} edges" in told.stderr
    assert (f"{n_untested} have no q-value, as 200 samples" in told.stderr) == (n_samples == 200)
    assert ("no q-value" in told.stderr) == (n_untested > 0)
    assert "false discovery rate" not in run("learn", file).stderr
    assert "false discovery rate" not in run("learn", file, "--fdr", 0.05, "--quiet").stderr
