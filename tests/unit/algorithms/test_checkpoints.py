"""Finished neighbourhoods are taken from a checkpoint, and from no other."""

import json
import os
import signal

import pytest

from h2pc import Dag, DSeparationOracle, hpc
from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.errors import FileFormatError
from h2pc.runs import CellStore
from h2pc.runs.cells import RESULTS

NAMES = tuple("abcdefgh")
DAG = Dag.from_edges(NAMES, [(0, 1), (2, 1), (2, 3), (4, 3), (5, 6), (3, 6)])
ORACLE = DSeparationOracle(DAG)


@pytest.fixture(autouse=True)
def _every_target_is_written_at_once(monkeypatch):
    monkeypatch.setattr(Checkpoint, "seconds_between_writes", 0.0)


class Counting:
    """HPC that notes its targets, and may fail."""

    def __init__(self, fails_at=None):
        self.learned = []
        self.fails_at = fails_at

    def __call__(self, target, ci, universe):
        if len(self.learned) == self.fails_at:
            raise LookupError("out of order")
        self.learned.append(target)
        return hpc(target, ci, universe)


def learned(folder, learner, **settings):
    with CellStore(folder, Checkpoint.FIELDS, {}) as store:
        return learned_skeleton(ORACLE, NAMES, learner, checkpoint=store, **settings)


@pytest.mark.parametrize("fails_at", range(8))
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_was_finished_before_a_failure_is_not_learned_again(tmp_path, fails_at, n_jobs):
    whole = learned_skeleton(ORACLE, NAMES, Counting())
    first, second = Counting(fails_at), Counting()
    with pytest.raises(LookupError):
        learned(tmp_path, first)

    resumed = learned(tmp_path, second, n_jobs=n_jobs)

    assert resumed == whole
    assert sorted(first.learned + second.learned) == list(range(8))


def test_a_finished_run_is_read_and_nothing_is_learned(tmp_path):
    whole, nothing = learned(tmp_path, Counting()), Counting()

    assert learned(tmp_path, nothing) == whole
    assert nothing.learned == []


def test_other_targets_of_the_same_run_use_what_is_there(tmp_path):
    learned(tmp_path, Counting(), targets=(0,))
    second = Counting()

    result = learned(tmp_path, second)

    assert result == learned_skeleton(ORACLE, NAMES, Counting())
    assert len(second.learned) < 8


def test_targets_go_to_the_disk_together_where_there_was_a_write_just_now(tmp_path, monkeypatch):
    monkeypatch.setattr(Checkpoint, "seconds_between_writes", 1e6)

    learned(tmp_path, Counting())

    [line] = (tmp_path / RESULTS).read_text().splitlines()
    assert list(json.loads(line)["targets"]) == list(NAMES)


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_leaves_what_was_finished(tmp_path, monkeypatch):
    monkeypatch.setattr(Checkpoint, "seconds_between_writes", 1e6)

    def interrupted(target, ci, universe):
        if target == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return hpc(target, ci, universe)

    with pytest.raises(KeyboardInterrupt):
        learned(tmp_path, interrupted)

    second = Counting()
    assert learned(tmp_path, second).skeleton == DAG.skeleton()
    assert second.learned == [5, 6, 7]


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line.replace('"d"', '"e"'),
        lambda line: line.replace('"d"', '"unknown"'),
        lambda line: line.replace('"crc32": ', '"crc32": 1'),
        lambda line: line.replace("targets", "target"),
        lambda line: json.dumps({"part": 3, "targets": [1], "crc32": 0}),
        lambda line: line.replace('"part": 3', '"part": 33'),
    ],
)
def test_a_damaged_line_is_refused(tmp_path, damage):
    learned(tmp_path, Counting())
    lines = (tmp_path / RESULTS).read_text().splitlines()
    lines[3] = damage(lines[3])
    (tmp_path / RESULTS).write_text("\n".join(lines) + "\n")

    with pytest.raises(FileFormatError, match="damaged checkpoint: expected part 3"):
        learned(tmp_path, Counting())


def test_what_is_on_disk_is_not_kept_in_memory_twice(tmp_path):
    learned(tmp_path, Counting())

    with CellStore(tmp_path, Checkpoint.FIELDS, {}) as store:
        checkpoint = Checkpoint(store, NAMES)

        assert sorted(checkpoint.finished) == list(range(8))
        assert [store.results((part,)) for part in range(len(store))] == [{}] * 8
        with pytest.raises(RuntimeError, match="forgotten"):
            store.sort()
