"""The experiment prints its table, and alarm keeps its promises."""

from statistics import mean

from h2pc.experiments.skeleton_quality import main, runs


def test_the_table_has_a_line_for_every_learner_and_what_others_report(capsys):
    main(["--repetitions", "1"])

    printed = capsys.readouterr().out
    assert "alarm, 500 samples" in printed
    for line in ("HPC", "MMPC", "bnlearn 5.2.1", "authors"):
        assert line in printed


def test_where_others_report_nothing_the_table_is_ours_alone(capsys):
    main(["--network", "asia", "--n-samples", "300", "--repetitions", "2", "--n-jobs", "2"])

    printed = capsys.readouterr().out
    assert "asia, 300 samples, mean of 2" in printed
    assert "bnlearn" not in printed


def test_hpc_finds_three_quarters_of_alarm_in_500_samples():
    found = runs("alarm", "hpc", 500, repetitions=10)

    assert mean(run["recall"] for run in found) >= 0.75
    assert mean(run["precision"] for run in found) >= 0.95


def test_the_same_seeds_give_the_same_runs():
    one, two = (
        [{**run, "seconds": 0} for run in runs("asia", "mmpc", 300, repetitions=2)]
        for _ in range(2)
    )

    assert one == two
    assert one[0] != one[1]
