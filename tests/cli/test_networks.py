"""``h2pc networks``: the library."""

import json

import pytest

from h2pc import load_network, network_names
from h2pc.networks import read_network

ASIA = """\
asia
┏━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ variable ┃ states ┃ parents       ┃
┡━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ asia     │ 2      │ –             │
│ bronc    │ 2      │ smoke         │
│ dysp     │ 2      │ bronc, either │
│ either   │ 2      │ lung, tub     │
│ lung     │ 2      │ smoke         │
│ smoke    │ 2      │ –             │
│ tub      │ 2      │ asia          │
│ xray     │ 2      │ either        │
└──────────┴────────┴───────────────┘
8 variables, 8 edges, 18 parameters; largest in-degree 2, most states 2.
"""


def test_every_network_has_a_line(run):
    told = run("networks")

    assert told.exit_code == 0
    assert [line.split("│")[1].strip() for line in told.stdout.splitlines()[4:-1]] == list(
        network_names()
    )
    assert "│ mildew     │ 35        │ 46    │ 540,150    │ 3                 │" in told.stdout


def test_one_network_is_shown_with_its_variables(run):
    assert run("networks", "asia").stdout == ASIA


def test_json_has_documented_fields(run, shaped):
    every = json.loads(run("networks", "--json").stdout)["networks"]
    one = json.loads(run("networks", "asia", "--json").stdout)
    numbers = {
        "n_variables": int,
        "n_edges": int,
        "n_parameters": int,
        "largest_in_degree": int,
        "most_states": int,
    }

    shaped(every[0], name=str, **numbers)
    shaped(one, name=str, **numbers, variables=list)
    shaped(one["variables"][0], name=str, states=list, parents=list)
    assert one["n_parameters"] == load_network("asia").n_parameters


def test_a_network_is_saved_or_printed(run, tmp_path):
    bif, document = tmp_path / "asia.bif", tmp_path / "asia.json"
    for file in (bif, document):
        assert run("networks", "asia", "-q", "-o", file).output == ""

    assert read_network(bif) == read_network(document) == load_network("asia")
    assert run("networks", "asia", "-o", "-").stdout == bif.read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("asai",), "did you mean 'asia'?"),
        (("-o", "all.bif"), "--out writes one network"),
        (("asia", "-o", "asia.png"), "expected a name that ends in .bif"),
        (("asia", "-o", "-", "--json"), "both want standard output"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_code_2(run, refused, arguments, sentence):
    refused(run("networks", *arguments), 2, sentence)
