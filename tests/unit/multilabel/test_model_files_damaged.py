"""Model files with other bits, bytes or values are refused, or make a model."""

import json
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)

from h2pc import (
    BinaryRelevance,
    ClassifierChain,
    CompactForestClassifier,
    MinimalLabelPowersetClassifier,
)
from h2pc.errors import FileFormatError, H2pcError
from unit.multilabel.label_samples import DAG, NEW, X, Y
from unit.multilabel.model_bytes import (
    CONSTANT,
    FOREST,
    WORDS,
    bytes_of,
    entries,
    loaded,
    npy,
    stump,
    zipped,
)


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """Files of a stump, a chain, a classifier of powersets with words, and of other bases."""
    folder = tmp_path_factory.mktemp("models")
    chain = ClassifierChain(CompactForestClassifier(1), random_state=0).fit(X, CONSTANT)
    words = MinimalLabelPowersetClassifier(FOREST, random_state=0, structure=DAG).fit(WORDS, Y)
    plain = BinaryRelevance(RandomForestClassifier(2, max_depth=3)).fit(X, Y)
    base = HistGradientBoostingClassifier(max_iter=1, max_leaf_nodes=3)
    boosted = BinaryRelevance(base).fit(X, Y)
    return [bytes_of(model, folder) for model in (stump(), chain, words, plain, boosted)]


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
    assert [both.shape for both in predicted] == [(len(NEW), 2)] * len(model.labels_)


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
