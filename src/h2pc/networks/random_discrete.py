"""Random discrete networks, to draw samples from."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.checks import number, whole_number
from h2pc.data.tables import default_names
from h2pc.errors import SettingError
from h2pc.graphs.dag import Dag
from h2pc.networks.network import BayesianNetwork
from h2pc.networks.numbered_pairs import numbered_pair
from h2pc.random_state import RandomState, seed_of

Table = NDArray[np.float64]

# With the defaults a table is drawn 1.2 times on average; where 1,000 are too few, the parameters
# contradict each other.
_MOST_DRAWS = 1000


def make_bayesian_network(
    n_variables: int = 100,
    *,
    average_degree: float = 2.0,
    levels: tuple[int, int] = (2, 4),
    max_parents: int = 3,
    concentration: float = 1.0,
    min_probability: float = 0.05,
    min_effect: float = 0.1,
    random_state: RandomState = 0,
) -> BayesianNetwork:
    """Return a random discrete network, in which every edge matters and nothing is certain.

    The variables have a random order, and edges along it are drawn one after the other among the
    pairs whose child has fewer than ``max_parents`` parents. The rows of a table are drawn from a
    symmetric Dirichlet distribution; then a part of each is spread evenly over the states, so that
    none has less than ``min_probability``. A table in which a parent has less than ``min_effect``
    is drawn again.

    Parameters
    ----------
    n_variables : int, default=100
        The number of variables, called ``X0, X1, …``, zero-padded.
    average_degree : float, default=2.0
        The mean number of neighbours of a variable: there are ``n_variables * average_degree / 2``
        edges, rounded.
    levels : pair of int, default=(2, 4)
        The smallest and the largest number of states of a variable; each is as probable as others.
    max_parents : int, default=3
        The largest number of parents of a variable, which keeps tables small.
    concentration : float, default=1.0
        The parameter of the Dirichlet distribution. With 1 all distributions of the child are
        equally probable; below, one state has most of the probability; above, rows are more alike
        and edges are harder to find.
    min_probability : float, default=0.05
        The smallest probability in any table. Without one, states that are nearly determined by the
        parents would violate faithfulness in practice.
    min_effect : float, default=0.1
        The smallest effect of a parent on its child: the total variation distance between two rows
        that differ in the state of this parent only, on average over all such rows.
    random_state : int, random generator or None, default=0
        The same seed gives the same network; None draws another one each time.

    Returns
    -------
    BayesianNetwork
        The network.

    Raises
    ------
    SettingError
        If a parameter makes no sense, or no network agrees with all of them.

    Examples
    --------
    >>> from h2pc import make_bayesian_network
    >>> network = make_bayesian_network(50, average_degree=3, random_state=1)
    >>> len(network.dag.edges), set(network.cards)
    (75, {2, 3, 4})
    >>> min(float(table.min()) for table in network.tables) >= 0.05
    True
    """
    whole_number(1)("n_variables", n_variables)
    whole_number(0)("max_parents", max_parents)
    number(least=0.0)("average_degree", average_degree)
    number(above=0.0)("concentration", concentration)
    number(least=0.0)("min_effect", min_effect)
    low, high = _checked_levels(levels)
    if not 0.0 <= min_probability < 1.0 / high:
        raise SettingError(
            f"min_probability must be at least 0 and below 1 / {high}, for {high} states; "
            f"got {min_probability!r}."
        )
    n_edges = _checked_edges(n_variables, average_degree, max_parents)
    rng = np.random.default_rng(seed_of(random_state))
    dag = _random_dag(n_variables, n_edges, max_parents, rng)
    cards = rng.integers(low, high + 1, n_variables).tolist()
    draw = _TableDraw(concentration, min_probability, min_effect, rng)
    return BayesianNetwork(
        dag,
        [tuple(map(str, range(card))) for card in cards],
        [draw.table([cards[u] for u in (*dag.parents(v), v)]) for v in dag.variables],
    )


def parent_effects(table: Table) -> list[float]:
    """Return the effect of each parent in a table whose last axis is the child.

    It is the total variation distance between rows that differ in the state of this parent only,
    on average over all pairs of its states and all states of the other parents.

    Examples
    --------
    >>> parent_effects(np.array([[0.9, 0.1], [0.3, 0.7]]))
    [0.6]
    """
    effects = []
    for axis, card in enumerate(table.shape[:-1]):
        rows = np.moveaxis(table, axis, 0)
        first, second = np.triu_indices(card, 1)
        distances = np.abs(rows[first] - rows[second]).sum(axis=-1) / 2
        effects.append(round(float(distances.mean()), 12))
    return effects


class _TableDraw:
    """Random tables, all with the same parameters."""

    def __init__(
        self, concentration: float, floor: float, min_effect: float, rng: np.random.Generator
    ) -> None:
        self.concentration, self.floor, self.min_effect = concentration, floor, min_effect
        self.rng = rng

    def table(self, shape: Sequence[int]) -> Table:
        """Return a table in which all parents have their effect; the last axis is the child."""
        *parents, card = shape
        for _ in range(_MOST_DRAWS):
            drawn = self.rng.dirichlet(np.full(card, self.concentration), parents)
            table = np.asarray(self.floor + (1.0 - card * self.floor) * drawn)
            if all(effect >= self.min_effect for effect in parent_effects(table)):
                return table
        raise SettingError(
            f"min_effect = {self.min_effect} is too large for concentration = "
            f"{self.concentration} and min_probability = {self.floor}: of {_MOST_DRAWS:,} tables "
            "of one variable, none had such effects. Lower one of them."
        )


def _random_dag(n: int, n_edges: int, max_parents: int, rng: np.random.Generator) -> Dag:
    """Return a graph with a random order, this many edges, and at most so many parents each."""
    order = rng.permutation(n).tolist()
    parents: list[list[int]] = [[] for _ in range(n)]
    waiting = iter(rng.permutation(math.comb(n, 2)))
    while n_edges:
        earlier, later = numbered_pair(int(next(waiting)))
        if len(parents[order[later]]) < max_parents:
            parents[order[later]].append(order[earlier])
            n_edges -= 1
    return Dag(default_names(n), parents)


def _checked_edges(n_variables: int, average_degree: float, max_parents: int) -> int:
    """Return the number of edges, which the parents of all variables must have room for."""
    n_edges = round(n_variables * average_degree / 2)
    room = sum(min(earlier, max_parents) for earlier in range(n_variables))
    if n_edges > room:
        raise SettingError(
            f"average_degree must be at most {2 * room / n_variables:.3g} for {n_variables} "
            f"variables with at most {max_parents} parents each; got {average_degree}."
        )
    return n_edges


def _checked_levels(levels: tuple[int, int]) -> tuple[int, int]:
    """Return the smallest and the largest number of states."""
    try:
        low, high = levels
        is_range = all(isinstance(each, int) for each in (low, high)) and 2 <= low <= high
    except (TypeError, ValueError):
        is_range = False
    if not is_range:
        raise SettingError(
            "levels must be the smallest and the largest number of states, at least 2; "
            f"got {levels!r}."
        )
    return low, high
