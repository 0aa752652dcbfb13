import pytest

from h2pc.algorithms.iamb import iamb, inter_iamb
from unit.algorithms.scripted import ScriptedTest

T, A, B, C = range(4)


@pytest.mark.parametrize("learner", [iamb, inter_iamb])
def test_the_strongest_link_given_the_boundary_enters(learner):
    ci = ScriptedTest({(T, A, ()): 1e-3, (T, A, (B,)): 0.9}, otherwise=1e-9)

    assert learner(T, ci, (T, A, B)) == (B,)


@pytest.mark.parametrize("learner", [iamb, inter_iamb])
def test_a_member_that_has_become_redundant_leaves(learner):
    ci = ScriptedTest({(T, A, ()): 1e-30, (T, A, (B, C)): 0.9, (T, A, (B,)): 1e-9}, otherwise=1e-9)

    assert learner(T, ci, (T, A, B, C)) == (B, C)


def test_inter_iamb_shrinks_as_it_grows():
    # A hides C while it is in the boundary; IAMB drops it too late to see C.
    p = {
        (T, A, ()): 1e-30,
        (T, C, ()): 1e-5,
        (T, A, (B,)): 0.9,
        (T, C, (A,)): 0.9,
        (T, C, (A, B)): 0.9,
        (T, A, (B, C)): 0.9,
    }

    assert iamb(T, ScriptedTest(p, otherwise=1e-9), (T, A, B, C)) == (B,)
    assert inter_iamb(T, ScriptedTest(p, otherwise=1e-9), (T, A, B, C)) == (B, C)


def test_inter_iamb_ends_where_it_would_go_round_in_circles():
    ci = ScriptedTest(
        {(T, A, ()): 1e-3, (T, B, ()): 0.9, (T, A, (B,)): 0.9, (T, B, (A,)): 1e-3}, otherwise=0.9
    )

    assert inter_iamb(T, ci, (T, A, B)) == ()


@pytest.mark.parametrize("learner", [iamb, inter_iamb])
def test_a_target_alone_has_an_empty_boundary(learner):
    assert learner(T, ScriptedTest({}, otherwise=1e-9), (T,)) == ()
