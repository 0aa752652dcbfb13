"""Variants of learning a graph around labels: each changes one thing, or says that it changes more.

``VARIANTS`` is the table. The first, "paper", is what the second experiment of the paper learns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from h2pc.algorithms.h2pc import Search, hybrid_dag
from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.learn_result import LearnResult
from h2pc.algorithms.mmpc import mmpc
from h2pc.algorithms.neighbourhoods import Learner
from h2pc.algorithms.search import SearchResult
from h2pc.algorithms.skeletons import Symmetry
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.experiments.fold_predictions import NumberedData
from h2pc.experiments.label_graph_learners import (
    BacktrackingMmpc,
    HpcVariant,
    UnderflowingTest,
    by_inter_iamb,
    forward_mmpc,
    weakest_first_mmpc,
)
from h2pc.experiments.published import ALGORITHMS, Algorithm
from h2pc.graphs import Skeleton
from h2pc.independence.base import CITest
from h2pc.independence.table_tests import ChiSquareTest, GTest
from h2pc.runs.limits import Limits, Watch
from h2pc.scores.base import LocalScore
from h2pc.scores.named import local_score
from h2pc.variables import Vars

BASE = "paper"
"""The variant that changes nothing."""

SEARCH = partial(tabu_search, patience=15, list_size=100)
"""The search of the paper."""

Matrix = NDArray[np.float64]
Cut = Callable[[Matrix], Any]
"""From the continuous columns to whether each value is high."""


def _learner(learner: Learner) -> Callable[[], Learner]:
    """Return what makes a learner that keeps nothing."""
    return lambda: learner


@dataclass(frozen=True)
class Variant:
    """A way to learn the graph around labels."""

    sentence: str
    """What it changes."""
    algorithms: tuple[Algorithm, ...] = ALGORITHMS
    """The algorithms that it changes."""
    cut: Cut | None = None
    """How continuous features become binary; None is the median of the training fold."""
    change: Callable[[NumberedData], NumberedData] = field(default=lambda train: train)
    """What happens to the training fold before."""
    whole: bool = False
    """Whether all samples are learned from, those of the fold to predict included."""
    constants_have_two_levels: bool = False
    """Whether features that are constant in the fold have two levels, one of them unobserved."""
    test: Callable[[Dataset], CITest] = GTest
    learners: Mapping[str, Callable[[], Learner]] = field(
        default_factory=lambda: {"h2pc": _learner(hpc), "mmhc": _learner(mmpc)}
    )
    symmetry: Symmetry = Symmetry.AND
    max_conditioning: int | None = None
    region: Literal["near", "labels", "whole"] = "near"
    """Edges that the search sees: those of labels and their neighbours, of labels alone, or all."""
    scoring: str = "bdeu"
    equivalent_sample_size: float = 10.0
    search: Search = SEARCH


def learned_graph(variant: Variant, algorithm: str, train: NumberedData) -> LearnResult:
    """Return what a variant of an algorithm learns around the labels of data changed for it."""
    data = discrete_data(variant, train)
    targets = data.variables(train.targets)
    search = variant.search
    if variant.region == "labels":
        search = partial(_among_edges_of, targets, search)
    return hybrid_dag(
        variant.test(data),
        local_score(data, variant.scoring, variant.equivalent_sample_size),
        data.names,
        learner=variant.learners[algorithm](),
        search=search,
        targets=None if variant.region == "whole" else targets,
        symmetry=variant.symmetry,
        progress=False,
        watch=Watch(Limits(max_conditioning=variant.max_conditioning), data.names),
    )


def _among_edges_of(
    targets: Vars, search: Search, score: LocalScore, pairs: Skeleton, **rest: Any
) -> SearchResult:
    """Return what a search finds that may only join pairs with a target."""
    own = frozenset(targets)
    kept = [edge for edge in pairs.edges if not own.isdisjoint(edge)]
    return search(score, Skeleton(pairs.names, kept), **rest)


def discrete_data(variant: Variant, train: NumberedData) -> Dataset:
    """Return the data that a variant learns from."""
    data = train.discrete()
    if variant.cut is not None:
        continuous = [j for j, x in enumerate(train.X.T) if np.unique(x).size > 2]
        X = train.X.copy()
        X[:, continuous] = variant.cut(X[:, continuous])
        data = replace(train, X=X).discrete()
    if variant.constants_have_two_levels:
        states = [own if len(own) > 1 else (0, 1) for own in data.states]
        ones = np.array([own == (1,) for own in data.states])
        codes = np.where(ones[:, np.newaxis], 1, data.codes)
        data = Dataset.from_codes(codes, names=data.names, states=states)
    return data


def _above_mean(X: Matrix) -> Any:
    return np.greater(X, X.mean(axis=0))


def _middle(X: Matrix) -> Any:
    return np.greater(X, (X.min(axis=0) + X.max(axis=0)) / 2.0)


def _from_median(X: Matrix) -> Any:
    return np.greater_equal(X, np.median(X, axis=0))


def _none(pcs: Vars) -> Vars:  # noqa: ARG001
    return ()


def _positive(X: Matrix) -> Any:
    return np.greater(X, 0.0)


def _labels_first(train: NumberedData) -> NumberedData:
    """Return the data with names that put the labels before the features."""
    names = tuple(f"A{target}" for target in train.targets)
    return replace(train, targets=names)


def _without_rare(least: int, train: NumberedData) -> NumberedData:
    """Return the data without binary features with fewer samples of the rarer value."""
    kept = []
    for j, x in enumerate(train.X.T):
        values, counts = np.unique(x, return_counts=True)
        if values.size > 2 or (values.size == 2 and counts.min() >= least):
            kept.append(j)
    features = tuple(train.features[j] for j in kept)
    return replace(train, X=np.asfortranarray(train.X[:, kept]), features=features)


def _hpc(sentence: str, learner: HpcVariant, **rest: Any) -> Variant:
    """Return a variant of HPC."""
    return Variant(sentence, ("h2pc",), learners={"h2pc": _learner(learner)}, **rest)


def _mmpc(sentence: str, make: Callable[[], Learner], **rest: Any) -> Variant:
    """Return a variant of MMPC."""
    return Variant(sentence, ("mmhc",), learners={"mmhc": make}, **rest)


_unadjusted = partial(GTest, adjust_df=False)
_plain = partial(GTest, adjust_df=False, power_rule=0.0)

VARIANTS: dict[str, Variant] = {
    BASE: Variant("nothing"),
    # The data
    "cut-from-median": Variant("values equal to the median are high, not low", cut=_from_median),
    "cut-mean": Variant("continuous features are cut at the mean", cut=_above_mean),
    "cut-middle": Variant("continuous features are cut in the middle of their range", cut=_middle),
    "cut-zero": Variant("continuous features are cut at zero", cut=_positive),
    "all-samples": Variant("all samples are learned from, not a training fold", whole=True),
    "two-levels": Variant(
        "features that are constant in the fold have two levels", constants_have_two_levels=True
    ),
    "no-rare-10": Variant(
        "binary features with fewer than 10 samples of the rarer value are left out",
        change=partial(_without_rare, 10),
    ),
    "no-rare-50": Variant(
        "binary features with fewer than 50 samples of the rarer value are left out",
        change=partial(_without_rare, 50),
    ),
    "labels-first": Variant("ties by name put labels before features", change=_labels_first),
    # The test
    "df-full": Variant("degrees of freedom are not adjusted", test=_unadjusted),
    "power-10": Variant("10 samples for every cell", test=partial(GTest, power_rule=10.0)),
    "power-df": Variant(
        "5 samples for every degree of freedom of a binary table, not for every cell",
        test=partial(GTest, power_rule=1.25),
    ),
    "power-0": Variant("no power rule", test=partial(GTest, power_rule=0.0)),
    "chi2": Variant("Pearson's statistic instead of G²", test=ChiSquareTest),
    "alpha-0.01": Variant("alpha = 0.01", test=partial(GTest, alpha=0.01)),
    "alpha-0.1": Variant("alpha = 0.1", test=partial(GTest, alpha=0.1)),
    "underflow": Variant("p-values below 5e-324 are equal", test=UnderflowingTest),
    # The skeleton
    "or": Variant("one end has to find the other, not both", symmetry=Symmetry.OR),
    "conditions-1": Variant("searches for separators have at most 1 condition", max_conditioning=1),
    "conditions-3": Variant("the same, at most 3 conditions", max_conditioning=3),
    "hpc-no-check": _hpc("HPC without lines 4 to 6", HpcVariant(checks=False)),
    "hpc-start": _hpc(
        "line 5 of HPC starts from the two strongest members of PCS, as in a published version",
        HpcVariant(starts_checks=True),
    ),
    "hpc-empty-start": _hpc(
        "the boundary of the target starts from the empty set", HpcVariant(start=_none)
    ),
    "hpc-no-spouses": _hpc("HPC without line 2: no spouses", HpcVariant(spouses=False)),
    "hpc-inter-iamb": _hpc(
        "boundaries by Inter-IAMB: false discoveries are not controlled",
        HpcVariant(boundary=by_inter_iamb),
    ),
    "mmpc-forward": _mmpc("MMPC without its backward phase", _learner(forward_mmpc)),
    "mmpc-weakest-first": _mmpc(
        "the backward phase of MMPC begins with the candidate that entered last",
        _learner(weakest_first_mmpc),
    ),
    "mmpc-backtracking": _mmpc("MMPC believes what earlier targets have found", BacktrackingMmpc),
    # The search
    "region-labels": Variant("the search sees the edges of labels alone", region="labels"),
    "region-whole": Variant("the whole network is learned", region="whole"),
    "patience-100": Variant(
        "the search ends after 100 moves without a better score",
        search=partial(SEARCH, patience=100),
    ),
    "hill-climbing": Variant("hill climbing instead of tabu search", search=hill_climbing),
    "sample-size-1": Variant("equivalent sample size 1", equivalent_sample_size=1.0),
    "bic": Variant("BIC instead of BDeu", scoring="bic"),
    "parents-3": Variant("at most 3 parents", search=partial(SEARCH, max_parents=3)),
    # Two changes together
    "df-full+power-0": Variant("neither adjusted degrees of freedom nor a power rule", test=_plain),
    "df-full+alpha-0.1": Variant(
        "degrees of freedom are not adjusted, alpha = 0.1",
        test=partial(_unadjusted, alpha=0.1),
    ),
    "df-full+region-labels": Variant(
        "degrees of freedom are not adjusted, the search sees the edges of labels alone",
        test=_unadjusted,
        region="labels",
    ),
    "df-full+or": Variant(
        "degrees of freedom are not adjusted, one end has to find the other",
        test=_unadjusted,
        symmetry=Symmetry.OR,
    ),
    "df-full+hpc-inter-iamb": _hpc(
        "degrees of freedom are not adjusted, boundaries by Inter-IAMB",
        HpcVariant(boundary=by_inter_iamb),
        test=_unadjusted,
    ),
    "df-full+hpc-no-spouses": _hpc(
        "degrees of freedom are not adjusted, no spouses",
        HpcVariant(spouses=False),
        test=_unadjusted,
    ),
    "df-full+mmpc-forward": _mmpc(
        "degrees of freedom are not adjusted, no backward phase",
        _learner(forward_mmpc),
        test=_unadjusted,
    ),
    "df-full+mmpc-backtracking": _mmpc(
        "degrees of freedom are not adjusted, MMPC believes what earlier targets have found",
        BacktrackingMmpc,
        test=_unadjusted,
    ),
}
"""The variants, by name."""
