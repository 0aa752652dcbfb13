"""``h2pc compare``: two networks, edge by edge."""

import json
import re

import pytest

from h2pc import LearnResult, load_network, shd
from h2pc.io.dot import to_dot
from h2pc.networks import write_network

GOLDEN = """\
{learned} against asia
┏━━━━━━━━┳━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━┓
┃ first  ┃ second ┃ learned ┃ reference ┃ verdict            ┃
┡━━━━━━━━╇━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━┩
│ asia   │ tub    │ –       │ –         │ right              │
│ asia   │ xray   │ →       │           │ extra              │
│ bronc  │ dysp   │ –       │ →         │ differently marked │
│ bronc  │ smoke  │ –       │ –         │ right              │
│ dysp   │ either │         │ ←         │ missing            │
│ either │ lung   │ ←       │ ←         │ right              │
│ either │ tub    │ ←       │ ←         │ right              │
│ either │ xray   │ →       │ →         │ right              │
│ lung   │ smoke  │ –       │ –         │ right              │
└────────┴────────┴─────────┴───────────┴────────────────────┘
SHD 3 between the equivalence classes, 2 between the graphs.
Skeleton: precision 0.875, recall 0.875, f1 0.875.
Arrowheads: precision 0.750, recall 0.600, f1 0.667.
Edges: 6 right, 0 reversed, 1 differently marked, 1 missing, 1 extra.
"""


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """A graph with one edge too many and one too few, in a DOT file."""
    dag = load_network("asia").dag.without_edge("either", "dysp").with_edge("asia", "xray")
    path = tmp_path_factory.mktemp("graphs") / "wrong.dot"
    path.write_text(to_dot(dag))
    return path


def test_the_edges_are_a_table_and_the_distances_follow(run, wrong):
    told = run("compare", wrong, "asia")

    assert told.exit_code == 0
    assert told.stdout == GOLDEN.format(learned=wrong)


def test_json_has_documented_fields(run, wrong, shaped):
    answer = json.loads(run("compare", wrong, "asia", "--json").stdout)

    shaped(
        answer,
        view=str,
        shd=int,
        dag_shd=int,
        adjacency=dict,
        orientation=dict,
        counts=dict,
        edges=list,
    )
    shaped(answer["adjacency"], precision=float, recall=float, f1=float)
    shaped(
        answer["counts"], right=int, reversed=int, differently_marked=int, missing=int, extra=int
    )
    assert answer["edges"][1] == {
        "first": "asia",
        "second": "xray",
        "learned": "→",
        "reference": None,
        "verdict": "extra",
    }


def test_graphs_are_compared_where_they_are_wanted(run, wrong):
    answer = json.loads(run("compare", wrong, "asia", "--json", "--view", "dag").stdout)
    told = run("compare", wrong, "asia", "--quiet", "--view", "dag").stdout

    assert answer["counts"] == {
        "right": 7,
        "reversed": 0,
        "differently_marked": 0,
        "missing": 1,
        "extra": 1,
    }
    assert sum(edge["verdict"] == "right" for edge in answer["edges"]) == 7
    assert "Arrowheads of the graphs: precision 0.875, recall 0.875" in told
    assert "Edges of the graphs: 7 right, 0 reversed" in told


@pytest.mark.parametrize(("view", "right"), [("class", 6), ("dag", 7)])
def test_pages_and_pictures_count_as_the_answer_does(run, wrong, tmp_path, view, right):
    pytest.importorskip("matplotlib")
    page, picture = tmp_path / "page.html", tmp_path / "picture.svg"
    answer = json.loads(run("compare", wrong, "asia", "--json", "--view", view).stdout)
    for file in (page, picture):
        assert run("compare", wrong, "asia", "-q", "--view", view, "-o", file).exit_code == 0

    [text] = re.findall(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
    document = json.loads(text)
    assert answer["counts"]["right"] == right
    assert document["view"] == view
    assert document["comparison"]["right"][view] == right
    assert document["verdicts"][view].count("right") == right
    assert f"{right} right, 1 missing, 1 extra" in picture.read_text(encoding="utf-8")
    assert document["run"] == []  # nothing was learned


def test_networks_are_read_from_every_kind_of_file(run, tmp_path):
    asia = load_network("asia")
    write_network(asia, tmp_path / "a.bif")
    write_network(asia, tmp_path / "a.bif.gz")
    write_network(asia, tmp_path / "a.json")
    write_network(asia, tmp_path / "a.xml")
    result = LearnResult(asia.dag, None, -1.0, n_tests=0, n_scores=0, n_moves=0, seconds={})
    result.write(tmp_path / "learned.json")
    (tmp_path / "a.dot").write_text(to_dot(asia.dag))

    files = sorted(tmp_path.iterdir())
    assert len(files) == 6
    for file in files:
        answer = json.loads(run("compare", file, "asia", "--json").stdout)
        assert answer["dag_shd"] == 0, file


def test_pages_and_tables_are_written(run, wrong, tmp_path):
    page, table = tmp_path / "page.html", tmp_path / "edges.csv"
    for file in (page, table):
        assert run("compare", wrong, "asia", "-q", "-o", file).exit_code == 0

    assert page.read_text().startswith("<!")
    assert table.read_text().splitlines()[2] == "asia,xray,→,,extra"


def test_a_picture_is_drawn(run, wrong, tmp_path):
    pytest.importorskip("matplotlib")
    told = run("compare", wrong, "asia", "-q", "-o", tmp_path / "picture.png")

    assert told.exit_code == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_the_distance_is_that_of_the_library(run, wrong):
    told = run("compare", wrong, "asia", "-q")
    dag = load_network("asia").dag.without_edge("either", "dysp").with_edge("asia", "xray")

    assert told.stdout.startswith(f"SHD {shd(dag, load_network('asia').dag)} ")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("asia", "alarm"), 1, "The graphs must have the same names"),
        (("asai", "asia"), 2, "did you mean 'asia'?"),
        (("nowhere.bif", "asia"), 1, "nowhere.bif: No such file or directory."),
        (("asia.txt", "asia"), 2, "files that can be read end in"),
        (("asia", "asia", "-o", "picture.gif"), 2, "unknown kind of file"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(run, refused, arguments, code, sentence):
    refused(run("compare", *arguments), code, sentence)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "line 1"),
        ('{"format": "h2pc-result"}', "'version' must be 1"),
        ('{"format": "nonsense"}', "'format' must be 'h2pc-network'"),
    ],
)
def test_damaged_results_are_one_sentence(run, tmp_path, refused, content, sentence):
    file = tmp_path / "result.json"
    file.write_text(content)

    refused(run("compare", file, "asia"), 1, sentence)
