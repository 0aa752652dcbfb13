"""Label powerset: all labels at once."""

from __future__ import annotations

from h2pc.graphs import Dag
from h2pc.multilabel.powerset_classifier import PowersetClassifier
from h2pc.multilabel.training_set import Names


class LabelPowerset(PowersetClassifier):
    """Tell all labels at once: each combination in the training set is a class.

    A baseline to compare with, opposite to :class:`BinaryRelevance`.

    Parameters
    ----------
    base, n_jobs, random_state
        As of :class:`MinimalLabelPowersetClassifier`.
    feature_selection, structure
        As of :class:`BinaryRelevance`; the boundary is that of all labels together.

    Attributes
    ----------
    powersets_, boundaries_, dag_, label_graph_, combinations_, models_, labels_, classes_
        As of :class:`MinimalLabelPowersetClassifier`; there is one powerset.
    n_features_in_, feature_names_in_ : int, array of str
        The number of features, and their names if they have any.

    Examples
    --------
    >>> from h2pc.multilabel.label_powerset import LabelPowerset
    >>> X = [[0], [1], [2], [3]] * 5
    >>> Y = [[0, 0], [1, 0], [0, 1], [0, 0]] * 5
    >>> classifier = LabelPowerset(random_state=0).fit(X, Y)
    >>> classifier.predict([[1], [2]]).tolist()
    [[1, 0], [0, 1]]
    >>> classifier.combinations_[0].tolist()
    [[0, 0], [0, 1], [1, 0]]
    """

    def _powersets(self, labels: Names, dag: Dag | None) -> tuple[Names, ...]:  # noqa: ARG002
        return (labels,)
