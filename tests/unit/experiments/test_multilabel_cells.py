"""The multi-label experiment on small data: what a cell holds, folds, and that a run may grow."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from h2pc import (
    BinaryRelevance,
    CompactForestClassifier,
    Dag,
    MinimalLabelPowersetClassifier,
    make_multilabel_network,
    minimal_label_powersets,
    multilabel_scores,
    powerset_boundary,
    read_multilabel,
)
from h2pc.errors import DataError, SettingError
from h2pc.experiments.fold_predictions import Forests, NumberedData, numbered_data
from h2pc.experiments.multilabel_cells import (
    MultilabelCell,
    MultilabelSetup,
    checked_cells,
    fold_cost,
    forest_seed,
    measured,
    run_multilabel,
    scenarios,
    split_of,
)
from h2pc.experiments.multilabel_results import MultilabelResults
from h2pc.experiments.paper_learners import LEARNERS, learned
from h2pc.multilabel.data import MultilabelData
from h2pc.multilabel.label_metrics import MultilabelScores
from h2pc.runs.cells import RESULTS, read_settings
from multilabel_folder import FOLDER, multilabel_file

TRUTH = make_multilabel_network(n_labels=4, n_features=8, random_state=3)
SETUP = MultilabelSetup(folds=3, trees=5)
CELL = MultilabelCell("coast", 1)
STORED = Path(__file__).resolve().parents[3] / "docs" / "results" / "multilabel"


def write(folder, data, name="coast", order=None):
    """Leave data as Mulan's files, the columns in any order."""
    columns = (*data.feature_names, *data.label_names)
    order = range(len(columns)) if order is None else order
    header = [f"@relation {name}", *(f"@attribute {columns[j]} numeric" for j in order), "@data"]
    rows = [",".join(f"{row[j]:g}" for j in order) for row in np.hstack((data.X, data.Y))]
    labels = "".join(f'<label name="{label}"></label>' for label in data.label_names)
    (folder / name).mkdir(parents=True)
    (folder / name / f"{name}.arff").write_text("\n".join((*header, *rows, "")))
    (folder / name / f"{name}.xml").write_text(
        f'<labels xmlns="http://mulan.sourceforge.net/labels">{labels}</labels>'
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a small data set."""
    path = tmp_path_factory.mktemp("data")
    write(path, TRUTH.sample(600, random_state=1))
    return str(path)


@pytest.mark.parametrize("algorithm", LEARNERS)
def test_forests_predict_what_the_public_classifiers_predict(folder, algorithm):
    train, test = split_of(CELL, SETUP, folder)
    dag = learned(algorithm, train.discrete(), SETUP, train.targets)[0].dag
    forests = Forests(train, test, SETUP.trees, forest_seed(CELL, SETUP))
    how = scenarios(dag, train.targets)
    common = {"base": CompactForestClassifier(5), "random_state": forests.random_state}
    selecting = {**common, "structure": dag, "feature_selection": "markov_boundary"}

    for predicted, classifier in (
        (forests.predict([(label,) for label in train.targets]), BinaryRelevance(**common)),
        (
            forests.predict(*how["mlp"]),
            MinimalLabelPowersetClassifier(**common, structure=dag),
        ),
        (forests.predict(*how["br_mb"]), BinaryRelevance(**selecting)),
        (forests.predict(*how["mlp_mb"]), MinimalLabelPowersetClassifier(**selecting)),
    ):
        expected = classifier.fit(train.X, train.Y).predict(test.X)
        assert predicted.tolist() == expected.tolist()


def test_a_cell_holds_scores_and_the_sizes_of_powersets(folder):
    found = measured(CELL, SETUP, folder).results
    train, test = split_of(CELL, SETUP, folder)
    dag = learned("h2pc", train.discrete(), SETUP, train.targets)[0].dag
    classifier = MinimalLabelPowersetClassifier(
        CompactForestClassifier(5),
        structure=dag,
        random_state=forest_seed(CELL, SETUP),
    ).fit(train.X, train.Y)

    scores = multilabel_scores(test.Y, classifier.predict(test.X))
    assert MultilabelScores(**found["h2pc"]["mlp"]) == scores
    assert found["h2pc"]["powerset_labels"] == list(map(len, classifier.powersets_))
    assert found["h2pc"]["powerset_classes"] == list(map(len, classifier.combinations_))
    assert found["h2pc"]["powerset_features"] == list(map(len, classifier.boundaries_))
    assert found["h2pc"]["label_degrees"] == [
        len(dag.adjacent(dag.variable(label))) for label in train.targets
    ]
    assert found["labels"] == ["Y0", "Y1", "Y2", "Y3"]
    assert found["n_combinations"] == len(np.unique(np.vstack((train.Y, test.Y)), axis=0))


def test_learners_and_scenarios_are_timed(folder):
    seconds = measured(CELL, SETUP, folder).seconds

    for algorithm in LEARNERS:
        times = seconds[algorithm]
        assert times["total"] >= times["skeleton"] + times["search"] > 0
        assert min(times["mlp"], times["br_mb"], times["mlp_mb"], seconds["br"]) > 0


def test_the_order_of_the_columns_does_not_change_the_results(folder, tmp_path):
    write(tmp_path, TRUTH.sample(600, random_state=1), order=[11, 3, 0, 8, 2, 9, 1, 7, 10, 6, 4, 5])
    straight, mixed = (read_multilabel(Path(path) / "coast") for path in (folder, tmp_path))

    assert straight.feature_names != mixed.feature_names
    assert measured(CELL, SETUP, str(tmp_path)).results == measured(CELL, SETUP, folder).results


def test_sparse_features_give_the_results_of_dense_ones():
    from scipy.sparse import csr_array

    dense = TRUTH.sample(50)
    sparse = MultilabelData(csr_array(dense.X), dense.Y, dense.feature_names, dense.label_names)

    assert NumberedData.of(sparse).X.tolist() == NumberedData.of(dense).X.tolist()


def test_folds_part_the_samples_and_depend_on_the_seed(folder):
    whole = numbered_data("coast", folder)
    cells = checked_cells(["coast"], SETUP)
    splits = [split_of(cell, SETUP, folder) for cell in cells]
    other = split_of(cells[0], MultilabelSetup(seed=1, folds=3), folder)

    told = np.vstack([np.hstack((one[1].X, one[1].Y)) for one in splits]).tolist()
    assert sorted(told) == sorted(np.hstack((whole.X, whole.Y)).tolist())
    assert all(len(one[0].Y) + len(one[1].Y) == 600 for one in splits)
    assert other[1].X.tolist() != splits[0][1].X.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_the_local_edges_tell_powersets_and_boundaries(seed):
    truth = make_multilabel_network(n_labels=7, n_features=20, random_state=seed)
    edges = NumberedData.of(truth.sample(10)).local_edges(truth.dag)
    local = Dag.from_edges(truth.dag.names, edges)

    assert minimal_label_powersets(local, truth.labels) == truth.powersets
    for powerset, boundary in zip(truth.powersets, truth.boundaries, strict=True):
        assert powerset_boundary(local, powerset, truth.labels) == boundary


def test_edges_that_lead_to_no_label_and_no_child_of_one_are_left_out():
    data = MultilabelData(np.eye(4), [[0], [1], [0], [1]], ["a", "b", "c", "d"], ["sea"])
    edges = [("X0", "X1"), ("X1", "Y0"), ("Y0", "X2"), ("X0", "X2"), ("X2", "X3")]
    dag = Dag.from_edges(("X0", "X1", "X2", "X3", "Y0"), edges)

    assert NumberedData.of(data).local_edges(dag) == [("a", "c"), ("b", "sea"), ("sea", "c")]


def test_a_label_that_never_occurs_is_a_powerset_of_one_class(tmp_path):
    data = TRUTH.sample(200, random_state=2)
    Y = np.where(np.arange(4) == 2, 0, data.Y)
    write(tmp_path, MultilabelData(data.X, Y, data.feature_names, data.label_names))
    found = measured(CELL, SETUP, str(tmp_path)).results

    for algorithm in LEARNERS:
        assert 1 in found[algorithm]["powerset_classes"]
        assert found[algorithm]["label_degrees"][2] == 0


def test_a_run_may_grow_by_folds(tmp_path, folder):
    first = run_multilabel(tmp_path / "grown", folder, ["coast"], SETUP, first_folds=1)
    grown = run_multilabel(tmp_path / "grown", folder, ["coast"], SETUP)
    run_multilabel(tmp_path / "straight", folder, ["coast"], SETUP)

    assert (first, grown) == (1, 3)
    assert (tmp_path / "grown" / RESULTS).read_bytes() == (
        tmp_path / "straight" / RESULTS
    ).read_bytes()


@pytest.mark.parametrize("other", [{"seed": 1}, {"folds": 4}])
def test_a_folder_is_not_continued_with_other_settings(tmp_path, folder, other):
    run_multilabel(tmp_path, folder, ["coast"], SETUP, first_folds=1)

    with pytest.raises(SettingError, match="was begun with"):
        run_multilabel(tmp_path, folder, ["coast"], replace(SETUP, **other))

    assert read_settings(tmp_path)["experiment"] == "multilabel"


@pytest.mark.parametrize(
    ("data", "first_folds", "n_jobs", "error", "message"),
    [
        ([], None, 1, SettingError, "at least one entry"),
        (["coast"], 0, 1, SettingError, "first_folds must be from 1 to 10"),
        (["coast"], 11, 1, SettingError, "got 11"),
        (["coats"], None, 1, DataError, "coats: no such folder"),
        (["coast"], None, 0, SettingError, "n_jobs must be None"),
    ],
)
def test_grids_that_make_no_sense_leave_nothing_behind(
    tmp_path, folder, data, first_folds, n_jobs, error, message
):
    with pytest.raises(error, match=message):
        run_multilabel(tmp_path / "new", folder, data, first_folds=first_folds, n_jobs=n_jobs)

    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("values", [{"seed": -1}, {"folds": 1}, {"trees": 0}, {"patience": -1}])
def test_setups_that_make_no_sense_are_refused(values):
    with pytest.raises(SettingError, match="must be a whole number from"):
        MultilabelSetup(**values)


def test_more_folds_than_samples_are_refused(folder):
    with pytest.raises(SettingError, match="folds must be at most 600 samples; got 601"):
        split_of(CELL, MultilabelSetup(folds=601), folder)


def test_larger_data_are_said_to_cost_more(folder, tmp_path):
    write(tmp_path, make_multilabel_network(n_labels=5, n_features=9).sample(700), name="wide")

    assert 0 < fold_cost("coast", folder) < fold_cost("wide", str(tmp_path))


@pytest.mark.slow
def test_the_number_of_processes_does_not_change_the_results(tmp_path, folder):
    for n_jobs in (1, 2):
        run_multilabel(tmp_path / str(n_jobs), folder, ["coast"], SETUP, n_jobs=n_jobs)

    assert (tmp_path / "1" / RESULTS).read_bytes() == (tmp_path / "2" / RESULTS).read_bytes()


@pytest.mark.slow
def test_on_emotions_all_labels_are_one_powerset_as_in_the_paper_and_in_the_stored_results():
    multilabel_file("emotions", ".arff.gz")
    cell = MultilabelCell("emotions", 0)
    found = measured(cell, MultilabelSetup(), str(FOLDER)).results
    stored = MultilabelResults.read(STORED)

    assert stored.settings == MultilabelSetup().settings()
    assert json.loads(json.dumps(found)) == stored.cells[cell]
    assert found["h2pc"]["powerset_labels"] == [6]
    assert found["n_combinations"] == 27
    assert found["h2pc"]["mlp"]["subset_accuracy"] > found["br"]["subset_accuracy"]
