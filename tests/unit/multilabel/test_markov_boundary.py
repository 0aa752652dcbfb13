"""Features in the Markov boundary of a target."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from h2pc import H2PC, MMHC, Dag, load_network
from h2pc.errors import DataError, GraphError, SettingError
from h2pc.multilabel.markov_boundary import MarkovBoundarySelector
from unit.multilabel.label_samples import DAG, X, Y

NETWORK = load_network("asia")
ASIA = NETWORK.sample(5000, random_state=2).to_pandas()


@pytest.mark.parametrize("structure", [None, H2PC(), MMHC()])
@pytest.mark.parametrize("target", ["lung", "smoke"])
def test_the_boundary_of_a_variable_is_that_of_the_network(structure, target):
    selector = MarkovBoundarySelector(structure).fit(ASIA.drop(columns=target), ASIA[target])

    dag = NETWORK.dag
    boundary = {dag.names[v] for v in dag.markov_boundary(dag.variable(target))}
    assert set(selector.get_feature_names_out()) == boundary
    assert set(selector.boundaries_["Y0"]) == boundary


@pytest.mark.parametrize("structure", [None, H2PC(), DAG])
def test_several_targets_have_the_union_of_their_boundaries(structure):
    selector = MarkovBoundarySelector(structure).fit(X, Y)

    assert selector.boundaries_ == {"ant": ("rain",), "bee": ("rain",), "cat": ("wind",)}
    assert selector.get_support().tolist() == [True, False, True, False]
    pd.testing.assert_frame_equal(
        selector.set_output(transform="pandas").transform(X), X[["wind", "rain"]]
    )


def test_a_graph_is_kept_where_there_is_one():
    assert MarkovBoundarySelector(DAG).fit(X, Y).dag_ == DAG
    assert MarkovBoundarySelector().fit(X, Y).dag_ is None


def test_classes_may_be_words_and_numbers_may_be_continuous():
    words = np.where(X["wind"] > 0, "windy", "calm")
    number = X["rain"] + 0.1 * X["sun"]

    of_words = MarkovBoundarySelector().fit(X, words)
    of_number = MarkovBoundarySelector().fit(X, number)

    assert of_words.get_feature_names_out().tolist() == ["wind"]
    assert of_number.get_feature_names_out().tolist() == ["rain"]


def test_arrays_and_other_tables_give_the_same_result():
    mask = [True, False, True, False]

    for features, labels in (
        (X.to_numpy(), Y.to_numpy()),
        (csr_array(X.to_numpy()), csr_array(Y.to_numpy())),
        (pl.from_pandas(X), pl.from_pandas(Y)),
    ):
        assert MarkovBoundarySelector(n_jobs=2).fit(features, labels).get_support().tolist() == mask


def test_sparse_features_stay_sparse():
    sparse = csr_array(X.to_numpy())

    kept = MarkovBoundarySelector().fit(sparse, Y).transform(sparse)

    np.testing.assert_array_equal(kept.toarray(), X[["wind", "rain"]].to_numpy())


def test_it_is_a_step_of_a_pipeline():
    tree = make_pipeline(MarkovBoundarySelector(), DecisionTreeClassifier(max_depth=2))

    assert tree.fit(X, Y["cat"]).score(X, Y["cat"]) > 0.9
    assert tree[-1].n_features_in_ == 1


def test_a_stricter_level_keeps_less():
    noisy = np.random.default_rng(0).integers(0, 2, (300, 40))
    target = noisy[:, 0] ^ (np.random.default_rng(1).random(300) < 0.3)

    loose = MarkovBoundarySelector(alpha=0.3).fit(noisy, target).get_support()
    strict = MarkovBoundarySelector(alpha=1e-4).fit(noisy, target).get_support()

    assert loose.sum() > strict.sum() == 1
    assert strict[0]


def test_unrelated_features_are_dropped():
    selector = MarkovBoundarySelector().fit(X[["flat", "sun"]], Y)

    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(X[["flat", "sun"]]).shape == (400, 0)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"structure": "h2pc"}, SettingError, r"structure must be a Dag, or a learner.*got 'h2pc'"),
        ({"alpha": 0}, SettingError, "alpha must lie between 0 and 1"),
        ({"test": "G"}, SettingError, "test must be one of"),
        ({"n_jobs": 0}, SettingError, "n_jobs must be"),
        ({"structure": Dag(["ant"], [()])}, GraphError, "Unknown label 'bee'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        MarkovBoundarySelector(**settings).fit(X, Y)


def test_a_target_that_is_a_feature_is_refused():
    with pytest.raises(DataError, match="'cat' is a label and a feature"):
        MarkovBoundarySelector().fit(X.assign(cat=0), Y)


@pytest.mark.parametrize("structure", [None, H2PC()])
def test_features_may_be_missing(structure):
    rng = np.random.default_rng(0)
    features = ASIA.drop(columns="lung").astype(object)
    features = features.mask(rng.random(features.shape) < 0.1)
    numbers = features.apply(lambda column: column.map({"no": 0.0, "yes": 1.0}))

    for table in (features, numbers):
        selector = MarkovBoundarySelector(structure).fit(table, ASIA["lung"])
        assert set(selector.get_feature_names_out()) == {"either", "smoke", "tub"}
    assert selector.transform(numbers).shape == (5000, 3)


def test_targets_must_not_be_missing():
    target = ASIA["lung"].map({"no": 0.0, "yes": 1.0}).astype(float)
    target[3] = np.nan

    with pytest.raises(ValueError, match="NaN"):
        MarkovBoundarySelector().fit(ASIA.drop(columns="lung"), target)


def test_a_feature_of_nothing_but_missing_values_is_named():
    with pytest.raises(DataError, match="column 'X1' holds nothing but missing values: remove it"):
        MarkovBoundarySelector().fit([[0, np.nan], [1, np.nan], [1, np.nan]], [0, 1, 1])
