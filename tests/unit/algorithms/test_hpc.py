import pickle

import numpy as np
import pytest

from h2pc.algorithms.fdr_iapc import fdr_iapc
from h2pc.algorithms.hpc import hpc, hpc_neighbourhood
from h2pc.graphs import Dag
from h2pc.independence.base import LogP
from h2pc.independence.context import Context
from h2pc.independence.oracle import DSeparationOracle
from h2pc.independence.tables import GTest
from h2pc.networks import load_network
from h2pc.variables import Var, Vars

STAR = Dag.from_edges(["t", "a", "b", "c", "d"], [(0, 1), (0, 2), (0, 3), (0, 4)])


class ShortSightedOracle(DSeparationOracle):
    """An oracle that, for want of samples, takes everything for separated by more than ``most``."""

    def __init__(self, dag: Dag, most: int) -> None:
        super().__init__(dag)
        self.most = most

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        if len(z) > self.most:
            return np.zeros(len(candidates))
        return super().log_p_given(target, candidates, z)

    def may_separate(self, x: Var, y: Var, base: Vars, pool: Vars) -> bool:
        return len(base) + len(pool) > self.most or super().may_separate(x, y, base, pool)


class FocusingOracle(DSeparationOracle):
    """An oracle that notes what it is focused on."""

    def __init__(self, dag: Dag) -> None:
        super().__init__(dag)
        self.foci: list[Vars] = []

    def focused(self, variables: Vars) -> DSeparationOracle:
        self.foci.append(variables)
        return self


def test_neighbours_bring_in_what_the_weak_learner_misses():
    ci = ShortSightedOracle(STAR, most=1)

    assert fdr_iapc(0, ci, STAR.variables) == (1, 2)
    assert hpc(0, ci, STAR.variables) == (1, 2, 3, 4)


def test_an_answer_about_some_is_that_of_the_whole_neighbourhood():
    data = load_network("alarm").sample(500, random_state=3)
    ci, universe = GTest(data), tuple(range(data.n_variables))

    for target in universe:
        whole = hpc(target, ci, universe)
        for asked in [(), whole[:1], whole[-1:], universe[::3], universe[1::3], universe[2::3]]:
            some = hpc_neighbourhood(target, ci, universe, wanted=asked).pc
            assert set(some) == set(whole) & set(asked)


def test_an_answer_about_some_takes_fewer_tests():
    some, whole = (ShortSightedOracle(STAR, most=1).within(Context()) for _ in range(2))

    assert hpc_neighbourhood(0, some, STAR.variables, wanted=(3,)).pc == (3,)
    hpc(0, whole, STAR.variables)

    assert some.context.n_tests < whole.context.n_tests


def test_the_inside_of_the_search_can_be_looked_at():
    dag = Dag.from_edges(["a", "b", "c", "d", "e"], [(0, 1), (1, 2), (3, 2), (3, 4)])

    inside = hpc_neighbourhood(1, DSeparationOracle(dag), dag.variables)

    assert inside.target == 1
    assert inside.pc == inside.pcs == (0, 2)
    assert inside.dsep == {}
    assert inside.sps == (3,)
    assert inside.mb == (0, 2, 3)
    assert pickle.loads(pickle.dumps(inside)) == inside


def test_one_link_is_the_answer_and_no_spouse_is_sought():
    dag = Dag.from_edges(["a", "b", "c"], [(0, 1), (2, 1)])

    inside = hpc_neighbourhood(0, DSeparationOracle(dag), dag.variables)

    assert inside.pc == inside.pcs == inside.mb == (1,)
    assert inside.sps == ()


def test_the_test_is_focused_once_on_what_is_nearby():
    dag = Dag.from_edges(["a", "b", "c", "d", "e"], [(0, 1), (1, 2), (3, 2), (3, 4)])
    ci = FocusingOracle(dag)

    hpc(1, ci, dag.variables)

    assert ci.foci == [(1, 0, 2, 3)]


@pytest.mark.parametrize("universe", [(0, 1, 2, 3, 4), (1, 2, 3, 4), (4, 2, 0, 3, 1)])
def test_neither_the_target_nor_the_order_of_the_universe_matters(universe):
    assert hpc(0, DSeparationOracle(STAR), universe) == (1, 2, 3, 4)
