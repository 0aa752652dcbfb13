"""H2PC and MMHC: from a table of data to a network."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from h2pc.algorithms.h2pc import h2pc
from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.learn_result import LearnResult
from h2pc.algorithms.mmpc import mmpc
from h2pc.algorithms.neighbourhoods import Learner
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.independence.context import Context
from h2pc.learners.structure_learner import StructureLearner
from h2pc.learners.validation import (
    CITestFactory,
    NamedEdge,
    ScoreFactory,
    ScoreName,
    begun_watch,
    bolder_test,
    chosen_targets,
    constraint_settings,
    edge_constraints,
    independence_test,
    local_score,
    name_of,
    number_of_jobs,
    opened_checkpoint,
    optional_number,
    progress_choice,
    run_limit_settings,
    search_limit_settings,
    symmetry_rule,
    warn_of_limits,
    whole_number,
)
from h2pc.random_state import RandomState, seed_of
from h2pc.runs.limits import Limits


class HybridLearner(StructureLearner):
    """A skeleton by a local learner, then its directions by a search inside it."""

    @property
    @abstractmethod
    def _learner(self) -> Learner:
        """The local learner of the skeleton."""

    def __init__(
        self,
        alpha: float = 0.05,
        *,
        test: Literal["g2", "chi2"] | CITestFactory = "g2",
        power_rule: float = 5.0,
        symmetry: Literal["and", "or"] = "and",
        second_power_rule: float | None = 1.0,
        score: ScoreName | ScoreFactory = "bdeu",
        equivalent_sample_size: float = 10.0,
        targets: Iterable[str] | None = None,
        max_parents: int | None = None,
        patience: int = 15,
        tabu_size: int = 100,
        restarts: int | None = None,
        required: Iterable[NamedEdge] = (),
        forbidden: Iterable[NamedEdge] = (),
        tiers: Iterable[Iterable[str]] = (),
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        progress: bool | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        max_conditioning: int | None = None,
        max_subset_tests: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.test = test
        self.power_rule = power_rule
        self.symmetry = symmetry
        self.second_power_rule = second_power_rule
        self.score = score
        self.equivalent_sample_size = equivalent_sample_size
        self.targets = targets
        self.max_parents = max_parents
        self.patience = patience
        self.tabu_size = tabu_size
        self.restarts = restarts
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.checkpoint = checkpoint
        self.max_seconds = max_seconds
        self.max_memory = max_memory
        self.max_conditioning = max_conditioning
        self.max_subset_tests = max_subset_tests

    def _learned(self, data: Dataset) -> LearnResult:
        """Check the parameters, and learn."""
        searching: dict[str, Any] = {
            "max_parents": optional_number("max_parents", self.max_parents, 0),
            "patience": whole_number("patience", self.patience, 0),
            "list_size": whole_number("tabu_size", self.tabu_size, 0),
            "restarts": optional_number("restarts", self.restarts, 0),
            "random_state": seed_of(self.random_state),
        }
        limits = Limits(
            self.max_seconds, self.max_memory, self.max_conditioning, self.max_subset_tests
        )
        watch = begun_watch(limits, data)
        known = edge_constraints(data, self.required, self.forbidden, self.tiers)
        ci = independence_test(data, self.test, self.alpha, self.power_rule, limits)
        ci = ci.within(Context(known))
        second = bolder_test(ci, self.second_power_rule)
        rules: dict[str, float | None] = {
            "power_rule": float(self.power_rule),
            "second_power_rule": self.second_power_rule and float(self.second_power_rule),
        }
        score = local_score(data, self.score, self.equivalent_sample_size)
        deciding = {
            "learner": self._learner,
            "test": self.test,
            "alpha": ci.alpha,
            **rules,
            **constraint_settings(known, data),
            **search_limit_settings(limits),
        }
        with opened_checkpoint(self.checkpoint, data, deciding) as store:
            result = h2pc(
                ci,
                score,
                data.names,
                learner=self._learner,
                search=partial(tabu_search, **searching),
                targets=chosen_targets(self.targets, data),
                symmetry=symmetry_rule(self.symmetry),
                second=second,
                constraints=known,
                n_jobs=number_of_jobs(self.n_jobs),
                progress=progress_choice(self.progress),
                watch=watch,
                checkpoint=store,
            )
        warn_of_limits(result, watch, resumable=self.checkpoint is not None, stacklevel=3)
        settings: dict[str, Any] = {
            "algorithm": type(self).__name__,
            **result.settings,
            "test": name_of(self.test),
            **rules,
            "score": name_of(self.score),
            "equivalent_sample_size": float(self.equivalent_sample_size),
            "max_parents": searching["max_parents"],
            "patience": searching["patience"],
            "tabu_size": searching["list_size"],
            "restarts": searching["restarts"],
            **constraint_settings(known, data),
            **search_limit_settings(limits),
            **run_limit_settings(limits, result.complete),
        }
        seed = None if searching["restarts"] == 0 else searching["random_state"]
        return replace(result, settings=settings, seed=seed)


class H2PC(HybridLearner):
    """Learn a Bayesian network with H2PC: HPC finds who is linked, a tabu search the directions.

    The order of the columns and of the rows, the names of the levels, ``n_jobs`` and the backend
    of joblib do not change the result.

    Parameters
    ----------
    alpha : float
        The level of the test: independence means p > alpha.
    test : {"g2", "chi2"} or callable
        The independence test; a callable is called as ``test(data, alpha, power_rule=power_rule)``
        with a Dataset and returns a :class:`CITest`.
    power_rule : float
        Fewest samples per cell for a test to be performed; 0 performs every test.
    symmetry : {"and", "or"}
        Whether an edge of the skeleton needs both ends to find each other, or one of them.
    second_power_rule : float, optional
        Where one of two variables finds the other but not the other way round, the other may just
        have had too few samples for its tests. Under the "and" rule it is learned again with this
        power rule, and the edge is there if it then finds the first. None learns nothing again, as
        in the paper; so does a rule that is no smaller than ``power_rule``, and learning around
        targets.
    score : {"bdeu", "bic", "aic", "loglik", "k2", "bds"} or callable
        What the search maximises; a callable is called with a Dataset and returns a
        :class:`LocalScore`.
    equivalent_sample_size : float
        The weight of the prior of BDeu and BDs.
    targets : iterable of str, optional
        Variables to learn the local graph around, as far as their Markov boundaries may reach; by
        default the whole network is learned.
    max_parents : int, optional
        The most parents that a variable may have.
    patience : int
        Moves without a new best score after which the search ends.
    tabu_size : int
        The number of last structures that the search does not go back to.
    restarts : int, optional
        How often to search again, from the best graph so far after some random moves: a search that
        stops in a local maximum has many wrong directions. By default 20 times, less often in
        skeletons of more than a hundred edges; the paper does not, which is 0.
    required : iterable of (parent, child)
        Names of edges that are there for sure.
    forbidden : iterable of (parent, child)
        Names of edges that cannot be. The pair may still be linked the other way round.
    tiers : iterable of groups of names
        Groups in the order of time: no edge leads from a later one to an earlier one.
    random_state : int, random generator or None
        The seed of the restarts; None takes another one each time.
    n_jobs : int, optional
        The number of workers, as joblib counts them: by default one, -1 for all processors.
    progress : bool, optional
        Whether there is a progress bar; by default where the standard error stream is a terminal.
    checkpoint : path, optional
        A folder where finished neighbourhoods are kept. A run that was interrupted goes on from
        there; other data, and settings that give other neighbourhoods, are refused. Functions among
        the settings go by their names: what they do must stay the same.
    max_seconds : float, optional
        The longest time that it may take. What is known by then is the result, which is marked as
        incomplete; a warning says so.
    max_memory : int, optional
        The most bytes that the process may hold; as of ``max_seconds``. Other processes that joblib
        may start hold as much each.
    max_conditioning : int, optional
        The largest conditioning set of a search for what separates two variables; the paper has no
        limit. A warning says how many searches were cut short.
    max_subset_tests : int, optional
        The most subsets that such a search tries; the paper has no limit.

    Attributes
    ----------
    edges_ : list of (str, str)
        Names of parents and children.
    skeleton_edges_ : list of (str, str)
        Names of the pairs that HPC linked.
    markov_boundaries_ : dict of str to list of str
        The Markov boundary of every variable, or of every target.
    dag_, cpdag_ : Dag, Cpdag
        The graph, and its equivalence class; around targets, of the variables nearby.
    score_ : float
        The score of the graph.
    n_tests_ : int
        The number of independence tests asked for.
    result_ : LearnResult
        All this, the time it took and the settings behind it.
    n_features_in_, feature_names_in_ : int, array of str
        The number of variables, and their names in the order of the columns.

    References
    ----------
    M. Gasse, A. Aussem, H. Elghazel (2014), A hybrid algorithm for Bayesian network structure
    learning with application to multi-label learning, Expert Systems with Applications 41.

    Examples
    --------
    >>> from h2pc import H2PC, load_network
    >>> data = load_network("asia").sample(5000, random_state=2)
    >>> learner = H2PC().fit(data)
    >>> learner.edges_[:3]
    [('bronc', 'dysp'), ('either', 'dysp'), ('either', 'xray')]
    >>> H2PC(targets=["lung"]).fit(data).markov_boundaries_
    {'lung': ['either', 'smoke', 'tub']}
    """

    @property
    def _learner(self) -> Learner:
        return hpc


class MMHC(HybridLearner):
    """Learn a Bayesian network with MMHC: as :class:`H2PC`, whose parameters it has, with MMPC.

    References
    ----------
    I. Tsamardinos, L. Brown, C. Aliferis (2006), The max-min hill-climbing Bayesian network
    structure learning algorithm, Machine Learning 65.

    Examples
    --------
    >>> from h2pc import MMHC, load_network
    >>> MMHC().fit(load_network("asia").sample(5000, random_state=2)).n_features_in_
    8
    """

    @property
    def _learner(self) -> Learner:
        return mmpc
