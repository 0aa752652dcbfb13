"""H2PC and MMHC: from a table of data to a network."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, ClassVar, Literal, Self

from h2pc.algorithms.h2pc import hybrid_dag, inside
from h2pc.algorithms.skeletons import Symmetry
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.graphs import Skeleton
from h2pc.independence.named import CITestFactory, TestName
from h2pc.learners.search_problem import SearchProblem
from h2pc.learners.structure_learner import StructureLearner
from h2pc.learners.thin_data import warn_of_untestable
from h2pc.learners.validation import (
    LEARNERS,
    NamedEdge,
    constrained_test,
    edge_constraints,
    opened_checkpoint,
    started_watch,
    warn_of_limits,
    with_choices,
)
from h2pc.random_state import RandomState
from h2pc.runs.limits import Limits
from h2pc.scores.named import ScoreFactory, ScoreName, local_score


class HybridLearner(StructureLearner):
    """A skeleton by a local learner, then its directions by a search inside it."""

    _local_learner: ClassVar[Literal["hpc", "mmpc"]]

    def __init__(
        self,
        alpha: float = 0.05,
        *,
        test: TestName | CITestFactory = "auto",
        power_rule: float = 5.0,
        symmetry: Literal["and", "or"] = "and",
        second_power_rule: float | None = 1.0,
        scoring: ScoreName | ScoreFactory = "auto",
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
        max_conditioning: int | Literal["auto"] | None = "auto",
        max_subset_tests: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.test = test
        self.power_rule = power_rule
        self.symmetry = symmetry
        self.second_power_rule = second_power_rule
        self.scoring = scoring
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

    def fit(self, X: Any, y: object = None) -> Self:  # noqa: ARG002
        """Learn the network of the variables of ``X``.

        Parameters
        ----------
        X : Dataset, pandas, polars or pyarrow table, 2-d array, or dict of columns
            The sample, as :meth:`Dataset.from_data` takes it. Cells of a Dataset may be missing.
        y : None, default=None
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
        params = with_choices(self._checked_params(), data)
        limits = Limits(
            self.max_seconds, self.max_memory, params["max_conditioning"], self.max_subset_tests
        )
        watch = started_watch(limits, data)
        ci = constrained_test(data, params, limits)
        if self._warns_of_data:
            warn_of_untestable(ci)
        rule, targets = params["second_power_rule"], params["targets"]
        learner = LEARNERS[self._local_learner]
        with opened_checkpoint(self.checkpoint, data, {"learner": learner, **params}) as store:
            result = hybrid_dag(
                ci,
                local_score(data, params["scoring"], params["equivalent_sample_size"]),
                data.names,
                learner=learner,
                search=partial(
                    tabu_search,
                    max_parents=params["max_parents"],
                    patience=params["patience"],
                    list_size=params["tabu_size"],
                    restarts=params["restarts"],
                    random_state=params["random_state"],
                ),
                targets=None if targets is None else data.variables(targets),
                symmetry=Symmetry(params["symmetry"]),
                second=None if rule is None else ci.with_power_rule(rule),
                n_jobs=params["n_jobs"],
                progress=params["progress"],
                watch=watch,
                checkpoint=store,
            )
        warn_of_limits(
            result,
            watch,
            has_checkpoint=self.checkpoint is not None,
            stacklevel=2,
            may_cut=self.max_conditioning == "auto" and self.max_subset_tests is None,
        )
        return self._keep(X, data, result, params)

    def _search_problem(self, data: Dataset, params: Mapping[str, Any]) -> SearchProblem:
        pairs = self.result_.skeleton
        skeleton = Skeleton(data.names, () if pairs is None else pairs.named_edges)
        constraints = edge_constraints(
            data, params["required"], params["forbidden"], params["tiers"]
        )
        return SearchProblem(
            data.names,
            local_score(data, params["scoring"], params["equivalent_sample_size"]),
            skeleton,
            constraints if params["targets"] is None else inside(constraints, skeleton),
            params["max_parents"],
        )


class H2PC(HybridLearner):
    """Learn a Bayesian network with H2PC: HPC finds the links, a tabu search their directions.

    The order of the columns and of the rows, the names of the levels, ``n_jobs`` and the backend
    of joblib do not change the result.

    Parameters
    ----------
    alpha : float, default=0.05
        The level of the test: independence means p > alpha.
    test : str or callable, default="auto"
        The independence test: G² ("g2") or Pearson's chi-square ("chi2") for discrete variables,
        partial correlation ("gaussian") for continuous ones, the degenerate Gaussian test ("mixed")
        for any; "permutation", "semiparametric" and "shrinkage" for discrete variables and few
        samples. "auto" takes "g2", "gaussian" or "mixed", by the variables that there are. A
        callable is called as ``test(data, alpha, power_rule=power_rule)`` with a Dataset and
        returns a :class:`CITest`.
    power_rule : float, default=5.0
        Fewest samples per cell for a test of counts to be performed; 0 performs every test.
    symmetry : {"and", "or"}, default="and"
        Whether an edge of the skeleton needs both ends to find each other, or one of them.
    second_power_rule : float, default=1.0
        Where only one of two variables finds the other, the other one may have had too few samples
        for its tests. Under the "and" rule its neighbourhood is learned again with this power rule,
        and the edge is kept if it then finds the first. None learns nothing again, as in the paper;
        so does a rule that is no smaller than ``power_rule``, and learning around targets.
    scoring : str or callable, default="auto"
        The score that the search maximises: "bdeu", "bds", "k2", "qnml" and "fnml" for discrete
        variables, "bge" for continuous ones, "bic", "aic" and "loglik" for any. "auto" takes "bdeu"
        for discrete variables and "bic" otherwise. A callable is called with a Dataset and returns
        a :class:`LocalScore`.
    equivalent_sample_size : float, default=10.0
        The weight of the prior of BDeu and BDs, and of the tables of ``network_``.
    targets : iterable of str, default=None
        Variables to learn the local graph around, as far as their Markov boundaries may reach; by
        default the whole network is learned.
    max_parents : int, default=None
        The largest number of parents of a variable; by default there is no limit.
    patience : int, default=15
        The number of successive moves without a new best score after which the search ends.
    tabu_size : int, default=100
        The number of last structures that the search does not visit again.
    restarts : int, default=None
        The number of further searches, each from the best graph so far after some random moves: a
        search that stops in a local maximum has many wrong directions. By default 20, fewer in
        skeletons of more than a hundred edges; 0 is the search of the paper.
    required : iterable of (parent, child), default=()
        Names of edges that must be in the graph.
    forbidden : iterable of (parent, child), default=()
        Names of edges that must not be in the graph. Its opposite may still be.
    tiers : iterable of groups of names, default=()
        Groups in the order of time: no edge leads from a later one to an earlier one.
    random_state : int, random generator or None, default=0
        The seed of the restarts; None takes another one each time.
    n_jobs : int, default=None
        The number of workers, as joblib counts them: by default one, -1 for all processors. They
        are threads unless ``joblib.parallel_config`` chooses another backend.
    progress : bool, default=None
        Whether there is a progress bar; by default where the standard error stream is a terminal.
    checkpoint : path, default=None
        A folder where finished neighbourhoods are kept. A run that was interrupted goes on from
        there; other data, and settings that give other neighbourhoods, are refused. Functions among
        the settings go by their names: what they do must stay the same.
    max_seconds : float, default=None
        The longest time that learning may take. Then the result so far is returned, marked as
        incomplete, with a warning.
    max_memory : int, default=None
        The most bytes that the process may hold; then as for ``max_seconds``. Other processes that
        joblib may start hold as much each.
    max_conditioning : int or None, default="auto"
        The largest conditioning set of a search for what separates two variables; the paper has no
        limit, which is None. A warning gives the number of searches that were cut short. "auto" is
        5 for the tests "gaussian" and "mixed", which have no power rule, and no limit for others.
    max_subset_tests : int, default=None
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
        The number of independence tests.
    test_, scoring_ : str or callable
        The test and the score that were used: what "auto" stands for.
    result_ : LearnResult
        All this, the time it took and the settings behind it.
    network_ : BayesianNetwork or LinearGaussianNetwork
        The graph with its tables of probabilities, fitted with a prior of
        ``equivalent_sample_size``, or with the regressions of continuous variables; made when it
        is first used. Variables of both kinds have none.
    alternatives_ : list of Alternative
        Up to ten graphs whose score is at most 20 nats lower: where the data do not decide; made
        when it is first used. :meth:`find_alternatives` takes other numbers.
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

    _local_learner = "hpc"


class MMHC(HybridLearner):
    """Learn a Bayesian network with MMHC: as :class:`H2PC`, with MMPC instead of HPC.

    Parameters and attributes are those of :class:`H2PC`.

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

    _local_learner = "mmpc"
