import gzip
import os

import numpy as np
import pytest

from h2pc import BayesianNetwork, Dag, load_network, read_network, write_network
from h2pc.errors import FileFormatError, SettingError
from h2pc.io import files
from h2pc.io.dot import from_dot
from h2pc.networks.network_formats import network_text


def test_dot_holds_the_graph(tmp_path):
    insurance = load_network("insurance")

    write_network(insurance, tmp_path / "a.dot")

    assert from_dot((tmp_path / "a.dot").read_text()) == insurance.dag


@pytest.mark.parametrize(
    "name",
    ["a.bif", "a.json", "a.xml", "a.bifxml", "a.xmlbif.gz", "a.bif.gz", "a.json.gz", "A.BIF.GZ"],
)
def test_the_name_of_a_file_chooses_its_format(tmp_path, name):
    network = load_network("asia")

    write_network(network, tmp_path / name)

    assert read_network(tmp_path / name) == network


TYPES = {"int": [-1, 0, 12], "bool": [False, True], "str": ["0", "(-inf, 1.5]"], "gaps": [3, None]}


@pytest.mark.parametrize("ending", [".bif", ".bifxml", ".json"])
def test_states_come_back_in_their_own_type(tmp_path, ending):
    tables = [np.full(len(states), 1 / len(states)) for states in TYPES.values()]
    network = BayesianNetwork(Dag(TYPES, [[]] * 4), [*TYPES.values()], tables)

    write_network(network, tmp_path / f"x{ending}")

    found = read_network(tmp_path / f"x{ending}")
    for name, states in zip(found.names, found.states, strict=True):
        assert [(type(state), state) for state in states] == [(type(s), s) for s in TYPES[name]]


def test_dot_files_are_only_written(tmp_path):
    write_network(load_network("asia"), tmp_path / "a.dot")

    assert (tmp_path / "a.dot").read_text().startswith("digraph")
    with pytest.raises(SettingError, match=r"can be read end in \.bif, \.json, \.xml, \.bifxml"):
        read_network(tmp_path / "a.dot")


@pytest.mark.parametrize("name", ["a.txt", "a", "a.bif.xz"])
def test_other_endings_are_not_written(tmp_path, name):
    with pytest.raises(SettingError, match=r"written to files that end in \.bif, .*\.dot; got"):
        write_network(load_network("asia"), tmp_path / name)


def test_the_same_network_gives_the_same_compressed_bytes(tmp_path):
    for name in ("a.json.gz", "b.json.gz"):
        write_network(load_network("asia"), tmp_path / name)

    first, second = ((tmp_path / name).read_bytes() for name in ("a.json.gz", "b.json.gz"))
    assert first == second
    assert gzip.decompress(first).decode() == network_text(load_network("asia"), ".json")


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    write_network(load_network("asia"), path)
    before = path.read_bytes()

    def no_space(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", no_space)
    with pytest.raises(OSError, match="no space"):
        write_network(load_network("alarm"), path)

    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.json"]


def test_text_longer_than_the_limit_is_refused_compressed_or_not(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    for name in ("a.json", "a.json.gz"):
        write_network(load_network("alarm"), tmp_path / name)
        with pytest.raises(FileFormatError, match="more than 1,000 bytes"):
            read_network(tmp_path / name)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b"\xef\xbb\xbf" + network_text(load_network("asia"), ".json").encode())

    assert read_network(path) == load_network("asia")


def test_a_file_that_is_not_there_is_the_usual_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_network(tmp_path / "nowhere.bif")
