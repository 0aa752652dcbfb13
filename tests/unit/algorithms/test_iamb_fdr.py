import pytest

from h2pc.algorithms.iamb_fdr import iamb_fdr
from unit.algorithms.scripted import ScriptedTest

T, A, B, C = range(4)


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_a_single_discovery_has_the_limit_of_benjamini_and_yekutieli(n):
    limit = 0.05 / (n * sum(1 / i for i in range(1, n + 1)))
    universe = tuple(range(n + 1))

    for p, expected in [(0.999 * limit, (A,)), (1.001 * limit, ())]:
        ci = ScriptedTest({(T, A, ()): p, (T, A, universe[2:]): p}, otherwise=0.9)
        assert iamb_fdr(T, ci, universe) == expected


def test_among_more_candidates_a_link_must_be_stronger():
    ci = ScriptedTest({(T, A, ()): 0.04}, otherwise=0.9)

    assert iamb_fdr(T, ci, (T, A)) == (A,)
    assert iamb_fdr(T, ci, (T, A, B)) == ()


def test_the_rank_counts_all_candidates_and_the_smallest_discovery_enters():
    # With m = 2 the limits are 0.0167 and 0.0333: B, of rank 1, is no discovery; A, of rank 2, is.
    ci = ScriptedTest({(T, A, ()): 0.03, (T, B, ()): 0.02}, otherwise=0.9)

    assert iamb_fdr(T, ci, (T, A, B)) == (A,)


def test_the_newcomer_stays_for_a_round_although_its_rank_has_changed():
    # A enters with rank 2; then, with rank 1, it is no discovery any more, but B is one.
    ci = ScriptedTest(
        {(T, A, ()): 0.03, (T, B, ()): 0.02, (T, B, (A,)): 0.032, (T, A, (B,)): 1e-9}, otherwise=0.9
    )

    assert iamb_fdr(T, ci, (T, A, B)) == (A, B)


def test_members_leave_before_others_enter():
    ci = ScriptedTest({(T, B, (A,)): 1e-9, (T, B, ()): 0.9, (T, A, ()): 0.9}, otherwise=1e-9)

    assert iamb_fdr(T, ci, (T, A, B), start=(A,)) == ()


def test_of_equally_weak_members_the_first_by_name_leaves():
    ci = ScriptedTest({(T, A, (B,)): 1.0, (T, B, (A,)): 1.0}, otherwise=1e-9)

    assert iamb_fdr(T, ci, (T, A, B), start=(A, B)) == (B,)
    assert iamb_fdr(T, ci, (T, A, B), start=(B, A)) == (B,)


def test_what_would_lead_round_in_circles_is_barred():
    # ∅ → {A} → {A, B} → {B} → ∅ again: B is barred, and A alone is no discovery of rank 1.
    ci = ScriptedTest(
        {(T, A, ()): 0.03, (T, B, ()): 0.02, (T, B, (A,)): 0.001, (T, A, (B,)): 0.5}, otherwise=0.9
    )

    assert iamb_fdr(T, ci, (T, A, B)) == ()


@pytest.mark.parametrize("universe", [(), (T,)])
def test_without_candidates_the_boundary_is_empty(universe):
    assert iamb_fdr(T, ScriptedTest({}, otherwise=1e-9), universe) == ()
