"""Log likelihood, BIC and AIC: what fits, less what it costs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.scores import AIC, BIC, LogLikelihood
from strategies import datasets, examples, questions


def test_a_fair_coin_by_hand():
    data = Dataset.from_codes([[0, 1] * 8])

    log_likelihood = 16 * math.log(0.5)
    assert LogLikelihood(data).family(0) == pytest.approx(log_likelihood, rel=1e-9)
    assert BIC(data).family(0) == pytest.approx(log_likelihood - math.log(4), rel=1e-9)
    assert AIC(data).family(0) == pytest.approx(log_likelihood - 1, rel=1e-9)


def test_levels_that_do_not_occur_have_parameters():
    data = Dataset.from_codes([[0, 1, 0, 1], [0, 0, 1, 1]], cards=[3, 5])

    penalty = LogLikelihood(data).family(0, (1,)) - AIC(data).family(0, (1,))

    assert penalty == 2 * 5


@examples(40)
@given(st.data(), datasets(min_variables=2))
def test_a_parent_more_never_makes_the_likelihood_worse(draw, data):
    child, candidates, parents = draw.draw(questions(data.n_variables))
    score = LogLikelihood(data)

    found = score.changed(child, parents, candidates)

    assert (found >= score.family(child, parents) - 1e-7).all()
    assert (found <= 1e-7).all()


@examples(40)
@given(st.data(), datasets(min_variables=2))
def test_penalties_are_counted_by_the_parameter(draw, data):
    child, candidates, parents = draw.draw(questions(data.n_variables))
    likelihood = LogLikelihood(data).changed(child, parents, candidates)
    cards = data.cards.tolist()
    n_parameters = [
        (cards[child] - 1) * math.prod(cards[v] for v in (*parents, x)) for x in candidates
    ]

    aic = likelihood - AIC(data).changed(child, parents, candidates)
    bic = likelihood - BIC(data).changed(child, parents, candidates)

    assert aic.tolist() == n_parameters
    expected = np.array(n_parameters) * math.log(data.n_samples) / 2
    assert bic == pytest.approx(expected, rel=1e-14, abs=BIC(data).unit)


@pytest.mark.parametrize("kind", [BIC, AIC])
def test_more_parameters_than_a_float_can_count_leave_a_finite_score(kind):
    data = Dataset.from_codes(np.arange(2000).reshape(400, 5) % 2, cards=[100] * 400)
    score = kind(data)

    found = [score.family(0, tuple(range(1, n))) for n in (1, 10, 100, 200, 400)]

    assert np.isfinite(found).all()
    assert (np.diff(found) <= 0.0).all()
    assert found[2] < -1e190
    assert np.isfinite(math.fsum(found * 400))


def test_a_single_sample_costs_nothing_by_bic():
    data = Dataset.from_codes([[1], [0]], cards=[2, 2])

    assert BIC(data).family(0, (1,)) == LogLikelihood(data).family(0, (1,)) == 0.0
