from h2pc.algorithms.mmpc import mmpc
from unit.algorithms.scripted import ScriptedTest

T, A, B, C = range(4)


def test_the_strongest_of_the_weakest_links_enters_next():
    # Given A, B is weaker than C although it is stronger alone; and C separates it.
    ci = ScriptedTest(
        {
            (T, A, ()): 1e-30,
            (T, B, ()): 1e-20,
            (T, C, ()): 1e-10,
            (T, B, (A,)): 1e-4,
            (T, C, (A,)): 1e-8,
            (T, B, (C,)): 0.9,
            (T, C, (B,)): 0.9,
        },
        otherwise=1e-40,
    )

    assert mmpc(T, ci, (T, A, B, C)) == (A, C)


def test_a_subset_of_several_members_is_tried():
    ci = ScriptedTest({(T, C, ()): 1e-3, (T, C, (A, B)): 0.9}, otherwise=1e-9)

    assert mmpc(T, ci, (T, A, B, C)) == (A, B)


def test_the_backward_phase_removes_what_a_later_member_separates():
    ci = ScriptedTest({(T, A, ()): 1e-30, (T, A, (B,)): 0.9}, otherwise=1e-9)

    assert mmpc(T, ci, (T, A, B)) == (B,)


def test_equal_links_enter_by_name():
    ci = ScriptedTest({}, otherwise=1e-9)

    assert mmpc(T, ci, (C, B, A, T)) == (A, B, C)


def test_what_has_been_separated_is_not_tested_again():
    ci = ScriptedTest({(T, C, ()): 0.9}, otherwise=1e-9)

    mmpc(T, ci, (T, A, B, C))

    assert [question for question in ci.asked if C in question[:2]] == [(T, C, ())]
