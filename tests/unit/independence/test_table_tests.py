"""Every answer of the tests on tables is that of the textbook, on random and degenerate tables."""

import math
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.algorithms.hpc import hpc, hpc_neighbourhood
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.base import Outcome, Separation
from h2pc.independence.context import Context
from h2pc.independence.table_tests import ChiSquareTest, GTest
from h2pc.networks import load_network
from reference.slow_tables import g2, log_tail, pearson, slow_outcome
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


# One test


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
    test = kind(linked(300, [2, 3, 2, 4]), power_rule=0.0)

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


# Many tests in one call


def test_nothing_is_found_of_no_candidates():
    test = GTest(linked(50, [2, 2, 2]))

    assert test.log_p_many(0, ()).shape == test.log_p_many(0, (), (1,)).shape == (0,)
    assert test.prune(0, ()) == ((), {})
    assert test.prune_given_any(0, (), {}, (1,)) == test.prune_given_any(0, (1,), {}, ()) == ()
    assert test.iamb_fdr(0, ()) == ()
    assert test.inseparable(0, (), (1,)) == ()
    assert test.weakest_links(0, (), (), (1,)) == {}
    assert test.context.n_tests == 0


def test_a_search_over_no_sizes_tests_nothing():
    test = GTest(linked(100, [2, 2, 2]))

    assert test.first_separator(0, 1, (2,), min_size=2) == Separation(None, -math.inf)
    assert test.first_separator(0, 1, (), min_size=1) == Separation(None, -math.inf)
    assert test.context.n_tests == 0


def test_hundreds_of_candidates_are_tested_at_once():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (400, 130))
    codes[200] = codes[0]
    test = GTest(Dataset.from_codes(codes), power_rule=0.0)
    candidates = tuple(rng.permutation(np.arange(2, 400)).tolist())

    for z in [(), (1,)]:
        many = test.log_p_many(0, candidates, z)
        assert many.tolist() == [test.log_p(x, 0, z) for x in candidates]
        assert candidates[int(np.argmin(many))] == 200


# Caches


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("cache_size", [1, 2, 3, 64, None])
def test_the_cache_changes_no_bit(kind, cache_size):
    data = linked(2_000, [2, 3, 4, 3, 2, 4, 3])
    test = kind(data, power_rule=0.5, cache_size=cache_size)
    plain = kind(data, power_rule=0.5, cache_size=0)
    rng = np.random.default_rng(0)

    for _ in range(150):
        target, *others = rng.permutation(7).tolist()
        n_z = int(rng.integers(0, 4))
        z, candidates = tuple(others[:n_z]), tuple(others[n_z:])
        expected = plain.log_p_many(target, candidates, z)
        assert test.log_p_many(target, candidates, z).tolist() == expected.tolist()
        separation = plain.first_separator(target, candidates[0], z)
        assert test.first_separator(target, candidates[0], z) == separation
        assert test.prune(target, candidates) == plain.prune(target, candidates)
    assert test.context.n_tests == plain.context.n_tests


def test_a_cached_answer_is_that_of_its_pair_and_set_alone():
    # The same variables in other roles, one after the other: x, y | z; x, z | y; y, z | x.
    data = linked(2_000, [4, 4, 4, 4])
    test, plain = GTest(data, power_rule=0.0), GTest(data, power_rule=0.0, cache_size=0)

    for _ in range(2):
        for x, y, z in permutations(range(4), 3):
            for known in [(), (z,), (z, 6 - x - y - z)]:
                assert test.log_p(x, y, known) == plain.log_p(x, y, known)


def test_tests_with_other_settings_have_caches_of_their_own():
    data = linked(2_000, [4, 4, 4, 3])
    settings = [{}, {"adjust_df": False}, {"power_rule": 100.0}, {"power_rule": 0.0}]
    tests = [kind(data, **chosen) for kind in TESTS for chosen in settings]
    plain = [kind(data, **chosen, cache_size=0) for kind in TESTS for chosen in settings]

    for _ in range(2):
        for test, twin in zip(tests, plain, strict=True):
            assert test.log_p(0, 1, (2, 3)) == twin.log_p(0, 1, (2, 3))


@pytest.mark.parametrize("n_bytes", [0, 3_456, 17_280])
def test_targets_that_share_room_for_their_rounds_find_the_same(n_bytes):
    data = load_network("insurance").sample(1000, random_state=4)
    universe = tuple(range(data.n_variables))
    roomy = GTest(data)
    narrow = GTest(data, bytes_for_rounds=n_bytes)

    for target in universe:
        assert hpc(target, narrow, universe) == hpc(target, roomy, universe)
    assert narrow.context.n_tests == roomy.context.n_tests


@pytest.mark.parametrize("bytes_for_rounds", [8 * 16 * 27, 1 << 29])
def test_threads_that_share_a_test_find_the_same(bytes_for_rounds):
    data = load_network("insurance").sample(1000, random_state=4)
    universe = tuple(range(data.n_variables))
    alone, shared = GTest(data), GTest(data, bytes_for_rounds=bytes_for_rounds)
    expected = [hpc_neighbourhood(target, alone, universe) for target in universe]

    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            found = pool.map(lambda target: hpc_neighbourhood(target, shared, universe), universe)
            assert list(found) == expected
    assert shared.context.n_tests == 5 * alone.context.n_tests


def test_more_rounds_than_are_cached_change_nothing():
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2, (40, 3000), dtype=np.uint8)
    columns[0] = columns[1:30].sum(axis=0) > rng.integers(10, 19, 3000)
    data = Dataset.from_codes(columns)
    test, others = GTest(data, 0.3, power_rule=0.0), tuple(range(1, 40))

    for some in (others, others[:30], others[5:], others):
        plain = GTest(data, 0.3, power_rule=0.0, cache_size=0, bytes_for_rounds=0)
        found = test.iamb_fdr(0, some)
        assert found == plain.iamb_fdr(0, some)
        assert len(found) >= 16


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
    test = GTest(linked(3_000, [2, 3, 2, 3, 2, 4]), power_rule=0.0, cache_size=0)

    focused = test.focused((0, 1))

    assert focused.log_p(2, 5, (3, 4)) == test.log_p(2, 5, (3, 4))
    assert focused.log_p(0, 5, (1, 3, 4)) == test.log_p(0, 5, (1, 3, 4))


def test_a_focused_test_counts_into_the_same_context():
    test = GTest(linked(3_000, [2, 3, 2, 3, 2, 4])).within(Context())

    test.focused((0, 1, 2)).log_p_many(0, (1, 2))
    test.log_p(0, 3)

    assert test.context.n_tests == 3


# Copies and processes


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
    assert other.first_separator(0, 1, (2, 3)) == test.first_separator(0, 1, (2, 3))


OUTLIVES = """
import gc, pickle
from copy import deepcopy
import numpy as np
from h2pc.data import Dataset
from h2pc.independence.table_tests import GTest

def test_of(seed):
    codes = np.random.default_rng(seed).integers(0, 3, (20, 3000))
    return GTest(Dataset.from_codes(codes), power_rule=0.0)

test = test_of(0)
codes = test.data.codes
expected = test.outcome(0, 1, (2, 3)), test.outcome(4, 5), codes.tobytes()
copies = [pickle.loads(pickle.dumps(test)), deepcopy(test), test.focused((0, 1, 2, 3, 4, 5))]
copies.append(pickle.loads(pickle.dumps(copies[-1])))
del test
gc.collect()
others = [test_of(seed) for seed in range(1, 6)]  # what was freed is written over
for other in copies:
    assert (other.outcome(0, 1, (2, 3)), other.outcome(4, 5), codes.tobytes()) == expected
print("the same")
"""


def test_copies_and_codes_outlive_the_original():
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


TWICE = """
import numpy as np
from h2pc.data import Dataset
from h2pc.independence.table_tests import GTest

rng = np.random.default_rng(0)
for shares in (rng.random((30, 500)) < 0.05, rng.random((30, 500)) < 0.5):
    test = GTest(Dataset.from_codes(shares.astype(int), cards=[2] * 30), 0.5, power_rule=0.0)
    for start in [(1,) * 500, (1, 2, 1, 2), (3, 3)]:
        try:
            found = test.iamb_fdr(0, tuple(range(1, 30)) * 20, start)
        except ValueError:
            continue
        assert found == test.iamb_fdr(0, tuple(range(1, 30)), tuple(dict.fromkeys(start)))
    for start in [(0,), (1, 0)]:
        try:
            assert 0 not in test.iamb_fdr(0, tuple(range(1, 30)), start)
        except ValueError:
            continue
    for step in (test.prune, lambda *a: test.prune_given_any(*a, {}, (7, 7)), test.log_p_many):
        step(0, (1, 1, 2, 2, 1))
    test.first_separator(0, 1, (2, 2, 2, 3))
    test.inseparable(0, (1, 1, 2), (1, 1, 2, 2, 3))
    test.weakest_links(0, (1, 1), (2, 2), (3, 3))
    test.focused((1, 1, 2)).log_p(1, 2)
print("answered")
"""


def test_variables_that_come_twice_and_a_target_among_its_members_do_no_harm():
    # In a process of its own: what is written past the end of a table would end this one.
    assert said(TWICE) == "answered"


# Settings and mistakes


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
@pytest.mark.parametrize("cache_size", [-1, -1_000_000])
def test_a_cache_of_fewer_than_no_answers_is_refused(kind, cache_size):
    with pytest.raises(SettingError, match=r"^cache_size must be a number from 0 on; got -\d+\.$"):
        kind(Dataset.from_codes([[0, 1]]), cache_size=cache_size)


def test_a_negative_size_of_subsets_is_refused():
    test = GTest(Dataset.from_codes(np.tile([[0, 1]], (4, 20))))

    with pytest.raises(SettingError, match="min_size must be at least 0; got -1"):
        test.first_separator(0, 1, (2, 3), min_size=-1)


STEPS = {
    "log_p_many": lambda t, v: t.log_p_many(v, (1,)),
    "log_p_many, candidates": lambda t, v: t.log_p_many(0, (1, v)),
    "log_p_many, z": lambda t, v: t.log_p_many(0, (1,), (v,)),
    "log_p_given": lambda t, v: t.log_p_given(0, (1,), (v,)),
    "outcome": lambda t, v: t.outcome(0, v),
    "outcome, z": lambda t, v: t.outcome(0, 1, (v,)),
    "prune": lambda t, v: t.prune(v, (1, 2)),
    "prune, candidates": lambda t, v: t.prune(0, (1, v)),
    "prune_given_any": lambda t, v: t.prune_given_any(v, (1, 2), {}, (3,)),
    "prune_given_any, candidates": lambda t, v: t.prune_given_any(0, (1, v), {}, (3,)),
    "prune_given_any, dsep": lambda t, v: t.prune_given_any(0, (1, 2), {2: (v,)}, (3,)),
    "prune_given_any, xs": lambda t, v: t.prune_given_any(0, (1, 2), {}, (3, v)),
    "iamb_fdr": lambda t, v: t.iamb_fdr(v, (1, 2)),
    "iamb_fdr, candidates": lambda t, v: t.iamb_fdr(0, (1, v)),
    "iamb_fdr, start": lambda t, v: t.iamb_fdr(0, (1, 2), (v,)),
    "first_separator": lambda t, v: t.first_separator(v, 1, (2, 3)),
    "first_separator, candidate": lambda t, v: t.first_separator(0, v, (2, 3)),
    "first_separator, pool": lambda t, v: t.first_separator(0, 1, (2, v)),
    "first_separator, base": lambda t, v: t.first_separator(0, 1, (2,), base=(v,)),
    "inseparable": lambda t, v: t.inseparable(v, (1,), (1, 2)),
    "inseparable, candidates": lambda t, v: t.inseparable(0, (v,), (1, 2)),
    "inseparable, pool": lambda t, v: t.inseparable(0, (1,), (1, v)),
    "weakest_links": lambda t, v: t.weakest_links(v, (1,), (), (2,)),
    "weakest_links, candidates": lambda t, v: t.weakest_links(0, (v,), (), (2,)),
    "weakest_links, base": lambda t, v: t.weakest_links(0, (1,), (v,), (2,)),
    "weakest_links, pool": lambda t, v: t.weakest_links(0, (1,), (), (v,)),
    "focused": lambda t, v: t.focused((0, v)),
}


@pytest.mark.parametrize("variable", [-1, 4, 2**31 - 1])
@pytest.mark.parametrize("step", STEPS)
def test_a_number_of_no_variable_is_an_error(step, variable):
    test = GTest(linked(200, [2, 3, 2, 2]), 0.9, power_rule=0.0)

    with pytest.raises(IndexError):
        STEPS[step](test, variable)


@pytest.mark.parametrize("variable", [2**31, 2**63, 2**70, 1.5, "1", None])
@pytest.mark.parametrize("step", STEPS)
def test_what_is_no_small_integer_is_an_error(step, variable):
    test = GTest(linked(200, [2, 3, 2, 2]), 0.9, power_rule=0.0)

    with pytest.raises((TypeError, IndexError, OverflowError)):
        STEPS[step](test, variable)


@pytest.mark.parametrize("step", STEPS)
def test_a_numpy_integer_is_a_number_of_a_variable(step):
    data = linked(200, [2, 3, 2, 2, 3])

    for variable in (np.int64(4), np.int32(4)):
        found = STEPS[step](GTest(data, 0.9, power_rule=0.0), variable)
        expected = STEPS[step](GTest(data, 0.9, power_rule=0.0), 4)
        if step != "focused":
            assert np.array_equal(found, expected) or found == expected
