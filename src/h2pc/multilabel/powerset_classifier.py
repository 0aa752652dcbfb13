"""Labels in groups: every combination of the labels of a group is one class."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, ClassVar, Literal, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed

from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.learners.validation import number_of_jobs
from h2pc.multilabel import label_graph, minimal_label_powersets
from h2pc.multilabel.label_structure import boundaries, checked_structure, enclosing, label_dag
from h2pc.multilabel.multi_label import MAX_SEED, MultiLabelClassifier, has_probabilities
from h2pc.multilabel.powerset_model import PowersetModel, fitted_model
from h2pc.multilabel.training_set import Names, TrainingSet, places


class PowersetClassifier(MultiLabelClassifier):
    """One multi-class classifier for each powerset of a partition of the labels."""

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
        """Return the sorted labels parted, each part sorted, in the order of their first labels."""

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn the structure where it is needed, and a classifier for each powerset.

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
        n_jobs, structure = number_of_jobs(self.n_jobs), checked_structure(self.structure)
        if self.feature_selection not in (None, "markov_boundary"):
            raise SettingError(
                f"feature_selection must be 'markov_boundary' or None; "
                f"got {self.feature_selection!r}."
            )
        selects = self.feature_selection is not None
        training = self._read(X, Y)
        labels = training.targets

        needed = selects or self._always_needs_structure
        dag = label_dag(structure, training, n_jobs) if needed else None
        self.dag_ = dag
        self.powersets_ = self._powersets(labels, dag)
        self.label_graph_ = None if dag is None else label_graph(dag, labels)
        self.boundaries_ = None if dag is None else self._boundaries(dag, training)
        inputs = self.boundaries_
        if inputs is None or not selects:
            inputs = (training.features,) * len(self.powersets_)
        self.models_ = self._fitted_models(training, inputs, n_jobs)
        self.combinations_ = [model.classes.combinations for model in self.models_]
        return self

    def _boundaries(self, dag: Dag, training: TrainingSet) -> tuple[Names, ...]:
        """Return the Markov boundary of each powerset among the features."""
        minimal = minimal_label_powersets(dag, training.targets)
        return boundaries(dag, [enclosing(p, minimal) for p in self.powersets_], training)

    def _fitted_models(
        self, training: TrainingSet, inputs: tuple[Names, ...], n_jobs: int | None
    ) -> list[PowersetModel]:
        """Return a model for each powerset, told by its inputs."""
        # Seeds belong to labels, and a powerset has that of its first one: neither the workers nor
        # how other labels are parted decide it.
        random = check_random_state(self.random_state)
        drawn = random.randint(MAX_SEED, size=len(training.targets)).tolist()
        seeds = dict(zip(training.targets, drawn, strict=True))
        # Workers that the powersets leave free grow trees.
        inner = max(1, effective_n_jobs(n_jobs) // len(self.powersets_))
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
        parallel = Parallel(n_jobs=n_jobs, prefer="threads")
        with warnings.catch_warnings():
            # Combinations of many labels may well be as many as that.
            warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
            models = dict(zip(order, parallel(tasks[p] for p in order), strict=True))
        return [models[powerset] for powerset in self.powersets_]

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the most probable combination of the labels of each powerset.

        Together they are the most probable combination of all labels, as far as the powersets are
        independent given the features.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        array of int, shape (n_samples, n_labels)
            The labels, 0 or 1, in the order of ``labels_``.
        """
        return self._joined("mode", X).astype(np.int64)

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of every label by itself.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        array of float, shape (n_samples, n_labels)
            How probable it is that the label is 1, in the order of ``labels_``. One number tells
            both probabilities of a label, and scikit-learn's scores of several labels take it so.
        """
        return self._joined("marginals", X)

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
        x = self._features(X)
        return [model.probabilities(x) for model in self.models_]

    def _joined(self, answer: str, X: Any) -> NDArray[np.float64]:
        """Return the answers of all models side by side, in the order of ``labels_``."""
        x = self._features(X)
        answers = Parallel(n_jobs=number_of_jobs(self.n_jobs), prefer="threads")(
            delayed(getattr(model, answer))(x) for model in self.models_
        )
        joined = np.empty((x.shape[0], len(self.labels_)))
        for model, found in zip(self.models_, answers, strict=True):
            joined[:, model.labels] = found
        return self._in_given_order(joined)
