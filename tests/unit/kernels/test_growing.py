"""Counts that grow with the members of a boundary give the bits that counting anew gives."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc._kernels import growing
from h2pc._kernels._jit import JIT_DISABLED
from h2pc._kernels.answers import EXACT
from h2pc._kernels.sample import opened
from h2pc.data import Dataset
from h2pc.independence.g_test import GTest
from h2pc.independence.rounds import Rounds
from h2pc.local.iamb_fdr import discovery_limits
from reference.slow_tables import OneByOne
from strategies import examples
from unit.kernels.ways import NO_PAIRS, without

power_rules = st.sampled_from([5.0, 0.0])
LARGE_ROOM = 1 << 20


@st.composite
def sparse_datasets(draw: st.DrawFn, max_variables: int = 12, max_rows: int = 400) -> Dataset:
    """Binary columns with few samples at one level: linked, copied, turned round, constant."""
    edges = [n for n in (1, 2, 63, 64, 65, 200, 400) if n <= max_rows]
    n_rows = draw(st.sampled_from(edges) | st.integers(1, max_rows))
    n_variables = draw(st.integers(2, max_variables))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns: list[np.ndarray] = []
    for _ in range(n_variables):
        kind = draw(st.sampled_from(("random", "linked", "linked", "copy", "turned", "constant")))
        column = rng.random(n_rows) < draw(st.sampled_from([0.01, 0.03, 0.1, 0.2]))
        if columns and kind in ("linked", "copy", "turned"):
            other = columns[draw(st.integers(0, len(columns) - 1))]
            column = np.where(rng.random(n_rows) < 0.7, other, column)
            if kind != "linked":
                column = ~other if kind == "turned" else other
        columns.append(np.zeros(n_rows, bool) if kind == "constant" else column)
    return Dataset.from_codes(np.array(columns, np.uint8), cards=[2] * n_variables)


def words(n_rows: int, n_variables: int, share: float = 0.06, seed: int = 0) -> Dataset:
    """Words of texts about two topics each."""
    rng = np.random.default_rng(seed)
    topics = rng.random((8, n_rows)) < 0.25
    chances = np.where(topics[rng.integers(0, 8, n_variables)], 2.5 * share, 0.5 * share)
    return Dataset.from_codes((rng.random(chances.shape) < chances).astype(np.uint8))


@numba.njit(nogil=True, error_model="numpy")
def grown_answers(codes, layout, reals, target, candidates, members, start, room, log_p):
    """Answers after members have entered one by one, or -1; how many entered."""
    view, rules = opened(codes, layout, reals)
    counts = growing.begun(view, rules, target, candidates, members, room)
    for n in range(start, members.size + 1):
        if not growing.grow_to(view, counts, target, members[:n], 1 << 40):
            return n - 1
    growing.ask_members(view, rules, counts, log_p[1])
    if growing.has_power(view, rules, members.size + 2):
        growing.ask_outsiders(view, rules, counts, candidates, log_p[0], EXACT)
    return members.size


def answers(test: GTest, target, candidates, members, *, start=0, room=LARGE_ROOM):
    """How many members were counted, and the log p-values of candidates and of members."""
    log_p = np.zeros((2, len(candidates) + len(members)))
    n_counted = grown_answers(
        *test._handle.arguments,
        target,
        np.array(candidates, np.int64),
        np.array(members, np.int64),
        start,
        np.empty(room, np.int32),
        log_p,
    )
    return n_counted, log_p[0, : len(candidates)].tolist(), log_p[1, : len(members)].tolist()


def has_lists(test: GTest) -> bool:
    return test._handle.sample.rare_variables.size > 0


@examples(150)
@given(st.data(), sparse_datasets(), power_rules, st.booleans())
def test_counts_that_grow_answer_with_the_same_bits(draw, data, power_rule, adjust_df):
    test = GTest(data, power_rule=power_rule, adjust_df=adjust_df, remembered=0)
    target, *others = draw.draw(st.permutations(range(data.n_variables)))
    n_members = draw.draw(st.integers(0, len(others) - 1))
    members, candidates = tuple(others[:n_members]), tuple(others[n_members:])
    start = draw.draw(st.integers(0, n_members))

    n_counted, outside, inside = answers(test, target, candidates, members, start=start)

    if has_lists(test):
        assert n_counted == n_members
        assert outside == test.log_p_many(target, candidates, members).tolist()
        assert inside == test.log_p_without_each(target, members).tolist()
    else:
        assert n_counted == start - 1


def test_strata_whose_samples_all_move_need_no_more_room():
    codes = np.zeros((10, 2), np.uint8)
    codes[3, 1] = codes[8, 0] = 1
    test = GTest(Dataset.from_codes(codes, cards=[2] * 10), power_rule=0.0)
    members = tuple(range(1, 9))

    n_counted, outside, inside = answers(test, 0, (9,), members)

    assert n_counted == len(members)
    assert outside == test.log_p_many(0, (9,), members).tolist()
    assert inside == test.log_p_without_each(0, members).tolist()


@examples(150)
@given(st.data(), sparse_datasets(), power_rules, st.booleans(), st.sampled_from([1e-6, 0.05, 0.6]))
def test_a_sparse_boundary_settles_as_in_the_base_class(draw, data, power_rule, adjust_df, alpha):
    rules = {"power_rule": power_rule, "adjust_df": adjust_df}
    test = GTest(data, alpha, **rules)
    plain = OneByOne(GTest(data, alpha, remembered=0, **rules))
    target, *variables = draw.draw(st.permutations(range(data.n_variables)))

    for _ in range(3):  # later ones meet what is remembered of the first
        some = draw.draw(st.lists(st.sampled_from(variables), unique=True))
        members = tuple(some[: draw.draw(st.integers(0, len(some)))])
        limits = discovery_limits(len(some), test.log_alpha)
        found = test.settled(target, tuple(sorted(some)), members, limits)
        assert found == plain.settled(target, tuple(sorted(some)), members, limits)


@examples(30)
@given(sparse_datasets(), st.integers(1, 6))
def test_limits_above_alpha_are_heeded(data, loosened):
    test, plain = GTest(data, 1e-3), OneByOne(GTest(data, 1e-3, remembered=0))
    candidates = tuple(range(1, data.n_variables))
    limits = discovery_limits(len(candidates), test.log_alpha) + loosened

    assert test.settled(0, candidates, (), limits) == plain.settled(0, candidates, (), limits)


@pytest.mark.skipif(JIT_DISABLED, reason="takes long")
@pytest.mark.parametrize("power_rule", [5.0, 0.0])
@pytest.mark.parametrize("room_bytes", [1 << 24, 1 << 15, 1 << 12, 0])
def test_without_room_for_all_strata_the_boundary_is_the_same(room_bytes, power_rule):
    data = words(2000, 150)
    test = GTest(data, 0.3, power_rule=power_rule)
    test._rounds = Rounds(150, room_bytes=room_bytes)
    counting_anew = without(GTest(data, 0.3, power_rule=power_rule), pairs=NO_PAIRS)

    for target in range(0, 150, 10):
        candidates = tuple(v for v in range(150) if v != target)
        limits = discovery_limits(149, test.log_alpha)
        for some in (candidates, candidates[:100], candidates[50:]):
            found = test.settled(target, some, some[:2], limits)
            assert found == counting_anew.settled(target, some, some[:2], limits)


def test_variables_of_other_cards_may_stand_beside():
    sparse = words(300, 12).codes
    data = Dataset.from_codes(
        [np.full(300, 5), *sparse, np.zeros(300, int)], cards=[6, *[2] * 12, 1]
    )
    test = GTest(data, power_rule=0.0)

    n_counted, outside, inside = answers(test, 1, (2, 3, 4), (5, 6, 7))

    assert n_counted == 3
    assert outside == test.log_p_many(1, (2, 3, 4), (5, 6, 7)).tolist()
    assert inside == test.log_p_without_each(1, (5, 6, 7)).tolist()
    assert answers(test, 1, (0, 2, 13), (5, 6, 7))[0] < 0


def test_what_does_not_fit_is_not_counted():
    test = GTest(words(300, 20), power_rule=0.0)

    small = answers(test, 0, (1, 2, 3), (4, 5, 6, 7), room=2 * 20 * 3)
    large = answers(test, 0, (1, 2, 3), (4, 5, 6, 7))

    assert small[0] < large[0] == 4


@pytest.mark.parametrize(("share", "is_sparse"), [(0.06, True), (0.4, False)])
def test_counts_grow_in_rounds_about_sparse_data(share, is_sparse):
    test = GTest(words(500, 60, share))
    room = np.full(LARGE_ROOM, -1, np.int32)
    test._rounds._rooms.append(room)
    candidates = tuple(range(1, 60))

    test.settled(0, candidates, (), discovery_limits(59, test.log_alpha))

    assert test._rounds._rooms[0] is room
    assert (room >= 0).any() == is_sparse


def test_lists_have_the_rarer_levels_of_binary_variables():
    sparse = words(130, 9).codes
    columns = [*sparse, 1 - sparse[2], np.arange(130) % 3]

    sample = GTest(Dataset.from_codes(columns))._handle.sample

    for i, (begin, end) in enumerate(zip(sample.rare_starts, sample.rare_starts[1:], strict=False)):
        rare = np.flatnonzero([*sparse[:, i], sparse[2, i]])
        assert sample.rare_variables[begin:end].tolist() == rare.tolist()


def test_other_data_have_no_lists():
    rng = np.random.default_rng(0)

    assert not has_lists(GTest(Dataset.from_codes(rng.integers(0, 2, (5, 100)))))
    assert not has_lists(GTest(Dataset.from_codes(rng.integers(0, 3, (5, 100)))))
