"""The program that checks orders of columns, and scores for other libraries."""

import pytest
from benchmarks import column_orders
from benchmarks.peer_scores import BIC, BDeu, Table

from h2pc import load_network
from h2pc.scores.named import local_score

SHORT = ["--networks", "asia", "sachs", "--samples", "500"]


def test_all_orders_of_the_columns_give_one_answer(capsys):
    column_orders.main([*SHORT, "--orders", "4"])

    printed = capsys.readouterr().out
    assert printed.count("1 answer in 4 orders") == 2
    assert printed.endswith("One answer for every network.\n")


def test_answers_that_differ_are_an_error(capsys):
    def first_two_of_asia(data):
        return frozenset([data.columns[:2]] if data.n_variables == 8 else [])

    with pytest.raises(SystemExit, match=r"differ from that of the first order: asia \(orders 2, "):
        column_orders.main([*SHORT, "--orders", "4"], first_two_of_asia)
    printed = capsys.readouterr().out
    assert "4 answers in 4 orders" in printed
    assert "1 answer in 4 orders" in printed


@pytest.mark.parametrize(("kind", "name"), [(BDeu, "bdeu"), (BIC, "bic")])
def test_scores_for_other_libraries_are_ours(kind, name):
    data = load_network("child").sample(300, random_state=3)
    score = kind(Table(data.names, data.codes, tuple(data.cards.tolist())), 10.0)
    ours = local_score(data, name, 10.0)

    for child, parents in ((0, ()), (3, (1,)), (7, (2, 5, 11)), (7, (11, 5, 2))):
        assert score(child, parents) == pytest.approx(ours.family(child, parents), abs=1e-8)
