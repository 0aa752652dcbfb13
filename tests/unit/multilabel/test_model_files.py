"""Models in files: they come back as they were, and damaged or foreign ones are refused."""

import json
import sys
import zipfile
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
import skops.io
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_matrix, csr_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import h2pc
from h2pc import (
    H2PC,
    MMHC,
    BinaryRelevance,
    ClassifierChain,
    CompactForestClassifier,
    Dag,
    LabelPowerset,
    MarkovBoundarySelector,
    MinimalLabelPowersetClassifier,
)
from h2pc.errors import FileFormatError, H2pcError, H2pcWarning, SettingError
from h2pc.multilabel import model_files
from h2pc.multilabel.model_files import _packed, read_model, write_model
from h2pc.multilabel.trusted_types import own_types
from unit.multilabel.label_samples import DAG, NEW, X, Y

FOREST = CompactForestClassifier(3)
BOUNDARY = {"feature_selection": "markov_boundary", "structure": DAG}
CONSTANT = Y.assign(never=0, always=1)
WORDS = X.assign(
    ground=np.where(X["rain"] > 1, "sand", "rock"),
    night=pd.Categorical(X["wind"] > 1, categories=[True, False]),
)
SEVERAL = [
    (BinaryRelevance(FOREST, random_state=0), X, Y),
    (BinaryRelevance(FOREST, random_state=0, **BOUNDARY), X, Y),
    (BinaryRelevance(FOREST, feature_selection="markov_boundary"), X, CONSTANT),
    (MinimalLabelPowersetClassifier(FOREST, random_state=0, structure=DAG), X, Y),
    (MinimalLabelPowersetClassifier(FOREST, structure=H2PC(alpha=0.01)), WORDS, Y),
    (LabelPowerset(FOREST, random_state=np.int64(3)), X.to_numpy(), Y.to_numpy()),
    (LabelPowerset(FOREST, structure=MMHC(targets=["cat"])), csr_array(X), CONSTANT),
    (ClassifierChain(FOREST, random_state=0), X, CONSTANT),
    (ClassifierChain(FOREST, order=["cat", "ant", "bee"]), WORDS, Y),
    (ClassifierChain(FOREST, order="random", random_state=1), X, CONSTANT[["never", "always"]]),
]


def bytes_of(model, folder):
    write_model(model, folder / "model.h2pc")
    return (folder / "model.h2pc").read_bytes()


def loaded(content, folder):
    (folder / "copy.h2pc").write_bytes(content)
    return read_model(folder / "copy.h2pc")


def entries(content):
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts, compression=zipfile.ZIP_DEFLATED):
    file = BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def changed(content, change):
    """Return a file whose plain values are changed, and whose checksums are right."""
    plain = skops.io.loads(content, trusted=skops.io.get_untrusted_types(data=content))
    change(plain)
    return _packed(skops.io.dumps(plain))


def with_schema(content, change):
    """Return a file with another schema."""
    parts = entries(content)
    schema = json.loads(parts["schema.json"])
    change(schema)
    return zipped({**parts, "schema.json": json.dumps(schema)})


def is_same(one, other):
    """Whether two fitted attributes are the same, down to the trees."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        same = one.dtype == other.dtype and one.shape == other.shape
        read = np.ndarray.tolist if one.dtype == object else np.ndarray.tobytes
        return same and read(one) == read(other)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            is_same(one[key], other[key]) for key in one if key != "n_jobs"
        )
    if type(one).__name__ == "Tree":
        states = [tree.__getstate__() for tree in (one, other)]
        fields = [{name: s["nodes"][name] for name in s["nodes"].dtype.names} for s in states]
        return is_same(*fields) and is_same(*(s["max_depth"] for s in states))
    if type(one).__name__ == "Categories":
        return is_same(one.levels.states, other.levels.states) if one.levels else not other.levels
    if type(one).__module__.startswith(("sklearn", "scipy", "h2pc.multilabel")):
        return is_same(vars(one), vars(other))
    return one == other


@pytest.mark.parametrize(("model", "X", "Y"), SEVERAL)
def test_a_model_comes_back_as_it_was(tmp_path, model, X, Y):
    model.fit(X, Y)
    again = loaded(bytes_of(model, tmp_path), tmp_path)

    assert type(again) is type(model)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert sorted(vars(again)) == sorted(vars(model))
    for name, value in vars(model).items():
        if name.endswith("_") and name not in ("models_", "chain_"):
            assert is_same(value, getattr(again, name)), name


@pytest.mark.parametrize("model", [SEVERAL[1][0], SEVERAL[3][0]])
def test_probabilities_of_combinations_come_back_bit_for_bit(tmp_path, model):
    model.fit(X, Y)
    again = loaded(bytes_of(model, tmp_path), tmp_path)

    for one, other in zip(
        again.predict_joint_proba(NEW), model.predict_joint_proba(NEW), strict=True
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "settings",
    [
        {"criterion": "entropy", "max_leaf_nodes": 7},
        {"ccp_alpha": 0.01, "bootstrap": False},
        {"class_weight": "balanced", "max_samples": 0.5, "max_features": 2},
        {"random_state": 5, "n_jobs": 2, "warm_start": True},
    ],
    ids=str,
)
def test_all_of_a_forest_comes_back(tmp_path, settings):
    base = CompactForestClassifier(4, **settings)
    model = BinaryRelevance(base, random_state=0).fit(X, Y)
    again = loaded(bytes_of(model, tmp_path), tmp_path)

    for old, new in zip(model.models_, again.models_, strict=True):
        assert vars(old.classifier).keys() == vars(new.classifier).keys()
        assert is_same(vars(old.classifier), vars(new.classifier))
        np.testing.assert_array_equal(
            old.classifier.feature_importances_, new.classifier.feature_importances_
        )
        samples = [forest.estimators_samples_ for forest in (old.classifier, new.classifier)]
        assert all(map(np.array_equal, *samples))
        seen = X[sorted(X)].to_numpy()
        paths = [forest.decision_path(seen)[0] for forest in (old.classifier, new.classifier)]
        assert (paths[0] != paths[1]).nnz == 0


def test_a_chain_of_scikit_learn_comes_back(tmp_path):
    model = ClassifierChain(FOREST, random_state=0).fit(X, Y)
    again = loaded(bytes_of(model, tmp_path), tmp_path)

    assert vars(again.chain_).keys() == vars(model.chain_).keys()
    assert is_same(vars(again.chain_), vars(model.chain_))


def test_levels_come_back_and_new_ones_are_refused(tmp_path):
    model = BinaryRelevance(FOREST).fit(WORDS, Y)
    again = loaded(bytes_of(model, tmp_path), tmp_path)

    assert again.categories_ == {"ground": ("rock", "sand"), "night": (True, False)}
    with pytest.raises(H2pcError, match="'clay'"):
        again.predict(WORDS.assign(ground="clay"))


def test_settings_come_back_but_for_the_workers(tmp_path):
    learner = H2PC(alpha=0.01, required=[("rain", "ant")], n_jobs=2)
    model = MinimalLabelPowersetClassifier(FOREST, structure=learner, n_jobs=2, random_state=7)
    again = loaded(bytes_of(model.fit(X, Y), tmp_path), tmp_path)

    assert again.n_jobs is None
    assert again.random_state == 7
    assert again.base.n_estimators == 3
    assert again.structure.alpha == 0.01
    assert again.structure.required == [("rain", "ant")]
    assert again.structure.n_jobs is None


def test_equal_models_give_equal_files_whatever_the_workers_and_the_order_of_columns(tmp_path):
    model = MinimalLabelPowersetClassifier(FOREST, structure=DAG, random_state=0)
    one = bytes_of(model.fit(X, Y), tmp_path)
    other = bytes_of(model.set_params(n_jobs=2).fit(X, Y), tmp_path)
    again = bytes_of(loaded(one, tmp_path), tmp_path)

    assert one == other == again


BASES = [
    RandomForestClassifier(3),
    ExtraTreesClassifier(3, bootstrap=True, oob_score=False, class_weight={0: 1.0, 1: 2.0}),
    DecisionTreeClassifier(max_depth=3),
    HistGradientBoostingClassifier(max_iter=1, max_leaf_nodes=4),
    LogisticRegression(),
    BernoulliNB(),
    make_pipeline(StandardScaler(), LogisticRegression()),
    VotingClassifier([("one", GaussianNB()), ("other", RandomForestClassifier(2))], voting="soft"),
]


@pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
@pytest.mark.parametrize("kind", [BinaryRelevance, ClassifierChain])
def test_models_of_any_base_of_scikit_learn_come_back_and_give_the_same_file(tmp_path, kind, base):
    model = kind(base, random_state=0).fit(X, Y)
    content = bytes_of(model, tmp_path)
    again = loaded(content, tmp_path)

    np.testing.assert_array_equal(again.predict_proba(NEW), model.predict_proba(NEW))
    assert bytes_of(again, tmp_path) == content
    assert bytes_of(kind(base, random_state=0).fit(X, Y), tmp_path) == content


def test_sparse_matrices_and_random_states_come_back(tmp_path):
    model = LabelPowerset(FOREST, random_state=np.random.RandomState(0)).fit(X, Y)
    model.background_ = csc_matrix(X.to_numpy())
    again = loaded(bytes_of(model, tmp_path), tmp_path)

    assert type(again.background_) is csc_matrix
    assert (again.background_ != model.background_).nnz == 0
    assert again.random_state.randint(99) == model.random_state.randint(99)


def test_cached_values_of_graphs_do_not_change_the_file(tmp_path):
    model = MinimalLabelPowersetClassifier(FOREST, structure=DAG, random_state=0).fit(X, Y)
    content = bytes_of(model, tmp_path)
    model.dag_.descendants("rain")
    model.label_graph_.adjacent("ant")

    assert bytes_of(model, tmp_path) == content


def test_lightgbm_comes_back_where_its_types_are_trusted(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    model = BinaryRelevance(lightgbm.LGBMClassifier(n_estimators=3, n_jobs=1, verbose=-1)).fit(X, Y)
    write_model(model, tmp_path / "m")

    with pytest.raises(FileFormatError, match=r"lightgbm\.basic\.Booster") as refused:
        read_model(tmp_path / "m")
    again = read_model(tmp_path / "m", trusted=refused.value.remedies[0].value)
    np.testing.assert_array_equal(again.predict_proba(NEW), model.predict_proba(NEW))


@pytest.mark.parametrize(
    "base",
    [
        SVC(),
        KNeighborsClassifier(1, algorithm="brute"),
        KNeighborsClassifier(1, algorithm="kd_tree"),
        GradientBoostingClassifier(n_estimators=2),
    ],
    ids=str,
)
def test_compiled_code_that_is_not_checked_has_to_be_trusted(tmp_path, base):
    model = BinaryRelevance(base).fit(X, Y)
    write_model(model, tmp_path / "m")

    with pytest.raises(FileFormatError, match=type(base).__name__) as refused:
        read_model(tmp_path / "m")
    again = read_model(tmp_path / "m", trusted=refused.value.remedies[0].value)
    np.testing.assert_array_equal(again.predict(NEW), model.predict(NEW))


class Constant(ClassifierMixin, BaseEstimator):
    """A classifier of somebody else."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[0], len(X))


def test_types_of_others_are_refused_by_their_name_unless_trusted(tmp_path):
    model = LabelPowerset(Constant()).fit(X, Y)
    write_model(model, tmp_path / "m")
    name = f"{Constant.__module__}.Constant"

    sentence = f"m: the file holds types that are not trusted: {name}; trusted="
    with pytest.raises(FileFormatError, match=sentence):
        read_model(tmp_path / "m")
    for trusted in ([name], [Constant], Constant, name):
        again = read_model(tmp_path / "m", trusted=trusted)
        np.testing.assert_array_equal(again.predict(NEW), model.predict(NEW))
    with pytest.raises(SettingError, match="trusted holds 7"):
        read_model(tmp_path / "m", trusted=[7])


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (MarkovBoundarySelector(structure=DAG), "model is of type MarkovBoundarySelector"),
        (
            BinaryRelevance(make_pipeline(FunctionTransformer(lambda x: x), GaussianNB())),
            "<lambda> cannot be imported",
        ),
        (BinaryRelevance(FOREST, structure=H2PC(test=b"g2")), "it holds bytes, such as b'g2'"),
    ],
)
def test_what_a_file_cannot_hold_is_refused_and_the_old_file_stays(tmp_path, model, sentence):
    path = tmp_path / "model.h2pc"
    path.write_text("the old one")
    model.fit(X, Y)

    with pytest.raises(SettingError, match=sentence):
        write_model(model, path)
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_classifier_that_h2pc_does_not_define_is_refused(tmp_path):
    class Mine(BinaryRelevance):
        pass

    with pytest.raises(SettingError, match="type Mine: expected a multi-label classifier of h2pc"):
        write_model(Mine(FOREST).fit(X, Y), tmp_path / "m")


def test_a_model_that_refers_to_itself_is_refused(tmp_path):
    model = BinaryRelevance(FOREST).fit(X, Y)
    model.again_ = [model]

    with pytest.raises(SettingError, match="RecursionError"):
        write_model(model, tmp_path / "model.h2pc")
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_is_not_fitted_is_refused(tmp_path):
    with pytest.raises(NotFittedError):
        write_model(BinaryRelevance(), tmp_path / "model.h2pc")


def stump():
    """A model of one tree with three nodes, which splits on its second feature."""
    X = pd.DataFrame({"depth": [0.0] * 5, "wind": [1.0, 2.0, 3.0, 4.0, 9.0]})
    base = CompactForestClassifier(1, max_depth=1, bootstrap=False, max_features=None)
    model = BinaryRelevance(base, random_state=0)
    return model.fit(X, pd.DataFrame({"calm": [1, 1, 1, 1, 0]}))


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


HARMFUL = """
from pathlib import Path

Path({path!r}).touch()

def harm(*_):
    Path({path!r}).touch()

class Harmful:
    __init__ = __setstate__ = harm
"""
JSON = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "content": "[]"}
NOTHING = {
    "__class__": "dict",
    "__module__": "builtins",
    "__loader__": "DictNode",
    "content": {},
    "key_types": {**JSON, "__class__": "list", "__loader__": "ListNode", "content": []},
}


@pytest.mark.parametrize(
    "state",
    [
        {"__loader__": "ObjectNode", "content": NOTHING},
        {"__loader__": "ConstructorFromReduceNode", "content": JSON},
        {"__loader__": "TypeNode"},
        {"__loader__": "FunctionNode", "__class__": "harm"},
        {"__loader__": "DictNode", "content": {}, "key_types": JSON},
        {"__loader__": "ListNode", "content": []},
        {"__loader__": "TupleNode", "content": []},
        {"__loader__": "LossNode", "__reduce__": {"args": JSON}, "content": NOTHING},
        {"__loader__": "NdArrayNode", "type": "numpy", "file": "0.npy"},
        {"__loader__": "MethodNode", "content": {"func": "harm", "obj": JSON}},
    ],
    ids=lambda state: state["__loader__"],
)
def test_nothing_that_a_file_names_is_imported_or_executed(
    tmp_path, monkeypatch, stump_file, state
):
    executed = tmp_path / "executed"
    (tmp_path / "harmful.py").write_text(HARMFUL.format(path=str(executed)))
    monkeypatch.syspath_prepend(tmp_path)

    def change(schema):
        schema["content"]["content"]["more_"] = {
            "__module__": "harmful",
            "__class__": "Harmful",
            **state,
        }
        schema["content"]["key_types"]["content"].append(
            {"__class__": "str", "__module__": "builtins", "__loader__": "TypeNode"}
        )

    with pytest.raises(FileFormatError, match=r"harmful|MethodNode|damaged"):
        loaded(with_schema(stump_file, change), tmp_path)
    assert not executed.exists()
    assert "harmful" not in sys.modules


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("os", "system"),
        ("builtins", "eval"),
        ("h2pc.io.files", "replace_file"),
        ("h2pc.runs.cells", "CellStore"),
        ("h2pc.data.dataset", "Dataset"),
        ("h2pc.multilabel.data_files", "read_multilabel"),
        ("sklearn.tree._tree", "Tree"),
        ("scipy.sparse._csr", "csr_array"),
        ("joblib.memory", "Memory"),
    ],
)
def test_functions_and_types_that_could_do_more_than_hold_values_are_not_trusted(
    tmp_path, stump_file, module, name
):
    def change(schema):
        schema["content"]["content"]["base"] = {
            "__module__": module,
            "__class__": name,
            "__loader__": "ConstructorFromReduceNode",
            "content": JSON,
        }

    with pytest.raises(FileFormatError, match=f"not trusted: {module}.{name};"):
        loaded(with_schema(stump_file, change), tmp_path)


def test_own_types_that_a_file_may_name_hold_values_and_nothing_else():
    names = own_types()
    assert {
        "h2pc.learners.hybrid.H2PC",
        "h2pc.multilabel.classifiers.BinaryRelevance",
        "h2pc.multilabel.powerset_model.PowersetModel",
    } <= names
    for name in names:
        module, _, kind = name.rpartition(".")
        assert module.startswith(("h2pc.multilabel.", "h2pc.learners."))
        found = getattr(sys.modules[module], kind)
        assert isinstance(found, type)
        own = [base for base in found.__mro__ if base.__module__.startswith("h2pc.")]
        for base in own:
            assert not {"__reduce__", "__reduce_ex__", "__del__"} & vars(base).keys(), name
            state = vars(base).get("__setstate__")
            assert state is None or state.__module__ == "dataclasses", name


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"version": 4, "h2pc": "9.1"}, r"version 4, by h2pc 9\.1: this is h2pc .*fit the model"),
        ({"version": None}, "version None"),
        ({"format": "h2pc-network"}, "no model file"),
    ],
)
def test_headers_of_other_files_and_versions_are_refused(tmp_path, stump_file, bad, sentence):
    parts = entries(stump_file)
    header = {**json.loads(parts["h2pc.json"]), **bad}

    with pytest.raises(FileFormatError, match=sentence):
        loaded(zipped({**parts, "h2pc.json": json.dumps(header)}), tmp_path)


def test_a_header_that_lacks_something_is_refused(tmp_path, stump_file):
    parts = entries(stump_file)
    header = json.loads(parts["h2pc.json"])
    for name in header.keys() - {"h2pc"}:
        rest = {key: value for key, value in header.items() if key != name}

        with pytest.raises(FileFormatError, match=name):
            loaded(zipped({**parts, "h2pc.json": json.dumps(rest)}), tmp_path)


def npy(array, **settings):
    file = BytesIO()
    np.save(file, array, **settings)
    return file.getvalue()


def test_files_of_the_format_before_are_refused_in_a_sentence(tmp_path):
    header = npy(np.frombuffer(b'{"format": "h2pc-model", "version": 2}', np.uint8))

    with pytest.raises(
        FileFormatError, match=r"of an earlier version of h2pc.*fit the model again"
    ):
        loaded(zipped({"header.npy": header, "0/columns.npy": npy(np.arange(2))}), tmp_path)


def with_header(text):
    return zipped({"h2pc.json": text})


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no model file"),
        (b"PK\x05\x06", "no model file"),
        (b"PK\x03\x04", "damaged"),
        (b"nonsense" * 1000, "no model file"),
        (npy(np.arange(3)), "no model file"),
        (zipped({"model.json": b"{}"}), "no model file"),
        (with_header(b"[]"), "damaged"),
        (with_header(b"{"), "damaged"),
        (with_header(b"\xff"), "damaged"),
        (with_header(b"[" * 100_000), "damaged"),
        (with_header(b"9" * 10_000), "damaged"),
        (with_header(b'{"format": "h2pc-model", "version": 3}'), "damaged"),
    ],
    ids=range(12),
)
def test_files_that_are_no_models_are_refused(tmp_path, content, sentence):
    with pytest.raises(FileFormatError, match=sentence):
        loaded(content, tmp_path)


@pytest.mark.parametrize("schema", [b"[]", b"{", b"{}", b"7", b'{"protocol": 99}', b"[" * 100_000])
def test_schemas_that_are_damaged_are_refused(tmp_path, stump_file, schema):
    with pytest.raises(FileFormatError, match="damaged"):
        loaded(zipped({**entries(stump_file), "schema.json": schema}), tmp_path)


def test_a_file_of_something_else_is_refused(tmp_path):
    for other in ([1, 2], GaussianNB().fit(X, Y["cat"]), H2PC()):
        with pytest.raises(FileFormatError, match="a multi-label classifier"):
            loaded(_packed(skops.io.dumps(other)), tmp_path)


def test_zip_bombs_are_refused_before_they_go_off(tmp_path, stump_file):
    bomb = zipped({"h2pc.json": b"x", "more.npy": bytes((1 << 26) + 1)})
    with pytest.raises(FileFormatError, match=r"unpacks to .* bytes: expected 67,108,864"):
        loaded(bomb, tmp_path)

    inner = BytesIO()
    np.savez_compressed(inner, data=np.zeros(1 << 20))
    with pytest.raises(FileFormatError, match=r"'more.npy' is no array"):
        loaded(zipped({**entries(stump_file), "more.npy": inner.getvalue()}), tmp_path)


def test_a_model_that_compresses_like_a_bomb_is_written_without_compression(tmp_path, monkeypatch):
    monkeypatch.setattr(model_files, "_ALWAYS", 1000)
    model = stump()
    model.background_ = np.zeros(1 << 20)

    assert len(bytes_of(model, tmp_path)) > 1 << 23
    assert loaded(bytes_of(model, tmp_path), tmp_path).background_.size == 1 << 20


def test_nothing_is_unpickled(tmp_path, stump_file):
    class Bomb:
        def __reduce__(self):
            return (tmp_path / "executed").touch, ()

    pickled = npy(np.array([Bomb()], object), allow_pickle=True)
    parts = entries(stump_file)
    for name in parts.keys() - {"h2pc.json", "schema.json"}:
        with pytest.raises(FileFormatError, match="allow_pickle=False"):
            loaded(zipped({**parts, name: pickled}), tmp_path)
    with pytest.raises(FileFormatError):
        loaded(pickled, tmp_path)
    assert not (tmp_path / "executed").exists()


def test_an_array_that_is_missing_is_named(tmp_path, stump_file):
    parts = entries(stump_file)
    for name in parts.keys() - {"h2pc.json"}:
        rest = {key: part for key, part in parts.items() if key != name}

        with pytest.raises(FileFormatError, match=name):
            loaded(zipped(rest), tmp_path)


def test_a_file_that_is_absent_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_model(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        read_model(tmp_path)


@pytest.fixture(scope="module")
def contents(tmp_path_factory, boosted_file):
    """Files of a stump, a chain, a classifier of powersets with words, and of other bases."""
    folder = tmp_path_factory.mktemp("models")
    chain = ClassifierChain(CompactForestClassifier(1), random_state=0).fit(X, CONSTANT)
    words = MinimalLabelPowersetClassifier(FOREST, random_state=0, structure=DAG).fit(WORDS, Y)
    plain = BinaryRelevance(RandomForestClassifier(2, max_depth=3)).fit(X, Y)
    return [*(bytes_of(model, folder) for model in (stump(), chain, words, plain)), boosted_file]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@settings(max_examples=40)
@given(data=st.data())
def test_flipped_bits_never_go_unnoticed(contents, folder, data):
    content = data.draw(st.sampled_from(contents))
    at = data.draw(st.integers(0, len(content) - 1))
    flipped = bytearray(content)
    flipped[at] ^= 1 << data.draw(st.integers(0, 7))
    try:
        model = loaded(bytes(flipped), folder)
    except H2pcError:
        return
    # Dates and systems of entries mean nothing: everything else is as it was.
    assert bytes_of(model, folder) == bytes_of(loaded(content, folder), folder)


@settings(max_examples=40)
@given(data=st.data())
def test_files_that_are_cut_are_refused(contents, folder, data):
    content = data.draw(st.sampled_from(contents))
    end = data.draw(st.integers(0, len(content) - 1))

    with pytest.raises(FileFormatError):
        loaded(content[:end], folder)


@settings(max_examples=60)
@given(data=st.data())
def test_arrays_of_any_content_are_refused_or_lead_nowhere_else(contents, folder, data):
    parts = entries(data.draw(st.sampled_from(contents)))
    arrays = {name: np.load(BytesIO(part)) for name, part in parts.items() if name.endswith("npy")}
    name = data.draw(st.sampled_from(sorted(name for name in arrays if arrays[name].size)))
    array = arrays[name].copy()
    cells = array.reshape(-1).view("|u1")
    for _ in range(data.draw(st.integers(1, 3))):
        cells[data.draw(st.integers(0, cells.size - 1))] = data.draw(st.integers(0, 255))
    try:
        model = loaded(zipped(parts | {name: npy(array)}), folder)
    except H2pcError:
        return
    samples = _samples(model)
    try:
        with np.errstate(all="ignore"):
            predicted = model.predict_proba(samples)
            for forest in _forests(model):
                forest.decision_path(np.zeros((2, forest.n_features_in_)))
    except (ValueError, IndexError, TypeError):  # Python says no; the process goes on
        return
    assert predicted.shape == (len(NEW), len(model.labels_))


def _samples(model):
    names = model.feature_names_in_
    return pd.DataFrame(
        {
            name: [model.categories_[name][0]] * len(NEW)
            if name in model.categories_
            else NEW.iloc[:, j % 4]
            for j, name in enumerate(names)
        }
    )


def _forests(model):
    if isinstance(model, ClassifierChain):
        return model.chain_.estimators_
    found = [each.classifier for each in model.models_]
    return [each for each in found if hasattr(each, "decision_path")]


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just("0.npy"),
    lambda inside: st.lists(inside, max_size=2) | st.dictionaries(st.text(max_size=3), inside),
    max_leaves=3,
)


def inner_places(document, path=()):
    """Where there is anything in a document, in the order of its text."""
    inside = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in inside:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from inner_places(value, (*path, key))


@settings(max_examples=60)
@given(data=st.data())
def test_schemas_of_any_content_are_refused_or_make_a_model(contents, folder, data):
    parts = entries(data.draw(st.sampled_from(contents)))
    schema = json.loads(parts["schema.json"])
    *path, last = data.draw(st.sampled_from(list(inner_places(schema))))
    inner = schema
    for key in path:
        inner = inner[key]
    inner[last] = data.draw(PLAIN)
    try:
        model = loaded(zipped({**parts, "schema.json": json.dumps(schema)}), folder)
    except H2pcError:
        return

    assert model.labels_


def test_a_graph_with_a_wrong_edge_is_refused(tmp_path):
    model = MinimalLabelPowersetClassifier(FOREST, random_state=0, structure=DAG).fit(X, Y)

    def change(plain):
        plain.dag_.edges[0] = (0, 10**9)

    with pytest.raises(FileFormatError, match=r"damaged|variable"):
        loaded(changed(bytes_of(model, tmp_path), change), tmp_path)
    assert isinstance(loaded(bytes_of(model, tmp_path), tmp_path).dag_, Dag)
