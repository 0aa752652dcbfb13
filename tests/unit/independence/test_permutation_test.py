"""P-values of permutation tests are those of all permutations, and depend on no order."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from h2pc import H2PC, MMHC, GTest, load_network, skeleton
from h2pc._engine import log_chi_square_tail_of_fraction, permuted_statistic
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.permutation_test import PermutationTest
from h2pc.independence.shrinkage_test import ShrinkageTest
from h2pc.independence.table_tests import ChiSquareTest
from reference.slow_available import complete_rows
from reference.slow_resampling import slow_permutations
from reference.slow_tables import g2, log_tail, pearson, strata
from strategies import datasets, examples, incomplete_datasets, questions

TWINS = {"g2": (GTest, g2), "chi2": (ChiSquareTest, pearson)}
semiparametric = partial(PermutationTest, semiparametric=True)
KINDS = {"permutation": PermutationTest, "semiparametric": semiparametric, "mi": ShrinkageTest}
MANY = 20_000


def linked(n_rows: int, n_levels: int, n_variables: int = 4, seed: int = 0) -> Dataset:
    """Columns that follow a hidden one some of the time."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, n_levels, n_rows)
    follows = rng.random((n_variables, n_rows)) < 0.4
    return Dataset.from_codes(np.where(follows, hidden, rng.integers(0, n_levels, follows.shape)))


# The p-value


@pytest.mark.parametrize("seed", range(5))
def test_two_by_two_tables_have_the_p_value_of_fisher(seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, 25)
    y = np.where(rng.random(25) < 0.3, x, rng.integers(0, 2, 25))
    test = PermutationTest(Dataset.from_codes([x, y]), 0.999, n_permutations=MANY, power_rule=0)

    table = [[np.sum((x == i) & (y == j)) for j in (0, 1)] for i in (0, 1)]
    exact = sum(
        p
        for n in range(26)
        if (p := stats.hypergeom.pmf(n, 25, np.sum(x == 0), np.sum(y == 0))) > 0.0
        and _g2_of(n, table) >= test.outcome(0, 1).statistic - 1e-9
    )

    assert abs(test.outcome(0, 1).p - exact) < 4.0 * math.sqrt(exact * (1 - exact) / MANY) + 1e-4


def _g2_of(n: int, table: list[list[int]]) -> float:
    rows = [sum(row) for row in table]
    columns = [sum(column) for column in zip(*table, strict=True)]
    cells = [n, rows[0] - n, columns[0] - n, rows[1] - columns[0] + n]
    expected = np.outer(rows, columns).ravel() / sum(rows)
    return 2.0 * sum(c * math.log(c / e) for c, e in zip(cells, expected, strict=True) if c)


@pytest.mark.parametrize("statistic", TWINS)
@pytest.mark.parametrize(("n_rows", "z"), [(12, ()), (16, (2,)), (20, (2, 3))])
def test_the_p_value_is_that_of_all_permutations(statistic, n_rows, z):
    for seed in range(3):
        data = linked(n_rows, 3 if not z else 2, seed=seed)
        _, twin = TWINS[statistic]
        all_values = slow_permutations(strata(data, 0, 1, z), twin)
        test = PermutationTest(data, 0.999, statistic=statistic, n_permutations=MANY, power_rule=0)

        found = test.outcome(0, 1, z)

        exact = sum(p for value, p in all_values if value >= found.statistic - 1e-9)
        exact = min(1.0, exact)
        assert sum(p for _, p in all_values) == pytest.approx(1.0)
        assert abs(found.p - exact) < 4.0 * math.sqrt(exact * (1 - exact) / MANY) + 1e-4
        assert found.df == pytest.approx(sum(v * p for v, p in all_values), rel=1e-9)


def test_the_p_value_is_that_of_scipy():
    data = linked(40, 3, seed=3)

    def chi2(x, y):
        table = np.zeros((3, 3))
        np.add.at(table, (x, y), 1)
        return stats.chi2_contingency(table, correction=False).statistic

    theirs = stats.permutation_test(
        data.codes[:2],
        chi2,
        permutation_type="pairings",
        n_resamples=2_000,
        alternative="greater",
        rng=np.random.default_rng(0),
    )
    ours = PermutationTest(data, 0.999, statistic="chi2", n_permutations=MANY, power_rule=0)

    assert ours.outcome(0, 1).statistic == pytest.approx(theirs.statistic)
    assert ours.outcome(0, 1).p == pytest.approx(theirs.pvalue, abs=0.045)


@examples(60)
@given(st.data(), datasets(min_variables=2, max_rows=200), st.sampled_from(sorted(TWINS)))
def test_the_statistic_is_that_of_the_test_on_tables(draw, data, statistic):
    x, (y, *_), z = draw.draw(questions(data.n_variables))
    plain, _ = TWINS[statistic]

    expected = plain(data, power_rule=0).outcome(x, y, z)
    found = PermutationTest(
        data, statistic=statistic, n_permutations=20, power_rule=0, semiparametric=True
    ).outcome(x, y, z)

    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    assert (found.df == 0) == (expected.df == 0)
    assert found.log_p <= 0.0


@examples(100)
@given(st.floats(1e-6, 1e4) | st.floats(1e-6, 50.0), st.floats(0.01, 100.0))
def test_the_tail_is_exact_for_any_degrees_of_freedom(statistic, df):
    exact = log_tail(statistic, df)

    found = log_chi_square_tail_of_fraction(statistic, df)

    assert found == pytest.approx(exact, rel=1e-11, abs=1e-11)


def test_the_mean_needs_no_permutations_and_is_theirs():
    table = np.array([[[9, 4, 1], [2, 7, 7]], [[3, 3, 0], [8, 1, 5]]])
    values = np.zeros(40_000)
    for own in table:
        rows, columns = own.sum(axis=1), own.sum(axis=0)
        drawn = stats.random_table(rows, columns).rvs(values.size, random_state=1)
        ratios = np.maximum(drawn, 1) * own.sum() / np.outer(rows, columns)
        values += 2.0 * np.where(drawn, drawn * np.log(ratios), 0.0).sum(axis=(1, 2))

    _, mean, *_ = permuted_statistic(table, is_g2=True, n_permutations=0, enough=1, seed=0)

    assert mean == pytest.approx(values.mean(), abs=4.0 * values.std() / math.sqrt(values.size))


# Ranks


def test_links_that_no_permutation_reaches_are_ranked():
    n = 2_000
    x = np.tile([0, 1], n // 2)
    copies = [np.where(np.arange(n) < flipped, 1 - x, x) for flipped in (0, 10, 20, 400)]
    test = PermutationTest(Dataset.from_codes([x, *copies]), n_permutations=99)

    log_p = test.log_p_many(0, (1, 2, 3, 4))

    assert all(weaker > stronger for stronger, weaker in pairwise(log_p))
    assert log_p[-1] < math.log(1 / 100)


@pytest.mark.parametrize("n_permutations", [19, 99, 999])
def test_the_p_value_below_the_resolution_is_that_of_more_permutations(n_permutations):
    x = np.arange(60) % 2
    data = Dataset.from_codes([x, np.where(np.arange(60) < 13, 1 - x, x)])
    exact = PermutationTest(data, n_permutations=1_000_000).log_p(0, 1)

    tests = [PermutationTest(data, n_permutations=n_permutations, random_state=k) for k in range(9)]
    found = [test.log_p(0, 1) for test in tests]

    assert math.log(1 / 1_000_000) < exact < math.log(1 / (1 + n_permutations))
    assert np.median(found) == pytest.approx(exact, abs=math.log(4.0))
    assert max(found) <= math.log(2 / (1 + n_permutations))


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.29])
def test_stopping_early_changes_no_decision(alpha):
    data = linked(50, 2, n_variables=8, seed=5)
    pairs = [(x, y) for x in range(8) for y in range(x)]
    early = PermutationTest(data, alpha, n_permutations=99, power_rule=0)
    whole = PermutationTest(data, 0.9999, n_permutations=99, power_rule=0)

    for x, y in pairs:
        is_independent = early.independent(early.log_p(x, y))
        assert is_independent == early.independent(whole.log_p(x, y))


# Order


@pytest.mark.parametrize("kind", KINDS)
@examples(25)
@given(st.data(), datasets(min_variables=3, max_rows=130, max_levels=4))
def test_no_order_changes_a_bit(kind, draw, data):
    x, (y, *_), z = draw.draw(questions(data.n_variables, max_z=2))
    rng = np.random.default_rng(0)
    rows = rng.permutation(data.n_rows)
    levels = [rng.permutation(card) for card in data.cards]
    codes = [order[column[rows]] for order, column in zip(levels, data.codes, strict=True)]
    others = rng.permutation(data.n_variables)
    shuffled = Dataset.from_codes(
        [codes[v] for v in others],
        cards=[data.cards[v] for v in others],
        names=[data.names[v] for v in others],
    )
    few = {"n_permutations": 50} if kind == "permutation" else {}

    test = KINDS[kind](data, power_rule=0, **few)
    other = KINDS[kind](shuffled, power_rule=0, **few)

    assert other.outcome(y, x, z[::-1]) == test.outcome(x, y, z)


@pytest.mark.parametrize("kind", KINDS)
def test_other_columns_change_no_bit(kind):
    data = linked(150, 3, n_variables=6)
    some = Dataset.from_codes(data.codes[[1, 3, 4]], names=[data.names[v] for v in (1, 3, 4)])

    found = KINDS[kind](some, power_rule=0).outcome(0, 2, (1,))

    assert found == KINDS[kind](data, power_rule=0).outcome(1, 4, (3,))


@pytest.mark.parametrize("kind", KINDS)
def test_merged_rows_change_no_bit(kind):
    data = linked(300, 2)

    found = KINDS[kind](data.compressed(range(4))).outcome(0, 1, (2,))

    assert found == KINDS[kind](data).outcome(0, 1, (2,))


def test_seeds_change_the_p_value_and_the_same_seed_does_not():
    data = linked(80, 3, seed=2)
    p = [PermutationTest(data, random_state=seed).outcome(0, 1).log_p for seed in (0, 0, 1, 2, 3)]

    assert p[0] == p[1]
    assert len(set(p)) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_threads_and_processes_find_the_same(kind):
    data = linked(120, 2, n_variables=8)
    pairs = [(x, y) for x in range(8) for y in range(x)]
    questions = [(x, y, z) for x, y in pairs for z in ((), (3,), (6, 2)) if not {x, y} & {*z}]
    alone, shared = KINDS[kind](data), KINDS[kind](data)
    expected = [alone.log_p(*question) for question in questions]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda each: shared.log_p(*each), questions[::-1])) == expected[::-1]
    travelled = pickle.loads(pickle.dumps(alone))
    assert [travelled.log_p(*question) for question in questions] == expected


# Missing values, the power rule, settings


@pytest.mark.parametrize("kind", KINDS)
@examples(40)
@given(st.data(), incomplete_datasets(min_variables=3, max_rows=130, max_levels=3))
def test_missing_cells_are_as_if_their_rows_were_not_there(kind, draw, data):
    x, (y, *_), z = draw.draw(questions(data.n_variables, max_z=2))
    test = KINDS[kind](data, power_rule=1.0)
    rows = complete_rows(data, (x, y, *z))

    found = test.outcome(x, y, z)

    if rows is None:
        assert found.log_p == 0.0
    else:
        whole = KINDS[kind](rows, power_rule=1.0).outcome(0, 1, tuple(range(2, 2 + len(z))))
        assert found.performed == whole.performed
        assert found.statistic == whole.statistic
        assert found.df == pytest.approx(whole.df, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@examples(60)
@given(st.data(), incomplete_datasets(min_variables=2, max_rows=130) | datasets(min_variables=2))
def test_the_power_rule_is_that_of_the_test_on_tables(kind, draw, data):
    x, (y, *_), z = draw.draw(questions(data.n_variables))
    test, plain = KINDS[kind](data), GTest(data)

    assert test.performs(x, y, z) == plain.performs(x, y, z)
    assert test.outcome(x, y, z).performed == plain.outcome(x, y, z).performed
    if not test.performs(x, y, z):
        assert test.log_p(x, y, z) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_a_constant_or_a_known_variable_is_independent(kind):
    data = Dataset.from_codes([[0] * 90, [0, 1, 2] * 30, [1, 0] * 45], cards=[2, 3, 2])
    test = KINDS[kind](data)

    assert test.outcome(0, 1) == test.outcome(1, 0, (2,)) == (0.0, 0, 0.0, True)
    assert test.outcome(1, 2, (1,)) == (0.0, 0, 0.0, True)


@pytest.mark.parametrize(
    "settings",
    [{"statistic": "g3"}, {"n_permutations": 0}, {"random_state": -1}, {"power_rule": -1.0}],
)
def test_bad_settings_are_refused(settings):
    with pytest.raises(SettingError, match=next(iter(settings))):
        PermutationTest(linked(20, 2), **settings)


# The algorithms


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("learner", [H2PC, MMHC])
def test_the_learners_take_it_and_find_the_links_of_the_chi_square_law(kind, learner):
    data = load_network("asia").sample(1000, random_state=1)

    plain = set(map(frozenset, learner().fit(data).edges_))
    one = learner(test=KINDS[kind]).fit(data).edges_
    two = learner(test=KINDS[kind], n_jobs=2).fit(data).edges_

    assert one == two
    assert len(plain ^ set(map(frozenset, one))) <= 2


def test_a_skeleton_of_a_small_sample_is_found_where_the_chi_square_law_has_no_power():
    data = load_network("asia").sample(200, random_state=1)

    result = skeleton(data, test=PermutationTest, power_rule=0.0)

    assert ("either", "xray") in result.skeleton.named_edges
