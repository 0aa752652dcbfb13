"""Skeletons from neighbourhoods: symmetry, and no more than what targets need."""

import pickle
from itertools import combinations

import joblib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import Dag, Dataset, DSeparationOracle, GTest, Skeleton, hpc, load_network, mmpc
from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.algorithms.skeletons import Symmetry, learned_skeleton
from h2pc.runs import CellStore
from h2pc.runs.limits import Limits, Watch
from strategies import dags, examples, names_of

N_NODES = 9
ORACLE = DSeparationOracle(Dag.from_edges(names_of(N_NODES), []))


class Table:
    """A learner that looks its answers up, and notes its targets."""

    def __init__(self, sets):
        self.sets = sets
        self.learned = []

    def __call__(self, target, ci, universe):
        self.learned.append(target)
        return self.sets[target]


@st.composite
def one_sided_sets(draw):
    """Neighbourhoods that need not agree with each other."""
    sets = []
    for v in range(N_NODES):
        others = st.sampled_from([w for w in range(N_NODES) if w != v])
        sets.append(tuple(draw(st.lists(others, unique=True, max_size=4))))
    return tuple(sets)


some_targets = st.lists(st.integers(0, N_NODES - 1), unique=True, max_size=3).map(tuple)


def learned(sets, **settings):
    return learned_skeleton(ORACLE, ORACLE.dag.names, Table(sets), **settings)


def within(skeleton: Skeleton, sources, distance: int) -> set[int]:
    """Variables at most so many edges away."""
    reached = set(sources)
    for _ in range(distance):
        reached |= {y for x in reached for y in skeleton.adjacent(x)}
    return reached


@given(dag=dags(max_nodes=8))
@pytest.mark.parametrize("learner", [hpc, mmpc])
@examples(50)
def test_the_skeleton_is_exact_under_the_oracle(dag, learner):
    result = learned_skeleton(DSeparationOracle(dag), dag.names, learner)

    assert result.skeleton == dag.skeleton()
    assert result.complete_variables == dag.names


@given(sets=one_sided_sets())
def test_and_needs_both_ends_and_or_needs_one(sets):
    both, one = (learned(sets, symmetry=rule).skeleton for rule in (Symmetry.AND, Symmetry.OR))

    for x in range(N_NODES):
        for y in range(N_NODES):
            assert both.has_edge(x, y) == (y in sets[x] and x in sets[y])
            assert one.has_edge(x, y) == (y in sets[x] or x in sets[y])


def test_what_is_outside_the_universe_takes_no_part():
    data = load_network("asia").sample(2000, random_state=1)
    universe = (0, 1, 3, 4, 5, 7)

    found = learned_skeleton(GTest(data), data.names, universe=universe)

    part = Dataset.from_codes(data.codes[list(universe)], names=[data.names[v] for v in universe])
    alone = learned_skeleton(GTest(part), part.names)
    assert found.skeleton.named_edges == alone.skeleton.named_edges
    assert set(found.found) == set(universe)


@given(sets=one_sided_sets(), targets=some_targets, depth=st.integers(0, 3))
@pytest.mark.parametrize("symmetry", Symmetry)
def test_targets_have_the_neighbours_they_have_in_the_whole(sets, targets, depth, symmetry):
    whole = learned(sets, symmetry=symmetry)
    part = learned(sets, targets=targets, depth=depth, symmetry=symmetry)
    names = whole.skeleton.names

    assert set(part.skeleton.edges) <= set(whole.skeleton.edges)
    near = {names[v] for v in within(whole.skeleton, targets, depth)}
    assert near <= set(part.complete_variables)
    for name in part.complete_variables:
        assert part.neighbours(name) == whole.neighbours(name)
    for name, found in part.neighbourhoods.items():
        assert found == whole.neighbourhoods[name]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_around_targets_hpc_answers_in_short_and_the_edges_are_those_of_the_whole(depth):
    data = load_network("alarm").sample(300, random_state=5)
    ci, names = GTest(data), data.names
    whole = learned_skeleton(ci, names)

    for targets in [(0,), (5, 6), (12, 20, 33)]:
        part = learned_skeleton(ci, names, targets=targets, depth=depth)

        near = {names[v] for v in within(whole.skeleton, targets, depth)}
        assert near <= set(part.complete_variables)
        assert near <= set(part.neighbourhoods)
        for name in part.complete_variables:
            assert part.neighbours(name) == whole.neighbours(name)
        for name, found in part.neighbourhoods.items():
            assert found == whole.neighbourhoods[name]
        assert set(part.skeleton.edges) <= set(whole.skeleton.edges)


@given(sets=one_sided_sets(), targets=some_targets, depth=st.integers(0, 3))
def test_nothing_is_learned_that_the_targets_do_not_need(sets, targets, depth):
    learner = Table(sets)
    result = learned_skeleton(
        ORACLE, ORACLE.dag.names, learner, targets=targets, depth=depth, symmetry=Symmetry.AND
    )
    near = within(learned(sets).skeleton, targets, depth)

    assert sorted(learner.learned) == sorted(near | {y for x in near for y in sets[x]})
    pairs = combinations(sorted(learner.learned), 2)
    certain = tuple((x, y) for x, y in pairs if y in sets[x] and x in sets[y])
    assert result.skeleton.edges == certain


def test_under_or_any_variable_may_name_the_target():
    sets = [()] * N_NODES
    sets[7] = (0,)
    result = learned(tuple(sets), targets=(0,), symmetry=Symmetry.OR)

    assert result.neighbours("a") == ("h",)
    assert len(result.neighbourhoods) == N_NODES


def test_neighbourhoods_are_sorted_by_name_and_cover_what_was_asked():
    sets = [()] * N_NODES
    sets[4] = (8, 2)
    result = learned(tuple(sets), targets=(4,))

    assert dict(result.neighbourhoods) == {"c": (), "e": ("c", "i"), "i": ()}
    assert list(result.neighbourhoods) == ["c", "e", "i"]
    assert result.complete_variables == ("c", "e", "i")
    assert result.skeleton.edges == ()


@pytest.mark.parametrize("learner", [hpc, mmpc])
def test_limits_that_are_not_reached_change_neither_result_nor_count(learner):
    data = load_network("alarm").sample(500, random_state=5)
    wide = Limits(max_seconds=1e6, max_memory=2**60, max_conditioning=64, max_subset_tests=10**12)

    free = learned_skeleton(GTest(data), data.names, learner)
    limited = learned_skeleton(GTest(data), data.names, learner, watch=Watch(wide))

    assert limited == free  # with the number of tests
    assert limited.found == free.found
    assert limited.complete
    assert limited.n_cut == 0


def test_a_result_keeps_what_was_found_on_the_way():
    dag = Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (2, 3)])

    result = learned_skeleton(DSeparationOracle(dag), dag.names)

    assert result.separating_sets() == {
        ("a", "c"): ("b",),
        ("a", "d"): ("b",),
        ("b", "d"): ("c",),
    }
    assert result.found[1].pcs == (0, 2)
    assert sum(done.n_tests for done in result.found.values()) == result.n_tests


def test_results_are_equal_but_for_the_time_and_can_be_pickled():
    dag = Dag.from_edges(tuple("abc"), [(0, 1), (2, 1)])
    one, two = (learned_skeleton(DSeparationOracle(dag), dag.names) for _ in range(2))

    assert one.seconds != two.seconds
    assert one == two == pickle.loads(pickle.dumps(one))
    assert repr(one).startswith(f"SkeletonResult(3 variables, 2 edges, {one.n_tests} tests, ")


@given(dags(max_nodes=7))
@examples(50)
def test_separating_sets_separate_and_none_is_there_for_neighbours(dag):
    found = learned_skeleton(DSeparationOracle(dag), dag.names).separating_sets()

    for (x, y), between in found.items():
        assert dag.d_separated(*map(dag.variable, (x, y)), list(map(dag.variable, between)))
    assert not set(found) & set(dag.skeleton().named_edges)


@pytest.mark.parametrize(("learner", "sizes"), [(hpc, {0, 1}), (mmpc, {0, 1, 2, 3})])
def test_separating_sets_make_pairs_independent_in_the_data(learner, sizes):
    data = load_network("child").sample(500, random_state=3)
    ci = GTest(data)

    found = learned_skeleton(ci, data.names, learner).separating_sets()

    for (x, y), between in found.items():
        assert ci.independent(ci.log_p(data.variable(x), data.variable(y), data.variables(between)))
    assert {len(between) for between in found.values()} == sizes


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_separating_sets_do_not_depend_on_the_workers(backend):
    child = load_network("child").sample(500, random_state=3)

    with joblib.parallel_config(backend=backend):
        one, two = (learned_skeleton(GTest(child), child.names, n_jobs=n) for n in (1, 2))

    assert list(one.separating_sets().items()) == list(two.separating_sets().items())


def test_separating_sets_come_back_from_a_checkpoint(tmp_path):
    child = load_network("child").sample(500, random_state=3)

    def learned():
        with CellStore(tmp_path, Checkpoint.FIELDS, {}) as store:
            return learned_skeleton(GTest(child), child.names, checkpoint=store)

    first, second = learned(), learned()

    assert second == first
    assert second.separating_sets() == first.separating_sets()
    assert second.found == first.found


def test_other_learners_leave_neither_separating_sets_nor_p_values():
    table = Table({x: tuple(y for y in range(3) if y != x) for x in range(3)})

    found = learned_skeleton(ORACLE, names_of(N_NODES), table, targets=(0, 1, 2))

    assert found.separating_sets() == {}
    assert set(found.p_values().values()) == {None}
