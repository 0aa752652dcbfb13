"""Warnings about data: samples that are too few for the levels, and copies of variables."""

import numpy as np
import pytest

from h2pc import H2PC, BDeu, Dag, Dataset, DataWarning, GTest, edge_strengths, skeleton
from h2pc.learners.data_warnings import warn_of_few_samples
from h2pc.learners.edge_links import edge_links
from h2pc.learners.explanations import explained_neighbours

RNG = np.random.default_rng(0)
SIDES = RNG.integers(0, 2, 300)
OTHER = np.where(RNG.random(300) < 0.9, SIDES, 1 - SIDES)
WITH_PLACES = {"place": [f"p{i}" for i in RNG.integers(18, 79, 300)], "a": SIDES, "b": OTHER}


@pytest.mark.parametrize("learn", [lambda data: H2PC().fit(data), skeleton])
def test_variables_that_no_test_has_samples_for_are_named_once(learn):
    with pytest.warns(DataWarning) as found:
        learn(WITH_PLACES)

    (warning,) = found
    assert str(warning.message).startswith("no test of 'place' has 5 samples per cell: 300 samples")
    assert warning.filename == __file__


def test_a_few_variables_are_named_and_the_others_counted():
    data = Dataset.from_codes(RNG.integers(0, 9, (7, 50)))

    with pytest.warns(DataWarning, match=r"no test of 'X0', 'X1', 'X2' and 4 more has 5 samples"):
        H2PC().fit(data)


def test_enough_samples_and_no_power_rule_bring_no_warning():
    H2PC(power_rule=0.0).fit(WITH_PLACES)
    H2PC().fit({"a": SIDES, "b": OTHER})


def test_copies_are_named():
    columns = {"a": SIDES, "b": np.where(SIDES == 0, "low", "high"), "c": OTHER}

    with pytest.warns(DataWarning, match=r"copies of others, level for level: 'b' of 'a'; each"):
        learner = H2PC().fit(columns)

    assert learner.copies_ == {"b": "a"}
    assert [pair for pair in learner.edges_ if "b" in pair] == [("a", "b")]
    assert {"a", "c"} in map(set, learner.edges_)


def test_bootstrap_samples_do_not_warn_again():
    edge_strengths(Dataset.from_data(WITH_PLACES), H2PC(), n_replicates=2, progress=False)


def test_two_levels_are_suggested_where_they_help():
    three = Dataset.from_codes(RNG.integers(0, 3, (4, 64)), cards=[3] * 4)

    with pytest.warns(DataWarning, match=r"64 samples are few: 100 % .* with two levels 0 %"):
        warn_of_few_samples(GTest(three))
    warn_of_few_samples(GTest(Dataset.from_codes(RNG.integers(0, 2, (4, 30)), cards=[2] * 4)))


def test_links_that_no_test_supports_are_untested():
    codes = np.repeat([[0, 1, 2]], 12, axis=1)  # 36 samples, 9 cells
    data = Dataset.from_codes(np.vstack([codes, codes]), names=["a", "b"])
    test = GTest(data)
    (link,) = edge_links(Dag.from_edges(("a", "b"), [("a", "b")]), test, BDeu(data))
    (why,) = explained_neighbours(test, data.names, (0,))

    assert link.log10_p is None
    assert [(other.name, other.tested) for other in why.left_out] == [("b", False)]
    (tested,) = edge_links(
        Dag.from_edges(("a", "b"), [("a", "b")]), GTest(data, power_rule=1.0), BDeu(data)
    )
    assert tested.log10_p < -10


def test_the_weakest_link_is_that_of_the_tests_that_are_performed():
    a = RNG.integers(0, 2, 60)
    data = Dataset.from_codes(
        [a, a ^ (RNG.random(60) < 0.1), a ^ (RNG.random(60) < 0.1), RNG.integers(0, 2, 60)]
    )
    required = GTest(data, power_rule=10.0)
    (why,) = explained_neighbours(required, data.names, (0,))

    for link in why.neighbours:
        given = data.variables(link.given)
        assert required.performs(0, data.variable(link.name), given)
        assert link.weakest_log10_p < 0


def test_many_levels_in_mixed_tables_get_no_edge_and_are_named():
    size = RNG.normal(size=2000)
    table = {
        "place": [f"p{int(10 * value)}_{i % 9}" for i, value in enumerate(size)],
        "size": size,
        "weight": size + RNG.normal(size=2000),
    }

    with pytest.warns(DataWarning, match=r"more than 100 levels of 'place' \(\d+\) are too many"):
        found = H2PC().fit(table)

    assert found.skeleton_edges_ == [("size", "weight")]
