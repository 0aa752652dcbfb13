"""``h2pc demo``: the demo as a command."""

import pytest


@pytest.mark.slow
def test_the_command_leaves_a_report(run, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("networkx")
    told = run("demo", tmp_path / "results")

    assert told.exit_code == 0
    assert (tmp_path / "results" / "report.md").is_file()


def test_a_file_in_the_place_of_the_folder_is_told(run, tmp_path, refused):
    pytest.importorskip("matplotlib")
    pytest.importorskip("networkx")
    (tmp_path / "file").touch()

    refused(run("demo", tmp_path / "file"), 1, "file: File exists.")
