"""Multi-label methods on the same folds of small data: cells, graphs, and that a run resumes."""

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from h2pc import (
    BinaryRelevance,
    CompactForestClassifier,
    MinimalLabelPowersetClassifier,
    make_multilabel_network,
    multilabel_scores,
)
from h2pc.errors import SettingError
from h2pc.experiments.label_comparison import main
from h2pc.experiments.label_comparison_cells import (
    GRAPHS,
    ComparisonCell,
    ComparisonSetup,
    comparison_cells,
    copy_binary_relevance,
    factors_of,
    graph_of,
    learned_graph,
    measured,
    run_comparison,
    running_order,
)
from h2pc.experiments.label_comparison_results import ComparisonResults
from h2pc.experiments.label_methods import (
    METHODS,
    ChainEnsemble,
    MethodSettings,
    columns,
    joint_vote,
)
from h2pc.experiments.multilabel_cells import (
    MultilabelCell,
    MultilabelSetup,
    forest_seed,
    run_multilabel,
    split_of,
)
from h2pc.experiments.multilabel_results import MultilabelResults
from h2pc.multilabel.label_structure import label_dag
from h2pc.multilabel.model_choice import ModelChoice
from h2pc.runs.cells import RESULTS, read_cells

TRUTH = make_multilabel_network(n_labels=4, n_features=8, random_state=3)
SETUP = ComparisonSetup(folds=3, trees=5)
FOLD = MultilabelCell("coast", 1)
QUICK = ("br", "lp", "mlp", "mlp+mb", "ecc", "rf")


def write(folder, data, name="coast"):
    """Leave data as Mulan's files."""
    header = [f"@attribute {column} numeric" for column in (*data.feature_names, *data.label_names)]
    rows = [",".join(f"{value:g}" for value in row) for row in np.hstack((data.X, data.Y))]
    labels = "".join(f'<label name="{label}"></label>' for label in data.label_names)
    (folder / name).mkdir(parents=True)
    (folder / name / f"{name}.arff").write_text(
        "\n".join((f"@relation {name}", *header, "@data", *rows, ""))
    )
    (folder / name / f"{name}.xml").write_text(
        f'<labels xmlns="http://mulan.sourceforge.net/labels">{labels}</labels>'
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of two small data sets."""
    path = tmp_path_factory.mktemp("data")
    write(path, TRUTH.sample(300, random_state=1))
    write(path, TRUTH.sample(240, random_state=2), "shore")
    return str(path)


@pytest.fixture(scope="module")
def run(tmp_path_factory, folder):
    """A finished run of the quick methods on both data sets."""
    out = tmp_path_factory.mktemp("run")
    run_comparison(out, folder, ["coast", "shore"], QUICK, SETUP, first_folds=2)
    return out


def edges_of_fold(folder):
    return {FOLD: learned_graph(FOLD, SETUP, folder).results["edges"]}


def expected(folder, classifier):
    train, test = split_of(FOLD, SETUP.of_paper, folder)
    return asdict(multilabel_scores(test.Y, classifier.fit(train.X, train.Y).predict(test.X)))


@pytest.mark.parametrize("method", ["br", "mlp", "mlp+mb", "rf"])
def test_a_cell_has_the_scores_of_the_public_classifier(folder, method):
    train, _ = split_of(FOLD, SETUP.of_paper, folder)
    dag, seed = label_dag(None, train, 1), forest_seed(FOLD, SETUP.of_paper)
    ours = {"structure": dag, "random_state": seed}
    forest = CompactForestClassifier(5)
    classifier = {
        "br": BinaryRelevance(forest, random_state=seed),
        "mlp": MinimalLabelPowersetClassifier(forest, **ours),
        "mlp+mb": MinimalLabelPowersetClassifier(
            forest, feature_selection="markov_boundary", **ours
        ),
        "rf": RandomForestClassifier(5, random_state=seed),
    }[method]
    cell = ComparisonCell(*FOLD, method)

    found = measured(cell, SETUP, folder, edges_of_fold(folder))

    assert found.results["scores"] == {method: expected(folder, classifier)}
    if method != "rf":
        assert found.results["factor_labels"] == list(map(len, classifier.powersets_))
        assert found.results["factor_features"] == [
            len(model.features) for model in classifier.models_
        ]
    assert set(found.seconds) == {"fit", f"predict {method}"}
    assert all(times["wall"] >= 0 and times["cpu"] >= 0 for times in found.seconds.values())


def test_folds_are_those_of_the_papers_experiment(folder, tmp_path):
    run_multilabel(
        tmp_path / "paper", folder, ["coast"], MultilabelSetup(folds=3, trees=5), first_folds=2
    )
    run_comparison(tmp_path / "run", folder, ["coast"], ["br"], SETUP, first_folds=2)
    copied = copy_binary_relevance(tmp_path / "copy", tmp_path / "paper", ["coast"], SETUP)
    again = copy_binary_relevance(tmp_path / "copy", tmp_path / "paper", ["coast"], SETUP)

    paper = MultilabelResults.read(tmp_path / "paper")
    ours, copy = (ComparisonResults.read(tmp_path / name) for name in ("run", "copy"))
    assert (copied, again) == (2, 0)
    for fold in paper.cells:
        cell = ComparisonCell(*fold, "br")
        assert ours.cells[cell]["scores"]["br"] == paper.cells[fold]["br"]
        assert copy.cells[cell]["scores"] == ours.cells[cell]["scores"]
        assert copy.cells[cell]["factor_labels"] == ours.cells[cell]["factor_labels"]
        assert copy.total_seconds(cell, "wall") == paper.seconds[fold]["br"]
        assert copy.total_seconds(cell, "cpu") is None


def test_results_of_other_folds_are_not_copied(folder, tmp_path):
    run_multilabel(tmp_path / "paper", folder, ["coast"], MultilabelSetup(folds=2, trees=5))

    with pytest.raises(SettingError, match="begun with folds = 2: expected 3, as here"):
        copy_binary_relevance(tmp_path / "copy", tmp_path / "paper", ["coast"], SETUP)


def test_all_methods_have_the_same_folds_and_share_the_graph(run):
    results = ComparisonResults.read(run)
    graphs = read_cells(run / GRAPHS / RESULTS, MultilabelCell._fields)

    assert results.methods == QUICK
    assert results.columns == tuple(
        column for column in columns() if column.partition(":")[0] in QUICK
    )
    folds = {(data, fold) for data in ("coast", "shore") for fold in (0, 1)}
    for method in QUICK:
        assert {(c.data, c.fold) for c in results.cells if c.method == method} == folds
    assert set(graphs) == folds


def test_a_stored_graph_predicts_as_the_learned_one(folder):
    train, test = split_of(FOLD, SETUP.of_paper, folder)
    learned = label_dag(None, train, 1)
    stored = graph_of(edges_of_fold(folder)[FOLD], train)

    predicted = [
        METHODS["mlp+mb"]
        .make(MethodSettings(dag, 7, 5))
        .fit(train.X, train.Y)
        .predict(test.X)
        .tolist()
        for dag in (learned, stored)
    ]
    assert predicted[0] == predicted[1]


def test_a_run_grows_by_folds_methods_and_data(run, folder, tmp_path):
    run_comparison(tmp_path, folder, ["shore"], ["mlp"], SETUP, first_folds=1)
    first = read_cells(tmp_path / RESULTS, ComparisonCell._fields)
    run_comparison(tmp_path, folder, ["shore", "coast"], ["rf", "mlp"], SETUP, first_folds=2)
    graphs = (tmp_path / GRAPHS / RESULTS).read_bytes()
    n_cells = run_comparison(tmp_path, folder, ["coast", "shore"], QUICK, SETUP, first_folds=2)

    assert list(first) == [("shore", 0, "mlp")]
    assert n_cells == 2 * 2 * len(QUICK)
    assert (tmp_path / RESULTS).read_bytes() == (run / RESULTS).read_bytes()
    assert (tmp_path / GRAPHS / RESULTS).read_bytes() == graphs


def test_a_finished_run_needs_no_graph(folder, tmp_path):
    run_comparison(tmp_path, folder, ["coast"], ["mlp"], SETUP, first_folds=1)
    (tmp_path / GRAPHS / RESULTS).unlink()

    assert run_comparison(tmp_path, folder, ["coast"], ["mlp"], SETUP, first_folds=1) == 1
    assert not (tmp_path / GRAPHS / RESULTS).exists()


def test_first_folds_and_cheap_cells_come_first():
    costs = {"small": 1.0, "large": 100.0}
    folds = [MultilabelCell(data, fold) for data in ("large", "small") for fold in (1, 0)]
    cells = comparison_cells(folds, ["br", "mlp+mb"], costs)

    assert sorted(cells, key=lambda cell: running_order(cell, costs))[:5] == [
        ("small", 0, "mlp+mb"),
        ("small", 0, "br"),
        ("large", 0, "mlp+mb"),
        ("large", 0, "br"),
        ("small", 1, "mlp+mb"),
    ]


def test_slow_methods_are_left_out_of_large_data_unless_asked_for():
    folds, costs = (
        [MultilabelCell("small", 0), MultilabelCell("large", 0)],
        {
            "small": 1e5,
            "large": 1e7,
        },
    )
    by_default = comparison_cells(folds, None, costs)
    asked_for = comparison_cells(folds, ["lightgbm"], costs)

    assert ComparisonCell("small", 0, "lightgbm") in by_default
    assert ComparisonCell("large", 0, "lightgbm") not in by_default
    assert ComparisonCell("large", 0, "lightgbm") in asked_for
    assert {cell.method for cell in by_default} == set(METHODS)


def test_chains_vote_for_label_sets_that_a_chain_predicts(folder):
    train, test = split_of(FOLD, SETUP.of_paper, folder)
    model = ChainEnsemble(CompactForestClassifier(2), n_chains=4, random_state=0)
    predicted = model.fit(train.X, train.Y).predict(test.X)
    by_label = model.set_params(objective="hamming").predict(test.X)

    votes = [chain.predict(test.X) for chain in model.chains_]
    told = [chain.predict_proba(test.X) for chain in model.chains_]
    means = np.mean([np.column_stack([p[:, 1] for p in each]) for each in told], axis=0)
    for i, row in enumerate(predicted.tolist()):
        sets = [vote[i].tolist() for vote in votes]
        assert sets.count(row) == max(map(sets.count, sets))
    assert by_label.tolist() == (means > 0.5).astype(int).tolist()
    assert len({chain.order_ for chain in model.chains_}) > 1


@pytest.mark.parametrize(
    ("votes", "means", "winner"),
    [
        ([[1, 0], [0, 1], [1, 0]], [0.1, 0.9], [1, 0]),
        ([[1, 0], [0, 1]], [0.3, 0.6], [0, 1]),
        ([[1, 0], [0, 1]], [0.6, 0.3], [1, 0]),
        ([[1, 1], [0, 0], [0, 1], [0, 0], [1, 1]], [0.9, 0.4], [1, 1]),
        ([[1, 1], [0, 0]], [0.5, 0.5], [0, 0]),
    ],
)
def test_the_most_frequent_label_set_wins_and_ties_go_by_probability(votes, means, winner):
    found = joint_vote([[vote] for vote in votes], [means])

    assert found.tolist() == [winner]


def test_every_objective_of_a_fitted_model_has_its_scores(folder):
    cell = ComparisonCell(*FOLD, "ecc")
    found = measured(cell, SETUP, folder, {})
    made = METHODS["ecc"].make(MethodSettings(None, forest_seed(FOLD, SETUP.of_paper), 5))

    assert found.results["scores"] == {
        "ecc": expected(folder, made),
        "ecc:hamming": expected(folder, made.set_params(objective="hamming")),
    }
    assert found.results["factor_labels"] is None
    assert set(found.seconds) == {"fit", "predict ecc", "predict ecc:hamming"}


def test_choices_are_counted(folder):
    train, _ = split_of(FOLD, SETUP.of_paper, folder)
    model = BinaryRelevance(CompactForestClassifier(2), random_state=0).fit(train.X, train.Y)
    assert factors_of(model)["choices"] is None

    kinds = [("all", "combinations"), ("dependent", "parts"), ("all", "combinations")]
    model.choices_ = [
        ModelChoice((f"Y{i}",), features, kind, 0.0, {}) for i, (features, kind) in enumerate(kinds)
    ]
    assert factors_of(model)["choices"] == {"all, combinations": 2, "dependent, parts": 1}
    model.set_params(feature_selection="auto").fit(train.X, train.Y)
    counted = factors_of(model)["choices"]
    assert sum(counted.values()) == len(model.choices_)
    assert set(counted) == {f"{c.feature_selection}, {c.model}" for c in model.choices_}


def test_lightgbm_can_be_the_base(folder):
    pytest.importorskip("lightgbm")
    found = measured(ComparisonCell(*FOLD, "lightgbm"), SETUP, folder, edges_of_fold(folder))

    assert 0 < found.results["scores"]["lightgbm"]["subset_accuracy"] < 1


@pytest.mark.parametrize(
    ("data", "methods", "first_folds", "message"),
    [
        (["coast"], ["brr"], None, "There is no method 'brr', but br, lp, mlp"),
        (["coast"], [], None, "methods must have at least one entry"),
        ([], ["br"], None, "data must have at least one entry"),
        (["coast"], ["br"], 4, "first_folds must be from 1 to 3"),
    ],
)
def test_grids_that_make_no_sense_leave_nothing_behind(
    tmp_path, folder, data, methods, first_folds, message
):
    with pytest.raises(SettingError, match=message):
        run_comparison(tmp_path / "new", folder, data, methods, SETUP, first_folds=first_folds)

    assert not (tmp_path / "new").exists()


def test_a_folder_is_not_continued_with_other_settings(run, folder):
    with pytest.raises(SettingError, match="was begun with trees = 5; got 6"):
        run_comparison(run, folder, ["coast"], ["br"], replace(SETUP, trees=6))


def test_the_command_runs_and_reports(folder, tmp_path, capsys):
    out = tmp_path / "out"
    options = ["--folds", "3", "--trees", "2", "--first-folds", "1", "--methods", "lp, rf"]
    main(["--folder", folder, "--out", str(out), "--data", "coast,shore", *options])
    first = (out / "report.md").read_text()
    (out / "report.md").unlink()
    main(["--out", str(out)])

    assert (out / "report.md").read_text() == first
    assert "| coast | 1 |" in first
    assert capsys.readouterr().out == f"See {out / 'report.md'}.\n" * 2


def test_the_command_refuses_in_a_sentence(tmp_path):
    with pytest.raises(SystemExit, match="holds no experiment"):
        main(["--out", str(tmp_path / "nothing")])


@pytest.mark.slow
def test_the_number_of_processes_does_not_change_the_results(run, folder, tmp_path):
    run_comparison(tmp_path, folder, ["coast", "shore"], QUICK, SETUP, first_folds=2, n_jobs=2)

    for name in (Path(RESULTS), Path(GRAPHS) / RESULTS):
        assert (tmp_path / name).read_bytes() == (run / name).read_bytes()
