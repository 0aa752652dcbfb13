"""Features that are missing in some samples, where the base classifier takes them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from h2pc import (
    BinaryRelevance,
    ClassifierChain,
    CompactForestClassifier,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from unit.multilabel.label_samples import DAG, NEW, TRUE, X, Y, presence

BASES = [CompactForestClassifier(5), DecisionTreeClassifier(max_depth=4)]
BOOSTED = HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=4)
KINDS = [BinaryRelevance, LabelPowerset, MinimalLabelPowersetClassifier, ClassifierChain]
bases = pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
kinds = pytest.mark.parametrize("kind", KINDS)


def holed(frame, seed):
    """Return a table with a tenth of its cells missing."""
    gone = np.random.default_rng(seed).random(frame.shape) < 0.1
    return frame.mask(pd.DataFrame(gone, columns=frame.columns))


HOLED, NEW_HOLED = holed(X, 0), holed(NEW, 1)


@pytest.mark.parametrize(
    ("kind", "base"),
    [(BinaryRelevance, BOOSTED), *((kind, base) for kind in KINDS for base in BASES)],
)
def test_missing_features_are_taken_in_training_and_prediction(kind, base):
    classifier = kind(base, random_state=0).fit(HOLED, Y)

    assert np.isnan(HOLED.to_numpy()).any()
    assert classifier.score(NEW_HOLED, TRUE) > 0.45
    assert np.isfinite(presence(classifier, NEW_HOLED)).all()


@bases
def test_a_chain_sees_what_is_missing(base):
    chain = ClassifierChain(base, random_state=0).fit(HOLED, Y, sample_weight=np.ones(400))
    plain = ClassifierChain(base, random_state=0).fit(HOLED, Y)

    assert chain.score(NEW_HOLED, TRUE) > 0.45
    names = sorted(X.columns)
    own = plain.chain_.estimators_[0]  # the first label has no other before it
    alone = type(own)(**own.get_params()).fit(HOLED[names].to_numpy(), Y["ant"])
    np.testing.assert_array_equal(
        presence(plain, NEW_HOLED)[:, 1], alone.predict_proba(NEW_HOLED[names].to_numpy())[:, 1]
    )


@bases
def test_the_base_sees_what_is_missing(base):
    classifier = BinaryRelevance(base, random_state=0).fit(HOLED, Y)

    names = sorted(X.columns)
    own = classifier.models_[0].classifier
    alone = type(own)(**own.get_params()).fit(HOLED[names].to_numpy(), Y["ant"])
    np.testing.assert_array_equal(
        classifier.predict_proba(NEW_HOLED)[1][:, 1],
        alone.predict_proba(NEW_HOLED[names].to_numpy())[:, 1],
    )


@pytest.mark.parametrize("selection", ["markov_boundary", "auto"])
@pytest.mark.parametrize("assumption", ["faithfulness", "composition"])
def test_powersets_are_learned_from_the_values_that_are_there(selection, assumption):
    classifier = MinimalLabelPowersetClassifier(
        BASES[0], feature_selection=selection, assumption=assumption, random_state=0
    ).fit(HOLED, Y)

    assert classifier.powersets_ == (("ant", "bee"), ("cat",))
    assert "rain" in classifier.boundaries_[0]
    assert "wind" in classifier.boundaries_[1]
    assert classifier.score(NEW_HOLED, TRUE) > 0.5


def with_sky(frame):
    sky = np.select([frame["rain"] > 0, frame["wind"] > 0], ["black", "grey"], "blue")
    words = pd.Series(sky, dtype=object).where(np.arange(len(frame)) % 7 > 0, None)
    return frame.assign(rain=words)


def test_categories_may_be_missing_too():
    classifier = BinaryRelevance(BASES[0], random_state=0).fit(with_sky(X), Y)

    assert classifier.categories_ == {"rain": ("black", "blue", "grey")}
    assert classifier.score(with_sky(NEW), TRUE) > 0.45
    missing = with_sky(NEW).iloc[[0]]
    assert missing["rain"].isna().all()
    assert classifier.predict(missing).shape == (1, 3)


def test_a_sample_with_missing_values_is_explained():
    classifier = BinaryRelevance(BASES[0], random_state=0).fit(with_sky(holed(X, 2)), Y)
    new = with_sky(NEW).assign(sun=np.nan)

    why = classifier.explain(new, 0)

    values = {each.feature: each.value for each in why.powersets[0].features}
    assert np.isnan(values["sun"])
    assert np.isnan(values["rain"])
    assert values["wind"] == NEW["wind"].iloc[0]
    assert "rain" in str(why)
    assert "rain" in why.to_html()


@kinds
def test_a_base_that_takes_none_refuses_them(kind):
    with pytest.raises(ValueError, match="Input X contains NaN"):
        kind(GaussianNB()).fit(HOLED, Y)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        kind(GaussianNB()).fit(X, Y).predict(NEW_HOLED)


@kinds
def test_the_default_takes_them(kind):
    assert get_tags(kind()).input_tags.allow_nan
    assert not get_tags(kind(GaussianNB())).input_tags.allow_nan


def test_a_feature_that_is_missing_everywhere_is_named():
    classifier = MinimalLabelPowersetClassifier(BASES[0])

    with pytest.raises(ValueError, match="column 'sun' holds nothing but missing values: remove"):
        classifier.fit(X.assign(sun=np.nan), Y)


def test_a_given_graph_needs_no_values():
    classifier = MinimalLabelPowersetClassifier(BASES[0], structure=DAG, random_state=0)

    classifier.fit(X.assign(sun=np.nan), Y)

    assert classifier.predict(NEW.assign(sun=np.nan)).shape == (300, 3)
