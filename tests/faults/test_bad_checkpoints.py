"""A full disk, a damaged line, other data: one clear sentence, and nothing is lost."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from h2pc import H2PC, load_network
from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.errors import FileFormatError, SettingError
from h2pc.runs.cells import RESULTS

DATA = load_network("insurance").sample(300, random_state=1)


@pytest.fixture(scope="module")
def whole():
    return H2PC().fit(DATA).result_


@pytest.fixture(autouse=True)
def _every_target_is_written_at_once(monkeypatch):
    monkeypatch.setattr(Checkpoint, "seconds_between_writes", 0.0)


def test_a_disk_that_is_full_is_told_and_can_be_gone_on_from(tmp_path, whole):
    pytest.importorskip("resource")
    script, sizes = Path(__file__).with_name("small_disk.py"), (700, 1777, 2500)
    command = [sys.executable, str(script), str(tmp_path), *map(str, sizes)]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    for n_bytes, line in zip(sizes, done.stdout.splitlines(), strict=True):
        folder = tmp_path / str(n_bytes)
        assert line.startswith(f"H2pcError {folder} cannot take the next part of the checkpoint: ")
        assert (folder / RESULTS).stat().st_size <= n_bytes
        assert H2PC(checkpoint=folder).fit(DATA).result_ == whole


def test_a_last_line_that_is_half_there_is_learned_again(tmp_path, whole):
    H2PC(checkpoint=tmp_path).fit(DATA)
    written = (tmp_path / RESULTS).read_bytes()

    for end in (len(written) - 1, len(written) - 40, len(written) // 2, 1, 0):
        (tmp_path / RESULTS).write_bytes(written[:end])
        assert H2PC(checkpoint=tmp_path).fit(DATA).result_ == whole


def test_a_line_that_is_no_json_is_refused_by_its_number(tmp_path):
    H2PC(checkpoint=tmp_path).fit(DATA)
    lines = (tmp_path / RESULTS).read_bytes().splitlines()
    lines[4] = lines[4][:20] + b"\x00" * 20 + lines[4][40:]
    (tmp_path / RESULTS).write_bytes(b"\n".join(lines) + b"\n")

    with pytest.raises(FileFormatError, match=r"results\.jsonl, line 5: expected a JSON object"):
        H2PC(checkpoint=tmp_path).fit(DATA)


def test_a_number_that_has_changed_is_refused(tmp_path):
    H2PC(checkpoint=tmp_path).fit(DATA)
    text = (tmp_path / RESULTS).read_text()
    digit = re.search(r"}, (\d+), \d+\]", text).start(1)  # in the number of tests of a target
    flipped = text[:digit] + ("1" if text[digit] != "1" else "2") + text[digit + 1 :]
    (tmp_path / RESULTS).write_text(flipped)

    with pytest.raises(FileFormatError, match="damaged checkpoint: expected part 0"):
        H2PC(checkpoint=tmp_path).fit(DATA)


def test_other_data_are_refused_and_the_checkpoint_stays_as_it_was(tmp_path, whole):
    H2PC(checkpoint=tmp_path).fit(DATA)
    before = (tmp_path / RESULTS).read_bytes()

    with pytest.raises(SettingError, match="was begun with data = "):
        H2PC(checkpoint=tmp_path).fit(DATA.take(range(299)))

    assert (tmp_path / RESULTS).read_bytes() == before
    assert H2PC(checkpoint=tmp_path).fit(DATA).result_ == whole
