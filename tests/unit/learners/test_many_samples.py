"""The limit of many samples: H2PC recovers equivalence classes of linear-Gaussian networks."""

import pytest

from h2pc import H2PC, make_linear_gaussian_network, shd


@pytest.mark.slow
def test_the_equivalence_class_is_recovered_from_a_million_samples():
    n_recovered = 0
    for seed in range(16):
        n_variables = 8 + seed % 8
        truth = make_linear_gaussian_network(n_variables, n_variables, random_state=seed)
        learner = H2PC().fit(truth.sample(1_000_000, random_state=seed))
        n_recovered += shd(learner.dag_, truth.dag) == 0

    # Some have links that nearly cancel: see the section on continuous data of docs/benchmarks.md.
    assert n_recovered >= 0.85 * 16
