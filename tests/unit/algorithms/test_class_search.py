import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.algorithms.class_search import class_search
from h2pc.algorithms.search import Add
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.graphs import Cpdag, Dag, Skeleton, consistent_extension, dag_to_cpdag
from h2pc.independence.constraints import EdgeConstraints
from h2pc.networks import load_network
from h2pc.scores import BIC, K2, BDeu, LocalScore
from reference.slow_classes import slow_class_search
from strategies import (
    constraints,
    dags,
    datasets,
    examples,
    incomplete_datasets,
    names_of,
    random_dag,
)

TRIALS = (None, "variables", "pairs")


class LimitScore(LocalScore):
    """BIC of so many samples that frequencies are the probabilities of a random network."""

    def __init__(self, dag: Dag, seed: int, n_samples: float = 1e12) -> None:
        rng = np.random.default_rng(seed)
        self.n_samples = n_samples
        self.joint = np.ones((2,) * len(dag.names))
        for v in dag.variables:
            parents = dag.parents(v)
            for levels in product((0, 1), repeat=len(parents)):
                chance = rng.uniform(0.05, 0.95)
                for level, p in ((0, 1 - chance), (1, chance)):
                    place = [slice(None)] * len(dag.names)
                    for u, x in (*zip(parents, levels, strict=True), (v, level)):
                        place[u] = x
                    self.joint[tuple(place)] *= p
        self._terms: dict[frozenset, float] = {}

    @property
    def n_variables(self) -> int:
        return self.joint.ndim

    def family(self, child, parents=()):
        return self._term(frozenset((child, *parents))) - self._term(frozenset(parents))

    def _term(self, variables: frozenset) -> float:
        """What equivalent graphs have in common, rounded so that their scores are equal."""
        if variables not in self._terms:
            others = tuple(v for v in range(self.n_variables) if v not in variables)
            p = self.joint.sum(axis=others)
            fit = self.n_samples * float((p * np.log(p)).sum())
            self._terms[variables] = round(fit - 0.5 * math.log(self.n_samples) * p.size)
        return self._terms[variables]


def class_of(names, found) -> Cpdag:
    return dag_to_cpdag(Dag(names, found.parent_sets))


def sampled(seed: int, n_variables: int = 5, n_samples: int = 300) -> Dataset:
    """Data of a random network, whose columns follow their parents more or less."""
    rng = np.random.default_rng(seed)
    codes = []
    for v in range(n_variables):
        column = rng.integers(0, 2 + v % 2, n_samples)
        for u in range(v):
            follows = rng.random(n_samples) < rng.choice([0.0, 0.3, 0.6])
            column = np.where(follows, codes[u] % (2 + v % 2), column)
        codes.append(column)
    return Dataset.from_codes(np.array(codes), names=names_of(n_variables))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("max_parents", [None, 2])
def test_the_class_is_that_of_a_twin_that_changes_all_members(seed, max_parents):
    data = sampled(seed, n_variables=4)
    score = (BDeu, BIC)[seed % 2](data)

    found = class_search(score, max_parents=max_parents, trials=None)

    assert class_of(data.names, found) == slow_class_search(score, data.names, max_parents)


@pytest.mark.parametrize("seed", [4, 7, 26, 65, 76, 110])
def test_trials_lead_where_those_of_the_twin_do(seed):
    data = sampled(seed, n_variables=5)
    score = (BDeu, BIC)[seed % 2](data)

    found = class_search(score)

    assert found.score > class_search(score, trials=None).score
    assert class_of(data.names, found) == slow_class_search(score, data.names, tries_variables=True)


@given(dag=dags(max_nodes=6), seed=st.integers(0, 2**32 - 1), first=st.randoms())
@examples(60)
def test_in_the_limit_the_class_of_the_truth_is_found_from_any_start(dag, seed, first):
    score = LimitScore(dag, seed)
    start = random_dag(first, len(dag.names), 5)

    for graph in (None, start):
        found = class_search(score, start=graph, trials=None)

        assert found.score >= score.total([dag.parents(v) for v in dag.variables])
        if found.score == score.total([dag.parents(v) for v in dag.variables]):
            assert class_of(dag.names, found) == dag_to_cpdag(dag)


def test_directions_that_a_walk_through_graphs_gets_wrong_are_right():
    network = load_network("alarm")
    score = BDeu(network.sample(10_000, random_state=7000))

    walk = tabu_search(score, network.dag.skeleton())
    found = class_search(score, network.dag.skeleton())

    assert found.score > walk.score


@given(
    data=datasets(min_variables=2, max_variables=5, max_rows=80, max_levels=3), first=st.randoms()
)
@pytest.mark.parametrize("trials", TRIALS)
@examples(20)
def test_the_graph_is_the_extension_of_its_class_and_better_than_the_start(trials, data, first):
    score = BDeu(data)
    start = random_dag(first, data.n_variables, 3)

    found = class_search(score, start=start.edges, trials=trials)

    dag = Dag(data.names, found.parent_sets)
    assert found.complete
    assert found.score == score.total(found.parent_sets)
    assert found.score >= score.total([start.parents(v) for v in start.variables])
    if found.n_moves_to_best:
        assert dag == consistent_extension(dag_to_cpdag(dag))


@given(data=st.one_of(datasets(max_rows=60), incomplete_datasets(max_rows=60)))
@pytest.mark.parametrize("trials", TRIALS)
@examples(20)
def test_scores_that_differ_between_equivalent_graphs_come_to_an_end(trials, data):
    for score in (K2(data), BDeu(data)):
        found = class_search(score, trials=trials)

        assert found.score == score.total(found.parent_sets)
        assert found.score >= score.total([()] * data.n_variables)


@pytest.mark.parametrize("seed", range(10))
def test_trials_never_lead_to_a_lower_score(seed):
    score = BDeu(sampled(seed, n_variables=7, n_samples=100))

    scores = [class_search(score, trials=trials).score for trials in TRIALS]

    assert scores == sorted(scores)


def test_a_pair_that_costs_at_first_is_found_by_trials_of_pairs():
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 2, (2, 500))
    noise = rng.random(500) < 0.05
    score = BIC(Dataset.from_codes(np.array([a, b, a ^ b ^ noise]), names=("a", "b", "c")))

    without, with_pairs = (class_search(score, trials=trials) for trials in ("variables", "pairs"))

    assert without.edges == ()
    assert len(with_pairs.edges) == 2
    assert with_pairs.score > without.score


@given(data=datasets(max_rows=80, max_levels=3), seed=st.integers(0, 2**32 - 1))
@examples(20)
def test_neither_the_order_of_columns_nor_of_rows_matters(data, seed):
    rng = np.random.default_rng(seed)
    order, rows = rng.permutation(data.n_variables), rng.permutation(data.codes.shape[1])
    names = [data.names[v] for v in order]
    codes = data.codes[order][:, rows]
    shuffled = Dataset.from_codes(codes, cards=data.cards[order], names=names)

    assert class_search(BDeu(shuffled), trials="pairs") == class_search(BDeu(data), trials="pairs")


def test_only_pairs_of_the_skeleton_are_joined():
    data = sampled(3)
    skeleton = Skeleton(data.names, [(0, 1), (1, 4)])

    found = class_search(BDeu(data), skeleton, start=[(2, 3)], trials="pairs")

    assert {frozenset(edge) for edge in found.edges} <= {
        frozenset(edge) for edge in (*skeleton.edges, (2, 3))
    }
    assert Add(2, 3) not in found.trail
    assert Add(3, 2) not in found.trail


@given(data=datasets(min_variables=2, max_rows=80, max_levels=3), rules=st.data())
@pytest.mark.parametrize("trials", TRIALS)
@examples(30)
def test_constraints_hold(trials, data, rules):
    known = rules.draw(constraints(data.n_variables))
    score = BDeu(data)

    found = class_search(score, constraints=known, trials=trials)

    assert set(known.required) <= set(found.edges)
    assert all(known.allows(*edge) for edge in found.edges)
    assert Dag(data.names, found.parent_sets).edges == found.edges
    assert found.score == score.total(found.parent_sets)
    assert found.score >= tabu_search(score, constraints=known, max_moves=0).score


def test_a_pair_that_is_forbidden_both_ways_is_never_joined():
    data = sampled(1)
    edge = class_search(BDeu(data)).edges[0]
    forbidden = EdgeConstraints(forbidden=(edge, edge[::-1]))

    found = class_search(BDeu(data), constraints=forbidden, trials="pairs")

    assert not {(move.parent, move.child) for move in found.trail} & {edge, edge[::-1]}


@pytest.mark.parametrize("limit", [0, 1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_no_family_is_larger_than_allowed(limit, seed):
    found = class_search(BDeu(sampled(seed)), max_parents=limit, trials="pairs")

    assert max(map(len, found.parent_sets)) <= limit


@pytest.mark.parametrize("known", [EdgeConstraints(), EdgeConstraints(required=((0, 1),))])
def test_a_search_that_is_stopped_returns_the_best_until_then(known, monkeypatch):
    monkeypatch.setattr("h2pc.algorithms.search.SECONDS_BETWEEN_POLLS", 0.0)
    score = BDeu(sampled(2, n_variables=8))
    whole = class_search(score, constraints=known)
    scores = []
    for n_polls in range(0, 60, 3):
        polls = iter([False] * n_polls)
        found = class_search(score, constraints=known, poll=lambda left=polls: next(left, True))
        scores.append(found.score)
        assert not found.complete
        assert found.score == score.total(found.parent_sets)
        assert set(known.required) <= set(found.edges)
    assert scores[0] < scores[-1] <= whole.score
    assert whole.complete


def test_a_start_that_cannot_be_is_refused():
    score = BDeu(sampled(0))

    with pytest.raises(SettingError, match="make a cycle"):
        class_search(score, start=[(0, 1), (1, 0)])
    with pytest.raises(SettingError, match='"variables", "pairs" or None; it is \'edges\''):
        class_search(score, trials="edges")


def test_without_variables_or_pairs_there_is_nothing_to_do():
    data = sampled(0)

    assert class_search(BDeu(data), Skeleton(data.names)).edges == ()
    one = Dataset.from_codes(data.codes[:1], names=("a",))
    assert class_search(BDeu(one)).parent_sets == ((),)
