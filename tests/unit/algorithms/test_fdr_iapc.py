from h2pc.algorithms.fdr_iapc import fdr_iapc
from h2pc.graphs import Dag
from h2pc.independence.oracle import DSeparationOracle
from unit.algorithms.scripted import ScriptedTest

T, A, B, C = range(4)


def test_a_spouse_is_in_the_boundary_but_not_in_the_answer():
    oracle = DSeparationOracle(Dag.from_edges(["t", "a", "b", "c"], [(T, A), (B, A), (C, T)]))

    assert set(fdr_iapc(T, oracle, oracle.dag.variables)) == {A, C}


def test_what_has_left_still_separates_the_others():
    ci = ScriptedTest({(T, A, (B,)): 0.9, (T, B, (A,)): 0.9}, otherwise=1e-9)

    assert ci.inseparable(T, (A, C), (A, B, C)) == (C,)
    assert ci.inseparable(T, (A, B, C), (A, B, C)) == (C,)
