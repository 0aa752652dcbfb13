"""The experiment on small networks, with a program in place of other libraries."""

import json
import sys
from functools import cache
from pathlib import Path

import pytest

from h2pc import H2PC, load_network
from h2pc.experiments.accuracy import (
    OURS,
    AccuracySetup,
    main,
    measured,
    run_accuracy,
    sample,
)
from h2pc.experiments.accuracy_tables import (
    PLANS,
    TEN,
    AccuracyCell,
    means_table,
    network_table,
    titled_tables,
)
from h2pc.experiments.other_libraries import Peers
from h2pc.graphs import dag_to_cpdag
from h2pc.runs.cells import RESULTS, read_cells

ASIA = load_network("asia").dag
# What it prints without arguments, and its answers, follow benchmarks/peers.py.
PROGRAM = f"""
import json, sys, time

EDGES = {ASIA.named_edges!r}
if len(sys.argv) == 1:
    print(json.dumps({{name: name.title() for name in ("truth", "sleeper", "broken")}}))
    sys.exit()
learner, data, answer = sys.argv[1:4]
if learner == "sleeper":
    time.sleep(60)
if learner == "broken":
    sys.exit("It rains.\\nIt is broken.")
import numpy as np
columns = np.load(data)["names"].tolist()
found = {{
    "truth": (EDGES, None),
    "all directed": (EDGES, []),
    "columns": (list(zip(columns, columns[1:])), None),
    "circle": ([*zip(columns, columns[1:]), (columns[-1], columns[0])], []),
}}[learner]
with open(answer, "w") as file:
    json.dump({{"directed": found[0], "undirected": found[1], "seconds": 1.5}}, file)
"""
NOBODY = Peers(Path("nobody"))
STORED = Path(__file__).resolve().parents[3] / "docs" / "results" / "accuracy"
README = str(Path(__file__).resolve().parents[3] / "README.md")


@pytest.fixture
def peers(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    return Peers(program)


@cache
def real_learners():
    return Peers().titles()


def asia(learner, n_samples=500, repetition=0):
    return AccuracyCell("asia", n_samples, repetition, learner)


def test_every_learner_of_ours_is_measured_on_the_same_sample(tmp_path):
    runs = run_accuracy(
        tmp_path,
        PLANS["seven"]._replace(networks=["asia"], n_samples=500, repetitions=1),
        OURS,
        AccuracySetup(),
        NOBODY,
    )

    assert [cell.learner for cell in runs] == list(OURS)
    score = {cell.learner: run["bdeu"] for cell, run in runs.items()}
    assert score["tabu"] >= score["hc"]
    assert score["h2pc"] != score["mmhc"]
    assert all(run["seconds"] > 0 and run["true_edges"] == 8 for run in runs.values())


def test_the_score_of_h2pc_is_the_one_that_it_reports():
    setup = AccuracySetup(alpha=0.01, equivalent_sample_size=3.0)
    fitted = H2PC(alpha=0.01, equivalent_sample_size=3.0, variant="paper").fit(
        sample(asia("h2pc"), seed=0)
    )

    found = measured(asia("h2pc"), setup, NOBODY).results
    assert found["bdeu"] == pytest.approx(fitted.score_, rel=1e-12)


@pytest.mark.parametrize(
    ("plan", "cell"),
    [
        ("ten", AccuracyCell("asia", 10_000, 2, "h2pc")),
        ("ten", AccuracyCell("child", 10_000, 1, "mmhc")),
        ("ten", AccuracyCell("alarm", 10_000, 0, "tabu")),
        ("seven", AccuracyCell("insurance", 5000, 4, "h2pc-default")),
    ],
)
def test_cells_are_those_of_the_stored_results(plan, cell):
    stored = read_cells(STORED / plan / RESULTS, AccuracyCell._fields)

    assert measured(cell, AccuracySetup(), NOBODY).results == stored[cell]


def test_samples_differ_between_repetitions_in_rows_and_in_the_order_of_columns():
    one, other = sample(asia("h2pc"), seed=7), sample(asia("tabu", repetition=1), seed=7)

    assert one.fingerprint() == load_network("asia").sample(500, random_state=7).fingerprint()
    assert other.fingerprint() == load_network("asia").sample(500, random_state=8).fingerprint()
    assert len({one.columns, other.columns, one.names}) == 3
    assert one.columns == sample(asia("mmhc"), seed=7).columns


def test_others_see_the_columns_in_that_order(peers):
    data = sample(asia("columns"), seed=0)
    graph, seconds = peers.learned("columns", data)

    assert set(graph.named_edges) == set(zip(data.columns, data.columns[1:], strict=False))
    assert seconds == 1.5


def test_a_directed_answer_stands_for_its_class_and_another_one_for_itself(peers):
    truth = measured(asia("truth"), AccuracySetup(), peers).results
    directed = measured(asia("all directed"), AccuracySetup(), peers).results

    assert (truth["shd"], truth["f1"]) == (0, 1.0)
    assert (directed["shd"], directed["f1"]) == (len(dag_to_cpdag(ASIA).undirected), 1.0)
    assert directed["bdeu"] == pytest.approx(truth["bdeu"], rel=1e-12)


def test_directions_that_contradict_each_other_have_no_score(peers):
    outcome = measured(asia("circle"), AccuracySetup(), peers)

    assert outcome.results["bdeu"] is None
    assert outcome.results["shd"] > 0
    runs = {asia("circle"): {**outcome.results, "seconds": 1.5}}
    assert network_table(runs, {"circle": "Circle"}).rows[0][3] == "–"


def test_who_takes_too_long_or_breaks_is_reported_as_such(peers, capsys):
    options = ["--networks", "asia", "--n-samples", "300", "--repetitions", "1", "--limit", "2"]
    main([*options, "--learners", "h2pc", "sleeper", "broken", "--peers", str(peers.program)])

    printed = capsys.readouterr().out
    assert "│ Sleeper: over 2 s " in printed
    assert "│ Broken: failed: It is broken. " in printed
    assert "0 of 1" in printed


def test_what_is_finished_is_not_run_again(tmp_path, capsys):
    options = ["--networks", "asia", "--n-samples", "300", "--learners", "h2pc", "--peers", "none"]
    main([*options, "--repetitions", "1", "--out", str(tmp_path)])
    results = tmp_path / "results.jsonl"
    (line,) = map(json.loads, results.read_text().splitlines())
    results.write_text(json.dumps({**line, "shd": 101}) + "\n")
    second = measured(asia("h2pc", 300, repetition=1), AccuracySetup(), NOBODY).results["shd"]
    main([*options, "--repetitions", "2", "--out", str(tmp_path)])

    mean = f"{(101 + second) / 2:.1f}"
    assert f"│ H2PC of the paper │ {mean} │" in capsys.readouterr().out
    assert f"| H2PC of the paper | {mean} |" in (tmp_path / "accuracy.md").read_text()


def test_a_folder_keeps_its_settings(tmp_path):
    options = ["--networks", "asia", "--n-samples", "300", "--repetitions", "1", "--learners", "hc"]
    options += ["--peers", "none", "--out", str(tmp_path)]
    main(options)

    with pytest.raises(SystemExit, match=r"was begun with limit = 600.0; got 60.0"):
        main([*options, "--limit", "60"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--networks", "asai"], "did you mean 'asia'"),
        (["--repetitions", "0"], "repetitions must be at least 1; got 0"),
        (["--n-samples", "0"], "n_samples must be at least 1; got 0"),
        (["--peers", README], "README.md does not list learners: SyntaxError"),
        (["--learners", "ges"], "no learner 'ges', but h2pc, h2pc-default, "),
        (["--peers", README, "--python", sys.executable + "-"], "does not run: No such file"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(options, message):
    with pytest.raises(SystemExit, match=message):
        main(["--networks", "asia", "--peers", "none", *options])


def test_figures_of_others_stand_beside_ours_where_the_samples_are_as_large():
    run = {"shd": 5, "true_edges": 25, "bdeu": -1.0, "f1": 1.0, "seconds": 1.0}
    small, large = (
        titled_tables({AccuracyCell("child", n, 0, "h2pc"): run}, OURS) for n in (500, 5000)
    )

    assert len(small["child, 500 samples, mean of 1"].rows) == 1
    _, authors, bnlearn = large["child, 5,000 samples, mean of 1"].rows
    assert authors[:3] == ("H2PC, authors (2014), one run*", "0", "0.000")
    assert bnlearn[:3] == ("H2PC, bnlearn 5.2.1, one run*", "4", "0.160")


def test_all_networks_weigh_the_same_whatever_their_number_of_runs():
    runs = {}
    for number, network in enumerate(TEN.networks):
        for repetition in range(1 + number):
            cell = AccuracyCell(network, TEN.n_samples, repetition, "h2pc")
            runs[cell] = {"shd": number, "true_edges": 10}
    runs[AccuracyCell("asia", TEN.n_samples, 0, "mmhc")] = {"no_answer": "over 1 s"}
    table = means_table(runs, OURS)

    assert table.rows[0] == ("H2PC of the paper", "0.450", "10 of 10")
    assert table.rows[1] == ("MMHC of the paper", "", "0 of 10")
    assert ("GES, BDeu*", "0.31", "10 of 10") in table.rows


@pytest.mark.parametrize("learner", ["pyagrum-ghc", "pyagrum-miic", "causallearn-pc"])
def test_other_libraries_find_most_of_asia_where_they_are_installed(learner):
    if learner not in real_learners():
        pytest.skip("needs pyAgrum and causal-learn (pip install --group peers)")
    outcome = measured(asia(learner, 5000), AccuracySetup(), Peers())

    assert outcome.results["f1"] > 0.6
    assert outcome.results["bdeu"] == pytest.approx(-11_500, abs=500)
    assert outcome.seconds["total"] > 0
