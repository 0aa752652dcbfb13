"""What the variants of H2PC and MMHC learn from, and how they search."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

from h2pc.algorithms.class_search import class_search
from h2pc.algorithms.h2pc import Search
from h2pc.algorithms.skeleton_prior import SkeletonPrior
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.data.copies import copies_in, with_observed_levels
from h2pc.learners.validation import edge_constraints
from h2pc.variables import Var, Vars

# Scores have no price for configurations that are not observed, so a table could grow beyond what
# memory holds. Families of the networks of the library have up to 25 cells for every sample.
_CELLS_PER_SAMPLE, _CELLS_OF_ANY = 100, 10_000

SCORES_OF_COUNTS = {"accurate": "bds", "paper": "bdeu"}
"""What ``scoring="auto"`` is for discrete variables, by variant."""


class DistinctData(NamedTuple):
    """The data that are learned from, and variables that are copies of others there."""

    data: Dataset
    copies: Mapping[Var, Var]


def distinct_data(data: Dataset, params: Mapping[str, Any]) -> DistinctData:
    """Return data without unobserved levels, and their copies; the paper has neither."""
    if params["variant"] == "paper":
        return DistinctData(data, {})
    known = edge_constraints(data, params["required"], params["forbidden"], params["tiers"])
    copies = copies_in(
        data,
        preferred=targets_of(params, data) or (),
        alone={v for edge in (*known.required, *known.forbidden) for v in edge},
        group={v: number for number, tier in enumerate(known.tiers) for v in tier},
    )
    return DistinctData(with_observed_levels(data), copies)


def targets_of(params: Mapping[str, Any], data: Dataset) -> Vars | None:
    """Return the variables that are targets; None for all."""
    targets = params["targets"]
    return None if targets is None else data.variables(targets)


def prior_of(params: Mapping[str, Any], data: Dataset) -> SkeletonPrior | None:
    """Return the prices of edges outside the skeleton; None where there are no such edges."""
    if params["variant"] == "paper":
        return None
    prices = params["one_sided_penalty"], params["outside_penalty"]
    levels = tuple(data.cards.tolist()) if data.kind == "discrete" else ()
    return SkeletonPrior(*prices, levels, max(_CELLS_OF_ANY, _CELLS_PER_SAMPLE * data.n_samples))


def search_of(params: Mapping[str, Any]) -> Search:
    """Return the search of a variant."""
    if params["variant"] == "accurate":
        # Around hundreds of labels, trials would take minutes.
        trials: Literal["pairs"] | None = "pairs" if params["targets"] is None else None
        return partial(class_search, max_parents=params["max_parents"], trials=trials)
    return partial(
        tabu_search,
        max_parents=params["max_parents"],
        patience=params["patience"],
        list_size=params["tabu_size"],
    )
