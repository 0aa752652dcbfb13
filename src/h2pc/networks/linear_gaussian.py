"""A linear-Gaussian network: each variable is a linear function of its parents, plus noise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from h2pc.checks import Check, number
from h2pc.data.dataset import Dataset
from h2pc.errors import DataError, SettingError
from h2pc.graphs.dag import Dag
from h2pc.networks.alignment import aligned_numbers, dataset_of
from h2pc.networks.gaussian_inference import GaussianFamilies, log_densities, posteriors
from h2pc.networks.least_squares import regression
from h2pc.networks.sampling import gaussian_sample
from h2pc.random_state import RandomState, seed_of
from h2pc.variables import Var


class LinearGaussianNetwork:
    """A DAG over continuous variables, each a linear function of its parents plus noise; immutable.

    The noise of a variable is normal, and independent of that of the others. So the joint
    distribution is normal, with :attr:`mean` and :attr:`covariance`.

    Parameters
    ----------
    dag : Dag
        The graph.
    intercepts : sequence of float
        What each variable is expected to be where its parents are 0, in the order of ``dag.names``.
    coefficients : sequence of array-like
        Those of variable ``v``: one for each parent, in the order of ``dag.parents(v)``.
    variances : sequence of float
        The variance of each variable given its parents, at least 0.

    Examples
    --------
    >>> from h2pc import Dag, LinearGaussianNetwork
    >>> dag = Dag.from_edges(["rain", "river"], [("rain", "river")])
    >>> network = LinearGaussianNetwork(dag, [2.0, 1.0], [[], [0.5]], [4.0, 4.0])
    >>> network.mean.tolist(), network.covariance.tolist()
    ([2.0, 2.0], [[4.0, 2.0], [2.0, 5.0]])
    >>> rain = network.posterior("rain", {"river": 4.5})
    >>> round(rain.mean, 3), round(rain.variance, 3)
    (3.0, 3.2)
    """

    __slots__ = ("_families",)

    def __init__(
        self,
        dag: Dag,
        intercepts: Sequence[float] | NDArray[np.float64],
        coefficients: Sequence[ArrayLike],
        variances: Sequence[float] | NDArray[np.float64],
    ) -> None:
        n = len(dag.names)
        if not len(intercepts) == len(coefficients) == len(variances) == n:
            raise SettingError(
                f"The graph has {n} variables, but {len(intercepts)} intercepts, coefficients of "
                f"{len(coefficients)} variables and {len(variances)} variances were given."
            )
        self._families = GaussianFamilies(
            dag,
            _checked_numbers(dag, "intercept", intercepts, _finite),
            tuple(_checked_coefficients(dag, v, coefficients[v]) for v in dag.variables),
            _checked_numbers(dag, "variance", variances, number(least=0.0)),
        )

    @property
    def dag(self) -> Dag:
        """The graph."""
        return self._families.dag

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables."""
        return self.dag.names

    @property
    def intercepts(self) -> NDArray[np.float64]:
        """The read-only intercept of each variable."""
        return self._families.intercepts

    @property
    def coefficients(self) -> tuple[NDArray[np.float64], ...]:
        """The read-only coefficients of each variable, in the order of its parents."""
        return self._families.coefficients

    @property
    def variances(self) -> NDArray[np.float64]:
        """The read-only variance of each variable given its parents."""
        return self._families.variances

    @property
    def n_parameters(self) -> int:
        """Number of parameters: an intercept, a variance and a coefficient for each parent."""
        return 2 * len(self.names) + len(self.dag.edges)

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean of each variable."""
        return self._families.effects() @ self.intercepts

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The covariance of all variables, in the order of ``names``."""
        roots = self._families.effects() * np.sqrt(self.variances)
        return np.asarray(roots @ roots.T)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LinearGaussianNetwork):
            return NotImplemented
        return (
            self.dag == other.dag
            and np.array_equal(self.intercepts, other.intercepts)
            and all(map(np.array_equal, self.coefficients, other.coefficients))
            and np.array_equal(self.variances, other.variances)
        )

    def __hash__(self) -> int:
        return hash((self.dag, self.intercepts.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return LinearGaussianNetwork, tuple(self._families)

    def __repr__(self) -> str:
        return (
            f"LinearGaussianNetwork({len(self.names)} variables, {len(self.dag.edges)} edges, "
            f"{self.n_parameters} parameters)"
        )

    def _repr_html_(self) -> str:
        return self.dag.to_html(repr(self))

    @classmethod
    def fit(cls, dag: Dag, data: Any) -> LinearGaussianNetwork:
        """Estimate the parameters of ``dag`` from data, by least squares: maximum likelihood.

        The order of rows and columns does not change a bit of the result.

        Parameters
        ----------
        dag : Dag
            The graph; its names are columns of the data.
        data : data frame or Dataset
            The data; columns of whole numbers are taken as numbers, too. Other columns are ignored.
            Where cells of a data set are missing, each variable is fitted to the rows that are
            complete in itself and its parents.

        Returns
        -------
        LinearGaussianNetwork
            The network. Where parents are collinear, or more than the rows, it is the fit with the
            smallest standardised coefficients; a variable that its parents determine has variance
            0.

        Raises
        ------
        DataError
            If a column is absent or holds words, or no row is complete in a variable and its
            parents.

        Examples
        --------
        >>> from h2pc import Dag, LinearGaussianNetwork
        >>> dag = Dag.from_edges(["x", "y"], [("x", "y")])
        >>> data = {"x": [0.5, 1.5, 2.5, 3.5], "y": [1.0, 2.0, 2.0, 3.0]}
        >>> network = LinearGaussianNetwork.fit(dag, data)
        >>> network.coefficients[1].round(3).tolist(), network.variances.round(3).tolist()
        ([0.6], [1.25, 0.05])
        """
        values = aligned_numbers(dataset_of(data, dag.names), dag.names)
        found = [_fitted(dag, v, values) for v in dag.variables]
        intercepts, coefficients, variances = zip(*found, strict=True) if found else ((), (), ())
        return cls(dag, intercepts, coefficients, variances)

    def log_likelihood(self, data: Any) -> NDArray[np.float64]:
        """Return the natural logarithm of the density of each sample.

        Their sum is the log-likelihood of the data. Where cells are missing, it is the density of
        those that are there.

        Parameters
        ----------
        data : data frame or Dataset
            The samples; columns are matched by name, and columns that are not variables of the
            network are ignored.

        Returns
        -------
        array of float, shape (n_samples,)
            The log-likelihood of each sample.

        Raises
        ------
        DataError
            If a variable of the network is absent from the data, or holds words.
        SettingError
            If a variance is 0: there is no density then.

        Examples
        --------
        >>> from h2pc import Dag, LinearGaussianNetwork
        >>> dag = Dag.from_edges(["x", "y"], [("x", "y")])
        >>> network = LinearGaussianNetwork(dag, [0, 0], [[], [0.5]], [1, 1])
        >>> network.log_likelihood({"x": [0.0, 0.5], "y": [0.0, None]}).round(3).tolist()
        [-1.838, -1.044]
        """
        dataset = dataset_of(data, self.names, missing="available")
        return log_densities(self._families, aligned_numbers(dataset, self.names))

    def sample(self, n_samples: int, random_state: RandomState = 0) -> Dataset:
        """Draw independent samples.

        The result depends on the seed and the network only, not on the order of its variables.

        Examples
        --------
        >>> from h2pc import Dag, LinearGaussianNetwork
        >>> dag = Dag.from_edges(["x", "y"], [("x", "y")])
        >>> LinearGaussianNetwork(dag, [0, 0], [[], [0.5]], [1, 1]).sample(1000, random_state=7)
        Dataset(2 variables × 1000 samples)
        """
        if n_samples < 1:
            raise SettingError(f"n_samples must be at least 1; got {n_samples}.")
        values = gaussian_sample(self._families, n_samples, seed_of(random_state))
        return Dataset.from_values(values, names=self.names)

    def posterior(self, variable: str, evidence: Mapping[str, float] | None = None) -> NormalDist:
        """Return the distribution of ``variable`` given the numbers of others; exact.

        Parameters
        ----------
        variable : str
            The variable of the query.
        evidence : mapping of str to float, default=None
            Observed variables and their numbers; by default nothing is observed.

        Returns
        -------
        statistics.NormalDist
            The normal distribution, with ``mean``, ``variance``, ``cdf`` and more.

        Raises
        ------
        SettingError
            If the variance of a variable that plays a part is 0.

        Examples
        --------
        >>> from h2pc import Dag, LinearGaussianNetwork
        >>> dag = Dag.from_edges(["x", "y"], [("x", "y")])
        >>> LinearGaussianNetwork(dag, [0, 0], [[], [3.0]], [1, 1]).posterior("x", {"y": 10.0}).mean
        3.0
        """
        target = self.dag.variable(variable)
        values = np.full((len(self.names), 1), np.nan)
        for name, value in (evidence or {}).items():
            values[self.dag.variable(name)] = _finite(f"The evidence of {name!r}", value)
        if not np.isnan(values[target, 0]):
            raise SettingError(f"{variable!r} is the variable of the query and cannot be evidence.")
        means, variances = posteriors(self._families, target, values)
        return NormalDist(float(means[0]), float(np.sqrt(variances[0])))

    def predict(self, variable: str, data: Any) -> NDArray[np.float64]:
        """Return the expected number of ``variable`` for each sample, given the other columns.

        Parameters
        ----------
        variable : str
            The variable to predict; a column of its own is ignored.
        data : data frame or Dataset
            The samples. Variables that are absent, or missing in a sample, are integrated out.

        Returns
        -------
        array of float, shape (n_samples,)
            The means given the other columns.

        Raises
        ------
        SettingError
            If the variance of a variable that plays a part is 0.

        Examples
        --------
        >>> from h2pc import Dag, LinearGaussianNetwork
        >>> dag = Dag.from_edges(["x", "y"], [("x", "y")])
        >>> network = LinearGaussianNetwork(dag, [0, 1], [[], [0.5]], [1, 1])
        >>> network.predict("y", {"x": [0.0, 2.5]}).tolist()
        [1.0, 2.25]
        """
        target = self.dag.variable(variable)
        dataset = dataset_of(data, set(self.names) - {variable}, missing="available")
        known = [name for name in self.names if name in dataset.names and name != variable]
        numbers = aligned_numbers(dataset, known)
        values = np.full((len(self.names), numbers.shape[1]), np.nan)
        values[[self.dag.variable(name) for name in known]] = numbers
        return posteriors(self._families, target, values)[0]


def _finite(name: str, value: Any) -> float:
    """Check of a finite number."""
    if not math.isfinite(found := float(number()(name, value))):
        raise SettingError(f"{name} must be a finite number; got {value!r}.")
    return found


def _checked_numbers(
    dag: Dag, what: str, values: Iterable[float], check: Check
) -> NDArray[np.float64]:
    """Return a read-only array of one number for each variable."""
    found = [
        check(f"The {what} of {v!r}", value) for v, value in zip(dag.names, values, strict=True)
    ]
    array = np.array(found, dtype=np.float64)
    array.flags.writeable = False
    return array


def _checked_coefficients(dag: Dag, v: Var, coefficients: ArrayLike) -> NDArray[np.float64]:
    """Return the coefficients of one variable, one for each parent."""
    parents, name = dag.parents(dag.names[v]), dag.names[v]
    try:
        values = np.array(coefficients, dtype=np.float64)
    except (ValueError, TypeError):
        raise SettingError(f"The coefficients of {name!r} must be numbers.") from None
    if values.shape != (len(parents),):
        raise SettingError(
            f"{name!r} must have {len(parents)} coefficients, one for each parent; "
            f"got an array of shape {values.shape}."
        )
    if not np.isfinite(values).all():
        parent = parents[int((~np.isfinite(values)).argmax())]
        raise SettingError(f"The coefficient of {parent!r} for {name!r} must be a finite number.")
    values.flags.writeable = False
    return values


def _fitted(
    dag: Dag, v: Var, values: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64], float]:
    """Return intercept, coefficients and variance of ``v``; parents are taken by name."""
    parents = dag.parents(v)
    order = sorted(range(len(parents)), key=lambda i: dag.names[parents[i]])
    family = values[[v, *(parents[i] for i in order)]]
    family = family[:, ~np.isnan(family).any(axis=0)]
    if not family.shape[1]:
        raise DataError(
            f"no row is complete in {dag.names[v]!r} and its parents "
            f"({', '.join(map(repr, dag.parents(dag.names[v])))}): expected at least one"
        )
    found = regression(family[0], family[1:])
    if found.unexplained > 0.0 and not 0.0 < found.variance < math.inf:
        raise DataError(
            f"the variance of {dag.names[v]!r} would be {found.variance}: expected numbers of "
            f"another size, such as {np.abs(family[0]).max():g} in another unit"
        )
    coefficients = np.empty(len(parents))
    coefficients[order] = found.coefficients
    return found.intercept, coefficients, found.variance
