"""Reading XMLBIF: what h2pc writes comes back, and damage is told."""

import pytest

from h2pc import load_network
from h2pc.errors import FileFormatError
from h2pc.networks import read_xmlbif, write_xmlbif, xmlbif_text

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
@pytest.mark.parametrize("ending", ["xml", "xmlbif.gz"])
def test_what_is_written_comes_back(tmp_path, name, ending):
    network, path = load_network(name), tmp_path / f"network.{ending}"
    write_xmlbif(network, path)

    assert read_xmlbif(path) == network


def test_files_of_other_programs_are_read(tmp_path):
    path = tmp_path / "rain.xml"
    path.write_text(DOCTYPE)
    network = read_xmlbif(path)

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
    ],
)
def test_damage_is_told(tmp_path, old, new, sentence):
    path = tmp_path / "rain.xml"
    assert old in DOCTYPE
    path.write_text(DOCTYPE.replace(old, new))

    with pytest.raises(FileFormatError, match=r"rain\.xml: ") as error:
        read_xmlbif(path)
    assert sentence in str(error.value)


def test_any_beginning_of_a_file_is_read_or_refused(tmp_path):
    text, path = xmlbif_text(load_network("asia")), tmp_path / "asia.xml"
    for end in range(0, len(text) - 10, 97):
        path.write_text(text[:end])
        with pytest.raises(FileFormatError):
            read_xmlbif(path)
