"""Models in files: they come back as they were, and damaged ones are refused."""

import json
import zipfile
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError

from h2pc import (
    H2PC,
    MMHC,
    BinaryRelevance,
    ClassifierChain,
    CompactForestClassifier,
    LabelPowerset,
    MarkovBoundarySelector,
    MinimalLabelPowersetClassifier,
)
from h2pc.errors import FileFormatError, H2pcError, SettingError
from h2pc.multilabel.model_files import read_model, write_model
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


def unpacked(content):
    with np.load(BytesIO(content), allow_pickle=False) as archive:
        arrays = dict(archive)
    return json.loads(arrays.pop("header").tobytes()), arrays


def packed(header, arrays):
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    file = BytesIO()
    np.savez_compressed(file, **{"header": text, **arrays})
    return file.getvalue()


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
    assert again.structure.required == (("rain", "ant"),)


def test_equal_models_give_equal_files_whatever_the_workers_and_the_order_of_columns(tmp_path):
    model = MinimalLabelPowersetClassifier(FOREST, structure=DAG, random_state=0)
    one = bytes_of(model.fit(X, Y), tmp_path)
    other = bytes_of(model.set_params(n_jobs=2).fit(X, Y), tmp_path)
    again = bytes_of(loaded(one, tmp_path), tmp_path)

    assert one == other == again


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (
            BinaryRelevance(RandomForestClassifier(2)),
            "base of BinaryRelevance is Random",
        ),
        (
            BinaryRelevance(CompactForestClassifier(60, oob_score=True)),
            "CompactForestClassifier without oob_score",
        ),
        (
            LabelPowerset(FOREST, random_state=np.random.RandomState(0)),
            "random_state of LabelPowerset is Random",
        ),
        (
            LabelPowerset(CompactForestClassifier(2, class_weight={0: 1.0})),
            "class_weight of CompactForest",
        ),
        (ClassifierChain(RandomForestClassifier(2)), "base of ClassifierChain is RandomForest"),
        (MarkovBoundarySelector(structure=DAG), "model is of type MarkovBoundarySelector"),
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


def test_what_turns_out_late_leaves_no_file_behind(tmp_path):
    model = BinaryRelevance(FOREST).fit(X, Y)
    model.models_[2].classifier.estimators_[0].tree_ = None

    with pytest.raises(TypeError):
        write_model(model, tmp_path / "model.h2pc")
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_is_not_fitted_is_refused(tmp_path):
    with pytest.raises(NotFittedError):
        write_model(BinaryRelevance(), tmp_path / "model.h2pc")


def stump():
    """A model of one tree with three nodes, which splits on its second feature, as a file."""
    X = pd.DataFrame({"depth": [0.0] * 5, "wind": [1.0, 2.0, 3.0, 4.0, 9.0]})
    base = CompactForestClassifier(1, max_depth=1, bootstrap=False, max_features=None)
    model = BinaryRelevance(base, random_state=0)
    return model.fit(X, pd.DataFrame({"calm": [1, 1, 1, 1, 0]}))


@pytest.fixture(scope="module")
def stump_file(tmp_path_factory):
    return unpacked(bytes_of(stump(), tmp_path_factory.mktemp("stump")))


def test_the_format_of_version_2_stays_what_it_is(tmp_path, stump_file):
    header, arrays = stump_file
    calm_and_storm = pd.DataFrame({"depth": [0.0, 0.0], "wind": [3.0, 9.0]})

    assert (header["format"], header["version"], header["kind"]) == (
        "h2pc-model",
        2,
        "BinaryRelevance",
    )
    assert arrays["0/node_left_child"].tolist() == [1, -1, -1]
    assert arrays["0/node_feature"].tolist() == [1, -2, -2]
    assert arrays["0/shares"].tolist() == [1.0, 1.0]
    assert sorted(name for name in arrays if "node_" not in name) == [
        "0/classes",
        "0/columns",
        "0/combinations",
        "0/first",
        "0/n_nodes",
        "0/seeds",
        "0/shares",
        "0/sizes",
    ]
    model = loaded(packed(header, arrays), tmp_path)
    assert model.predict(calm_and_storm).tolist() == [[1], [0]]


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
    header, arrays = stump_file
    bad = {**arrays, f"0/node_{field}": arrays[f"0/node_{field}"].copy()}
    bad[f"0/node_{field}"][place] = value

    with pytest.raises(FileFormatError, match=sentence) as refused:
        loaded(packed(header, bad), tmp_path)
    assert str(refused.value).startswith(f"{tmp_path / 'copy.h2pc'}: ")


OVERFLOW = np.array([2**62, 2**62, 2**62, 2**62 + 3])  # their sum is 3, as integers of 64 bits
BAD_ARRAYS = [
    ("n_nodes", np.array([4]), "a node in each tree"),
    ("n_nodes", np.array([0, 3]), "a node in each tree"),
    ("n_nodes", np.array([], np.int64), "a node in each tree"),
    ("n_nodes", np.array([1, 2]), "children in the tree"),
    ("n_nodes", OVERFLOW, "a node in each tree"),
    ("n_nodes", np.array([3.0]), "sizes of trees"),
    ("node_feature", np.zeros(3), "trees are those of scikit-learn"),
    ("node_feature", np.zeros(4, np.int64), "expected 3 nodes"),
    ("node_colour", np.zeros(3), "trees are those of scikit-learn"),
    ("classes", np.array([0, 1, 2], np.int32), "damaged"),
    ("classes", np.array([-1, 1, 1], np.int32), "damaged"),
    ("first", np.array([0, 9, 1, 2]), "damaged"),
    ("first", np.array([0, -7703650590995429503, 1, 2]), "shares of each node"),
    ("first", np.array([0.0, 0.0, 1.0, 2.0]), "shares of each node"),
    ("first", np.array([0, 2, 1, 2]), "damaged"),
    ("first", np.array([0, 1]), "damaged"),
    ("shares", np.array(["a", "b"]), "shares of classes"),
    ("seeds", np.array([1, 2]), "damaged"),
    ("sizes", np.array([1, 2]), "damaged"),
    ("columns", np.array([0, 2]), "known columns"),
    ("columns", np.array([-1, 0]), "known columns"),
    ("combinations", np.array([[0], [2]], np.int8), "labels 0 and 1"),
    ("combinations", np.array([[0.0], [1.0]]), "labels 0 and 1"),
    ("combinations", np.zeros((0, 1), np.int8), "expected labels"),
    ("combinations", np.eye(2, dtype=np.int8), "expected labels"),
]


@pytest.mark.parametrize(("name", "array", "sentence"), BAD_ARRAYS)
def test_arrays_that_do_not_fit_are_refused(tmp_path, stump_file, name, array, sentence):
    header, arrays = stump_file

    with pytest.raises(FileFormatError, match=sentence):
        loaded(packed(header, {**arrays, f"0/{name}": array}), tmp_path)


def test_an_array_that_is_missing_is_named(tmp_path, stump_file):
    header, arrays = stump_file
    for name in arrays:
        rest = {key: array for key, array in arrays.items() if key != name}

        with pytest.raises(FileFormatError, match=f"KeyError: '{name[2:]}'|scikit-learn"):
            loaded(packed(header, rest), tmp_path)


CYCLE = {"Dag": {"names": ["calm", "wind"], "edges": [["calm", "wind"], ["wind", "calm"]]}}
FOREIGN = {"Dag": {"names": ["calm", "rain"], "edges": [["calm", "rain"]]}}
BAD_HEADERS = [
    ({"version": 3, "h2pc": "9.1"}, r"version 3, by h2pc 9\.1: this is h2pc .*fit the model again"),
    ({"format": "h2pc-network"}, "no model file"),
    ({"kind": "os.system"}, "damaged"),
    ({"kind": "MinimalLabelPowersetClassifier"}, "damaged"),
    ({"kind": "ClassifierChain"}, "damaged"),
    ({"labels": []}, "expected distinct names"),
    ({"labels": ["calm", "calm"]}, "expected distinct names"),
    ({"labels": ["wind"]}, "expected distinct names"),
    ({"labels": [7]}, "expected distinct names"),
    ({"labels": ["calm", "wild"]}, "damaged"),
    ({"features": ["depth"]}, "expected distinct names"),
    ({"n_features": -1}, "expected distinct names"),
    ({"categories": [["sky", ["a"]]]}, "damaged"),
    ({"categories": [["wind", ["a", "a"]]]}, "damaged"),
    ({"dag": CYCLE}, "cycle"),
    ({"dag": FOREIGN}, "'rain' is next to a label"),
    ({"dag": {"eval": {}}}, "damaged"),
    ({"forests": []}, "damaged"),
    ({"forests": [7]}, "damaged"),
    ({"forests": [{"estimator": 1}]}, "damaged"),
    ({"settings": {"more": 1}}, "damaged"),
    ({"settings": {"structure": {"eval": {}}}}, "damaged"),
    ({"settings": {"base": {"CompactForestClassifier": {"estimator": 1}}}}, "damaged"),
]


@pytest.mark.parametrize(("bad", "sentence"), BAD_HEADERS, ids=str)
def test_headers_that_make_no_sense_are_refused(tmp_path, stump_file, bad, sentence):
    header, arrays = stump_file

    with pytest.raises(FileFormatError, match=sentence):
        loaded(packed(header | bad, arrays), tmp_path)


def test_a_header_that_lacks_something_is_refused(tmp_path, stump_file):
    header, arrays = stump_file
    for name in header.keys() - {"scikit-learn", "h2pc"}:
        rest = {key: value for key, value in header.items() if key != name}

        with pytest.raises(FileFormatError):
            loaded(packed(rest, arrays), tmp_path)


def test_trees_of_another_scikit_learn_are_refused_by_its_version(tmp_path, stump_file):
    header, arrays = stump_file
    fewer = {name: array for name, array in arrays.items() if "missing_go" not in name}

    with pytest.raises(FileFormatError, match=r"scikit-learn 0\.24, and this is .* fit the model"):
        loaded(packed(header | {"scikit-learn": "0.24"}, fewer), tmp_path)


def test_a_file_cannot_say_where_a_learner_would_write(tmp_path):
    model = BinaryRelevance(FOREST, structure=H2PC(checkpoint=str(tmp_path))).fit(X, Y)
    header, arrays = unpacked(bytes_of(model, tmp_path))
    assert "checkpoint" not in header["settings"]["structure"]["H2PC"]

    header["settings"]["structure"]["H2PC"]["checkpoint"] = "/tmp/elsewhere"

    assert loaded(packed(header, arrays), tmp_path).structure.checkpoint is None


@pytest.mark.parametrize("prior", [[0.5], [0.2, 0.3, 0.5], [[0.5, 0.5]], ["a", "b"]], ids=str)
def test_frequencies_that_do_not_fit_are_refused(tmp_path, stump_file, prior):
    header, arrays = stump_file

    with pytest.raises(FileFormatError, match="a frequency for each class"):
        loaded(
            packed(header | {"forests": [None]}, {**arrays, "0/prior": np.array(prior)}), tmp_path
        )


def zipped(entries, compression=zipfile.ZIP_DEFLATED):
    file = BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return file.getvalue()


def npy(array, **settings):
    file = BytesIO()
    np.save(file, array, **settings)
    return file.getvalue()


def with_header(text):
    return zipped({"header.npy": npy(np.frombuffer(text, np.uint8))})


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
        (zipped({"header.npy": b"x"}), "damaged"),
        (zipped({"header": b'{"format": "h2pc-model"}'}), "no model file|damaged"),
    ],
    ids=range(13),
)
def test_files_that_are_no_models_are_refused(tmp_path, content, sentence):
    with pytest.raises(FileFormatError, match=sentence):
        loaded(content, tmp_path)


def test_zip_bombs_are_refused_before_they_go_off(tmp_path):
    bomb = zipped({"header.npy": b"x", "more.npy": bytes((1 << 26) + 1)})

    with pytest.raises(FileFormatError, match=r"unpacks to .* bytes: expected 67,108,864"):
        loaded(bomb, tmp_path)


def test_nothing_is_unpickled(tmp_path, stump_file):
    class Bomb:
        def __reduce__(self):
            return (tmp_path / "executed").touch, ()

    pickled = npy(np.array([Bomb()], object), allow_pickle=True)
    with zipfile.ZipFile(BytesIO(packed(*stump_file))) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}

    for name in entries:
        with pytest.raises(FileFormatError, match="allow_pickle=False"):
            loaded(zipped({**entries, name: pickled}), tmp_path)
    with pytest.raises(FileFormatError):
        loaded(pickled, tmp_path)
    assert not (tmp_path / "executed").exists()


def test_a_file_that_is_absent_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_model(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        read_model(tmp_path)


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """Files of a stump, a chain, and a classifier of powersets with words."""
    folder = tmp_path_factory.mktemp("models")
    chain = ClassifierChain(CompactForestClassifier(1), random_state=0).fit(X, CONSTANT)
    words = MinimalLabelPowersetClassifier(FOREST, random_state=0, structure=DAG).fit(WORDS, Y)
    return [bytes_of(model, folder) for model in (stump(), chain, words)]


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
    header, arrays = unpacked(data.draw(st.sampled_from(contents)))
    name = data.draw(st.sampled_from(sorted(name for name in arrays if arrays[name].size)))
    array = arrays[name].copy()
    cells = array.reshape(-1).view("|u1")
    for _ in range(data.draw(st.integers(1, 3))):
        cells[data.draw(st.integers(0, cells.size - 1))] = data.draw(st.integers(0, 255))
    try:
        model = loaded(packed(header, arrays | {name: array}), folder)
    except H2pcError:
        return
    samples = _samples(model)
    with np.errstate(all="ignore"):
        predicted = model.predict_proba(samples)

    assert predicted.shape == (len(NEW), len(model.labels_))
    for classifier in _forests(model):
        classifier.decision_path(np.zeros((2, classifier.n_features_in_)))


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
    return [each.classifier for each in model.models_ if hasattr(each.classifier, "estimators_")]


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just("calm"),
    lambda inside: st.lists(inside, max_size=2) | st.dictionaries(st.just("Dag"), inside),
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
def test_headers_of_any_content_are_refused_or_make_a_model(contents, folder, data):
    header, arrays = unpacked(data.draw(st.sampled_from(contents)))
    *path, last = data.draw(st.sampled_from(list(inner_places(header))))
    inner = header
    for key in path:
        inner = inner[key]
    inner[last] = data.draw(PLAIN)
    try:
        model = loaded(packed(header, arrays), folder)
    except H2pcError:
        return

    assert model.labels_
    assert repr(model)
