"""``h2pc learn``: tables, files, answers for machines, and what is refused before any work."""

import bz2
import gzip
import json
import lzma
import re
from itertools import product

import pytest

from h2pc import H2PC, LearnResult, load_network
from h2pc.io.dot import from_dot
from h2pc.learners.edge_table import COLUMNS
from h2pc.networks import read_network

EDGES = """\
Edges
┏━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━━━━━━━━┳━━━━━━━━━━┓
┃ edge           ┃ score gain ┃ log10 p ┃ given  ┃ weakest log10 p ┃ q        ┃
┡━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━━━╇━━━━━━━━━━┩
│ asia -- tub    │ 8.2        │ -2.6    │ –      │ -0.1            │ 1        │
│ bronc -> dysp  │ 1,282.8    │ -560.0  │ either │ -487.7          │ 0        │
│ bronc -- smoke │ 225.0      │ -100.7  │ –      │ -45.0           │ 3.9e-44  │
│ either -> dysp │ 162.1      │ -72.5   │ bronc  │ 0.0             │ 1        │
│ either -> xray │ 800.2      │ -352.9  │ –      │ 0.0             │ 1        │
│ lung -> either │ 1,053.1    │ -462.9  │ tub    │ -116.2          │ 3.4e-115 │
│ lung -- smoke  │ 101.8      │ -47.4   │ –      │ 0.0             │ 1        │
│ tub -> either  │ 284.5      │ -125.8  │ lung   │ -17.1           │ 2.4e-16  │
└────────────────┴────────────┴─────────┴────────┴─────────────────┴──────────┘
"""


@pytest.fixture(scope="module")
def result():
    return H2PC().fit(load_network("asia").sample(5000, random_state=2)).result_


def test_the_edges_are_a_table_and_the_summary_is_beside_it(run, asia_file):
    told = run("learn", asia_file, "--reference", "asia")

    assert told.exit_code == 0
    assert told.stdout == EDGES
    first, second = told.stderr.splitlines()
    assert first.startswith("8 edges between 8 variables from 5,000 samples; bds -11,300.5; ")
    assert second == (
        "Against the reference: SHD 0 between the classes (8 right, 0 reversed, 0 differently "
        "marked, 0 missing, 0 extra), skeleton precision 1.000, recall 1.000."
    )


@pytest.mark.parametrize("scoring", ["qnml", "fnml"])
def test_scores_are_chosen_by_name(run, asia_file, scoring):
    answer = json.loads(run("learn", asia_file, "--scoring", scoring, "--json").stdout)
    data = load_network("asia").sample(5000, random_state=2)

    assert answer["score"] == H2PC(scoring=scoring).fit(data).score_


def test_json_has_documented_fields(run, asia_file, shaped, result):
    told = run("learn", asia_file, "--json")
    answer = json.loads(told.stdout)

    shaped(
        answer,
        variables=list,
        n_samples=int,
        kind=str,
        edges=list,
        undirected=list,
        skeleton=list,
        links=list,
        score=float,
        n_tests=int,
        n_scores=int,
        n_moves=int,
        seconds=dict,
        settings=dict,
        random_state=type(None),
        complete=bool,
        n_cut=int,
        copies=dict,
    )
    link = answer["links"][0]
    assert link.pop("correlation") is link.pop("strength") is None
    assert link.pop("direction") is link.pop("untested") is None
    shaped(
        link,
        parent=str,
        child=str,
        gain=float,
        log10_p=float,
        given=list,
        identifiable=bool,
        weakest_log10_p=float,
        weakest_given=list,
        log10_q=float,
    )
    assert told.stderr == ""
    assert [tuple(edge) for edge in answer["edges"]] == list(result.dag.named_edges)
    assert answer["undirected"] == [["asia", "tub"], ["bronc", "smoke"], ["smoke", "lung"]]
    assert answer["score"] == result.score
    assert answer["settings"]["algorithm"] == "H2PC"


def edges_of(told):
    """The first cells of the table."""
    return [line.split("│")[1].strip() for line in told.stdout.splitlines() if "│" in line]


def test_all_directions_are_shown_on_demand(run, asia_file, result):
    told = run("learn", asia_file, "--view", "dag")

    assert edges_of(told) == [f"{parent} -> {child}" for parent, child in result.dag.named_edges]


@pytest.mark.parametrize(
    ("known", "undirected"),
    [
        ({"required": [["bronc", "smoke"]]}, ["asia -- tub"]),
        ({"forbidden": [["bronc", "smoke"]]}, ["asia -- tub", "lung -- smoke"]),
        ({"tiers": [["asia"], ["tub", "smoke"]]}, ["bronc -- smoke", "lung -- smoke"]),
    ],
)
def test_constraints_identify_directions(run, asia_file, tmp_path, known, undirected):
    file = tmp_path / "known.json"
    file.write_text(json.dumps(known))
    shown = edges_of(run("learn", asia_file, "--constraints", file))
    answer = json.loads(run("learn", asia_file, "--constraints", file, "--json").stdout)

    assert len(shown) == 8
    assert [edge for edge in shown if "--" in edge] == undirected
    assert sorted(" -- ".join(sorted(edge)) for edge in answer["undirected"]) == undirected


@pytest.mark.parametrize(("view", "n_heads"), [("class", 5), ("dag", 8)])
def test_pictures_have_arrowheads_for_the_directions_that_are_shown(
    run, asia_file, tmp_path, view, n_heads
):
    pytest.importorskip("matplotlib")
    run("learn", asia_file, "-q", "--view", view, "-o", tmp_path / "asia.svg")

    # An arrow is a line and a closed head; boxes have other colours.
    picture = (tmp_path / "asia.svg").read_text()
    heads = re.findall(r'<path d="[^"]*z\s*"[^>]*style="fill: #6b7782', picture)
    assert len(heads) == n_heads


def test_pages_begin_with_the_directions_that_are_wanted(run, asia_file, tmp_path):
    for view in ("class", "dag"):
        run("learn", asia_file, "-q", "--view", view, "-o", tmp_path / "asia.html")
        assert f'"view":"{view}"' in (tmp_path / "asia.html").read_text()


def document_of(page):
    [text] = re.findall(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
    return json.loads(text)


def test_pages_name_the_file_its_size_and_the_day(run, asia_file, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794000000")
    page = tmp_path / "asia.html"
    title = "asia.csv, 5,000 samples of 8 variables, learned on 6 November 2026"

    run("learn", asia_file, "-q", "--targets", "lung", "-o", page)
    assert f"<title>{title}</title>" in page.read_text(encoding="utf-8")
    first = page.read_bytes()
    run("learn", "-", "-q", "-o", page, stdin=asia_file.read_text())
    assert document_of(page)["title"] == title.replace("asia.csv", "standard input")
    run("learn", asia_file, "-q", "--targets", "lung", "-o", page)
    times = re.compile(rb'"phases":.*?]]')
    assert times.sub(b"", page.read_bytes()) == times.sub(b"", first)


def test_pages_have_the_tables_that_the_network_files_have(run, asia_file, tmp_path):
    page, network = tmp_path / "asia.html", tmp_path / "asia.bif"
    run("learn", asia_file, "-q", "-o", page, "-o", network)
    document, written = document_of(page), read_network(network)

    for v, name in enumerate(document["names"]):
        table = written.tables[written.dag.variable(name)]
        for *codes, _, no, yes in document["parameters"]["tables"][v]["rows"]:
            assert table[*codes] == pytest.approx([no, yes], abs=6e-5)
    assert document["parameters"]["levels"][0] == ["no", "yes"]


def test_pages_of_numbers_have_regressions_and_mixed_ones_no_parameters(run, tmp_path):
    lines = [f"{i / 7},{(i * i % 19) / 3},{'no' if i % 3 else 'yes'}" for i in range(60)]
    table, page = tmp_path / "t.csv", tmp_path / "t.html"
    table.write_text("\n".join(["x,y,z", *lines]))

    run("learn", table, "-q", "-o", page, "--drop", "z")
    assert document_of(page)["parameters"]["kind"] == "regressions"
    run("learn", table, "-q", "-o", page)
    assert document_of(page)["parameters"] == {"kind": "mixed"}


def test_tables_that_nobody_could_read_are_not_made_for_a_page(run, tmp_path):
    words = [f"w{i % 40}" for i in range(800)]
    rows = [(words[i], words[i * 7 % 800], words[i * 3 % 800], words[i], i % 2) for i in range(800)]
    table, page = tmp_path / "t.csv", tmp_path / "t.html"
    table.write_text("\n".join(["a,b,c,d,e", *(",".join(map(str, row)) for row in rows)]))
    known = tmp_path / "known.json"
    known.write_text(json.dumps({"required": [[x, "e"] for x in "abcd"]}))

    told = run("learn", table, "-q", "-a", "hc", "--constraints", known, "-o", page)
    assert told.exit_code == 0
    assert document_of(page)["parameters"] == {"kind": "large"}


@pytest.mark.parametrize(("view", "distance"), [("class", "shd"), ("dag", "dag_shd")])
def test_page_picture_sentence_and_answer_count_the_same(run, asia_file, tmp_path, view, distance):
    pytest.importorskip("matplotlib")
    files = [tmp_path / "asia.html", tmp_path / "asia.svg"]
    known = tmp_path / "known.json"  # constraints identify directions, and change no count
    known.write_text(json.dumps({"required": [["lung", "smoke"]]}))
    words = ["learn", asia_file, "--constraints", known, "--reference", "asia", "--view", view]

    told = run(*words, "-o", files[0], "-o", files[1])
    answer = json.loads(run(*words, "--json").stdout)["reference"]
    counts = answer["counts"]
    page = document_of(files[0])

    sentence = next(line for line in told.stderr.splitlines() if line.startswith("Against"))
    assert f"SHD {answer[distance]} between the" in sentence
    assert f"({counts['right']} right, {counts['reversed']} reversed" in sentence
    assert page["view"] == answer["view"] == view
    assert {name: each[view] for name, each in page["comparison"].items()} == {
        **{name.replace("_", " "): n for name, n in counts.items()},
        "structural Hamming distance": answer[distance],
    }
    assert page["verdicts"][view].count("right") == counts["right"]
    assert f"{counts['right']} right, {counts['missing']} missing" in files[1].read_text()


def test_targets_have_their_boundaries_and_those_of_the_reference(run, asia_file):
    told = run(
        "learn", asia_file, "-t", "lung,bronc", "-t", "asia", "--json", "--reference", "asia"
    )
    answer = json.loads(told.stdout)

    assert answer["markov_boundaries"]["lung"] == ["either", "smoke", "tub"]
    assert sorted(answer["markov_boundaries"]) == ["asia", "bronc", "lung"]
    assert answer["reference"]["markov_boundaries"]["lung"] == {"missing": [], "extra": []}


def test_all_text_formats_hold_the_same_network(run, asia_file, tmp_path, result):
    endings = ("bif", "xml", "dot", "json", "csv", "bif.gz", "html")
    files = [tmp_path / f"asia.{ending}" for ending in endings]
    told = run("learn", asia_file, "-q", *(word for file in files for word in ("-o", file)))
    bif, xml, dot, document, edges, packed, page = files

    assert (told.exit_code, told.output) == (0, "")
    assert read_network(bif).dag == result.dag
    assert read_network(bif).states[0] == ("no", "yes")
    assert gzip.decompress(packed.read_bytes()) == bif.read_bytes()
    assert from_dot(dot.read_text()) == result.dag
    assert LearnResult.read(document) == result
    lines = edges.read_text().splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert lines[1].startswith("bronc,dysp,true,")
    assert len(lines) == 9
    assert page.read_text().startswith("<!")
    assert "<OUTCOME>yes</OUTCOME>" in xml.read_text()


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_pictures_are_drawn_and_are_the_same_each_time(run, asia_file, tmp_path, ending):
    pytest.importorskip("matplotlib")
    pictures = [tmp_path / f"{name}.{ending}" for name in ("one", "two")]
    for picture in pictures:
        assert run("learn", asia_file, "-q", "-o", picture).exit_code == 0

    first = pictures[0].read_bytes()
    assert first.lstrip().startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending])
    assert first == pictures[1].read_bytes()


@pytest.mark.parametrize(
    ("format_", "beginning"),
    [
        ("edges", "parent,child,identifiable,"),
        ("dot", "digraph {"),
        ("json", "{"),
        ("bif", "network unknown"),
    ],
)
def test_a_dash_is_standard_output_and_nothing_else_is_there(run, asia_file, format_, beginning):
    told = run("learn", asia_file, "-o", "-", "--format", format_)

    assert told.stdout.startswith(beginning)
    assert "Edges" not in told.stdout


def test_standard_input_is_csv(run, asia_file):
    told = run("learn", "-", stdin=asia_file.read_bytes())

    assert told.stdout == EDGES


@pytest.mark.parametrize(
    ("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_compressed_tables_are_the_same_tables(run, asia_file, tmp_path, ending, pack):
    packed = tmp_path / f"asia.csv.{ending}"
    packed.write_bytes(pack(asia_file.read_bytes()))

    assert run("learn", packed).stdout == EDGES


def test_the_order_of_the_columns_does_not_matter(run, asia_file, tmp_path):
    rows = [line.split(",") for line in asia_file.read_text().splitlines()]
    turned = tmp_path / "turned.csv"
    turned.write_text("".join(",".join(row[::-1]) + "\n" for row in rows))

    assert run("learn", turned).stdout == EDGES


@pytest.mark.parametrize("algorithm", ["h2pc", "mmhc", "hc", "tabu"])
def test_every_algorithm_learns(run, asia_file, algorithm):
    is_hybrid = algorithm in ("h2pc", "mmhc")
    more = ("--variant", "paper", "--patience", 9) if is_hybrid else ("--restarts", 2)
    told = run("learn", asia_file, "-a", algorithm, "--scoring", "bic", "--json", *more)
    answer = json.loads(told.stdout)

    assert ["bronc", "dysp"] in answer["edges"]
    assert (answer["skeleton"] is not None) == is_hybrid
    assert answer["random_state"] == (None if is_hybrid else 0)


def test_constraints_are_kept(run, asia_file, tmp_path):
    toml, document = tmp_path / "known.toml", tmp_path / "known.json"
    toml.write_text('required = [["asia", "xray"]]\ntiers = [["smoke"], ["lung", "bronc"]]\n')
    document.write_text('{"forbidden": [["tub", "asia"]]}')
    by_toml = json.loads(run("learn", asia_file, "--constraints", toml, "--json").stdout)
    by_json = json.loads(run("learn", asia_file, "--constraints", document, "--json").stdout)

    assert ["asia", "xray"] in by_toml["edges"]
    assert ["smoke", "lung"] in by_toml["edges"]
    assert ["tub", "asia"] not in by_json["edges"]
    decided = [link for link in by_toml["links"] if link["child"] == "xray"]
    assert {link["parent"]: link["log10_p"] for link in decided}["asia"] is None


def test_columns_can_be_chosen_and_dropped(run, asia_file):
    chosen = run(
        "learn", asia_file, "--columns", "lung,smoke,bronc,xray", "--drop", "xray", "--json"
    )

    assert json.loads(chosen.stdout)["variables"] == ["bronc", "lung", "smoke"]


def test_continuous_columns_are_used_as_they_are_or_cut(run, tmp_path):
    table = tmp_path / "heights.csv"
    rows = [f"{i / 7},{int(i > 350)},{i % 40}" for i in range(700)]
    table.write_text("\n".join(["height,tall,number", *rows]))

    told = run("learn", table)
    assert told.exit_code == 0, told.output
    assert told.stderr.startswith("2 of 3 variables are continuous: test mixed; score bic.")
    for strategy in ("quantile", "uniform"):
        told = run("learn", table, "--discretize", 3, "--strategy", strategy, "--json")
        assert sorted(json.loads(told.stdout)["variables"]) == ["height", "number", "tall"]


def test_missing_values_are_refused_dropped_a_level_or_left_out_test_by_test(
    run, tmp_path, refused
):
    table = tmp_path / "holes.csv"
    table.write_text("a,b\n" + "0,0\n1,1\n" * 50 + ",1\n")

    refused(run("learn", table), 1, "missing values in column 'a' (1)")
    refused(
        run("learn", table), 1, "--missing drop drops 1 of 101 rows; --missing level makes them"
    )
    counts = [
        json.loads(run("learn", table, "--missing", how, "--json").stdout)["n_samples"]
        for how in ("drop", "level", "available")
    ]
    assert counts == [100, 101, 101]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("-o", "asia.bix"), "unknown kind of file: expected a name that ends in .bif, .xml"),
        (("-o", "asia.png.gz"), "unknown kind of file"),
        (("-o", "nowhere/asia.bif"), "there is no folder 'nowhere'"),
        (("-o", "a.bif", "-o", "a.bif"), "--out names the same file twice"),
        (("-o", "-", "--json"), "both want standard output"),
        (("--targets", "lunk"), "there is no variable 'lunk'; did you mean 'lung'?"),
        (("--columns", "lunk"), "--columns: there is no variable 'lunk'"),
        (("--drop", "nonsense"), "--drop: there is no variable 'nonsense'."),
        (("--alpha", "2"), "--alpha must lie between 0 and 1"),
        (("--equivalent-sample-size", "-1"), "--equivalent-sample-size must be a number above 0"),
        (
            ("--equivalent-sample-size", "1", "--scoring", "bic"),
            "--equivalent-sample-size is the prior of bdeu and bds; got --scoring bic",
        ),
        (("-a", "hc", "--alpha", "0.1"), "--alpha does not go with --algorithm hc"),
        (("-a", "hc", "--patience", "3"), "--patience does not go with --algorithm hc"),
        (("-a", "hc", "--variant", "paper"), "--variant does not go with --algorithm hc"),
        (("--restarts", "2"), "--restarts does not go with --algorithm h2pc"),
        (("--patience", "3"), "--patience is of --variant paper only; got 3 and --variant acc"),
        (("-a", "tabu", "--targets", "lung"), "--targets does not go with --algorithm tabu"),
        (("--n-jobs", "0"), "--n-jobs must be a number of workers, or -1"),
        (("--max-seconds", "soon"), "Expected a time like 90s"),
        (("--reference", "alarm"), "--reference must have the variables of the data"),
        (("--reference", "asai"), "did you mean 'asia'?"),
        (("--constraints", "known.yaml"), "expected a .json or .toml file"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_code_2(
    run, asia_file, tmp_path, monkeypatch, refused, arguments, sentence
):
    monkeypatch.chdir(tmp_path)

    refused(run("learn", asia_file, *arguments), 2, sentence)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "expected the names of the columns"),
        (b"a,b\n", "expected at least one row"),
        (b"a,b\n1,2\n1\n", "line 3: a row of 1 values: expected 2"),
        (b"a,a\n1,2\n", "column name 'a' occurs more than once"),
        (b'a,b\n"1,2\n', "line 2"),
        (
            "a,b\né,1\nü,2\n".encode() + b"\xff,2\n",
            "line 4: expected UTF-8 text; --encoding latin-1",
        ),
        (b"\x1f\x8bnonsense", "the gzip file is damaged"),
        (
            b"a\n" + b"".join(b"name%d\n" % i for i in range(99)),
            "no column is left: 'a' (identifier: 99 values in 99 rows): expected at least one; "
            "--keep all keeps all columns",
        ),
    ],
)
def test_damaged_tables_are_one_sentence_and_code_1(run, tmp_path, refused, content, sentence):
    table = tmp_path / "table.csv"
    table.write_bytes(content)

    refused(run("learn", table), 1, sentence)


def test_tables_that_are_not_there_or_not_files_are_told(run, tmp_path, refused):
    (tmp_path / "folder.csv").mkdir()

    refused(run("learn", tmp_path / "nothing.csv"), 1, "nothing.csv: No such file or directory.")
    refused(run("learn", tmp_path / "folder.csv"), 1, "folder.csv: Is a directory.")
    refused(run("learn", tmp_path), 2, "unknown kind of table")


@pytest.mark.parametrize(
    ("content", "code", "sentence"),
    [
        ('{"required": [["asia", "lunk"]]}', 2, "'required': there is no variable 'lunk'"),
        ('{"required": [["asia"]]}', 1, "'required' must be a list of pairs (parent, child)"),
        ('{"tiers": ["asia"]}', 1, "'tiers' must be a list of tiers"),
        ('{"needed": []}', 1, "unknown entry 'needed': expected 'required' or 'forbidden'"),
        ("[1]", 1, "expected an object with 'required'"),
        ("{", 1, "known.json: Expecting property name"),
        ('{"required": [["asia", "tub"], ["tub", "asia"]]}', 2, "make a cycle"),
    ],
)
def test_constraints_that_make_no_sense_are_told(
    run, asia_file, tmp_path, refused, content, code, sentence
):
    known = tmp_path / "known.json"
    known.write_text(content)

    refused(run("learn", asia_file, "--constraints", known), code, sentence)


def test_names_of_any_kind_come_back_from_the_files(run, tmp_path):
    table = tmp_path / "table.csv"
    rows = [f"{a},{b}" for a, b in product((0, 1), (0, 1))]
    table.write_text("\n".join(['"say ""a""",b', *rows]))

    for ending in ("bif", "bifxml"):
        assert run("learn", table, "-o", tmp_path / f"a.{ending}").exit_code == 0

        network = read_network(tmp_path / f"a.{ending}")
        assert network.names == ("b", 'say "a"')
        assert network.states == ((0, 1), (0, 1))


def test_alternatives_are_a_table_of_what_they_lose_and_change(run, asia_file):
    told = run("learn", asia_file, "-q", "--alternatives", "1", "--variant", "paper")

    assert told.exit_code == 0
    assert told.stdout == EDGES + (
        "Alternatives\n"
        "┏━━━━━━━━━━━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━┓\n"
        "┃ score difference ┃ odds    ┃ changes            ┃\n"
        "┡━━━━━━━━━━━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━┩\n"
        "│ -8.21            │ 0.00027 │ asia – tub missing │\n"
        "└──────────────────┴─────────┴────────────────────┘\n"
    )


def test_only_bayesian_scores_have_odds(run, asia_file):
    odds = [
        "odds" in run("learn", asia_file, "--alternatives", "2", "--scoring", scoring).stdout
        for scoring in ("k2", "bds", "bic", "qnml")
    ]

    assert odds == [True, True, False, False]


def test_json_has_alternatives_where_they_are_wanted(run, asia_file, shaped):
    told = run("learn", asia_file, "--alternatives", "2", "--json", "--variant", "paper")
    first, second = json.loads(told.stdout)["alternatives"]

    shaped(first, edges=list, score=float, difference=float, changes=list)
    assert first["changes"] == [
        {"first": "asia", "second": "tub", "learned": "–", "alternative": None}
    ]
    assert second["difference"] < first["difference"] < 0.0


def test_that_no_other_graph_is_close_is_said(run, tmp_path):
    table = tmp_path / "copies.csv"
    table.write_text("a,b\n" + "0,0\n1,1\n" * 100)

    told = run("learn", table, "--alternatives", "3")

    assert told.exit_code == 0
    assert "No other graph has a score that is at most 20 lower." in told.stdout
