"""Wilcoxon's signed-rank test: exact, that of scipy, and that of the paper on its own table."""

import numpy as np
import pytest
from scipy.stats import wilcoxon

from h2pc.experiments.multilabel_results import beyond_mmhc, compared_in_paper, with_selection
from h2pc.experiments.published import ALGORITHMS
from h2pc.multilabel.cross_validation import signed_rank_p_value


@pytest.mark.parametrize(
    ("comparison", "least", "most"),
    [
        (beyond_mmhc("mlp"), 0.0, 0.02),
        (beyond_mmhc("mlp_mb"), 0.0, 0.001),
        *((with_selection(one, name), 0.2, 1.0) for one in ("br", "mlp") for name in ALGORITHMS),
    ],
)
def test_on_the_papers_table_our_test_gives_the_papers_p_values(comparison, least, most):
    assert least < compared_in_paper(comparison).p_value < most


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("digits", [9, 0])  # without and with ties
def test_the_signed_rank_test_is_that_of_scipy(alternative, seed, digits):
    differences = np.random.default_rng(seed).normal(0.3, 1.5, size=9).round(digits)
    expected = wilcoxon(differences[differences != 0], alternative=alternative).pvalue

    assert signed_rank_p_value(differences.tolist(), alternative) == pytest.approx(expected)


def test_ties_and_zeros_do_not_hinder_the_test_from_being_exact():
    # Ranks 1.5, 1.5 and 3: of the eight sums only the largest reaches 6.
    assert signed_rank_p_value([1.0, 1.0, 2.0, 0.0, 0.0], "greater") == 0.125
    assert signed_rank_p_value([0.0, 0.0], "two-sided") is None
    assert signed_rank_p_value([-1.0], "greater") == 1.0


def test_many_data_sets_have_one_p_value_however_often_it_is_asked_for():
    differences = np.random.default_rng(0).normal(0.4, 1.0, size=30).tolist()
    p_values = {signed_rank_p_value(differences, "greater") for _ in range(3)}

    assert len(p_values) == 1
    assert p_values.pop() == pytest.approx(wilcoxon(differences, alternative="greater").pvalue, 0.2)
