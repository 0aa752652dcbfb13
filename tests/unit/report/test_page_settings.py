"""What a page says that a run did: settings that played a part, and counts, in words."""

import math

import pytest

from h2pc import GES, H2PC, MMHC, Dag, HillClimbing, LearnResult, TabuSearch, load_network
from h2pc.errors import H2pcWarning
from h2pc.report.page_settings import run_facts


@pytest.fixture(scope="module")
def asia():
    return load_network("asia").sample(2000, random_state=1)


def facts_of(learner, data):
    return dict(run_facts(learner.fit(data).result_))


def facts_with(**settings):
    return dict(run_facts(LearnResult(Dag.from_edges(tuple("ab")), None, -1.0, settings=settings)))


def test_the_default_says_what_the_choices_were_and_no_more(asia):
    facts = facts_of(H2PC(), asia)

    assert list(facts)[:10] == [
        "algorithm",
        "variant",
        "independence test",
        "level of the test",
        "fewest samples per cell for a test",
        "the skeleton joins two variables",
        "price of an edge that one end found",
        "price of an edge outside the skeleton",
        "score",
        "equivalent sample size of the score",
    ]
    assert facts["independence test"] == "G²"
    assert facts["score"] == "BDs"
    assert facts["price of an edge outside the skeleton"] == "3 ln p, for p variables"
    assert not [title for title in facts if "restart" in title]
    assert "none" not in facts.values()


def test_the_paper_s_variant_has_its_own_search_and_no_prices(asia):
    facts = facts_of(MMHC(variant="paper"), asia)

    assert facts["algorithm"] == "MMHC"
    assert facts["variant"].startswith("paper: the search is tabu")
    assert facts["score"] == "BDeu"
    assert facts["moves without a better graph after which the search ends"] == "15"
    assert facts["last graphs that are not visited again"] == "100"
    assert not [title for title in facts if "price" in title]


@pytest.mark.parametrize(
    ("learner", "algorithm"),
    [
        (HillClimbing(), "hill climbing"),
        (TabuSearch(), "tabu search"),
        (GES(), "GES: greedy search among equivalence classes"),
    ],
)
def test_searches_without_tests_have_none(asia, learner, algorithm):
    facts = facts_of(learner, asia)

    assert facts["algorithm"] == algorithm
    assert facts["the search starts from"] == "the empty graph"
    assert not [title for title in facts if "test" in title or "skeleton" in title]
    assert "seed of the restarts" not in facts
    assert ("random restarts" in facts) == (
        algorithm != "GES: greedy search among equivalence classes"
    )


def test_restarts_are_those_that_were_made(asia):
    never, often = (
        facts_of(HillClimbing("bic"), asia),
        facts_of(HillClimbing("bic", restarts=3), asia),
    )

    assert never["random restarts"] == "0"
    assert "random moves of a restart" not in never
    assert often["random restarts"] == "3"
    assert often["random moves of a restart"] == "10"
    assert often["seed of the restarts"] == "0"
    assert "equivalent sample size of the score" not in often


def test_targets_and_limits_that_cut_the_run_are_said(asia):
    with pytest.warns(H2pcWarning, match="cut short"):
        facts = facts_of(H2PC(targets=["lung"], max_conditioning=1), asia)

    assert facts["learned around"] == "lung"
    assert facts["largest conditioning set of a search for a separating set"] == "1"
    assert facts["searches for a separating set cut short by a limit"] == "1"
    assert "complete" not in facts
    early = LearnResult(
        Dag.from_edges(tuple("ab")), None, -1.0, settings={"max_seconds": 90.0}, complete=False
    )
    assert dict(run_facts(early))["limit of time"] == "90 s"
    assert dict(run_facts(early))["complete"] == "no: a limit ended the run"


def test_a_setting_is_shown_where_it_plays_a_part():
    assert facts_with(fdr=None, fdr_method="by") == {"score of the graph": "-1.00"}
    assert facts_with(fdr=0.05, fdr_method="bh")["p-values adjusted by"].startswith(
        "Benjamini and H"
    )
    assert "fewest samples per cell for a test" not in facts_with(test="gaussian", power_rule=5.0)
    assert facts_with(outside_penalty=None) == {
        "price of an edge outside the skeleton": "no such edge is considered",
        "score of the graph": "-1.00",
    }


def test_constraints_are_arrows_and_long_lists_are_counted():
    many = tuple(f"v{i}" for i in range(25))
    facts = facts_with(required=(("a", "b"),), targets=many, tiers=(("a",), ("b", "c")))

    assert facts["required edges"] == "a → b"
    assert facts["tiers, the earliest first"] == "(a), (b, c)"
    assert facts["learned around"].endswith("v19 and 5 more")


def test_other_settings_keep_their_name_and_value():
    facts = facts_with(my_setting=0.25, is_quick=True, learner="mine")

    assert facts["my setting"] == "0.25"
    assert facts["is quick"] == "yes"
    assert facts["learner"] == "mine"


def test_copies_are_named():
    result = LearnResult(Dag.from_edges(tuple("ab")), None, -1.0, copies={"b": "a"})

    assert dict(run_facts(result))["copies, joined to one variable only"] == "b of a"


def test_without_a_score_there_was_no_run():
    assert (
        run_facts(LearnResult(Dag.from_edges(tuple("ab")), None, math.nan, settings={"alpha": 0.1}))
        == []
    )
