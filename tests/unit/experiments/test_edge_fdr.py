"""The experiment on false discovery rates of edges."""

import pytest

from h2pc import load_network
from h2pc.experiments.edge_fdr import main
from h2pc.experiments.edge_fdr_cells import near_deterministic
from h2pc.experiments.edge_fdr_tables import Rate, false_share, power, uncontrolled


def record(claimed, false, true_edges):
    return {"true_edges": true_edges, "hpc": {"and": {"alpha": [claimed, false]}}}


def test_a_small_run_writes_a_report_and_goes_on_where_it_stopped(tmp_path, capsys):
    main(["--plan", "small", "--out", str(tmp_path)])
    report = (tmp_path / "report.md").read_text()
    cells = (tmp_path / "rates" / "results.jsonl").read_text()
    main(["--plan", "small", "--out", str(tmp_path)])

    assert (tmp_path / "rates" / "results.jsonl").read_text() == cells
    assert (tmp_path / "report.md").read_text() == report
    assert report in capsys.readouterr().out
    for heading in ("Benjamini-Yekutieli", "Where it is too high", "Stability selection"):
        assert heading in report


def test_a_rate_exceeds_its_level_by_two_standard_errors():
    rate = Rate.of([0.1, 0.2, 0.3])

    assert rate.mean == pytest.approx(0.2)
    assert rate.error == pytest.approx(0.0577, abs=1e-4)
    assert rate.exceeds(0.08)
    assert not rate.exceeds(0.09)


def test_rates_and_power_are_means_over_samples():
    records = [record(10, 1, 20), record(0, 0, 20)]

    assert false_share(records, uncontrolled()).mean == pytest.approx(0.05)
    assert power(records, uncontrolled()) == pytest.approx(0.225)


def test_a_variable_is_nearly_determined_by_its_parents_if_most_rows_are_certain():
    assert near_deterministic(load_network("asia")) == {"either"}
    assert near_deterministic(load_network("hepar2")) == frozenset()
