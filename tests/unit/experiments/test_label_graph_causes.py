"""Variants of graphs around labels on small data: each changes what it says, and runs resume."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from h2pc import Dag, DSeparationOracle, GTest, load_network, make_multilabel_network, mmpc
from h2pc.algorithms.hpc import hpc
from h2pc.errors import SettingError
from h2pc.experiments.fold_predictions import NumberedData
from h2pc.experiments.label_graph_causes import main
from h2pc.experiments.label_graph_cells import (
    CausesSetup,
    GraphCell,
    graph_cells,
    measured,
    run_causes,
    sizes_of,
)
from h2pc.experiments.label_graph_learners import (
    BacktrackingMmpc,
    HpcVariant,
    UnderflowingTest,
    by_inter_iamb,
    forward_mmpc,
    weakest_first_mmpc,
)
from h2pc.experiments.label_graph_results import SIZES, CausesResults
from h2pc.experiments.label_graph_variants import BASE, VARIANTS, discrete_data, learned_graph
from h2pc.experiments.multilabel_cells import MultilabelCell, MultilabelSetup, split_of
from h2pc.experiments.paper_learners import learned
from h2pc.experiments.published import ALGORITHMS
from h2pc.independence.base import CITest
from h2pc.multilabel.training_set import Categories
from h2pc.runs.cells import RESULTS
from reference.slow_local import Textbook

TRUTH = make_multilabel_network(n_labels=4, n_features=8, random_state=3)
SETUP = CausesSetup(folds=3)
ALARM = load_network("alarm").sample(500, random_state=1)


def write(folder, data, name):
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
    """The folder of a small data set that has the name of one of the paper's."""
    path = tmp_path_factory.mktemp("data")
    write(path, TRUTH.sample(300, random_state=1), "emotions")
    return str(path)


@pytest.fixture(scope="module")
def train(folder):
    """The training fold of a cell."""
    return split_of(MultilabelCell("emotions", 0), MultilabelSetup(folds=3), folder)[0]


def table(X, Y):
    """Data with these columns."""
    names = [
        tuple(f"{letter}{j}" for j in range(each.shape[1]))
        for letter, each in zip("XY", (X, Y), strict=True)
    ]
    return NumberedData(X, Y, *names, Categories(None), ((0, 1),) * Y.shape[1])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_without_a_change_the_graph_is_that_of_the_second_experiment(train, algorithm):
    ours = learned_graph(VARIANTS[BASE], algorithm, train)
    theirs, _ = learned(algorithm, train.discrete(), MultilabelSetup(folds=3), train.targets)

    assert (ours.dag, ours.skeleton, ours.n_tests) == (theirs.dag, theirs.skeleton, theirs.n_tests)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_learns_a_graph_and_a_cell_has_its_sizes(folder, name):
    for algorithm in VARIANTS[name].algorithms:
        cell = GraphCell("emotions", algorithm, name, 0)
        found = measured(cell, SETUP, folder).results

        assert tuple(found) == SIZES
        assert 1 <= found["powersets"] <= found["groups"] <= 4
        assert found["labels"] <= found["degree"] <= found["boundary"]
        assert found["degree"] <= found["skeleton"]
        assert found["samples"] == (300 if name == "all-samples" else 200)


def test_every_variant_but_the_first_differs_from_it_and_says_how():
    sentences = [variant.sentence for variant in VARIANTS.values()]
    changed = [replace(variant, sentence="nothing") for variant in VARIANTS.values()]

    assert next(iter(VARIANTS)) == BASE
    assert len(set(sentences)) == len(VARIANTS)
    assert all(variant != changed[0] for variant in changed[1:])


# The data


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        (BASE, [0, 0, 0, 1, 1]),
        ("cut-from-median", [0, 0, 1, 1, 1]),
        ("cut-mean", [0, 0, 0, 0, 1]),
        ("cut-middle", [0, 0, 0, 0, 1]),
        ("cut-zero", [0, 1, 1, 1, 1]),
    ],
)
def test_continuous_features_are_cut_and_binary_ones_are_not(name, codes):
    X = np.array([[-0.5, 0.0], [0.25, 1.0], [0.5, 1.0], [1.5, 0.0], [9.5, 1.0]])
    data = discrete_data(VARIANTS[name], table(X, np.array([[0], [1], [0], [1], [0]], np.int8)))

    assert data.codes[data.variable("X0")].tolist() == codes
    assert data.codes[data.variable("X1")].tolist() == [0, 1, 1, 0, 1]


def test_constant_features_have_one_level_or_two():
    Y = np.array([[0], [1], [0]], np.int8)
    constant = table(np.array([[0.0, 1.0]] * 3), Y)
    cards = {name: discrete_data(VARIANTS[name], constant).cards.tolist() for name in VARIANTS}
    data = discrete_data(VARIANTS["two-levels"], constant)

    assert cards[BASE] == [1, 1, 2]
    assert cards["two-levels"] == [2, 2, 2]
    assert data.codes.tolist() == [[0, 0, 0], [1, 1, 1], [0, 1, 0]]


def test_features_with_few_samples_of_their_rarer_value_are_left_out():
    X = np.column_stack([np.arange(100) < n for n in (9, 10, 91, 100)]).astype(float)
    X = np.column_stack((X, np.arange(100) / 7.0))
    kept = VARIANTS["no-rare-10"].change(table(X, np.zeros((100, 1), np.int8)))

    assert kept.features == ("X1", "X4")
    assert kept.X.tolist() == X[:, [1, 4]].tolist()


def test_labels_may_come_first_and_keep_their_order(train):
    changed = VARIANTS["labels-first"].change(train)
    names = changed.discrete().names

    assert [name.removeprefix("A") for name in names[:4]] == list(train.targets)
    assert names[4:] == train.features


# The learners


def test_hpc_and_mmpc_without_a_change_are_those_of_the_package():
    ci, universe = GTest(ALARM), tuple(range(ALARM.n_variables))

    for target in universe:
        assert HpcVariant()(target, ci, universe) == hpc(target, ci, universe)
        assert BacktrackingMmpc()(target, ci, universe) == mmpc(target, ci, universe)


@pytest.mark.parametrize(
    "learner",
    [
        HpcVariant(start=lambda _: ()),
        HpcVariant(starts_checks=True),
        HpcVariant(boundary=by_inter_iamb),
        HpcVariant(checks=False),
        weakest_first_mmpc,
    ],
)
def test_variants_of_local_learners_find_the_neighbours_under_the_oracle(learner):
    dag = Dag.from_edges(tuple("abcdef"), [(0, 1), (2, 1), (1, 3), (3, 4), (5, 4)])
    oracle = DSeparationOracle(dag)

    for target in dag.variables:
        assert set(learner(target, oracle, dag.variables)) == set(dag.adjacent(target))


def test_a_part_of_hpc_that_is_left_out_is_not_there():
    ci, universe = GTest(ALARM), tuple(range(ALARM.n_variables))
    book, differ = Textbook(ci), {"checks": 0, "spouses": 0, "starts": 0}
    for target in universe:
        pcs, dsep = book.de_pcs(target, universe)
        sps = tuple(sorted(book.de_sps(target, universe, pcs, dsep)))
        if len(pcs) < 2 or len(pcs) + len(sps) < 3:
            continue
        nearby, whole = (target, *pcs, *sps), set(hpc(target, ci, universe))
        own = set(book.fdr_iapc(target, nearby, start=pcs[:2]))
        started = own | {
            x
            for x in pcs
            if target in book.fdr_iapc(x, nearby, start=tuple(y for y in pcs[:2] if y != x))
        }

        assert set(HpcVariant(checks=False)(target, ci, universe)) == own
        assert set(HpcVariant(starts_checks=True)(target, ci, universe)) == started
        differ["checks"] += own != whole
        differ["starts"] += started != whole
        differ["spouses"] += set(HpcVariant(spouses=False)(target, ci, universe)) != whole

    assert min(differ.values()) > 0


def test_the_backward_phase_takes_from_what_the_forward_phase_found():
    ci, universe = GTest(ALARM), tuple(range(ALARM.n_variables))
    forward = {target: forward_mmpc(target, ci, universe) for target in universe}

    for target in universe:
        for backward in (mmpc, weakest_first_mmpc):
            assert set(backward(target, ci, universe)) <= set(forward[target])
    assert any(set(mmpc(target, ci, universe)) != set(forward[target]) for target in universe)


class Noting(CITest):
    """Everything depends on everything but 0 and 2, which are independent; it notes its tests."""

    def __init__(self):
        super().__init__()
        self.pairs = set()

    def log_p_given(self, target, candidates, z):
        self.pairs |= {(target, x) for x in candidates}
        return np.array([0.0 if {target, x} == {0, 2} else -10.0 for x in candidates])


def test_backtracking_takes_what_has_found_the_target_and_leaves_out_what_has_not():
    ci, learner = Noting(), BacktrackingMmpc()
    first = learner(0, ci, (0, 1, 2))
    ci.pairs.clear()
    second = learner(2, ci, (0, 1, 2))
    pairs = set(ci.pairs)
    third = learner(1, ci, (0, 1, 2))

    assert (first, second) == ((1,), (1,))
    assert (2, 0) not in pairs
    assert third == (0, 2)


def test_p_values_tie_once_they_underflow():
    data = load_network("alarm").sample(5000, random_state=1)
    exact, tied = GTest(data), UnderflowingTest(data)
    universe = tuple(range(1, data.n_variables))
    log_p, ours = exact.log_p_many(0, universe), tied.log_p_many(0, universe)
    strong = log_p < np.log(5e-324)

    assert np.array_equal(ours[~strong], log_p[~strong])
    assert np.isneginf(ours[strong]).all()
    pairs = [(v, w) for v in universe for w in universe if v < w]
    assert any(np.isneginf(tied.log_p(v, w)) for v, w in pairs)
    assert not any(np.isneginf(exact.log_p(v, w)) for v, w in pairs)


def test_the_search_may_see_the_edges_of_labels_alone(train):
    result = learned_graph(VARIANTS["region-labels"], "h2pc", train)
    data, own = discrete_data(VARIANTS[BASE], train), set(train.targets)
    whole = learned_graph(VARIANTS[BASE], "h2pc", train)

    assert all(not own.isdisjoint(edge) for edge in result.dag.named_edges)
    assert any(own.isdisjoint(edge) for edge in whole.dag.named_edges)
    assert set(result.dag.names) <= set(data.names)


def test_sizes_count_what_they_say(train):
    edges = [("Y0", "X0"), ("Y1", "X0"), ("X1", "Y1"), ("Y2", "Y3")]
    names = tuple(sorted((*train.features, *train.targets)))
    dag = Dag.from_edges(names, edges)
    result = replace(
        learned_graph(VARIANTS[BASE], "h2pc", train), dag=dag, skeleton=dag.skeleton(), n_tests=7
    )

    assert sizes_of(result, train) == {
        "degree": 5 / 4,
        "skeleton": 5 / 4,
        "labels": 2 / 4,
        "parents": 2 / 4,
        "boundary": 7 / 4,
        "powersets": 2,
        "groups": 3,
        "largest": 2,
        "tests": 7,
        "samples": 200,
    }


# The run


def test_a_run_has_the_cells_of_its_grid_and_more_can_be_added(tmp_path, folder):
    one = run_causes(tmp_path, folder, ["emotions"], [BASE], SETUP, first_folds=1)
    before = (tmp_path / RESULTS).read_text().splitlines()
    two = run_causes(tmp_path, folder, ["emotions"], [BASE, "hpc-start"], SETUP, first_folds=2)

    assert (one, two) == (2, 6)
    assert set(before) < set((tmp_path / RESULTS).read_text().splitlines())


def test_a_variant_of_one_algorithm_has_no_cell_of_the_other():
    cells = graph_cells(["emotions"], ALGORITHMS, ["hpc-start", "mmpc-forward"], SETUP, 1)

    assert [(cell.algorithm, cell.variant) for cell in cells] == [
        ("h2pc", "hpc-start"),
        ("mmhc", "mmpc-forward"),
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"variants": ["median"]}, "variants has 'median': expected some of paper, "),
        ({"algorithms": ["pc"]}, "algorithms has 'pc': expected some of h2pc, mmhc"),
        ({"first_folds": 4}, "first_folds must be from 1 to 3; got 4"),
        ({"data": []}, "The grid has no cell"),
        ({"variants": ["hpc-start"], "algorithms": ["mmhc"]}, "The grid has no cell"),
    ],
)
def test_a_grid_that_makes_no_sense_is_refused(changes, message):
    grid = {"data": ["emotions"], "algorithms": ALGORITHMS, "variants": [BASE], "first_folds": 1}

    with pytest.raises(SettingError, match=message):
        graph_cells(**{**grid, **changes}, setup=SETUP)


def test_the_command_runs_and_writes_a_report_and_does_nothing_twice(tmp_path, folder, capsys):
    options = ["--out", str(tmp_path), "--folds", "3", "--first-folds", "1"]
    run = [*options, "--folder", folder, "--data", "emotions", "--variants", f"{BASE}, df-full"]
    main(run)
    written = {path: path.read_bytes() for path in tmp_path.iterdir()}
    main(run)
    main(options)

    assert {path: path.read_bytes() for path in written} == written
    assert capsys.readouterr().out == f"See {tmp_path / 'report.md'}.\n" * 3
    assert len(CausesResults.read(tmp_path).cells) == 4


def test_the_command_says_what_is_wrong_in_a_sentence(tmp_path, folder):
    with pytest.raises(SystemExit, match="variants has 'median'"):
        main(["--out", str(tmp_path), "--folder", folder, "--variants", "median"])
    with pytest.raises(SystemExit, match="holds no experiment"):
        main(["--out", str(Path(tmp_path) / "nothing")])
