import numpy as np
import pytest

from h2pc.algorithms.hpc import fdr_iapc, hpc
from h2pc.algorithms.iamb import iamb, iamb_fdr, inter_iamb
from h2pc.algorithms.mmpc import mmpc
from reference.slow_g_test import SlowGTest


@pytest.fixture(scope="module")
def ci() -> SlowGTest:
    """Noisy copies along a tree, and one exact copy: links that underflow, and links that tie."""
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, 3000)]
    for parent in (0, 0, 1, 1, 2):
        columns.append(columns[parent] ^ (rng.random(3000) < 0.05))
    return SlowGTest([*columns, columns[1]])


@pytest.mark.parametrize("learner", [hpc, mmpc, iamb, inter_iamb, iamb_fdr, fdr_iapc])
@pytest.mark.parametrize("universe", [(6, 5, 4, 3, 2, 1, 0), (3, 0, 6, 1, 5, 2, 4)])
def test_the_order_of_the_universe_and_the_target_in_it_change_nothing(learner, universe, ci):
    for target in universe:
        expected = learner(target, ci, tuple(range(7)))

        assert learner(target, ci, universe) == expected
        assert learner(target, ci, tuple(v for v in universe if v != target)) == expected
