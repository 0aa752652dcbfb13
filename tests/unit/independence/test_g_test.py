"""Every answer of the compiled tests is that of the textbook, on random and degenerate tables."""

import math
import pickle
import subprocess
import sys
from copy import copy, deepcopy
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.base import Separation, Sifted
from h2pc.independence.g_test import ChiSquareTest, GTest
from h2pc.independence.table_test import Outcome
from h2pc.local.iamb_fdr import discovery_limits
from reference.slow_tables import OneByOne, g2, log_tail, pearson, slow_outcome
from strategies import datasets, examples, questions

TESTS = {GTest: g2, ChiSquareTest: pearson}
kinds = st.sampled_from([GTest, ChiSquareTest])
power_rules = st.sampled_from([5.0, 1.0, 0.5, 0.0])


def assert_same(found: Outcome, textbook: Outcome) -> None:
    assert found.performed == textbook.performed
    assert found.df == textbook.df
    assert found.statistic == pytest.approx(textbook.statistic, rel=1e-10, abs=1e-9)
    assert found.log_p == pytest.approx(textbook.log_p, rel=1e-8, abs=1e-8)


def linked(n_rows: int, cards: list[int], seed: int = 0) -> Dataset:
    """Columns that follow a hidden one half of the time."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 5040, n_rows)
    codes = [
        np.where(rng.random(n_rows) < 0.5, hidden % card, rng.integers(0, card, n_rows))
        for card in cards
    ]
    return Dataset.from_codes(codes, cards=cards)


# One question


@examples(250)
@given(st.data(), datasets(min_variables=2), kinds, power_rules, st.booleans())
def test_the_outcome_is_that_of_the_textbook(draw, data, kind, power_rule, adjust_df):
    x, (y, *_), z = draw.draw(questions(data.n_variables))

    found = kind(data, power_rule=power_rule, adjust_df=adjust_df).outcome(x, y, z)

    rules = {"power_rule": power_rule, "adjust_df": adjust_df}
    assert_same(found, slow_outcome(data, x, y, z, statistic=TESTS[kind], **rules))


@examples(25)
@given(st.data(), datasets(min_variables=2, wide=True), kinds, power_rules, st.booleans())
def test_the_outcome_is_that_of_the_textbook_for_hundreds_of_levels(
    draw, data, kind, power_rule, adjust_df
):
    x, (y, *_), z = draw.draw(questions(data.n_variables, max_z=2))

    found = kind(data, power_rule=power_rule, adjust_df=adjust_df).outcome(x, y, z)

    rules = {"power_rule": power_rule, "adjust_df": adjust_df}
    assert_same(found, slow_outcome(data, x, y, z, statistic=TESTS[kind], **rules))


@pytest.mark.parametrize("kind", TESTS)
def test_a_table_by_hand(kind):
    data = Dataset.from_codes([[0] * 30 + [1] * 30, [0] * 20 + [1] * 10 + [0] * 10 + [1] * 20])
    statistic = {
        GTest: 2.0 * (40 * math.log(20 / 15) + 20 * math.log(10 / 15)),
        ChiSquareTest: 4 * 25 / 15,
    }

    outcome = kind(data).outcome(0, 1)

    assert outcome.statistic == pytest.approx(statistic[kind], rel=1e-12)
    assert outcome.df == 1
    assert outcome.p == pytest.approx(math.erfc(math.sqrt(statistic[kind] / 2)), rel=1e-12)
    assert outcome.performed


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("adjust_df", [True, False])
def test_a_constant_column_is_independent_of_everything(kind, adjust_df):
    data = Dataset.from_codes([[0] * 90, [0, 1, 2] * 30, [1, 0] * 45], cards=[1, 3, 2])
    test = kind(data, adjust_df=adjust_df)

    for x, y, z in [(0, 1, ()), (1, 0, ()), (0, 1, (2,)), (2, 0, (1,))]:
        assert test.outcome(x, y, z) == Outcome(0.0, 0, 0.0, performed=True)


@pytest.mark.parametrize("kind", TESTS)
def test_a_declared_column_with_one_level_in_the_rows_has_no_degrees_of_freedom(kind):
    data = Dataset.from_codes([[1] * 90, [0, 1, 2] * 30], cards=[3, 3])

    assert kind(data).outcome(0, 1) == Outcome(0.0, 0, 0.0, performed=True)
    assert kind(data, adjust_df=False).outcome(0, 1) == Outcome(0.0, 4, 0.0, performed=True)


@pytest.mark.parametrize("kind", TESTS)
def test_what_separates_completely_leaves_no_degrees_of_freedom(kind):
    x = [0, 1, 1, 0] * 20
    data = Dataset.from_codes([x, x, [0, 0, 1, 1] * 20])

    assert kind(data).outcome(0, 2, (1,)) == Outcome(0.0, 0, 0.0, performed=True)


@pytest.mark.parametrize("kind", TESTS)
def test_a_candidate_in_the_conditioning_set_is_known_and_so_independent(kind):
    data = linked(300, [2, 3, 2, 4])
    test = kind(data, power_rule=0.0)

    for z in [(1,), (1, 2), (2, 1, 3)]:
        assert test.outcome(0, 1, z) == Outcome(0.0, 0, 0.0, performed=True)


@pytest.mark.parametrize("kind", TESTS)
def test_a_single_sample_is_no_evidence(kind):
    data = Dataset.from_codes([[1], [0], [1]], cards=[2, 2, 2])

    assert kind(data, power_rule=0.0).outcome(0, 1, (2,)) == Outcome(0.0, 0, 0.0, performed=True)


def test_links_far_below_the_smallest_double_are_ranked():
    n = 20_000
    x = np.tile([0, 1], n // 2)
    copies = [np.where(np.arange(n) < flipped, 1 - x, x) for flipped in (0, 10, 20, 400)]
    test = GTest(Dataset.from_codes([x, *copies]))

    log_p = test.log_p_many(0, (1, 2, 3, 4))

    assert np.exp(log_p).tolist() == [0.0] * 4
    assert all(weaker > stronger for stronger, weaker in pairwise(log_p))
    assert log_p[0] == pytest.approx(log_tail(2 * n * math.log(2), 1), rel=1e-12)


@pytest.mark.parametrize(("n_rows", "n_levels"), [(200, 200), (5_000, 300), (200_000, 200)])
def test_the_strongest_link_between_many_levels_does_not_overflow(n_rows, n_levels):
    x = np.arange(n_rows) % n_levels
    data = Dataset.from_codes([x, x])

    found = ChiSquareTest(data, power_rule=0.0).outcome(0, 1)

    assert found.statistic == pytest.approx(n_rows * (n_levels - 1), rel=1e-10)
    assert found.df == (n_levels - 1) ** 2


# The power rule


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize(
    ("cards", "z"), [((2, 3), ()), ((2, 3, 2), (2,)), ((2, 2, 3, 3), (2, 3)), ((7, 1, 1), (2,))]
)
def test_five_samples_for_each_possible_cell_are_enough_and_one_fewer_is_not(kind, cards, z):
    enough = 5 * math.prod(cards)
    codes = [np.arange(enough) % card for card in cards]

    for n_samples, performed in [(enough - 1, False), (enough, True)]:
        data = Dataset.from_codes([column[:n_samples] for column in codes], cards=cards)
        outcome = kind(data).outcome(0, 1, z)
        assert outcome.performed == performed
        assert_same(outcome, slow_outcome(data, 0, 1, z, statistic=TESTS[kind]))
        if not performed:
            assert outcome.log_p == 0.0


def test_declared_levels_are_possible_although_unobserved():
    copy_of_x = [[0, 1] * 10] * 2

    assert GTest(Dataset.from_codes(copy_of_x, cards=[2, 2])).outcome(0, 1).performed
    assert not GTest(Dataset.from_codes(copy_of_x, cards=[2, 3])).outcome(0, 1).performed


def test_the_fewest_samples_for_each_cell_can_be_set():
    data = Dataset.from_codes([[0, 1] * 6, [0, 1] * 6])

    assert GTest(data, power_rule=3.0).outcome(0, 1).performed
    assert not GTest(data, power_rule=3.01).outcome(0, 1).performed
    assert GTest(data, power_rule=0.0).outcome(0, 1).performed


@pytest.mark.parametrize("kind", [GTest, ChiSquareTest])
def test_a_bolder_test_is_that_of_its_rule_whatever_was_asked_before(kind):
    data = Dataset.from_codes(np.random.default_rng(3).integers(0, 4, (6, 300)))
    first = kind(data)
    variables = tuple(range(1, 6))
    members, limits = (), np.full(5, -1e-3)
    first.log_p_many(0, variables, (5,))
    first.settled(0, variables, members, limits)

    bolder, fresh = first.with_power_rule(1.0), kind(data, power_rule=1.0)

    assert bolder.power_rule == 1.0
    assert bolder.outcome(0, 1, (2, 3)).performed
    assert not first.outcome(0, 1, (2, 3)).performed
    for z in ((), (5,), (4, 5)):
        asked = variables[: 5 - len(z)]
        assert bolder.log_p_many(0, asked, z).tolist() == fresh.log_p_many(0, asked, z).tolist()
    assert bolder.settled(0, variables, members, limits) == fresh.settled(
        0, variables, members, limits
    )
    assert first.with_power_rule(5.0) is None


def test_candidates_of_one_call_may_differ_in_power():
    x = np.arange(60) % 2
    data = Dataset.from_codes([x, x, x, x], cards=[2, 7, 2, 6])

    weak, strong, boundary = GTest(data).log_p_many(0, (1, 2, 3))

    assert weak == 0.0
    assert strong == boundary == pytest.approx(log_tail(120 * math.log(2), 1), rel=1e-10)


def test_a_separating_set_without_power_is_taken_for_one_that_separates():
    x = np.arange(40) % 2
    data = Dataset.from_codes([x, x, (np.arange(40) // 2) % 2, np.arange(40) % 5])

    found = GTest(data).first_separator(0, 1, (2, 3))

    assert found == Separation((3,), 0.0)


# Many questions in one call


@examples(120)
@given(st.data(), datasets(min_variables=2), kinds, power_rules, st.booleans())
def test_many_candidates_get_the_answers_of_one_at_a_time(draw, data, kind, power_rule, adjust_df):
    target, candidates, z = draw.draw(questions(data.n_variables))
    test = kind(data, power_rule=power_rule, adjust_df=adjust_df)

    many = test.log_p_many(target, candidates, z)

    assert many.tolist() == [test.outcome(target, x, z).log_p for x in candidates]


@examples(120)
@given(st.data(), datasets(min_variables=2), kinds, power_rules)
def test_candidates_with_a_set_of_their_own_get_the_answers_of_one_at_a_time(
    draw, data, kind, power_rule
):
    target = draw.draw(st.sampled_from(range(data.n_variables)))
    asked = draw.draw(
        st.lists(questions(data.n_variables).filter(lambda q: q.target == target), max_size=8)
        if data.n_variables < 4
        else st.lists(questions(data.n_variables), max_size=8)
    )
    asked = [q for q in asked if q.target == target]
    candidates = tuple(q.candidates[0] for q in asked)
    zs = [q.z for q in asked]
    test = kind(data, power_rule=power_rule)

    each = test.log_p_each(target, candidates, zs)

    alone = [test.outcome(target, x, z).log_p for x, z in zip(candidates, zs, strict=True)]
    assert each.tolist() == alone


def test_no_candidates_get_no_answers():
    test = GTest(linked(50, [2, 2, 2]))

    assert test.log_p_many(0, ()).shape == (0,)
    assert test.log_p_many(0, (), (1,)).shape == (0,)
    assert test.log_p_each(0, (), []).shape == (0,)


def test_hundreds_of_candidates_are_answered_at_once():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (400, 130))
    codes[200] = codes[0]
    test = GTest(Dataset.from_codes(codes), power_rule=0.0)
    candidates = tuple(rng.permutation(np.arange(2, 400)).tolist())

    for z in [(), (1,)]:
        many = test.log_p_many(0, candidates, z)
        assert many.tolist() == [test.log_p(x, 0, z) for x in candidates]
        assert candidates[int(np.argmin(many))] == 200


@pytest.mark.parametrize("n_rows", [30, 700, 3000])
def test_binary_tables_are_those_of_the_same_columns_with_a_level_that_never_occurs(n_rows):
    binary = linked(n_rows, [2] * 7)
    wider = Dataset.from_codes(binary.codes, cards=[3] * 7)
    test, other = (GTest(data, power_rule=0.0) for data in (binary, wider))

    for target in range(7):
        rest = tuple(v for v in range(7) if v != target)
        for z in [(), rest[:1], rest[-2:], rest[1:4]]:
            asked = tuple(v for v in rest if v not in z)
            found = test.log_p_many(target, asked, z).tolist()
            assert found == other.log_p_many(target, asked, z).tolist()
            for candidate in asked:
                pool = tuple(v for v in asked if v != candidate)
                search = {"base": z, "min_size": 1, "max_size": 1}
                separation = test.first_separator(target, candidate, pool, **search)
                assert separation == other.first_separator(target, candidate, pool, **search)


@examples(60)
@given(st.data(), datasets(min_variables=3), st.sampled_from([5.0, 0.0]))
def test_a_grid_holds_the_answers_of_one_at_a_time(draw, data, power_rule):
    target, candidates, z = draw.draw(questions(data.n_variables, max_z=2))
    test = GTest(data, power_rule=power_rule)
    xs = tuple(v for v in range(data.n_variables) if v != target)
    zs = [z[: i % 3] for i in range(len(candidates))]

    grid = test.log_p_grid(target, candidates, zs, xs)

    assert grid.shape == (len(xs), len(candidates))
    for x, row in zip(xs, grid.tolist(), strict=True):
        for candidate, own, log_p in zip(candidates, zs, row, strict=True):
            if x in own:
                assert log_p == 0.0
            elif x != candidate:
                alone = test.log_p(target, candidate, (*own, x))
                assert log_p == (0.0 if test.independent(alone) else alone)


@examples(150)
@given(
    st.data(), datasets(min_variables=2), kinds, power_rules, st.sampled_from([0.001, 0.05, 0.6])
)
def test_the_search_for_a_separator_is_that_of_the_base_class(draw, data, kind, power_rule, alpha):
    target, (candidate, *pool), base = draw.draw(questions(data.n_variables, max_z=2))
    min_size = draw.draw(st.integers(0, 2))
    max_size = draw.draw(st.none() | st.integers(0, 6))
    limits = {"base": base, "min_size": min_size, "max_size": max_size}
    test = kind(data, alpha, power_rule=power_rule)
    plain = OneByOne(kind(data, alpha, power_rule=power_rule, remembered=0))

    found = test.first_separator(target, candidate, tuple(pool), **limits)

    assert found == plain.first_separator(target, candidate, tuple(pool), **limits)


@pytest.mark.parametrize("alpha", [1e-30, 1e-3, 0.5])
@pytest.mark.parametrize("base", [(), (8,), (8, 9)])
def test_the_search_in_a_large_pool_is_that_of_the_base_class(base, alpha):
    data = linked(600, [2, 3, 2, 2, 3, 2, 4, 2, 2, 3])
    test = GTest(data, alpha, power_rule=0.0)
    plain = GTest(data, alpha, power_rule=0.0, remembered=0)
    pool = (7, 2, 5, 3, 6, 4)

    found = test.first_separator(0, 1, pool, base=base)

    assert found == OneByOne(plain).first_separator(0, 1, pool, base=base)
    assert plain.focused(tuple(range(10))).first_separator(0, 1, pool, base=base) == found


@examples(100)
@given(st.data(), datasets(min_variables=3), kinds, power_rules, st.sampled_from([1e-6, 0.05, 0.6]))
def test_the_weakest_links_are_those_of_the_base_class(draw, data, kind, power_rule, alpha):
    target, candidates, others = draw.draw(questions(data.n_variables, max_z=4))
    n_base = draw.draw(st.integers(0, len(others)))
    question = target, candidates, others[:n_base], others[n_base:]
    test = kind(data, alpha, power_rule=power_rule)

    found = test.weakest_links(*question)

    plain = kind(data, alpha, power_rule=power_rule, remembered=0)
    assert found == OneByOne(plain).weakest_links(*question)
    assert found == plain.weakest_links(*question)
    assert found == plain.focused((target, *candidates, *others)).weakest_links(*question)


@examples(100)
@given(st.data(), datasets(min_variables=3), kinds, power_rules, st.sampled_from([1e-6, 0.05, 0.6]))
def test_what_is_inseparable_is_so_for_the_base_class(draw, data, kind, power_rule, alpha):
    target, candidates, others = draw.draw(questions(data.n_variables, max_z=2))
    pool = (*candidates[1:], *others)
    test = kind(data, alpha, power_rule=power_rule)

    found = test.inseparable(target, candidates, pool)

    plain = kind(data, alpha, power_rule=power_rule, remembered=0)
    assert found == OneByOne(plain).inseparable(target, candidates, pool)
    assert found == plain.focused((target, *candidates, *others)).inseparable(
        target, candidates, pool
    )


@examples(100)
@given(st.data(), datasets(min_variables=2), kinds, power_rules)
def test_members_without_each_get_the_answers_of_one_at_a_time(draw, data, kind, power_rule):
    target, members, _ = draw.draw(questions(data.n_variables, max_z=3))
    test = kind(data, power_rule=power_rule)

    found = test.log_p_without_each(target, members)

    others = [tuple(y for y in members if y != x) for x in members]
    alone = [test.outcome(target, x, z).log_p for x, z in zip(members, others, strict=True)]
    assert found.tolist() == alone


def test_without_members_there_is_nothing_to_leave_out():
    assert GTest(linked(50, [2, 2])).log_p_without_each(0, ()).shape == (0,)


@examples(150)
@given(st.data(), datasets(min_variables=2), kinds, power_rules, st.sampled_from([1e-6, 0.05, 0.6]))
def test_sifting_is_that_of_the_base_class(draw, data, kind, power_rule, alpha):
    target, candidates, base = draw.draw(questions(data.n_variables, max_z=2))
    test = kind(data, alpha, power_rule=power_rule)

    found = test.sift(target, candidates, base=base)

    plain = kind(data, alpha, power_rule=power_rule, remembered=0)
    assert found == OneByOne(plain).sift(target, candidates, base=base)


@pytest.mark.parametrize("alpha", [1e-30, 1e-10, 1e-3, 0.5])
def test_sifting_many_candidates_is_that_of_the_base_class(alpha):
    data = linked(800, [2, 3, 2, 4, 3, 2, 5, 2, 3])
    test = GTest(data, alpha, power_rule=0.0)
    plain = OneByOne(GTest(data, alpha, power_rule=0.0, remembered=0))

    for target in range(9):
        candidates = tuple(v for v in range(8, 0, -1) if v != target)
        for base in [(), (0,)] if target != 0 else [()]:
            found = test.sift(target, candidates, base=base)
            assert found == plain.sift(target, candidates, base=base)


@examples(100)
@given(st.data(), datasets(min_variables=3), kinds, power_rules, st.sampled_from([1e-6, 0.05, 0.6]))
def test_sifting_given_any_is_that_of_the_base_class(draw, data, kind, power_rule, alpha):
    target, variables, _ = draw.draw(questions(data.n_variables, max_z=0))
    n_xs = draw.draw(st.integers(0, len(variables) - 1))
    xs, candidates = variables[:n_xs], variables[n_xs:]
    sets = st.lists(st.sampled_from(variables), max_size=2, unique=True).map(tuple)
    zs = [tuple(v for v in draw.draw(sets) if v != x) for x in candidates]
    test = kind(data, alpha, power_rule=power_rule)

    found = test.sift_given_any(target, candidates, zs, xs)

    plain = kind(data, alpha, power_rule=power_rule, remembered=0)
    assert found == OneByOne(plain).sift_given_any(target, candidates, zs, xs)


@pytest.mark.parametrize("alpha", [1e-30, 1e-10, 1e-3, 0.05, 0.5])
@pytest.mark.parametrize("n_levels", [2, 3])
def test_what_some_sift_keeps_is_found_without_sifting_everything(alpha, n_levels):
    data = linked(400, [n_levels] * 16)
    test = GTest(data, alpha, power_rule=0.0)

    for target in range(16):
        xs = tuple(v for v in range(5) if v != target)
        candidates = tuple(v for v in range(5, 16) if v != target)
        nothing = [()] * len(candidates)
        found = test.sift_given_any(target, candidates, nothing, xs)

        sifted = [test.sift(target, candidates, base=(x,)) for x in xs]
        assert set(found.members) == {y for one in sifted for y in one.kept}
        assert found == OneByOne(test).sift_given_any(target, candidates, nothing, xs)


@examples(200)
@given(st.data(), datasets(min_variables=2), kinds, power_rules, st.sampled_from([1e-6, 0.05, 0.6]))
def test_a_boundary_settles_as_in_the_base_class(draw, data, kind, power_rule, alpha):
    target, variables, _ = draw.draw(questions(data.n_variables, max_z=0))
    test = kind(data, alpha, power_rule=power_rule)
    plain = OneByOne(kind(data, alpha, power_rule=power_rule, remembered=0))

    for _ in range(3):  # later ones meet what is remembered of the first
        some = draw.draw(st.lists(st.sampled_from(variables), unique=True))
        members = tuple(some[: draw.draw(st.integers(0, len(some)))])
        limits = discovery_limits(len(some), test.log_alpha)
        found = test.settled(target, tuple(sorted(some)), members, limits)
        assert found == plain.settled(target, tuple(sorted(some)), members, limits)


def test_more_rounds_than_are_remembered_change_nothing():
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2, (40, 3000), dtype=np.uint8)
    columns[0] = columns[1:30].sum(axis=0) > rng.integers(10, 19, 3000)
    data = Dataset.from_codes(columns)
    test, plain = GTest(data, 0.3, power_rule=0.0), OneByOne(GTest(data, 0.3, power_rule=0.0))
    candidates = tuple(range(1, 40))
    limits = np.linspace(-9.0, -0.5, 39)

    for some in (candidates, candidates[:30], candidates[5:], candidates):
        found = test.settled(0, some, (), limits)
        assert found == plain.settled(0, some, (), limits)
        assert len(found.members) >= 16


@pytest.mark.parametrize("n_members", [0, 1, 2, 4])
def test_copies_of_a_column_leave_and_enter_as_in_the_base_class(n_members):
    columns = linked(400, [2, 2, 3, 2]).codes
    data = Dataset.from_codes([*columns, *columns, *columns])
    test = GTest(data, 0.3, power_rule=0.0)
    plain = OneByOne(test)
    candidates = tuple(range(1, 12))

    for shift in range(11):
        members = tuple(candidates[(shift - 3 * i) % 11] for i in range(n_members))
        for tightened in (0.0, 1.0, 3.0, 50.0):  # so that ranks decide
            limits = discovery_limits(11, test.log_alpha) - tightened
            found = test.settled(0, candidates, members, limits)
            assert found == plain.settled(0, candidates, members, limits)


@given(draw=st.data(), data=datasets())
@examples(30)
def test_the_target_may_stand_among_its_candidates(draw, data):
    target, *candidates = draw.draw(st.permutations(range(data.n_variables)))
    test = GTest(data, alpha=0.3)
    limits = discovery_limits(len(candidates), test.log_alpha)
    alone = test.settled(target, tuple(sorted(candidates)), (), limits)

    for ci in (test, OneByOne(GTest(data, alpha=0.3))):
        assert ci.settled(target, tuple(range(data.n_variables)), (), limits) == alone


def test_without_candidates_nothing_changes():
    test = GTest(linked(50, [2, 2]))

    assert test.settled(0, (), (), discovery_limits(0, test.log_alpha)).members == ()


def test_nothing_is_left_of_no_candidates():
    test = GTest(linked(50, [2, 2]))

    assert test.sift(0, ()) == Sifted((), {}, 0)
    assert test.sift_given_any(0, (), [], (1,)) == ((), 0)
    assert test.sift_given_any(0, (1,), [()], ()) == ((), 0)


def test_a_search_over_no_sizes_asks_nothing():
    test = GTest(linked(100, [2, 2, 2]))

    assert test.first_separator(0, 1, (2,), min_size=2) == Separation(None, -math.inf)
    assert test.first_separator(0, 1, (), min_size=1) == Separation(None, -math.inf)


# Many levels, many variables


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("adjust_df", [True, False])
def test_thirty_conditioning_variables_do_not_overflow(kind, adjust_df):
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 2, (32, 40))
    codes = hidden[:, rng.integers(0, 40, 2_000)]
    codes[0] ^= rng.random(2_000) < 0.2
    codes[1] ^= codes[0] & (rng.random(2_000) < 0.5)
    data = Dataset.from_codes(codes, cards=[2] * 32)
    z = tuple(range(2, 32))

    test = kind(data, power_rule=0.0, adjust_df=adjust_df)
    found = test.outcome(0, 1, z)

    textbook = slow_outcome(
        data, 0, 1, z, statistic=TESTS[kind], power_rule=0.0, adjust_df=adjust_df
    )
    assert found.statistic == pytest.approx(textbook.statistic, rel=1e-10)
    assert found.df == textbook.df
    assert found.statistic > 10.0
    assert test.focused(tuple(range(32))).outcome(0, 1, z) == found
    assert test.log_p_without_each(0, tuple(range(1, 32)))[0] == found.log_p
    assert test.log_p_many(1, (0,), z[::-1])[0] == found.log_p


@pytest.mark.parametrize("n_z", [63, 64, 65, 200])
def test_more_strata_than_a_word_can_number_are_kept_apart(n_z):
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (n_z + 2, 25))[:, rng.integers(0, 25, 500)]
    codes[:2] = rng.integers(0, 2, (2, 500))
    data = Dataset.from_codes(codes, cards=[2] * (n_z + 2))
    z = tuple(range(2, n_z + 2))

    found = GTest(data, power_rule=0.0).outcome(0, 1, z)

    assert_same(found, slow_outcome(data, 0, 1, z, power_rule=0.0))
    assert found.df > 10


@pytest.mark.parametrize("adjust_df", [True, False])
def test_strata_of_thousands_of_levels_are_kept_apart(adjust_df):
    # Levels of the first two by themselves are few enough for a table, those of both are not.
    rng = np.random.default_rng(0)
    codes = np.zeros((5, 3_000), int)
    codes[0] = 4 * (np.arange(3_000) % 1_000)
    codes[1] = codes[0] * 7 % 4_500
    codes[2:4] = rng.integers(0, 2, (2, 3_000))
    codes[4] = 4_499 * rng.integers(0, 2, 3_000)
    data = Dataset.from_codes(codes, cards=[4_500, 4_500, 2, 2, 4_500])
    test = GTest(data, power_rule=0.0, adjust_df=adjust_df)

    for z in [(0,), (0, 1), (1, 0, 4), (4, 1)]:
        textbook = slow_outcome(data, 2, 3, z, power_rule=0.0, adjust_df=adjust_df)
        assert_same(test.outcome(2, 3, z), textbook)


def test_without_the_power_rule_a_test_is_performed_whatever_the_number_of_possible_cells():
    codes = np.zeros((1_100, 100), int)
    codes[:2] = np.arange(100) % 2
    test = GTest(Dataset.from_codes(codes, cards=[2] * 1_100), power_rule=0.0)
    z = tuple(range(2, 1_100))

    assert test.log_p(0, 1, z) == test.log_p(0, 1) < -70.0
    assert test.outcome(0, 1, z).performed


@pytest.mark.parametrize("kind", TESTS)
def test_tables_too_large_to_be_counted_at_once_are_counted_in_pieces(kind):
    data = linked(5_000, [300, 290, 10, 12, 4])
    test = kind(data, power_rule=0.0)

    for x, y, z in [(0, 1, (2, 3)), (1, 0, (3, 4, 2)), (2, 0, (1, 3))]:
        found = test.outcome(x, y, z)
        assert_same(found, slow_outcome(data, x, y, z, statistic=TESTS[kind], power_rule=0.0))
        assert test.outcome(y, x, z) == found
        assert test.focused((x, y, *z)).outcome(x, y, z) == found


@pytest.mark.slow
def test_separators_of_variables_with_hundreds_of_levels_are_found():
    data = linked(5_000, [300, 290, 10, 6])
    test = GTest(data, 1e-9, power_rule=0.0)

    found = test.first_separator(0, 1, (2, 3))

    assert found == OneByOne(test).first_separator(0, 1, (2, 3))


LARGE_TABLES_OF_CONSTANTS = """
import numpy as np
from h2pc.data import Dataset
from h2pc.independence.g_test import GTest
from h2pc.independence.table_test import Outcome

rows = np.arange(4400) % 2200
test = GTest(Dataset.from_codes([rows * 0, rows, rows], cards=[1, 2200, 2200]), power_rule=0.0)
for x, y, z in [(0, 1, (2,)), (1, 0, (2,)), (2, 0, (1,))]:
    assert test.outcome(x, y, z) == Outcome(0.0, 0, 0.0, performed=True)
found = test.outcome(1, 2, (0,))
assert abs(found.statistic - 8800 * np.log(2200)) < 1e-6
assert found.df == 2199**2
print("answered")
"""


def test_a_constant_among_variables_with_thousands_of_levels_is_independent():
    # In a process of its own: a table written past its end would end this one.
    assert said(LARGE_TABLES_OF_CONSTANTS) == "answered"


# Memory


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("remembered", [1, 2, 3, 64, None])
def test_what_is_remembered_changes_no_bit(kind, remembered):
    data = linked(2_000, [2, 3, 4, 3, 2, 4, 3])
    test = kind(data, power_rule=0.5, remembered=remembered)
    plain = kind(data, power_rule=0.5, remembered=0)
    rng = np.random.default_rng(0)

    for _ in range(300):
        target, *others = rng.permutation(7).tolist()
        n_z = int(rng.integers(0, 4))
        z, candidates = tuple(others[:n_z]), tuple(others[n_z:])
        expected = plain.log_p_many(target, candidates, z)
        assert test.log_p_many(target, candidates, z).tolist() == expected.tolist()
        separation = plain.first_separator(target, candidates[0], z)
        assert test.first_separator(target, candidates[0], z) == separation
        sifted = plain.sift(target, candidates, base=z)
        assert test.sift(target, candidates, base=z) == sifted


def test_a_remembered_answer_is_that_of_its_pair_and_set_alone():
    # The same variables in other roles, asked one after the other: x, y | z; x, z | y; y, z | x.
    data = linked(2_000, [4, 4, 4, 4])
    test, plain = GTest(data, power_rule=0.0), GTest(data, power_rule=0.0, remembered=0)

    for _ in range(2):
        for x, y, z in permutations(range(4), 3):
            for known in [(), (z,), (z, 6 - x - y - z)]:
                assert test.log_p(x, y, known) == plain.log_p(x, y, known)


def test_tests_with_other_settings_remember_for_themselves():
    data = linked(2_000, [4, 4, 4, 3])
    settings = [{}, {"adjust_df": False}, {"power_rule": 100.0}, {"power_rule": 0.0}]
    tests = [kind(data, **chosen) for kind in TESTS for chosen in settings]
    plain = [kind(data, **chosen, remembered=0) for kind in TESTS for chosen in settings]

    for _ in range(2):
        for test, twin in zip(tests, plain, strict=True):
            assert test.log_p(0, 1, (2, 3)) == twin.log_p(0, 1, (2, 3))


# Focus


@examples(100)
@given(st.data(), datasets(min_variables=2, max_rows=200, max_levels=3), kinds, power_rules)
def test_a_focused_test_gives_the_same_bits(draw, data, kind, power_rule):
    target, candidates, z = draw.draw(questions(data.n_variables))
    test = kind(data, power_rule=power_rule)
    some = (target, *candidates[:2], *z)

    focused = test.focused(some)
    twice = focused.focused(some[:1] + some[2:])

    for x in candidates[:2]:
        assert focused.outcome(target, x, z) == test.outcome(target, x, z)
    for x in candidates[1:2]:
        assert twice.outcome(target, x, z) == test.outcome(target, x, z)


def test_a_focused_test_gives_the_same_answers_about_the_other_variables_too():
    data = linked(3_000, [2, 3, 2, 3, 2, 4])
    test = GTest(data, power_rule=0.0, remembered=0)

    focused = test.focused((0, 1))

    assert focused.log_p(2, 5, (3, 4)) == test.log_p(2, 5, (3, 4))
    assert focused.log_p(0, 5, (1, 3, 4)) == test.log_p(0, 5, (1, 3, 4))


def test_a_test_of_merged_rows_gives_the_same_bits():
    data = linked(2_000, [2, 3, 2, 2])
    merged = data.compressed(range(4))

    for z in [(), (2,), (2, 3)]:
        assert GTest(merged).outcome(0, 1, z) == GTest(data).outcome(0, 1, z)


# Copies


def said(code: str, *arguments: str) -> str:
    """What a Python of its own says about ``code``."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize(
    "duplicate", [copy, deepcopy, lambda test: pickle.loads(pickle.dumps(test))]
)
def test_a_copy_gives_the_same_bits(kind, duplicate):
    test = kind(linked(700, [2, 3, 2, 4]), 0.01, power_rule=1.0, adjust_df=False)
    expected = test.outcome(0, 1, (2,))
    focused = test.focused((0, 1, 2))

    other, other_focused = duplicate(test), duplicate(focused)

    assert (other.alpha, other.power_rule, other.adjust_df) == (0.01, 1.0, False)
    assert other.outcome(0, 1, (2,)) == other_focused.outcome(0, 1, (2,)) == expected
    found = test.first_separator(0, 1, (2, 3))
    assert other.first_separator(0, 1, (2, 3)) == found


OUTLIVES = """
import gc, pickle, sys
from copy import deepcopy
import numpy as np
from h2pc.data import Dataset
from h2pc.independence.g_test import GTest

def test_of(seed):
    codes = np.random.default_rng(seed).integers(0, 3, (20, 3000))
    return GTest(Dataset.from_codes(codes), power_rule=0.0)

test = test_of(0)
expected = test.outcome(0, 1, (2, 3)), test.outcome(4, 5)
copies = [pickle.loads(pickle.dumps(test)), deepcopy(test), test.focused((0, 1, 2, 3, 4, 5))]
copies.append(pickle.loads(pickle.dumps(copies[-1])))
del test
gc.collect()
others = [test_of(seed) for seed in range(1, 6)]  # what was freed is written over
for other in copies:
    assert (other.outcome(0, 1, (2, 3)), other.outcome(4, 5)) == expected
print("the same")
"""


def test_copies_outlive_the_original():
    assert said(OUTLIVES) == "the same"


def test_a_test_that_travelled_to_another_process_gives_the_same_bits(tmp_path):
    test = GTest(linked(3_000, [2, 3, 2, 4, 3]))
    tests = [test, test.focused((0, 1, 2)), ChiSquareTest(linked(80, [300, 2, 3]), power_rule=0.0)]
    (tmp_path / "tests.pickle").write_bytes(pickle.dumps(tests))

    answered = said(
        "import pickle, sys, pathlib\n"
        "for test in pickle.loads(pathlib.Path(sys.argv[1]).read_bytes()):\n"
        "    print(test.outcome(0, 1, (2,)), test.first_separator(0, 1, (2,)))",
        str(tmp_path / "tests.pickle"),
    )

    expected = [f"{t.outcome(0, 1, (2,))} {t.first_separator(0, 1, (2,))}" for t in tests]
    assert answered.splitlines() == expected


def test_a_copy_asks_the_kernels_that_are_compiled_already():
    # Arrays come back writeable from a pickle, and numba compiles anew for such ones.
    test = GTest(linked(3_000, [2, 3, 2, 4, 3]))

    for one in (test, test.focused((0, 1, 2))):
        other = pickle.loads(pickle.dumps(one))
        flags = [t._handle.arguments[0].flags.writeable for t in (one, other)]
        assert flags == [False, False]


IN_WORKERS = """
import numpy as np
from joblib import Parallel, delayed
from h2pc.data import Dataset
from h2pc.independence.g_test import GTest

codes = np.random.default_rng(0).integers(0, 3, (8, 2000))
test = GTest(Dataset.from_codes(codes))
zs = [(), (2,), (2, 3)]
here = [test.log_p_many(0, (1, 4, 5), z).tolist() for z in zs]
ask = delayed(lambda t, z: t.log_p_many(0, (1, 4, 5), z).tolist())
there = Parallel(n_jobs=2, backend="loky")(ask(test, z) for z in zs)
assert here == there
print("the same")
"""


def test_worker_processes_give_the_same_bits():
    assert said(IN_WORKERS) == "the same"


# Settings


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, 1.5, math.nan, math.inf])
def test_a_level_outside_zero_to_one_is_refused(kind, alpha):
    with pytest.raises(SettingError, match=r"^alpha must lie between 0 and 1.*; got .*\.$"):
        kind(Dataset.from_codes([[0, 1]]), alpha)


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("power_rule", [-1.0, -1e-9, math.nan, math.inf, -math.inf])
def test_a_power_rule_that_is_no_number_from_zero_on_is_refused(kind, power_rule):
    with pytest.raises(SettingError, match=r"^power_rule must be a number from 0 on; got .*\.$"):
        kind(Dataset.from_codes([[0, 1]]), power_rule=power_rule)


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("remembered", [-1, -1_000_000])
def test_a_memory_of_fewer_than_no_answers_is_refused(kind, remembered):
    with pytest.raises(SettingError, match=r"^remembered must be a number from 0 on; got -\d+\.$"):
        kind(Dataset.from_codes([[0, 1]]), remembered=remembered)


def test_questions_of_lengths_that_differ_are_refused():
    test = GTest(Dataset.from_codes(np.tile([[0, 1]], (4, 20))))

    with pytest.raises(SettingError, match="min_size must be at least 0; got -1"):
        test.first_separator(0, 1, (2, 3), min_size=-1)
    for ask in (test.log_p_grid, test.sift_given_any):
        with pytest.raises(
            SettingError, match="zs must have a set for each of 2 candidates; got 1"
        ):
            ask(0, (1, 2), [()], (3,))
    with pytest.raises(SettingError, match="zs must have a set for each of 2 candidates; got 3"):
        test.log_p_each(0, (1, 2), [()] * 3)
    with pytest.raises(SettingError, match="limits must have a number for each of 3 candidates"):
        test.settled(0, (1, 2, 3), (), np.array([-9.0]))
