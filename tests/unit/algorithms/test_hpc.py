"""HPC, DE-PCS, DE-SPS and FDR-IAPC on answers that are written down, and on known graphs."""

import pickle

import numpy as np
import pytest

from h2pc.algorithms.hpc import de_pcs, de_sps, fdr_iapc, hpc, hpc_neighbourhood
from h2pc.graphs import Dag
from h2pc.independence.base import LogP
from h2pc.independence.context import Context
from h2pc.independence.oracle import DSeparationOracle
from h2pc.independence.table_tests import GTest
from h2pc.networks import load_network
from h2pc.variables import Var, Vars
from unit.algorithms.scripted import ScriptedTest

T, A, B, C = range(4)
X, Y, Z = A, B, C

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


def test_de_pcs_what_is_marginally_independent_is_separated_by_nothing():
    ci = ScriptedTest({(T, A, ()): 0.06, (T, B, ()): 0.05}, otherwise=1e-9)

    assert de_pcs(T, ci, (T, A, B)) == ((B,), {})


def test_de_pcs_of_two_variables_that_separate_each_other_the_weaker_leaves():
    ci = ScriptedTest(
        {(T, A, ()): 1e-4, (T, B, ()): 1e-8, (T, A, (B,)): 0.9, (T, B, (A,)): 0.9}, otherwise=1e-20
    )

    assert de_pcs(T, ci, (T, A, B)) == ((B,), {A: (B,)})


def test_de_pcs_of_equal_variables_that_separate_each_other_the_first_by_name_leaves():
    ci = ScriptedTest({(T, A, (B,)): 0.9, (T, B, (A,)): 0.9}, otherwise=1e-4)

    assert de_pcs(T, ci, (T, A, B)) == de_pcs(T, ci, (B, A)) == ((B,), {A: (B,)})


def test_de_pcs_separators_are_tried_in_the_order_of_the_updated_p_values():
    # B, weaker than C only once A is known, comes after C among the separators of A.
    ci = ScriptedTest(
        {
            (T, A, ()): 1e-30,
            (T, B, ()): 1e-20,
            (T, C, ()): 1e-10,
            (T, B, (A,)): 1e-5,
            (T, A, (B,)): 0.9,
            (T, A, (C,)): 0.9,
        },
        otherwise=1e-40,
    )

    pcs, dsep = de_pcs(T, ci, (T, A, B, C))

    assert pcs == (C, B)
    assert dsep == {A: (C,)}


def test_de_pcs_a_separator_that_has_left_is_not_tried():
    ci = ScriptedTest({(T, A, (B,)): 0.9, (T, B, (C,)): 0.9, (T, B, ()): 1e-3}, otherwise=1e-9)

    pcs, dsep = de_pcs(T, ci, (T, A, B, C))

    assert set(pcs) == {A, C}
    assert dsep == {B: (C,)}


def test_de_pcs_a_target_alone_has_no_neighbours():
    assert de_pcs(T, ScriptedTest({}, otherwise=1e-9), (T,)) == ((), {})


def test_de_sps_a_spouse_becomes_dependent_once_the_child_is_known():
    ci = ScriptedTest({(T, Y, (X,)): 0.01}, otherwise=0.5)

    assert de_sps(T, ci, (T, X, Y, Z), pcs=(X,), dsep={}) == (Y,)


def test_de_sps_the_separating_set_stays_known_beside_the_child():
    ci = ScriptedTest({(T, Y, (X, Z)): 0.01}, otherwise=0.5)

    assert de_sps(T, ci, (T, X, Y, Z), pcs=(X, Z), dsep={Y: (Z,)}) == (Y,)


def test_de_sps_nothing_is_tested_where_the_child_is_the_separator():
    ci = ScriptedTest({}, otherwise=0.5)

    de_sps(T, ci, (T, X, Y, Z), pcs=(X,), dsep={Y: (X,)})

    assert ci.asked == [(T, Z, (X,))]


def test_de_sps_of_two_that_separate_each_other_the_weaker_leaves():
    known_x = {(T, Y, (X,)): 1e-9, (T, Z, (X,)): 1e-3}
    ci = ScriptedTest(known_x | {(T, Y, (X, Z)): 0.5, (T, Z, (X, Y)): 0.5}, otherwise=1.0)

    assert de_sps(T, ci, (T, X, Y, Z), pcs=(X,), dsep={}) == (Y,)


def test_de_sps_of_two_equal_ones_that_separate_each_other_the_first_by_name_leaves():
    known_x = {(T, Y, (X,)): 1e-3, (T, Z, (X,)): 1e-3}
    ci = ScriptedTest(known_x | {(T, Y, (X, Z)): 0.5, (T, Z, (X, Y)): 0.5}, otherwise=1.0)

    assert de_sps(T, ci, (Z, Y, X), pcs=(X,), dsep={}) == (Z,)


def test_de_sps_spouses_do_not_come_in_the_order_of_the_universe():
    ci = ScriptedTest({(T, Y, (X,)): 0.01, (T, Z, (X,)): 0.01}, otherwise=0.001)

    for universe in [(T, X, Y, Z), (Z, Y, X, T)]:
        assert de_sps(T, ci, universe, pcs=(X,), dsep={}) == (Y, Z)


def test_fdr_iapc_a_spouse_is_in_the_boundary_but_not_in_the_answer():
    oracle = DSeparationOracle(Dag.from_edges(["t", "a", "b", "c"], [(T, A), (B, A), (C, T)]))

    assert set(fdr_iapc(T, oracle, oracle.dag.variables)) == {A, C}


def test_fdr_iapc_what_has_left_still_separates_the_others():
    ci = ScriptedTest({(T, A, (B,)): 0.9, (T, B, (A,)): 0.9}, otherwise=1e-9)

    assert ci.inseparable(T, (A, C), (A, B, C)) == (C,)
    assert ci.inseparable(T, (A, B, C), (A, B, C)) == (C,)
