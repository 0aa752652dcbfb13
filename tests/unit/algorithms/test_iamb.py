import pytest

from h2pc.algorithms.iamb import iamb, iamb_fdr, inter_iamb
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


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_iamb_fdr_a_single_discovery_has_the_limit_of_benjamini_and_yekutieli(n):
    limit = 0.05 / (n * sum(1 / i for i in range(1, n + 1)))
    universe = tuple(range(n + 1))

    for p, expected in [(0.999 * limit, (A,)), (1.001 * limit, ())]:
        ci = ScriptedTest({(T, A, ()): p, (T, A, universe[2:]): p}, otherwise=0.9)
        assert iamb_fdr(T, ci, universe) == expected


def test_iamb_fdr_among_more_candidates_a_link_must_be_stronger():
    ci = ScriptedTest({(T, A, ()): 0.04}, otherwise=0.9)

    assert iamb_fdr(T, ci, (T, A)) == (A,)
    assert iamb_fdr(T, ci, (T, A, B)) == ()


def test_iamb_fdr_the_rank_counts_all_candidates_and_the_smallest_discovery_enters():
    # With m = 2 the limits are 0.0167 and 0.0333: B, of rank 1, is no discovery; A, of rank 2, is.
    ci = ScriptedTest({(T, A, ()): 0.03, (T, B, ()): 0.02}, otherwise=0.9)

    assert iamb_fdr(T, ci, (T, A, B)) == (A,)


def test_iamb_fdr_the_newcomer_stays_for_a_round_although_its_rank_has_changed():
    # A enters with rank 2; then, with rank 1, it is no discovery any more, but B is one.
    ci = ScriptedTest(
        {(T, A, ()): 0.03, (T, B, ()): 0.02, (T, B, (A,)): 0.032, (T, A, (B,)): 1e-9}, otherwise=0.9
    )

    assert iamb_fdr(T, ci, (T, A, B)) == (A, B)


def test_iamb_fdr_members_leave_before_others_enter():
    ci = ScriptedTest({(T, B, (A,)): 1e-9, (T, B, ()): 0.9, (T, A, ()): 0.9}, otherwise=1e-9)

    assert iamb_fdr(T, ci, (T, A, B), start=(A,)) == ()


def test_iamb_fdr_of_equally_weak_members_the_first_by_name_leaves():
    ci = ScriptedTest({(T, A, (B,)): 1.0, (T, B, (A,)): 1.0}, otherwise=1e-9)

    assert iamb_fdr(T, ci, (T, A, B), start=(A, B)) == (B,)
    assert iamb_fdr(T, ci, (T, A, B), start=(B, A)) == (B,)


def test_iamb_fdr_what_would_lead_round_in_circles_is_barred():
    # ∅ → {A} → {A, B} → {B} → ∅ again: B is barred, and A alone is no discovery of rank 1.
    ci = ScriptedTest(
        {(T, A, ()): 0.03, (T, B, ()): 0.02, (T, B, (A,)): 0.001, (T, A, (B,)): 0.5}, otherwise=0.9
    )

    assert iamb_fdr(T, ci, (T, A, B)) == ()


@pytest.mark.parametrize("universe", [(), (T,)])
def test_iamb_fdr_without_candidates_the_boundary_is_empty(universe):
    assert iamb_fdr(T, ScriptedTest({}, otherwise=1e-9), universe) == ()
