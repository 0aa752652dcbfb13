from h2pc.algorithms.de_pcs import de_pcs
from unit.algorithms.scripted import ScriptedTest

T, A, B, C = range(4)


def test_what_is_marginally_independent_is_separated_by_nothing():
    ci = ScriptedTest({(T, A, ()): 0.06, (T, B, ()): 0.05}, otherwise=1e-9)

    assert de_pcs(T, ci, (T, A, B)) == ((B,), {})


def test_of_two_variables_that_separate_each_other_the_weaker_leaves():
    ci = ScriptedTest(
        {(T, A, ()): 1e-4, (T, B, ()): 1e-8, (T, A, (B,)): 0.9, (T, B, (A,)): 0.9}, otherwise=1e-20
    )

    assert de_pcs(T, ci, (T, A, B)) == ((B,), {A: (B,)})


def test_of_equal_variables_that_separate_each_other_the_first_by_name_leaves():
    ci = ScriptedTest({(T, A, (B,)): 0.9, (T, B, (A,)): 0.9}, otherwise=1e-4)

    assert de_pcs(T, ci, (T, A, B)) == de_pcs(T, ci, (B, A)) == ((B,), {A: (B,)})


def test_separators_are_tried_in_the_order_of_the_updated_p_values():
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


def test_a_separator_that_has_left_is_not_tried():
    ci = ScriptedTest({(T, A, (B,)): 0.9, (T, B, (C,)): 0.9, (T, B, ()): 1e-3}, otherwise=1e-9)

    pcs, dsep = de_pcs(T, ci, (T, A, B, C))

    assert set(pcs) == {A, C}
    assert dsep == {B: (C,)}


def test_a_target_alone_has_no_neighbours():
    assert de_pcs(T, ScriptedTest({}, otherwise=1e-9), (T,)) == ((), {})
