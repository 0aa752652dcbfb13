"""XMLBIF: what is written comes back, and damaged files are refused."""

from xml.etree import ElementTree

import numpy as np
import pytest

from h2pc import BayesianNetwork, Dag, load_network, read_network, write_network
from h2pc.errors import FileFormatError
from h2pc.networks.network_formats import network_text, parsed_network

DOCTYPE = """<?xml version="1.0"?>
<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> ]>
<!-- as other programs write it -->
<BIF VERSION="0.3"><NETWORK><NAME>rain</NAME>
<VARIABLE TYPE="nature"><NAME>wet</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME>
<PROPERTY>position = (1,2)</PROPERTY></VARIABLE>
<DEFINITION><FOR>wet</FOR><GIVEN>rain</GIVEN>
<TABLE>0.9 0.1 <!-- rain --> 0.2 0.8</TABLE></DEFINITION>
<DEFINITION><FOR>rain</FOR><TABLE>0.8 0.2</TABLE></DEFINITION>
</NETWORK></BIF>
"""


@pytest.mark.parametrize("name", ["asia", "sachs", "child"])
@pytest.mark.parametrize("ending", ["xml", "bifxml", "xmlbif.gz"])
def test_what_is_written_comes_back(tmp_path, name, ending):
    network, path = load_network(name), tmp_path / f"network.{ending}"
    write_network(network, path)

    assert read_network(path) == network


def test_files_of_other_programs_are_read(tmp_path):
    path = tmp_path / "rain.xml"
    path.write_text(DOCTYPE)
    network = read_network(path)

    assert network.dag.named_edges == (("rain", "wet"),)
    assert network.tables[1].tolist() == [[0.9, 0.1], [0.2, 0.8]]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("</BIF>", "", "expected well-formed XML"),
        ("0.8 0.2<", "0.8<", "the table of 'rain' must have 2 numbers; it has 1"),
        ("0.8 0.2<", "0.8 much<", "the table of 'rain' must hold numbers"),
        ("0.8 0.2<", "0.8 0.8<", "sums to 1.6, not to 1"),
        ("<GIVEN>rain", "<GIVEN>snow", "'wet' has an unknown parent 'snow'"),
        ("<GIVEN>rain", "<GIVEN>wet", "wet"),
        ("<FOR>rain", "<FOR>snow", "'snow' is defined, but not declared"),
        ("<FOR>rain", "<FOR>wet", "'wet' is defined twice"),
        ("<NAME>rain</NAME><OUT", "<NAME>wet</NAME><OUT", "'wet' is declared twice"),
        ("( NETWORK )*>", '( NETWORK )*> <!ENTITY a "b">', "entities are not read"),
        ("VARIABLE", "VALUE", "no variable is declared"),
        ("position = (1,2)", "h2pc_states = [1]", "must be as many as its states"),
        ("position = (1,2)", "h2pc_name = rain", "must hold JSON"),
    ],
)
def test_damage_is_refused(tmp_path, old, new, sentence):
    path = tmp_path / "rain.xml"
    assert old in DOCTYPE
    path.write_text(DOCTYPE.replace(old, new))

    with pytest.raises(FileFormatError, match=r"rain\.xml: ") as error:
        read_network(path)
    assert sentence in str(error.value)


def test_any_beginning_of_a_file_is_read_or_refused(tmp_path):
    text, path = network_text(load_network("asia"), ".xml"), tmp_path / "asia.xml"
    for end in range(0, len(text) - 10, 97):
        path.write_text(text[:end])
        with pytest.raises(FileFormatError):
            read_network(path)


def test_xmlbif_holds_names_states_parents_and_every_digit():
    network = load_network("insurance")

    root = ElementTree.fromstring(network_text(network, ".xml").encode())

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


def test_xmlbif_escapes_what_xml_reserves():
    network = BayesianNetwork(Dag(["a<b & c"], [[]]), [["<5", ">=5"]], [[0.5, 0.5]])

    root = ElementTree.fromstring(network_text(network, ".xml").encode())

    assert root.findtext("NETWORK/VARIABLE/NAME") == "a<b & c"
    assert [node.text for node in root.iter("OUTCOME")] == ["<5", ">=5"]


def test_names_that_xml_cannot_hold_come_back():
    dag = Dag(["\x01", " a ", "b\nc", ""], [[]] * 4)
    network = BayesianNetwork(dag, [["x\r", "\ufffe"]] * 4, [[0.5, 0.5]] * 4)

    text = network_text(network, ".xml")

    assert parsed_network(text.encode(), ".xml", "x").names == tuple(sorted(dag.names))
    assert parsed_network(text.encode(), ".xml", "x").states == network.states


def test_xmlbif_files_are_utf8(tmp_path):
    network = BayesianNetwork(Dag(["température"], [[]]), [["x"]], [[1.0]])

    write_network(network, tmp_path / "t.xml")

    assert ElementTree.parse(tmp_path / "t.xml").findtext("NETWORK/VARIABLE/NAME") == "température"
