"""Multi-label classifiers by a partition of the labels: into minimal powersets, one by one, none.

Each part is a powerset: one classifier is fitted for it, whose classes are the combinations of its
labels. The minimal label powersets are those of a learned graph (Theorem 8 of the paper).
"""

from __future__ import annotations

from h2pc.multilabel.powerset_classifier import PowersetClassifier
from h2pc.multilabel.training_set import Names


class MinimalLabelPowersetClassifier(PowersetClassifier):
    """Predict together the labels that depend on each other given the features.

    The labels fall into the smallest groups that are independent of each other given the features:
    the minimal label powersets (Theorem 8), each with a Markov boundary among the features (Theorem
    9). Each powerset gets a classifier of its own, whose classes are the combinations of its labels
    in the training set. These are MLP and, with feature selection, MLP+MB of the paper.
    ``feature_selection="auto"`` chooses features and models by samples that were held out, and is
    usually the most accurate.

    The order of the columns and ``n_jobs`` do not change the result.

    Parameters
    ----------
    base : classifier, default=None
        The multi-class classifier; None is a :class:`CompactForestClassifier` of 100 trees.
    assumption : {"faithfulness", "composition", "intersection"}, default="faithfulness"
        What is assumed of the distribution to find the powersets. Under faithfulness they are read
        off a graph; else by tests alone, see :func:`irreducible_label_factors`.
    feature_selection : {"markov_boundary", "auto"} or None, default=None
        The features that the classifier of a powerset is fitted on: its Markov boundary, or all
        (None). With "auto" it is one of these, or the wider set of the features that depend on one
        of its labels, whichever predicts best; and classifiers of single labels, and of all labels
        together, may count as well, see Notes.
    objective : {"subset", "f1", "hamming"}, default="subset"
        What predictions are best at. "subset": all labels right, by the most probable combination.
        "f1": the highest expected F1 of a sample (GFM). "hamming": the fewest wrong labels, each
        predicted by its own probability. The last two need ``predict_proba`` of the base. It may be
        changed after fitting by ``set_params``.
    thresholds : "tuned", float, array of float or None, default=None
        With ``objective="hamming"``, the probability from which on a label is predicted; one for
        all labels, or one for each in the order of the columns. "tuned" maximises the F1 of each
        label on samples that were held out. None is above 0.5.
    min_combination_samples : int, default=1
        Combinations with fewer training samples are no classes: their samples get the nearest
        combination that has as many. With hundreds of labels, 3 saves time and memory.
    structure : Dag, LabelFactors, or a learner such as H2PC() or MMHC(), default=None
        The graph on labels and features, or the learner of the graph around the labels; None is
        H2PC(). With another assumption than faithfulness, :class:`LabelFactors` or None.
    n_jobs : int, default=None
        The number of workers, as joblib counts them: None is one, -1 all processors.
    progress : bool, default=None
        Whether there is a progress bar; by default where the standard error stream is a terminal.
    checkpoint : path, default=None
        A folder in which the models of each powerset are kept: the same call goes on from there
        after an interruption. A learner given as ``structure`` has a checkpoint of its own.
    random_state : int, RandomState instance or None, default=None
        Seeds the base classifiers, whose own random states are set.

    Attributes
    ----------
    powersets_ : tuple of tuples of str
        The minimal label powersets.
    boundaries_ : tuple of tuples of str, or None
        For each powerset, its Markov boundary among the features; the features that were chosen if
        ``feature_selection`` is "auto"; None if there is no structure.
    dag_, label_graph_ : Dag, Skeleton, or None
        The graph, and the links between labels in it; None if none was needed.
    label_factors_ : LabelFactors or None
        The powersets with the tests behind them, if another assumption than faithfulness is made.
    models_ : list of PowersetModel
        The classifiers, and the columns that each uses: one for each powerset, unless "auto" chose
        otherwise.
    combinations_ : list of arrays of int8, shape (n_combinations, n_labels)
        For each model, the combinations of its labels that are its classes.
    choices_ : list of ModelChoice or None
        What "auto" chose, and how well each candidate predicts samples that were held out.
    thresholds_ : dict of str to float, or None
        For each label, the probability from which on it is predicted, if there are thresholds.
    labels_ : tuple of str
        The names of the labels, in the order of the columns of ``y``.
    classes_ : list of arrays
        For each label, the value of absence and the value of presence; one array if ``y`` was a
        vector.
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

    With ``feature_selection="auto"``, a powerset is predicted by one classifier of its
    combinations, by one classifier for each of its labels, or by a weighted geometric mean of both
    over the combinations of training. In the same way the powersets are compared with one
    classifier of all labels together. What predicts samples best that were held out is taken: by
    the share of right combinations with ``objective="subset"``, of right labels with "hamming", by
    the Brier score of the labels with "f1". Forests hold samples out of bag; other classifiers are
    fitted in three folds besides.

    References
    ----------
    M. Gasse, A. Aussem, H. Elghazel (2014), A hybrid algorithm for Bayesian network structure
    learning with application to multi-label learning, Expert Systems with Applications 41.

    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier (2011), An exact algorithm for F-measure
    maximization, NeurIPS.

    M. Gasse, A. Aussem (2016), F-measure maximization in multi-label classification with
    conditionally independent label subsets, ECML PKDD.

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
    _blends = True

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
    base, thresholds, n_jobs, progress, checkpoint, random_state : default=None
        As in :class:`MinimalLabelPowersetClassifier`.
    assumption, objective : default="faithfulness", "subset"
        As in :class:`MinimalLabelPowersetClassifier`.
    min_combination_samples : default=1
        As in :class:`MinimalLabelPowersetClassifier`.
    feature_selection : {"markov_boundary", "auto"} or None, default=None
        Whether the classifier of a label is fitted on its Markov boundary among the features only;
        None is all features. With "auto" it is what predicts best of these and the features that
        depend on the label, as in :class:`MinimalLabelPowersetClassifier`. The boundary is that of
        the minimal powerset the label belongs to: other labels are not given, so that the features
        next to them matter as well.
    structure : Dag, or a learner such as H2PC() or MMHC(), default=None
        The graph on labels and features, or the learner of the graph around the labels; None is
        H2PC(). It is used for feature selection only.

    Attributes
    ----------
    powersets_, boundaries_, dag_, label_graph_, combinations_, models_, choices_, labels_, classes_
        As in :class:`MinimalLabelPowersetClassifier`; every label is a powerset of its own.
    n_features_in_, feature_names_in_ : int, array of str
        The number of features, and their names if they have any.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc import BinaryRelevance, Dag
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> Y = np.column_stack((X[:, 0] > 0, X[:, 1] > 1)).astype(int)
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
    base, thresholds, n_jobs, progress, checkpoint, random_state : default=None
        As in :class:`MinimalLabelPowersetClassifier`.
    assumption, objective : default="faithfulness", "subset"
        As in :class:`MinimalLabelPowersetClassifier`.
    min_combination_samples : default=1
        As in :class:`MinimalLabelPowersetClassifier`.
    feature_selection, structure : default=None
        As in :class:`BinaryRelevance`; the boundary is that of all labels together.

    Attributes
    ----------
    powersets_, boundaries_, dag_, label_graph_, combinations_, models_, choices_, labels_, classes_
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
