"""The commands ``h2pc experiment …``: exit codes, one sentence for every error, resuming."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from h2pc import __version__
from h2pc.cli.main import app

SMALL = ("--networks", "asia", "--sizes", "50,100", "--repetitions", "2", "--n-jobs", "1")


def h2pc(*arguments):
    return CliRunner().invoke(app, [str(word) for word in arguments])


def run(folder, *arguments):
    return h2pc("experiment", "synthetic", *SMALL, "--out", folder, *arguments)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a small run that is done."""
    folder = tmp_path_factory.mktemp("finished")
    assert run(folder).exit_code == 0
    return folder


def test_a_run_leaves_one_line_for_every_cell(finished):
    lines = (finished / "results.jsonl").read_text().splitlines()
    cells = [tuple(json.loads(line).values())[:3] for line in lines]

    assert cells == [("asia", size, repetition) for size in (50, 100) for repetition in (0, 1)]


def test_the_same_command_again_changes_nothing_and_says_what_is_there(finished):
    before = [(finished / name).read_bytes() for name in ("results.jsonl", "timings.jsonl")]
    again = run(finished)

    assert again.exit_code == 0
    assert "4 finished cells" in again.stdout
    assert [(finished / name).read_bytes() for name in ("results.jsonl", "timings.jsonl")] == before


def test_a_seed_of_its_own_gives_other_results(finished, tmp_path):
    run(tmp_path, "--random-state", 1)

    results = [(folder / "results.jsonl").read_text() for folder in (finished, tmp_path)]
    assert results[0] != results[1]


def test_other_learners_have_folders_of_their_own(finished, tmp_path):
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    before = (tmp_path / "results.jsonl").read_bytes()
    more = run(tmp_path, "--learners", "default,default-mmhc", "--limit", "30")

    assert more.exit_code == 0
    assert f"{tmp_path / 'default'} has 4 finished cells" in more.stdout
    assert (tmp_path / "results.jsonl").read_bytes() == before
    for name in ("default", "default-mmhc"):
        settings = json.loads((tmp_path / name / "settings.json").read_text())
        assert (settings["learner"], settings["limit"]) == (name, 30.0)
        assert (tmp_path / name / "results.jsonl").read_text().count("\n") == 4
    assert h2pc("experiment", "report", tmp_path).exit_code == 0
    assert "| H2PC, default | h2pc " in (tmp_path / "report.md").read_text()
    assert "ours,default-mmhc,recall,100,1," in (tmp_path / "learners.csv").read_text()


def test_the_report_has_verdicts_pictures_and_tables(finished, tmp_path):
    pytest.importorskip("matplotlib")
    told = h2pc("experiment", "report", finished, "--out", tmp_path / "report")

    assert told.exit_code == 0
    assert told.stdout.count("\n") == 10
    assert {path.name for path in (tmp_path / "report").iterdir()} == {
        "report.md",
        "means.md",
        "means.csv",
        "factors.csv",
        "running_time.md",
        "running_time.csv",
        "figure1.png",
        "figure1.svg",
        "figure2.png",
        "figure2.svg",
    }
    assert "figure2.png" in (tmp_path / "report" / "report.md").read_text()


def test_without_matplotlib_there_is_a_report_beside_the_results(finished, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = h2pc("experiment", "report", finished)

    assert told.exit_code == 0
    assert "No pictures" in told.stderr
    assert "No pictures were drawn." in (finished / "report.md").read_text()


@pytest.fixture(scope="module")
def multilabel_folder(tmp_path_factory):
    """A folder with a data set of two labels that exclude each other."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "coast").mkdir()
    header = "@relation coast\n" + "".join(
        f"@attribute {name} numeric\n" for name in ("depth", "wind", "sea", "sky")
    )
    rows = "".join(f"{i % 7},{i % 5},{int(i % 7 > 2)},{int(i % 7 < 2)}\n" for i in range(90))
    (folder / "coast" / "coast.arff").write_text(header + "@data\n" + rows)
    (folder / "coast" / "coast.xml").write_text(
        '<labels xmlns="http://mulan.sourceforge.net/labels">'
        '<label name="sea"></label><label name="sky"></label></labels>'
    )
    return folder


def run_multilabel(data, out, *arguments):
    small = ("--data", "coast", "--folds", "3", "--first-folds", "1", "--n-jobs", "1")
    words = ("--folder", data, *small, "--out", out, *arguments)
    return h2pc("experiment", "multilabel", *words)


@pytest.fixture(scope="module")
def told(multilabel_folder, tmp_path_factory):
    """The folder of a small multi-label run that is done."""
    folder = tmp_path_factory.mktemp("finished")
    assert run_multilabel(multilabel_folder, folder).exit_code == 0
    return folder


def test_a_multilabel_run_can_be_resumed_with_more_folds(multilabel_folder, told, tmp_path):
    for name in ("settings.json", "results.jsonl", "timings.jsonl"):
        (tmp_path / name).write_bytes((told / name).read_bytes())
    more = run_multilabel(multilabel_folder, tmp_path, "--first-folds", 2)

    cells = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert more.exit_code == 0
    assert "2 finished cells" in more.stdout
    assert [(cell["data"], cell["fold"]) for cell in cells] == [("coast", 0), ("coast", 1)]
    assert (tmp_path / "results.jsonl").read_text().startswith((told / "results.jsonl").read_text())


def test_the_report_knows_a_multilabel_experiment_by_its_settings(told, tmp_path):
    pytest.importorskip("matplotlib")
    report = h2pc("experiment", "report", told, "--out", tmp_path / "report")

    assert report.exit_code == 0
    assert "MLP H2PC is better than BR" in report.stdout
    assert {path.name for path in (tmp_path / "report").iterdir()} == {
        "report.md",
        "scores.csv",
        "structures.csv",
        *(f"labels_coast_{one}.{kind}" for one in ("h2pc", "mmhc") for kind in ("png", "pdf")),
    }


def test_without_what_draws_there_is_a_multilabel_report(told, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    report = h2pc("experiment", "report", told, "--out", tmp_path)

    assert report.exit_code == 0
    assert "No pictures: they need matplotlib" in report.stderr
    assert "No pictures were drawn." in (tmp_path / "report.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--data", "coats"), 1, "coats: no such folder"),
        (("--data", ","), 2, "--data must have at least one entry"),
        (("--folds", "1"), 2, "--folds must be a whole number from 2 on; got 1"),
        (("--folds", "4"), 2, "was begun with --folds 3; got 4"),
        (("--first-folds", "4"), 2, "--first-folds must be from 1 to 3"),
        (("--n-jobs", "0"), 2, "--n-jobs must be a number of workers, or -1"),
    ],
)
def test_bad_usage_of_multilabel_is_one_sentence(
    multilabel_folder, told, arguments, code, sentence
):
    refused = run_multilabel(multilabel_folder, told, *arguments)

    assert refused.exit_code == code
    assert refused.stdout == ""
    assert refused.stderr.count("\n") == 1
    assert sentence in refused.stderr


def test_an_experiment_that_nobody_knows_is_refused(tmp_path):
    (tmp_path / "settings.json").write_text('{"experiment": "nonsense"}')
    refused = h2pc("experiment", "report", tmp_path)

    assert refused.exit_code == 2
    assert "holds the experiment 'nonsense'" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--networks", "alarn"), "There is no network 'alarn' in the library"),
        (("--networks", ","), "networks and sizes must have at least one entry each"),
        (("--sizes", "50,many"), "--sizes must be whole numbers with commas between them"),
        (("--sizes", "-50"), "--sizes must be at least 1; got -50"),
        (("--repetitions", "0"), "--repetitions must be at least 1; got 0"),
        (("--n-jobs", "0"), "--n-jobs must be a number of workers, or -1"),
        (("--random-state", "1"), "was begun with --random-state 0; got 1"),
        (("--patience", "100"), "was begun with --patience 15; got 100"),
        (("--learners", "best"), "--learners must be some of paper, default, default-mmhc, miic"),
        (("--learners", ","), "--learners must have at least one entry"),
        (("--learners", "default", "--limit", "0"), "--limit must be a number above 0; got 0.0"),
    ],
)
def test_bad_usage_is_one_sentence_and_code_2(finished, arguments, sentence):
    refused = run(finished, *arguments)

    assert refused.exit_code == 2
    assert refused.stdout == ""
    assert refused.stderr.startswith("Error: ")
    assert refused.stderr.count("\n") == 1
    assert sentence in refused.stderr


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("experiment", "nonsense"), ("experiment", "synthetic")]
)
def test_commands_that_do_not_exist_or_lack_an_option_are_code_2(arguments):
    refused = h2pc(*arguments)

    assert refused.exit_code == 2
    assert "Traceback" not in refused.stderr


def test_a_folder_without_an_experiment_is_refused(tmp_path):
    refused = h2pc("experiment", "report", tmp_path / "nothing")

    assert refused.exit_code == 2
    assert "holds no experiment" in refused.stderr


def test_a_damaged_file_is_a_failure_and_is_told_with_its_line(tmp_path):
    (tmp_path / "settings.json").write_text('{"experiment": "synthetic"}')
    (tmp_path / "results.jsonl").write_text("nonsense\n")
    failed = h2pc("experiment", "report", tmp_path)

    assert failed.exit_code == 1
    assert "results.jsonl, line 1: expected a JSON object" in failed.stderr
    assert failed.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_made_is_a_failure(tmp_path):
    (tmp_path / "file").touch()
    failed = run(tmp_path / "file")

    assert failed.exit_code == 1
    assert failed.stderr.count("\n") == 1


def test_errors_that_nobody_thought_of_are_one_sentence_too(finished, monkeypatch):
    monkeypatch.setattr(
        "h2pc.experiments.synthetic_results.SyntheticResults.read", lambda _: 1 // 0
    )
    failed = h2pc("experiment", "report", finished)

    assert failed.exit_code == 1
    assert failed.stderr.startswith("Error: Something went wrong: ZeroDivisionError: ")


def test_help_and_version_load_nothing_heavy():
    heavy = ("numpy", "sklearn", "pandas", "scipy", "joblib", "matplotlib", "rich")
    code = (
        "import sys\nfrom h2pc.cli.main import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit as end:\n"
        f"    print(end.code, [m for m in {heavy} if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.rstrip().endswith("0 []")
    assert "experiment" in told.stdout
    assert h2pc("--version").stdout == f"h2pc {__version__}\n"


@pytest.mark.slow
def test_ctrl_c_keeps_finished_cells_and_says_so_in_one_sentence(tmp_path, ctrl_c_is_heard):
    grid = ("--networks", "child,alarm", "--sizes", "500,1000", "--repetitions", "50")
    words = ("experiment", "synthetic", *grid, "--n-jobs", "2", "--out", str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-m", "h2pc", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        results = tmp_path / "results.jsonl"
        until = time.monotonic() + 120
        while time.monotonic() < until and not (results.exists() and results.stat().st_size):
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert out == ""
    assert err == f"Interrupted; the same command continues from {tmp_path}.\n"
    assert 0 < results.read_text().count("\n") < 200
