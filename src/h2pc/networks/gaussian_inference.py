"""Exact inference in linear-Gaussian networks: what is missing, given what is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import SettingError
from h2pc.graphs.dag import Dag
from h2pc.networks.elimination import ancestors
from h2pc.variables import Var, Vars

Floats = NDArray[np.float64]

LOG_2_PI = float(np.log(2.0 * np.pi))


class GaussianFamilies(NamedTuple):
    """A graph, and the linear function and the variance of each of its variables."""

    dag: Dag
    intercepts: Floats
    coefficients: tuple[Floats, ...]
    """One for each parent, in the order of ``dag.parents(v)``."""
    variances: Floats

    def expected(self, v: Var, values: Floats) -> Floats:
        """Return the mean of ``v`` given its parents, for each sample.

        Parents are added up by name, so that the order of the variables does not matter.
        """
        terms = sorted(zip(self.dag.parents(v), self.coefficients[v], strict=True), key=self._name)
        total = np.full(values.shape[1], self.intercepts[v])
        for parent, coefficient in terms:
            total += coefficient * values[parent]
        return total

    def _name(self, term: tuple[Var, float]) -> str:
        return self.dag.names[term[0]]

    def effects(self) -> Floats:
        """Return by how much each variable (row) changes with the noise of each (column)."""
        n = len(self.dag.names)
        effects = np.eye(n)
        for v in self.dag.topological_order:
            for parent, coefficient in zip(self.dag.parents(v), self.coefficients[v], strict=True):
                effects[v] += coefficient * effects[parent]
        return effects

    def check_spread(self, variables: Sequence[Var]) -> None:
        """Refuse variables that their parents determine: they have no density."""
        for v in variables:
            if not self.variances[v] > 0.0:
                name = self.dag.names[v]
                given = " given its parents" if self.dag.parents(v) else ""
                raise SettingError(
                    f"The variance of {name!r}{given} is 0, so that it has no density: expected "
                    f"variances above 0; leave {name!r} out of the network."
                )


def log_densities(families: GaussianFamilies, values: Floats) -> Floats:
    """Return the log-density of each sample (variables by samples), without its missing numbers.

    With the missing numbers h and the observed ones o, the density of a Gaussian is that of o times
    one of h around its mean given o; so p(o) = p(o, mean of h) · (2π)^(m/2) |Λ|^(-1/2), where m is
    the number of missing numbers and Λ is the precision of h given o.
    """
    dag = families.dag
    families.check_spread(dag.variables)
    total = np.zeros(values.shape[1])
    filled = values.copy()
    for hidden, samples in _patterns(np.isnan(values)):
        part = values[:, samples]
        part[list(hidden)], root = _conditional(families, hidden, dag.variables, part)
        filled[:, samples] = part
        total[samples] = 0.5 * len(hidden) * LOG_2_PI - np.log(np.abs(np.diag(root))).sum()
    for v in sorted(dag.variables, key=dag.names.__getitem__):
        variance = float(families.variances[v])
        squares = (filled[v] - families.expected(v, filled)) ** 2
        total -= 0.5 * (LOG_2_PI + np.log(variance) + squares / variance)
    return total


def posteriors(families: GaussianFamilies, target: Var, values: Floats) -> tuple[Floats, Floats]:
    """Return the mean and the variance of ``target`` for each sample, given its other numbers."""
    values = values.copy()
    values[target] = np.nan
    means, variances = np.empty(values.shape[1]), np.empty(values.shape[1])
    for hidden, samples in _patterns(np.isnan(values)):
        unknown = frozenset(hidden) - {target}
        relevant = ancestors(families.dag, (v for v in families.dag.variables if v not in unknown))
        chosen = tuple(v for v in relevant if v in unknown or v == target)
        found, root = _conditional(families, chosen, relevant, values[:, samples])
        place = chosen.index(target)
        means[samples] = found[place]
        column = np.linalg.solve(root.T, np.eye(len(chosen))[place])
        variances[samples] = column @ column
    return means, variances


def _conditional(
    families: GaussianFamilies, hidden: Vars, relevant: Vars, values: Floats
) -> tuple[Floats, Floats]:
    """Return the means of the hidden variables given the others, and a root R of Λ = RᵀR.

    The means minimise the sum of the squared residuals of the families with a hidden variable, in
    units of their standard deviations.
    """
    dag = families.dag
    place = {v: i for i, v in enumerate(hidden)}
    touched = [v for v in relevant if v in place or not place.keys().isdisjoint(dag.parents(v))]
    families.check_spread(touched)
    values = values.copy()
    values[list(hidden)] = 0.0
    slopes = np.zeros((len(touched), len(hidden)))
    for row, v in zip(slopes, touched, strict=True):
        if v in place:
            row[place[v]] = 1.0
        for parent, coefficient in zip(dag.parents(v), families.coefficients[v], strict=True):
            if parent in place:
                row[place[parent]] = -coefficient
    residuals = np.array([values[v] - families.expected(v, values) for v in touched])
    weights = 1.0 / np.sqrt(families.variances[touched])[:, np.newaxis]
    q, root = np.linalg.qr(slopes * weights)
    return -np.linalg.solve(root, q.T @ (residuals * weights)), root


def _patterns(missing: NDArray[np.bool_]) -> Iterator[tuple[Vars, NDArray[np.intp]]]:
    """Yield the variables that are missing together, and the samples in which they are."""
    samples = np.flatnonzero(missing.any(axis=0))
    if not samples.size:
        return
    packed = np.packbits(missing[:, samples], axis=0)
    _, which = np.unique(packed, axis=1, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    starts = np.flatnonzero(np.diff(which.ravel()[order])) + 1
    for group in np.split(samples[order], starts):
        yield tuple(np.flatnonzero(missing[:, group[0]]).tolist()), group
