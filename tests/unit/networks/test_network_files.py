import gzip
import json
import os
from xml.etree import ElementTree

import numpy as np
import pytest

from h2pc.errors import FileFormatError, SettingError
from h2pc.graphs import Dag
from h2pc.graphs.exchange import from_dot
from h2pc.io import files
from h2pc.networks import (
    BayesianNetwork,
    json_text,
    load_network,
    network_names,
    parse_json,
    read_json,
    read_network,
    write_dot,
    write_json,
    write_network,
    write_xmlbif,
    xmlbif_text,
)

VALID = json.loads(json_text(load_network("asia")))


def changed(**changes) -> str:
    """The asia network as JSON with changes to its variable 'lung'."""
    document = json.loads(json.dumps(VALID))
    next(v for v in document["variables"] if v["name"] == "lung").update(changes)
    return json.dumps(document)


@pytest.mark.parametrize("name", network_names())
def test_json_reads_back_to_the_last_digit(name):
    network = load_network(name)

    assert parse_json(json_text(network)) == network


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
        (changed(states=[1, 2]), "'states' of 'lung' must be a list of strings"),
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
        (changed(table=[float("nan"), 0.9, 0.5, 0.5]), "NaN"),
        (changed(table=[float("inf"), 0.9, 0.5, 0.5]), "Infinity"),
        (changed(table=[10**400, 0.9, 0.5, 0.5]), "impossible values"),
        ('{"version": 1' + "0" * 5000 + "}", "x.json"),
        ("[" * 200_000, "nested too deeply"),
    ],
)
def test_json_that_is_no_network_is_refused(text, message):
    with pytest.raises(FileFormatError) as caught:
        parse_json(text, source="x.json")

    assert str(caught.value).startswith("x.json")
    assert message in str(caught.value)


def test_xmlbif_holds_names_states_parents_and_every_digit():
    network = load_network("insurance")

    root = ElementTree.fromstring(xmlbif_text(network).encode())

    states = {
        node.findtext("NAME"): tuple(outcome.text for outcome in node.iter("OUTCOME"))
        for node in root.iter("VARIABLE")
    }
    assert states == dict(zip(network.names, network.states, strict=True))
    for node in root.iter("DEFINITION"):
        v = network.dag.variable(node.findtext("FOR"))
        given = [network.dag.variable(parent.text) for parent in node.iter("GIVEN")]
        assert given == list(network.dag.parents(v))
        values = np.array(node.findtext("TABLE").split(), float)
        assert np.array_equal(values, network.tables[v].ravel())


def test_xmlbif_escapes_what_xml_reserves_and_refuses_what_it_cannot_hold():
    network = BayesianNetwork(Dag(["a<b & c"], [[]]), [["<5", ">=5"]], [[0.5, 0.5]])

    root = ElementTree.fromstring(xmlbif_text(network).encode())

    assert root.findtext("NETWORK/VARIABLE/NAME") == "a<b & c"
    assert [node.text for node in root.iter("OUTCOME")] == ["<5", ">=5"]
    with pytest.raises(SettingError, match="XML cannot hold"):
        xmlbif_text(BayesianNetwork(Dag(["\x01"], [[]]), [["x"]], [[1.0]]))


def test_dot_holds_the_graph(tmp_path):
    insurance = load_network("insurance")

    write_dot(insurance, tmp_path / "a.dot")

    assert from_dot((tmp_path / "a.dot").read_text()) == insurance.dag


@pytest.mark.parametrize(
    "name", ["a.bif", "a.json", "a.xml", "a.xmlbif.gz", "a.bif.gz", "a.json.gz", "A.BIF"]
)
def test_the_name_of_a_file_chooses_its_format(tmp_path, name):
    network = load_network("asia")

    write_network(network, tmp_path / name)

    assert read_network(tmp_path / name) == network


def test_dot_files_are_only_written(tmp_path):
    write_network(load_network("asia"), tmp_path / "a.dot")

    assert (tmp_path / "a.dot").read_text().startswith("digraph")
    with pytest.raises(SettingError, match=r"files that can be read end in \.bif, \.json, \.xml"):
        read_network(tmp_path / "a.dot")


def test_the_same_network_gives_the_same_compressed_bytes(tmp_path):
    for name in ("a.json.gz", "b.json.gz"):
        write_json(load_network("asia"), tmp_path / name)

    first, second = ((tmp_path / name).read_bytes() for name in ("a.json.gz", "b.json.gz"))
    assert first == second
    assert gzip.decompress(first).decode() == json_text(load_network("asia"))


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    write_json(load_network("asia"), path)
    before = path.read_bytes()

    def no_space(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", no_space)
    with pytest.raises(OSError, match="no space"):
        write_json(load_network("alarm"), path)

    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.json"]


def test_text_longer_than_the_limit_is_refused_compressed_or_not(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    for name in ("a.json", "a.json.gz"):
        write_json(load_network("alarm"), tmp_path / name)
        with pytest.raises(FileFormatError, match="more than 1,000 bytes"):
            read_json(tmp_path / name)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b"\xef\xbb\xbf" + json_text(load_network("asia")).encode())

    assert read_json(path) == load_network("asia")


def test_a_file_that_is_not_there_is_the_usual_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_network(tmp_path / "nowhere.bif")


def test_xmlbif_files_are_utf8(tmp_path):
    network = BayesianNetwork(Dag(["température"], [[]]), [["x"]], [[1.0]])

    write_xmlbif(network, tmp_path / "t.xml")

    assert ElementTree.parse(tmp_path / "t.xml").findtext("NETWORK/VARIABLE/NAME") == "température"
