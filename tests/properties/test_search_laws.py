"""Laws of the searches: each move is that of a twin that looks at every neighbour."""

from __future__ import annotations

from itertools import accumulate, combinations
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.algorithms.search import SearchResult
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.graphs import Dag, Skeleton
from h2pc.independence.constraints import EdgeConstraints
from h2pc.networks import load_network
from h2pc.scores import AIC, BIC, BDeu, LocalScore
from reference.slow_search import (
    Edges,
    Landscape,
    applied,
    is_acyclic,
    parent_sets,
    slow_hill_climbing,
    slow_tabu_restarts,
    slow_tabu_search,
)
from strategies import dags, datasets, examples, names_of
from unit.algorithms.landscapes import CountedScore, RandomScore, RenumberedScore

seeds = st.integers(0, 2**32 - 1)
edge_counts = st.none() | st.integers(0, 4)


@st.composite
def random_scores(draw, max_nodes=6) -> LocalScore:
    """Rugged landscapes, most of them full of ties."""
    levels = draw(st.sampled_from([1, 2, 3, 10, 10**6]))
    return RandomScore(draw(st.integers(0, max_nodes)), levels, draw(seeds))


@st.composite
def real_scores(draw) -> LocalScore:
    """Scores of data; graphs with the same independences tie."""
    data = draw(datasets(max_rows=80, max_levels=3))
    return draw(st.sampled_from([BDeu, BIC, AIC]))(data)


@st.composite
def edge_constraints(draw, n_nodes: int) -> EdgeConstraints:
    """Required, forbidden and ordered edges that do not contradict each other."""
    if n_nodes < 2 or draw(st.booleans()):
        return EdgeConstraints()
    order = draw(st.permutations(range(n_nodes)))
    pairs = list(combinations(order, 2))
    some = st.lists(st.sampled_from(pairs), unique=True, max_size=2)
    required = draw(some)
    forbidden = [edge for edge in draw(some) if edge not in required]
    forbidden += [edge[::-1] for edge in draw(some)]
    tiers = []
    if draw(st.booleans()):
        cut = draw(st.integers(1, n_nodes - 1))
        tiers = [tuple(order[:cut]), tuple(order[cut:])]
    return EdgeConstraints(tuple(required), tuple(forbidden), tuple(tiers))


class Search(NamedTuple):
    """A landscape and a place in it."""

    rules: Landscape
    start: Edges

    def run(self, search, **settings) -> SearchResult:
        rules = self.rules
        return search(
            rules.score,
            rules.skeleton,
            start=self.start,
            max_parents=rules.max_parents,
            constraints=rules.constraints,
            **settings,
        )

    @property
    def first(self) -> Edges:
        """Where the search begins."""
        return self.start | set(self.rules.constraints.required)

    def visited(self, found: SearchResult) -> list[Edges]:
        """Every graph on the way, if it never jumps."""
        return list(accumulate(found.trail, applied, initial=self.first))


@st.composite
def searches(draw, scores=random_scores() | real_scores()) -> Search:  # noqa: B008
    """Searches with or without skeleton, start and constraints."""
    score = draw(scores)
    n_nodes = score.n_variables
    constraints = draw(edge_constraints(n_nodes))
    skeleton = None
    if draw(st.booleans()):
        edges = [pair for pair in combinations(range(n_nodes), 2) if draw(st.booleans())]
        skeleton = Skeleton(names_of(n_nodes), edges)
    start: Edges = frozenset()
    if draw(st.booleans()):
        wanted = draw(dags(n_nodes, n_nodes)).edges if n_nodes else ()
        for edge in wanted:  # inside the skeleton or not, but nothing that is refused
            longer = start | {edge}
            if constraints.allows(*edge) and is_acyclic(longer | set(constraints.required)):
                start = longer
    sizes = map(len, parent_sets(start | set(constraints.required), n_nodes))
    max_parents = draw(edge_counts)
    if max_parents is not None:
        max_parents = max(max_parents, *sizes, 0)
    return Search(Landscape(score, skeleton, max_parents, constraints), start)


@given(
    search=searches(),
    list_size=st.integers(0, 5) | st.just(100),
    patience=st.integers(0, 6) | st.just(15),
    max_moves=st.none() | st.integers(0, 10),
)
@examples(300)
def test_a_tabu_search_makes_the_moves_of_its_slow_twin(search, list_size, patience, max_moves):
    found = search.run(tabu_search, list_size=list_size, patience=patience, max_moves=max_moves)

    best, trail = slow_tabu_search(search.rules, search.start, list_size, patience, max_moves)
    assert list(found.trail) == trail
    assert set(found.edges) == best


@given(search=searches(), restarts=st.integers(0, 3), perturbations=st.integers(0, 4), seed=seeds)
@examples(120)
def test_hill_climbing_makes_the_moves_of_its_slow_twin(search, restarts, perturbations, seed):
    settings = {"restarts": restarts, "perturbations": perturbations, "random_state": seed}
    found = search.run(hill_climbing, **settings)

    best, trail = slow_hill_climbing(search.rules, search.start, **settings)
    assert list(found.trail) == trail
    assert set(found.edges) == best


@given(search=searches(), list_size=st.integers(0, 8), patience=st.integers(0, 8))
@examples(60)
def test_the_graph_found_is_the_first_of_the_best_on_the_way(search, list_size, patience):
    found = search.run(tabu_search, list_size=list_size, patience=patience)

    heights = list(map(search.rules.height, search.visited(found)))
    assert found.score == max(heights) == search.rules.score.total(found.parent_sets)
    assert found.n_moves_to_best == heights.index(found.score)
    assert set(found.edges) == search.visited(found)[found.n_moves_to_best]
    assert found.n_moves == len(heights) - 1


@given(search=searches(), patience=st.integers(0, 8))
@examples(60)
def test_no_graph_on_the_way_breaks_a_rule(search, patience):
    found = search.run(tabu_search, patience=patience)

    rules = search.rules
    for edges in search.visited(found):
        assert is_acyclic(edges)
        assert edges >= set(rules.constraints.required)
        assert all(rules.allows(edge) for edge in edges - search.first)
        assert all(rules.constraints.allows(*edge) for edge in edges)
        if rules.max_parents is not None:
            sizes = map(len, parent_sets(edges, rules.score.n_variables))
            assert all(size <= rules.max_parents for size in sizes)


@given(search=searches(), list_size=st.integers(1, 12), patience=st.integers(1, 12))
@examples(60)
def test_no_graph_comes_twice_within_the_length_of_the_list(search, list_size, patience):
    visited = search.visited(search.run(tabu_search, list_size=list_size, patience=patience))

    for i, edges in enumerate(visited):
        assert edges not in visited[max(0, i - list_size) : i]


@given(search=searches(), list_size=st.integers(0, 3))
@examples(50)
def test_a_tabu_search_without_patience_climbs(search, list_size):
    found = search.run(tabu_search, list_size=list_size, patience=0)

    assert found == search.run(hill_climbing)
    assert found.n_moves_to_best == found.n_moves


@given(search=searches(), restarts=st.integers(0, 3), seed=seeds)
@examples(50)
def test_no_neighbour_of_a_summit_is_higher(search, restarts, seed):
    found = search.run(hill_climbing, restarts=restarts, perturbations=3, random_state=seed)

    rules = search.rules
    heights = [rules.height(after) for _, after in rules.neighbours(frozenset(found.edges))]
    assert all(height <= found.score for height in heights)
    assert found.score >= search.run(hill_climbing).score


@given(search=searches(), restarts=st.integers(0, 3), perturbations=st.integers(0, 4), seed=seeds)
@examples(80)
def test_tabu_search_with_restarts_makes_the_moves_of_its_slow_twin(
    search, restarts, perturbations, seed
):
    settings = {"restarts": restarts, "perturbations": perturbations, "random_state": seed}
    found = search.run(tabu_search, list_size=4, patience=3, **settings)

    best, trail = slow_tabu_restarts(search.rules, search.start, 4, 3, **settings)
    assert list(found.trail) == trail
    assert set(found.edges) == best


@given(search=searches(real_scores()), restarts=st.integers(0, 2))
@examples(40)
def test_a_score_that_is_written_in_python_leads_the_same_way(search, restarts):
    rules = search.rules
    counted = CountedScore(rules.score)
    other = search._replace(rules=rules._replace(score=counted))

    for kind in (tabu_search, hill_climbing):
        counted.n_scores = 0
        found = other.run(kind, restarts=restarts, random_state=1)
        assert found == search.run(kind, restarts=restarts, random_state=1)
        # Scores of another walk are known already, but count as well.
        if restarts == 0 or kind is hill_climbing:
            assert found.n_scores == counted.n_scores
        else:
            assert found.n_scores >= counted.n_scores


@given(search=searches(), n_polls=st.integers(0, 40), restarts=st.integers(0, 3))
@examples(60)
def test_a_search_that_is_stopped_has_the_best_graph_until_then(search, n_polls, restarts):
    def run(kind, n_polls):
        polls = iter([*[False] * n_polls, *[True] * 10**4])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("h2pc.algorithms.search.SECONDS_BETWEEN_POLLS", 0.0)
            return search.run(kind, restarts=restarts, poll=lambda: next(polls))

    for kind in (tabu_search, hill_climbing):
        found, whole = run(kind, n_polls), search.run(kind, restarts=restarts)
        assert found.trail == whole.trail[: found.n_moves]
        assert found.score == search.rules.score.total(found.parent_sets)
        assert search.rules.height(search.first) <= found.score <= whole.score
        assert found == whole or not found.complete


@given(n_nodes=st.integers(0, 6), seed=seeds, data=st.data())
@examples(100)
def test_without_ties_the_numbers_of_the_variables_do_not_matter(n_nodes, seed, data):
    score = RandomScore(n_nodes, 2**40, seed)
    number = tuple(data.draw(st.permutations(range(n_nodes))))

    found = tabu_search(score)
    renumbered = tabu_search(RenumberedScore(score, number))

    assert renumbered.score == found.score
    assert {(number[u], number[v]) for u, v in renumbered.edges} == set(found.edges)
    assert [type(move) for move in renumbered.trail] == [type(move) for move in found.trail]


@given(data=datasets(max_rows=80, max_levels=3), seed=seeds)
@pytest.mark.parametrize("score", [BDeu, BIC])
@examples(20)
def test_the_order_of_columns_does_not_matter(score, data, seed):
    order = np.random.default_rng(seed).permutation(data.n_variables)
    names = [data.names[v] for v in order]
    shuffled = Dataset.from_codes(data.codes[order], cards=data.cards[order], names=names)

    assert tabu_search(score(shuffled)) == tabu_search(score(data))
    restarted = [hill_climbing(score(d), restarts=2, random_state=seed) for d in (shuffled, data)]
    assert restarted[0] == restarted[1]


@pytest.mark.parametrize(
    ("network", "joined"),
    [
        ("asia", True),
        ("asia", False),
        ("child", True),
        pytest.param("child", False, marks=pytest.mark.slow),
        pytest.param("alarm", True, marks=pytest.mark.slow),
        pytest.param("insurance", False, marks=pytest.mark.slow),
    ],
)
def test_on_the_data_of_a_network_the_moves_are_those_of_the_slow_twin(network, joined):
    truth = load_network(network).dag
    score = BDeu(load_network(network).sample(500, random_state=3))
    skeleton = truth.skeleton() if joined else None

    found = tabu_search(score, skeleton, max_parents=4)

    best, trail = slow_tabu_search(Landscape(score, skeleton, 4), frozenset(), 100, 15, None)
    assert list(found.trail) == trail
    assert set(found.edges) == best
    assert Dag(truth.names, found.parent_sets).edges == found.edges
