"""Random linear-Gaussian networks, to draw continuous data from."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from h2pc.checks import whole_number
from h2pc.data.tables import default_names
from h2pc.errors import SettingError
from h2pc.graphs.dag import Dag
from h2pc.networks.linear_gaussian import LinearGaussianNetwork
from h2pc.networks.numbered_pairs import numbered_pair
from h2pc.random_state import RandomState, seed_of

# bnlearn's networks of continuous variables have 1.5 (ecoli70, magic-niab) and 1.4 (arth150).
_EDGES_PER_VARIABLE = 1.5


def make_linear_gaussian_network(
    n_variables: int = 20,
    n_edges: int | None = None,
    *,
    coefficients: tuple[float, float] = (0.3, 1.0),
    variances: tuple[float, float] = (0.5, 1.0),
    random_state: RandomState = 0,
) -> LinearGaussianNetwork:
    """Return a random linear-Gaussian network, to draw continuous data from.

    All graphs with a random order of the variables and this many edges along it are equally
    probable. Coefficients have either sign; intercepts lie between -1 and 1.

    Parameters
    ----------
    n_variables : int, default=20
        The number of variables, called ``X0, X1, …``, zero-padded.
    n_edges : int, default=None
        The number of edges; by default 1.5 for each variable, as in published networks of genes.
    coefficients : pair of float, default=(0.3, 1.0)
        The smallest and the largest size of a coefficient.
    variances : pair of float, default=(0.5, 1.0)
        The smallest and the largest variance of a variable given its parents.
    random_state : int, random generator or None, default=0
        The same seed gives the same network; None draws another one each time.

    Returns
    -------
    LinearGaussianNetwork
        The network.

    Examples
    --------
    >>> from h2pc import make_linear_gaussian_network
    >>> make_linear_gaussian_network(50, random_state=1)
    LinearGaussianNetwork(50 variables, 75 edges, 175 parameters)
    """
    whole_number(1)("n_variables", n_variables)
    whole_number(0, optional=True)("n_edges", n_edges)
    n_pairs = math.comb(n_variables, 2)
    if n_edges is None:
        n_edges = min(round(_EDGES_PER_VARIABLE * n_variables), n_pairs)
    if n_edges > n_pairs:
        raise SettingError(
            f"n_edges must be at most {n_pairs}, one for each pair of {n_variables} variables; "
            f"got {n_edges}."
        )
    _check_range("coefficients", coefficients)
    _check_range("variances", variances)
    rng = np.random.default_rng(seed_of(random_state))
    order = rng.permutation(n_variables).tolist()
    chosen = map(numbered_pair, rng.choice(n_pairs, n_edges, replace=False).tolist())
    dag = Dag.from_edges(default_names(n_variables), [(order[u], order[v]) for u, v in chosen])
    return LinearGaussianNetwork(
        dag,
        rng.uniform(-1.0, 1.0, n_variables),
        [_signed(rng, coefficients, len(dag.parents(v))) for v in dag.variables],
        rng.uniform(*variances, n_variables),
    )


def _signed(rng: np.random.Generator, sizes: tuple[float, float], n: int) -> NDArray[np.float64]:
    """Return numbers of random size and sign."""
    return np.asarray(rng.uniform(*sizes, n) * rng.choice([-1.0, 1.0], n))


def _check_range(name: str, value: tuple[float, float]) -> None:
    """Refuse anything but two numbers above 0, in their order."""
    try:
        low, high = map(float, value)
        is_range = 0.0 < low <= high < math.inf
    except (TypeError, ValueError):
        is_range = False
    if not is_range:
        raise SettingError(
            f"{name} must be the smallest and the largest of some numbers above 0; got {value!r}."
        )
