"""What all learners of networks share: parameters, what ``fit`` leaves behind, ``score``."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from h2pc.algorithms.alternatives import Alternative
from h2pc.algorithms.learn_result import LearnResult
from h2pc.checks import Check, checked
from h2pc.data import Dataset
from h2pc.errors import DataError, H2pcWarning, NotFittedError
from h2pc.independence.base import CITest
from h2pc.independence.named import suitable_test
from h2pc.learners.edge_table import EdgeTable, edge_table
from h2pc.learners.pair_tests import PairTests
from h2pc.learners.parameters import Parameters
from h2pc.learners.search_problem import SearchProblem
from h2pc.learners.validation import CHECKS, constrained_test, settings_of, started_watch
from h2pc.networks import BayesianNetwork, LinearGaussianNetwork
from h2pc.runs.limits import Limits
from h2pc.scores.named import local_score

# As many as codes of 16 bits allow: held-out samples are too few to recognise identifiers.
_MAX_LEVELS = 1 << 16


class StructureLearner(Parameters):
    """A learner of networks that follows scikit-learn's contract; attributes as of H2PC."""

    _checks: ClassVar[Mapping[str, Check]] = CHECKS
    equivalent_sample_size: float
    _warns_of_data = True  # once for many fits to samples of the same data

    @abstractmethod
    def fit(self, X: Any, y: object = None) -> Self:
        """Learn the network of the variables of ``X``."""

    @cached_property
    def network_(self) -> BayesianNetwork | LinearGaussianNetwork:
        """The graph with its tables, fitted with a prior of ``equivalent_sample_size``.

        Of continuous variables it is a :class:`LinearGaussianNetwork`. Networks of both kinds have
        a graph, and no parameters.
        """
        data = self._training_data()
        is_continuous = data.is_continuous[list(data.variables(self.dag_.names))]
        if is_continuous.all():
            return LinearGaussianNetwork.fit(self.dag_, data)
        if is_continuous.any():
            one = self.dag_.names[int(is_continuous.argmax())]
            other = self.dag_.names[int(is_continuous.argmin())]
            raise DataError(
                f"variable {one!r} is continuous and {other!r} is discrete, so that the graph, "
                f"dag_, has no network_ and no score: expected variables of one kind; cut the "
                f"numbers into levels with h2pc.discretize before fitting"
            )
        return BayesianNetwork.fit(
            self.dag_, data, equivalent_sample_size=self.equivalent_sample_size
        )

    @cached_property
    def alternatives_(self) -> list[Alternative]:
        """Up to ten graphs whose score is at most 20 nats lower, the best first."""
        return self.find_alternatives()

    def find_alternatives(self, number: int = 10, *, max_loss: float = 20.0) -> list[Alternative]:
        """Return graphs that are nearly as good as the learned one, one of each class.

        Parameters
        ----------
        number : int, default=10
            The largest number of graphs.
        max_loss : float, default=20.0
            How much lower their score may be, in nats.

        Returns
        -------
        list of Alternative
            The best first; none where the data decide every edge. Pairs that the learner could not
            join are not joined, constraints hold, and a limit of time is that of ``fit``, anew.

        Raises
        ------
        NotFittedError
            If the learner is not fitted.

        Examples
        --------
        >>> from h2pc import H2PC, load_network
        >>> learner = H2PC().fit(load_network("asia").sample(5000, random_state=2))
        >>> for found in learner.find_alternatives(2):
        ...     print(f"{found.difference:.1f}", *found.changes, sep="; ")
        -6.5; tub → xray extra
        -7.2; smoke → either extra
        """
        data, params = self._training_data(), self._fitted_params
        watch = started_watch(Limits(params["max_seconds"], params["max_memory"]), data)
        found = self._search_problem(data, params).alternatives(
            self.result_, number=number, max_loss=max_loss, poll=watch.poll
        )
        if watch.reason is not None:
            warnings.warn(
                f"{watch.reason} = {params[watch.reason]!r} was reached: some alternatives are "
                "missing.",
                H2pcWarning,
                stacklevel=2,
            )
        return found

    @cached_property
    def edge_table_(self) -> EdgeTable:
        """The edges in order, with p-value, q-value, score gain and whether the direction is known.

        :meth:`EdgeTable.with_strengths` adds strengths by the bootstrap, and
        :meth:`EdgeTable.to_pandas` makes a data frame of it.
        """
        data, params = self._training_data(), self._fitted_params
        learned = self._learned_data(data, params)
        score = local_score(learned, params["scoring"], params["equivalent_sample_size"])
        return edge_table(self.result_, data.names, self._test(), score, self._pair_tests())

    def _pair_tests(self) -> PairTests | None:
        """Return the tests of the skeleton; None where there is none."""
        return None

    def _learned_data(self, data: Dataset, params: Mapping[str, Any]) -> Dataset:  # noqa: ARG002
        """Return the data as tests and scores see them."""
        return data

    def _test(self) -> CITest:
        """Return the independence test of the fit, or the usual one where there was none."""
        data, params = self._training_data(), self._fitted_params
        usual = {"test": suitable_test(data), "alpha": 0.05, "power_rule": 5.0}
        limits = Limits(max_conditioning=params.get("max_conditioning"))
        return constrained_test(self._learned_data(data, params), usual | params, limits)

    @abstractmethod
    def _search_problem(self, data: Dataset, params: Mapping[str, Any]) -> SearchProblem:
        """Return what the search of ``fit`` maximised, and where."""

    def score(self, X: Any, y: object = None) -> float:  # noqa: ARG002
        """Return the mean log-likelihood of samples under the fitted network; higher is better.

        This is what ``GridSearchCV`` and ``cross_val_score`` compare. Around targets, the network
        is that of the variables nearby.

        Parameters
        ----------
        X : Dataset, pandas, polars or pyarrow table, 2-d array, or dict of columns
            Samples, most often held out. Columns of a table are matched by name. Where some have a
            state that the n training samples lack, such states get the probability 1 / (n + 1).
            Missing values are summed over, or integrated out.
        y : None, default=None
            Not used; here for scikit-learn.

        Returns
        -------
        float
            The mean over the samples, in nats.

        Raises
        ------
        NotFittedError
            If the learner is not fitted.
        DataError
            If the data cannot be used, or lack a variable of the network; or if some variables of
            the network are continuous and others discrete.

        Examples
        --------
        >>> from h2pc import H2PC, load_network
        >>> asia = load_network("asia")
        >>> learner = H2PC().fit(asia.sample(2000, random_state=1))
        >>> round(learner.score(asia.sample(2000, random_state=2)), 1)
        -2.2
        """
        training = self._training_data()
        if not hasattr(X, "columns") and hasattr(X, "shape"):  # an array: by position
            if len(X.shape) == 2 and X.shape[1] != self.n_features_in_:
                raise DataError(
                    f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                    f"{self.n_features_in_} features as input."
                )
            has_level = any(None in states for states in training.states)
            X = Dataset.from_data(
                X,
                names=training.columns,
                missing="level" if has_level else "available",
                max_levels=_MAX_LEVELS,
            )
        network = self.network_
        if isinstance(network, LinearGaussianNetwork):
            return float(network.log_likelihood(X).mean())
        try:
            logs = network.log_likelihood(X)
        except DataError:  # a state that the training data do not have, or worse
            logs = network.log_likelihood(X, unseen=1.0 / (training.n_samples + 1))
        return float(logs.mean())

    def _training_data(self) -> Dataset:
        """Return the data that the learner was fitted to."""
        if not hasattr(self, "_data"):
            raise NotFittedError(f"This {type(self).__name__} is not fitted: call fit first.")
        return self._data

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags

    def _checked_params(self) -> dict[str, Any]:
        """Return the parameters as plain values; raise a SettingError where one makes no sense."""
        return checked(self.own_params(), self._checks)

    def _keep(self, X: Any, data: Dataset, result: LearnResult, params: Mapping[str, Any]) -> Self:
        """Keep a result and what is read from it as attributes."""
        self._data = data if data is X else deepcopy(data)  # without the engine's index
        self._fitted_params = dict(params)
        for name in ("network_", "alternatives_", "edge_table_", "pair_tests_"):
            self.__dict__.pop(name, None)
        self.n_features_in_ = data.n_variables
        if not isinstance(X, np.ndarray):
            self.feature_names_in_ = np.array(data.columns, object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        settings = settings_of(params, complete=result.complete)
        seed = None if params.get("restarts", 0) == 0 else params["random_state"]
        self.result_ = replace(
            result, settings={"algorithm": type(self).__name__, **settings}, seed=seed
        )
        self.dag_ = result.dag
        self.cpdag_ = result.cpdag
        self.edges_ = list(result.dag.named_edges)
        self.skeleton_edges_ = [] if result.skeleton is None else list(result.skeleton.named_edges)
        self.markov_boundaries_ = {
            name: list(result.dag.markov_boundary(name))
            for name in params.get("targets") or result.dag.names
        }
        self.score_ = result.score
        self.n_tests_ = result.n_tests
        self.scoring_ = params["scoring"]
        if "test" in params:
            self.test_ = params["test"]
        return self
