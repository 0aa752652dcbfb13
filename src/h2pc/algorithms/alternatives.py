"""Graphs whose score is close to that of a learned one: where the data do not decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import h2pc._engine as _engine
from h2pc import checks
from h2pc.algorithms.search import SECONDS_BETWEEN_POLLS, UNCONSTRAINED, search_space, watched
from h2pc.errors import SettingError
from h2pc.graphs import Cpdag, Dag, Mark, Skeleton, dag_to_cpdag, edge_marks
from h2pc.independence.constraints import EdgeConstraints
from h2pc.scores.base import LocalScore
from h2pc.scores.table_score import engine_score


@dataclass(frozen=True)
class EdgeChange:
    """Two variables that an alternative joins otherwise than the learned graph.

    Examples
    --------
    >>> print(EdgeChange("asia", "tub", Mark.UNDIRECTED, None))
    asia – tub missing
    >>> print(EdgeChange("asia", "tub", Mark.UNDIRECTED, Mark.BACKWARD))
    tub → asia instead of asia – tub
    """

    first: str
    second: str
    learned: Mark | None
    """How the class of the learned graph joins them, from first to second; None if it does not."""
    alternative: Mark | None
    """How the class of the alternative does, likewise."""

    def __str__(self) -> str:
        if self.alternative is None:
            return f"{self._edge(self.learned)} missing"
        if self.learned is None:
            return f"{self._edge(self.alternative)} extra"
        return f"{self._edge(self.alternative)} instead of {self._edge(self.learned)}"

    def _edge(self, mark: Mark | None) -> str:
        if mark is Mark.BACKWARD:
            return f"{self.second} {Mark.FORWARD} {self.first}"
        return f"{self.first} {mark} {self.second}"


@dataclass(frozen=True)
class Alternative:
    """A graph whose score is close to that of a learned one, and how it differs.

    Attributes
    ----------
    dag : Dag
        The graph; all graphs of its class are as good.
    score : float
        The score of the learned graph plus the difference.
    difference : float
        Its score less that of the learned graph, with the prices of edges where the learner has
        such. With a Bayesian score, its exponential is the posterior odds of the two classes. It is
        positive where the learned graph is a local maximum and this one is better.
    changes : tuple of EdgeChange
        The pairs that its class joins otherwise than that of the learned graph.

    Examples
    --------
    >>> from h2pc import H2PC, load_network
    >>> learner = H2PC().fit(load_network("asia").sample(5000, random_state=2))
    >>> first = learner.alternatives_[0]
    >>> round(first.difference, 1), [str(change) for change in first.changes]
    (-6.5, ['tub → xray extra'])
    """

    dag: Dag
    score: float
    difference: float
    changes: tuple[EdgeChange, ...]

    @cached_property
    def cpdag(self) -> Cpdag:
        """The graph's equivalence class."""
        return dag_to_cpdag(self.dag)


def alternatives(
    score: LocalScore,
    dag: Dag,
    skeleton: Skeleton | None = None,
    *,
    max_parents: int | None = None,
    constraints: EdgeConstraints = UNCONSTRAINED,
    number: int = 10,
    max_loss: float = 20.0,
    poll: Callable[[], bool] | None = None,
) -> list[Alternative]:
    """Classes of graphs that are nearly as good as that of a learned graph, the best first.

    For every pair of variables that may be joined, the search looks for the best class that joins
    them otherwise: the edge is deleted, turned or inserted, whatever that loses, and the search
    among classes goes on from there without taking that back. Nothing is random.

    Parameters
    ----------
    score : LocalScore
        The score; it should be equal for equivalent graphs, as for :func:`class_search`.
    dag : Dag
        The learned graph.
    skeleton : Skeleton, default=None
        The pairs that may be joined; by default all.
    max_parents : int, default=None
        The largest number of parents of a variable; by default there is no limit.
    constraints : EdgeConstraints, default=EdgeConstraints()
        Edges that every alternative has, and edges that none has.
    number : int, default=10
        The largest number of alternatives.
    max_loss : float, default=20.0
        How much lower the score of an alternative may be, in nats.
    poll : callable, default=None
        Called without arguments every 20 ms or so; once it returns True, the search stops.

    Returns
    -------
    list of Alternative
        One graph of each class, or of those that were found until the search was stopped. Where the
        learned graph is a local maximum only, a better one comes first.

    Raises
    ------
    SettingError
        If the graph does not agree with the constraints, ``max_parents`` or the score; or if a
        parameter makes no sense.

    Notes
    -----
    All deletions and turns are tried. Insertions are tried in the order of their loss, 2,000 at
    most, and none that loses 20 nats more than the worst alternative so far: the search would have
    to win that back. What is found need not be the best of its kind.

    Examples
    --------
    >>> from h2pc import load_network
    >>> from h2pc.scores import BIC
    >>> network = load_network("asia")
    >>> score = BIC(network.sample(5000, random_state=2))
    >>> found = alternatives(score, network.dag, network.dag.skeleton())
    >>> [(round(each.difference, 1), *map(str, each.changes)) for each in found][:1]
    [(-0.3, 'asia – tub missing')]
    """
    checks.whole_number(0)("number", number)
    if not checks.number()("max_loss", max_loss) >= 0.0:
        raise SettingError(f"max_loss must be a number from 0 on; got {max_loss!r}.")
    if len(dag.names) != score.n_variables:
        raise SettingError(
            f"The score and the graph must have the same variables; they have "
            f"{score.n_variables} and {len(dag.names)}."
        )
    space = search_space(score.n_variables, skeleton, dag, max_parents, constraints)
    graphs, _ = _engine.class_alternatives(
        engine_score(score),
        _engine.SearchSpace(space.candidates, space.required, space.start, space.max_parents),
        number=number,
        max_loss=max_loss,
        poll=watched(poll, None),
        poll_seconds=SECONDS_BETWEEN_POLLS,
    )
    own = score.total(space.start)
    found = [(Dag(dag.names, sets), total) for sets, total in graphs]
    return [Alternative(other, total, total - own, changes(dag, other)) for other, total in found]


def changes(learned: Dag, other: Dag) -> tuple[EdgeChange, ...]:
    """Return what the class of a graph joins otherwise than that of another on the same names."""
    ours, theirs = (edge_marks(dag_to_cpdag(dag)) for dag in (learned, other))
    return tuple(
        EdgeChange(learned.names[u], learned.names[v], ours.get((u, v)), theirs.get((u, v)))
        for u, v in sorted(ours.keys() | theirs.keys())
        if ours.get((u, v)) != theirs.get((u, v))
    )
