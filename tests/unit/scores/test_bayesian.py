"""BDeu and BDs: marginal likelihoods by hand, and priors from faint to overwhelming."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.scores import K2, BDeu, BDs
from reference.slow_scores import counts, precise_log_rising, slow_bdeu, slow_bds
from strategies import datasets, examples, questions

SAMPLE_SIZES = [1e-300, 1e-12, 0.01, 1.0, 10.0, 1e3, 1e5, 1e8, 1e15, 1e300]


def test_the_marginal_likelihood_of_two_samples_by_hand():
    data = Dataset.from_codes([[0, 1], [0, 0]], cards=[2, 3])

    # 1/2, then (0 + 1) / (1 + 2): the prior is worth two samples, one of each level.
    assert BDeu(data, 2.0).family(0) == pytest.approx(math.log(1 / 2 * 1 / 3), rel=1e-9)
    # Given one of three configurations the prior is worth 2/3 of a sample.
    assert BDeu(data, 2.0).family(0, (1,)) == pytest.approx(math.log(1 / 2 / 5), rel=1e-9)
    # BDs spends all of it on the only configuration that occurs.
    assert BDs(data, 2.0).family(0, (1,)) == pytest.approx(math.log(1 / 2 * 1 / 3), rel=1e-9)


@pytest.mark.parametrize("ess", SAMPLE_SIZES)
def test_priors_from_faint_to_overwhelming_keep_their_digits(ess):
    rng = np.random.default_rng(0)
    data = Dataset.from_codes(rng.integers(0, 3, (4, 1_500)) ** 2 % 3)
    score = BDeu(data, ess)

    for parents in [(), (1, 2)]:
        expected = slow_bdeu(data, 0, parents, ess, precise_log_rising)
        assert score.family(0, parents) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("ess", [1.9e4, 2.1e4, 1e6])
def test_the_digits_of_a_large_prior_are_all_there_for_few_samples(ess):
    data = Dataset.from_codes([[0, 1] * 30])

    expected = slow_bdeu(data, 0, (), ess, precise_log_rising)

    assert BDeu(data, ess).family(0) == pytest.approx(expected, rel=1e-11)


@examples(20)
@given(st.data(), datasets(min_variables=2, max_rows=65))
def test_every_term_is_rounded_to_the_nearest_unit(draw, data):
    child, _, parents = draw.draw(questions(data.n_variables, max_z=2))
    score = BDeu(data)

    found = score.family(child, parents)

    expected = slow_bdeu(data, child, parents, term=precise_log_rising)
    n_terms = sum(map(len, counts(data, child, parents)))
    assert abs(found - expected) <= 0.501 * n_terms * score.unit


@examples(40)
@given(st.data(), datasets(min_variables=2), st.sampled_from([0.1, 1.0, 10.0, 500.0]))
def test_any_size_of_the_prior_is_as_the_textbook_says(draw, data, ess):
    child, _, parents = draw.draw(questions(data.n_variables))

    found = [kind(data, ess).family(child, parents) for kind in (BDeu, BDs)]

    expected = [twin(data, child, parents, ess) for twin in (slow_bdeu, slow_bds)]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-8)


@examples(40)
@given(st.data(), datasets(min_variables=2))
def test_a_prior_of_one_sample_in_every_cell_is_that_of_k2(draw, data):
    child, _, parents = draw.draw(questions(data.n_variables))
    n_cells = math.prod(data.cards[[child, *parents]].tolist())

    found = BDeu(data, n_cells).family(child, parents)

    assert found == pytest.approx(K2(data).family(child, parents), rel=1e-9, abs=1e-8)


@examples(40)
@given(st.data(), datasets(min_variables=2))
def test_bds_is_bdeu_with_a_larger_prior_where_configurations_are_missing(draw, data):
    child, _, parents = draw.draw(questions(data.n_variables))
    n_possible = math.prod(data.cards[list(parents)].tolist())
    n_observed = len(set(zip(*data.codes[list(parents)].tolist(), strict=True))) if parents else 1

    found = BDs(data).family(child, parents)

    larger = BDeu(data, 10.0 * n_possible / n_observed).family(child, parents)
    assert found == pytest.approx(larger, rel=1e-9, abs=1e-8)
    if n_observed == n_possible:
        assert found == BDeu(data).family(child, parents)


def test_more_parents_than_floats_can_count_configurations_of_leave_a_finite_score():
    data = Dataset.from_codes(np.zeros((400, 5), int), cards=[100] * 400)
    score = BDeu(data)

    found = [score.family(0, tuple(range(1, n))) for n in (1, 10, 100, 200, 400)]

    assert np.isfinite(found).all()
    assert (np.diff(found) < 0.0).all() or found[-1] == found[-2]
    assert (score.changed(0, tuple(range(1, 399)), (399, 1)) == found[-1]).all()


@pytest.mark.parametrize("kind", [BDeu, BDs])
@pytest.mark.parametrize("ess", [0.0, -1.0, math.inf, math.nan])
def test_a_prior_that_is_worth_nothing_or_everything_is_refused(kind, ess):
    data = Dataset.from_codes([[0, 1]])

    with pytest.raises(
        SettingError, match=r"^equivalent_sample_size must be a number above 0; got"
    ):
        kind(data, ess)
