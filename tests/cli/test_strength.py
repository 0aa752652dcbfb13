"""``h2pc strength``: how sure edges are."""

import json
import os
import signal
import time

import pytest

from h2pc import H2PC, LearnResult, edge_strengths, load_network
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
    assert lines[-1] == (
        f"{n_edges} edges of the averaged network, stronger than {strengths.threshold:.3f} "
        f"(chosen by Scutari and Nagarajan (2013))."
    )


def test_json_has_documented_fields(run, asia_file, shaped, strengths):
    answer = json.loads(run("strength", asia_file, *FEW, "--json").stdout)

    shaped(
        answer,
        variables=list,
        n_samples=int,
        n_replicates=int,
        resampling=str,
        stratify=type(None),
        targets=type(None),
        n_pairs=int,
        threshold=float,
        threshold_rule=str,
        expected_false_edges=type(None),
        strengths=list,
        averaged=list,
        settings=dict,
    )
    shaped(answer["strengths"][0], parent=str, child=str, strength=float, direction=float)
    assert [tuple(edge) for edge in answer["averaged"]] == list(strengths.averaged().named_edges)


HALVES = ("--n-replicates", 20, "--n-jobs", 1, "-q", "--resampling", "subsample")


@pytest.mark.parametrize("assumption", ["none", "unimodal"])
def test_the_threshold_for_a_number_of_false_edges_is_told_with_its_bound(
    run, asia_file, tmp_path, assumption
):
    data = load_network("asia").sample(5000, random_state=2)
    halves = edge_strengths(data, n_replicates=20, resampling="subsample")
    threshold = halves.threshold_for(3, assumption=assumption)
    bound = halves.expected_false_edges(threshold, assumption=assumption)
    words = ("--max-false-edges", 3, *(["--unimodal"] if assumption == "unimodal" else []))

    told = run("strength", asia_file, *HALVES, *words, "-o", tmp_path / "a.json")

    lines = told.stdout.splitlines()
    rule = "stability selection, at most 3 false edges expected"
    assert lines[0] == "Edges in 20 subsamples"
    assert lines[-2].endswith(f"stronger than {threshold:.3f} (chosen by {rule}).")
    assert lines[-1] == f"False edges expected among 28 pairs: {bound:.3g} at most."
    settings = LearnResult.read(tmp_path / "a.json").settings
    assert settings["threshold"] == threshold
    assert settings["threshold_rule"] == rule
    assert settings["expected_false_edges"] == pytest.approx(bound)


def test_around_targets_files_have_the_averaged_local_graph(run, asia_file, tmp_path):
    data, learner = (
        load_network("asia").sample(5000, random_state=2),
        H2PC(targets=["asia", "xray"]),
    )
    averaged = edge_strengths(data, learner, n_replicates=5, stratify="smoke").averaged(0.9)
    files = [word for name in ("a.bif", "a.json", "a.html") for word in ("-o", tmp_path / name)]
    words = ("-t", "xray,asia", "--stratify", "smoke", "--threshold", 0.9, *files)
    told = run("strength", asia_file, *FEW, *words)
    answer = json.loads(run("strength", asia_file, *FEW, *words[:4], "--json").stdout)

    result = LearnResult.read(tmp_path / "a.json")
    assert told.stdout.startswith("Edges in 5 bootstrap samples around asia, xray\n")
    assert told.stdout.splitlines()[-1].endswith("stronger than 0.900 (given).")
    assert result.settings["targets"] == ("asia", "xray")
    assert result.settings["stratify"] == "smoke"
    assert result.dag == averaged
    assert read_network(tmp_path / "a.bif").dag == averaged
    assert answer["targets"] == ["asia", "xray"]
    assert answer["n_pairs"] == 13


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
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    n = strengths.n_graphs
    assert f"<title>asia.csv, 5,000 samples of 8 variables, {n} bootstrap samples, learned" in page
    assert '"parameters":{"kind":"tables"' in page
    for fact in ('["level of the test","0.05"]', '["variant","accurate: ', '["score","BDs"]'):
        assert fact in page


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
        (("-a", "ges", "-t", "asia"), "--targets does not go with --algorithm ges"),
        (("-t", "asiaa"), "--targets: there is no variable 'asiaa'; did you mean 'asia'?"),
        (("--stratify", "x"), "--stratify: there is no variable 'x'"),
        (("--resampling", "subsample"), "--n-replicates must be even with --resampling subsample"),
        (("--max-false-edges", "1"), "--max-false-edges needs --resampling subsample"),
        (("--unimodal",), "--unimodal needs --resampling subsample"),
        (("--max-false-edges", "1", "--threshold", "0.5"), "expected one of them"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_code_2(
    run, asia_file, refused, arguments, sentence
):
    refused(run("strength", asia_file, *FEW, *arguments), 2, sentence)


def test_too_few_false_edges_are_refused_with_the_least_number(run, asia_file, refused):
    told = run("strength", asia_file, *HALVES, "--max-false-edges", 0.1)

    refused(told, 2, "--max-false-edges must be at least 2.12, the bound for pairs that all 20")


def test_strata_of_a_continuous_column_are_refused(run, tmp_path, refused):
    path = tmp_path / "numbers.csv"
    path.write_text("x,y\n" + "".join(f"{i / 7},{i % 2}\n" for i in range(40)))

    told = run("strength", path, *FEW, "--stratify", "x")
    refused(told, 2, "--stratify must name a discrete variable; 'x' is continuous.")


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
