"""Models in files: they come back as they were, and nothing else does."""

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
from h2pc.multilabel.model_archive import write_archive
from h2pc.multilabel.model_files import feature_levels, load_model, save_model
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
    save_model(model, folder / "model.h2pc")
    return (folder / "model.h2pc").read_bytes()


def loaded(content, folder):
    (folder / "copy.h2pc").write_bytes(content)
    return load_model(folder / "copy.h2pc")


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

    assert feature_levels(again) == {"ground": ("rock", "sand"), "night": (True, False)}
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


def test_numpy_can_open_the_arrays(tmp_path):
    model = BinaryRelevance(FOREST, random_state=0).fit(X, Y)
    with zipfile.ZipFile(BytesIO(bytes_of(model, tmp_path))) as archive:
        seeds = np.load(BytesIO(archive.read("0/seeds.npy")), allow_pickle=False)

    assert seeds.tolist() == [t.random_state for t in model.models_[0].classifier.estimators_]


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (BinaryRelevance(RandomForestClassifier(2)), "base is of type RandomForestClassifier"),
        (BinaryRelevance(CompactForestClassifier(60, oob_score=True)), "base has oob_score"),
        (LabelPowerset(FOREST, random_state=np.random.RandomState(0)), "random_state is Random"),
        (LabelPowerset(CompactForestClassifier(2, class_weight={0: 1.0})), "class_weight of base"),
        (ClassifierChain(RandomForestClassifier(2)), "base is of type RandomForestClassifier"),
        (MarkovBoundarySelector(structure=DAG), "model is of type MarkovBoundarySelector"),
    ],
)
def test_what_a_file_cannot_hold_is_refused_and_the_old_file_stays(tmp_path, model, sentence):
    path = tmp_path / "model.h2pc"
    path.write_text("the old one")
    model.fit(X, Y)

    with pytest.raises(SettingError, match=sentence):
        save_model(model, path)
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]


def test_what_turns_out_late_leaves_no_file_behind(tmp_path):
    model = BinaryRelevance(FOREST).fit(X, Y)
    model.models_[2].classifier.estimators_[0].tree_ = None

    with pytest.raises(TypeError):
        save_model(model, tmp_path / "model.h2pc")
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_is_not_fitted_is_refused(tmp_path):
    with pytest.raises(NotFittedError):
        save_model(BinaryRelevance(), tmp_path / "model.h2pc")


STUMP = {
    "kind": "BinaryRelevance",
    "settings": {
        "base": None,
        "feature_selection": None,
        "random_state": None,
        "structure": None,
    },
    "labels": ["calm"],
    "features": ["depth", "wind"],
    "has_names": True,
    "categories": [],
    "dag": None,
    "models": [
        {
            "settings": {"n_estimators": 1},
            "n_samples": 5,
            "n_drawn": None,
            "max_features": 1,
            "has_weights": False,
        }
    ],
}
STUMP_ARRAYS = {
    "0/columns": np.array([0, 1], "<i4"),
    "0/combinations": np.array([[0], [1]], "|i1"),
    "0/left": np.array([1, -1, -1], "<i4"),
    "0/right": np.array([2, -1, -1], "<i4"),
    "0/feature": np.array([1, -2, -2], "<i4"),
    "0/threshold": np.array([4.5, -2.0, -2.0], "<f8"),
    "0/impurity": np.array([0.5, 0.375, 0.0], "<f8"),
    "0/samples": np.array([5, 4, 1], "<i4"),
    "0/weight": np.array([5.0, 4.0, 1.0], "<f8"),
    "0/missing_left": np.array([0, 0, 0], "|u1"),
    "0/sizes": np.array([3], "<i4"),
    "0/seeds": np.array([11], "<i8"),
    "0/n_classes": np.array([0, 2, 1], "<i4"),
    "0/classes": np.array([0, 1, 0], "<i4"),
    "0/shares": np.array([0.25, 0.75, 1.0], "<f8"),
}


def packed(header, arrays):
    file = BytesIO()
    write_archive(file, header, arrays.items())
    return file.getvalue()


def test_the_format_of_version_1_stays_what_it_is(tmp_path):
    model = loaded(packed(STUMP, STUMP_ARRAYS), tmp_path)
    calm_and_storm = pd.DataFrame({"depth": [0.0, 0.0], "wind": [3.0, 9.0]})

    assert model.predict(calm_and_storm).tolist() == [[1], [0]]
    assert model.predict_proba(calm_and_storm).tolist() == [[0.75], [0.0]]


def changed(name, place, value):
    array = STUMP_ARRAYS[name].copy()
    array[place] = value
    return {name: array}


BAD_ARRAYS = [
    (changed("0/left", 0, 0), "children after their parents"),
    (changed("0/left", 0, -7), "children after their parents"),
    (changed("0/right", 0, 3), "children after their parents"),
    (changed("0/right", 0, 2**31 - 1), "children after their parents"),
    (changed("0/right", 0, 1), "one parent for every node"),
    (changed("0/right", 1, 2), "two children or none"),
    (
        changed("0/left", 0, -1) | changed("0/right", 0, -1) | changed("0/feature", 0, -2),
        "one parent for every node",
    ),
    (changed("0/feature", 0, 2), "splits by one of 2 features"),
    (changed("0/feature", 0, -1), "splits by one of 2 features"),
    (changed("0/threshold", 0, np.nan), "thresholds"),
    (changed("0/weight", 0, np.inf), "finite numbers"),
    (changed("0/missing_left", 0, 2), "finite numbers"),
    (changed("0/seeds", 0, -1), "seeds"),
    (changed("0/sizes", 0, 4), "4 nodes"),
    (changed("0/sizes", 0, 0), "a node in every tree"),
    ({"0/sizes": np.array([1, 2], "<i4")}, "1 trees"),
    (changed("0/n_classes", 0, 1), "full leaves"),
    (changed("0/n_classes", 1, -2), "full leaves"),
    (changed("0/n_classes", 1, 3), "a share for each class"),
    (changed("0/classes", 0, 2), "2 classes"),
    (changed("0/classes", 0, -1), "2 classes"),
    (changed("0/classes", 0, 1), "each class once in a leaf"),
    (changed("0/shares", 0, 1.5), "shares above 0"),
    (changed("0/shares", 0, np.nan), "shares above 0"),
    (changed("0/columns", 0, 2), "expected some of 2"),
    (changed("0/columns", 0, 1), "expected some of 2"),
    (changed("0/combinations", 0, 2), "combinations of labels are damaged"),
    (changed("0/combinations", 0, 1), "combinations of labels are damaged"),
    ({"0/combinations": np.zeros((0, 1), "|i1")}, "combinations of labels are damaged"),
    ({"0/combinations": np.eye(2, dtype="|i1")}, "expected n × 1 of type |i1"),
    ({"0/left": STUMP_ARRAYS["0/left"].astype("<i8")}, "expected n of type <i4"),
    ({"0/left": STUMP_ARRAYS["0/left"].reshape(1, 3)}, "expected n of type <i4"),
    ({"0/left": STUMP_ARRAYS["0/left"].astype(">i4")}, "expected n of type <i4"),
    ({"0/more": np.zeros(1, "<i4")}, "unknown array '0/more.npy'"),
]


@pytest.mark.parametrize(("bad", "sentence"), BAD_ARRAYS)
def test_arrays_that_do_not_fit_are_refused(tmp_path, bad, sentence):
    with pytest.raises(FileFormatError) as refused:
        loaded(packed(STUMP, STUMP_ARRAYS | bad), tmp_path)

    assert sentence in str(refused.value)
    assert str(refused.value).startswith(f"{tmp_path / 'copy.h2pc'}: ")


@pytest.mark.parametrize("weights", [[1.0], [1, 1, 1, 1, -1], [1, 1, 1, 1, np.nan]], ids=str)
def test_weights_that_are_none_are_refused(tmp_path, weights):
    about = {"models": [{**STUMP["models"][0], "has_weights": True}]}
    arrays = STUMP_ARRAYS | {"0/weights": np.array(weights, "<f8")}

    with pytest.raises(FileFormatError, match="weights of 5 samples"):
        loaded(packed(STUMP | about, arrays), tmp_path)


@pytest.mark.parametrize("name", STUMP_ARRAYS)
def test_an_array_that_is_missing_is_told(tmp_path, name):
    rest = {key: array for key, array in STUMP_ARRAYS.items() if key != name}

    with pytest.raises(FileFormatError, match=f"no array '{name}'"):
        loaded(packed(STUMP, rest), tmp_path)


NONSENSE = {"n_estimators": 1, "criterion": "beauty"}
CYCLE = {"names": ["calm", "wind"], "edges": [["calm", "wind"], ["wind", "calm"]]}
FOREIGN = {"names": ["calm", "rain"], "edges": [["calm", "rain"]]}
BAD_HEADERS = [
    ({"version": 2}, "version 2: expected 1"),
    ({"version": True}, "version True: expected 1"),
    ({"format": "h2pc-network"}, "expected the format 'h2pc-model'"),
    ({"kind": "os.system"}, "'kind' of the header is 'os.system'"),
    ({"kind": "MinimalLabelPowersetClassifier"}, "no graph in the header"),
    ({"kind": "ClassifierChain"}, "strange settings"),
    ({"kind": 7}, "'kind' of the header is 7"),
    ({"labels": []}, "expected some of each"),
    ({"labels": ["calm", "calm"]}, "has a word twice"),
    ({"labels": ["wind"]}, "expected some of each"),
    ({"labels": ["calm", "wild"]}, "1 classifiers in the header: expected 2"),
    ({"labels": "calm"}, "expected a list of words"),
    ({"features": ["depth"]}, "expected some of 1"),
    ({"has_names": False}, "expected those of an array"),
    ({"has_names": 1}, "expected true or false"),
    ({"categories": [{"name": "sky", "levels": ["a"]}]}, "expected depth or wind"),
    ({"categories": [{"name": "wind", "levels": [["a"]]}]}, "expected words"),
    ({"categories": [{"name": "wind", "levels": ["a", "a"]}]}, "has a state twice"),
    ({"dag": CYCLE}, "cycle"),
    ({"dag": FOREIGN}, "'rain' is next to a label"),
    ({"dag": {"names": ["calm"], "edges": [["calm"]]}}, "no pairs of names"),
    ({"dag": {"names": ["wind"], "edges": []}}, "calm"),
    ({"models": []}, "0 classifiers"),
    ({"models": {}}, "expected a list"),
    ({"models": [None]}, "expected an object"),
    ({"models": [{}]}, "lacks 'settings'"),
    ({"models": [{**STUMP["models"][0], "settings": NONSENSE}]}, "make no sense"),
    ({"models": [{**STUMP["models"][0], "settings": {"n_jobs": 9}}]}, "unknown setting 'n_jobs'"),
    ({"models": [{**STUMP["models"][0], "n_samples": -1}]}, "expected a whole number"),
    ({"models": [{**STUMP["models"][0], "max_features": None}]}, "expected a whole number"),
    ({"models": [{**STUMP["models"][0], "has_weights": True}]}, "no array '0/weights'"),
    ({"settings": {}}, "strange settings"),
    ({"settings": {**STUMP["settings"], "random_state": {}}}, "is an object"),
    ({"settings": {**STUMP["settings"], "base": {"estimator": "x"}}}, "unknown setting"),
    ({"settings": {**STUMP["settings"], "structure": {"learner": "eval"}}}, "H2PC or MMHC"),
    ({"settings": {**STUMP["settings"], "structure": {"dag": CYCLE}}}, "cycle"),
]


@pytest.mark.parametrize(("bad", "sentence"), BAD_HEADERS, ids=str)
def test_headers_that_make_no_sense_are_refused(tmp_path, bad, sentence):
    with pytest.raises(FileFormatError, match=sentence):
        loaded(packed(STUMP | bad, STUMP_ARRAYS), tmp_path)


@pytest.mark.parametrize("name", STUMP)
def test_a_header_that_lacks_something_is_refused(tmp_path, name):
    rest = {key: value for key, value in STUMP.items() if key != name}

    with pytest.raises(FileFormatError):
        loaded(packed(rest, STUMP_ARRAYS), tmp_path)


@pytest.mark.parametrize(
    "prior", [[0.5], [0.5, 0.6], [-0.5, 1.5], [np.nan, 1.0], [0.2, 0.3, 0.5]], ids=str
)
def test_frequencies_that_are_none_are_refused(tmp_path, prior):
    arrays = {
        "0/columns": np.zeros(0, "<i4"),
        "0/combinations": STUMP_ARRAYS["0/combinations"],
        "0/prior": np.array(prior, "<f8"),
    }
    with pytest.raises(FileFormatError, match="expected a sum of 1"):
        loaded(packed(STUMP | {"models": [{}]}, arrays), tmp_path)


def with_entry(name, content, compression=zipfile.ZIP_DEFLATED):
    """The stump with one entry replaced, its checksum too."""
    file = BytesIO(packed(STUMP, STUMP_ARRAYS))
    with zipfile.ZipFile(file) as archive:
        entries = {each: archive.read(each) for each in archive.namelist()}
    entries[name] = content
    out = BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for each, text in entries.items():
            archive.writestr(each, text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "expected a zip file"),
        (b"PK\x05\x06", "expected a zip file"),
        (b"nonsense" * 1000, "expected a zip file"),
        (with_entry("model.json", b"[]"), "expected the format"),
        (with_entry("model.json", b"{"), "expected a JSON object"),
        (with_entry("model.json", b'{"format": NaN}'), "expected a JSON object"),
        (with_entry("model.json", b"\xff"), "expected a JSON object"),
        (with_entry("model.json", b"[" * 100_000), "expected a JSON object"),
        (with_entry("model.json", b"9" * 10_000), "expected a JSON object"),
        (with_entry("0/left.npy", b"x"), "expected another checksum"),
        (with_entry("virus.py", b"x"), "expected all of them"),
    ],
    ids=range(11),
)
def test_zip_files_that_are_no_models_are_refused(tmp_path, content, sentence):
    with pytest.raises(FileFormatError, match=sentence):
        loaded(content, tmp_path)


def test_zip_bombs_are_refused_before_they_go_off(tmp_path):
    bomb = with_entry("0/left.npy", bytes((1 << 26) + 1))

    with pytest.raises(FileFormatError, match="unpacks to too much: expected at most 67,108,864"):
        loaded(bomb, tmp_path)


def test_an_entry_that_is_larger_than_it_says_is_cut_short(tmp_path):
    content = with_entry("0/left.npy", bytes(1 << 20))
    lying = content.replace((1 << 20).to_bytes(4, "little"), (140).to_bytes(4, "little"))

    with pytest.raises(FileFormatError, match=r"'0/left\.npy' is damaged: expected a whole one"):
        loaded(lying, tmp_path)


def test_an_entry_that_comes_twice_is_refused(tmp_path):
    file = BytesIO(packed(STUMP, STUMP_ARRAYS))
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("0/left.npy", b"x")

    with pytest.raises(FileFormatError, match="each entry once"):
        loaded(file.getvalue(), tmp_path)


def test_nothing_is_unpickled(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (tmp_path / "executed").touch, ()

    pickled = BytesIO()
    np.save(pickled, np.array([Bomb()], object), allow_pickle=True)
    content = pickled.getvalue()
    array = np.frombuffer(content, "|u1")
    file = BytesIO()
    write_archive(file, STUMP, [*STUMP_ARRAYS.items(), ("0/more", array)])

    for bad in (with_entry("0/left.npy", content), file.getvalue(), content):
        with pytest.raises(FileFormatError):
            loaded(bad, tmp_path)
    assert not (tmp_path / "executed").exists()


def test_files_that_are_not_there_are_told_by_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        load_model(tmp_path)


SMALL = [
    packed(STUMP, STUMP_ARRAYS),
    *(
        (model, X, Y)
        for model, X, Y in (
            (ClassifierChain(CompactForestClassifier(1), random_state=0), X, CONSTANT),
            (MinimalLabelPowersetClassifier(FOREST, random_state=0, structure=DAG), WORDS, Y),
        )
    ),
]


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """Files of a stump, a chain, and a classifier of powersets with words."""
    folder = tmp_path_factory.mktemp("models")
    return [
        each if isinstance(each, bytes) else bytes_of(each[0].fit(*each[1:]), folder)
        for each in SMALL
    ]


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


def unpacked(content):
    with zipfile.ZipFile(BytesIO(content)) as archive:
        header = json.loads(archive.read("model.json"))
        del header["checksums"], header["format"], header["version"]
        names = [name for name in archive.namelist() if name != "model.json"]
        arrays = {name.removesuffix(".npy"): np.load(BytesIO(archive.read(name))) for name in names}
    return header, arrays


@settings(max_examples=40)
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
    told = model.predict_proba(_samples(model))

    assert told.shape == (len(NEW), len(model.labels_))


def _samples(model):
    levels = feature_levels(model)
    names = model.feature_names_in_
    return pd.DataFrame(
        {
            name: [levels[name][0]] * len(NEW) if name in levels else NEW.iloc[:, j % 4]
            for j, name in enumerate(names)
        }
    )


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just("calm"),
    lambda inside: st.lists(inside, max_size=2) | st.dictionaries(st.just("dag"), inside),
    max_leaves=3,
)


def places(document, path=()):
    """Where there is anything in a document, in the order of its text."""
    inside = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in inside:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


@settings(max_examples=40)
@given(data=st.data())
def test_headers_of_any_content_are_refused_or_make_a_model(contents, folder, data):
    header, arrays = unpacked(data.draw(st.sampled_from(contents)))
    *path, last = data.draw(st.sampled_from(list(places(header))))
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
