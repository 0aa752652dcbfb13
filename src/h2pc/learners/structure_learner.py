"""What all learners of networks share: ``fit``, and what it leaves behind."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from h2pc.algorithms.learn_result import LearnResult
from h2pc.data import Dataset
from h2pc.learners.parameters import Parameters


class StructureLearner(Parameters):
    """A learner of networks that follows scikit-learn's contract.

    Attributes
    ----------
    edges_ : list of (str, str)
        Names of parents and children.
    skeleton_edges_ : list of (str, str)
        Names of the pairs that the search was allowed to join; empty if it was free.
    markov_boundaries_ : dict of str to list of str
        The Markov boundary of every variable, or of every target.
    dag_ : Dag
        The graph.
    cpdag_ : Cpdag
        Its equivalence class.
    score_ : float
        Its score.
    n_tests_ : int
        The number of independence tests asked for.
    result_ : LearnResult
        All this, the time it took and the settings behind it.
    n_features_in_ : int
        The number of variables of the data.
    feature_names_in_ : array of str
        Their names in the order of the columns, where the data have names.
    """

    def fit(self, X: Any, y: object = None) -> Self:  # noqa: ARG002
        """Learn the network of the variables of ``X``.

        Parameters
        ----------
        X : Dataset, pandas, polars or pyarrow table, 2-d array, or dict of columns
            The sample, as :meth:`Dataset.from_data` takes it.
        y : None
            Not used; here for scikit-learn.

        Returns
        -------
        self
            The fitted learner.

        Raises
        ------
        SettingError
            If a parameter makes no sense.
        DataError
            If the data cannot be used, or a name is not one of theirs.
        """
        data = Dataset.from_data(X)
        result = self._learned(data)
        self.n_features_in_ = data.n_variables
        if not isinstance(X, np.ndarray):
            self.feature_names_in_ = np.array(data.columns, object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.result_ = result
        self.dag_ = result.dag
        self.cpdag_ = result.cpdag
        self.edges_ = list(result.dag.named_edges)
        self.skeleton_edges_ = [] if result.skeleton is None else list(result.skeleton.named_edges)
        self.markov_boundaries_ = _boundaries(result)
        self.score_ = result.score
        self.n_tests_ = result.n_tests
        return self

    @abstractmethod
    def _learned(self, data: Dataset) -> LearnResult:
        """Check the parameters, and learn."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags


def _boundaries(result: LearnResult) -> dict[str, list[str]]:
    """Return the Markov boundaries that are complete, by name."""
    dag, targets = result.dag, result.settings.get("targets")
    chosen: Any = dag.names if targets is None else targets
    return {
        name: [dag.names[v] for v in dag.markov_boundary(dag.variable(name))] for name in chosen
    }
