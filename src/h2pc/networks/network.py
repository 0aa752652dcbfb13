"""A Bayesian network: a DAG and the probability table of each variable given its parents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from h2pc.data.dataset import Dataset
from h2pc.errors import SettingError
from h2pc.graphs.dag import Dag
from h2pc.networks.alignment import MAX_STATES, aligned_codes, dataset_of, states_of
from h2pc.networks.elimination import posterior_table
from h2pc.networks.families import family_shape
from h2pc.networks.fitting import checked_prior, fitted_tables
from h2pc.networks.likelihood import sample_log_likelihoods
from h2pc.networks.prediction import most_probable_states
from h2pc.networks.sampling import forward_sample
from h2pc.random_state import RandomState, seed_of
from h2pc.variables import Var

SUM_TOLERANCE = 1e-6
"""How far the sum of a row may be from one: published tables carry about seven digits."""


class BayesianNetwork:
    """A DAG over discrete variables with one probability table per variable; immutable.

    Parameters
    ----------
    dag : Dag
        The graph.
    states : sequence of sequences of str
        The state names of each variable, in the order of ``dag.names``.
    tables : sequence of array-like
        The table of variable ``v`` has one axis per parent, in the order of ``dag.parents(v)``,
        and a last axis for ``v`` itself. Each row sums to one (tolerance 1e-6); the numbers are
        kept as given.

    Examples
    --------
    >>> from h2pc.graphs.dag import Dag
    >>> from h2pc.networks import BayesianNetwork
    >>> dag = Dag.from_edges(["rain", "wet"], [("rain", "wet")])
    >>> network = BayesianNetwork(dag, [["no", "yes"]] * 2, [[0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]])
    >>> network.n_parameters
    3
    >>> round(network.posterior("rain", {"wet": "yes"})["yes"], 3)
    0.667
    """

    __slots__ = ("_cards", "_dag", "_states", "_tables")

    def __init__(
        self, dag: Dag, states: Sequence[Sequence[str]], tables: Sequence[ArrayLike]
    ) -> None:
        n = len(dag.names)
        if len(states) != n or len(tables) != n:
            raise SettingError(
                f"The graph has {n} variables, but {len(states)} lists of states and "
                f"{len(tables)} tables were given."
            )
        self._dag = dag
        self._states = tuple(_checked_states(dag.names[v], states[v]) for v in dag.variables)
        self._cards = tuple(map(len, self._states))
        self._tables = tuple(self._checked_table(v, tables[v]) for v in dag.variables)

    def _checked_table(self, v: Var, table: ArrayLike) -> NDArray[np.float64]:
        name = self.names[v]
        values = np.array(table, dtype=np.float64, order="C")
        expected = family_shape(self.cards, v, self._dag.parents(v), name)
        if values.shape != expected:
            raise SettingError(
                f"The table of {name!r} must have shape {expected} (its parents, then itself); "
                f"it has {values.shape}."
            )
        if not ((values >= 0) & (values <= 1 + SUM_TOLERANCE)).all():
            raise SettingError(f"The table of {name!r} has values that are not probabilities.")
        sums = values.sum(axis=-1)
        if not (np.abs(sums - 1) <= SUM_TOLERANCE).all():
            worst = float(sums.flat[np.abs(sums - 1).argmax()])
            raise SettingError(f"A row of the table of {name!r} sums to {worst!r}, not to 1.")
        values.flags.writeable = False
        return values

    @property
    def dag(self) -> Dag:
        """The graph."""
        return self._dag

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables."""
        return self._dag.names

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """Names of the states of each variable."""
        return self._states

    @property
    def tables(self) -> tuple[NDArray[np.float64], ...]:
        """The read-only table of each variable: its parents' axes, then its own."""
        return self._tables

    @property
    def cards(self) -> tuple[int, ...]:
        """Number of states of each variable."""
        return self._cards

    @property
    def n_parameters(self) -> int:
        """Number of free parameters: one less than the states, for each row of each table."""
        return sum(table.size - table.size // table.shape[-1] for table in self._tables)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        return (
            self._dag == other._dag
            and self._states == other._states
            and all(map(np.array_equal, self._tables, other._tables))
        )

    def __hash__(self) -> int:
        return hash((self._dag, self._states))

    def __reduce__(self) -> tuple[Any, ...]:
        return BayesianNetwork, (self._dag, self._states, self._tables)

    def __repr__(self) -> str:
        n_edges = sum(len(self._dag.parents(v)) for v in self._dag.variables)
        return (
            f"BayesianNetwork({len(self.names)} variables, {n_edges} edges, "
            f"{self.n_parameters} parameters)"
        )

    @classmethod
    def fit(
        cls,
        dag: Dag,
        data: Any,
        *,
        equivalent_sample_size: float | None = None,
        pseudo_count: float | None = None,
    ) -> BayesianNetwork:
        """Estimate the tables of ``dag`` from data: by maximum likelihood, or with a prior.

        Parameters
        ----------
        dag : Dag
            The graph; its names are columns of the data.
        data : data frame or Dataset
            The data; all declared levels become states. Other columns are ignored.
        equivalent_sample_size : float, default=None
            Dirichlet prior of BDeu: this many imaginary samples, spread evenly over each table.
        pseudo_count : float, default=None
            Dirichlet prior that adds this number to every cell (1 is Laplace's rule).

        Returns
        -------
        BayesianNetwork
            The network. A row whose parents' states never occur, and that has no prior, is uniform.

        Examples
        --------
        >>> from h2pc.networks import BayesianNetwork, load_network
        >>> asia = load_network("asia")
        >>> fitted = BayesianNetwork.fit(asia.dag, asia.sample(1000), pseudo_count=1)
        >>> fitted.names == asia.names
        True
        """
        prior = checked_prior(equivalent_sample_size, pseudo_count)
        dataset = dataset_of(data, dag.names)
        states = states_of(dataset, dag.names)
        codes = aligned_codes(dataset, dag.names, states)
        return cls(dag, states, fitted_tables(dag, codes, states, dataset.weights, prior))

    def log_likelihood(self, data: Any, *, unseen: float | None = None) -> NDArray[np.float64]:
        """Return the natural logarithm of the probability of each sample.

        Their sum is the log-likelihood of the data; an impossible sample has ``-inf``.

        Parameters
        ----------
        data : data frame or Dataset
            The samples; columns are matched by name, states by what they are called, and columns
            that are not variables of the network are ignored.
        unseen : float, default=None
            The probability that a variable has a state which the network does not know, for
            held-out data; 1 / (n + 1) is usual for a network fitted to n samples. The known states
            share the rest, and given an unseen state of a parent they are equally probable. By
            default an unseen state is an error.

        Returns
        -------
        array of float, shape (n_samples,)
            The log-likelihood of each sample.

        Raises
        ------
        DataError
            If a variable of the network is absent from the data, or a state is unseen.

        Examples
        --------
        >>> from h2pc import load_network
        >>> asia = load_network("asia")
        >>> asia.log_likelihood(asia.sample(1000)).shape
        (1000,)
        """
        if unseen is not None and not 0 < unseen < 1:
            raise SettingError(f"unseen must be a probability between 0 and 1; got {unseen!r}.")
        dataset = dataset_of(data, self.names, max_levels=MAX_STATES)
        codes = aligned_codes(dataset, self.names, self._states, unseen=unseen is not None)
        logs = sample_log_likelihoods(self._dag, self._tables, codes, unseen)
        return logs if dataset.weights is None else np.repeat(logs, dataset.weights)

    def sample(self, n_samples: int, random_state: RandomState = 0) -> Dataset:
        """Draw independent samples; all states are kept as levels, seen or not.

        The result depends on the seed and the network only, not on the order of its variables.

        Examples
        --------
        >>> from h2pc.networks import load_network
        >>> load_network("asia").sample(1000, random_state=7).n_samples
        1000
        """
        if n_samples < 1:
            raise SettingError(f"n_samples must be at least 1; got {n_samples}.")
        codes = forward_sample(self._dag, self._tables, n_samples, seed_of(random_state))
        return Dataset.from_codes(codes, cards=self.cards, names=self.names, states=self._states)

    def posterior(
        self, variable: str, evidence: Mapping[str, str] | None = None
    ) -> dict[str, float]:
        """Return the probability of each state of ``variable`` given the states of others; exact.

        Parameters
        ----------
        variable : str
            The variable of the query.
        evidence : mapping of str to state, default=None
            Observed variables and their states; by default nothing is observed.

        Returns
        -------
        dict of state to float
            The states in their order, with their probabilities.

        Raises
        ------
        SettingError
            If a state is unknown, or the query needs a factor of more than 2**24 cells; for such
            queries see :meth:`to_pyagrum`.
        DataError
            If the evidence has probability 0.

        Examples
        --------
        >>> from h2pc import load_network
        >>> asia = load_network("asia")
        >>> {state: round(p, 4) for state, p in asia.posterior("lung", {"xray": "yes"}).items()}
        {'yes': 0.4887, 'no': 0.5113}
        """
        target = self._dag.variable(variable)
        observed = dict(self._observed(*item) for item in (evidence or {}).items())
        if target in observed:
            raise SettingError(f"{variable!r} is the variable of the query and cannot be evidence.")
        values = posterior_table(self._dag, self._tables, target, observed)
        return dict(zip(self._states[target], values.tolist(), strict=True))

    def _observed(self, name: str, state: str) -> tuple[Var, int]:
        """Return an observation as the numbers of the variable and of its state."""
        v = self._dag.variable(name)
        if state not in self._states[v]:
            known = ", ".join(map(repr, self._states[v][:10]))
            raise SettingError(f"{state!r} is not a state of {name!r}; its states are {known}.")
        return v, self._states[v].index(state)

    def predict(self, variable: str, data: Any) -> NDArray[Any]:
        """Return the most probable state of ``variable`` for each sample, given the other columns.

        Parameters
        ----------
        variable : str
            The variable to predict; a column of its own is ignored.
        data : data frame or Dataset
            The samples. Variables of the Markov boundary that are absent are summed out.

        Returns
        -------
        array of shape (n_samples,)
            The states; of equally probable ones the first.

        Examples
        --------
        >>> from h2pc.networks import load_network
        >>> asia = load_network("asia")
        >>> asia.predict("either", asia.sample(3)).shape
        (3,)
        """
        target = self._dag.variable(variable)
        dataset = dataset_of(data, set(self.names) - {variable}, max_levels=MAX_STATES)
        columns = set(dataset.names)
        known = tuple(v for v in self._dag.variables if self.names[v] in columns and v != target)
        codes = aligned_codes(
            dataset, [self.names[v] for v in known], [self._states[v] for v in known]
        )
        found = most_probable_states(self._dag, self._tables, target, known, codes)
        if dataset.weights is not None:
            found = np.repeat(found, dataset.weights)
        return np.asarray(np.array(self._states[target], dtype=object)[found])

    def to_pyagrum(self) -> Any:
        """Return the same network as a ``pyagrum.BayesNet``; needs pyAgrum."""
        from h2pc.networks.conversion import to_pyagrum

        return to_pyagrum(self)

    def to_pgmpy(self) -> Any:
        """Return the same network as a ``pgmpy`` discrete Bayesian network; needs pgmpy."""
        from h2pc.networks.conversion import to_pgmpy

        return to_pgmpy(self)


def _checked_states(name: str, states: Sequence[str]) -> tuple[str, ...]:
    """Return the states of one variable: distinct strings, at least one."""
    checked = tuple(states)
    if isinstance(states, str) or not all(isinstance(state, str) for state in checked):
        raise SettingError(f"The states of {name!r} must be a list of strings; got {states!r}.")
    if not checked or len(set(checked)) < len(checked):
        raise SettingError(f"The states of {name!r} must be distinct, and at least one.")
    if len(checked) > MAX_STATES:
        raise SettingError(f"{name!r} has {len(checked)} states; at most {MAX_STATES} are allowed.")
    return checked
