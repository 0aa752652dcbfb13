"""Every way of counting gives the same integers, so all bits of answers agree.

The engine counts in the way that costs least. The shapes below make each way the cheapest of some
tests; merged rows, focused tests and copies without bitmaps count the same tables in another way.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.algorithms.hpc import hpc_neighbourhood
from h2pc.data import Dataset
from h2pc.independence.base import Outcome
from h2pc.independence.table_tests import ChiSquareTest, GTest, TableTest
from h2pc.variables import without
from reference.slow_local import Textbook
from reference.slow_tables import g2, pearson, slow_outcome
from strategies import datasets, examples, questions

TESTS = {GTest: g2, ChiSquareTest: pearson}


def shaped(cards, n_rows, seed=0, skewed=()):
    """A data set whose columns are weakly linked; ``skewed`` ones have a very frequent level."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 60, n_rows)
    codes = []
    for v, card in enumerate(cards):
        column = np.where(rng.random(n_rows) < 0.5, hidden, rng.integers(0, 60 * card, n_rows))
        column %= card
        if v in skewed:
            column[rng.random(n_rows) < 0.95] = card // 2
        codes.append(column)
    return Dataset.from_codes(codes, cards=cards)


def words(n_rows: int, n_variables: int, share: float = 0.06, seed: int = 0) -> Dataset:
    """Words of texts about two topics each."""
    rng = np.random.default_rng(seed)
    topics = rng.random((8, n_rows)) < 0.25
    chances = np.where(topics[rng.integers(0, 8, n_variables)], 2.5 * share, 0.5 * share)
    codes = (rng.random(chances.shape) < chances).astype(np.uint8)
    return Dataset.from_codes(codes, cards=[2] * n_variables)


def wider(data: Dataset) -> Dataset:
    """The same with one more level of each variable, which never occurs."""
    return Dataset.from_codes(data.codes, cards=data.cards + 1)


def in_words_of_two_bytes(data: Dataset) -> Dataset:
    """The same, with codes of 16 bits."""
    return Dataset.from_codes([*data.codes, [0] * data.n_rows], cards=[*data.cards, 300])


def all_ways(test: TableTest) -> dict[str, TableTest]:
    """Tests that count in other ways; ``test`` must have no cache, or they would not count."""
    data, rules = test.data, {"power_rule": test.power_rule, "adjust_df": test.adjust_df}
    everyone = tuple(range(data.n_variables))

    def on(other: Dataset) -> TableTest:
        return type(test)(other, test.alpha, cache_size=0, **rules)

    turned = data.take(np.arange(data.n_rows)[::-1])
    ways = {
        "as it is": test,
        "focused": test.focused(everyone),
        "merged": on(data.compressed(everyone)),
        "in another order of rows": on(turned),
    }
    if isinstance(test, GTest):  # the last bits of Pearson's depend on the number of levels
        wide = in_words_of_two_bytes(data)
        ways["in words of two bytes"] = on(wide)
        ways["merged, in words of two bytes"] = on(wide.compressed(range(data.n_variables + 1)))
    return ways


def assert_same(found: Outcome, textbook: Outcome) -> None:
    assert found.df == textbook.df
    assert found.statistic == pytest.approx(textbook.statistic, rel=1e-10, abs=1e-9)
    assert found.log_p == pytest.approx(textbook.log_p, rel=1e-8, abs=1e-8)


@examples(60)
@given(st.data(), datasets(min_variables=2), st.sampled_from([GTest, ChiSquareTest]))
def test_all_ways_give_the_same_bits(draw, data, kind):
    target, candidates, z = draw.draw(questions(data.n_variables))
    test = kind(data, power_rule=0.0, cache_size=0)
    expected = [test.outcome(target, x, z) for x in candidates]

    for way, other in all_ways(test).items():
        assert [other.outcome(target, x, z) for x in candidates] == expected, way
        log_p = other.log_p_many(target, candidates, z)
        assert log_p.tolist() == [outcome.log_p for outcome in expected], way


# Few and many words and cells, skewed and even columns: each plan is the cheapest for one of them.
SHAPES = {
    "few cells, many rows": ((2, 2, 2, 2, 2), 3000, ()),
    "few cells, few rows": ((2, 3, 2, 3, 2), 70, ()),
    "many cells, even columns": ((5, 6, 5, 4, 7), 3000, ()),
    "many cells, skewed columns": ((5, 6, 5, 4, 7), 3000, (0, 1, 2, 3, 4)),
    "few cells, skewed columns": ((2, 3, 3, 2, 4), 3000, (0, 2, 4)),
    "mixed": ((2, 20, 3, 12, 4), 2000, (1, 3)),
    "a partial last word": ((2, 3, 4, 3, 2), 2049, (1,)),
    "one row": ((2, 3, 4, 3, 2), 1, ()),
}


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_all_ways_equal_the_textbook_on_shapes_that_ask_for_them(shape, kind):
    cards, n_rows, skewed = SHAPES[shape]
    data = shaped(cards, n_rows, skewed=skewed)
    test = kind(data, power_rule=0.0, cache_size=0)
    ways = all_ways(test)

    for target, z in [(0, ()), (1, (0,)), (2, (1,)), (3, (0, 1)), (4, (2, 0)), (0, (1, 2, 3))]:
        candidates = tuple(v for v in range(5) if v != target and v not in z)
        found = [test.outcome(target, x, z) for x in candidates]
        for x, one in zip(candidates, found, strict=True):
            assert_same(
                one, slow_outcome(data, target, x, z, statistic=TESTS[kind], power_rule=0.0)
            )
        for way, other in ways.items():
            log_p = other.log_p_many(target, candidates, z)
            assert log_p.tolist() == [outcome.log_p for outcome in found], way


@pytest.mark.parametrize("shape", SHAPES)
def test_all_ways_find_the_same_separators(shape):
    cards, n_rows, skewed = SHAPES[shape]
    test = GTest(shaped(cards, n_rows, seed=1, skewed=skewed), power_rule=0.0, cache_size=0)
    ways = all_ways(test)

    for target, candidate in product(range(2), range(2, 5)):
        pool = tuple(v for v in range(5) if v not in (target, candidate))
        expected = Textbook(test).first_separator(target, candidate, pool)
        for way, other in ways.items():
            assert other.first_separator(target, candidate, pool) == expected, way


@pytest.mark.parametrize("n_rows", [30, 700, 3000])
def test_binary_tables_are_those_of_the_same_columns_with_a_level_that_never_occurs(n_rows):
    binary = shaped([2] * 7, n_rows)
    test, other = (GTest(data, power_rule=0.0) for data in (binary, wider(binary)))

    for target in range(7):
        rest = tuple(v for v in range(7) if v != target)
        for z in [(), rest[:1], rest[-2:], rest[1:4]]:
            open_ = tuple(v for v in rest if v not in z)
            found = test.log_p_many(target, open_, z).tolist()
            assert found == other.log_p_many(target, open_, z).tolist()
            for candidate in open_:
                pool = tuple(v for v in open_ if v != candidate)
                search = {"base": z, "min_size": 1, "max_size": 1}
                separation = test.first_separator(target, candidate, pool, **search)
                assert separation == other.first_separator(target, candidate, pool, **search)


@pytest.mark.parametrize("z", [(), (0,), (0, 1), (1, 2)])
def test_binary_and_wide_candidates_of_one_call_are_counted_in_ways_of_their_own(z):
    data = shaped((2, 3, 2, 3, *[2] * 20, *[40] * 20), 3000, skewed=range(10, 44, 3))
    test = GTest(data, power_rule=0.0, cache_size=0)
    candidates = tuple(range(4, 44))
    expected = [test.outcome(3, x, z).log_p for x in candidates]

    for way, other in all_ways(test).items():
        assert other.log_p_many(3, candidates, z).tolist() == expected, way


# Large tables


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
    rules = {"power_rule": 0.0, "adjust_df": adjust_df}
    test = kind(data, **rules)

    found = test.outcome(0, 1, z)

    textbook = slow_outcome(data, 0, 1, z, statistic=TESTS[kind], **rules)
    assert found.statistic == pytest.approx(textbook.statistic, rel=1e-10)
    assert found.df == textbook.df
    assert found.statistic > 10.0
    assert test.focused(tuple(range(32))).outcome(0, 1, z) == found
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
    # Levels of the first two by themselves are few enough for a table, those of both are not; and
    # there are too many levels to count all pairs beforehand.
    rng = np.random.default_rng(0)
    codes = np.zeros((5, 3_000), int)
    codes[0] = 4 * (np.arange(3_000) % 1_000)
    codes[1] = codes[0] * 7 % 4_500
    codes[2:4] = rng.integers(0, 2, (2, 3_000))
    codes[4] = 4_499 * rng.integers(0, 2, 3_000)
    data = Dataset.from_codes(codes, cards=[4_500, 4_500, 2, 2, 4_500])
    rules = {"power_rule": 0.0, "adjust_df": adjust_df}
    merged = data.compressed(range(5))
    assert not data.index.has_pairs

    for z in [(), (0,), (0, 1), (1, 0, 4), (4, 1)]:
        textbook = slow_outcome(data, 2, 3, z, **rules)
        for table in (data, merged):
            assert_same(GTest(table, **rules).outcome(2, 3, z), textbook)


def test_without_the_power_rule_a_test_is_performed_whatever_the_number_of_possible_cells():
    codes = np.zeros((1_100, 100), int)
    codes[:2] = np.arange(100) % 2
    test = GTest(Dataset.from_codes(codes, cards=[2] * 1_100), power_rule=0.0)
    z = tuple(range(2, 1_100))

    assert test.log_p(0, 1, z) == test.log_p(0, 1) < -70.0
    assert test.outcome(0, 1, z).performed


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("cards", [(300, 290, 10, 12, 4), (200, 190, 10, 12, 4)])
def test_tables_too_large_to_be_counted_at_once_are_counted_in_parts(cards, kind):
    data = shaped(cards, 5_000)
    merged = kind(data.compressed(range(5)), power_rule=0.0)
    test = kind(data, power_rule=0.0)

    for x, y, z in [(0, 1, (2, 3)), (1, 0, (3, 4, 2)), (2, 0, (1, 3))]:
        found = test.outcome(x, y, z)
        assert_same(found, slow_outcome(data, x, y, z, statistic=TESTS[kind], power_rule=0.0))
        assert test.outcome(y, x, z) == merged.outcome(x, y, z) == found
        assert test.focused((x, y, *z)).outcome(x, y, z) == found


@pytest.mark.parametrize("alpha", [1e-9, 0.99])
def test_separators_of_variables_with_hundreds_of_levels_are_found(alpha):
    test = GTest(shaped([300, 290, 10, 6], 3_000), alpha, power_rule=0.0)

    found = test.first_separator(0, 1, (2, 3))

    assert found == Textbook(test).first_separator(0, 1, (2, 3))


def test_a_constant_among_variables_with_thousands_of_levels_is_independent():
    rows = np.arange(4400) % 2200
    test = GTest(Dataset.from_codes([rows * 0, rows, rows], cards=[1, 2200, 2200]), power_rule=0.0)

    for x, y, z in [(0, 1, (2,)), (1, 0, (2,)), (2, 0, (1,))]:
        assert test.outcome(x, y, z) == Outcome(0.0, 0, 0.0, performed=True)
    found = test.outcome(1, 2, (0,))
    assert found.statistic == pytest.approx(8800 * np.log(2200), rel=1e-12)
    assert found.df == 2199**2


# Boundaries: members from one table, and counts that are updated as members enter


@st.composite
def sparse_datasets(draw: st.DrawFn, max_variables: int = 12, max_rows: int = 400) -> Dataset:
    """Binary columns with few samples at one level: linked, copied, turned round, constant."""
    n_rows = draw(st.sampled_from((1, 2, 63, 64, 65, 200, 400)) | st.integers(1, max_rows))
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


@examples(150)
@given(
    st.data(),
    sparse_datasets(),
    st.sampled_from([5.0, 0.0]),
    st.booleans(),
    st.sampled_from([1e-6, 0.05, 0.6]),
)
def test_the_boundary_in_sparse_data_is_that_of_the_textbook(
    draw, data, power_rule, adjust_df, alpha
):
    test = GTest(data, alpha, power_rule=power_rule, adjust_df=adjust_df)
    target, *others = draw.draw(st.permutations(range(data.n_variables)))

    for _ in range(3):  # later ones meet what was cached of the first
        some = tuple(draw.draw(st.lists(st.sampled_from(others), unique=True)))
        start = some[: draw.draw(st.integers(0, len(some)))]
        assert test.iamb_fdr(target, some, start) == Textbook(test).iamb_fdr(target, some, start)


@pytest.mark.parametrize("power_rule", [5.0, 0.0])
@pytest.mark.parametrize("n_rows", [2000, 4000])
def test_boundaries_among_words_are_the_same_whether_or_not_their_counts_are_updated(
    n_rows, power_rule
):
    data = words(n_rows, 150)
    test = GTest(data, 0.3, power_rule=power_rule)
    counting_anew = GTest(data.compressed(range(150)), 0.3, power_rule=power_rule)
    lengths = []

    for target in range(0, 150, 10):
        others = tuple(v for v in range(150) if v != target)
        for some in (others, others[:100], others[50:]):
            found = test.iamb_fdr(target, some, some[:2])
            assert found == counting_anew.iamb_fdr(target, some, some[:2])
            lengths.append(len(found))
    assert max(lengths) > 2


def test_a_boundary_of_more_members_than_counts_are_updated_for_is_the_same():
    rng = np.random.default_rng(0)
    columns = (rng.random((40, 3000)) < 0.1).astype(np.uint8)
    columns[0] = columns[1:30].sum(axis=0) > rng.integers(2, 6, 3000)
    data = Dataset.from_codes(columns, cards=[2] * 40)
    test, others = GTest(data, 0.3, power_rule=0.0), tuple(range(1, 40))

    found = test.iamb_fdr(0, others)

    assert found == GTest(data.compressed(range(40)), 0.3, power_rule=0.0).iamb_fdr(0, others)
    assert len(found) > 17


def test_variables_with_other_numbers_of_levels_may_stand_beside_sparse_ones():
    sparse = words(300, 12).codes
    data = Dataset.from_codes(
        [np.full(300, 5), *sparse, np.zeros(300, int)], cards=[6, *[2] * 12, 1]
    )
    test = GTest(data, 0.5, power_rule=0.0)

    for some in [(2, 3, 4, 5, 6, 7), (0, 2, 3, 4, 13), tuple(range(2, 13))]:
        assert test.iamb_fdr(1, some) == Textbook(test).iamb_fdr(1, some)


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("adjust_df", [True, False])
@pytest.mark.parametrize("cards", [(2, 2, 2, 2, 2, 2), (3, 4, 2, 5, 3, 4), (3, 40, 30, 20, 2, 2)])
def test_members_are_tested_given_the_others_whatever_their_table(cards, adjust_df, kind):
    # Tables of all members of two to thousands of cells; on merged rows as well.
    data = shaped(cards, 2000)
    rules = {"power_rule": 0.0, "adjust_df": adjust_df}

    for start in [(1,), (1, 2), (3, 1), (4, 2, 1), (5, 4, 3, 2, 1)]:
        for table in (data, data.compressed(range(6))):
            test = kind(table, 0.5, **rules)
            expected = Textbook(test).iamb_fdr(0, range(1, 6), start)
            assert test.iamb_fdr(0, tuple(range(1, 6)), start) == expected


@pytest.mark.parametrize("n_members", [0, 1, 2, 4])
def test_copies_of_a_column_leave_and_enter_as_in_the_textbook(n_members):
    columns = shaped([2, 2, 3, 2], 400).codes
    data = Dataset.from_codes([*columns, *columns, *columns])
    others = tuple(range(1, 12))

    for alpha in (1e-9, 1e-3, 0.3):  # so that ranks decide
        test = GTest(data, alpha, power_rule=0.0)
        for shift in range(11):
            start = tuple(others[(shift - 3 * i) % 11] for i in range(n_members))
            assert test.iamb_fdr(0, others, start) == Textbook(test).iamb_fdr(0, others, start)


def test_sparse_data_of_thousands_of_variables_have_the_answers_of_a_few_of_them():
    # Pairs of so many levels are not counted beforehand, but as they are asked about.
    rng = np.random.default_rng(3)
    n, few, many = 700, 24, 4_200
    codes = rng.random((many, n)) < 0.04
    for v in range(1, few):
        codes[v] |= codes[rng.integers(v)] & (rng.random(n) < 0.6)
    names = [f"{v:04d}" for v in range(many)]
    wide = Dataset.from_codes(codes.astype(np.uint8), cards=[2] * many, names=names)
    narrow = Dataset.from_codes(codes[:few].astype(np.uint8), cards=[2] * few, names=names[:few])
    assert (wide.index.has_pairs, narrow.index.has_pairs) == (False, True)
    test, known = GTest(wide, power_rule=0.0), GTest(narrow, power_rule=0.0)
    universe = tuple(range(few))

    for target in universe:
        others = without(universe, target)
        for z in [(), (1,), (2, 5), (4, 0, 3)]:
            some = without(others, *z)
            if target not in z:
                found = test.log_p_many(target, some, z)
                np.testing.assert_array_equal(found, known.log_p_many(target, some, z))
                everyone = test.log_p_many(target, without(range(many), target, *z), z)
                np.testing.assert_array_equal(found, everyone[: len(some)])
        assert hpc_neighbourhood(target, test, universe) == hpc_neighbourhood(
            target, known, universe
        )
        assert test.iamb_fdr(target, others) == known.iamb_fdr(target, others)
