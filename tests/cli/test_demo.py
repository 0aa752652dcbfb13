"""``h2pc demo``: a report, or what a bare installation can show of it."""

import json
import os
import subprocess
import sys

import pytest
from joblib import parallel_config

from h2pc import LearnResult
from h2pc.cli import demo

BARE = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
from h2pc.cli.main import app
app(sys.argv[1:], prog_name="h2pc")
"""


@pytest.mark.parametrize("is_small", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_the_demo_leaves_a_report_a_picture_and_the_numbers(run, tmp_path, monkeypatch, is_small):
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    if is_small:
        monkeypatch.setattr(demo, "_N_SAMPLES", 1000)
        monkeypatch.setattr(demo, "_N_REPLICATES", 2)
    folder = tmp_path / "results"
    with parallel_config(backend="threading"):
        printed = run("demo", folder)

    assert printed.exit_code == 0, printed.output
    assert f"Open {folder}/alarm.html and {folder}/labels.html" in printed.stdout
    assert len(LearnResult.read(folder / "alarm.json").dag.names) == 37
    labels = json.loads((folder / "labels.json").read_text())
    assert labels["found_powersets"] == labels["true_powersets"]
    assert set(labels["subset_accuracy"]) == {"minimal label powersets", "binary relevance"}
    assert (folder / "alarm.png").read_bytes().startswith(b"\x89PNG")
    assert "alarm.png" in (folder / "report.md").read_text()
    pages = [(folder / name).read_text() for name in ("alarm.html", "labels.html")]
    assert all(page.startswith("<!doctype html>") for page in pages)
    assert all('"parameters":{"kind":"tables"' in page for page in pages)
    assert "samples of alarm, learned on " in pages[0]


@pytest.mark.parametrize(
    ("hidden", "sentence"),
    [
        (
            ("matplotlib", "networkx", "pandas", "pyarrow"),
            "needs matplotlib and pandas: pip install 'h2pc[plots,pandas]'.",
        ),
        (("matplotlib",), "needs matplotlib: pip install 'h2pc[plots]'."),
    ],
)
def test_without_extras_alarm_is_shown_the_extra_is_named_and_no_folder_is_made(
    tmp_path, hidden, sentence
):
    printed = subprocess.run(
        [sys.executable, "-c", BARE.format(hidden=hidden), "demo"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )

    assert printed.returncode == 0, printed.stderr
    assert "H2PC of the paper" in printed.stdout
    assert printed.stderr == f"The rest of the demo {sentence}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_is_refused(run, tmp_path, refused):
    (tmp_path / "file").touch()

    refused(
        run("demo", tmp_path / "file"), 2, "file: this is a file: expected the name of a folder"
    )
