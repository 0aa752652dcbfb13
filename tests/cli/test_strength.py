"""``h2pc strength``: how sure edges are."""

import json
import os
import signal
import time

import pytest

from h2pc import LearnResult, edge_strengths, load_network
from h2pc.networks import read_network

FEW = ("--n-replicates", 5, "--n-jobs", 1, "-q")


@pytest.fixture(scope="module")
def strengths():
    return edge_strengths(load_network("asia").sample(5000, random_state=2), n_replicates=5)


def test_edges_are_a_table_from_the_strongest_to_the_weakest(run, asia_file, strengths):
    told = run("strength", asia_file, *FEW)

    lines = told.stdout.splitlines()
    assert told.exit_code == 0
    assert lines[0] == "Edges in 5 bootstrap samples"
    assert lines[4].split("│")[1:4] == [" bronc  ", " dysp   ", " 1.000    "]
    assert len(lines) == len(strengths.edges) + 6
    n_edges = len(strengths.averaged().edges)
    expected = f"{n_edges} edges of the averaged network, stronger than {strengths.threshold:.3f}."
    assert lines[-1] == expected


def test_json_has_documented_fields(run, asia_file, shaped, strengths):
    answer = json.loads(run("strength", asia_file, *FEW, "--json").stdout)

    shaped(
        answer,
        variables=list,
        n_samples=int,
        n_replicates=int,
        threshold=float,
        strengths=list,
        averaged=list,
        settings=dict,
    )
    shaped(answer["strengths"][0], parent=str, child=str, strength=float, direction=float)
    assert [tuple(edge) for edge in answer["averaged"]] == list(strengths.averaged().named_edges)


def test_the_averaged_network_has_the_constraints_among_its_settings(run, asia_file, tmp_path):
    known = tmp_path / "known.json"
    known.write_text('{"tiers": [["smoke"], ["bronc"]]}')
    run("strength", asia_file, *FEW, "--constraints", known, "-o", tmp_path / "a.json")
    result = LearnResult.read(tmp_path / "a.json")

    assert result.settings["tiers"] == (("smoke",), ("bronc",))
    assert LearnResult.from_json(result.to_json()) == result


@pytest.mark.parametrize("view", ["class", "dag"])
def test_the_page_of_the_averaged_network_begins_with_the_view_that_is_wanted(
    run, asia_file, tmp_path, view
):
    run("strength", asia_file, *FEW, "--view", view, "-o", tmp_path / "a.html")

    assert f'"view":"{view}"' in (tmp_path / "a.html").read_text()


def test_the_averaged_network_is_written(run, asia_file, tmp_path, strengths):
    names = ("a.bif", "a.json", "a.csv", "a.html")
    files = [word for name in names for word in ("-o", tmp_path / name)]
    told = run("strength", asia_file, *FEW, *files, "--threshold", 0.9)
    averaged = strengths.averaged(0.9)

    assert told.exit_code == 0
    assert read_network(tmp_path / "a.bif").dag == averaged
    assert LearnResult.read(tmp_path / "a.json").dag == averaged
    first = "parent,child,strength,direction\nbronc,dysp,1.0,"
    assert (tmp_path / "a.csv").read_text().startswith(first)
    assert (tmp_path / "a.html").read_text().startswith("<!")


def test_a_checkpoint_is_gone_on_from_and_other_settings_are_refused(
    run, asia_file, tmp_path, refused
):
    few = ("strength", asia_file, "--n-jobs", 1, "-q", "--checkpoint", tmp_path)
    assert run(*few, "--n-replicates", 2).exit_code == 0
    before = (tmp_path / "results.jsonl").read_text()
    assert run(*few, "--n-replicates", 3).exit_code == 0

    assert (tmp_path / "results.jsonl").read_text().startswith(before)
    refused(run(*few, "--n-replicates", 3, "--alpha", 0.01), 2, "was begun with --alpha 0.05;")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("-o", "a.bix"), "unknown kind of file"),
        (("-a", "hc", "--alpha", "0.1"), "--alpha does not go with --algorithm hc"),
        (("--alpha", "2"), "--alpha must lie between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_code_2(
    run, asia_file, refused, arguments, sentence
):
    refused(run("strength", asia_file, *FEW, *arguments), 2, sentence)


@pytest.mark.slow
def test_ctrl_c_keeps_finished_replicates_and_says_so(start, asia_file, tmp_path, ctrl_c_is_heard):
    words = ("--n-replicates", 100_000, "--n-jobs", 2, "--checkpoint", tmp_path)
    with start("strength", asia_file, *words, start_new_session=True) as process:
        results = tmp_path / "results.jsonl"
        until = time.monotonic() + 120
        while time.monotonic() < until and not (results.exists() and results.stat().st_size):
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert out == ""
    assert err == f"Interrupted; the same command continues from {tmp_path}.\n"
    assert results.read_text().count("\n") > 0
