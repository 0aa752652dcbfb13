import json

import pytest

from h2pc import BayesianNetwork, load_network, network_names
from h2pc.errors import FileFormatError
from h2pc.networks.network_formats import network_text, parsed_network

VALID = json.loads(network_text(load_network("asia"), ".json"))


def parse_json(text: str) -> BayesianNetwork:
    return parsed_network(text.encode(errors="surrogatepass"), ".json", "x.json")


def changed(**changes) -> str:
    """The asia network as JSON with changes to its variable 'lung'."""
    document = json.loads(json.dumps(VALID))
    next(v for v in document["variables"] if v["name"] == "lung").update(changes)
    return json.dumps(document)


@pytest.mark.parametrize("name", network_names())
def test_json_reads_back_to_the_last_digit(name):
    network = load_network(name)

    assert parse_json(network_text(network, ".json")) == network


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n\n!", "line 3"),
        ("", "line 1"),
        ("[]", "'format' must be 'h2pc-network'"),
        (json.dumps({**VALID, "format": "x"}), "'format' must be"),
        (json.dumps({**VALID, "version": 2}), "'version' must be 1"),
        (json.dumps({**VALID, "variables": {}}), "'variables' must be a list"),
        (json.dumps({**VALID, "variables": []}), "at least one"),
        (json.dumps({**VALID, "variables": [1]}), "must be an object with a 'name'"),
        (json.dumps({**VALID, "variables": VALID["variables"] * 2}), "comes twice"),
        (changed(states=["yes"]), "must have"),
        (changed(states=[1, "no"]), "states of 'lung' must be a list of strings"),
        (changed(states=[1, True]), "states of 'lung' must be a list of strings"),
        (changed(states=[0.5, 1.5]), "'states' of 'lung' must be a list of strings"),
        (changed(states=["\ud800", "no"]), "'states' of 'lung' must be a list of strings"),
        (changed(name="\udfff"), "must be an object with a 'name'"),
        (changed(parents="smoke"), "'parents' of 'lung' must be a list of strings"),
        (changed(parents=["nobody"]), "unknown parent 'nobody'"),
        (changed(parents=["smoke", "smoke"]), "a parent twice"),
        (changed(parents=["lung"]), "Self-loop"),
        (changed(parents=["either"]), "cycle"),
        (changed(parents=["smoke"] + [f"v{i}" for i in range(9)]), "unknown parent"),
        (changed(table=[0.1, 0.9]), "must have 4 numbers; it has 2"),
        (changed(table=[0.1, 0.8, 0.5, 0.5]), "sums to 0.9"),
        (changed(table=["0.1", "0.9", 0.5, 0.5]), "must be a list of numbers"),
        (changed(table=[True, False, 0.5, 0.5]), "must be a list of numbers"),
        (
            changed(table=[float("nan"), 0.9, 0.5, 0.5]),
            "table of 'lung' has values that are not prob",
        ),
        (
            changed(table=[float("inf"), 0.9, 0.5, 0.5]),
            "table of 'lung' has values that are not prob",
        ),
        (changed(table=[10**400, 0.9, 0.5, 0.5]), "impossible values"),
        ('{"version": 1' + "0" * 5000 + "}", "x.json"),
        ("[" * 200_000, "nested too deeply"),
    ],
)
def test_json_that_is_no_network_is_refused(text, message):
    with pytest.raises(FileFormatError) as caught:
        parse_json(text)

    assert str(caught.value).startswith("x.json")
    assert message in str(caught.value)
