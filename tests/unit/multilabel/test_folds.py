"""Folds of samples with labels."""

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.model_selection import KFold

from h2pc.errors import SettingError
from h2pc.multilabel.folds import label_folds, split_used
from unit.multilabel.label_samples import X, Y


def as_lists(folds):
    return [(train.tolist(), test.tolist()) for train, test in folds]


@st.composite
def labels_and_folds(draw):
    n, m = draw(st.integers(2, 30)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    share = draw(st.sampled_from([0.0, 0.05, 0.5, 1.0]))
    return (rng.random((n, m)) < share).astype(int), draw(st.integers(2, n))


@pytest.mark.parametrize("stratify", [None, True, False])
@given(drawn=labels_and_folds())
def test_every_sample_is_tested_once_and_no_fold_is_empty(stratify, drawn):
    """Also with labels that never occur, in few samples, or alone."""
    labels, n_folds = drawn
    folds = list(label_folds(labels, n_folds, 3, stratify=stratify))

    assert len(folds) == n_folds
    assert all(test.size for _, test in folds)
    everything = list(range(len(labels)))
    assert sorted(np.concatenate([test for _, test in folds]).tolist()) == everything
    for train, test in folds:
        assert sorted([*train.tolist(), *test.tolist()]) == everything


def test_stratified_folds_have_the_same_share_of_every_label():
    rng = np.random.default_rng(0)
    labels = (rng.random((300, 4)) < [0.5, 0.2, 0.05, 0.05]).astype(int)

    def spread(stratify):
        counts = [
            labels[test].sum(axis=0) for _, test in label_folds(labels, 5, 1, stratify=stratify)
        ]
        return np.ptp(counts, axis=0)

    assert (spread(True) <= 2).all()
    assert spread(False).max() > 4


def test_a_single_label_is_stratified():
    labels = np.arange(20)[:, np.newaxis] < 4

    folds = label_folds(labels, 4, 0, stratify=True)

    assert [int(labels[test].sum()) for _, test in folds] == [1, 1, 1, 1]


@given(labels_and_folds())
def test_the_order_of_labels_changes_nothing(drawn):
    labels, n_folds = drawn
    one, other = (
        label_folds(some, n_folds, 7, stratify=True) for some in (labels, labels[:, ::-1])
    )

    assert as_lists(one) == as_lists(other)


@pytest.mark.parametrize(
    "other",
    [
        Y.to_numpy(),
        Y.to_numpy().tolist(),
        Y.astype(bool),
        csr_array(Y.to_numpy()),
        pl.from_pandas(Y),
        Y.replace({0: "no", 1: "yes"}),
        Y.to_numpy() * 2 - 1,
    ],
    ids=["array", "lists", "booleans", "sparse", "polars", "words", "signs"],
)
def test_folds_do_not_depend_on_the_kind_of_labels(other):
    assert as_lists(label_folds(other, 3)) == as_lists(label_folds(Y, 3))


def test_a_seed_gives_the_same_folds_and_another_one_others():
    one, again, other = (as_lists(label_folds(Y, 3, seed)) for seed in (1, 1, 2))

    assert one == again != other


def test_without_the_library_samples_are_shuffled(monkeypatch):
    monkeypatch.setitem(sys.modules, "iterstrat.ml_stratifiers", None)

    assert split_used() == "shuffled"
    expected = KFold(3, shuffle=True, random_state=4).split(X)
    assert as_lists(label_folds(Y, 3, 4)) == as_lists(expected)
    with pytest.raises(SettingError, match=r"pip install 'h2pc\[stratification\]'"):
        label_folds(Y, 3, 4, stratify=True)


def test_the_split_is_told():
    assert [split_used(asked) for asked in (None, True, False)] == [
        "stratified",
        "stratified",
        "shuffled",
    ]


@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize("n_folds", [1, 4])
def test_folds_that_make_no_sense_are_refused(n_folds, stratify):
    with pytest.raises(SettingError, match=f"folds must be from 2 to 3, .* got {n_folds}"):
        label_folds(pd.DataFrame({"a": [0, 1, 0]}), n_folds, stratify=stratify)
