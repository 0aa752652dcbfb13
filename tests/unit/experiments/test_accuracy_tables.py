"""Tables of hand-made results."""

import pytest

from h2pc.errors import SettingError
from h2pc.experiments.accuracy_comparison import besides, comparison_table
from h2pc.experiments.accuracy_learners import OURS
from h2pc.experiments.accuracy_tables import (
    NOTE,
    TEN,
    AccuracyCell,
    as_markdown,
    means_table,
    network_tables,
    summary_tables,
)

TITLES = {**OURS, "peer": "Peer"}
NO_ANSWER = {"no_answer": "over 60 s", "seconds": None, "cpu": None}


def result(shd, held_out=-10.0, *, edges=10, missing=None, cpu=1.0):
    missing = shd if missing is None else missing
    return {
        "shd": shd,
        "true_edges": edges,
        "missing": missing,
        "extra": 0,
        "directions": shd - missing,
        "f1": 0.5,
        "bdeu": -100.0,
        "held_out": held_out,
        "held_out_true": -8.0,
        "seconds": 2 * cpu,
        "cpu": cpu,
    }


def row_of(table, learner):
    (row,) = (row for row in table.rows if row[0].removesuffix(" †") == TITLES[learner])
    return dict(zip(table.headings, row, strict=True))


def one_size(**learners):
    """Runs from (network, repetition) to a result, for each learner."""
    return {
        AccuracyCell(network, 1000, repetition, learner): run
        for learner, runs in learners.items()
        for (network, repetition), run in runs.items()
    }


def test_all_networks_weigh_the_same_whatever_their_number_of_runs():
    runs = {}
    for number, network in enumerate(TEN.networks):
        for repetition in range(1 + number):
            cell = AccuracyCell(network, TEN.n_samples[0], repetition, "h2pc")
            runs[cell] = result(number, missing=0)
    runs[AccuracyCell("asia", TEN.n_samples[0], 0, "mmhc")] = NO_ANSWER
    table = means_table(runs, TITLES)

    ours, others = row_of(table, "h2pc"), row_of(table, "mmhc")
    assert (ours["SHD / edges"], ours["missing"], ours["directions"]) == ("0.450", "0.000", "0.450")
    assert (ours["networks"], ours["samples"]) == ("10 of 10", "55 of 55")
    assert (others["SHD / edges"], others["networks"]) == ("–", "0 of 10")
    reported = dict(zip(table.headings, table.rows[-1], strict=True))
    assert reported["learner"] == "GES, BDeu*"
    assert (reported["SHD / edges"], reported["networks"]) == ("0.31", "10 of 10")


def test_who_lacks_answers_is_marked_and_stands_beside_h2pc_on_the_same_samples():
    h2pc = {("asia", 0): result(2), ("asia", 1): result(4), ("alarm", 0): result(9)}
    peer = {("asia", 0): result(1), ("asia", 1): NO_ANSWER, ("alarm", 0): NO_ANSWER}
    table = means_table(one_size(h2pc=h2pc, peer=peer), TITLES)

    ours, theirs = row_of(table, "h2pc"), row_of(table, "peer")
    assert ours["learner"] == "H2PC"
    assert (ours["SHD / edges"], ours["H2PC on these"]) == ("0.600", "0.600")
    assert theirs["learner"] == "Peer †"
    assert (theirs["SHD / edges"], theirs["H2PC on these"]) == ("0.100", "0.200")
    assert (theirs["networks"], theirs["samples"]) == ("1 of 2", "1 of 3")


def test_where_h2pc_lacks_an_answer_there_is_no_mean_beside_the_others():
    runs = one_size(h2pc={("asia", 0): NO_ANSWER}, peer={("asia", 0): result(1)})

    assert row_of(means_table(runs, TITLES), "peer")["H2PC on these"] == "–"


def test_a_row_per_network_ends_with_means_over_what_all_have_answered():
    h2pc = {("asia", 0): result(2), ("asia", 1): result(4), ("alarm", 0): result(9)}
    peer = {("asia", 0): result(1), ("asia", 1): NO_ANSWER, ("alarm", 0): NO_ANSWER}
    tables = summary_tables(one_size(h2pc=h2pc, peer=peer), TITLES)

    shd, held_out = (
        tables["1,000 samples: SHD"],
        tables["1,000 samples: held-out loss, nats per sample"],
    )
    assert shd.headings == ("network", "h2pc", "peer")
    assert shd.rows == [
        ("asia", "3.0", "1.0 (1 of 2)"),
        ("alarm", "9.0", "over 60 s"),
        ("mean of SHD / edges, 1 of 3 samples", "0.200", "0.100"),
    ]
    assert held_out.rows == [("asia", "2.000", "2.000 (1 of 2)"), ("alarm", "2.000", "over 60 s")]


def test_a_missing_likelihood_leaves_no_mean():
    runs = one_size(h2pc={("asia", 0): result(2), ("asia", 1): result(2, held_out=None)})
    (of_network,) = network_tables(runs, TITLES).values()

    assert row_of(means_table(runs, TITLES), "h2pc")["held-out loss %"] == "–"
    assert row_of(of_network, "h2pc")["held-out loss"] == "–"
    some = one_size(h2pc={("asia", 0): result(2, held_out=-8.4)})
    assert row_of(means_table(some, TITLES), "h2pc")["held-out loss %"] == "5.00"


def test_every_size_has_its_own_tables():
    runs = {AccuracyCell("asia", n, 0, "h2pc"): result(n // 100) for n in (1000, 500)}
    tables = summary_tables(runs, TITLES)

    assert [title.split(" samples")[0] for title in tables] == ["500"] * 3 + ["1,000"] * 3
    assert tables["500 samples: SHD"].rows[0] == ("asia", "5.0")
    assert list(network_tables(runs, TITLES)) == [
        "asia, 1,000 samples, mean of 1",
        "asia, 500 samples, mean of 1",
    ]


def test_figures_of_others_stand_beside_ours_where_the_samples_are_as_large():
    small, large = (
        network_tables({AccuracyCell("child", n, 0, "h2pc"): result(5, edges=25)}, TITLES)
        for n in (500, 5000)
    )

    assert len(small["child, 500 samples, mean of 1"].rows) == 1
    _, authors, bnlearn = large["child, 5,000 samples, mean of 1"].rows
    assert authors[:3] == ("H2PC, authors (2014), one run*", "0", "0.000")
    assert bnlearn[:3] == ("H2PC, bnlearn 5.2.1, one run*", "4", "0.160")


COMPARED = {
    # Better with 500 samples, worse with 1,000; over both sizes of asia 7.0 against 8.0.
    AccuracyCell("asia", 500, 0, "h2pc-paper"): result(10),
    AccuracyCell("asia", 500, 0, "h2pc"): result(6, held_out=-9.9, cpu=2.0),
    AccuracyCell("asia", 500, 1, "h2pc-paper"): result(12),
    AccuracyCell("asia", 500, 1, "h2pc"): result(8, held_out=-9.9, cpu=2.0),
    AccuracyCell("asia", 1000, 0, "h2pc-paper"): result(2),
    AccuracyCell("asia", 1000, 0, "h2pc"): result(7, held_out=-10.2, cpu=0.5),
    AccuracyCell("child", 500, 0, "h2pc-paper"): result(4),
    AccuracyCell("child", 500, 0, "h2pc"): result(4),
    AccuracyCell("child", 1000, 0, "h2pc-paper"): result(8),
    AccuracyCell("child", 1000, 0, "h2pc"): result(4),
}


def test_a_learner_beside_the_base_learner():
    (row,) = comparison_table(COMPARED, "h2pc-paper", TITLES).rows
    found = row_of(comparison_table(COMPARED, "h2pc-paper", TITLES), "h2pc")

    assert row[0] == "H2PC"
    assert (found["better"], found["equal"], found["worse"]) == ("50%", "25%", "25%")
    assert found["worst cell"] == "3.500 (asia, 1,000: 7.0 / 2.0)"
    assert found["worst network"] == "0.875 (asia: 7.0 / 8.0)"
    assert found["held-out %"] == "-0.250"  # (1 - 2 + 0 + 0) / 4
    assert found["worst held-out %"] == "-2.000 (asia, 1,000)"
    assert (found["CPU time"], found["longest"]) == ("1.00", "2.00 (asia, 500)")
    assert found["cells"] == "4 of 4"


def test_only_samples_that_both_have_answers_for_are_compared():
    runs = {
        **COMPARED,
        AccuracyCell("asia", 500, 1, "h2pc"): NO_ANSWER,
        AccuracyCell("child", 500, 0, "h2pc-paper"): NO_ANSWER,
    }
    cells, networks = besides(runs, "h2pc", "h2pc-paper")

    assert {cell.where: (cell.shd, cell.base_shd) for cell in cells} == {
        "asia, 500": (6, 10),
        "asia, 1,000": (7, 2),
        "child, 1,000": (4, 8),
    }
    assert [network.where for network in networks] == ["asia", "child"]
    found = row_of(comparison_table(runs, "h2pc-paper", TITLES), "h2pc")
    assert found["cells"] == "3 of 4"


@pytest.mark.parametrize(("shd", "worst"), [(0, "1.000"), (1, "inf")])
def test_a_base_learner_without_errors(shd, worst):
    runs = one_size(h2pc={("asia", 0): result(shd)}, tabu={("asia", 0): result(0)})
    found = row_of(comparison_table(runs, "tabu", TITLES), "h2pc")

    assert found["worst network"] == f"{worst} (asia: {shd}.0 / 0.0)"


def test_a_learner_without_a_common_sample_has_an_empty_row():
    runs = one_size(h2pc={("asia", 0): NO_ANSWER}, tabu={("asia", 0): result(0)})
    row = comparison_table(runs, "tabu", TITLES).rows[0]

    assert row == ("H2PC", *["–"] * 9, "0 of 1")


def test_a_base_learner_without_results_is_refused():
    with pytest.raises(SettingError, match="no results of the base learner 'mmhc', but of h2pc-p"):
        comparison_table(COMPARED, "mmhc", TITLES)


def test_the_page_has_all_tables_and_explains_them():
    page = as_markdown(summary_tables(COMPARED, TITLES))

    assert page.startswith("# Accuracy of learned networks\n\n## 500 samples: means")
    assert page.endswith(NOTE.replace("*", "\\*") + "\n")
