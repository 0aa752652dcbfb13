import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.algorithms.alternatives import EdgeChange, alternatives
from h2pc.algorithms.class_search import class_search
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.graphs import Dag, Mark, Skeleton, dag_to_cpdag
from h2pc.networks import load_network
from h2pc.networks.random_gaussian import make_linear_gaussian_network
from h2pc.scores import BIC, K2, BDeu, BGe
from reference.slow_alternatives import best_score
from strategies import constraints, datasets, examples, names_of, random_dag


def sampled(seed: int, n_variables: int = 4, n_samples: int = 200) -> Dataset:
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


def learned_from(score, names, **settings) -> Dag:
    return Dag(names, class_search(score, trials="pairs", **settings).parent_sets)


def check(found, score, dag):
    """Assert what holds of alternatives to a graph, whatever the settings."""
    own = score.total(dag.parent_sets)
    for each in found:
        assert each.score == score.total(each.dag.parent_sets)
        assert each.difference == each.score - own
        assert each.changes
    assert [each.score for each in found] == sorted((e.score for e in found), reverse=True)
    classes = [dag_to_cpdag(dag), *(each.cpdag for each in found)]
    assert len(set(classes)) == len(classes)


@given(
    data=datasets(min_variables=2, max_variables=5, max_rows=80, max_levels=3), first=st.randoms()
)
@examples(40)
def test_alternatives_to_any_graph_are_distinct_and_sorted(data, first):
    dag = random_dag(first, data.n_variables, 4)

    for score in (BDeu(data), K2(data)):
        check(alternatives(score, dag, max_loss=math.inf), score, dag)


def test_continuous_data_have_alternatives():
    data = make_linear_gaussian_network(6, random_state=4).sample(100, random_state=5)
    score = BGe(data)
    dag = learned_from(score, data.names)

    found = alternatives(score, dag)

    check(found, score, dag)
    assert found


@pytest.mark.parametrize(("n_variables", "least"), [(3, 1.0), (4, 0.9)])
def test_most_pairs_have_the_best_of_all_classes_that_join_them_otherwise(n_variables, least):
    n_best = n_pairs = n_seconds = 0
    seeds = range(20)
    for seed in seeds:
        data = sampled(seed, n_variables)
        score = (BDeu, BIC)[seed % 2](data)
        dag = learned_from(score, data.names)
        found = alternatives(score, dag, number=10_000, max_loss=math.inf)
        for pair in combinations(data.names, 2):
            was_joined = dag.skeleton().has_edge(*pair)

            def fits(graph, pair=pair, was_joined=was_joined):
                return graph.skeleton().has_edge(*pair) != was_joined

            best = max((each.score for each in found if fits(each.dag)), default=-math.inf)
            n_pairs += 1
            n_best += math.isclose(best, best_score(score, data.names, fits))
        own = dag_to_cpdag(dag)
        second = best_score(score, data.names, lambda graph, own=own: graph != own)
        n_seconds += math.isclose(found[0].score, second)

    assert n_best >= least * n_pairs
    assert n_seconds == len(seeds)


def test_where_the_data_do_not_decide_both_graphs_are_found():
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2, 400)
    b, c = (np.where(rng.random(400) < 0.2, 1 - a, a) for _ in range(2))
    copy = np.where(rng.random(400) < 0.01, 1 - b, b)  # a is as close to b as to its copy
    data = Dataset.from_codes(np.array([a, b, copy, c]), names=("a", "b", "b2", "c"))
    score = BDeu(data)
    dag = learned_from(score, data.names)

    close = alternatives(score, dag, max_loss=5.0)

    joined = {each.dag.skeleton().has_edge("a", "b2") for each in close}
    assert joined == {True, False}


def test_a_graph_in_a_local_maximum_has_a_better_alternative():
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 2, (2, 500))
    noise = rng.random(500) < 0.05
    score = BIC(Dataset.from_codes(np.array([a, b, a ^ b ^ noise]), names=("a", "b", "c")))
    empty = Dag.from_edges(("a", "b", "c"))

    found = alternatives(score, empty)

    assert class_search(score).edges == ()
    assert found[0].difference > 100.0
    assert len(found[0].changes) == 2


@given(data=datasets(min_variables=2, max_rows=80, max_levels=3), rules=st.data())
@examples(40)
def test_constraints_hold(data, rules):
    known = rules.draw(constraints(data.n_variables))
    score = BDeu(data)
    dag = Dag(data.names, tabu_search(score, constraints=known).parent_sets)

    found = alternatives(score, dag, constraints=known, number=30, max_loss=math.inf)

    check(found, score, dag)
    for each in found:
        assert set(known.required) <= set(each.dag.edges)
        assert all(known.allows(*edge) for edge in each.dag.edges)


@pytest.mark.parametrize("limit", [1, 2])
def test_skeleton_and_largest_number_of_parents_hold(limit):
    data = sampled(3, 6)
    skeleton = Skeleton(data.names, [(0, 1), (1, 4), (1, 2), (2, 5), (1, 5)])
    score = BDeu(data)
    dag = learned_from(score, data.names, skeleton=skeleton, max_parents=limit)

    found = alternatives(score, dag, skeleton, max_parents=limit, max_loss=math.inf)

    assert found
    for each in found:
        assert max(map(len, each.dag.parent_sets)) <= limit
        assert set(each.dag.skeleton().edges) <= set(skeleton.edges)


@given(data=datasets(min_variables=3, max_rows=80, max_levels=3), seed=st.integers(0, 2**32 - 1))
@examples(20)
def test_neither_the_order_of_columns_nor_of_rows_matters(data, seed):
    rng = np.random.default_rng(seed)
    order, rows = rng.permutation(data.n_variables), rng.permutation(data.codes.shape[1])
    names = [data.names[v] for v in order]
    codes = data.codes[order][:, rows]
    shuffled = Dataset.from_codes(codes, cards=data.cards[order], names=names)
    dag = learned_from(BDeu(data), data.names)

    assert alternatives(BDeu(shuffled), dag) == alternatives(BDeu(data), dag)


def test_a_smaller_number_and_a_smaller_loss_leave_the_best():
    score = BDeu(load_network("asia").sample(500, random_state=1))
    dag = learned_from(score, load_network("asia").dag.names)
    many = alternatives(score, dag, number=12)

    assert len(many) == 12
    assert alternatives(score, dag, number=5) == many[:5]
    assert alternatives(score, dag, number=0) == []
    bound = -many[3].difference
    close = alternatives(score, dag, number=12, max_loss=bound)
    assert close == [each for each in many if each.difference >= -bound]


def test_a_search_that_is_stopped_returns_what_it_has(monkeypatch):
    monkeypatch.setattr("h2pc.algorithms.alternatives.SECONDS_BETWEEN_POLLS", 0.0)
    score = BDeu(sampled(2, 8))
    dag = learned_from(score, names_of(8))
    numbers = []
    for n_polls in (0, 50, 100, 10_000_000):
        polls = iter([False] * n_polls)
        found = alternatives(score, dag, number=100, poll=lambda left=polls: next(left, True))
        check(found, score, dag)
        numbers.append(len(found))

    assert numbers[0] == 0
    assert numbers == sorted(numbers)
    assert numbers[1] < numbers[-1]


def test_mistakes_are_refused():
    score = BDeu(sampled(0))
    dag = Dag.from_edges(names_of(4))

    with pytest.raises(SettingError, match="number must be a whole number from 0 on; got -1"):
        alternatives(score, dag, number=-1)
    for loss in (-1.0, math.nan):
        with pytest.raises(SettingError, match="max_loss must be a number from 0 on"):
            alternatives(score, dag, max_loss=loss)
    with pytest.raises(SettingError, match="same variables; they have 4 and 6"):
        alternatives(score, Dag.from_edges(names_of(6)))


@pytest.mark.parametrize(
    ("learned", "alternative", "text"),
    [
        (Mark.FORWARD, None, "a → b missing"),
        (None, Mark.BACKWARD, "b → a extra"),
        (Mark.BACKWARD, Mark.UNDIRECTED, "a – b instead of b → a"),
    ],
)
def test_changes_read_as_text(learned, alternative, text):
    assert str(EdgeChange("a", "b", learned, alternative)) == text
