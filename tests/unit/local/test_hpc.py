import pickle
from collections.abc import Sequence

import numpy as np
import pytest

from h2pc.graph import Dag
from h2pc.independence.base import LogP
from h2pc.independence.counted import CountedTest
from h2pc.independence.g_test import GTest
from h2pc.independence.oracle import DSeparationOracle
from h2pc.local import fdr_iapc, hpc, hpc_among, hpc_neighbourhood
from h2pc.networks import load_network
from h2pc.variables import Var, Vars

STAR = Dag.from_edges(["t", "a", "b", "c", "d"], [(0, 1), (0, 2), (0, 3), (0, 4)])


class ShortSightedOracle(DSeparationOracle):
    """An oracle that, for want of samples, takes everything for separated by more than ``most``."""

    def __init__(self, dag: Dag, most: int) -> None:
        super().__init__(dag)
        self.most = most

    def log_p_many(self, target: Var, candidates: Vars, z: Vars = ()) -> LogP:
        if len(z) > self.most:
            return np.zeros(len(candidates))
        return super().log_p_many(target, candidates, z)

    def log_p_each(self, target: Var, candidates: Vars, zs: Sequence[Vars]) -> LogP:
        seen = super().log_p_each(target, candidates, zs)
        return np.where([len(z) > self.most for z in zs], 0.0, seen)


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
    data = load_network("alarm").sample(500, seed=3)
    ci, universe = GTest(data), tuple(range(data.n_variables))

    for target in universe:
        whole = hpc(target, ci, universe)
        for asked in [(), whole[:1], whole[-1:], universe[::3], universe[1::3], universe[2::3]]:
            among = hpc_among(target, ci, universe, asked)
            assert set(among) == set(whole) & set(asked)


def test_an_answer_about_some_asks_less():
    ci = CountedTest(ShortSightedOracle(STAR, most=1))

    assert hpc_among(0, ci, STAR.variables, asked=(3,)) == (3,)
    n_tests = ci.n_tests
    hpc(0, ci, STAR.variables)
    assert n_tests < ci.n_tests - n_tests


def test_the_inside_of_the_search_can_be_looked_at():
    dag = Dag.from_edges(["a", "b", "c", "d", "e"], [(0, 1), (1, 2), (3, 2), (3, 4)])

    inside = hpc_neighbourhood(1, DSeparationOracle(dag), dag.variables)

    assert inside.target == 1
    assert inside.pc == inside.pcs == (0, 2)
    assert inside.dsep == {3: (), 4: ()}
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
