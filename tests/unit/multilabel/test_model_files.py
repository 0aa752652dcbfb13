"""Models in files: they come back as they were, and what a file cannot hold is refused."""

import numpy as np
import pytest
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

from h2pc import (
    H2PC,
    MMHC,
    BinaryRelevance,
    ClassifierChain,
    CompactForestClassifier,
    LabelPowerset,
    MarkovBoundarySelector,
    MinimalLabelPowersetClassifier,
    MultilabelData,
    irreducible_label_factors,
)
from h2pc.errors import FileFormatError, H2pcError, SettingError
from h2pc.multilabel.blended_classifier import BlendedClassifier
from h2pc.multilabel.model_choice import ModelChoice
from h2pc.multilabel.model_files import read_model, write_model
from h2pc.multilabel.powerset_model import PowersetModel
from unit.multilabel.label_samples import DAG, NEW, X, Y
from unit.multilabel.model_bytes import BOUNDARY, CONSTANT, FOREST, WORDS, bytes_of, loaded

AUTO = {"feature_selection": "auto", "structure": DAG}
FACTORS = {
    "structure": irreducible_label_factors(
        MultilabelData(X, Y.to_numpy(), label_names=tuple(Y.columns)), assumption="intersection"
    ),
    "feature_selection": "markov_boundary",
}
SETS = [frozenset(Y.columns[row == 1]) for row in Y.to_numpy()]
SEVERAL = [
    (BinaryRelevance(FOREST, random_state=0), X, Y),
    (BinaryRelevance(FOREST, random_state=0, **BOUNDARY), X, Y),
    (BinaryRelevance(FOREST, feature_selection="markov_boundary"), X, CONSTANT),
    (MinimalLabelPowersetClassifier(FOREST, random_state=0, structure=DAG), X, Y),
    (MinimalLabelPowersetClassifier(FOREST, structure=H2PC(alpha=0.01)), WORDS, Y),
    (LabelPowerset(FOREST, random_state=np.int64(3)), X.to_numpy(), Y.to_numpy()),
    (LabelPowerset(FOREST, structure=MMHC(targets=["cat"])), csr_array(X), CONSTANT),
    (MinimalLabelPowersetClassifier(FOREST, random_state=0, **AUTO), X, Y),
    (MinimalLabelPowersetClassifier(FOREST, random_state=1, **AUTO, objective="f1"), WORDS, Y),
    (BinaryRelevance(FOREST, random_state=0, objective="hamming", thresholds="tuned"), X, Y),
    (LabelPowerset(FOREST, objective="hamming", thresholds=[0.2, 0.5, 0.7]), X, Y),
    (MinimalLabelPowersetClassifier(FOREST, assumption="composition"), X, Y),
    (MinimalLabelPowersetClassifier(FOREST, assumption="intersection", **FACTORS), X, Y),
    (LabelPowerset(FOREST, min_combination_samples=20), X, Y == 1),
    (BinaryRelevance(FOREST, random_state=0), X, Y.replace({0: "no", 1: "yes"})),
    (BinaryRelevance(FOREST), X, Y.replace({0: "dry", 1: "wet"}).assign(cat=Y["cat"], one="wet")),
    (BinaryRelevance(FOREST), X, Y["cat"] == 1),
    (ClassifierChain(FOREST), X, SETS),
    (ClassifierChain(FOREST, random_state=0), X, CONSTANT),
    (ClassifierChain(FOREST, order=["cat", "ant", "bee"]), WORDS, Y),
    (ClassifierChain(FOREST, order="random", random_state=1), X, CONSTANT[["never", "always"]]),
]


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
    assert is_same(again.predict(X), model.predict(X))
    assert is_same(again.predict_proba(X), model.predict_proba(X))
    assert again.predict_sets(X) == model.predict_sets(X)
    assert sorted(vars(again)) == sorted(vars(model))
    for name, value in vars(model).items():
        is_kept = name.endswith("_") or name in ("_background", "_form", "_reader")
        if is_kept and name not in ("models_", "chain_"):
            assert is_same(value, getattr(again, name)), name
    assert bytes_of(again, tmp_path) == bytes_of(model, tmp_path)
    if hasattr(model, "explain"):
        assert again.explain(X, 3).to_dict() == model.explain(X, 3).to_dict()


def test_blends_and_choices_come_back(tmp_path):
    model = MinimalLabelPowersetClassifier(
        CompactForestClassifier(4, max_depth=2), random_state=0, **AUTO
    )
    model.fit(X, Y)
    assert any(isinstance(each.classifier, BlendedClassifier) for each in model.models_)
    again = loaded(bytes_of(model, tmp_path), tmp_path)

    assert again.choices_ == model.choices_
    assert all(type(choice) is ModelChoice for choice in again.choices_)
    for old, new in zip(model.models_, again.models_, strict=True):
        assert type(new.classifier) is type(old.classifier)
        if isinstance(new.classifier, BlendedClassifier):
            parts = [*new.classifier.parts, new.classifier.joint]
            assert {type(part) for part in parts if part is not None} == {PowersetModel}
            assert new.classifier.weight == old.classifier.weight
            assert new.classifier.power == old.classifier.power


def test_factors_come_back_with_their_tests_and_their_graph(tmp_path):
    model = MinimalLabelPowersetClassifier(FOREST, assumption="composition").fit(X, Y)
    again = loaded(bytes_of(model, tmp_path), tmp_path)
    assert again.label_factors_ == model.label_factors_

    given = MinimalLabelPowersetClassifier(FOREST, assumption="intersection", **FACTORS).fit(X, Y)
    back = loaded(bytes_of(given, tmp_path), tmp_path)
    assert back.structure == given.structure
    assert back.fit(X, Y).powersets_ == given.powersets_


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
