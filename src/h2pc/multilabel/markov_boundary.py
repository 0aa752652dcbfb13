"""Feature selection: the Markov boundary of a target, or of several."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from h2pc.algorithms.neighbourhoods import neighbourhoods
from h2pc.checks import number_of_jobs
from h2pc.independence.named import CITestFactory, TestName, independence_test
from h2pc.multilabel.label_structure import boundaries, checked_structure, label_dag
from h2pc.multilabel.training_set import TrainingSet, places, with_any_targets
from h2pc.variables import without


class MarkovBoundarySelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Keep the features in the Markov boundary of the target, or of several targets.

    Given these features, the targets are independent of all others. For several targets this is
    the union of their boundaries, without the targets themselves (Theorem 9).

    Parameters
    ----------
    structure : Dag, or a learner such as H2PC() or MMHC(), default=None
        The graph to read the boundary off, or its learner. None learns no graph: HPC alone
        estimates the boundary of each target.
    alpha : float, default=0.05
        The level of the test of HPC: independence means p > alpha.
    test : str or callable, default="auto"
        The independence test of HPC, as in :func:`skeleton`.
    power_rule : float, default=5.0
        Fewest samples per cell for a test to be performed; 0 performs every test.
    n_jobs : int, default=None
        The number of workers, as joblib counts them: None is one, -1 all processors.

    Attributes
    ----------
    boundaries_ : dict of str to tuple of str
        The features in the boundary of each target. The columns of a table name the targets; else
        they are ``Y0, Y1, …``.
    dag_ : Dag or None
        The graph, if there is one.
    labels_ : tuple of str
        The names of the targets.
    n_features_in_, feature_names_in_ : int, array of str
        The number of features, and their names if they have any.

    Notes
    -----
    For learning only, continuous features and targets are cut at their median. Whole numbers of at
    most 20 kinds are levels, and so are categories and strings in tables.

    Examples
    --------
    >>> from h2pc import MarkovBoundarySelector, load_network
    >>> data = load_network("asia").sample(5000, random_state=2).to_pandas()
    >>> X, y = data.drop(columns="lung"), data["lung"]
    >>> MarkovBoundarySelector().fit(X, y).get_feature_names_out().tolist()
    ['either', 'smoke', 'tub']
    """

    def __init__(
        self,
        structure: Any = None,
        *,
        alpha: float = 0.05,
        test: TestName | CITestFactory = "auto",
        power_rule: float = 5.0,
        n_jobs: int | None = None,
    ) -> None:
        self.structure = structure
        self.alpha = alpha
        self.test = test
        self.power_rule = power_rule
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Find the features in the boundary of the targets.

        Parameters
        ----------
        X : array, sparse matrix, or pandas, polars or pyarrow table; samples by features
            Numbers; in tables also categories. Some may be missing.
        y : array or sparse matrix or table, shape (n_samples,) or (n_samples, n_targets)
            Classes, labels or numbers.

        Returns
        -------
        self
            The fitted selector.
        """
        n_jobs, structure = number_of_jobs(self.n_jobs), checked_structure(self.structure)
        training, reader = with_any_targets(self, X, y)
        self.dag_ = None
        if structure is None:
            found = self._by_hpc(training, n_jobs)
        else:
            self.dag_ = label_dag(structure, training, n_jobs)
            found = boundaries(self.dag_, [(name,) for name in training.targets], training)
        self.boundaries_ = dict(zip(training.targets, found, strict=True))
        self._support = np.zeros(self.n_features_in_, np.bool_)
        for names in found:
            self._support[reader.order[places(names, training.features)]] = True
        return self

    def _by_hpc(self, training: TrainingSet, n_jobs: int | None) -> tuple[tuple[str, ...], ...]:
        """Return the features in the boundary of each target, sorted."""
        data = training.discrete()
        ci = independence_test(data, self.test, self.alpha, self.power_rule)
        targets = data.variables(training.targets)
        universe = tuple(range(data.n_variables))
        found = neighbourhoods(targets, ci, universe, n_jobs=n_jobs)
        return tuple(
            tuple(data.names[v] for v in sorted(without(found[target].mb, *targets)))
            for target in targets
        )

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self._support

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags
