"""A classifier for each powerset of a partition of the labels: structure, models, predictions."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed

from h2pc.checks import chosen, number_of_jobs, whole_number, yes_or_no
from h2pc.errors import SettingError
from h2pc.graphs import Skeleton
from h2pc.multilabel.base import MAX_SEED, MultiLabelClassifier, has_probabilities
from h2pc.multilabel.contributions import background_of
from h2pc.multilabel.expected_f1 import FactorProbabilities, expected_f1_sets
from h2pc.multilabel.explanation import LabelExplanation, explained
from h2pc.multilabel.label_factors import (
    ASSUMPTIONS,
    Assumption,
    LabelFactors,
    irreducible_label_factors,
)
from h2pc.multilabel.label_structure import boundaries, checked_structure, label_dag
from h2pc.multilabel.model_choice import Fitted, Objective
from h2pc.multilabel.powerset_fitting import PowersetFitting
from h2pc.multilabel.powerset_model import marginals
from h2pc.multilabel.powersets import enclosing_powerset, label_graph, minimal_label_powersets
from h2pc.multilabel.thresholds import check_thresholds, tuned_thresholds
from h2pc.multilabel.training_set import Names, TrainingSet, places

FeatureSelection = Literal["markov_boundary", "auto"]

_SELECTIONS = ("markov_boundary", "auto")
_OBJECTIVES = ("subset", "f1", "hamming")
# Probabilities of all combinations of all powersets that are held at once.
_BATCH_CELLS = 8_000_000


class PowersetClassifier(MultiLabelClassifier):
    """A classifier for each powerset of a partition of the labels."""

    _always_needs_structure: ClassVar[bool] = False
    _blends: ClassVar[bool] = False
    """Whether "auto" may blend the classifiers of parts of a powerset, and of all labels."""

    def __init__(
        self,
        base: Any = None,
        *,
        assumption: Assumption = "faithfulness",
        feature_selection: FeatureSelection | None = None,
        objective: Objective = "subset",
        thresholds: Any = None,
        min_combination_samples: int = 1,
        structure: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.assumption = assumption
        self.feature_selection = feature_selection
        self.objective = objective
        self.thresholds = thresholds
        self.min_combination_samples = min_combination_samples
        self.structure = structure
        self.n_jobs = n_jobs
        self.progress = progress
        self.checkpoint = checkpoint
        self.random_state = random_state

    @abstractmethod
    def _powersets(self, labels: Names, minimal: tuple[Names, ...]) -> tuple[Names, ...]:
        """Return a partition of the labels, each part sorted, in the order of first labels.

        The minimal powersets are those of the structure, if there is one.
        """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the structure where it is needed, and a classifier for each powerset.

        Parameters
        ----------
        X : array, sparse matrix, or pandas, polars or pyarrow table; samples by features
            Numbers; in tables also categories, which classifiers see as numbers of levels. They may
            be missing if the base classifier takes missing values.
        y : array, sparse matrix, table, or list of sets of str; samples by labels
            The labels, two values each: 0 and 1, truth values, words such as no and yes. The
            columns of a table name them; else they are ``Y0, Y1, …``. Or the set of the labels of
            each sample. Or a vector, of a single label.
        sample_weight : array, shape (n_samples,), default=None
            Weights of the samples, for the base classifiers. The structure is learned from as many
            copies of each sample where all weights are whole numbers, else from every sample with
            a positive weight once.

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
        training = self._validated(X, y, sample_weight)
        self._set_structure(training)
        self._set_models(training)
        self._background = background_of(training.X, self.models_)
        return self

    def _check_parameters(self) -> None:
        number_of_jobs(self.n_jobs)
        yes_or_no("progress", self.progress)
        whole_number(1)("min_combination_samples", self.min_combination_samples)
        chosen("assumption", self.assumption, dict.fromkeys(ASSUMPTIONS))
        if self.feature_selection is not None and self.feature_selection not in _SELECTIONS:
            raise SettingError(
                f"feature_selection must be 'markov_boundary', 'auto' or None; "
                f"got {self.feature_selection!r}."
            )
        self._check_objective()
        check_thresholds(self.thresholds)
        if self.thresholds is not None and self.objective != "hamming":
            raise SettingError(
                f"thresholds are for labels one by one: expected objective='hamming'; "
                f"got {self.objective!r}."
            )
        if self.assumption == "faithfulness":
            checked_structure(self.structure)
        elif not (self.structure is None or isinstance(self.structure, LabelFactors)):
            raise SettingError(
                f"structure must be LabelFactors or None with assumption={self.assumption!r}; "
                f"got {self.structure!r}."
            )

    def _check_objective(self) -> None:
        chosen("objective", self.objective, dict.fromkeys(_OBJECTIVES))
        if self.objective != "subset" and not has_probabilities(self):
            raise SettingError(
                f"objective={self.objective!r} needs probabilities; {type(self.base).__name__} has "
                f"no predict_proba."
            )

    @property
    def needs_structure(self) -> bool:
        """Whether fitting needs a graph."""
        needs_any = self._always_needs_structure or self.feature_selection is not None
        return needs_any and self.assumption == "faithfulness"

    def _set_structure(self, training: TrainingSet) -> None:
        """Find the powersets (Theorem 8) and their Markov boundaries (Theorem 9)."""
        self.dag_ = self.label_factors_ = self.label_graph_ = self.boundaries_ = None
        minimal: tuple[Names, ...] = ()
        labels = training.targets
        if self.needs_structure:
            self.dag_ = label_dag(self.structure, training, self.n_jobs, self.progress)
            minimal = minimal_label_powersets(self.dag_, labels)
            self.label_graph_ = label_graph(self.dag_, labels)
        elif self._always_needs_structure or self.feature_selection is not None:
            self.label_factors_ = self._factors(training)
            minimal = self.label_factors_.factors
            links = [link.labels for link in self.label_factors_.links]
            self.label_graph_ = Skeleton(labels, links)
        self.powersets_ = self._powersets(labels, minimal)
        enclosing = [enclosing_powerset(powerset, minimal) for powerset in self.powersets_]
        if self.dag_ is not None:
            self.boundaries_ = boundaries(self.dag_, enclosing, training)
        elif self.label_factors_ is not None:
            own = dict(zip(minimal, self.label_factors_.boundaries, strict=True))
            near = [
                {x for p in minimal if set(p) & set(some) for x in own[p]} for some in enclosing
            ]
            self.boundaries_ = tuple(tuple(sorted(names)) for names in near)

    def _factors(self, training: TrainingSet) -> LabelFactors:
        """Return the irreducible label factors, found unless they are given."""
        if self.structure is None:
            return irreducible_label_factors(
                training.discrete(),
                training.targets,
                assumption=self.assumption,
                n_jobs=self.n_jobs,
            )
        given: LabelFactors = self.structure
        if given.assumption != self.assumption or given.labels != training.targets:
            raise SettingError(
                f"structure must be factors of these {len(training.targets)} labels, by "
                f"{self.assumption}; got some of {len(given.labels)}, by {given.assumption}."
            )
        return given

    def _set_models(self, training: TrainingSet) -> None:
        """Fit the models of the powersets, and choose among them where that is wanted."""
        random = check_random_state(self.random_state)
        drawn = random.randint(MAX_SEED, size=len(training.targets)).tolist()
        run = PowersetFitting(
            training,
            self.powersets_,
            self.boundaries_,
            self._base,
            dict(zip(training.targets, drawn, strict=True)),
            self.feature_selection,
            self._blends,
            self.objective,
            self.min_combination_samples,
            needs_held_out=isinstance(self.thresholds, str),
            n_jobs=self.n_jobs,
            progress=self.progress,
            checkpoint=self.checkpoint,
        )
        fitted = run.fitted()
        self.choices_ = None
        if self.feature_selection == "auto":
            self.boundaries_ = tuple(
                tuple(training.features[j] for j in each.features) for each in fitted
            )
            if self._blends and len(fitted) > 1:
                fitted = [run.together(fitted)]
            self.choices_ = [choice for each in fitted for choice in each.choices]
        self.models_ = [model for each in fitted for model in each.models]
        self.combinations_ = [model.combinations for model in self.models_]
        self._set_thresholds(training, fitted)

    def _set_thresholds(self, training: TrainingSet, fitted: list[Fitted]) -> None:
        """Set the probability from which on each label is predicted."""
        self.thresholds_ = None
        if self.thresholds is None:
            return
        if isinstance(self.thresholds, str):
            present = np.empty(training.Y.shape)
            for each in fitted:
                for model, held_out in zip(each.models, each.held_out, strict=True):
                    present[:, model.labels] = marginals(held_out, model.combinations)
            known = ~np.isnan(present).any(axis=1)
            weights = None if training.weights is None else training.weights[known]
            values = tuned_thresholds(training.Y[known], present[known], sample_weight=weights)
        else:
            given = np.asarray(self.thresholds, np.float64)
            if given.size not in (1, len(self.labels_)):
                raise SettingError(
                    f"thresholds must be one number or {len(self.labels_)}, one for each label; "
                    f"got {given.size}."
                )
            given = np.broadcast_to(given, len(self.labels_))
            values = given[places(training.targets, self.labels_)]
        self.thresholds_ = dict(zip(training.targets, values.tolist(), strict=True))

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_joint_proba(self, X: Any) -> list[NDArray[np.float64]]:
        """Return the probabilities of the combinations of the labels of every model.

        The probability of a combination of all labels is the product over the models.

        Parameters
        ----------
        X : array, sparse matrix or table, samples by features
            New samples.

        Returns
        -------
        list of arrays of float, shape (n_samples, n_combinations)
            For each of ``models_``, in the order of its ``combinations_``.
        """
        x = self._validated_features(X)
        return [model.predict_joint_proba(x) for model in self.models_]

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
        :class:`LabelExplanation` for what that says, and what not. The most probable combination of
        each powerset is explained, even if another objective than "subset" predicts other labels.

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

    def _predict(self, method: str, X: Any) -> NDArray[np.float64]:
        self._check_objective()
        if method == "predict" and self.objective == "hamming":
            present = self._joined("predict_proba", X)
            if self.thresholds_ is None:
                return (present > 0.5).astype(np.float64)
            above = np.array([self.thresholds_[label] for label in sorted(self.labels_)])
            return (present >= above).astype(np.float64)
        if method == "predict" and self.objective == "f1":
            size = max(1, _BATCH_CELLS // sum(map(len, self.combinations_)))
            rows = gen_batches(X.shape[0], size)
            return np.concatenate([self._f1_sets(X[some]) for some in rows])
        return self._joined(method, X)

    def _joined(self, method: str, X: Any) -> NDArray[np.float64]:
        """Return the predictions of all models side by side."""
        parts = Parallel(n_jobs=number_of_jobs(self.n_jobs), prefer="threads")(
            delayed(getattr(model, method))(X) for model in self.models_
        )
        joined = np.empty((X.shape[0], len(self.labels_)))
        for model, part in zip(self.models_, parts, strict=True):
            joined[:, model.labels] = part
        return joined

    def _f1_sets(self, X: Any) -> NDArray[np.float64]:
        """Return the sets of labels whose expected F1 is highest."""
        parts = Parallel(n_jobs=number_of_jobs(self.n_jobs), prefer="threads")(
            delayed(model.predict_joint_proba)(X) for model in self.models_
        )
        factors = [
            FactorProbabilities(model.labels, model.combinations, part)
            for model, part in zip(self.models_, parts, strict=True)
        ]
        return expected_f1_sets(factors, len(self.labels_)).astype(np.float64)
