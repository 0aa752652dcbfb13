"""The sets of features that a powerset may be predicted from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import false_discovery_control

from h2pc.independence.named import independence_test
from h2pc.multilabel.training_set import Names, TrainingSet

_FDR = 0.05
"""The false discovery rate of features that depend on a label (Benjamini and Hochberg, 1995)."""

_NEARLY_ALL = 0.8
"""Where this share of the features depends on a powerset, they are not tried besides all."""


def candidate_features(
    training: TrainingSet, powersets: Sequence[Names], boundaries: Sequence[Names]
) -> list[dict[str, Names]]:
    """Return the sets of features to choose from, for each powerset.

    They are its Markov boundary, the wider set of the features that depend on one of its labels,
    and all features. Sets that are equal come once.
    """
    dependent = _dependent_features(training)
    found = []
    for powerset, boundary in zip(powersets, boundaries, strict=True):
        near = set(boundary).union(*(dependent[label] for label in powerset))
        sets: dict[str, Names] = {"markov_boundary": boundary}
        if len(boundary) < len(near) < _NEARLY_ALL * len(training.features):
            sets["dependent"] = tuple(sorted(near))
        if len(boundary) < len(training.features):
            sets["all"] = training.features
        found.append(sets)
    return found


def _dependent_features(training: TrainingSet) -> dict[str, Names]:
    """Return the features that depend on each label, nothing given."""
    data = training.discrete()
    ci = independence_test(data)
    features = data.variables(training.features)
    names = np.array(training.features, object)
    found = {}
    for label in training.targets:
        log_p = ci.log_p_many(data.variable(label), features)
        q_values = false_discovery_control(np.exp(log_p))
        found[label] = tuple(names[q_values <= _FDR])
    return found
