"""The engine's steps are those of the textbook, for every test, constraint and limit."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.algorithms.hpc import de_pcs, de_sps, fdr_iapc, hpc, hpc_neighbourhood
from h2pc.algorithms.iamb import iamb_fdr
from h2pc.algorithms.mmpc import mmpc
from h2pc.data import Dataset
from h2pc.independence.base import CITest
from h2pc.independence.constraints import EdgeConstraints
from h2pc.independence.context import Context
from h2pc.independence.table_tests import ChiSquareTest, GTest
from h2pc.networks import load_network
from h2pc.runs.limits import Limits, Watch
from reference.slow_local import Textbook
from reference.slow_tables import OneByOne
from strategies import constraints, datasets, examples, limits, questions


def by_way_of_python(data: Dataset, alpha: float, power_rule: float) -> CITest:
    """The G² test as a user may write it."""
    return OneByOne(GTest(data, alpha, power_rule=power_rule))


class Case(NamedTuple):
    """A test within a context, and its twin."""

    ci: CITest
    textbook: Textbook
    n_variables: int

    def assert_counts_agree(self) -> None:
        context = self.ci.context
        assert (context.n_tests, context.n_cut) == (self.textbook.n_tests, self.textbook.n_cut)


@st.composite
def cases(draw, data=datasets(min_variables=3, max_variables=7), limits=limits()):  # noqa: B008
    table = draw(data)
    if draw(st.booleans()):
        table = table.compressed(range(table.n_variables))
    make = draw(st.sampled_from([GTest, ChiSquareTest, by_way_of_python]))
    alpha = draw(st.sampled_from([1e-6, 0.05, 0.6, 0.99]))
    plain = make(table, alpha, power_rule=draw(st.sampled_from([5.0, 1.0, 0.0])))
    known, bounds = draw(constraints(table.n_variables)), draw(limits)
    ci = plain.within(Context(known, Watch(bounds)))
    return Case(ci, Textbook(plain, known, bounds), table.n_variables)


unlimited = cases(limits=st.just(Limits()))


@examples(100)
@given(st.data(), cases())
def test_many_log_p_values_are_those_of_one_test_at_a_time(draw, case):
    target, candidates, z = draw.draw(questions(case.n_variables))

    found = case.ci.log_p_many(target, candidates, z)

    assert found.tolist() == [case.textbook.log_p(target, x, z) for x in candidates]
    case.assert_counts_agree()


@examples(150)
@given(st.data(), cases())
def test_pruning_is_that_of_the_textbook(draw, case):
    target, candidates, _ = draw.draw(questions(case.n_variables, max_z=1))

    assert case.ci.prune(target, candidates) == case.textbook.de_pcs(target, candidates)
    case.assert_counts_agree()


@examples(150)
@given(st.data(), cases())
def test_pruning_given_any_is_that_of_the_textbook(draw, case):
    target, variables, _ = draw.draw(questions(case.n_variables, max_z=0))
    n_xs = draw.draw(st.integers(0, len(variables) - 1))
    xs, candidates = variables[:n_xs], variables[n_xs:]
    sets = st.lists(st.sampled_from(variables), max_size=2, unique=True)
    some = draw.draw(st.lists(st.sampled_from(candidates), unique=True))
    dsep = {x: tuple(v for v in draw.draw(sets) if v != x) for x in some}

    found = case.ci.prune_given_any(target, candidates, dsep, xs)

    assert set(found) == case.textbook.de_sps(target, candidates, xs, dsep)
    assert len(set(found)) == len(found)


@examples(200)
@given(st.data(), cases())
def test_a_boundary_is_that_of_the_textbook(draw, case):
    target, variables, _ = draw.draw(questions(case.n_variables, max_z=0))

    for _ in range(3):  # later ones meet what was cached of the first
        universe = tuple(draw.draw(st.lists(st.sampled_from(variables), unique=True)))
        start = tuple(draw.draw(st.lists(st.sampled_from(variables), unique=True, max_size=3)))
        found = case.ci.iamb_fdr(target, universe, start)
        assert found == case.textbook.iamb_fdr(target, universe, start)
    case.assert_counts_agree()


@examples(150)
@given(st.data(), cases())
def test_a_search_for_a_separator_is_that_of_the_textbook(draw, case):
    target, (candidate, *pool), base = draw.draw(questions(case.n_variables, max_z=2))
    sizes = {
        "min_size": draw.draw(st.integers(0, 2)),
        "max_size": draw.draw(st.none() | st.integers(0, 6)),
    }

    found = case.ci.first_separator(target, candidate, tuple(pool), base=base, **sizes)

    assert found == case.textbook.first_separator(target, candidate, pool, base, **sizes)


@examples(100)
@given(st.data(), cases())
def test_what_is_inseparable_is_that_of_the_textbook(draw, case):
    target, candidates, others = draw.draw(questions(case.n_variables, max_z=2))
    pool = (*candidates[1:], *others)

    found = case.ci.inseparable(target, candidates, pool)

    assert found == case.textbook.inseparable(target, candidates, pool)


@examples(100)
@given(st.data(), unlimited)
def test_the_weakest_links_are_those_of_the_textbook(draw, case):
    target, candidates, others = draw.draw(questions(case.n_variables, max_z=4))
    n_base = draw.draw(st.integers(0, len(others)))
    question = target, candidates, others[:n_base], others[n_base:]

    assert case.ci.weakest_links(*question) == case.textbook.weakest_links(*question)


@examples(100)
@given(st.data(), cases())
def test_what_a_search_costs_is_what_the_textbook_tried(draw, case):
    target, (candidate, *pool), base = draw.draw(questions(case.n_variables, max_z=1))
    if candidate in case.textbook.constraints.decided.get(target, ()):
        return  # nothing is tried

    case.ci.first_separator(target, candidate, tuple(pool), base=base)

    case.textbook.first_separator(target, candidate, pool, base)
    case.assert_counts_agree()


@examples(150)
@given(st.data(), cases(data=datasets(min_variables=3, max_variables=8, wide=True)))
def test_the_learners_are_those_of_the_textbook(draw, case):
    variables = range(case.n_variables)
    universe = tuple(draw.draw(st.lists(st.sampled_from(variables), unique=True, min_size=1)))
    target = draw.draw(st.sampled_from(variables))
    ci, textbook = case.ci, case.textbook

    pcs, dsep = de_pcs(target, ci, universe)
    assert (pcs, dsep) == textbook.de_pcs(target, universe)
    assert set(de_sps(target, ci, universe, pcs, dsep)) == textbook.de_sps(
        target, universe, pcs, dsep
    )
    assert iamb_fdr(target, ci, universe) == textbook.iamb_fdr(target, universe)
    assert fdr_iapc(target, ci, universe) == textbook.fdr_iapc(target, universe)
    assert hpc(target, ci, universe) == textbook.hpc(target, universe)


@examples(60)
@given(st.data(), unlimited)
def test_mmpc_is_that_of_the_textbook(draw, case):
    target, others, _ = draw.draw(questions(case.n_variables, max_z=2))

    assert mmpc(target, case.ci, others) == case.textbook.mmpc(target, others)


@examples(60)
@given(st.data(), cases(data=datasets(min_variables=3, max_variables=8)))
def test_an_answer_about_some_is_that_of_the_whole_neighbourhood(draw, case):
    target, others, _ = draw.draw(questions(case.n_variables, max_z=0))
    wanted = tuple(draw.draw(st.lists(st.sampled_from(others), unique=True)))

    some = hpc_neighbourhood(target, case.ci, others, wanted)

    whole = hpc_neighbourhood(target, case.ci, others)
    assert set(some.pc) == set(whole.pc) & set(wanted)
    assert (some.pcs, some.sps, some.dsep) == (whole.pcs, whole.sps, whole.dsep)


# The same path, whatever the context

WIDE = Limits(max_seconds=1e6, max_memory=2**60, max_conditioning=64, max_subset_tests=10**12)


@pytest.mark.parametrize("learner", [hpc, mmpc, iamb_fdr])
@examples(30)
@given(
    datasets(min_variables=5, max_variables=8),
    st.sampled_from([GTest, ChiSquareTest, by_way_of_python]),
)
def test_limits_and_constraints_that_do_not_matter_change_neither_results_nor_counts(
    learner, data, make
):
    *universe, one, other = range(data.n_variables)
    others = EdgeConstraints(required=((one, other),), tiers=((one,), (other,)))
    contexts = [Context(watch=Watch(WIDE)), Context(others), Context(others, Watch(WIDE))]

    for target in universe:
        free = make(data, 0.3, power_rule=0.0)
        expected = learner(target, free, tuple(universe))
        for context in contexts:
            within = make(data, 0.3, power_rule=0.0).within(context.fresh())
            assert learner(target, within, tuple(universe)) == expected
            assert within.context.n_tests == free.context.n_tests
            assert within.context.n_cut == 0


def test_a_whole_network_within_wide_limits_takes_the_same_tests():
    data = load_network("alarm").sample(1000, random_state=4)
    universe = tuple(range(data.n_variables))
    free, limited = GTest(data), GTest(data).within(Context(watch=Watch(WIDE)))

    for target in universe:
        assert hpc_neighbourhood(target, limited, universe) == hpc_neighbourhood(
            target, free, universe
        )
    assert limited.context.n_tests == free.context.n_tests
