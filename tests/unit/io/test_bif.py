import gzip
import os
import re
from pathlib import Path

import numpy as np
import pytest

from h2pc import Dag, load_network, network_names, read_network, write_network
from h2pc.errors import FileFormatError, SettingError
from h2pc.networks import BayesianNetwork
from h2pc.networks.network_formats import network_text, parsed_network

X = "variable x { type discrete [ 2 ] { a, b }; }\n"
Y = "variable y { type discrete [ 3 ] { u, v, w }; }\n"
P_X = "probability ( x ) { table 0.25, 0.75; }\n"
P_Y = "probability ( y | x ) {\n (a) 0.1, 0.2, 0.7;\n (b) 0.3, 0.3, 0.4;\n}\n"


def parse_bif(text: str, source: str = "x.bif") -> BayesianNetwork:
    return parsed_network(text.encode(), ".bif", source)


def bif_text(network: BayesianNetwork) -> str:
    return network_text(network, ".bif")


FOLDER = os.environ.get("H2PC_BIF_FOLDER")


def test_a_small_file():
    network = parse_bif("network unknown {\n}\n" + X + Y + P_X + P_Y)

    assert network.names == ("x", "y")
    assert network.states == (("a", "b"), ("u", "v", "w"))
    assert network.dag.named_edges == (("x", "y"),)
    assert network.tables[0].tolist() == [0.25, 0.75]
    assert network.tables[1].tolist() == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]


def test_the_style_of_javabayes():
    network = parse_bif("""
        // Bayesian network in the Interchange Format
        network "Dog-Problem" { //5 variables and 5 probability distributions
            property "credal-set constant-density-bounded 1.1" ;
        }
        variable  "light-on" { //2 values
            type discrete[2] {  "true"  "false" };
            property "position = (218, 195); { odd }" ;
        }
        variable  "family-out" { type discrete[2] {  "true"  "false" }; }
        /* a table with parents lists
           the first state for all parents, then the second */
        probability (  "light-on"  "family-out" ) { table 0.6 0.05 0.4 0.95 ; }
        probability (  "family-out" ) { property of the wild; table 0.15 0.85 ; }
    """)

    assert network.posterior("light-on", {"family-out": "true"}) == {"true": 0.6, "false": 0.4}
    assert network.tables[1].tolist() == [[0.6, 0.4], [0.05, 0.95]]


def test_a_table_with_two_parents_has_the_last_parent_fastest():
    numbers = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    listed = ", ".join(map(str, [*numbers, *(round(1 - p, 1) for p in numbers)]))

    network = parse_bif(
        X + Y + P_X + P_Y + "variable t { type discrete [ 2 ] { no, yes }; }"
        f"probability ( t | y, x ) {{ table {listed}; }}"
    )

    t = network.dag.variable("t")
    assert [network.names[p] for p in network.dag.parents(t)] == ["x", "y"]
    assert network.tables[t][..., 0].tolist() == [[0.1, 0.3, 0.5], [0.2, 0.4, 0.6]]


def test_rows_with_two_parents_in_any_order():
    rows = {("u", "a"): 0.1, ("w", "b"): 0.2, ("v", "a"): 0.3, ("w", "a"): 0.4, ("v", "b"): 0.5}
    text = "".join(f"({y}, {x}) {p}, {1 - p!r};\n" for (y, x), p in rows.items())

    network = parse_bif(
        X + Y + P_X + P_Y + "variable t { type discrete [ 2 ] { no, yes }; }"
        f"probability ( t | y, x ) {{ default 0.9, 0.1; {text} }}"
    )

    assert network.tables[0][..., 0].tolist() == [[0.1, 0.3, 0.4], [0.9, 0.5, 0.2]]


def test_state_names_of_published_networks():
    names = ["<5", ">=7.5", "0-3_days", "12+", "Asy/Patchy", "Transp.", "-3", "table", "1_1", "é"]

    network = parse_bif(
        f"variable variable {{ type discrete [ {len(names)} ] {{ {', '.join(names)} }}; }}"
        f"probability ( variable ) {{ table {', '.join(['0.1'] * len(names))}; }}"
    )

    assert network.states == (tuple(names),)


BROKEN = [
    ("variable x", 1, "expected '{'"),
    ("", 1, "no variable is declared"),
    ("network n {\n}\n", 3, "no variable is declared"),
    (X + "nonsense", 2, "found 'nonsense'"),
    (X, 2, "no probability block for variable 'x'"),
    (X + X, 2, "declared twice"),
    (P_X, 1, "unknown variable 'x'"),
    (X + P_X + P_X, 3, "two probability blocks"),
    (X + "probability ( ) { }", 2, "without a variable"),
    (X + "probability ( x | x ) { }", 2, "comes twice"),
    (X + "probability ( x ) { table 0.25; }", 2, "expected 2 numbers, found 1"),
    (X + "probability ( x ) { table 0.25, 0.75, 0; }", 2, "expected 2 numbers, found 3"),
    (X + "probability ( x ) { table 0.25, 0.7; }", 2, "sum to 0.95"),
    (X + "probability ( x ) { table 1.25, -0.25; }", 2, "between 0 and 1"),
    (X + "probability ( x ) { table nan, 1; }", 2, "between 0 and 1"),
    (X + "probability ( x ) { table 1e999, 1; }", 2, "between 0 and 1"),
    (X + "probability ( x ) { table 0.2_5, 0.75; }", 2, "expected numbers"),
    (X + "probability ( x ) { table a, b; }", 2, "expected numbers"),
    (X + "probability ( x ) { table 0.25, 0.75 }", 2, "expected ';', found '}'"),
    (X + "probability ( x ) { table 0.25, 0.75; table 0.25, 0.75; }", 2, "second 'table'"),
    (X + "probability ( x ) { tabel 0.25, 0.75; }", 2, "unexpected 'tabel'"),
    (X + "probability ( x ) { }", 2, "'x' has 0 of its 1 rows"),
    (X + Y + P_X + P_Y.replace("(b)", "(c)"), 6, "'c' is not a state of 'x'"),
    (X + Y + P_X + P_Y.replace("(b)", "(a)"), 6, "comes twice"),
    (X + Y + P_X + P_Y.replace("(b)", "(b, a)"), 6, "2 parent states for 1 parents"),
    (X + Y + P_X + P_Y.replace("0.3, 0.3", "0.3, 0.2"), 6, "sum to 0.9"),
    (X + Y + P_X + P_Y.replace("(b) 0.3, 0.3, 0.4;", ""), 7, "'y' has 1 of its 2 rows"),
    (X + Y + P_X + P_Y[:-12], 6, "expected"),
    (X + Y + P_X + P_Y.replace("(a)", "default 0.5, 0.5, 0.5; (a)"), 5, "sum to 1.5"),
    (X + Y + P_Y + "probability ( x | y ) { default 0.5, 0.5; }", 7, "cycle: 'x' → 'y' → 'x'"),
    ("variable x { }", 1, "has no type"),
    ("variable x { type continuous; }", 1, "only 'discrete' is known"),
    (X.replace("2", "3"), 1, "declares 3 states and lists 2"),
    (X.replace("2", "9" * 5000), 1, "states and lists 2"),
    (X.replace("a, b", "a, a"), 1, "two states of the same name"),
    ("variable x { type discrete [ 0 ] { }; }", 1, "must have 1 to 65536 states"),
    (X.replace("};", "}; type discrete [ 1 ] { a };"), 1, "two types"),
    (X + "\n\n/* never closed", 4, "a comment is not closed"),
    (X + '\nvariable "y {', 3, "expected the name of a variable"),
    (X + "\0\1\2" * 5, 2, "expected 'network'"),
    ("network n { property p; x }", 1, "unexpected 'x'"),
    ("(" * 100_000, 1, "expected 'network'"),
]


@pytest.mark.parametrize(("text", "line", "message"), BROKEN)
def test_broken_text_is_refused_at_its_line(text, line, message):
    with pytest.raises(FileFormatError) as caught:
        parse_bif(text, source="my.bif")

    assert str(caught.value).startswith(f"my.bif, line {line}: ")
    assert message in str(caught.value)


def test_a_table_of_absurd_size_is_refused_before_it_is_made():
    parts = [X.replace("x", f"v{i}") for i in range(40)]
    parts += [P_X.replace("x", f"v{i}") for i in range(39)]

    for n in (39, 28):
        given = ", ".join(f"v{i}" for i in range(n))
        with pytest.raises(FileFormatError, match="too large"):
            parse_bif("".join(parts) + f"probability ( v39 | {given} ) {{ default 0.5, 0.5; }}")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x1f\x8b\x08rubbish", b"\x1f\x8b"])
def test_files_that_are_no_text_are_refused(tmp_path, content):
    path = tmp_path / "x.bif"
    path.write_bytes(content)

    with pytest.raises(FileFormatError, match=r"x\.bif"):
        read_network(path)


def test_a_truncated_gzip_file_is_refused(tmp_path):
    path = tmp_path / "x.bif.gz"
    path.write_bytes(gzip.compress(bif_text(load_network("alarm")).encode())[:-500])

    with pytest.raises(FileFormatError, match="gzip file is damaged"):
        read_network(path)


@pytest.mark.parametrize("name", sorted(set(network_names()) - {"barley", "mildew"}))
def test_what_is_written_reads_back_to_the_last_digit(name, tmp_path):
    network = load_network(name)

    write_network(network, tmp_path / "network.bif")

    assert read_network(tmp_path / "network.bif") == network


def test_names_that_are_no_words_come_back():
    dag = Dag.from_edges(["a b", 'say "x//y"\n'], [("a b", 'say "x//y"\n')])
    states = [["", "{", "a,b"], ["(1)", "/*;"]]
    network = BayesianNetwork(dag, states, [[0.5, 0.25, 0.25], np.full((3, 2), 0.5)])

    text = bif_text(network)

    assert "variable a_b {" in text
    assert parse_bif(text) == network


def test_plain_words_are_written_as_they_are():
    assert "property" not in bif_text(load_network("alarm"))


def test_identifiers_are_distinct_whatever_the_case():
    dag = Dag(["A", "a", "a_2", "a-", "type"], [[]] * 5)
    network = BayesianNetwork(dag, [["x!", "x?", "x_2", "table"]] * 5, [[0.25] * 4] * 5)

    written = re.findall("variable ([^ ]+) {\n.* { (.*) }", bif_text(network))

    assert [name for name, _ in written] == ["A", "a_3", "a_2", "a_4", "type_2"]
    assert {states for _, states in written} == {"x, x_3, x_2, table_2"}
    assert parse_bif(bif_text(network)).dag.names == tuple(sorted(dag.names))


@pytest.mark.parametrize(
    ("property_text", "message"),
    [
        ("h2pc_name = 3", "must hold JSON"),
        ("h2pc_name = %22%5Cud800%22", "must hold JSON"),
        ("h2pc_states = [1", "must hold JSON"),
        ("h2pc_states = " + "[" * 5000, "must hold JSON"),
        ("h2pc_states = [1, 2, 3]", "as many"),
        ("h2pc_states = [1, 1]", "must be distinct"),
        ("h2pc_states = [1, %22a%22]", "of integers or of booleans"),
    ],
)
def test_a_property_that_is_damaged_is_refused(property_text, message):
    text = X.replace(" }\n", f" property {property_text}; }}\n") + P_X

    with pytest.raises(FileFormatError, match=rf"x\.bif, line 3: .*{message}"):
        parse_bif(text)


@pytest.mark.parametrize("ending", [".bif", ".xml"])
def test_tables_of_more_than_a_million_cells_are_not_written_as_text(tmp_path, ending):
    names = [f"v{i:02}" for i in range(21)]
    table = np.full((2,) * 21, 0.5)
    dag = Dag(names, [[]] * 20 + [names[:20]])
    network = BayesianNetwork(dag, [[False, True]] * 21, [[0.5, 0.5]] * 20 + [table])

    with pytest.raises(SettingError, match=r"2,097,192 cells.* 'v20'.*Write JSON instead"):
        write_network(network, tmp_path / f"x{ending}")

    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.skipif(FOLDER is None, reason="needs BIF files (their folder in H2PC_BIF_FOLDER)")
def test_all_networks_of_a_folder_read_and_survive_a_round_trip():
    files = sorted(Path(FOLDER).glob("*.bif*"))
    assert files
    for file in files:
        network = read_network(file)
        assert parse_bif(bif_text(network)) == network, file.name
        name = file.name.split(".")[0]
        if name in network_names():
            assert load_network(name) == network, file.name
