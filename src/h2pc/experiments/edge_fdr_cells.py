"""One cell of the experiment on false edges: a sample of a known network, and what is claimed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from h2pc.algorithms.edge_tests import EdgeFamily, FdrMethod, Pair, PairTest
from h2pc.algorithms.skeletons import SkeletonResult
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.experiments.paper_learners import derived_seed
from h2pc.independence.table_tests import GTest
from h2pc.learners.bootstrap import edge_strengths
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.learners.hybrid import H2PC
from h2pc.learners.skeleton_learning import skeleton
from h2pc.networks import BayesianNetwork, load_network
from h2pc.networks.random_discrete import make_bayesian_network
from h2pc.runs import CellResult
from h2pc.runs.cells import Record

LEVELS = (0.01, 0.05, 0.1, 0.2)
"""Nominal false discovery rates."""
METHODS: tuple[FdrMethod, ...] = ("by", "bh")
ALPHA = 0.05
RANDOM = "random"
BOUNDS = (1.0, 5.0)
"""Expected numbers of false edges that stability selection is to keep."""
ASSUMPTIONS = ("none", "unimodal")
N_REPLICATES = 50
KINDS = ("too_few_samples", "not_tried", "near_deterministic")
"""Why an edge is false; a false edge may be of several kinds, or of none."""

# A variable is nearly determined by its parents where, in half of the rows of its table, one state
# has this probability, and not the same in all of them: then it would be rare, not determined.
_NEARLY_CERTAIN, _SHARE_OF_ROWS = 0.99, 0.5


class FdrCell(NamedTuple):
    """A sample of a network."""

    network: str
    """A name of the library, or ``random-VARIABLES-DEGREE``."""
    n_samples: int
    repetition: int


def truth_of(cell: FdrCell, seed: int) -> BayesianNetwork:
    """Return the network of a cell; every repetition has a random network of its own."""
    kind, *sizes = cell.network.split("-")
    if kind != RANDOM:
        return load_network(cell.network)
    n_variables, degree = map(int, sizes)
    number = derived_seed(seed, cell.network, cell.repetition, "network")
    return make_bayesian_network(n_variables, average_degree=degree, random_state=number)


def sample_of(cell: FdrCell, truth: BayesianNetwork, seed: int) -> Dataset:
    """Return the sample of a cell."""
    number = derived_seed(seed, cell.network, cell.n_samples, cell.repetition, "sample")
    return truth.sample(cell.n_samples, random_state=number)


def false_discoveries(cell: FdrCell, seed: int) -> CellResult:
    """Return how many edges are claimed and how many of them are false, in every way of claiming.

    One skeleton by the OR rule has that of the AND rule inside, with the same tests.
    """
    truth = truth_of(cell, seed)
    data = sample_of(cell, truth, seed)
    edges = _edges_of(truth, data)
    found: Record = {"true_edges": len(edges)}
    seconds = {}
    for learner in ("hpc", "mmpc"):
        learned = skeleton(data, learner, symmetry="or", alpha=ALPHA, progress=False)
        seconds[learner] = learned.seconds
        found[learner] = {rule: _counts(family, edges) for rule, family in _rules(learned).items()}
        if learner == "hpc":
            found["why"] = _why(_kept(_rules(learned)["and"], "by", ALPHA) - edges, truth, data)
    return CellResult(found, seconds)


def stable_edges(cell: FdrCell, seed: int) -> CellResult:
    """Return how many edges stability selection claims, and how many of them are false."""
    truth = truth_of(cell, seed)
    data = sample_of(cell, truth, seed)
    edges = _edges_of(truth, data)
    strengths = edge_strengths(
        data,
        H2PC(),
        n_replicates=N_REPLICATES,
        resampling="subsample",
        random_state=derived_seed(seed, *cell, "halves"),
        progress=False,
    )
    found: Record = {"true_edges": len(edges)}
    for assumption in ASSUMPTIONS:
        found[assumption] = [_stable(strengths, bound, assumption, edges) for bound in BOUNDS]
    return CellResult(found, {})


def near_deterministic(network: BayesianNetwork) -> frozenset[str]:
    """Return the variables that their parents nearly determine.

    Examples
    --------
    >>> sorted(near_deterministic(load_network("asia")))
    ['either']
    """
    found = set()
    for v, name in enumerate(network.names):
        rows = np.asarray(network.tables[v]).reshape(-1, network.cards[v])
        is_certain = rows.max(axis=1) >= _NEARLY_CERTAIN
        states = np.unique(rows[is_certain].argmax(axis=1))
        if is_certain.mean() >= _SHARE_OF_ROWS and len(states) > 1:
            found.add(name)
    return frozenset(found)


def _edges_of(truth: BayesianNetwork, data: Dataset) -> frozenset[Pair]:
    """Return the true edges as pairs of variables of the data."""
    number = {name: v for v, name in enumerate(data.names)}
    pairs = ((number[u], number[v]) for u, v in truth.dag.named_edges)
    return frozenset((min(pair), max(pair)) for pair in pairs)


def _rules(learned: SkeletonResult) -> dict[str, EdgeFamily]:
    """Return the edges of both symmetry rules with their tests."""
    (family,) = learned.edge_tests.families
    found = learned.found
    both = tuple(t for t in family.tests if t.y in found[t.x].pc and t.x in found[t.y].pc)
    return {"and": EdgeFamily(both, family.n_pairs), "or": family}


def _counts(family: EdgeFamily, edges: frozenset[Pair]) -> Record:
    """Return the numbers of claimed and of false edges: without control, and at all levels.

    Besides, those of the edges that have no q-value, since some variable was not tested.
    """
    untested = (test for test in family.tests if test.untested is not None)
    counts: Record = {
        "alpha": _claims(_pairs(family.tests), edges),
        "untested": _claims(_pairs(untested), edges),
    }
    for method in METHODS:
        counts[method] = [_claims(_kept(family, method, level), edges) for level in LEVELS]
    return counts


def _pairs(tests: Iterable[PairTest]) -> frozenset[Pair]:
    return frozenset((test.x, test.y) for test in tests)


def _kept(family: EdgeFamily, method: FdrMethod, level: float) -> frozenset[Pair]:
    limit = math.log(level)
    return frozenset(pair for pair, log_q in family.log_q(method).items() if log_q <= limit)


def _claims(claimed: frozenset[Pair], edges: frozenset[Pair]) -> list[int]:
    return [len(claimed), len(claimed - edges)]


def _why(false: frozenset[Pair], truth: BayesianNetwork, data: Dataset) -> Record:
    """Return how many false edges there are of each kind.

    A variable is independent of its non-descendants given its parents. For a false edge, the test
    given these parents was not performed for lack of samples, or it would have separated the two
    but was not tried, or it was performed and found them dependent. Near-deterministic ones have an
    end, or a parent among these, that its own parents nearly determine.
    """
    ci, certain, dag = GTest(data, alpha=ALPHA), near_deterministic(truth), truth.dag
    counts = Counter({"false": len(false)})
    for x, y in false:
        u, v = data.names[x], data.names[y]
        later = u if v not in dag.descendants(u) else v
        parents = dag.parents(later)
        z = data.variables(parents)
        if not ci.performs(x, y, z):
            counts["too_few_samples"] += 1
        elif ci.independent(ci.log_p(x, y, z)):
            counts["not_tried"] += 1
        counts["near_deterministic"] += bool(certain & {u, v, *parents})
    return {kind: counts[kind] for kind in ("false", *KINDS)}


def _stable(
    strengths: EdgeStrengths, bound: float, assumption: str, edges: frozenset[Pair]
) -> list[float] | None:
    """Return the bound, the threshold and the numbers of edges; None where none is low enough."""
    try:
        threshold = strengths.threshold_for(bound, assumption=assumption)  # type: ignore[arg-type]
    except SettingError:
        return None
    least = strengths.expected_false_edges(threshold, assumption=assumption)  # type: ignore[arg-type]
    return [least, threshold, *_claims(frozenset(strengths.skeleton(threshold).edges), edges)]
