"""Results go to JSON and come back; what is no result is refused."""

import json
from dataclasses import replace

import pytest

from h2pc import Dag, Skeleton
from h2pc.algorithms.learn_result import LearnResult
from h2pc.errors import FileFormatError

NAMES = ("a", "b", 'quo"te', "naïve")
RESULT = LearnResult(
    Dag.from_edges(NAMES, [("a", "b"), ("naïve", "b")]),
    Skeleton(NAMES, [("a", "b"), ("naïve", "b"), ("a", 'quo"te')]),
    score=-1234.000030517578125,
    n_tests=17,
    n_scores=4,
    n_moves=3,
    seconds={"skeleton": 0.25, "search": 0.5},
    settings={"alpha": 0.05, "targets": None, "tiers": (("a",), ("b", "naïve"))},
    seed=3,
)


def test_a_result_comes_back_from_json_as_it_was():
    again = LearnResult.from_json(RESULT.to_json())

    assert again == RESULT
    assert again.seconds == RESULT.seconds
    assert again.to_json() == RESULT.to_json()


def test_an_incomplete_result_comes_back_as_it_was_and_says_so():
    partly = replace(RESULT, complete=False, n_cut=3)

    again = LearnResult.from_json(partly.to_json())

    assert again == partly != RESULT
    assert "incomplete" in repr(again)
    assert "incomplete" not in repr(RESULT)


def test_results_of_before_there_were_limits_are_complete():
    document = json.loads(RESULT.to_json())
    del document["complete"], document["n_cut"]

    assert LearnResult.from_json(json.dumps(document)) == RESULT


def test_a_free_search_has_no_skeleton():
    free = LearnResult(Dag.from_edges(NAMES), None, -1.0, 0, 0, 0, {})

    assert LearnResult.from_json(free.to_json()).skeleton is None


def test_a_file_comes_back_as_it_was(tmp_path):
    RESULT.write(tmp_path / "result.json")

    assert LearnResult.read(tmp_path / "result.json") == RESULT
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_time_does_not_tell_results_apart():
    faster = LearnResult.from_json(RESULT.to_json().replace('"search": 0.5', '"search": 0.125'))

    assert faster.seconds["search"] == 0.125
    assert faster == RESULT


def test_the_class_is_that_of_the_graph():
    assert RESULT.cpdag.named_directed == (("a", "b"), ("naïve", "b"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "else"}, "'format' must be 'h2pc-result'"),
        ({"version": 2}, "'version' must be 1; it is 2"),
        ({"names": "abc"}, "'names' must be a list of strings"),
        ({"edges": [["a"]]}, "'edges' must be a list of pairs"),
        ({"edges": [["a", "b"], ["b", "a"]]}, "cycle"),
        ({"skeleton": [["a", "zoo"]]}, "zoo"),
        ({"score": "high"}, "'score' must be a number; it is 'high'"),
        ({"score": float("nan")}, "'score' must be a number; it is nan"),
        ({"n_tests": 1.5}, "'n_tests' must be a number"),
        ({"n_moves": True}, "'n_moves' must be a number"),
        ({"seed": "x"}, "'seed' must be a number"),
        ({"seconds": {"search": "long"}}, "'seconds' must be"),
        ({"settings": []}, "'settings' must be an object"),
        ({"complete": 1}, "'complete' must be true or false; it is 1"),
        ({"n_cut": None}, "'n_cut' must be a number; it is None"),
    ],
)
def test_what_is_no_result_is_refused_with_a_reason(change, message):
    text = json.dumps({**json.loads(RESULT.to_json()), **change})

    with pytest.raises(FileFormatError, match=message):
        LearnResult.from_json(text)


def test_broken_json_is_refused_with_its_line(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text('{\n"format": ')

    with pytest.raises(FileFormatError, match=r"broken\.json, line 2"):
        LearnResult.read(path)


@pytest.mark.parametrize("text", ["[" * 100_000, "1" * 10_000, "null", "NaN"])
def test_odd_json_is_refused(text):
    with pytest.raises(FileFormatError):
        LearnResult.from_json(text)
