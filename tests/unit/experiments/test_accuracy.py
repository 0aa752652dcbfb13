"""The experiment on small networks, with a program in place of other libraries."""

import json
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from h2pc import (
    GES,
    H2PC,
    BayesianNetwork,
    Dag,
    load_network,
    make_linear_gaussian_network,
    write_network,
)
from h2pc.experiments.accuracy import (
    AccuracySetup,
    held_out_sample,
    main,
    measured,
    quality,
    run_accuracy,
    sample,
    stored_runs,
    true_networks,
)
from h2pc.experiments.accuracy_learners import OURS, our_graph
from h2pc.experiments.accuracy_tables import (
    PLANS,
    AccuracyCell,
    Plan,
    network_table,
    network_tables,
    summary_tables,
)
from h2pc.experiments.other_libraries import NoAnswerError, Peers
from h2pc.graphs import dag_to_cpdag
from h2pc.metrics import compare_edges
from h2pc.runs.cells import RESULTS, read_cells

TRUE = load_network("asia")
ASIA = TRUE.dag
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
    json.dump({{"directed": found[0], "undirected": found[1], "seconds": 1.5, "cpu": 1.25}}, file)
"""
NOBODY = Peers(Path("nobody"))
SHORT = ["--networks", "asia", "--n-samples", "50", "--repetitions", "1", "--peers", "none"]
SHORT += ["--learners", "h2pc"]
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


def test_every_learner_of_ours_is_measured_on_the_same_samples(tmp_path):
    plan = PLANS["seven"]._replace(networks=("asia",), n_samples=(200, 500), repetitions=1)
    runs = run_accuracy(tmp_path, [plan], tuple(OURS), AccuracySetup(), NOBODY)

    assert [cell[1::2] for cell in runs] == [(n, name) for n in (200, 500) for name in OURS]
    score = {cell.learner: run["bdeu"] for cell, run in runs.items() if cell.n_samples == 500}
    assert score["tabu"] >= score["hc"]
    assert score["h2pc-paper"] != score["mmhc-paper"]
    assert len({run["held_out_true"] for run in runs.values()}) == 1
    for run in runs.values():
        assert run["seconds"] > 0
        assert run["true_edges"] == 8
        assert run["shd"] == run["missing"] + run["extra"] + run["directions"]
        assert run["held_out"] < run["held_out_true"]


@pytest.mark.parametrize(("name", "learner"), [("h2pc", H2PC()), ("ges", GES())])
def test_our_learners_have_their_own_defaults(name, learner):
    data = sample(TRUE, asia(name), seed=0)
    held_out = held_out_sample(TRUE, asia(name), AccuracySetup())

    found = measured(asia(name), TRUE, AccuracySetup(alpha=0.5), NOBODY).results
    fitted = learner.fit(data)
    assert found == quality(fitted.dag_, TRUE, data, held_out)
    assert found["held_out"] == pytest.approx(fitted.score(held_out), rel=1e-12)


@pytest.mark.parametrize(
    "cell",
    [
        AccuracyCell("alarm", 1000, 0, "h2pc"),
        AccuracyCell("mildew", 500, 3, "h2pc"),
        AccuracyCell("asia", 10_000, 2, "h2pc-paper"),
        AccuracyCell("insurance", 1000, 4, "mmhc"),
        AccuracyCell("child", 1000, 1, "mmhc-paper"),
    ],
)
def test_cells_are_those_of_the_stored_results(cell):
    stored = read_cells(STORED / "ten" / RESULTS, AccuracyCell._fields)[cell]
    setup = AccuracySetup(seed=20_000)
    found = measured(cell, load_network(cell.network), setup, NOBODY).results

    assert found == pytest.approx(stored, rel=1e-9)


@pytest.mark.parametrize(
    ("folder", "figures"),
    [("ten", {"h2pc": "0.239", "h2pc-before": "0.301"}), ("other_libraries", {"h2pc": "0.222"})],
)
def test_stored_results_make_tables(folder, figures):
    runs = stored_runs(STORED / folder)
    names = {cell.learner: cell.learner for cell in runs}
    tables = summary_tables(runs, names) | network_tables(runs, names)

    means = tables["10,000 samples: means over the networks, per true edge"]
    assert {row[0]: row[1] for row in means.rows if row[0] in figures} == figures


def test_the_distance_is_split_into_missing_extra_and_wrong_directions():
    learned = Dag.from_edges(
        ASIA.names, [("dysp", "bronc"), ("either", "dysp"), ("smoke", "xray"), ("asia", "tub")]
    )
    data = TRUE.sample(500)
    found = quality(learned, TRUE, data, data)

    verdicts = [edge.verdict.value for edge in compare_edges(learned, ASIA)]
    assert found["missing"] == verdicts.count("missing") == 5
    assert found["extra"] == verdicts.count("extra") == 1
    wrong = verdicts.count("reversed") + verdicts.count("differently marked")
    assert found["directions"] == wrong > 0
    assert found["shd"] == found["missing"] + found["extra"] + found["directions"]


def test_the_held_out_likelihood_is_that_of_the_fitted_network():
    data, held_out = (TRUE.sample(400, seed) for seed in (1, 2))
    found = quality(ASIA, TRUE, data, held_out, equivalent_sample_size=4.0)

    fitted = BayesianNetwork.fit(ASIA, data, equivalent_sample_size=4.0)
    assert found["held_out"] == pytest.approx(fitted.log_likelihood(held_out).mean(), rel=1e-12)
    assert found["held_out_true"] == pytest.approx(TRUE.log_likelihood(held_out).mean(), rel=1e-12)


def test_a_graph_whose_table_would_be_too_large_has_no_held_out_likelihood():
    true = load_network("mildew")
    child, *others = sorted(true.names, key=lambda name: true.cards[true.dag.variable(name)])
    data = true.sample(50)
    found = quality(
        Dag.from_edges(true.names, [(name, child) for name in others]), true, data, data
    )

    assert found["held_out"] is None
    assert found["held_out_true"] < 0


def test_held_out_samples_are_new_ones_for_every_repetition_and_seed():
    cells = [asia("h2pc", repetition=r) for r in range(3)]
    small = AccuracySetup(n_held_out=300)
    held_out = [held_out_sample(TRUE, cell, small).fingerprint() for cell in cells]
    training = [TRUE.sample(300, seed).fingerprint() for seed in range(20)]

    assert len({*held_out, *training}) == 23
    larger = asia("mmhc", n_samples=5000)
    assert held_out_sample(TRUE, larger, small).fingerprint() == held_out[0]
    other = AccuracySetup(1, n_held_out=300)
    assert held_out_sample(TRUE, cells[0], other).fingerprint() not in held_out
    assert held_out_sample(TRUE, cells[0], AccuracySetup()).n_samples == 10_000


@pytest.mark.parametrize("ending", [".bif", ".bif.gz", ".json"])
def test_networks_come_from_the_library_and_from_files(tmp_path, capsys, ending):
    path = tmp_path / f"small{ending}"
    write_network(TRUE, path)
    options = ["--networks", "sachs", str(path), "--n-samples", "100", "200", "--repetitions", "1"]
    main([*options, "--learners", "h2pc", "--peers", "none", "--out", str(tmp_path / "results")])

    runs = stored_runs(tmp_path / "results")
    assert [cell[:2] for cell in runs] == [
        ("sachs", 100),
        ("sachs", 200),
        ("small", 100),
        ("small", 200),
    ]
    found = measured(asia("h2pc", 200), TRUE, AccuracySetup(), NOBODY).results
    assert runs["small", 200, 0, "h2pc"]["shd"] == found["shd"]
    assert "│ small " in capsys.readouterr().out


def test_networks_that_cannot_be_told_apart_or_are_continuous_are_refused(tmp_path):
    write_network(TRUE, tmp_path / "asia.bif")
    write_network(make_linear_gaussian_network(3, 2), tmp_path / "numbers.json")

    with pytest.raises(ValueError, match="two networks 'asia': expected names that differ"):
        true_networks(["asia", str(tmp_path / "asia.bif")])
    with pytest.raises(ValueError, match=r"numbers.json has continuous variables"):
        true_networks([str(tmp_path / "numbers.json")])


def test_several_plans_make_one_run_and_their_common_cells_are_run_once(tmp_path):
    one = Plan(("asia",), (100,), 2)
    both = [one, one._replace(n_samples=(100, 200), repetitions=1)]
    runs = run_accuracy(tmp_path, both, ("hc",), AccuracySetup(), NOBODY)

    assert [cell[1:3] for cell in runs] == [(100, 0), (100, 1), (200, 0)]


def test_a_folder_that_is_run_with_another_plan_keeps_what_it_has(tmp_path):
    first, second = (Plan(("asia",), (n,), 1) for n in (100, 200))
    run_accuracy(tmp_path, [first], ("hc",), AccuracySetup(), NOBODY)
    runs = run_accuracy(tmp_path, [second], ("tabu",), AccuracySetup(), NOBODY)

    assert [(cell.n_samples, cell.learner) for cell in runs] == [(200, "tabu"), (100, "hc")]


def test_workers_change_nothing_but_the_times(tmp_path):
    plan = Plan(("asia",), (200,), 2)
    for n_jobs in (1, 2):
        run_accuracy(
            tmp_path / f"{n_jobs}", [plan], ("h2pc", "hc"), AccuracySetup(), NOBODY, n_jobs
        )

    one, two = ((tmp_path / name / RESULTS).read_text() for name in "12")
    assert one == two


def test_a_learner_of_ours_that_takes_too_long_has_no_answer():
    data = load_network("andes").sample(2000)

    with pytest.raises(NoAnswerError, match=r"over 0.001 s"):
        our_graph("h2pc", data, 0.001)


def test_samples_differ_between_repetitions_in_rows_and_in_the_order_of_columns():
    one, other = (sample(TRUE, asia("h2pc", repetition=r), seed=7) for r in (0, 1))

    assert one.fingerprint() == load_network("asia").sample(500, random_state=7).fingerprint()
    assert other.fingerprint() == load_network("asia").sample(500, random_state=8).fingerprint()
    assert len({one.columns, other.columns, one.names}) == 3
    assert one.columns == sample(TRUE, asia("mmhc"), seed=7).columns


def test_others_see_the_columns_in_that_order(peers):
    data = sample(TRUE, asia("columns"), seed=0)
    graph, seconds = peers.learned("columns", data)

    assert set(graph.named_edges) == set(zip(data.columns, data.columns[1:], strict=False))
    assert seconds == (1.5, 1.25)


def test_a_directed_answer_stands_for_its_class_and_another_one_for_itself(peers):
    truth = measured(asia("truth"), TRUE, AccuracySetup(), peers).results
    directed = measured(asia("all directed"), TRUE, AccuracySetup(), peers).results

    assert (truth["shd"], truth["f1"]) == (0, 1.0)
    assert (directed["shd"], directed["f1"]) == (len(dag_to_cpdag(ASIA).undirected), 1.0)
    for name in ("bdeu", "held_out"):
        assert directed[name] == pytest.approx(truth[name], rel=1e-12)


def test_directions_that_contradict_each_other_have_no_score(peers):
    outcome = measured(asia("circle"), TRUE, AccuracySetup(), peers)

    assert outcome.results["bdeu"] is outcome.results["held_out"] is None
    assert outcome.results["shd"] > 0
    runs = {asia("circle"): {**outcome.results, "seconds": 1.5}}
    assert network_table(runs, {"circle": "Circle"}).rows[0][-3:-1] == ("–", "–")


def test_who_takes_too_long_or_breaks_is_reported_as_such(peers, capsys):
    options = ["--networks", "asia", "--n-samples", "300", "--repetitions", "1", "--limit", "2"]
    options += ["--out", str(peers.program.parent / "results")]
    main([*options, "--learners", "h2pc", "sleeper", "broken", "--peers", str(peers.program)])

    printed = capsys.readouterr().out
    assert "│ over 2 s │ failed: It is broken. │" in printed
    assert "│ Sleeper † " in printed
    page = (peers.program.parent / "results" / "accuracy.md").read_text()
    assert "| Sleeper: over 2 s | – |" in page
    assert "| Broken: failed: It is broken. | – |" in page


def test_what_is_finished_is_not_run_again(tmp_path, capsys):
    options = ["--networks", "asia", "--n-samples", "300", "--learners", "h2pc", "--peers", "none"]
    main([*options, "--repetitions", "1", "--out", str(tmp_path)])
    results = tmp_path / "results.jsonl"
    (line,) = map(json.loads, results.read_text().splitlines())
    results.write_text(json.dumps({**line, "shd": 101}) + "\n")
    cell = asia("h2pc", 300, repetition=1)
    second = measured(cell, TRUE, AccuracySetup(), NOBODY).results["shd"]
    main([*options, "--repetitions", "2", "--out", str(tmp_path)])

    mean = f"{(101 + second) / 2:.1f}"
    assert re.search(rf"│ asia +│ +{mean} │", capsys.readouterr().out)
    assert f"| H2PC | {mean} |" in (tmp_path / "accuracy.md").read_text()


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
        (["--learners", "gs"], "no learner 'gs', but h2pc, h2pc-paper, "),
        (["--networks", "no/such.bif"], r"no/such.bif is no file of a network: No such file"),
        (["--networks", README], r"README.md': files that can be read end in .bif"),
        (["--base", "mmhc"], "no results of the base learner 'mmhc', but of h2pc"),
        (["--random-state", "-1"], "seed must be a whole number from 0 on; got -1"),
        (["--peers", README, "--python", sys.executable + "-"], "does not run: No such file"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(options, message):
    with pytest.raises(SystemExit, match=message):
        main([*SHORT, *options])


def test_all_learners_are_compared_with_a_base_learner(tmp_path, capsys):
    main([*SHORT, "--learners", "hc", "tabu", "--base", "tabu", "--out", str(tmp_path)])

    assert "all learners beside tabu search" in capsys.readouterr().out
    assert "## all learners beside tabu search" in (tmp_path / "accuracy.md").read_text()


@pytest.mark.parametrize(
    "learner",
    [
        "pyagrum-ghc",
        "pyagrum-tabu",
        "pyagrum-miic",
        "causallearn-pc",
        "causallearn-ges",
        "xges-bdeu",
        "xges-bic",
    ],
)
def test_other_libraries_find_most_of_asia_where_they_are_installed(learner):
    if learner not in real_learners():
        pytest.skip("needs pyAgrum and causal-learn (pip install --group peers), or xges")
    outcome = measured(asia(learner, 5000), TRUE, AccuracySetup(), Peers())

    assert outcome.results["f1"] > 0.6
    assert outcome.results["bdeu"] == pytest.approx(-11_500, abs=500)
    assert outcome.seconds["total"] > 0
