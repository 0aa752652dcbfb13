"""Minimal label powersets: together what belongs together, apart what does not (section 5)."""

from __future__ import annotations

from h2pc.graphs import Dag
from h2pc.multilabel import minimal_label_powersets
from h2pc.multilabel.powerset_classifier import PowersetClassifier
from h2pc.multilabel.training_set import Names


class MinimalLabelPowersetClassifier(PowersetClassifier):
    """Tell labels together that depend on each other given the features, and the others apart.

    The graph around the labels tells which labels belong together (Theorem 8), and which features
    matter for them (Theorem 9). Each such powerset gets a classifier of its own, whose classes are
    the combinations of its labels in the training set. These are MLP and, with feature selection,
    MLP+MB of the paper.

    The order of the columns and ``n_jobs`` do not change the result.

    Parameters
    ----------
    base : classifier, optional
        The multi-class classifier; by default a :class:`CompactForestClassifier` of 100 trees.
    feature_selection : {"markov_boundary"}, optional
        Whether the classifier of a powerset sees its Markov boundary only; by default all features.
    structure : Dag, or a learner such as H2PC() or MMHC(), optional
        The graph on labels and features, or what learns it around the labels; by default H2PC().
    n_jobs : int, optional
        The number of workers, as joblib counts them: by default one, -1 for all processors.
    random_state : int, RandomState instance or None
        Seeds the base classifiers, whose own random states are set; by default at random.

    Attributes
    ----------
    powersets_ : tuple of tuples of str
        The names of the labels that belong together.
    boundaries_ : tuple of tuples of str, or None
        For each powerset, its Markov boundary among the features; None if there is no graph.
    dag_, label_graph_ : Dag, Skeleton, or None
        The graph, and the links between labels in it; None if none was needed.
    combinations_ : list of arrays of int8, shape (n_combinations, n_labels)
        For each powerset, the combinations of its labels that were seen.
    models_ : list of PowersetModel
        For each powerset, its classifier and the columns that it uses.
    labels_ : tuple of str
        The names of the labels, in the order of the columns of ``Y``.
    classes_ : array of int, shape (n_labels, 2)
        0 and 1 for every label.
    n_features_in_, feature_names_in_ : int, array of str
        The number of features, and their names if they have any.

    Notes
    -----
    For structure learning only, continuous features are cut at their median; whole numbers of at
    most 20 kinds are levels, and so are categories and strings in tables. The classifiers see
    the features as they come. A powerset with a single combination, or without a feature to see,
    is told by how frequent its combinations were.

    References
    ----------
    M. Gasse, A. Aussem, H. Elghazel (2014), A hybrid algorithm for Bayesian network structure
    learning with application to multi-label learning, Expert Systems with Applications 41.

    Examples
    --------
    The labels ``a`` and ``b`` are never both present; ``c`` has nothing to do with them.

    >>> import numpy as np
    >>> import pandas as pd
    >>> from h2pc.multilabel.minimal_label_powerset import MinimalLabelPowersetClassifier
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

    def _powersets(self, labels: Names, dag: Dag | None) -> tuple[Names, ...]:
        assert dag is not None  # always needed
        return minimal_label_powersets(dag, labels)
