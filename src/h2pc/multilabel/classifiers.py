"""Multi-label classifiers by a partition of the labels: into minimal powersets, one by one, none.

Each part is a powerset: one classifier is fitted for it, whose classes are the combinations of its
labels. The minimal label powersets are those of a learned graph (Theorem 8 of the paper).
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Literal, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed

from h2pc.checks import number_of_jobs
from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.multilabel.base import MAX_SEED, MultiLabelClassifier, has_probabilities
from h2pc.multilabel.contributions import background_of
from h2pc.multilabel.explanation import LabelExplanation, explained
from h2pc.multilabel.label_structure import boundaries, checked_structure, label_dag
from h2pc.multilabel.powerset_model import PowersetModel, fitted_model
from h2pc.multilabel.powersets import enclosing_powerset, label_graph, minimal_label_powersets
from h2pc.multilabel.training_set import Names, TrainingSet, places


class PowersetClassifier(MultiLabelClassifier):
    """A classifier for each powerset of a partition of the labels."""

    _always_needs_structure: ClassVar[bool] = False

    def __init__(
        self,
        base: Any = None,
        *,
        feature_selection: Literal["markov_boundary"] | None = None,
        structure: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.feature_selection = feature_selection
        self.structure = structure
        self.n_jobs = n_jobs
        self.random_state = random_state

    @abstractmethod
    def _powersets(self, labels: Names, dag: Dag | None) -> tuple[Names, ...]:
        """Return a partition of the labels, each part sorted, in the order of first labels."""

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn the graph where it is needed, and a classifier for each powerset.

        Parameters
        ----------
        X : array, sparse matrix, or pandas, polars or pyarrow table; samples by features
            Numbers; in tables also categories, which classifiers see as numbers of levels.
        Y : array, sparse matrix or table, shape (n_samples, n_labels)
            The labels, 0 or 1. The columns of a table name them; else they are ``Y0, Y1, …``.

        Returns
        -------
        self
            The fitted classifier.

        Raises
        ------
        SettingError
            If a parameter makes no sense.
        DataError
            If the labels or the categories cannot be used; other bad data are a ``ValueError``.
        GraphError
            If the graph that was given does not fit the labels and the features.
        """
        self._check_parameters()
        training = self._validated(X, Y)
        self.dag_ = None
        if self.needs_structure:
            self.dag_ = label_dag(self.structure, training, self.n_jobs)
        self._set_powersets(training)
        self.models_ = self._fitted_models(training)
        self.combinations_ = [model.combinations for model in self.models_]
        self._background = background_of(training.X, self.models_)
        return self

    def explain(
        self,
        X: Any,
        row: int = 0,
        *,
        labels: Iterable[str] | None = None,
        n_background: int = 100,
        background: Any = None,
    ) -> LabelExplanation:
        """Explain the predicted labels of one sample by the features.

        The contribution of a feature is the probability of the predicted combination of labels,
        minus its mean when the feature takes its values in other samples. See
        :class:`LabelExplanation` for what that says, and what not.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.
        row : int, default=0
            The number of the sample to explain, from 0.
        labels : iterable of str, default=None
            Explain only the powersets of these labels; None is all.
        n_background : int, default=100
            The largest number of samples to compare with; 100 training samples are kept.
        background : array, sparse matrix or table, default=None
            The samples to compare with; None is those of the training set that were kept.

        Returns
        -------
        LabelExplanation
            Prints as text; ``to_frame``, ``to_dict`` and ``to_html`` give it in other forms.

        Raises
        ------
        SettingError
            If there is no such row or label, or nothing to compare with.

        Examples
        --------
        >>> import numpy as np
        >>> from h2pc import BinaryRelevance
        >>> X = np.random.default_rng(0).normal(size=(300, 3))
        >>> classifier = BinaryRelevance(random_state=0).fit(X, np.column_stack([X[:, 1] > 0]))
        >>> why = classifier.explain([[0.0, 2.0, 0.0]])
        >>> why.predicted, why.powersets[0].features[0].feature
        (('Y0',), 'X1')
        """
        x = self._validated_features(X)
        others = getattr(self, "_background", None)
        if background is not None:
            others = self._validated_features(background)
        if others is None:
            raise SettingError(
                "background must be a table of samples, such as those of the training set: the "
                "model has kept none to compare with."
            )
        return explained(self, x, row, others, labels=labels, n_background=n_background)

    def _check_parameters(self) -> None:
        number_of_jobs(self.n_jobs)
        checked_structure(self.structure)
        if self.feature_selection not in (None, "markov_boundary"):
            raise SettingError(
                f"feature_selection must be 'markov_boundary' or None; "
                f"got {self.feature_selection!r}."
            )

    @property
    def needs_structure(self) -> bool:
        """Whether fitting needs a graph."""
        return self._always_needs_structure or self.feature_selection is not None

    def _set_powersets(self, training: TrainingSet) -> None:
        """Read the powersets (Theorem 8) and their Markov boundaries (Theorem 9) off the graph."""
        dag, labels = self.dag_, training.targets
        self.powersets_ = self._powersets(labels, dag)
        self.label_graph_ = self.boundaries_ = None
        if dag is not None:
            self.label_graph_ = label_graph(dag, labels)
            minimal = minimal_label_powersets(dag, labels)
            enclosing = [enclosing_powerset(powerset, minimal) for powerset in self.powersets_]
            self.boundaries_ = boundaries(dag, enclosing, training)

    def _fitted_models(self, training: TrainingSet) -> list[PowersetModel]:
        """Return a model for each powerset, fitted on its boundary or on all features."""
        inputs = self.boundaries_ if self.feature_selection is not None else None
        if inputs is None:
            inputs = (training.features,) * len(self.powersets_)
        # A powerset has the seed of its first label, so that neither the workers nor the partition
        # of the other labels change its model.
        random = check_random_state(self.random_state)
        drawn = random.randint(MAX_SEED, size=len(training.targets)).tolist()
        seeds = dict(zip(training.targets, drawn, strict=True))
        inner = max(
            1, effective_n_jobs(self.n_jobs) // len(self.powersets_)
        )  # workers for the trees
        tasks = {
            powerset: delayed(fitted_model)(
                self._base(inner, seeds[powerset[0]]),
                training.X,
                training.Y,
                places(names, training.features),
                places(powerset, training.targets),
            )
            for powerset, names in zip(self.powersets_, inputs, strict=True)
        }
        # The largest first: it may take longer than all the others.
        order = sorted(tasks, key=len, reverse=True)
        parallel = Parallel(n_jobs=self.n_jobs, prefer="threads")
        with warnings.catch_warnings():
            # Many labels may well have as many combinations as that.
            warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
            models = dict(zip(order, parallel(tasks[p] for p in order), strict=True))
        return [models[powerset] for powerset in self.powersets_]

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_joint_proba(self, X: Any) -> list[NDArray[np.float64]]:
        """Return the probabilities of the combinations of the labels of every powerset.

        The probability of a combination of all labels is the product over the powersets.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        list of arrays of float, shape (n_samples, n_combinations)
            For each powerset, in the order of its ``combinations_``.
        """
        x = self._validated_features(X)
        return [model.predict_joint_proba(x) for model in self.models_]

    def _predict(self, method: str, X: Any) -> NDArray[np.float64]:
        parts = Parallel(n_jobs=number_of_jobs(self.n_jobs), prefer="threads")(
            delayed(getattr(model, method))(X) for model in self.models_
        )
        joined = np.empty((X.shape[0], len(self.labels_)))
        for model, part in zip(self.models_, parts, strict=True):
            joined[:, model.labels] = part
        return joined


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

    def _powersets(self, labels: Names, dag: Dag | None) -> tuple[Names, ...]:
        assert dag is not None  # always needed
        return minimal_label_powersets(dag, labels)


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

    def _powersets(self, labels: Names, dag: Dag | None) -> tuple[Names, ...]:  # noqa: ARG002
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

    def _powersets(self, labels: Names, dag: Dag | None) -> tuple[Names, ...]:  # noqa: ARG002
        return (labels,)
