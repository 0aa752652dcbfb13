"""``h2pc doctor``: what is installed, and whether it works."""

import json
from importlib.metadata import version

from h2pc import Dag, _engine
from h2pc.learners.hybrid import H2PC


def test_a_sound_installation_is_told_to_be_well(run):
    told = run("doctor")

    assert told.exit_code == 0
    assert told.stdout.endswith("No problems found.\n")
    assert f" {version('numpy')} " in told.stdout
    assert f"Compiled engine: {_engine.processor_variant()}.\n" in told.stdout
    assert "Self-test on asia: import " in told.stdout


def test_json_has_documented_fields(run, shaped):
    answer = json.loads(run("doctor", "--json").stdout)

    shaped(
        answer,
        h2pc=str,
        python=str,
        platform=str,
        executable=str,
        packages=dict,
        processors=int,
        workers=int,
        engine=str,
        self_test=dict,
        problems=list,
    )
    assert answer["engine"] in ("avx512", "avx2", "neon", "plain")
    shaped(answer["self_test"], seconds=dict, shd=int)
    assert list(answer["self_test"]["seconds"]) == ["import", "sample", "learn", "compare"]
    assert answer["packages"]["numpy"] == version("numpy")
    assert answer["problems"] == []


def test_a_learner_that_fails_is_told_and_code_1(run, monkeypatch):
    monkeypatch.setattr(H2PC, "fit", lambda *_: 1 // 0)
    told = run("doctor", "--json")

    assert told.exit_code == 1
    (problem,) = json.loads(told.stdout)["problems"]
    assert problem.startswith("The self-test failed: ZeroDivisionError")


def test_a_learner_that_learns_something_else_is_told_and_code_1(run, monkeypatch):
    fit = H2PC.fit

    def fit_less(self, data):
        learned = fit(self, data)
        learned.dag_ = Dag.from_edges(learned.dag_.names)
        return learned

    monkeypatch.setattr(H2PC, "fit", fit_less)
    told = run("doctor")

    assert told.exit_code == 1
    assert told.stdout.endswith("another network was learned than expected.\n")
