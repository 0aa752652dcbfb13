"""The experiment on false edges: its cells, its tables and its report."""

import json

import numpy as np
import pytest

from h2pc import BayesianNetwork, Dag, load_network, make_bayesian_network, skeleton
from h2pc.experiments.edge_fdr import PLANS, STABILITY_PLANS, FdrSetup, Plan, main, run_plans
from h2pc.experiments.edge_fdr_cells import (
    ASSUMPTIONS,
    BOUNDS,
    KINDS,
    LEVELS,
    METHODS,
    FdrCell,
    false_discoveries,
    near_deterministic,
    sample_of,
    stable_edges,
    truth_of,
)
from h2pc.experiments.edge_fdr_pictures import calibration_figure
from h2pc.experiments.edge_fdr_report import fdr_report
from h2pc.experiments.edge_fdr_tables import (
    Failure,
    Rate,
    controlled,
    determined_shares,
    failure_table,
    failures,
    false_share,
    grouped,
    power,
    rate_table,
    rule_table,
    stability_table,
    uncontrolled,
)
from h2pc.runs import CellResult

SMALL = FdrCell("random-20-2", 200, 0)


def record(false, *, claimed=10, true_edges=20, why=None):
    """A result in which every rule claims as much, whatever the level; ``why`` is of all kinds."""
    counts = {"alpha": [claimed + 2, false + 2], "untested": [3, 1]}
    counts |= {method: [[claimed, false]] * len(LEVELS) for method in METHODS}
    rules = {"and": counts, "or": counts}
    kinds = {"false": false} | dict.fromkeys(KINDS, false if why is None else why)
    return {"true_edges": true_edges, "hpc": rules, "mmpc": rules, "why": kinds}


def runs_of(**networks):
    """Runs of 500 samples, from the numbers of false edges of each network."""
    return {
        FdrCell(network, 500, repetition): record(false)
        for network, numbers in networks.items()
        for repetition, false in enumerate(numbers)
    }


def row_of(table, place=0):
    return dict(zip(table.headings, table.rows[place], strict=True))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with the small plan."""
    folder = tmp_path_factory.mktemp("edge_fdr")
    main(["--plan", "small", "--out", str(folder)])
    return folder


def lines_of(folder, part):
    return (folder / part / "results.jsonl").read_text().splitlines()


def test_the_small_plan_runs_and_writes_all_headings(finished):
    report = (finished / "report.md").read_text()

    headings = [line for line in report.splitlines() if line.startswith("#")]
    assert headings == [
        "# False discovery rates of edges",
        '## Benjamini-Yekutieli (`fdr_method="by"`)',
        "## Where it is too high, and why",
        '## Benjamini-Hochberg (`fdr_method="bh"`)',
        "## Without control: alpha = 0.05",
        "## The same rules at a rate of 0.05, Benjamini-Yekutieli",
        "## Stability selection",
    ]
    for plan in (*PLANS["small"], *STABILITY_PLANS["small"]):
        for network in plan.networks:
            assert f"| {network} | {plan.n_samples[0]} |" in report


def test_every_cell_has_a_line(finished):
    plans = {"rates": PLANS["small"], "stability": STABILITY_PLANS["small"]}

    for part, of_part in plans.items():
        n_cells = sum(len(p.networks) * len(p.n_samples) * p.repetitions for p in of_part)
        assert len(lines_of(finished, part)) == n_cells


def test_a_second_run_computes_nothing_and_has_the_same_report(finished, capsys):
    written = {path: path.read_bytes() for path in finished.rglob("*") if path.is_file()}
    main(["--plan", "small", "--out", str(finished)])

    assert {path: path.read_bytes() for path in written} == written
    assert capsys.readouterr().out == written[finished / "report.md"].decode() + "\n"


def test_more_repetitions_are_added_to_those_that_there_are(finished, tmp_path, capsys):
    one = ["--plan", "small", "--repetitions", "1", "--out", str(tmp_path)]
    main(one)
    first = lines_of(tmp_path, "rates")
    main(["--plan", "small", "--out", str(tmp_path)])

    assert set(first) < set(lines_of(tmp_path, "rates")) == set(lines_of(finished, "rates"))
    assert (tmp_path / "report.md").read_bytes() == (finished / "report.md").read_bytes()


def test_finished_cells_are_not_measured_again(tmp_path):
    measured = []

    def measure(cell, seed):
        measured.append(cell)
        return CellResult({"true_edges": seed}, {})

    plan = Plan(("asia", "random-20-2"), (100,), 2)
    one, two = (run_plans(tmp_path, [plan], measure, FdrSetup(7)) for _ in range(2))

    assert one == two
    assert sorted(measured) == sorted(one)
    assert [each["true_edges"] for each in one.values()] == [7] * 4
    # Quick ones come first: asia has 8 variables.
    assert [cell.network for cell in measured] == ["asia"] * 2 + ["random-20-2"] * 2


def test_a_folder_of_another_seed_is_refused(finished):
    with pytest.raises(SystemExit, match="seed"):
        main(["--plan", "small", "--random-state", "1", "--out", str(finished)])


def test_fewer_than_one_repetition_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["--repetitions", "0", "--out", str(tmp_path)])

    assert "--repetitions must be at least 1; got 0." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_plans_name_networks_that_there_are():
    for plan in (*PLANS["whole"], *STABILITY_PLANS["whole"]):
        assert plan.repetitions >= 20
        for network in plan.networks:
            kind, *sizes = network.split("-")
            assert (kind == "random" and len(sizes) == 2) or load_network(network)


def test_the_same_cell_has_the_same_network_and_sample_and_others_have_others():
    other = SMALL._replace(repetition=1)
    one, again, two = (truth_of(cell, 0) for cell in (SMALL, SMALL, other))

    assert one.dag == again.dag != two.dag
    assert (len(one.names), len(one.dag.edges)) == (20, 20)
    first, second, third = (sample_of(SMALL, one, seed).fingerprint() for seed in (0, 0, 1))
    assert first == second != third
    assert truth_of(SMALL, 1).dag != one.dag
    assert truth_of(FdrCell("asia", 200, 3), 0).dag == load_network("asia").dag


@pytest.mark.parametrize("cell", [SMALL, FdrCell("asia", 500, 1)])
def test_a_cell_counts_what_skeletons_with_that_rate_have(cell):
    found = false_discoveries(cell, 0).results
    truth = truth_of(cell, 0)
    data, edges = sample_of(cell, truth, 0), {frozenset(e) for e in truth.dag.named_edges}

    def counted(learner, rule, **control):
        learned = skeleton(data, learner, symmetry=rule, **control).skeleton.named_edges
        return [len(learned), sum(frozenset(edge) not in edges for edge in learned)]

    assert found["true_edges"] == len(edges)
    for learner in ("hpc", "mmpc"):
        # Sets that separate a pair are the same under both rules, and so are its p-values.
        for rule in ("and", "or"):
            counts = found[learner][rule]
            assert counts["alpha"] == counted(learner, rule)
            q_values = skeleton(data, learner, symmetry=rule).q_values()
            untested = [pair for pair, q in q_values.items() if q is None]
            n_false = sum(frozenset(pair) not in edges for pair in untested)
            assert counts["untested"] == [len(untested), n_false]
            for method in METHODS:
                expected = [
                    counted(learner, rule, fdr=level, fdr_method=method) for level in LEVELS
                ]
                assert counts[method] == expected
    json.dumps(found)


def test_a_cell_tells_why_edges_are_false():
    cell = FdrCell("alarm", 1000, 0)
    why = false_discoveries(cell, 0).results["why"]
    claimed, false = controlled("by", 0.05)(false_discoveries(cell, 0).results)

    assert list(why) == ["false", *KINDS]
    assert why["false"] == false <= claimed
    assert all(0 <= why[kind] <= false for kind in KINDS)


def test_stability_selection_has_its_bound_and_what_it_claims():
    found = stable_edges(SMALL, 0).results

    assert found["true_edges"] == 20
    for assumption in ASSUMPTIONS:
        for bound, (least, threshold, claimed, false) in zip(
            BOUNDS, found[assumption], strict=True
        ):
            assert least <= bound
            assert 0.0 <= threshold < 1.0
            assert 0 <= false <= claimed


def test_a_variable_is_nearly_determined_where_half_of_its_rows_are_certain():
    dag = Dag.from_edges(("a", "b", "c", "d"), [("a", "b"), ("a", "c"), ("a", "d")])
    tables = [
        np.array([0.5, 0.5]),
        np.array([[0.995, 0.005], [0.005, 0.995]]),  # determined
        np.array([[0.995, 0.005], [0.99, 0.01]]),  # rare
        np.array([[0.995, 0.005], [0.02, 0.98]]),  # one row in two, always the same state
    ]

    assert near_deterministic(BayesianNetwork(dag, [("0", "1")] * 4, tables)) == {"b"}


def test_asia_has_one_such_variable_and_random_networks_have_none():
    assert near_deterministic(load_network("asia")) == {"either"}
    assert near_deterministic(make_bayesian_network(50, random_state=3)) == frozenset()
    assert determined_shares(runs_of(asia=[0], alarm=[0], **{"random-20-2": [0]}))["asia"] == 1 / 8


def test_a_rate_is_a_mean_with_its_standard_error():
    rate = Rate.of([0.1, 0.2, 0.3, 0.4])

    assert rate.mean == pytest.approx(0.25)
    assert rate.error == pytest.approx(np.std([0.1, 0.2, 0.3, 0.4], ddof=1) / 2)
    assert Rate.of([0.3]) == (0.3, 0.0)
    assert str(Rate(0.25, 0.0625)) == "0.250 ±0.062"


@pytest.mark.parametrize(
    ("mean", "error", "exceeds"),
    [(0.05, 0.0, False), (0.0501, 0.0, True), (0.25, 0.1, False), (0.26, 0.1, True)],
)
def test_a_rate_exceeds_a_bound_by_more_than_two_standard_errors(mean, error, exceeds):
    assert Rate(mean, error).exceeds(0.05) == exceeds


def test_the_share_of_false_edges_is_zero_where_nothing_is_claimed():
    records = [record(1, claimed=4), record(0, claimed=0), record(3, claimed=6)]

    assert false_share(records, controlled("by", 0.1)).mean == pytest.approx((0.25 + 0 + 0.5) / 3)
    assert false_share(records, uncontrolled("mmpc", "or")).mean == pytest.approx(
        (3 / 6 + 2 / 2 + 5 / 8) / 3
    )


def test_power_is_the_share_of_the_true_edges():
    records = [record(1, claimed=5, true_edges=8), record(0, claimed=4, true_edges=4)]

    assert power(records, controlled("bh", 0.01)) == pytest.approx((4 / 8 + 4 / 4) / 2)
    assert power(records, uncontrolled()) == pytest.approx((4 / 8 + 4 / 4) / 2)


def test_claims_are_those_of_a_level_a_learner_and_a_rule():
    one = record(0)
    one["mmpc"]["or"]["bh"] = [[n, n] for n in range(len(LEVELS))]

    assert controlled("bh", 0.1, "mmpc", "or")(one) == [2, 2]
    with pytest.raises(ValueError, match="not in tuple"):
        controlled("bh", 0.07)


def test_rates_far_above_their_level_are_failures():
    runs = runs_of(asia=[1, 1, 1, 1], alarm=[0, 0, 0, 0], child=[0, 4, 0, 0])
    found = failures(runs, "by")

    # asia has 0.1 without error; child 0.1 ± 0.1, not above 0.01 by two standard errors.
    assert found == [
        Failure(("asia", 500), 0.01, Rate(0.1, 0.0)),
        Failure(("asia", 500), 0.05, Rate(0.1, 0.0)),
    ]
    assert failures(runs_of(alarm=[0]), "bh") == []


def test_repetitions_of_a_network_and_a_size_are_a_group():
    runs = runs_of(asia=[0, 1], alarm=[2])

    assert {group: len(records) for group, records in grouped(runs).items()} == {
        ("asia", 500): 2,
        ("alarm", 500): 1,
    }


def test_failures_are_bold_in_the_table_of_rates():
    row = row_of(rate_table(runs_of(asia=[1, 1]), "by"))

    assert (row["network"], row["samples"], row["power at 0.05"]) == ("asia", "500", "0.45")
    assert row["untested"] == "0.25"
    assert row["FDR at 0.01"] == row["FDR at 0.05"] == "**0.100 ±0.000**"
    assert row["FDR at 0.1"] == row["FDR at 0.2"] == "0.100 ±0.000"


def test_rules_stand_beside_each_other_with_control_and_without():
    runs = runs_of(asia=[1, 1])

    assert row_of(rule_table(runs, "by"))["HPC, OR"] == "0.100 / 0.45"
    assert row_of(rule_table(runs, None))["MMPC, AND"] == "0.250 / 0.45"


def test_failures_have_the_shares_of_their_kinds():
    runs = {FdrCell("asia", 500, i): record(2, claimed=8, why=1) for i in range(3)}
    table = failure_table(runs)
    row = row_of(table)

    assert [cells[2] for cells in table.rows] == [f"{level:g}" for level in LEVELS]
    assert (row["nominal"], row["actual"], row["false edges at 0.05"]) == (
        "0.01",
        "0.250 ±0.000",
        "6",
    )
    assert table.rows[0][-len(KINDS) :] == ("0.50",) * len(KINDS)
    assert failure_table(runs_of(asia=[0])).rows == ()


def test_the_report_counts_failures_and_names_networks():
    report = fdr_report(runs_of(**{"random-20-2": [1, 1], "asia": [0, 0]}))

    assert "- Benjamini-Yekutieli: too high in 2 of 8 cases,\n  2 of them on random" in report
    assert "- Too high by Benjamini-Yekutieli on: random-20-2." in report
    assert "no network" in fdr_report(runs_of(asia=[0]))


def test_the_table_of_stability_selection_has_false_edges_beside_their_bound():
    def stable(false, claimed=10):
        return [0.9, 0.75, claimed, false]

    runs = {
        FdrCell("asia", 500, 0): {
            "true_edges": 8,
            "none": [None, stable(6)],
            "unimodal": [None, stable(2)],
        },
        FdrCell("asia", 500, 1): {
            "true_edges": 8,
            "none": [None, stable(6)],
            "unimodal": [stable(2), stable(2)],
        },
    }
    rows = {(row[3], row[4]): row for row in stability_table(runs).rows}

    assert [(bound, each) for bound, each in rows] == [
        (f"{bound:g}", each) for bound in BOUNDS for each in ASSUMPTIONS
    ]
    assert rows["1", "none"][2:] == ("2", "1", "none", "0 of 2", "–", "–")
    assert rows["1", "unimodal"][5:] == ("1 of 2", "**2.000 ±0.000**", "1.00")
    assert rows["5", "none"][5:] == ("2 of 2", "**6.000 ±0.000**", "0.50")
    assert rows["5", "unimodal"][5:] == ("2 of 2", "2.000 ±0.000", "1.00")


def test_the_picture_has_a_row_for_each_method_and_a_panel_for_each_kind_of_network():
    runs = {
        FdrCell(network, n_samples, repetition): record(false, claimed=20)
        for network, false in (("random-20-2", 0), ("asia", 5), ("sachs", 1))
        for n_samples in (100, 500)
        for repetition in range(2)
    }
    rows = [fig.get_title() for fig in calibration_figure(runs).axes]

    assert rows == [
        f"{method}, {kind}"
        for method in ("Benjamini-Yekutieli", "Benjamini-Hochberg")
        for kind in ("random networks", "sachs", "nearly determined:\nasia")
    ]
    for ax, share in zip(calibration_figure(runs).axes, [0.0, 0.05, 0.25] * 2, strict=True):
        lines = {line.get_label(): line for line in ax.get_lines()}
        for label in ("100 samples", "500 samples"):
            lowest = ax.get_ylim()[0]
            assert lines[label].get_xdata() == pytest.approx(LEVELS)
            assert lines[label].get_ydata() == pytest.approx([max(share, lowest)] * len(LEVELS))


def test_the_report_names_its_picture_and_does_without_it(finished):
    assert (finished / "calibration.png").stat().st_size > 0
    assert (finished / "calibration.svg").stat().st_size > 0
    assert "![Nominal and actual](calibration.png)" in (finished / "report.md").read_text()
    assert "No picture was drawn." in fdr_report(runs_of(asia=[1, 1]))
