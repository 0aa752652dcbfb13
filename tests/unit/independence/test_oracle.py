import math
import pickle
import random
from itertools import pairwise

import numpy as np
import pytest

from h2pc.errors import GraphError, SettingError
from h2pc.graphs import Dag
from h2pc.independence.base import Separation
from h2pc.independence.oracle import DSeparationOracle
from reference.slow_local import Textbook
from strategies import names_of, random_dag


@pytest.fixture
def collider() -> DSeparationOracle:
    """0 → 2 ← 1, 2 → 3."""
    return DSeparationOracle(Dag.from_edges(names_of(4), [(0, 2), (1, 2), (2, 3)]))


def test_separated_is_p_one_and_connected_is_p_zero(collider):
    log_p = collider.log_p_many(0, (1, 2, 3))

    assert log_p.dtype == np.float64
    assert log_p.tolist() == [0.0, -math.inf, -math.inf]
    assert [collider.independent(p) for p in log_p] == [True, False, False]


def test_no_candidate_is_no_answer(collider):
    assert collider.log_p_many(0, ()).shape == (0,)


def test_what_is_known_is_independent(collider):
    assert collider.log_p(0, 2, (2,)) == 0.0


def test_the_level_changes_no_answer(collider):
    for alpha in (1e-9, 0.999):
        strict = DSeparationOracle(collider.dag, alpha)

        assert strict.independent(strict.log_p(0, 1))
        assert not strict.independent(strict.log_p(0, 2))
    with pytest.raises(SettingError, match="alpha"):
        DSeparationOracle(collider.dag, 1.5)


def test_a_target_in_its_own_conditioning_set_is_a_mistake(collider):
    with pytest.raises(GraphError, match="target 0"):
        collider.log_p(0, 1, (0,))


def test_an_unknown_variable_is_never_independent_by_accident(collider):
    for question in [(9, 0, ()), (0, 9, ()), (0, 1, (9,))]:
        with pytest.raises(IndexError):
            collider.log_p(*question)


def test_the_first_separator_is_the_smallest_and_earliest(collider):
    assert collider.first_separator(0, 3, (1, 2)) == Separation((2,), 0.0)
    assert collider.first_separator(0, 1, (2, 3)) == Separation((), 0.0)
    assert collider.first_separator(0, 1, (2, 3), min_size=1) == Separation(None, -math.inf)
    assert collider.first_separator(0, 3, (1, 2), max_size=0) == Separation(None, -math.inf)
    assert collider.first_separator(0, 3, (1,), base=(2,)) == Separation((), 0.0)


def test_the_short_cut_finds_what_the_full_search_finds():
    rng = random.Random(4)
    for _ in range(150):
        dag = random_dag(rng, n_nodes=8, n_edges=rng.randint(4, 16))
        ci = DSeparationOracle(dag)
        target, candidate, *rest = rng.sample(dag.variables, 8)
        base, pool = tuple(rest[:1]), tuple(rest[1:])
        sizes = {"min_size": rng.randint(0, 2), "max_size": rng.choice((None, 1, 3))}

        found = ci.first_separator(target, candidate, pool, base=base, **sizes)

        assert found == Textbook(ci).first_separator(target, candidate, pool, base, **sizes)


def test_numpy_integers_beyond_the_64th_variable_are_understood():
    names = names_of(100)
    ci = DSeparationOracle(Dag.from_edges(names, pairwise(names)))

    log_p = ci.log_p_many(np.int64(70), (np.int64(95), np.int64(75)), (np.int64(80),))

    assert log_p.tolist() == [0.0, -math.inf]


def test_an_oracle_can_be_sent_to_another_process(collider):
    sent = pickle.loads(pickle.dumps(collider))

    assert sent.log_p_many(0, (1, 2)).tolist() == [0.0, -math.inf]
