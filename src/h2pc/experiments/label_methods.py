"""The multi-label methods that are compared: ours, and those that others would use."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier

from h2pc import (
    BinaryRelevance,
    ClassifierChain,
    CompactForestClassifier,
    Dag,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from h2pc.errors import SettingError
from h2pc.multilabel.base import MAX_SEED

EXPERIMENTS = "pip install --group experiments"
"""The command that installs what this comparison needs."""
CHAINS = 10
"""Number of chains of an ensemble."""


class MethodSettings(NamedTuple):
    """What a method is made of in one fold."""

    dag: Dag | None
    """The graph around the labels; None for methods that need none."""
    seed: int
    n_trees: int = 100
    n_jobs: int | None = 1

    @property
    def forest(self) -> CompactForestClassifier:
        """The base classifier of all methods of this package."""
        return CompactForestClassifier(self.n_trees, n_jobs=self.n_jobs)


class Method(NamedTuple):
    """A method: how it is made, and what is known of it."""

    title: str
    make: Callable[[MethodSettings], Any]
    """Returns an unfitted classifier."""
    cost: float
    """Seconds, about, where binary relevance takes one."""
    needs_graph: bool = False
    objectives: tuple[str, ...] = ()
    """Objectives that one fitted model predicts by, if its classifier has them."""
    largest: float = math.inf
    """The most expensive data set that it is run on unless it is asked for."""


class ChainEnsemble(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classifier chains in random orders, which vote.

    By ``objective="subset"`` the most frequent predicted label set wins, among equals the one of
    the highest probability by the means of the chains; by ``"hamming"`` every label by itself has
    the mean probability of the chains.
    """

    def __init__(
        self,
        base: Any = None,
        *,
        n_chains: int = CHAINS,
        objective: Literal["subset", "hamming"] = "subset",
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.n_chains = n_chains
        self.objective = objective
        self.random_state = random_state

    def fit(self, X: Any, Y: Any) -> Self:
        """Fit all chains."""
        seeds = np.random.RandomState(self.random_state).randint(MAX_SEED, size=self.n_chains)
        self.chains_ = [
            ClassifierChain(self.base, order="random", random_state=int(seed)).fit(X, Y)
            for seed in seeds
        ]
        return self

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the labels that the chains vote for."""
        # A chain goes on with the labels that it predicts, so that these are the probable ones.
        told = [chain.predict_proba(X) for chain in self.chains_]
        probabilities = np.stack([np.column_stack([p[:, 1] for p in each]) for each in told])
        means: NDArray[np.float64] = probabilities.mean(axis=0)
        if self.objective == "subset":
            return joint_vote(probabilities > 0.5, means)
        return (means > 0.5).astype(np.int64)


def joint_vote(votes: ArrayLike, means: ArrayLike) -> NDArray[np.int64]:
    """Return for each sample the label set with most votes, among equals the most probable one.

    Examples
    --------
    >>> votes = [[[1, 0]], [[0, 1]], [[1, 1]], [[0, 1]]]
    >>> joint_vote(votes, [[0.5, 0.75]]).tolist()
    [[0, 1]]
    """
    by_sample = np.asarray(votes, np.int64).swapaxes(0, 1)
    chance = np.clip(np.asarray(means, np.float64), 1e-9, 1 - 1e-9)
    found = np.empty(chance.shape, np.int64)
    for i, label_sets in enumerate(by_sample):
        sets, counts = np.unique(label_sets, axis=0, return_counts=True)
        most = sets[counts == counts.max()]
        likely = np.where(most == 1, np.log(chance[i]), np.log1p(-chance[i])).sum(axis=1)
        found[i] = most[likely.argmax()]
    return found


def _br(given: MethodSettings) -> Any:
    return BinaryRelevance(given.forest, random_state=given.seed)


def _lp(given: MethodSettings) -> Any:
    return LabelPowerset(given.forest, random_state=given.seed)


def _mlp(**settings: Any) -> Callable[[MethodSettings], Any]:
    """Return how minimal label powersets are made, on the graph of the fold."""

    def make(given: MethodSettings) -> Any:
        return MinimalLabelPowersetClassifier(
            given.forest, structure=given.dag, random_state=given.seed, **settings
        )

    return make


def _ecc(given: MethodSettings) -> Any:
    """Return chains with as many trees for each label, all together, as one forest has."""
    trees = max(1, given.n_trees // CHAINS)
    forest = CompactForestClassifier(trees, n_jobs=given.n_jobs)
    return ChainEnsemble(forest, random_state=given.seed)


def _rf(given: MethodSettings) -> Any:
    return RandomForestClassifier(given.n_trees, n_jobs=given.n_jobs, random_state=given.seed)


def _lightgbm(given: MethodSettings) -> Any:
    """Return minimal label powersets with boosted trees in place of forests."""
    try:
        from lightgbm import LGBMClassifier
    except ModuleNotFoundError:
        raise SettingError(
            f"The method lightgbm needs lightgbm, which is not installed ({EXPERIMENTS})."
        ) from None
    # Combinations are rare: a leaf may have few samples.
    base = LGBMClassifier(
        n_estimators=50, num_leaves=15, min_child_samples=5, n_jobs=given.n_jobs, verbose=-1
    )
    return MinimalLabelPowersetClassifier(
        base,
        structure=given.dag,
        feature_selection="markov_boundary",
        random_state=given.seed,
    )


_OBJECTIVES = ("subset", "f1", "hamming")

METHODS = {
    "br": Method("BR", _br, 1.0),
    "lp": Method("LP", _lp, 0.2),
    "mlp": Method("MLP", _mlp(), 0.2, needs_graph=True),
    "mlp+mb": Method("MLP+MB", _mlp(feature_selection="markov_boundary"), 0.1, needs_graph=True),
    "auto": Method(
        "auto", _mlp(feature_selection="auto"), 0.5, needs_graph=True, objectives=_OBJECTIVES
    ),
    "composition": Method("MLP, composition", _mlp(assumption="composition"), 0.25),
    "ecc": Method("chains", _ecc, 1.2, objectives=("subset", "hamming")),
    "rf": Method("multi-output forest", _rf, 0.2),
    "lightgbm": Method("MLP+MB, LightGBM", _lightgbm, 0.4, needs_graph=True, largest=1e6),
}
"""The methods in the order of the tables."""


def column_of(method: str, objective: str | None, objectives: tuple[str, ...]) -> str:
    """Return the name of a column of the tables: a method, and an objective that is not its first.

    Examples
    --------
    >>> column_of("auto", "subset", ("subset", "f1")), column_of("auto", "f1", ("subset", "f1"))
    ('auto', 'auto:f1')
    """
    return method if objective in (None, *objectives[:1]) else f"{method}:{objective}"


def column_title(column: str) -> str:
    """Return the heading of a column.

    Examples
    --------
    >>> column_title("mlp+mb"), column_title("auto:f1"), column_title("other")
    ('MLP+MB', 'auto, F1', 'other')
    """
    method, _, objective = column.partition(":")
    title = METHODS[method].title if method in METHODS else method
    shown = {"f1": "F1", "hamming": "Hamming"}.get(objective, objective)
    return f"{title}, {shown}" if objective else title


def columns() -> tuple[str, ...]:
    """Return all columns in the order of the tables."""
    return tuple(
        column_of(name, objective, method.objectives)
        for name, method in METHODS.items()
        for objective in method.objectives or (None,)
    )
