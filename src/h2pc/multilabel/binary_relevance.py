"""Binary relevance: every label by itself."""

from __future__ import annotations

from h2pc.graphs import Dag
from h2pc.multilabel.powerset_classifier import PowersetClassifier
from h2pc.multilabel.training_set import Names


class BinaryRelevance(PowersetClassifier):
    """Tell every label by itself: BR and, with feature selection, BR+MB of the paper.

    Parameters
    ----------
    base, n_jobs, random_state
        As of :class:`MinimalLabelPowersetClassifier`.
    feature_selection : {"markov_boundary"}, optional
        Whether the classifier of a label sees its Markov boundary among the features only; by
        default all features. It is that of the minimal powerset the label belongs to: other labels
        are not seen, so that what is next to them matters as well.
    structure : Dag, or a learner such as H2PC() or MMHC(), optional
        The graph on labels and features, or what learns it around the labels; by default H2PC().
        Without feature selection there is no need of it.

    Attributes
    ----------
    powersets_, boundaries_, dag_, label_graph_, combinations_, models_, labels_, classes_
        As of :class:`MinimalLabelPowersetClassifier`; every label is a powerset of its own.
    n_features_in_, feature_names_in_ : int, array of str
        The number of features, and their names if they have any.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc import Dag
    >>> from h2pc.multilabel.binary_relevance import BinaryRelevance
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> Y = np.column_stack((X[:, 0] > 0, X[:, 1] > 1))
    >>> dag = Dag.from_edges(["X0", "X1", "Y0", "Y1"], [("X0", "Y0"), ("X1", "Y1")])
    >>> classifier = BinaryRelevance(
    ...     feature_selection="markov_boundary", structure=dag, random_state=0
    ... )
    >>> classifier.fit(X, Y).predict([[0.5, 0.0, 9.0], [-0.5, 1.5, 9.0]]).tolist()
    [[1, 0], [0, 1]]
    >>> classifier.boundaries_
    (('X0',), ('X1',))
    """

    def _powersets(self, labels: Names, dag: Dag | None) -> tuple[Names, ...]:  # noqa: ARG002
        return tuple((label,) for label in labels)
