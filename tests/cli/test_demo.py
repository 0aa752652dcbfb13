import json

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("networkx")

from joblib import parallel_config

from h2pc import LearnResult
from h2pc.cli import demo
from h2pc.cli.demo import main


@pytest.mark.parametrize("is_small", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_the_demo_leaves_a_report_a_picture_and_the_numbers(
    tmp_path, capsys, monkeypatch, is_small
):
    if is_small:
        monkeypatch.setattr(demo, "_N_SAMPLES", 1000)
        monkeypatch.setattr(demo, "_N_REPLICATES", 2)
    with parallel_config(backend="threading"):
        main([str(tmp_path / "results")])

    folder = tmp_path / "results"
    assert len(LearnResult.load(folder / "alarm.json").dag.names) == 37
    labels = json.loads((folder / "labels.json").read_text())
    assert labels["found powersets"] == labels["true powersets"]
    assert set(labels["subset accuracy"]) == {"powerset by powerset", "label by label"}
    assert (folder / "alarm.png").read_bytes().startswith(b"\x89PNG")
    assert "alarm.png" in (folder / "report.md").read_text()
    pages = [(folder / name).read_text() for name in ("alarm.html", "labels.html")]
    assert all(page.startswith("<!doctype html>") for page in pages)
    assert "alarm.json" in capsys.readouterr().out.replace("\n", "")
