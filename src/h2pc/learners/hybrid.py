"""H2PC and MMHC: from a table of data to a network."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

from h2pc.algorithms.edge_tests import FdrMethod
from h2pc.algorithms.h2pc import hybrid_dag, search_problem
from h2pc.algorithms.skeletons import Symmetry
from h2pc.data import Dataset
from h2pc.independence.named import CITestFactory, TestName
from h2pc.learners.data_warnings import warn_of_copies, warn_of_untestable
from h2pc.learners.pair_tests import PairTests
from h2pc.learners.parameters import default_params
from h2pc.learners.search_problem import SearchProblem
from h2pc.learners.structure_learner import StructureLearner
from h2pc.learners.validation import (
    LEARNERS,
    NamedEdge,
    constrained_test,
    edge_constraints,
    false_discovery_control,
    inside_if_controlled,
    opened_checkpoint,
    started_watch,
    warn_of_limits,
    with_choices,
    with_variant,
)
from h2pc.learners.variants import (
    SCORES_OF_COUNTS,
    distinct_data,
    prior_of,
    search_of,
    targets_of,
)
from h2pc.runs.limits import Limits
from h2pc.scores.named import ScoreFactory, ScoreName, local_score
from h2pc.variables import without


class HybridLearner(StructureLearner):
    """A skeleton by a local learner, then a search inside it, or with it as a prior."""

    _local_learner: ClassVar[Literal["hpc", "mmpc"]]

    def __init__(
        self,
        alpha: float = 0.05,
        *,
        test: TestName | CITestFactory = "auto",
        power_rule: float = 5.0,
        symmetry: Literal["and", "or"] = "and",
        fdr: float | None = None,
        fdr_method: FdrMethod = "by",
        variant: Literal["accurate", "paper"] = "accurate",
        one_sided_penalty: float = 1.5,
        outside_penalty: float | Literal["auto"] | None = "auto",
        scoring: ScoreName | ScoreFactory = "auto",
        equivalent_sample_size: float = 10.0,
        targets: Iterable[str] | None = None,
        max_parents: int | None = None,
        patience: int = 15,
        tabu_size: int = 100,
        required: Iterable[NamedEdge] = (),
        forbidden: Iterable[NamedEdge] = (),
        tiers: Iterable[Iterable[str]] = (),
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
        self.fdr = fdr
        self.fdr_method = fdr_method
        self.variant = variant
        self.one_sided_penalty = one_sided_penalty
        self.outside_penalty = outside_penalty
        self.scoring = scoring
        self.equivalent_sample_size = equivalent_sample_size
        self.targets = targets
        self.max_parents = max_parents
        self.patience = patience
        self.tabu_size = tabu_size
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
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
        checked = self._checked_params()
        params = with_choices(checked, data, SCORES_OF_COUNTS[checked["variant"]])
        limits = Limits(
            self.max_seconds, self.max_memory, params["max_conditioning"], self.max_subset_tests
        )
        watch = started_watch(limits, data)
        distinct = distinct_data(data, params)
        ci = constrained_test(distinct.data, params, limits)
        if self._warns_of_data:
            warn_of_untestable(ci)
            warn_of_copies(data, distinct.copies)
        learner = LEARNERS[self._local_learner]
        deciding = {"learner": learner, **params}
        if distinct.copies:
            deciding["copies"] = {data.names[v]: data.names[u] for v, u in distinct.copies.items()}
        with opened_checkpoint(self.checkpoint, distinct.data, deciding) as store:
            result = hybrid_dag(
                ci,
                local_score(distinct.data, params["scoring"], params["equivalent_sample_size"]),
                data.names,
                learner=learner,
                search=search_of(params),
                prior=prior_of(params, distinct.data),
                targets=targets_of(params, data),
                copies=distinct.copies,
                symmetry=Symmetry(params["symmetry"]),
                control=false_discovery_control(params),
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
        self._keep(X, data, result, params)
        self.copies_ = dict(result.copies)
        return self

    @cached_property
    def pair_tests_(self) -> PairTests:
        """The test of every pair: of edges, and of pairs that something separates."""
        self._training_data()  # refuses a learner that is not fitted
        found = self.result_.skeleton_result
        assert found is not None  # a fitted learner has it
        method = self._fitted_params["fdr_method"]
        return PairTests(found, self._test(), method, self.result_.copies)

    @property
    def edge_p_values_(self) -> dict[tuple[str, str], float | None]:
        """P-values of the edges of the skeleton, by pair of names."""
        return {(pair.first, pair.second): pair.p_value for pair in self.pair_tests_.edges()}

    @property
    def edge_q_values_(self) -> dict[tuple[str, str], float | None]:
        """The same, adjusted for the number of pairs by ``fdr_method``."""
        return {(pair.first, pair.second): pair.q_value for pair in self.pair_tests_.edges()}

    def _pair_tests(self) -> PairTests:
        return self.pair_tests_

    def _learned_data(self, data: Dataset, params: Mapping[str, Any]) -> Dataset:
        return distinct_data(data, params).data

    def _search_problem(self, data: Dataset, params: Mapping[str, Any]) -> SearchProblem:
        found, distinct = self.result_.skeleton_result, distinct_data(data, params)
        assert found is not None  # a fitted learner has it
        targets = targets_of(params, data)
        problem = search_problem(
            local_score(distinct.data, params["scoring"], params["equivalent_sample_size"]),
            found,
            edge_constraints(data, params["required"], params["forbidden"], params["tiers"]),
            universe=without(range(data.n_variables), *distinct.copies),
            targets=targets and tuple(dict.fromkeys(distinct.copies.get(v, v) for v in targets)),
            prior=prior_of(params, distinct.data),
        )
        return SearchProblem(
            data.names, problem.score, problem.pairs, problem.constraints, params["max_parents"]
        )

    def _checked_params(self) -> dict[str, Any]:
        defaults = default_params(type(self))
        return inside_if_controlled(with_variant(super()._checked_params(), defaults), defaults)


class H2PC(HybridLearner):
    """Learn a Bayesian network with H2PC: HPC finds the links, a search their directions.

    By default the links are a prior of the search and not a limit: an edge that HPC has not found
    has to gain more. The search goes from class to class of equivalent graphs. ``variant="paper"``
    is the algorithm of the paper, whose tabu search stays inside the skeleton.

    Nothing is random. The order of the columns and of the rows, the names of the levels, ``n_jobs``
    and the backend of joblib do not change the result.

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
    fdr : float, default=None
        The largest q-value of an edge of the skeleton, which bounds the expected share of false
        edges in it; by default all edges are kept. The search then stays inside the skeleton, and
        there are no penalties. Edges without a q-value are left out, but for required ones. See
        :attr:`edge_q_values_`.
    fdr_method : {"by", "bh"}, default="by"
        How p-values are adjusted for the number of pairs: by Benjamini and Yekutieli (2001), valid
        however the tests depend on each other, or by Benjamini and Hochberg (1995).
    variant : {"accurate", "paper"}, default="accurate"
        The algorithm. "accurate" has a price for edges outside the skeleton and a greedy search
        among equivalence classes, as :class:`GES`; it makes no use of levels that no sample has,
        and joins copies of a variable to that variable alone. "paper" has none of these: a single
        tabu search from the empty graph, inside the skeleton. It is an error to set a parameter of
        the other variant.
    one_sided_penalty : float, default=1.5
        What an edge must gain beyond others if only one of its ends found the other: so many times
        ln p nats, where p is the number of variables. Of "accurate" only.
    outside_penalty : float or None, default="auto"
        The same if neither found the other. Such an edge is considered where it gains more than
        that by itself, as the only one; with None it never is. "auto" is 3, and None where cells
        are missing or there are more than ten targets. Of "accurate" only.
    scoring : str or callable, default="auto"
        The score that the search maximises: "bdeu", "bds", "k2", "qnml" and "fnml" for discrete
        variables, "bge" for continuous ones, "bic", "aic" and "loglik" for any. "auto" takes "bds"
        for discrete variables, "bdeu" if ``variant`` is "paper", and "bic" otherwise. A callable
        is called with a Dataset and returns a :class:`LocalScore`.
    equivalent_sample_size : float, default=10.0
        The weight of the prior of BDeu and BDs, and of the tables of ``network_``.
    targets : iterable of str, default=None
        Variables to learn the local graph around, as far as their Markov boundaries may reach; by
        default the whole network is learned.
    max_parents : int, default=None
        The largest number of parents of a variable; by default there is no limit.
    patience : int, default=15
        The number of successive moves without a new best score after which the tabu search ends. Of
        "paper" only.
    tabu_size : int, default=100
        The number of last structures that the tabu search does not visit again. Of "paper" only.
    required : iterable of (parent, child), default=()
        Names of edges that must be in the graph.
    forbidden : iterable of (parent, child), default=()
        Names of edges that must not be in the graph. Its opposite may still be.
    tiers : iterable of groups of names, default=()
        Groups in the order of time: no edge leads from a later one to an earlier one.
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
        Names of the pairs that HPC linked. Edges of the graph may be others, unless ``variant`` is
        "paper".
    copies_ : dict of str to str
        Variables that say the same as another one, level for level, with that one. They are joined
        to it and to nothing else, since data cannot tell which of them others depend on.
    edge_p_values_, edge_q_values_ : dict of (str, str) to float
        For every edge that HPC found, also one that ``fdr`` has taken out: the largest p-value
        among the tests that tried to separate its ends, and that value adjusted for the number of
        pairs by ``fdr_method``. None for required edges; no q-value, either, where a third
        variable might explain the edge and the samples are too few to test it: ``untested`` in
        :attr:`pair_tests_`.
    pair_tests_ : PairTests
        The same for all pairs, with conditioning sets; pairs that are not joined have the test that
        separated them.
    edge_table_ : EdgeTable
        The edges of the graph in order, the most certain first; a table for a paper.
    markov_boundaries_ : dict of str to list of str
        The Markov boundary of every variable, or of every target.
    dag_, cpdag_ : Dag, Cpdag
        The graph, and its equivalence class; around targets, of the variables nearby.
    score_ : float
        The score of the graph, without prices.
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
    [('asia', 'tub'), ('bronc', 'dysp'), ('bronc', 'smoke')]
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
