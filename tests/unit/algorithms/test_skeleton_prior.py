"""The skeleton as a prior: prices, candidate pairs, and what the search makes of them."""

import math
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuous_data import continuous_frame, holed, mixed_frame
from h2pc import GTest, load_network
from h2pc.algorithms.class_search import class_search
from h2pc.algorithms.h2pc import hybrid_dag, region_of, search_problem, with_neighbours
from h2pc.algorithms.mmpc import mmpc
from h2pc.algorithms.search import UNCONSTRAINED
from h2pc.algorithms.skeleton_prior import SkeletonPrior, gaining_pairs, one_sided_pairs
from h2pc.algorithms.skeletons import Symmetry, learned_skeleton
from h2pc.data import Dataset
from h2pc.graphs import Skeleton
from h2pc.independence.constraints import EdgeConstraints
from h2pc.independence.context import Context
from h2pc.independence.named import independence_test
from h2pc.runs.limits import Limits, Watch
from h2pc.scores import BIC, BDeu, LocalScore
from h2pc.scores.named import local_score
from strategies import constraints, datasets, examples

INSURANCE = load_network("insurance").sample(2000, random_state=5)
NEVER = SkeletonPrior(one_sided=1e300, outside=None)
FREE = SkeletonPrior(one_sided=0.0, outside=0.0)


def accurate(data, prior=None, score=None, known=UNCONSTRAINED, max_parents=None, **more):
    """H2PC with the skeleton as a prior."""
    return hybrid_dag(
        independence_test(data).within(Context(known)),
        local_score(data) if score is None else score,
        data.names,
        search=partial(class_search, max_parents=max_parents),
        prior=SkeletonPrior() if prior is None else prior,
        **more,
    )


def joined(dag) -> set:
    return {frozenset(edge) for edge in dag.named_edges}


def pairs_of(skeleton) -> set:
    return {frozenset(edge) for edge in skeleton.named_edges}


class Own(LocalScore):
    """Another score, called from Python."""

    def __init__(self, score) -> None:
        self.score = score

    @property
    def n_variables(self) -> int:
        return self.score.n_variables

    def family(self, child, parents=()):
        return self.score.family(child, parents)


tables = datasets(min_variables=2, max_variables=6, max_rows=200, max_levels=3)


@given(tables)
@examples(30)
def test_the_graph_stays_inside_the_skeleton_where_nothing_else_is_worth_its_price(data):
    result = accurate(data, NEVER)

    assert joined(result.dag) <= pairs_of(result.skeleton)


@given(tables)
@examples(30)
def test_without_prices_the_skeleton_does_not_matter(data):
    score, every = BDeu(data), combinations(range(data.n_variables), 2)
    found = learned_skeleton(GTest(data), data.names)
    gaining = [(u, v) for u, v in every if score.family(v, (u,)) > score.family(v)]
    pairs = {*gaining, *found.skeleton.edges, *one_sided_pairs(found)}

    result = accurate(data, FREE)

    expected = class_search(score, Skeleton(data.names, pairs))
    assert result.dag.parent_sets == expected.parent_sets
    assert result.score == expected.score


@given(tables, st.sampled_from([None, 0.0, 0.5, 2.0]), st.sampled_from([0.0, 1.0]))
@examples(30)
def test_candidates_and_prices_are_as_defined(data, outside, one_sided):
    score, found = BDeu(data), learned_skeleton(GTest(data), data.names)
    views = {(x, y) for x, own in found.found.items() for y in own.pc}

    problem = search_problem(
        score, found, EdgeConstraints(), prior=SkeletonPrior(one_sided, outside)
    )

    for u, v in combinations(range(data.n_variables), 2):
        is_edge, is_seen = found.skeleton.has_edge(u, v), bool({(u, v), (v, u)} & views)
        factor = 0.0 if is_edge else one_sided if is_seen else outside
        price = 0.0 if factor is None else factor * math.log(data.n_variables)
        assert problem.score.price(u, v) == pytest.approx(price, abs=score.unit)
        gains = score.family(v, (u,)) - score.family(v) > problem.score.price(u, v)
        comes_in = is_edge or is_seen or (outside is not None and gains)
        assert problem.pairs.has_edge(u, v) == comes_in


@given(tables, st.integers(0, 2**32 - 1))
@examples(20)
def test_neither_the_order_of_columns_nor_of_rows_matters(data, seed):
    rng = np.random.default_rng(seed)
    order, rows = rng.permutation(data.n_variables), rng.permutation(data.codes.shape[1])
    names = [data.names[v] for v in order]
    shuffled = Dataset.from_codes(data.codes[order][:, rows], cards=data.cards[order], names=names)

    assert accurate(shuffled) == accurate(data)


@given(tables, st.data())
@examples(30)
def test_constraints_are_respected(data, rules):
    known = rules.draw(constraints(data.n_variables))

    result = accurate(data, SkeletonPrior(0.0, 0.1), known=known)

    assert set(known.required) <= set(result.dag.edges)
    assert all(known.allows(*edge) for edge in result.dag.edges)
    assert result.score == BDeu(data).total(result.dag.parent_sets)


def test_a_pair_that_is_forbidden_both_ways_is_no_candidate():
    found = learned_skeleton(GTest(INSURANCE), INSURANCE.names)
    free = search_problem(BDeu(INSURANCE), found, EdgeConstraints(), prior=FREE).pairs
    outside = sorted(set(free.edges) - set(found.skeleton.edges) - one_sided_pairs(found))
    apart = {outside[0], min(one_sided_pairs(found))}
    known = EdgeConstraints(forbidden=tuple(edge for u, v in apart for edge in ((u, v), (v, u))))

    pairs = search_problem(BDeu(INSURANCE), found, known, prior=FREE).pairs

    assert set(free.edges) - set(pairs.edges) == apart


@pytest.mark.parametrize("learner", [{}, {"learner": mmpc}, {"symmetry": Symmetry.OR}])
def test_threads_change_nothing_and_the_score_has_no_prices(learner):
    result = accurate(INSURANCE, **learner)

    assert accurate(INSURANCE, n_jobs=2, **learner) == result
    assert result.score == BDeu(INSURANCE).total(result.dag.parent_sets)
    assert joined(result.dag) - pairs_of(result.skeleton)


@pytest.mark.parametrize("targets", [("Age",), ("PropCost", "Airbag"), ("DrivHist",)])
def test_around_targets_the_graph_is_that_of_the_region(targets):
    numbers = INSURANCE.variables(targets)

    result = accurate(INSURANCE, SkeletonPrior(0.1, 0.1), targets=numbers)
    paper = hybrid_dag(GTest(INSURANCE), BDeu(INSURANCE), INSURANCE.names, targets=numbers)

    near = with_neighbours(numbers, result.skeleton_result.skeleton)
    names = {INSURANCE.names[v] for v in near}
    assert result.dag.names == paper.dag.names
    assert result.skeleton == paper.skeleton
    assert all(pair & names for pair in joined(result.dag))
    place = dict(enumerate(INSURANCE.variables(result.dag.names)))
    families = [
        (place[v], tuple(place[u] for u in parents))
        for v, parents in enumerate(result.dag.parent_sets)
    ]
    score = BDeu(INSURANCE)
    assert result.score == sum(score.family(*family) for family in families)


def test_candidates_around_targets_are_pairs_of_the_region_near_them():
    targets = (INSURANCE.variable("Age"),)
    found = learned_skeleton(GTest(INSURANCE), INSURANCE.names, targets=targets, depth=1)

    pairs = search_problem(
        BDeu(INSURANCE), found, EdgeConstraints(), targets=targets, prior=FREE
    ).pairs

    near = with_neighbours(targets, found.skeleton)
    region = region_of(targets, pairs)
    score = BDeu(INSURANCE)
    for u, v in combinations(region, 2):
        if not {u, v} & near:
            assert not pairs.has_edge(u, v)
        elif score.family(v, (u,)) > score.family(v):
            assert pairs.has_edge(u, v)


def gaining_by_definition(score, variables, near) -> list:
    return [
        (u, v)
        for v in variables
        for u in variables
        if u < v
        and (near is None or u in near or v in near)
        and score.family(v, (u,)) > score.family(v)
    ]


def as_pairs(found):
    return [tuple(pair) for pair in found.tolist()]


@given(tables, st.sets(st.integers(0, 5)), st.none() | st.sets(st.integers(0, 5)))
@examples(30)
def test_pairs_that_gain_are_as_defined(data, chosen, near):
    score = BIC(data)
    variables = tuple(v for v in range(data.n_variables) if v not in chosen)
    near = None if near is None else near & set(range(data.n_variables))

    for each in (score, Own(score)):
        found = gaining_pairs(each, variables, near)

        assert as_pairs(found) == gaining_by_definition(score, variables, near)


@pytest.mark.parametrize("near", [None, frozenset(range(0, 600, 7))])
def test_threads_find_the_same_pairs(near):
    data = Dataset.from_codes(np.random.default_rng(3).integers(0, 2, (600, 12)))
    score = BIC(data)

    found = gaining_pairs(score, tuple(range(600)), near)

    assert as_pairs(gaining_pairs(score, tuple(range(600)), near, n_jobs=2)) == as_pairs(found)
    assert as_pairs(found[::50]) == gaining_by_definition(score, range(600), near)[::50]


def test_the_scan_of_pairs_ends_when_it_is_polled(monkeypatch):
    monkeypatch.setattr("h2pc.algorithms.skeleton_prior.SECONDS_BETWEEN_POLLS", 0.0)
    score, n = BDeu(INSURANCE), INSURANCE.n_variables
    whole = gaining_pairs(score, tuple(range(n)))
    polls = iter([False] * 12)

    part = gaining_pairs(score, tuple(range(n)), poll=lambda: next(polls, True))

    assert 0 < len(part) < len(whole)
    assert as_pairs(part) == as_pairs(whole[: len(part)])


def test_an_error_of_a_score_ends_the_scan_in_all_threads():
    class Broken(Own):
        def changed(self, child, parents, others):
            if child == 300:
                raise ZeroDivisionError
            return np.zeros(len(others))

        def family(self, child, parents=()):
            return 0.0

    score = Broken(BIC(Dataset.from_codes(np.zeros((600, 4), dtype=np.int64))))

    with pytest.raises(ZeroDivisionError):
        gaining_pairs(score, tuple(range(600)), n_jobs=2)


def test_a_run_that_is_stopped_is_incomplete_and_a_graph_all_the_same():
    watch = Watch(Limits(max_seconds=1e-9))

    result = accurate(INSURANCE, watch=watch)

    assert not result.complete
    assert result.score == BDeu(INSURANCE).total(result.dag.parent_sets)


def test_a_search_goes_on_where_the_time_of_the_skeleton_ran_out():
    class Clock(Watch):
        """Time for the search alone."""

        def first_part(self, share):
            return Watch(Limits(max_seconds=1e-9))

    result = accurate(INSURANCE, watch=Clock())

    assert not result.complete
    assert result.skeleton.edges == ()
    assert len(result.dag.edges) > 20


@pytest.mark.parametrize("most", [0, 1, 2])
def test_no_family_is_larger_than_allowed(most):
    result = accurate(INSURANCE, max_parents=most)

    assert max(map(len, result.dag.parent_sets)) == most


@pytest.mark.parametrize(
    "frame", [continuous_frame(), mixed_frame(), holed(continuous_frame(), 0.02)]
)
def test_continuous_and_mixed_variables(frame):
    data = Dataset.from_data(frame, missing="available")
    shuffled = Dataset.from_data(frame[frame.columns[::-1]][::-1], missing="available")

    result = accurate(data)

    assert accurate(shuffled) == result
    truth = [("a", "b"), ("b", "c"), ("c", "d"), ("c", "e"), ("e", "f")]
    assert joined(result.dag) >= set(map(frozenset, truth))


def test_a_score_that_is_written_in_python_finds_the_same():
    score = BIC(INSURANCE)

    own, usual = accurate(INSURANCE, score=Own(score)), accurate(INSURANCE, score=score)

    assert own.dag == usual.dag
    assert own.score == usual.score
