"""Edges of small graphs, judged one by one."""

from collections import Counter

import pytest

from h2pc import Cpdag, Dag, Skeleton
from h2pc.errors import GraphError
from h2pc.metrics import Agreement, Mark, Verdict, compare_edges, edge_scores

NAMES = tuple("abcdef")
TRUE = Cpdag(NAMES, [("a", "c"), ("b", "c"), ("c", "d"), ("c", "e")], [("e", "f")])
LEARNED = Cpdag(NAMES, [("a", "c"), ("d", "c"), ("e", "f"), ("a", "f")], [("c", "e"), ("a", "b")])


def verdicts(learned, true, **options):
    return {
        edge.first + edge.second: edge.verdict for edge in compare_edges(learned, true, **options)
    }


def test_every_edge_of_either_graph_gets_its_verdict():
    assert verdicts(LEARNED, TRUE) == {
        "ab": Verdict.EXTRA,
        "ac": Verdict.RIGHT,
        "af": Verdict.EXTRA,
        "bc": Verdict.MISSING,
        "cd": Verdict.REVERSED,
        "ce": Verdict.DIFFERENTLY_MARKED,
        "ef": Verdict.DIFFERENTLY_MARKED,
    }


def test_edges_are_told_in_words_a_report_can_print():
    assert [str(edge) for edge in compare_edges(LEARNED, TRUE)] == [
        "a – b (truth: a not joined to b)",
        "a → c",
        "a → f (truth: a not joined to f)",
        "b not joined to c (truth: b → c)",
        "c ← d (truth: c → d)",
        "c – e (truth: c → e)",
        "e → f (truth: e – f)",
    ]


def test_marks_are_read_from_the_name_that_sorts_first():
    names = ("z", "m", "a")
    (edge,) = compare_edges(Cpdag(names, [("z", "a")]), Cpdag(names, [("a", "z")]))

    assert (edge.first, edge.second) == ("a", "z")
    assert (edge.learned, edge.true) == (Mark.BACKWARD, Mark.FORWARD)


def test_counts_precision_and_recall_of_a_small_example():
    scores = edge_scores(LEARNED, TRUE)

    assert (scores.right, scores.reversed, scores.differently_marked) == (1, 1, 2)
    assert (scores.missing, scores.extra, scores.shd) == (1, 2, 6)
    assert scores.adjacency == Agreement(4, 2, 1)
    # Arrowheads: of a → c, d → c, e → f, a → f only the first is true; three others are not found.
    assert scores.orientation == Agreement(1, 3, 3)


def test_graphs_without_arrowheads_are_perfectly_oriented():
    lines = Cpdag(NAMES, [], [("a", "b")])

    assert edge_scores(lines, Cpdag(NAMES)).orientation.f1 == 1.0
    assert edge_scores(lines, Cpdag(NAMES)).adjacency.f1 == 0.0


def test_a_dag_stands_for_its_class_unless_told_otherwise():
    chain = Dag.from_edges(tuple("abc"), [("a", "b"), ("b", "c")])
    fork = Dag.from_edges(tuple("abc"), [("b", "a"), ("b", "c")])

    assert Counter(verdicts(fork, chain).values()) == {Verdict.RIGHT: 2}
    assert edge_scores(fork, chain).orientation == Agreement(0, 0, 0)
    assert verdicts(fork, chain, as_classes=False) == {"ab": Verdict.REVERSED, "bc": Verdict.RIGHT}
    assert edge_scores(fork, chain, as_classes=False).orientation == Agreement(1, 1, 1)


def test_nothing_to_compare_is_all_right():
    assert compare_edges(Dag.from_edges(NAMES), Cpdag(NAMES)) == ()
    assert edge_scores(Dag.from_edges([]), Dag.from_edges([])).shd == 0


@pytest.mark.parametrize("as_classes", [True, False])
def test_what_cannot_be_compared_is_refused(as_classes):
    dag = Dag.from_edges(NAMES)

    with pytest.raises(GraphError, match="same names"):
        compare_edges(Dag.from_edges(NAMES[1:]), dag, as_classes=as_classes)
    with pytest.raises(GraphError, match="got a Skeleton"):
        compare_edges(Skeleton(NAMES), dag, as_classes=as_classes)
