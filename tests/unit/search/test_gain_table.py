"""The table of gains: always that of its graph, and copies that go their own ways."""

from random import Random

import pytest

from h2pc.independence.constrained import EdgeConstraints
from h2pc.search import Add, Delete, Move, Reverse
from h2pc.search.gains import GainTable, Step
from h2pc.search.space import search_space
from unit.search.landscapes import RandomScore, ScriptedScore

SCORE = RandomScore(5, 1000, seed=2)


def table_of(score, start=(), **settings) -> GainTable:
    rules = {"skeleton": None, "max_parents": None, "constraints": EdgeConstraints(), **settings}
    return GainTable(score, search_space(score.n_variables, start=start, **rules))


def edges_of(table: GainTable) -> list[tuple[int, int]]:
    return [(u, v) for v, parents in enumerate(table.parent_sets) for u in parents]


def wander(table: GainTable, n_moves: int, seed: int) -> list[Move]:
    dice, moves = Random(seed), []
    for _ in range(n_moves):
        move = table.random_move(dice)
        table.make(move)
        moves.append(move)
    return moves


def best_steps(table: GainTable, n_steps: int) -> list[Step]:
    steps = []
    for _ in range(n_steps):
        steps.append(table.best())
        table.make(steps[-1].move)
    return steps


@pytest.mark.parametrize("seed", range(5))
def test_after_any_moves_the_table_is_that_of_a_new_start(seed):
    table = table_of(SCORE)
    wander(table, 50, seed)

    anew = table_of(SCORE, edges_of(table))

    assert table.parent_sets == anew.parent_sets
    assert table.score == anew.score == SCORE.total(table.parent_sets)
    assert table.key == anew.key
    assert wander(table, 10, seed) == wander(anew, 10, seed)
    assert best_steps(table, 20) == best_steps(anew, 20)


def test_the_same_graph_has_the_same_key_however_it_came_about():
    table = table_of(SCORE)
    empty = table.key
    for move in (Add(0, 1), Add(2, 1), Reverse(0, 1), Delete(2, 1), Delete(1, 0)):
        table.make(move)
        assert (table.key == empty) == (move == Delete(1, 0))


def test_a_barred_graph_is_not_the_best():
    table = table_of(ScriptedScore(2, {(1, (0,)): 2.0, (0, (1,)): 1.0}))
    barred = set()
    for expected in (Add(0, 1), Add(1, 0)):
        step = table.best(barred)
        assert step.move == expected
        away = table.copy()
        away.make(step.move)
        barred.add(away.key)
    assert table.best(barred) is None


def test_the_gain_is_what_the_move_adds_to_the_score():
    table = table_of(SCORE)
    for _ in range(20):
        before, step = table.score, table.best()
        table.make(step.move)
        assert table.score == before + step.gain


@pytest.mark.parametrize("seed", range(5))
def test_a_copy_and_its_original_go_their_own_ways(seed):
    table = table_of(SCORE)
    wander(table, 10, seed)
    twin, graph = table.copy(), edges_of(table)

    moves = wander(twin, 30, seed)

    assert edges_of(table) == graph
    assert best_steps(table.copy(), 20) == best_steps(table_of(SCORE, graph), 20)
    assert wander(table, 30, seed) == moves
    assert (table.key, table.score) == (twin.key, twin.score)
