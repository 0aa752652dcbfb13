"""Several classifiers on the same folds."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from h2pc import H2PC, BinaryRelevance, MinimalLabelPowersetClassifier, multilabel_scores
from h2pc.errors import SettingError
from h2pc.multilabel.cross_validation import (
    SCORES,
    FoldScores,
    cross_validated,
    p_values,
    signed_rank_p_value,
)
from h2pc.multilabel.folds import label_folds
from unit.multilabel.label_samples import DAG, X, Y

CLASSIFIERS = {
    "br": BinaryRelevance(GaussianNB()),
    "mlp": MinimalLabelPowersetClassifier(GaussianNB()),
    "br+mb": BinaryRelevance(GaussianNB(), feature_selection="markov_boundary"),
}


class CountedLearner(H2PC):
    """Counts the graphs that it learns."""

    n_fitted = 0

    def fit(self, data):
        type(self).n_fitted += 1
        return super().fit(data)


@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize("kind", ["pandas", "arrays"])
def test_scores_are_those_of_each_classifier_fitted_by_itself(kind, stratify):
    x, y = (X, Y) if kind == "pandas" else (X.to_numpy(), Y.to_numpy())

    found = cross_validated(CLASSIFIERS, x, y, folds=3, random_state=5, stratify=stratify)

    assert [each.name for each in found] == list(CLASSIFIERS)
    parts = list(label_folds(Y, 3, 5, stratify=stratify))
    for each in found:
        assert len(each.folds) == 3
        for scores, (train, test) in zip(each.folds, parts, strict=True):
            alone = clone(CLASSIFIERS[each.name]).fit(X.iloc[train], Y.iloc[train])
            expected = multilabel_scores(Y.iloc[test], alone.predict(X.iloc[test]))
            assert scores == vars(expected)


def test_a_graph_is_learned_once_for_each_fold_and_shared():
    CountedLearner.n_fitted = 0

    cross_validated(CLASSIFIERS, X, Y, folds=2, structure=CountedLearner(progress=False))

    assert CountedLearner.n_fitted == 2


def test_a_given_graph_is_used_and_the_classifiers_stay_as_they_were():
    numbers = []

    cross_validated(CLASSIFIERS, X, Y, folds=2, structure=DAG, done=numbers.append)

    assert numbers == [1, 2]
    assert not hasattr(CLASSIFIERS["mlp"], "models_")
    assert CLASSIFIERS["mlp"].structure is None


@pytest.mark.parametrize("folds", [1, 401])
def test_folds_that_make_no_sense_are_refused(folds):
    with pytest.raises(SettingError, match=f"folds must be from 2 to 400, .* got {folds}"):
        cross_validated(CLASSIFIERS, X, Y, folds=folds)


def fold_scores(name, values):
    return FoldScores(name, tuple(dict.fromkeys(SCORES, value) for value in values))


def test_means_and_deviations_are_those_of_the_folds():
    scores = fold_scores("br", [0.5, 0.75, 1.0])

    assert scores.mean("micro_f1") == 0.75
    assert scores.deviation("micro_f1") == 0.25
    assert scores.to_dict()["scores"]["macro_f1"]["folds"] == [0.5, 0.75, 1.0]


def test_noise_of_the_last_digits_is_no_difference():
    one, other = fold_scores("a", [0.1 + 0.2, 0.5]), fold_scores("b", [0.3, 0.5])

    assert set(p_values(one, other).values()) == {None}


@pytest.mark.parametrize(
    ("differences", "alternative", "expected"),
    [
        ([], "two-sided", None),
        ([0.0, 0.0], "greater", None),
        ([0.2], "greater", 0.5),
        ([-0.2], "greater", 1.0),
        ([0.2], "two-sided", 1.0),
        ([1.0, 2.0, 3.0, 0.0], "greater", 1 / 8),
        ([1.0, 2.0, 3.0], "two-sided", 2 / 8),
        ([-1.0, 2.0, 3.0], "greater", 2 / 8),
    ],
)
def test_p_values_of_few_differences_are_exact(differences, alternative, expected):
    assert signed_rank_p_value(differences, alternative) == expected


def test_many_differences_give_the_same_p_value_each_time():
    differences = np.random.default_rng(0).normal(1.0, size=20).tolist()

    one, again = (signed_rank_p_value(differences, "greater") for _ in range(2))

    assert one == again < 0.05
