"""Model files: what compiled code would follow is checked, and refused where it leads elsewhere."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import h2pc
from h2pc import (
    H2PC,
    BinaryRelevance,
    Dag,
    MinimalLabelPowersetClassifier,
)
from h2pc.errors import FileFormatError, H2pcWarning
from h2pc.multilabel.blended_classifier import BlendedClassifier, on_columns
from h2pc.multilabel.model_files import read_model, write_model
from h2pc.multilabel.powerset_model import fitted_model
from unit.multilabel.label_samples import DAG, NEW, X, Y
from unit.multilabel.model_bytes import (
    FOREST,
    bytes_of,
    changed,
    entries,
    loaded,
    stump,
    with_schema,
    zipped,
)


@pytest.fixture(scope="module")
def stump_file(tmp_path_factory):
    return bytes_of(stump(), tmp_path_factory.mktemp("stump"))


def test_the_format_of_version_3_stays_what_it_is(tmp_path, stump_file):
    parts = entries(stump_file)
    header = json.loads(parts["h2pc.json"])
    calm_and_storm = pd.DataFrame({"depth": [0.0, 0.0], "wind": [3.0, 9.0]})

    assert (header["format"], header["version"], header["h2pc"]) == (
        "h2pc-model",
        3,
        h2pc.__version__,
    )
    assert list(parts)[:3] == ["h2pc.json", "schema.json", "0.npy"]
    assert b"__id__" not in parts["schema.json"]
    assert loaded(zipped(parts), tmp_path).predict(calm_and_storm).tolist() == [[1], [0]]


def stored_forest(plain):
    return plain.models_[0].classifier.estimators_


BAD_NODES = [
    ("left_child", 0, 0, "children in the tree"),
    ("left_child", 0, -7, "children in the tree"),
    ("right_child", 0, -1, "children in the tree"),
    ("right_child", 0, 3, "children in the tree"),
    ("right_child", 0, 2**62, "children in the tree"),
    ("left_child", 0, -(2**63), "children in the tree"),
    ("right_child", 0, 1, "one parent for each node"),
    ("left_child", 0, -1, "one parent for each node"),
    ("left_child", 1, 2, "children in the tree|splits by one of 2 features"),
    ("feature", 0, 2, "splits by one of 2 features"),
    ("feature", 0, -1, "splits by one of 2 features"),
    ("feature", 0, 2**62, "splits by one of 2 features"),
]


@pytest.mark.parametrize(("field", "place", "value", "sentence"), BAD_NODES)
def test_trees_that_lead_out_of_the_tree_are_refused(
    tmp_path, stump_file, field, place, value, sentence
):
    def change(plain):
        stored_forest(plain).trees.nodes[field][place] = value

    with pytest.raises(FileFormatError, match=sentence) as refused:
        loaded(changed(stump_file, change), tmp_path)
    assert str(refused.value).startswith(f"{tmp_path / 'copy.h2pc'}: ")


OVERFLOW = np.array([2**62, 2**62, 2**62, 2**62 + 3])  # their sum is 3, as integers of 64 bits
BAD_TREES = [
    ("n_nodes", np.array([4]), "a node in each tree"),
    ("n_nodes", np.array([0, 3]), "a node in each tree"),
    ("n_nodes", np.array([], np.int64), "a node in each tree"),
    ("n_nodes", np.array([1, 2]), "children in the tree"),
    ("n_nodes", OVERFLOW, "a node in each tree"),
    ("n_nodes", np.array([3.0]), "sizes of trees"),
    ("n_features", 1, "splits by one of 1 features"),
    ("n_features", 2**40, "a tree of its features"),
    ("n_features", 2.5, "damaged"),
    ("n_classes", np.array([5]), "values of each node"),
    ("n_classes", np.array([0]), "at least one class"),
    ("n_classes", np.array([], np.intp), "numbers of classes"),
    ("values", np.zeros((2, 1, 1)), "values of each node"),
    ("values", np.zeros((3, 1, 1), np.float32), "values of each node"),
]


@pytest.mark.parametrize(("name", "value", "sentence"), BAD_TREES)
def test_arrays_of_trees_that_do_not_fit_are_refused(tmp_path, stump_file, name, value, sentence):
    def change(plain):
        vars(stored_forest(plain).trees)[name] = value

    with pytest.raises(FileFormatError, match=sentence):
        loaded(changed(stump_file, change), tmp_path)


@pytest.mark.parametrize("field", ["feature", "colour", "left_child", None])
def test_nodes_of_another_scikit_learn_are_refused_by_its_version(tmp_path, stump_file, field):
    def change(plain):
        nodes = stored_forest(plain).trees.nodes
        if field is None:
            del nodes["threshold"]
        else:
            nodes[field] = np.zeros(3)

    parts = entries(changed(stump_file, change))
    header = {**json.loads(parts["h2pc.json"]), "scikit-learn": "0.24"}
    with pytest.raises(
        FileFormatError, match=r"another version of scikit-learn.* 0\.24.*: fit the model again"
    ):
        loaded(zipped({**parts, "h2pc.json": json.dumps(header)}), tmp_path)


def test_a_file_of_another_scikit_learn_that_can_be_read_gives_one_warning(tmp_path, stump_file):
    def change(schema):
        def older(part):
            if isinstance(part, dict):
                if "_sklearn_version" in part:
                    part["_sklearn_version"]["content"] = '"1.0"'
                for each in part.values():
                    older(each)
            elif isinstance(part, list):
                for each in part:
                    older(each)

        older(schema)

    parts = entries(
        with_schema(bytes_of(BinaryRelevance(GaussianNB()).fit(X, Y), tmp_path), change)
    )
    header = {**json.loads(parts["h2pc.json"]), "scikit-learn": "1.0"}
    with pytest.warns(H2pcWarning, match=r"written with scikit-learn 1\.0, and this") as warned:
        loaded(zipped({**parts, "h2pc.json": json.dumps(header)}), tmp_path)
    assert len(warned) == 1


BAD_SHARES = [
    ("indices", np.array([0, 2], np.int32), "indices below 2"),
    ("indices", np.array([-1, 1], np.int32), "indices below 2"),
    ("indices", np.array([0.0, 1.0]), "whole indices"),
    ("indices", np.array([0], np.int32), "an index for each number"),
    ("first", np.array([0, 9, 1, 2]), "rows or columns in the data"),
    ("first", np.array([0, -7703650590995429503, 1, 2]), "rows or columns in the data"),
    ("first", np.array([0, 2, 1, 2]), "in their order"),
    ("first", np.array([0, 1]), "3 rows or columns"),
    ("first", np.array([0.0, 0.0, 1.0, 2.0]), "whole indices"),
    ("data", np.array(["a", "b"]), "expected numbers"),
    ("kind", "coo_array", "damaged"),
    ("shape", (3, 1), "indices below 1"),
    ("shape", (2, 2), "2 rows or columns"),
]


@pytest.mark.parametrize(("name", "value", "sentence"), BAD_SHARES)
def test_sparse_matrices_that_do_not_fit_are_refused(tmp_path, stump_file, name, value, sentence):
    def change(plain):
        vars(stored_forest(plain).shares)[name] = value

    with pytest.raises(FileFormatError, match=sentence):
        loaded(changed(stump_file, change), tmp_path)


def set_features(plain, n):
    plain.models_[0].classifier.n_features_in_ = n


def without_features(plain):
    del stored_forest(plain).first.n_features_in_


def trees_in_a_tuple(plain):
    plain.models_[0].classifier.estimators_ = (7,)


def strangers_for_trees(plain):
    plain.models_[0].classifier.estimators_ = [GaussianNB()]


def dag(names, edges):
    def change(plain):
        stored = h2pc.multilabel.stored_models.StoredGraph(names, edges, True)
        plain.dag_ = stored

    return change


def powerset(name, value):
    return lambda plain: vars(plain.models_[0]).update({name: value})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda plain: set_features(plain, 9), "trees of the same features"),
        (lambda plain: set_features(plain, 2.0), "a number of features"),
        (without_features, "a tree of its features"),
        (trees_in_a_tuple, "a list of trees"),
        (strangers_for_trees, "fitted trees"),
        (dag(("calm", "wind"), [(0, 1), (1, 0)]), "cycle"),
        (dag(("calm", "wind"), [(0, 2)]), "damaged"),
        (dag(("calm", "calm"), []), "damaged"),
        (powerset("features", np.array([0, 2])), "known columns"),
        (powerset("features", np.array([-1, 0])), "known columns"),
        (powerset("labels", np.array([1])), "known columns"),
        (powerset("combinations", np.array([[0], [2]], np.int8)), "labels 0 and 1"),
        (powerset("combinations", np.array([[0.0], [1.0]])), "labels 0 and 1"),
        (powerset("combinations", np.zeros((0, 1), np.int8)), "labels 0 and 1"),
        (powerset("combinations", np.eye(2, dtype=np.int8)), "labels of each combination"),
        (lambda plain: vars(plain).update(labels_=()), "expected labels"),
        (lambda plain: vars(plain).update(labels_=("calm", "calm")), "distinct labels"),
        (lambda plain: vars(plain).update(labels_=(7,)), "names of labels"),
        (lambda plain: vars(plain).clear(), "damaged"),
    ],
    ids=range(19),
)
def test_models_that_make_no_sense_are_refused(tmp_path, stump_file, change, sentence):
    with pytest.raises(FileFormatError, match=sentence):
        loaded(changed(stump_file, change), tmp_path)


@pytest.fixture(scope="module")
def blended_file(tmp_path_factory):
    """A model that blends one of a pair of labels with one of each."""
    rng = np.random.default_rng(0)
    wind = pd.DataFrame({"depth": rng.normal(size=80), "wind": rng.normal(size=80)})
    calm = (wind["wind"] + 0.5 * rng.normal(size=80) < 0).astype(int)
    labels = pd.DataFrame({"calm": calm, "flat": calm ^ (rng.random(80) < 0.2)})
    dag = Dag.from_edges(["calm", "flat", "wind"], [("wind", "calm"), ("calm", "flat")])
    model = MinimalLabelPowersetClassifier(
        GaussianNB(), structure=dag, feature_selection="auto", random_state=0
    ).fit(wind, labels)
    parts = tuple(
        fitted_model(GaussianNB(), wind.to_numpy(), labels.to_numpy(), np.array([1]), np.array([j]))
        for j in (0, 1)
    )
    joint = fitted_model(
        GaussianNB(), wind.to_numpy(), labels.to_numpy(), np.array([1]), np.array([0, 1])
    )
    both, used = np.array([0, 1]), np.array([1])
    blend = BlendedClassifier(
        on_columns(joint, used, both),
        tuple(on_columns(part, used, both) for part in parts),
        joint.combinations,
        0.5,
    )
    model.models_ = [replace(joint, classifier=blend)]
    model.combinations_ = [joint.combinations]
    return bytes_of(model, tmp_path_factory.mktemp("blended"))


def inside(place, name, value):
    """Change a model inside a blend: the joint one, or one of the parts."""

    def change(plain):
        blend = plain.models_[0].classifier
        model = blend.joint if place == "joint" else blend.parts[place]
        vars(model)[name] = value

    return change


def of_blend(name, value):
    return lambda plain: vars(plain.models_[0].classifier).update({name: value})


def test_a_blend_comes_back(tmp_path, blended_file):
    again = loaded(blended_file, tmp_path)

    blend = again.models_[0].classifier
    assert isinstance(blend, BlendedClassifier)
    assert [part.labels.tolist() for part in blend.parts] == [[0], [1]]
    assert again.predict(pd.DataFrame({"depth": [0.0], "wind": [-3.0]})).tolist() == [[1, 1]]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (inside("joint", "features", np.array([1])), "known columns"),
        (inside("joint", "labels", np.array([0, 2])), "known columns"),
        (inside(0, "features", np.array([-1])), "known columns"),
        (inside(1, "labels", np.array([2])), "known columns"),
        (inside(1, "labels", np.array([1.0])), "known columns"),
        (inside(0, "combinations", np.array([[0], [3]], np.int8)), "labels 0 and 1"),
        (inside(0, "combinations", np.eye(2, dtype=np.int8)), "labels of each combination"),
        (of_blend("parts", ()), None),
        (lambda plain: vars(plain.models_[0].classifier).update(parts=(), joint=None), "a blend"),
        (of_blend("parts", (7,)), "a blend of models"),
        (of_blend("joint", "none"), "a blend of models"),
        (of_blend("combinations", np.zeros((2, 2), np.int8)), "the combinations of the model"),
    ],
    ids=range(12),
)
def test_models_inside_a_blend_are_checked(tmp_path, blended_file, change, sentence):
    content = changed(blended_file, change)

    if sentence is None:  # the joint model is enough
        assert loaded(content, tmp_path).models_[0].classifier.parts == ()
        return
    with pytest.raises(FileFormatError, match=sentence):
        loaded(content, tmp_path)


@pytest.fixture(scope="module")
def boosted_file(tmp_path_factory):
    base = HistGradientBoostingClassifier(max_iter=1, max_leaf_nodes=3)
    return bytes_of(BinaryRelevance(base).fit(X, Y), tmp_path_factory.mktemp("boosted"))


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("feature_idx", 4, "one of 4 features"),
        ("feature_idx", -1, "one of 4 features"),
        ("left", 0, "children in the tree"),
        ("right", 2**31, "children in the tree"),
        ("is_categorical", 1, "no splits by categories"),
    ],
)
def test_histogram_trees_that_lead_elsewhere_are_refused(
    tmp_path, boosted_file, field, value, sentence
):
    def change(plain):
        plain.models_[0].classifier._predictors[0][0].nodes[field][0] = value

    with pytest.raises(FileFormatError, match=sentence):
        loaded(changed(boosted_file, change), tmp_path)


def test_histogram_trees_of_categories_have_to_be_trusted(tmp_path):
    base = HistGradientBoostingClassifier(max_iter=1, categorical_features=[1])
    model = BinaryRelevance(base).fit(X.abs().round(), Y)
    write_model(model, tmp_path / "m")
    with pytest.raises(FileFormatError) as refused:
        read_model(tmp_path / "m")
    trusted = refused.value.remedies[0].value
    with pytest.raises(FileFormatError, match="categorical_features") as refused:
        read_model(tmp_path / "m", trusted=trusted)
    again = read_model(tmp_path / "m", trusted=[*trusted, *refused.value.remedies[0].value])

    new = NEW.abs().round().clip(upper=1)
    np.testing.assert_array_equal(again.predict(new), model.predict(new))


def test_trees_of_a_single_decision_tree_are_checked(tmp_path):
    content = bytes_of(BinaryRelevance(DecisionTreeClassifier(max_depth=2)).fit(X, Y), tmp_path)

    def change(plain):
        plain.models_[0].classifier.tree_.trees.nodes["feature"][0] = 4

    with pytest.raises(FileFormatError, match="splits by one of 4 features"):
        loaded(changed(content, change), tmp_path)


def test_a_file_cannot_say_where_an_estimator_would_write(tmp_path):
    base = make_pipeline(StandardScaler(), FOREST)
    model = BinaryRelevance(base, structure=H2PC(checkpoint=str(tmp_path))).fit(X, Y)
    content = bytes_of(model, tmp_path)
    assert str(tmp_path).encode() not in entries(content)["schema.json"]

    def change(plain):
        plain.structure.checkpoint = plain.base.memory = "/tmp/elsewhere"
        plain.models_[0].classifier.memory = "/tmp/elsewhere"
        plain.base.steps[1][1].n_jobs = plain.n_jobs = 10_000

    again = loaded(changed(content, change), tmp_path)
    assert again.structure.checkpoint is again.base.memory is again.n_jobs is None
    assert again.models_[0].classifier.memory is again.base[1].n_jobs is None


def test_a_graph_with_a_wrong_edge_is_refused(tmp_path):
    model = MinimalLabelPowersetClassifier(FOREST, random_state=0, structure=DAG).fit(X, Y)

    def change(plain):
        plain.dag_.edges[0] = (0, 10**9)

    with pytest.raises(FileFormatError, match=r"damaged|variable"):
        loaded(changed(bytes_of(model, tmp_path), change), tmp_path)
    assert isinstance(loaded(bytes_of(model, tmp_path), tmp_path).dag_, Dag)
