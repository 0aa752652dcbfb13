"""Multi-label classifiers by a partition of the labels: into minimal powersets, one by one, none.

Each part is a powerset: one classifier is fitted for it, whose classes are the combinations of its
labels. The minimal label powersets are those of a learned graph (Theorem 8 of the paper).
"""

from __future__ import annotations

from h2pc.multilabel.powerset_classifier import PowersetClassifier
from h2pc.multilabel.training_set import Names


class MinimalLabelPowersetClassifier(PowersetClassifier):
    """Predict together the labels that depend on each other given the features.

    In the graph of labels and features the labels fall into minimal label powersets (Theorem 8),
    each with a Markov boundary among the features (Theorem 9). Each powerset gets a classifier of
    its own, whose classes are the combinations of its labels in the training set. These are MLP
    and, with feature selection, MLP+MB of the paper.

    The order of the columns and ``n_jobs`` do not change the result.

    Parameters
    ----------
    base : classifier, default=None
        The multi-class classifier; None is a :class:`CompactForestClassifier` of 100 trees.
    feature_selection : {"markov_boundary"} or None, default=None
        Whether the classifier of a powerset is fitted on its Markov boundary only; None is all
        features.
    structure : Dag, or a learner such as H2PC() or MMHC(), default=None
        The graph on labels and features, or the learner of the graph around the labels; None is
        H2PC().
    n_jobs : int, default=None
        The number of workers, as joblib counts them: None is one, -1 all processors.
    random_state : int, RandomState instance or None, default=None
        Seeds the base classifiers, whose own random states are set.

    Attributes
    ----------
    powersets_ : tuple of tuples of str
        The minimal label powersets.
    boundaries_ : tuple of tuples of str, or None
        For each powerset, its Markov boundary among the features; None if there is no graph.
    dag_, label_graph_ : Dag, Skeleton, or None
        The graph, and the links between labels in it; None if none was needed.
    combinations_ : list of arrays of int8, shape (n_combinations, n_labels)
        For each powerset, the combinations of its labels in the training set.
    models_ : list of PowersetModel
        For each powerset, its classifier and the columns that it uses.
    labels_ : tuple of str
        The names of the labels, in the order of the columns of ``Y``.
    classes_ : array of int, shape (n_labels, 2)
        0 and 1 for every label.
    categories_ : dict of str to tuple
        For the features that are no numbers, their levels.
    n_features_in_, feature_names_in_ : int, array of str
        The number of features, and their names if they have any.

    Notes
    -----
    For structure learning only, continuous features are cut at their median; whole numbers of at
    most 20 kinds are levels, and so are categories and strings in tables. The classifiers are
    fitted on the features as they are. For a powerset with a single combination, or without a
    feature in its boundary, the most frequent combination is predicted.

    References
    ----------
    M. Gasse, A. Aussem, H. Elghazel (2014), A hybrid algorithm for Bayesian network structure
    learning with application to multi-label learning, Expert Systems with Applications 41.

    Examples
    --------
    The labels ``a`` and ``b`` are never both present; ``c`` has nothing to do with them.

    >>> import numpy as np
    >>> import pandas as pd
    >>> from h2pc import MinimalLabelPowersetClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame(rng.normal(size=(500, 3)), columns=["x", "y", "z"])
    >>> coin = rng.random(500) < 0.5
    >>> Y = pd.DataFrame({"a": (X["x"] > 0) & coin, "b": (X["x"] > 0) & ~coin, "c": X["z"] > 0})
    >>> classifier = MinimalLabelPowersetClassifier(random_state=0).fit(X, Y)
    >>> classifier.powersets_, classifier.boundaries_
    ((('a', 'b'), ('c',)), (('x',), ('z',)))
    >>> classifier.combinations_[0].tolist()
    [[0, 0], [0, 1], [1, 0]]
    """

    _always_needs_structure = True

    def _powersets(
        self,
        labels: Names,  # noqa: ARG002
        minimal: tuple[Names, ...],
    ) -> tuple[Names, ...]:
        return minimal


class BinaryRelevance(PowersetClassifier):
    """Predict every label by itself: BR and, with feature selection, BR+MB of the paper.

    Parameters
    ----------
    base, n_jobs, random_state : default=None
        As in :class:`MinimalLabelPowersetClassifier`.
    feature_selection : {"markov_boundary"} or None, default=None
        Whether the classifier of a label is fitted on its Markov boundary among the features only;
        None is all features. The boundary is that of the minimal powerset the label belongs to:
        other labels are not given, so that the features next to them matter as well.
    structure : Dag, or a learner such as H2PC() or MMHC(), default=None
        The graph on labels and features, or the learner of the graph around the labels; None is
        H2PC(). It is used for feature selection only.

    Attributes
    ----------
    powersets_, boundaries_, dag_, label_graph_, combinations_, models_, labels_, classes_
        As in :class:`MinimalLabelPowersetClassifier`; every label is a powerset of its own.
    n_features_in_, feature_names_in_ : int, array of str
        The number of features, and their names if they have any.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc import BinaryRelevance, Dag
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

    def _powersets(
        self,
        labels: Names,
        minimal: tuple[Names, ...],  # noqa: ARG002
    ) -> tuple[Names, ...]:
        return tuple((label,) for label in labels)


class LabelPowerset(PowersetClassifier):
    """Predict all labels together: each combination in the training set is a class.

    A baseline to compare with, opposite to :class:`BinaryRelevance`.

    Parameters
    ----------
    base, n_jobs, random_state : default=None
        As in :class:`MinimalLabelPowersetClassifier`.
    feature_selection, structure : default=None
        As in :class:`BinaryRelevance`; the boundary is that of all labels together.

    Attributes
    ----------
    powersets_, boundaries_, dag_, label_graph_, combinations_, models_, labels_, classes_
        As in :class:`MinimalLabelPowersetClassifier`; there is one powerset.
    n_features_in_, feature_names_in_ : int, array of str
        The number of features, and their names if they have any.

    Examples
    --------
    >>> from h2pc import LabelPowerset
    >>> X = [[0], [1], [2], [3]] * 5
    >>> Y = [[0, 0], [1, 0], [0, 1], [0, 0]] * 5
    >>> classifier = LabelPowerset(random_state=0).fit(X, Y)
    >>> classifier.predict([[1], [2]]).tolist()
    [[1, 0], [0, 1]]
    >>> classifier.combinations_[0].tolist()
    [[0, 0], [0, 1], [1, 0]]
    """

    def _powersets(
        self,
        labels: Names,
        minimal: tuple[Names, ...],  # noqa: ARG002
    ) -> tuple[Names, ...]:
        return (labels,)
