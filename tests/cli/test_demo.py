import json

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("networkx")

from h2pc.cli.demo import main


def test_the_demo_leaves_a_report_a_picture_and_the_numbers(tmp_path, capsys):
    main([str(tmp_path / "results")])

    numbers = json.loads((tmp_path / "results" / "alarm.json").read_text())
    assert numbers["hpc"]["recall"] > numbers["mmpc"]["recall"]
    assert (tmp_path / "results" / "alarm.png").read_bytes().startswith(b"\x89PNG")
    assert "alarm.png" in (tmp_path / "results" / "report.md").read_text()
    assert "alarm.json" in capsys.readouterr().out.replace("\n", "")
