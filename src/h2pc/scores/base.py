"""A decomposable score: how good a family is, and each of its variants by one parent."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.variables import Var, Vars, without

Scores = NDArray[np.float64]
"""Scores of families, in nats; the larger, the better."""


class LocalScore(ABC):
    """A decomposable score: that of a graph is the sum over its families.

    A score of your own is a subclass with ``n_variables`` and ``family``; all searches can use it.
    Variables are integers; they are numbered in the order of their names, so that ties broken by
    number are broken by name.

    Every score of this package is a multiple of a power of two, coarse enough for any sum of them
    to be exact. So the order of the sums does not matter, and gains that are equal on paper are
    equal.

    Examples
    --------
    >>> from h2pc.scores import LocalScore
    >>> from h2pc.algorithms.hill_climbing import hill_climbing
    >>> class FewParents(LocalScore):
    ...     n_variables = 3
    ...
    ...     def family(self, child, parents=()):
    ...         return -abs(len(parents) - 1.0)
    >>> hill_climbing(FewParents()).parent_sets
    ((), (0,), (0,))
    """

    @property
    @abstractmethod
    def n_variables(self) -> int:
        """The number of variables; they are 0, 1, …."""

    @abstractmethod
    def family(self, child: Var, parents: Vars = ()) -> float:
        """Score of ``child`` with these parents, in any order."""

    def changed(self, child: Var, parents: Vars, others: Vars) -> Scores:
        """Score of the family with one change, for every one of ``others``.

        What is a parent of the child is removed, what is none is added.
        """
        variants = [without(parents, x) if x in parents else (*parents, x) for x in others]
        return np.array([self.family(child, variant) for variant in variants])

    def total(self, parent_sets: Sequence[Vars]) -> float:
        """Score of the graph in which every variable has the parents given for it."""
        return math.fsum(self.family(child, parents) for child, parents in enumerate(parent_sets))
