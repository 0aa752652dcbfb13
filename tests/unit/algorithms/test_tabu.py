import pytest

from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.algorithms.search import Add, Delete, Reverse
from h2pc.algorithms.tabu import tabu_search
from h2pc.errors import SettingError
from h2pc.graphs import Dag, Skeleton
from h2pc.independence.constraints import EdgeConstraints
from unit.algorithms.landscapes import RandomScore, ScriptedScore

A, B, C = range(3)
FLAT = ScriptedScore(2, {}, otherwise=0.0)
# Neither A nor B alone explains C, both together do.
VALLEY = ScriptedScore(3, {(C, (A,)): -1.0, (C, (B,)): -2.0, (C, (A, B)): 5.0})


def test_a_valley_is_crossed():
    found = tabu_search(VALLEY)

    assert found.trail[:2] == (Add(A, C), Add(B, C))
    assert found.parent_sets == ((), (), (A, B))
    assert (found.score, found.n_moves_to_best) == (5.0, 2)
    assert hill_climbing(VALLEY).edges == ()


@pytest.mark.parametrize("patience", [1, 2, 15])
def test_the_search_ends_after_so_many_moves_without_a_new_best(patience):
    found = tabu_search(ScriptedScore(4, {(1, (0,)): 1.0}), patience=patience)

    assert found.edges == ((0, 1),)
    assert found.n_moves == 1 + patience


def test_a_new_best_makes_the_search_patient_again():
    # One step down and one up, twice: no two moves in a row are in vain.
    stairs = {(v, above): gain for v in (2, 3) for above, gain in (((A,), -1.0), ((A, B), 2.0))}

    found = tabu_search(ScriptedScore(4, stairs), patience=2)

    assert found.parent_sets == ((), (), (A, B), (A, B))
    assert (found.score, found.n_moves) == (4.0, 4 + 2)


def test_an_equal_score_is_no_new_best():
    found = tabu_search(FLAT)

    assert found.edges == ()
    assert found.n_moves_to_best == 0
    assert found.n_moves > 0


def test_without_a_list_the_search_goes_back_at_once():
    score = ScriptedScore(2, {(B, (A,)): -1.0, (A, (B,)): -2.0})

    for list_size in (0, 1):  # the current graph is no neighbour of itself
        trail = tabu_search(score, list_size=list_size, patience=4).trail
        assert trail == (Add(A, B), Delete(A, B), Add(A, B), Delete(A, B))
    assert tabu_search(score, list_size=2, patience=4).trail == (
        Add(A, B),
        Reverse(A, B),
        Delete(B, A),
        Add(A, B),
    )


def test_the_search_ends_where_all_neighbours_are_on_the_list():
    assert tabu_search(FLAT).trail == (Add(A, B), Reverse(A, B))


def test_among_equals_the_smallest_parent_goes_first_then_the_smallest_child():
    script = {(A, (C,)): 1.0, (C, (B,)): 1.0, (B, (A,)): 1.0}

    assert tabu_search(ScriptedScore(3, script)).trail[0] == Add(A, B)
    del script[B, (A,)]
    assert tabu_search(ScriptedScore(3, script)).trail[0] == Add(B, C)
    flat = ScriptedScore(3, {}, otherwise=0.0)
    assert tabu_search(flat, max_moves=1).trail == (Add(A, B),)


def test_of_one_edge_the_deletion_comes_before_the_reversal():
    assert tabu_search(FLAT, start=[(A, B)], max_moves=1).trail == (Delete(A, B),)


def test_the_reversal_of_an_early_edge_comes_before_the_deletion_of_a_late_one():
    script = {(B, (A,)): 0.0, (A, (B,)): 1.0, (C, (B,)): -1.0}

    found = tabu_search(ScriptedScore(3, script), start=[(A, B), (B, C)], max_moves=1)

    assert found.trail == (Reverse(A, B),)


@pytest.mark.parametrize("max_moves", [0, 1, 3])
def test_no_more_moves_are_made_than_allowed(max_moves):
    found = tabu_search(VALLEY, max_moves=max_moves)

    assert found.n_moves == max_moves
    assert found.score == (5.0 if max_moves > 1 else 0.0)


def test_the_start_counts_as_visited_and_may_be_the_best():
    start = Dag.from_edges(tuple("abc"), [("a", "c"), ("b", "c")])
    found = tabu_search(VALLEY, start=start, patience=2)

    assert found.edges == start.edges
    assert found.n_moves_to_best == 0
    assert found.trail == (Delete(B, C), Delete(A, C))


def test_nothing_is_added_or_reversed_outside_the_skeleton():
    score = ScriptedScore(3, {(B, (A,)): 1.0, (A, (B,)): 4.0, (C, (B,)): 2.0}, otherwise=-1.0)
    skeleton = Skeleton(tuple("abc"), [("b", "c")])

    found = tabu_search(score, skeleton, start=[(A, B)])

    assert found.edges == ((A, B), (B, C))
    assert Delete(A, B) in found.trail
    assert Reverse(A, B) not in found.trail
    assert Add(A, B) not in found.trail


@pytest.mark.parametrize(
    ("n_variables", "skeleton"),
    [
        (0, None),
        (1, None),
        (0, Skeleton([])),
        (1, Skeleton(tuple("a"))),
        (3, Skeleton(tuple("abc"))),
    ],
)
def test_where_nothing_can_be_joined_there_is_nothing_to_do(n_variables, skeleton):
    score = RandomScore(n_variables, 10, seed=1)

    for found in (tabu_search(score, skeleton), hill_climbing(score, skeleton, restarts=2)):
        assert found.parent_sets == ((),) * n_variables
        assert found.trail == ()
        assert found.score == score.total(found.parent_sets)


def test_required_edges_are_there_from_the_beginning_to_the_end():
    required = EdgeConstraints(required=((A, B), (B, C)))
    score = ScriptedScore(3, {(A, (B,)): 50.0, (C, ()): 10.0})

    found = tabu_search(score, Skeleton(tuple("abc")), constraints=required)

    assert found.edges == required.required
    assert found.trail == ()
    assert tabu_search(score, constraints=required).edges == required.required


def test_forbidden_edges_and_tiers_are_kept_out():
    score = ScriptedScore(3, {(B, (A,)): 5.0, (A, (B,)): 4.0, (C, (A,)): 3.0, (A, (C,)): 2.0})

    forbidden = EdgeConstraints(forbidden=((A, B),))
    assert tabu_search(score, constraints=forbidden).edges == ((A, C), (B, A))
    late = EdgeConstraints(tiers=((B, C), (A,)))
    assert tabu_search(score, constraints=late).edges == ((B, A),)


def test_a_full_family_is_not_scored_with_more_parents():
    score = ScriptedScore(4, {}, otherwise=1.0)

    found = tabu_search(score, max_parents=1, patience=20)

    assert max(map(len, found.parent_sets)) == 1
    assert all(others == parents for _, parents, others in score.calls if parents)


def test_every_move_scores_the_variants_of_new_families_and_no_others():
    score = ScriptedScore(5, {}, otherwise=0.5)

    trail = tabu_search(score, patience=40).trail

    parents = {child: frozenset() for child in range(5)}
    families = dict.fromkeys(parents.items())
    for move in trail:
        changed = [(move.parent, move.child)]
        if isinstance(move, Reverse):
            changed.append((move.child, move.parent))
        for parent, child in changed:
            parents[child] ^= {parent}
        families |= {(child, parents[child]): None for _, child in changed}
    assert {type(move) for move in trail} == {Add, Delete, Reverse}
    assert [(child, frozenset(before)) for child, before, _ in score.calls] == list(families)
    assert len(families) < len(trail)  # some came back


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"skeleton": Skeleton(tuple("ab"))}, "same variables; they have 3 and 2"),
        ({"start": [(A, 3)]}, r"\(0, 3\) is at the start; the variables go from 0 to 2"),
        ({"start": [(A, B), (B, A)]}, "make a cycle"),
        ({"start": [(A, A)]}, "make a cycle"),
        (
            {"start": [(A, B)], "constraints": EdgeConstraints(required=((B, A),))},
            "make a cycle",
        ),
        (
            {"start": [(A, B)], "constraints": EdgeConstraints(forbidden=((A, B),))},
            r"\(0, 1\) is forbidden, but there at the start",
        ),
        ({"constraints": EdgeConstraints(required=((A, 7),))}, r"\(0, 7\) is required"),
        ({"start": [(A, C), (B, C)], "max_parents": 1}, r"2 starts with 2 parents: \(0, 1\)"),
    ],
)
@pytest.mark.parametrize("search", [tabu_search, hill_climbing])
def test_a_start_that_cannot_be_is_refused(search, settings, message):
    with pytest.raises(SettingError, match=message):
        search(VALLEY, **settings)


RUGGED = RandomScore(6, 40, seed=3)


def test_restarts_lead_higher_and_the_first_walk_stays_the_same():
    once, often = tabu_search(RUGGED, patience=1), tabu_search(RUGGED, patience=1, restarts=30)

    assert often.trail[: once.n_moves] == once.trail
    assert often.score > once.score
    assert often.score == sum(RUGGED.family(v, p) for v, p in enumerate(often.parent_sets))
    assert often.n_moves_to_best > once.n_moves


def test_restarts_depend_on_the_seed_and_on_nothing_else():
    one, two = (tabu_search(RUGGED, restarts=3, random_state=1) for _ in range(2))

    assert one == two
    assert len({tabu_search(RUGGED, restarts=3, random_state=seed).trail for seed in range(5)}) == 5


def test_the_number_of_random_moves_can_be_chosen():
    walk = tabu_search(RUGGED, patience=0)

    trail = tabu_search(RUGGED, patience=0, restarts=1, perturbations=7, max_moves=0).trail

    assert walk.n_moves > 0
    assert len(trail) == 7


@pytest.mark.parametrize("seed", range(5))
def test_restarts_keep_to_skeleton_constraints_and_limits(seed):
    skeleton = Skeleton(tuple("abcdef"), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)])
    rules = EdgeConstraints(required=((0, 1),), forbidden=((2, 1),))

    found = tabu_search(
        RUGGED, skeleton, max_parents=1, constraints=rules, restarts=4, random_state=seed
    )

    assert (0, 1) in found.edges
    assert (2, 1) not in found.edges
    assert all(len(parents) <= 1 for parents in found.parent_sets)
    assert all(skeleton.has_edge(*edge) for edge in found.edges)


def test_no_random_moves_can_be_chosen():
    once = tabu_search(RUGGED, patience=0)

    assert tabu_search(RUGGED, patience=0, restarts=3, perturbations=0).trail == once.trail
