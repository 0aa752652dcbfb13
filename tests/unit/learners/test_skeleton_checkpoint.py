"""Checkpoints of skeletons: for the same data and settings, and for no others."""

from functools import partial

import pytest

from h2pc import GTest, load_network, skeleton
from h2pc.algorithms.hpc import hpc
from h2pc.errors import H2pcError, H2pcWarning, SettingError
from h2pc.runs import CellStore
from h2pc.runs.limits import memory_in_use

DATA = load_network("asia").sample(1000, random_state=3)
FRAME = DATA.to_pandas().astype(str)


@pytest.mark.parametrize("learner", ["hpc", "mmpc"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_checkpoint_changes_nothing(tmp_path, learner, n_jobs):
    plain = skeleton(DATA, learner)

    assert skeleton(DATA, learner, checkpoint=tmp_path, n_jobs=n_jobs) == plain
    assert skeleton(DATA, learner, checkpoint=tmp_path) == plain


def test_the_order_of_the_columns_does_not_tell_checkpoints_apart(tmp_path):
    first = skeleton(FRAME, checkpoint=tmp_path, targets=["smoke"])

    assert skeleton(FRAME[FRAME.columns[::-1]], checkpoint=tmp_path, targets=["smoke"]) == first


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ({"learner": "mmpc"}, "learner"),
        ({"alpha": 0.01}, "alpha"),
        ({"test": "chi2"}, "test"),
        ({"power_rule": 1.0}, "power_rule"),
        ({"required": [("asia", "xray")]}, "required"),
        ({"forbidden": [("asia", "xray")]}, "forbidden"),
        ({"tiers": [["asia"], ["xray"]]}, "tiers"),
        ({"max_conditioning": 2}, "max_conditioning"),
        ({"max_subset_tests": 100}, "max_subset_tests"),
        ({"data": DATA.take(range(999))}, "data"),
    ],
)
def test_what_gives_other_neighbourhoods_is_refused(tmp_path, other, name):
    skeleton(DATA, checkpoint=tmp_path)

    with pytest.raises(SettingError, match=f"was begun with {name} = "):
        skeleton(**{"data": DATA, **other}, checkpoint=tmp_path)


@pytest.mark.parametrize(
    "other",
    [
        {"learner": hpc},
        {"targets": ["smoke"], "depth": 1},
        {"symmetry": "or"},
        {"n_jobs": 2, "progress": False},
        {"max_seconds": 1e6, "max_memory": 10**12},
    ],
)
def test_what_gives_the_same_neighbourhoods_is_not(tmp_path, other):
    skeleton(DATA, checkpoint=tmp_path)

    assert skeleton(DATA, **other, checkpoint=tmp_path) == skeleton(DATA, **other)


def test_functions_without_a_name_have_no_checkpoint(tmp_path):
    with pytest.raises(SettingError, match="test has no name of its own"):
        skeleton(DATA, test=partial(GTest, adjust_df=False), checkpoint=tmp_path)


def test_a_folder_that_cannot_be_is_refused(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(SettingError, match="checkpoint must be a folder that can be written to"):
        skeleton(DATA, checkpoint=tmp_path / "file")
    with pytest.raises(SettingError, match="checkpoint must be the path of a folder, or None"):
        skeleton(DATA, checkpoint=3)


def test_a_folder_of_another_run_that_is_going_on_is_refused(tmp_path):
    pytest.importorskip("fcntl")
    skeleton(DATA, checkpoint=tmp_path)

    with CellStore(tmp_path / "other", ["part"], {}), pytest.raises(H2pcError, match="Another run"):
        skeleton(DATA, checkpoint=tmp_path / "other")


def test_little_memory_means_less_to_remember_and_the_same_answers():
    little = memory_in_use() + 200_000_000

    assert skeleton(DATA, max_memory=little) == skeleton(DATA)


def test_out_of_time_the_edges_are_those_whose_ends_are_known():
    data = load_network("andes").sample(2000, random_state=1)
    with pytest.warns(H2pcWarning, match="incomplete"):
        part = skeleton(data, max_seconds=0.01, symmetry="or")

    known = {data.variable(name) for name in part.neighbourhoods}
    assert {v for edge in part.skeleton.edges for v in edge} <= known
    assert len(known) < data.n_variables
    assert not part.complete
    assert "incomplete" in repr(part)
