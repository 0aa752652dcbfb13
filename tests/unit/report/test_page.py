"""The page of a run: equal for equal inputs, complete, and harmless whatever the names are."""

import json
import math
import re
from base64 import b64encode
from datetime import date
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import H2PC, Dag, LearnResult, irreducible_label_factors, load_network
from h2pc.errors import GraphError, SettingError
from h2pc.graphs import Cpdag, dag_to_cpdag
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.report.page import label_factor_page, network_page
from h2pc.report.page_date import in_words
from strategies import examples

DAY = date(2026, 3, 9)
NASTY = ("</script><script>alert(1)</script>", "<!--<script>", "a\"b'&amp;", "{{data}}", "\u2028x")


def run_of(dag, **settings):
    return LearnResult(dag, None, -12.5, 3, 4, 5, {"search": 0.25}, settings)


def family(names="abcd"):
    return Dag.from_edges(tuple(names), [("a", "c"), ("b", "c"), ("c", "d")])


class Parsed(HTMLParser):
    """The tags of a page, and the texts of its scripts and styles."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.raw, self.title, self.inside = [], [], "", None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.inside = tag
        if tag in ("script", "style"):
            self.raw.append("")

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, text):
        if self.inside in ("script", "style"):
            self.raw[-1] += text
        if self.inside == "title":
            self.title += text

    @property
    def document(self):
        return json.loads(self.raw[1])


def document_of(*arguments, **named):
    return Parsed(network_page(*arguments, title="t", **named)).document


def test_equal_inputs_give_equal_pages_whatever_the_order_of_columns():
    one = network_page(run_of(family()), title="t", day=DAY, reference=family())
    two = network_page(run_of(family("dbca")), title="t", day=DAY, reference=family("cdab"))

    assert one == two


def test_the_document_has_edges_links_and_strengths_in_one_order():
    dag = family()
    turned = dag.reversed_edge("c", "d")
    strengths = EdgeStrengths.of(dag.names, map(dag_to_cpdag, (dag, dag, turned)))
    links = [
        EdgeLink("b", "c", 2.5, -3.0, ("a",), weakest_log10_p=-2.0, log10_q=-1.0),
        EdgeLink("a", "c", 1.5, float("-inf"), ("b",), untested="d"),
    ]
    document = document_of(run_of(dag), links=links, strengths=strengths)

    assert document["names"] == list("abcd")
    assert document["edges"] == [[0, 2], [1, 2], [2, 3]]
    assert document["measures"]["gain"] == [1.5, 2.5, None]
    assert document["measures"]["log10_p"] == [None, -3.0, None]
    assert document["measures"]["weakest_log10_p"] == [None, -2.0, None]
    assert document["measures"]["log10_q"] == [None, -1.0, None]
    assert "correlation" not in document["measures"]
    assert document["given"] == [[1], [0], []]
    assert document["untested"] == ["d", None, None]
    assert document["measures"]["strength"] == [1.0, 1.0, 1.0]
    assert document["measures"]["direction"][2] == pytest.approx(2 / 3)


def test_the_document_has_pairs_that_the_graph_lacks_from_the_strongest_on():
    dag = Dag.from_edges(tuple("abcd"), [("a", "b")])
    graphs = [
        Cpdag(dag.names, [("a", "b"), *[("d", "c")] * (i < 3)], [("b", "c")] * (i < 2))
        for i in range(10)
    ]
    strengths = EdgeStrengths.of(dag.names, graphs)
    document = document_of(run_of(dag, threshold=0.5), strengths=strengths)

    assert document["weaker"] == [[3, 2, 0.3, 1.0], [1, 2, 0.2, 0.5]]
    assert document["weaker_reversible"] == [False, True]
    assert document["resampled"] == {"by": "bootstrap", "threshold": 0.5, "averaged": True}
    fewer = document_of(run_of(dag), strengths=strengths, min_strength=0.2)
    assert fewer["weaker"] == [[3, 2, 0.3, 1.0]]
    assert fewer["resampled"]["threshold"] == strengths.threshold
    assert not fewer["resampled"]["averaged"]


def test_edges_that_only_the_reference_has_are_no_weaker_pairs_but_have_strengths():
    dag = Dag.from_edges(tuple("abcd"), [("a", "b")])
    strengths = EdgeStrengths.of(dag.names, [Cpdag(dag.names, [("c", "d")]), Cpdag(dag.names)])
    reference = Dag.from_edges(dag.names, [("a", "d"), ("d", "c")])
    document = document_of(run_of(dag), strengths=strengths, reference=reference)

    assert document["weaker"] == []
    assert document["missing"] == [[0, 3], [3, 2]]
    assert document["missing_strengths"] == [[0.0, None], [0.5, 0.0]]


def test_very_many_pairs_are_cut_to_the_strongest():
    names = tuple(f"v{i:02}" for i in range(60))
    pairs = [(u, v) for u in range(60) for v in range(u + 1, 60)]
    graphs = [Cpdag(names, [], pairs), Cpdag(names, [], pairs[500:])]
    document = document_of(run_of(Dag.from_edges(names)), strengths=EdgeStrengths.of(names, graphs))

    assert [tuple(pair[:2]) for pair in document["weaker"]] == pairs[500:1500]


def test_a_graph_around_targets_may_have_fewer_variables_than_the_strengths():
    names = tuple("abcd")
    graphs = [Cpdag(names, [("a", "b")], [("c", "d")])] * 2
    local = Dag.from_edges(("a", "b"), [("a", "b")])
    document = document_of(run_of(local), strengths=EdgeStrengths.of(names, graphs, targets=["a"]))

    assert document["names"] == ["a", "b"]
    assert document["weaker"] == []


def test_the_overlay_has_right_missing_extra_and_reversed_edges():
    learned = Dag.from_edges(tuple("abcd"), [("a", "b"), ("c", "b"), ("a", "d")])
    true = Dag.from_edges(tuple("dcba"), [("a", "b"), ("b", "c"), ("d", "c")])
    document = document_of(run_of(learned), reference=true)

    edges = [tuple(edge) for edge in document["edges"]]
    verdicts = dict(zip(edges, document["verdicts"]["dag"], strict=True))
    assert verdicts == {(0, 1): "right", (2, 1): "reversed", (0, 3): "extra"}
    assert document["missing"] == [[3, 2]]
    assert document["comparison"] == {
        "right": {"class": 0, "dag": 1},
        "reversed": {"class": 1, "dag": 1},
        "differently marked": {"class": 1, "dag": 0},
        "missing": {"class": 1, "dag": 1},
        "extra": {"class": 1, "dag": 1},
        "structural Hamming distance": {"class": 4, "dag": 3},
    }


def test_powersets_and_boundaries_are_those_of_the_graph_unless_given():
    found = document_of(run_of(family()), labels=["b", "a"])
    given_ = document_of(
        run_of(family()), labels=["a", "b"], powersets=[["b"], ["a"]], boundaries=[[], ["c"]]
    )

    assert found["labels"] == [0, 1]
    assert (found["powersets"], found["boundaries"]) == ([[0, 1]], [[2]])
    assert (given_["powersets"], given_["boundaries"]) == ([[1], [0]], [[], [2]])


def test_separating_sets_settings_and_times_are_in_the_document():
    document = document_of(
        run_of(family(), alpha=0.05, required=(("a", "b"),), max_parents=None),
        separators={("d", "a"): ["c"]},
    )

    assert document["separators"] == [[0, 3, [2]]]
    assert document["phases"] == [["search", 0.25]]
    assert ["level of the test", "0.05"] in document["run"]
    assert ["required edges", "a → b"] in document["run"]


def test_each_view_has_verdicts_of_its_own():
    learned = Dag.from_edges(tuple("abcd"), [("b", "a"), ("b", "c"), ("d", "c")])
    true = Dag.from_edges(tuple("abcd"), [("a", "b"), ("b", "c"), ("c", "d")])
    document = document_of(run_of(learned), reference=true)

    assert document["edges"] == [[1, 0], [1, 2], [3, 2]]
    assert document["reversible"] == [True, False, False]
    assert document["verdicts"] == {
        "class": ["right", "differently marked", "differently marked"],
        "dag": ["reversed", "right", "reversed"],
    }


def test_constraints_of_the_run_have_no_part_in_the_comparison():
    learned = Dag.from_edges(tuple("abc"), [("a", "b"), ("b", "c")])
    true = Dag.from_edges(tuple("abc"), [("c", "b"), ("b", "a")])
    document = document_of(run_of(learned, required=(("a", "b"),)), reference=true)

    assert document["reversible"] == [False, False]
    assert document["verdicts"]["class"] == ["right", "right"]
    assert document["comparison"]["right"] == {"class": 2, "dag": 0}


def test_missing_edges_have_a_direction_where_the_reference_identifies_it():
    true = Dag.from_edges(tuple("abcd"), [("a", "c"), ("b", "c"), ("a", "d")])
    document = document_of(run_of(Dag.from_edges(tuple("abcd"))), reference=true)

    assert document["missing"] == [[0, 2], [0, 3], [1, 2]]
    assert document["missing_reversible"] == [False, True, False]


def test_constraints_of_the_run_make_directions_identifiable_in_both_graphs():
    chain = Dag.from_edges(tuple("abc"), [("a", "b"), ("b", "c")])
    document = document_of(run_of(chain, tiers=(("a",), ("b",))), reference=chain)

    assert document["reversible"] == [False, False]
    assert document["verdicts"]["class"] == ["right", "right"]


def test_the_class_is_shown_first_unless_the_graph_is_wanted():
    assert document_of(run_of(family()))["view"] == "class"
    assert document_of(run_of(family()), view="dag")["view"] == "dag"


def test_directions_that_the_equivalence_class_leaves_open_are_marked():
    collider = Dag.from_edges(tuple("abcd"), [("a", "c"), ("b", "c"), ("a", "d")])

    assert document_of(run_of(collider))["reversible"] == [False, True, False]
    assert document_of(run_of(family()))["reversible"] == [False, False, False]


def test_separating_sets_are_those_that_hpc_found_unless_given():
    result = H2PC().fit(load_network("asia").sample(1000, random_state=1)).result_
    found = document_of(result)
    names, edges = found["names"], {frozenset(edge) for edge in found["edges"]}

    assert found["separators"]
    assert not edges & {frozenset((x, y)) for x, y, _ in found["separators"]}
    kept = result.skeleton_result.separating_sets()
    for x, y, between in found["separators"]:
        assert kept[names[x], names[y]] == tuple(names[v] for v in between)
    assert document_of(result, separators={})["separators"] == []


def test_arrows_lead_down_in_the_layers():
    document = document_of(run_of(family()), reference=family().with_edge("a", "d"))

    places = document["layouts"]["drawings"]["layers"]["places"]
    assert all(places[u][1] < places[v][1] for u, v in document["edges"])
    assert len(document["layouts"]["drawings"]["layers"]["bends"]) == 4


@examples(25)
@given(
    st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=2, max_size=4, unique=True)
)
def test_names_come_back_as_they_are_and_never_as_tags(names):
    names = sorted({*names, *NASTY})
    page = network_page(run_of(Dag.from_edges(names, [(0, 1)])), title=names[0])
    parsed = Parsed(page)

    assert parsed.document["names"] == names
    assert [tag for tag, _ in parsed.tags].count("script") == 3
    assert not re.search("[<>&\u2028\u2029]", parsed.raw[1])


def test_titles_are_text():
    page = network_page(run_of(family()), title='<img src=x onerror="alert(1)">', day=DAY)

    assert Parsed(page).title == '<img src=x onerror="alert(1)">, learned on 9 March 2026'
    assert "<img src=x" not in page


def test_the_title_names_the_day_of_learning_and_no_learning_where_there_was_none():
    learned = Parsed(network_page(run_of(family()), title="a.csv", day=DAY))
    read = LearnResult(family(), None, math.nan)
    labels = irreducible_label_factors({"y": [0, 1] * 50, "x": [0, 0, 1, 1] * 25}, ["y"])
    factors = label_factor_page(labels, title="b.csv", day=DAY)

    assert learned.title == learned.document["title"] == "a.csv, learned on 9 March 2026"
    assert Parsed(network_page(read, title="a.bif", day=DAY)).title == "a.bif, 9 March 2026"
    assert Parsed(factors).title == "b.csv, learned on 9 March 2026"


def test_the_day_is_today_unless_the_environment_names_another(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    today = {in_words(date.today())}
    page = network_page(run_of(family()), title="t")
    today.add(in_words(date.today()))  # at midnight it is either

    assert Parsed(page).title.removeprefix("t, learned on ") in today
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert Parsed(network_page(run_of(family()), title="t")).title.endswith(" 9 September 2001")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(SettingError, match="number of seconds since 1970; got 'yesterday'"):
        network_page(run_of(family()), title="t")


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_and_nothing_else():
    parsed = Parsed(network_page(run_of(family()), title="t"))
    [policy] = [
        tag["content"]
        for _, tag in parsed.tags
        if tag.get("http-equiv") == "Content-Security-Policy"
    ]
    style, _, library, script = parsed.raw

    def hash_of(text):
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"].split() == [hash_of(library), hash_of(script)]
    assert rules["style-src"] == hash_of(style)
    assert rules["img-src"] == "data:"
    assert "unsafe" not in policy


def test_nothing_in_the_page_leads_elsewhere():
    parsed = Parsed(network_page(run_of(family()), title="t"))

    links = [tag.get("src") or tag.get("href") for _, tag in parsed.tags]
    assert [link for link in links if link] == ["#edges"]
    assert not [name for _, tag in parsed.tags for name in tag if name.startswith("on")]


def test_the_licence_of_the_library_comes_with_it():
    page = network_page(run_of(family()), title="t")

    assert "The Cytoscape Consortium" in page
    assert "Permission is hereby granted" in page


@pytest.mark.parametrize("dag", [Dag.from_edges([]), Dag.from_edges(["a"])], ids=["none", "one"])
def test_graphs_of_no_variable_and_of_one_have_a_page(dag):
    assert document_of(run_of(dag))["names"] == list(dag.names)


@pytest.mark.parametrize(
    ("named", "error", "words"),
    [
        ({"labels": ["z"]}, GraphError, "'z'"),
        ({"separators": {("a", "z"): []}}, GraphError, "separators.*'z'"),
        (
            {"links": [EdgeLink("a", "b", 1.0, -1.0, ())]},
            GraphError,
            "links must be edges.*'a' → 'b' is none",
        ),
        (
            {"labels": ["a", "b"], "powersets": [["a"]]},
            SettingError,
            "exactly one powerset; 'b' is not",
        ),
        ({"labels": ["a"], "boundaries": [["c"], ["d"]]}, SettingError, "1 powersets.*got 2"),
        ({"reference": Dag.from_edges(tuple("abc"))}, GraphError, "."),
        ({"min_strength": 2}, SettingError, "min_strength must lie between 0 and 1; got 2"),
        ({"view": "arrows"}, SettingError, "view must be 'class' or 'dag'; got 'arrows'"),
        ({"strengths": EdgeStrengths(("z",), 1, ())}, GraphError, "strengths.*'a'"),
    ],
)
def test_what_does_not_belong_to_the_graph_is_refused(named, error, words):
    with pytest.raises(error, match=words):
        network_page(run_of(family()), title="t", **named)
