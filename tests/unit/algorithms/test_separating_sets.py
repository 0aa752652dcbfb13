"""Separating sets in arrays are what they are in a dictionary."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import Dag, DSeparationOracle
from h2pc.algorithms.neighbourhoods import neighbourhoods
from h2pc.algorithms.separating_sets import SeparatingSets

variables = st.integers(0, 2**31 - 1)
sets_of_any_size = st.dictionaries(variables, st.lists(variables, max_size=4).map(tuple))
sets_of_one = st.dictionaries(variables, st.tuples(variables))


@given(sets_of_any_size | sets_of_one)
def test_sets_in_arrays_equal_those_of_a_dictionary(sets):
    made = SeparatingSets.of(sets)

    assert made == sets
    assert list(made.items()) == sorted(sets.items())
    assert {x: made[x] for x in made} == sets
    assert len(made) == len(sets)
    assert all(type(v) is int for x, z in made.items() for v in (x, *z))


@given(sets_of_any_size, variables)
def test_a_variable_without_a_set_is_not_found(sets, x):
    made = SeparatingSets.of(sets)

    assert made.get(x) == sets.get(x)
    assert (x in made) == (x in sets)


@pytest.mark.parametrize("sets", [{}, {3: (1,), 1: (0,)}, {3: (1, 2), 1: ()}])
def test_pickled_sets_come_back(sets):
    made = SeparatingSets.of(sets)

    assert pickle.loads(pickle.dumps(made)) == made == sets
    assert eval(repr(made)) == made


def test_thousands_of_sets_take_a_few_bytes_each():
    made = SeparatingSets.of({x: (x + 1,) for x in range(10_000)})

    assert len(pickle.dumps(made)) < 9 * 10_000


def test_learned_neighbourhoods_have_them():
    oracle = DSeparationOracle(Dag.from_edges(tuple("abc"), [(0, 1), (1, 2)]))

    found = neighbourhoods((0,), oracle, (0, 1, 2))[0]

    assert isinstance(found.dsep, SeparatingSets)
    assert found.dsep == {2: (1,)}
