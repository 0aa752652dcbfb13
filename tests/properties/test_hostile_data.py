"""Data that want to eat the machine end within their limits, right or marked as incomplete."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import H2PC, MMHC, LearnResult, skeleton
from h2pc.errors import H2pcWarning
from strategies import datasets, examples

SCRIPT = Path(__file__).parents[1] / "faults" / "hostile_learning.py"


def learned(*cases, seconds):
    """What came out of each case in a process with little processor time and memory."""
    command = [sys.executable, str(SCRIPT), json.dumps(cases), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def small_cases():
    kinds = ("copies", "determined", "same rows", "wide", "constant", "numbered")
    cases = [[kind, learner, {}] for kind in kinds for learner in ("H2PC", "MMHC")]
    cases.append(["hub", "H2PC", {"max_seconds": 0.5}])  # one process: its start takes longest
    found = learned(*cases, seconds=60)
    return {(case[0], case[1]): outcome for case, outcome in zip(cases, found, strict=True)}


BOTH = pytest.mark.parametrize("learner", ["H2PC", "MMHC"])


@BOTH
def test_small_hostile_data_are_learned_in_full(small_cases, learner):
    for (kind, who), outcome in small_cases.items():
        if who == learner and kind != "hub":
            assert outcome["complete"]
            assert outcome["bytes"] < 1e9


@BOTH
def test_copies_are_linked_to_the_first_of_them_only(small_cases, learner):
    edges = small_cases["copies", learner]["skeleton"]

    linked = {(int(a[1:]), int(b[1:])) for a, b in edges}
    assert {pair for pair in linked if pair[1] % 4} == {
        (4 * first, 4 * first + copy) for first in range(5) for copy in (1, 2, 3)
    }


@BOTH
@pytest.mark.parametrize("kind", ["same rows", "constant"])
def test_what_does_not_vary_is_linked_to_nothing(small_cases, learner, kind):
    assert small_cases[kind, learner]["skeleton"] == []


@BOTH
def test_a_column_that_numbers_the_rows_is_linked_to_nothing(small_cases, learner):
    edges = small_cases["numbered", learner]["skeleton"]

    assert not any("X6" in edge for edge in edges)


def test_a_hub_of_two_thousand_ends_in_time_and_says_that_it_is_incomplete(small_cases):
    outcome = small_cases["hub", "H2PC"]

    assert not outcome["complete"]
    assert any("max_seconds = 0.5 was reached" in text for text in outcome["warnings"])
    assert outcome["seconds"] < 20.0
    assert outcome["bytes"] < 1e9


@pytest.mark.slow
@pytest.mark.parametrize("power_rule", [5.0, 0.0])
def test_a_hub_of_two_thousand_ends_in_time_with_tests_of_any_size(power_rule):
    limits = {"max_seconds": 20.0, "max_memory": 900_000_000, "power_rule": power_rule}

    for outcome in learned(["hub", "H2PC", limits], ["hub", "MMHC", limits], seconds=120):
        assert outcome["complete"] == (not any("was reached" in w for w in outcome["warnings"]))
        assert outcome["seconds"] < 60.0
        assert outcome["bytes"] < 900_000_000


@pytest.mark.slow
def test_searches_of_a_hub_that_would_explode_are_bounded():
    limits = {"max_conditioning": 2, "max_subset_tests": 200, "power_rule": 0.0, "max_seconds": 60}

    [outcome] = learned(["small hub", "MMHC", limits], seconds=120)

    assert outcome["n_cut"] > 0
    assert any("cut short by max_conditioning = 2" in text for text in outcome["warnings"])


@pytest.mark.filterwarnings("ignore:some variables are copies")
@examples(25)
@given(
    datasets(min_variables=2, max_rows=130),
    st.sampled_from([H2PC, MMHC]),
    st.none() | st.integers(0, 3),
    st.none() | st.integers(1, 5),
    st.sampled_from([None, 1e-6, 0.002, 1e6]),
)
def test_whatever_the_limits_there_is_a_graph_with_its_score(data, learner, size, most, seconds):
    settings = {"max_conditioning": size, "max_subset_tests": most}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", H2pcWarning)
        result = learner(**settings, max_seconds=seconds, power_rule=0.0).fit(data).result_

    assert result.settings.items() >= settings.items()
    assert LearnResult.from_json(result.to_json()) == result
    if result.complete and not result.n_cut:
        assert result.skeleton == learner(power_rule=0.0).fit(data).result_.skeleton


@examples(25)
@given(datasets(min_variables=2, max_rows=130), st.integers(0, 2))
def test_a_smaller_limit_never_separates_what_a_larger_one_does_not(data, size):
    def near(limit):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", H2pcWarning)
            return skeleton(data, "hpc", max_conditioning=limit, power_rule=0.0).neighbourhoods

    few, more = near(size), near(size + 1)

    for name, found in more.items():
        assert set(found) <= set(few[name])
