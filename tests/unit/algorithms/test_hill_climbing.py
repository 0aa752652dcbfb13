import pytest

from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.algorithms.search import Add, Delete, Reverse
from h2pc.graphs import Skeleton
from h2pc.independence.constraints import EdgeConstraints
from unit.algorithms.landscapes import RandomScore, ScriptedScore

A, B, C = range(3)
RUGGED = RandomScore(7, 1000, seed=4)


def test_the_steepest_way_is_taken_to_the_summit():
    score = ScriptedScore(3, {(B, (A,)): 2.0, (C, (A,)): 3.0, (C, (A, B)): 4.0})

    found = hill_climbing(score)

    assert found.trail == (Add(A, C), Add(A, B), Add(B, C))
    assert (found.score, found.n_moves_to_best) == (6.0, 3)


def test_a_level_way_is_not_taken():
    assert hill_climbing(ScriptedScore(3, {}, otherwise=0.0)).trail == ()


def test_a_start_is_improved_by_deletion_and_reversal():
    score = ScriptedScore(3, {(A, (B,)): 1.0}, otherwise=-1.0)

    found = hill_climbing(score, start=[(A, B), (A, C)])

    assert found.trail == (Reverse(A, B), Delete(A, C))
    assert found.edges == ((B, A),)


def test_restarts_lead_higher_and_the_first_climb_stays_the_same():
    once = hill_climbing(RUGGED)
    often = hill_climbing(RUGGED, restarts=20)

    assert often.score > once.score
    assert often.trail[: once.n_moves] == once.trail
    assert once.n_moves < often.n_moves_to_best <= often.n_moves


def test_restarts_depend_on_the_seed_and_on_nothing_else():
    one, two = (hill_climbing(RUGGED, restarts=3, random_state=1) for _ in range(2))

    assert one == two
    assert (
        len({hill_climbing(RUGGED, restarts=3, random_state=seed).trail for seed in range(5)}) == 5
    )


def test_every_kind_of_move_is_drawn():
    score = ScriptedScore(6, {}, otherwise=0.0)  # so there is nothing to climb

    trail = hill_climbing(score, restarts=1, perturbations=60).trail

    assert len(trail) == 60
    counts = [sum(isinstance(move, kind) for move in trail) for kind in (Add, Delete, Reverse)]
    assert min(counts) >= 10


def test_a_restart_begins_at_the_best_graph():
    score = ScriptedScore(2, {(B, (A,)): 1.0, (A, (B,)): 0.5})

    found = hill_climbing(score, restarts=8, perturbations=1)

    assert found.edges == ((A, B),)
    assert found.trail[0] == Add(A, B)
    back = {Delete(A, B): Add(A, B), Reverse(A, B): Reverse(B, A)}
    assert {*found.trail[1::2]} == {*back}
    assert all(
        back[away] == home for away, home in zip(found.trail[1::2], found.trail[2::2], strict=True)
    )


def test_where_no_move_is_legal_nothing_is_perturbed():
    required = EdgeConstraints(required=((A, B),))

    found = hill_climbing(
        RandomScore(2, 10, seed=0), Skeleton(tuple("ab")), constraints=required, restarts=3
    )

    assert found.trail == ()
    assert found.edges == ((A, B),)


@pytest.mark.parametrize("seed", range(5))
def test_perturbations_keep_to_the_rules(seed):
    rules = EdgeConstraints(required=((0, 1),), forbidden=((2, 3),), tiers=((0, 2), (5, 6)))

    found = hill_climbing(
        RUGGED, max_parents=2, constraints=rules, restarts=4, perturbations=12, random_state=seed
    )

    assert not {Delete(0, 1), Reverse(0, 1), Add(2, 3), Reverse(3, 2)} & {*found.trail}
    added = [(move.parent, move.child) for move in found.trail if isinstance(move, Add)]
    assert all(rules.allows(*edge) for edge in added)
    assert max(map(len, found.parent_sets)) <= 2
