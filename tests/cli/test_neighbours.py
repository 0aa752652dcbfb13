"""``h2pc neighbours``: who is linked to a target, and why the others are not."""

import json

import pytest

LUNG = """\
Markov boundary of lung: either, smoke, tub
Parents and children of lung
┏━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━┳━━━━━━━━━━┓
┃ name   ┃ log10 p ┃ weakest log10 p ┃ given       ┃ q        ┃
┡━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━╇━━━━━━━━━━┩
│ either │ -404.3  │ -116.2          │ xray        │ 1.1e-115 │
│ smoke  │ -47.4   │ 0.0             │ either, tub │ 1        │
└────────┴─────────┴─────────────────┴─────────────┴──────────┘
Spouses of lung
┏━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━┓
┃ name ┃ log10 p ┃ given the child ┃ separated by ┃
┡━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━┩
│ tub  │ -60.0   │ either          │ –            │
└──────┴─────────┴─────────────────┴──────────────┘
Left out: 4 of 4
┏━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
┃ name  ┃ log10 p ┃ reason                             ┃
┡━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
│ xray  │ -288.2  │ independent given either, p = 0.41 │
│ dysp  │ -49.0   │ independent given either, p = 0.3  │
│ bronc │ -5.7    │ independent given either, p = 0.1  │
│ asia  │ -0.2    │ independent                        │
└───────┴─────────┴────────────────────────────────────┘
"""


@pytest.fixture(scope="module")
def alarm_file(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "alarm.csv"
    assert run("sample", "alarm", "-n", 1000, "--random-state", 1, "-o", path).exit_code == 0
    return path


def test_the_reasons_are_tables(run, asia_file):
    told = run("neighbours", asia_file, "--targets", "lung")

    assert told.exit_code == 0
    assert told.stdout == LUNG
    assert told.stderr == ""


def test_json_has_documented_fields(run, asia_file, shaped):
    told = run("neighbours", asia_file, "-t", "lung,asia", "--json")
    answer = json.loads(told.stdout)
    why = answer["targets"][0]

    shaped(answer, n_samples=int, n_variables=int, settings=dict, targets=list)
    shaped(
        why,
        target=str,
        neighbours=list,
        spouses=list,
        markov_boundary=list,
        left_out=list,
        n_left_out=int,
    )
    link = why["neighbours"][0]
    assert link.pop("correlation") is link.pop("weakest_correlation") is None
    assert link.pop("untested") is None
    shaped(
        link,
        name=str,
        log10_p=float,
        weakest_log10_p=float,
        given=list,
        log10_q=float,
    )
    shaped(why["spouses"][0], name=str, separator=list, child=str, log10_p=float)
    shaped(
        why["left_out"][0],
        name=str,
        reason=str,
        log10_p=float,
        separator=list,
        tested=bool,
        separator_log10_p=float,
    )
    assert [each["target"] for each in answer["targets"]] == ["lung", "asia"]
    assert answer["settings"] == {
        "symmetry": "and",
        "fdr_method": "by",
        "test": "g2",
        "alpha": 0.05,
        "power_rule": 5.0,
    }


def test_ten_left_out_variables_are_listed_or_all(run, alarm_file):
    some, every = (
        json.loads(run("neighbours", alarm_file, "-t", "HR", "--json", *more).stdout)["targets"][0]
        for more in ((), ("--all",))
    )

    assert len(some["left_out"]) == 10
    assert len(every["left_out"]) == every["n_left_out"] == some["n_left_out"] > 20
    assert every["left_out"][:10] == some["left_out"]


def test_the_or_rule_has_the_neighbours_of_the_and_rule_and_perhaps_more(run, alarm_file):
    names = []
    for rule in ("and", "or"):
        told = run("neighbours", alarm_file, "-t", "HR,BP", "--symmetry", rule, "--json")
        targets = json.loads(told.stdout)["targets"]
        names.append(
            {(why["target"], link["name"]) for why in targets for link in why["neighbours"]}
        )

    assert names[0] <= names[1]


def test_a_forbidden_pair_is_left_out_and_a_required_one_is_in(run, asia_file, tmp_path):
    known = tmp_path / "known.json"
    known.write_text(
        '{"forbidden": [["lung", "either"], ["either", "lung"]], "required": [["asia", "lung"]]}'
    )
    told = run("neighbours", asia_file, "-t", "lung", "--constraints", known, "--json")
    (why,) = json.loads(told.stdout)["targets"]

    names = {link["name"]: link["log10_p"] for link in why["neighbours"]}
    assert names["asia"] is None
    assert "either" not in names


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "--targets must name at least one variable"),
        (("--targets", "lunk"), "there is no variable 'lunk'; did you mean 'lung'?"),
        (("--targets", "lung", "--alpha", "0"), "--alpha must lie between 0 and 1"),
        (("--targets", "lung", "--n-jobs", "0"), "--n-jobs must be a number of workers, or -1"),
        (("--targets", "lung", "--power-rule", "-1"), "--power-rule must be a number from 0 on"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_code_2(
    run, asia_file, refused, arguments, sentence
):
    refused(run("neighbours", asia_file, *arguments), 2, sentence)
