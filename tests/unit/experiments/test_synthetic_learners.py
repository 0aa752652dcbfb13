"""Other learners on the samples of the first experiment, with a program in place of pyAgrum."""

import json
from pathlib import Path

import pytest

from h2pc import H2PC, MMHC, __version__, load_network
from h2pc.errors import SettingError
from h2pc.experiments.other_libraries import Peers
from h2pc.experiments.synthetic_cells import (
    SyntheticCell,
    SyntheticSetup,
    log_scores,
    new_sample,
    training_sample,
)
from h2pc.experiments.synthetic_cells import measured as measured_of_paper
from h2pc.experiments.synthetic_learners import (
    OTHERS,
    LearnerSetup,
    learner_setups,
    measured,
    run_learner,
)
from h2pc.graphs import dag_to_cpdag
from h2pc.metrics import shd, skeleton_scores
from h2pc.runs.cells import RESULTS, TIMINGS, read_cells, read_settings
from h2pc.scores import BIC

ASIA = load_network("asia").dag
CLASS = dag_to_cpdag(ASIA)
CELL = SyntheticCell("asia", 500, 2)
NOBODY = Peers(Path("nobody.py"))
# What it prints without arguments, and its answers, follow benchmarks/peers.py.
PROGRAM = f"""
import json, sys, time
import numpy as np

if len(sys.argv) == 1:
    print(json.dumps({{"pyagrum-miic": "pyAgrum 9.9, MIIC", "pyagrum-tabu": "pyAgrum 9.9, tabu"}}))
    sys.exit()
learner, data, answer = sys.argv[1:4]
names = np.load(data)["names"].tolist()
if names[0] == NEEDS_LONG:
    time.sleep(60)
found = {{
    "pyagrum-tabu": ({ASIA.named_edges!r}, None),
    "pyagrum-miic": ANSWER,
}}[learner]
with open(answer, "w") as file:
    json.dump({{"directed": found[0], "undirected": found[1], "seconds": 1.5, "cpu": 1.25}}, file)
"""
TRUE_CLASS = tuple(
    [(CLASS.names[u], CLASS.names[v]) for u, v in edges]
    for edges in (CLASS.directed, CLASS.undirected)
)
CIRCLE = [(a, b) for a, b in zip(ASIA.names, (*ASIA.names[1:], ASIA.names[0]), strict=True)], []


def program(folder, answer=TRUE_CLASS, needs_long=None):
    """What runs in place of pyAgrum."""
    path = folder / "program.py"
    path.write_text(f"ANSWER, NEEDS_LONG = {answer!r}, {needs_long!r}\n{PROGRAM}")
    return Peers(path)


def setup(learner, **values):
    return LearnerSetup(learner, f"{learner} of a test", n_new=2000, **values)


@pytest.mark.parametrize(("name", "learner"), [("default", H2PC), ("default-mmhc", MMHC)])
def test_a_cell_holds_what_the_learner_finds_with_its_defaults(name, learner):
    found = measured(CELL, setup(name), NOBODY)

    sample = training_sample(load_network("asia"), CELL, 0)
    fitted = learner().fit(sample)
    scores = skeleton_scores(fitted.dag_, ASIA)
    for key in ("precision", "recall", "false_positive_rate", "distance"):
        assert found.results[key] == getattr(scores, key)
    assert found.results["shd"] == shd(fitted.dag_, ASIA)
    assert found.results["edges"] == len(fitted.dag_.edges)
    assert found.results["n_tests"] == fitted.result_.n_tests > 0
    assert found.results["n_scores"] == fitted.result_.n_scores > 0
    assert found.seconds["total"] > 0
    assert found.seconds["cpu"] > 0


def test_samples_and_scores_are_those_of_the_papers_cells():
    of_paper = measured_of_paper(CELL, SyntheticSetup(n_new=2000)).results["h2pc"]

    network = load_network("asia")
    sample = training_sample(network, CELL, 0)
    scores = log_scores(sample, new_sample(network, CELL, 0, 2000), 10.0)
    of_both = {
        name: score.total(H2PC(variant="paper").fit(sample).dag_.parent_sets)
        for name, score in scores.items()
    }
    found = measured(CELL, setup("default"), NOBODY).results
    of_default = {
        name: score.total(H2PC().fit(sample).dag_.parent_sets) for name, score in scores.items()
    }
    assert {name: of_paper[name] for name in scores} == of_both
    assert {name: found[name] for name in scores} == of_default


def test_a_directed_answer_stands_for_its_class_and_a_partially_directed_one_for_itself(tmp_path):
    peers = program(tmp_path)
    directed, class_of_it = (measured(CELL, setup(one), peers) for one in ("tabu", "miic"))

    assert directed.results["shd"] == class_of_it.results["shd"] == 0
    assert directed.results["edges"] == class_of_it.results["edges"] == len(ASIA.edges)
    assert directed.results["recall"] == class_of_it.results["recall"] == 1.0
    assert class_of_it.results["bdeu_new"] == pytest.approx(directed.results["bdeu_new"], rel=1e-12)
    assert directed.results["n_tests"] is directed.results["n_scores"] is None
    assert directed.seconds == {"total": 1.5, "cpu": 1.25}


def test_directions_that_contradict_each_other_have_no_score(tmp_path):
    found = measured(CELL, setup("miic"), program(tmp_path, CIRCLE)).results

    assert found["bdeu_train"] is found["bdeu_new"] is found["bic_new"] is None
    assert found["edges"] == len(ASIA.names)
    assert found["shd"] > 0


def test_a_learner_that_takes_too_long_is_ended_and_not_run_again(tmp_path):
    first = training_sample(load_network("asia"), SyntheticCell("asia", 50, 0), 0).columns[0]
    peers, folder = program(tmp_path, needs_long=first), tmp_path / "tabu"
    finished = run_learner(folder, ["asia"], [50], 2, setup("tabu", limit=2.0), peers=peers)
    again = run_learner(
        folder, ["asia"], [50], 2, setup("tabu", limit=2.0), peers=Peers(tmp_path / "gone.py")
    )

    cells = read_cells(folder / RESULTS, SyntheticCell._fields)
    assert finished == again == 2
    assert cells["asia", 50, 0] == {"no_answer": "over 2 s"}
    assert cells["asia", 50, 1]["shd"] == 0


def test_a_learner_that_crashes_has_no_answer(tmp_path):
    path = tmp_path / "crash.py"
    path.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)")

    found = measured(CELL, setup("miic"), Peers(path))
    assert found == ({"no_answer": "failed: ended by SIGSEGV"}, {})


def test_a_learner_of_ours_that_takes_too_long_is_ended():
    cell = SyntheticCell("andes", 2000, 0)

    found = measured(cell, setup("default", limit=0.001), NOBODY)
    assert found == ({"no_answer": "over 0.001 s"}, {})


def test_the_folder_says_which_learner_it_has_and_grows(tmp_path):
    (chosen,) = learner_setups(["default"])
    run_learner(tmp_path, ["asia"], [50], 1, chosen)
    finished = run_learner(tmp_path, ["asia"], [50, 100], 1, chosen)

    settings = read_settings(tmp_path)
    assert finished == 2
    assert settings["experiment"] == "synthetic learner"
    assert (settings["learner"], settings["title"]) == ("default", f"h2pc {__version__}, H2PC()")
    timings = (tmp_path / TIMINGS).read_text().splitlines()
    assert [json.loads(line)["size"] for line in timings] == [50, 100]


def test_a_folder_of_one_learner_is_not_continued_with_another(tmp_path):
    ours, theirs = learner_setups(["default", "default-mmhc"])
    run_learner(tmp_path, ["asia"], [50], 1, ours)

    with pytest.raises(SettingError, match="was begun with learner = 'default'"):
        run_learner(tmp_path, ["asia"], [50], 1, theirs)


def test_learners_of_other_libraries_have_the_version_in_their_title(tmp_path):
    setups = learner_setups(["paper", *OTHERS], peers=program(tmp_path))

    assert [one.learner for one in setups] == list(OTHERS)
    assert setups[-1].title == "pyAgrum 9.9, tabu"


def test_without_the_repository_or_pyagrum_there_is_one_sentence(tmp_path):
    without = tmp_path / "peers.py"
    without.write_text("print('{}')")

    with pytest.raises(SettingError, match=r"in the repository of h2pc only: expected the file"):
        learner_setups(["miic"], peers=NOBODY)
    with pytest.raises(SettingError, match=r"need pyAgrum, which is not installed \(pip install"):
        learner_setups(["tabu"], peers=Peers(without))
    assert len(learner_setups(["default"], peers=NOBODY)) == 1


@pytest.mark.parametrize(
    ("learners", "limit", "message"),
    [
        (["best"], 1.0, "learners must be some of paper, default, .*; got 'best'"),
        ([], 1.0, "learners must have at least one entry"),
        (["default"], 0.0, "limit must be a number above 0; got 0.0"),
    ],
)
def test_learners_that_make_no_sense_are_refused(learners, limit, message):
    with pytest.raises(SettingError, match=message):
        learner_setups(learners, limit=limit)


@pytest.mark.parametrize("learner", ["miic", "tabu"])
def test_pyagrum_finds_most_of_asia_where_it_is_installed(learner):
    pytest.importorskip("pyagrum")
    (chosen,) = learner_setups([learner])
    found = measured(SyntheticCell("asia", 5000, 0), chosen, Peers())

    new = new_sample(load_network("asia"), SyntheticCell("asia", 5000, 0), 0, 50_000)
    assert found.results["recall"] >= 0.6
    assert found.results["bic_new"] == pytest.approx(BIC(new).total(ASIA.parent_sets), rel=0.05)
    assert found.seconds["cpu"] > 0
