"""A Bayesian network: a DAG and the probability table of each variable given its parents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from h2pc.data.dataset import Dataset
from h2pc.errors import SettingError
from h2pc.graphs.dag import Dag
from h2pc.io.network_document import (
    MAX_STATES,
    SUM_TOLERANCE,
    State,
    checked_states,
    family_shape,
)
from h2pc.networks.alignment import (
    aligned_codes,
    dataset_of,
    missing_cells,
    numbering,
    states_of,
    whole_numbers_as_levels,
)
from h2pc.networks.elimination import posterior_table
from h2pc.networks.fitting import fitted_tables
from h2pc.networks.likelihood import sample_log_likelihoods
from h2pc.networks.prediction import most_probable_states
from h2pc.networks.sampling import forward_sample
from h2pc.random_state import RandomState, seed_of
from h2pc.variables import Var


class BayesianNetwork:
    """A DAG over discrete variables with one probability table per variable; immutable.

    Parameters
    ----------
    dag : Dag
        The graph.
    states : sequence of sequences of str, int or bool
        The states of each variable, in the order of ``dag.names``; those of one variable are of one
        type. ``None`` may stand for missing values.
    tables : sequence of array-like
        The table of variable ``v`` has one axis per parent, in the order of ``dag.parents(v)``,
        and a last axis for ``v`` itself. Each row sums to one (tolerance 1e-5); the numbers are
        kept as given.

    Examples
    --------
    >>> from h2pc import BayesianNetwork, Dag
    >>> dag = Dag.from_edges(["rain", "wet"], [("rain", "wet")])
    >>> network = BayesianNetwork(dag, [["no", "yes"]] * 2, [[0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]])
    >>> network.n_parameters
    3
    >>> round(network.posterior("rain", {"wet": "yes"})["yes"], 3)
    0.667
    """

    __slots__ = ("_cards", "_dag", "_states", "_tables")

    def __init__(
        self, dag: Dag, states: Sequence[Sequence[State]], tables: Sequence[ArrayLike]
    ) -> None:
        n = len(dag.names)
        if len(states) != n or len(tables) != n:
            raise SettingError(
                f"The graph has {n} variables, but {len(states)} lists of states and "
                f"{len(tables)} tables were given."
            )
        self._dag = dag
        self._states = tuple(checked_states(dag.names[v], states[v]) for v in dag.variables)
        self._cards = tuple(map(len, self._states))
        self._tables = tuple(self._checked_table(v, tables[v]) for v in dag.variables)

    def _checked_table(self, v: Var, table: ArrayLike) -> NDArray[np.float64]:
        name = self.names[v]
        values = np.array(table, dtype=np.float64, order="C")
        expected = family_shape([self.cards[u] for u in (*self._dag.parents(v), v)], name)
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
    def states(self) -> tuple[tuple[State, ...], ...]:
        """The states of each variable."""
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
        return (
            f"BayesianNetwork({len(self.names)} variables, {len(self._dag.edges)} edges, "
            f"{self.n_parameters} parameters)"
        )

    def _repr_html_(self) -> str:
        return self._dag.to_html(repr(self))

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
            The data; all declared levels become states. Other columns are ignored. Where cells of
            a data set are missing, each table is that of the rows complete in its variables.
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
        dataset = dataset_of(data, dag.names)
        states = states_of(dataset, dag.names)
        codes = aligned_codes(dataset, dag.names, states)
        missing = missing_cells(dataset, dag.names)
        prior = equivalent_sample_size, pseudo_count
        tables = fitted_tables(dag, codes, states, dataset.weights, *prior, missing)
        return cls(dag, states, tables)

    def log_likelihood(self, data: Any, *, unseen: float | None = None) -> NDArray[np.float64]:
        """Return the natural logarithm of the probability of each sample.

        Their sum is the log-likelihood of the data; an impossible sample has ``-inf``. Where cells
        are missing, it is the probability of those that are there, summed over the others.

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
        dataset = self._dataset(data, self.names)
        codes = aligned_codes(dataset, self.names, self._states, unseen=unseen is not None)
        missing = missing_cells(dataset, self.names)
        logs = sample_log_likelihoods(
            self._dag, self._tables, codes, self._dag.variables, unseen, missing
        )
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
        self, variable: str, evidence: Mapping[str, State] | None = None
    ) -> dict[State, float]:
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
        observed: dict[Var, int] = {}
        for name, state in (evidence or {}).items():
            v = self._dag.variable(name)
            number = numbering(self._states[v])(state)
            if number is None:
                known = ", ".join(map(repr, self._states[v][:10]))
                raise SettingError(f"{state!r} is not a state of {name!r}; its states are {known}.")
            observed[v] = number
        if target in observed:
            raise SettingError(f"{variable!r} is the variable of the query and cannot be evidence.")
        values = posterior_table(self._dag, self._tables, target, observed)
        return dict(zip(self._states[target], values.tolist(), strict=True))

    def _dataset(self, data: Any, names: Iterable[str]) -> Dataset:
        """Return the columns called ``names``; missing values are a level if a state is None."""
        has_missing = any(None in states for states in self._states)
        missing = "level" if has_missing else "available"
        found = dataset_of(data, names, missing=missing, max_levels=MAX_STATES)
        return whole_numbers_as_levels(found)

    def predict(self, variable: str, data: Any) -> NDArray[Any]:
        """Return the most probable state of ``variable`` for each sample, given the other columns.

        Parameters
        ----------
        variable : str
            The variable to predict; a column of its own is ignored.
        data : data frame or Dataset
            The samples. Variables of the Markov boundary that are absent, or missing in a sample,
            are summed out.

        Returns
        -------
        array of shape (n_samples,)
            The states, in their own type; of equally probable ones the first.

        Examples
        --------
        >>> from h2pc.networks import load_network
        >>> asia = load_network("asia")
        >>> asia.predict("either", asia.sample(3)).shape
        (3,)
        """
        target = self._dag.variable(variable)
        dataset = self._dataset(data, set(self.names) - {variable})
        columns = set(dataset.names)
        known = tuple(v for v in self._dag.variables if self.names[v] in columns and v != target)
        columns_of_known = [self.names[v] for v in known]
        codes = aligned_codes(dataset, columns_of_known, [self._states[v] for v in known])
        missing = missing_cells(dataset, columns_of_known)
        found = most_probable_states(self._dag, self._tables, target, known, codes, missing)
        if dataset.weights is not None:
            found = np.repeat(found, dataset.weights)
        states = self._states[target]
        is_number = all(isinstance(state, int) for state in states)
        return np.asarray(np.array(states, dtype=None if is_number else object)[found])

    def to_pyagrum(self) -> Any:
        """Return the same network as a ``pyagrum.BayesNet``; needs pyAgrum.

        Integer states make an ``IntegerVariable`` if they are sorted; all others become labels.
        """
        from h2pc.networks.conversion import to_pyagrum

        return to_pyagrum(self)

    @classmethod
    def from_pyagrum(cls, network: Any) -> BayesianNetwork:
        """Return a ``pyagrum.BayesNet`` as a network, its variables sorted by name."""
        from h2pc.networks.conversion import from_pyagrum

        return cls(*from_pyagrum(network))

    def to_pgmpy(self) -> Any:
        """Return the same network as a ``pgmpy`` discrete Bayesian network; needs pgmpy."""
        from h2pc.networks.conversion import to_pgmpy

        return to_pgmpy(self)

    @classmethod
    def from_pgmpy(cls, model: Any) -> BayesianNetwork:
        """Return a discrete Bayesian network of ``pgmpy``, its variables sorted by name."""
        from h2pc.networks.conversion import from_pgmpy

        return cls(*from_pgmpy(model))
