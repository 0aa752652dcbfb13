"""Greedy search among equivalence classes: edges are inserted, deleted and turned."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

import h2pc._engine as _engine
from h2pc.algorithms.search import (
    UNCONSTRAINED,
    Edge,
    SearchResult,
    SearchSpace,
    run_search,
    search_space,
)
from h2pc.algorithms.tabu import tabu_search
from h2pc.errors import SettingError
from h2pc.graphs import Dag, Skeleton
from h2pc.independence.constraints import EdgeConstraints
from h2pc.runs.progress import ProgressBar
from h2pc.scores.base import LocalScore
from h2pc.variables import Var

_TRIALS = {
    None: _engine.Trials.none,
    "variables": _engine.Trials.variables,
    "pairs": _engine.Trials.variables_and_pairs,
}


def class_search(
    score: LocalScore,
    skeleton: Skeleton | None = None,
    *,
    start: Dag | Iterable[Edge] | None = None,
    max_parents: int | None = None,
    constraints: EdgeConstraints = UNCONSTRAINED,
    trials: Literal["variables", "pairs"] | None = "variables",
    poll: Callable[[], bool] | None = None,
    bar: ProgressBar | None = None,
) -> SearchResult:
    """Best graph on a greedy search among the classes of equivalent graphs.

    Every step inserts, deletes or turns one edge of a member of the class: the deletion that gains
    most, or the turn where no deletion gains, or the insertion where no turn gains. So directions
    that the data do not decide are left open, and no local maximum is due to them. Among equal
    gains, the parent of the smallest number decides, then the child. Variables are numbered by
    name, so the order of columns does not matter; nothing is random.

    Parameters
    ----------
    score : LocalScore
        The score to maximise; it should be equal for equivalent graphs. Where it is not (K2, BDs,
        missing cells), the steps are those of one member of each class.
    skeleton : Skeleton, default=None
        The pairs that may be joined; by default all.
    start : Dag or iterable of (parent, child), default=None
        The graph to start from, by default the empty one. An edge outside the skeleton may be
        deleted; it is not inserted again.
    max_parents : int, default=None
        The largest number of parents of a variable; by default there is no limit.
    constraints : EdgeConstraints, default=EdgeConstraints()
        Edges that are there from the beginning to the end, and edges that never are. Classes know
        no directions: a pair is left out where both directions are forbidden, required edges are
        not deleted, and a tabu search from the class that was found sees to the directions.
    trials : "variables", "pairs" or None, default="variables"
        What is tried where no step gains any more: the search goes on from the graph in which one
        variable after the other has lost all its edges, and with "pairs" also from the graphs in
        which one pair after the other is joined at a loss, the hundred pairs that cost least. What
        leads to a better graph is kept. Trials have at most 2,000 moves, and ten for every move
        before them.
    poll : callable, default=None
        Called without arguments every 20 ms or so; once it returns True, the search stops.
    bar : ProgressBar, default=None
        The bar that moves and trials advance; by default none.

    Returns
    -------
    SearchResult
        A member of the best class, and all moves, those of trials included.

    Raises
    ------
    SettingError
        If the start does not agree with the constraints, ``max_parents`` or the score.

    See Also
    --------
    tabu_search : Moves from graph to graph, uphill or downhill.

    Notes
    -----
    The operators are those of Chickering (2002), *Optimal structure identification with greedy
    search*, and, for turns, of Hauser and Bühlmann (2012), *Characterization and greedy learning of
    interventional Markov equivalence classes of directed acyclic graphs*; their order is that of
    Nazaret and Blei (2024), *Extremely greedy equivalence search*. Of the neighbours of a variable,
    4096 cliques are considered, small ones first.

    Examples
    --------
    >>> from h2pc import load_network
    >>> from h2pc.scores import BDeu
    >>> network = load_network("asia")
    >>> found = class_search(BDeu(network.sample(5000, random_state=2)), network.dag.skeleton())
    >>> found.n_moves_to_best, len(found.edges)
    (8, 8)
    """
    if trials not in _TRIALS:
        raise SettingError(f'trials must be "variables", "pairs" or None; it is {trials!r}.')
    space = search_space(score.n_variables, skeleton, start, max_parents, constraints)
    found = run_search(
        _engine.class_search, score, space, trials=_TRIALS[trials], poll=poll, bar=bar
    )
    if not (constraints.required or constraints.forbidden or constraints.tiers):
        return found
    first = max((legal_parents(found, space, constraints), space.start), key=score.total)
    walk = tabu_search(
        score,
        skeleton,
        start=[(u, v) for v, parents in enumerate(first) for u in parents],
        max_parents=max_parents,
        constraints=constraints,
        poll=poll,
        bar=bar,
    )
    return replace(
        walk,
        trail=found.trail + walk.trail,
        n_moves_to_best=found.n_moves + walk.n_moves_to_best,
        n_scores=found.n_scores + walk.n_scores,
        complete=found.complete and walk.complete,
    )


def legal_parents(
    found: SearchResult, space: SearchSpace, constraints: EdgeConstraints
) -> tuple[tuple[Var, ...], ...]:
    """Parent sets with the required edges, and each other edge in a direction that is allowed.

    An edge is left out where it would close a cycle or a family is full.
    """
    paths = _engine.Reachability(len(space.required))
    parents: list[list[Var]] = [[] for _ in space.required]
    required = [(u, v) for v, parents in enumerate(space.required) for u in parents]
    for u, v in (*required, *found.edges):
        if paths.has_edge(u, v) or paths.has_edge(v, u):
            continue
        for parent, child in ((u, v), (v, u)):
            is_full = len(parents[child]) >= space.max_parents
            if constraints.allows(parent, child) and not is_full:
                if not paths.has_path(child, parent):
                    paths.add_edge(parent, child)
                    parents[child].append(parent)
                break
    return tuple(tuple(sorted(above)) for above in parents)
