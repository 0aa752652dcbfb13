from h2pc.algorithms.de_sps import de_sps
from unit.algorithms.scripted import ScriptedTest

T, X, Y, Z = range(4)


def test_a_spouse_becomes_dependent_once_the_child_is_known():
    ci = ScriptedTest({(T, Y, (X,)): 0.01}, otherwise=0.5)

    assert de_sps(T, ci, (T, X, Y, Z), pcs=(X,), dsep={}) == (Y,)


def test_the_separating_set_stays_known_beside_the_child():
    ci = ScriptedTest({(T, Y, (X, Z)): 0.01}, otherwise=0.5)

    assert de_sps(T, ci, (T, X, Y, Z), pcs=(X, Z), dsep={Y: (Z,)}) == (Y,)


def test_nothing_is_tested_where_the_child_is_the_separator():
    ci = ScriptedTest({}, otherwise=0.5)

    de_sps(T, ci, (T, X, Y, Z), pcs=(X,), dsep={Y: (X,)})

    assert ci.asked == [(T, Z, (X,))]


def test_of_two_that_separate_each_other_the_weaker_leaves():
    known_x = {(T, Y, (X,)): 1e-9, (T, Z, (X,)): 1e-3}
    ci = ScriptedTest(known_x | {(T, Y, (X, Z)): 0.5, (T, Z, (X, Y)): 0.5}, otherwise=1.0)

    assert de_sps(T, ci, (T, X, Y, Z), pcs=(X,), dsep={}) == (Y,)


def test_of_two_equal_ones_that_separate_each_other_the_first_by_name_leaves():
    known_x = {(T, Y, (X,)): 1e-3, (T, Z, (X,)): 1e-3}
    ci = ScriptedTest(known_x | {(T, Y, (X, Z)): 0.5, (T, Z, (X, Y)): 0.5}, otherwise=1.0)

    assert de_sps(T, ci, (Z, Y, X), pcs=(X,), dsep={}) == (Z,)


def test_spouses_do_not_come_in_the_order_of_the_universe():
    ci = ScriptedTest({(T, Y, (X,)): 0.01, (T, Z, (X,)): 0.01}, otherwise=0.001)

    for universe in [(T, X, Y, Z), (Z, Y, X, T)]:
        assert de_sps(T, ci, universe, pcs=(X,), dsep={}) == (Y, Z)
