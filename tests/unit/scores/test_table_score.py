"""What the scores of counts share: exact sums, copies, threads, and bad variables."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from h2pc.data import Dataset
from h2pc.scores import AIC, BIC, K2, BDeu, BDs, LogLikelihood
from h2pc.scores.table_score import TableScore
from reference.slow_scores import TWINS

KINDS = [BDeu, BDs, K2, LogLikelihood, BIC, AIC]


def sampled(n_variables: int = 6, n_rows: int = 700, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 60, n_rows)
    codes = [
        np.where(rng.random(n_rows) < 0.5, hidden, rng.integers(0, 60, n_rows)) % card
        for card in rng.integers(2, 5, n_variables)
    ]
    return Dataset.from_codes(codes)


@pytest.mark.parametrize("kind", KINDS)
def test_no_changes_have_no_scores(kind):
    found = kind(sampled()).changed(0, (1, 2), ())

    assert found.shape == (0,)
    assert found.dtype == np.float64


@pytest.mark.parametrize("kind", KINDS)
def test_the_number_of_variables_is_that_of_the_data(kind):
    assert kind(sampled(4)).n_variables == 4


@pytest.mark.parametrize("kind", KINDS)
def test_the_score_of_a_graph_is_the_sum_over_its_families(kind):
    data = sampled(4)
    parent_sets = [(), (0,), (0, 1), (0, 2, 1)]
    score = kind(data)

    found = score.total(parent_sets)

    expected = sum(TWINS[kind](data, child, above) for child, above in enumerate(parent_sets))
    assert found == pytest.approx(expected, rel=1e-9)
    families = [score.family(child, above) for child, above in enumerate(parent_sets)]
    assert {sum(order) for order in permutations(families)} == {found}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_samples", [4, 400, 40_000, 10**9])
@pytest.mark.parametrize("n_variables", [2, 30, 300])
def test_scores_are_whole_units_and_leave_room_for_their_sum(kind, n_variables, n_samples):
    rng = np.random.default_rng(0)
    rows = Dataset.from_codes(rng.integers(0, 3, (n_variables, 4))).compressed(range(n_variables))
    score = kind(replace(rows, weights=np.full(rows.n_rows, n_samples // rows.n_rows)))

    families = [score.family(v, tuple(range(max(0, v - 6), v))) for v in range(n_variables)]

    assert all((family / score.unit).is_integer() for family in families)
    assert sum(map(abs, families)) < 2**52 * score.unit
    assert score.unit <= 1e-4 * n_samples


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("duplicate", [deepcopy, lambda score: pickle.loads(pickle.dumps(score))])
def test_a_copy_gives_the_same_bits(kind, duplicate):
    score = kind(sampled())
    expected = score.changed(0, (1, 2), (1, 2, 3, 4)).tolist()

    other = duplicate(score)
    del score

    assert other.changed(0, (1, 2), (1, 2, 3, 4)).tolist() == expected


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_threads_get_the_same_bits(kind):
    score = kind(sampled(7))
    families = [(child, parents) for child, *parents in permutations(range(7), 3)]

    def scored(family) -> list[float]:
        child, parents = family
        return score.changed(child, tuple(parents), tuple({*range(7)} - {child})).tolist()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(scored, families))

    assert found == [scored(family) for family in families]


def test_a_data_set_of_one_constant_is_certain():
    data = Dataset.from_codes([[0, 0, 0]])

    for kind in KINDS:
        assert kind(data).family(0) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_a_pickle_has_the_data_and_the_parameters_alone(kind):
    score = kind(sampled())
    score.family(0)

    assert {*score.__getstate__()} <= {"data", "equivalent_sample_size"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_child_among_the_others_is_no_change(kind):
    score = kind(sampled())

    assert score.changed(0, (1, 2), (0, 3, 0)).tolist()[::2] == [score.family(0, (1, 2))] * 2


@pytest.mark.parametrize(
    ("child", "parents", "others"),
    [
        (3, (), (0,)),
        (-1, (), (0,)),
        (0, (3,), (1,)),
        (0, (-1,), (1,)),
        (0, (), (3,)),
        (0, (), (-1,)),
    ],
)
def test_a_number_that_is_no_variable_is_refused(child, parents, others):
    score = BDeu(Dataset.from_codes([[0, 1], [0, 1], [0, 1]]))

    with pytest.raises(IndexError, match="out of range"):
        score.changed(child, parents, others)


def test_the_base_has_no_score_of_its_own():
    with pytest.raises(TypeError, match="abstract"):
        TableScore(sampled())
