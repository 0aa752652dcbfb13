"""The door to skeletons: any table in, clear words for what cannot be."""

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from h2pc import ChiSquareTest, Dataset, GTest, load_network, skeleton
from h2pc.algorithms.hpc import fdr_iapc, hpc
from h2pc.errors import DataError, SettingError

DATA = load_network("asia").sample(2000, random_state=3)
FRAME = DATA.to_pandas().astype(str)
LEARNERS = ["hpc", "mmpc"]


def edges(result) -> set[frozenset[str]]:
    return {frozenset(edge) for edge in result.skeleton.named_edges}


@pytest.mark.parametrize(
    "data",
    [
        DATA,
        FRAME,
        pl.from_pandas(FRAME),
        pa.Table.from_pandas(FRAME),
        {name: FRAME[name].tolist() for name in FRAME},
    ],
    ids=["Dataset", "pandas", "polars", "arrow", "dict"],
)
def test_every_kind_of_table_gives_the_same_result(data):
    assert skeleton(data) == skeleton(FRAME)


def test_arrays_get_names_of_their_own():
    result = skeleton(DATA.codes.T.copy(), targets=["X4"])

    assert result.skeleton.names == tuple(f"X{i}" for i in range(8))
    number = result.skeleton.names.index
    found = tuple(DATA.names[number(name)] for name in result.neighbours("X4"))
    assert found == skeleton(DATA).neighbours(DATA.names[4])


def test_a_learner_may_be_a_callable():
    assert skeleton(DATA, hpc) == skeleton(DATA, "hpc")
    assert skeleton(DATA, fdr_iapc).settings["learner"] == "fdr_iapc"


def test_a_test_may_be_a_name_or_a_factory():
    assert edges(skeleton(DATA, test=GTest)) == edges(skeleton(DATA, test="g2"))
    assert edges(skeleton(DATA, test="chi2")) == edges(skeleton(DATA, test=ChiSquareTest))
    assert skeleton(DATA, test="chi2").settings["test"] == "chi2"
    skeleton(DATA, test=partial(GTest, adjust_df=False))


def test_alpha_and_the_power_rule_reach_the_test():
    seen = []

    def factory(data: Dataset, alpha: float, power_rule: float) -> GTest:
        seen.append((alpha, power_rule))
        return GTest(data, alpha, power_rule=power_rule)

    skeleton(DATA, test=factory, alpha=np.float32(0.25), power_rule=7)

    assert seen == [(0.25, 7.0)]


def test_the_settings_tell_all_that_decides_the_result():
    result = skeleton(
        DATA, "mmpc", targets=["xray", "asia"], required=[("smoke", "lung")], tiers=[["asia"]]
    )

    assert result.settings == {
        "learner": "mmpc",
        "fdr": None,
        "fdr_method": "by",
        "test": "g2",
        "alpha": 0.05,
        "power_rule": 5.0,
        "symmetry": "and",
        "targets": ("asia", "xray"),
        "depth": 0,
        "required": (("smoke", "lung"),),
        "forbidden": (),
        "tiers": (("asia",),),
        "max_conditioning": None,
        "max_subset_tests": None,
    }


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("target", DATA.names)
def test_targets_have_the_neighbours_they_have_in_the_whole(learner, target):
    whole = skeleton(DATA, learner)

    assert skeleton(DATA, learner, targets=[target]).neighbours(target) == whole.neighbours(target)
    deep = skeleton(DATA, learner, targets=[target], depth=1)
    for name in (target, *whole.neighbours(target)):
        assert deep.neighbours(name) == whole.neighbours(name)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("symmetry", ["and", "or"])
def test_required_pairs_are_linked_and_forbidden_pairs_are_not(learner, symmetry):
    apart, joined = ("lung", "smoke"), ("asia", "bronc")
    free = edges(skeleton(DATA, learner, symmetry=symmetry))
    assert frozenset(apart) in free
    assert frozenset(joined) not in free

    result = skeleton(
        DATA,
        learner,
        symmetry=symmetry,
        required=[joined],
        forbidden=[apart, apart[::-1]],
    )

    assert frozenset(apart) not in edges(result)
    assert frozenset(joined) in edges(result)


@pytest.mark.parametrize("learner", LEARNERS)
def test_tiers_and_one_direction_forbidden_keep_a_pair_apart(learner):
    one_way = skeleton(DATA, learner, forbidden=[("smoke", "lung")])
    assert frozenset(("lung", "smoke")) in edges(one_way)

    no_way = skeleton(DATA, learner, forbidden=[("smoke", "lung")], tiers=[["smoke"], ["lung"]])
    assert frozenset(("lung", "smoke")) not in edges(no_way)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learner": "hcp"}, r"learner must be one of 'hpc', 'mmpc'; got 'hcp'.*mean 'hpc'"),
        ({"learner": None}, "learner must be one of"),
        ({"test": "G2"}, r"test must be one of 'auto', 'g2', .*; got 'G2'. Did you mean 'g2'"),
        ({"test": lambda data, alpha, power_rule: "no"}, "must make a CITest.*made a str"),
        ({"symmetry": "xor"}, r"symmetry must be one of 'and', 'or'; got 'xor'"),
        ({"alpha": 0}, "alpha must lie between 0 and 1"),
        ({"alpha": 1.5}, "alpha must lie between 0 and 1"),
        ({"alpha": "0.05"}, "alpha must be a number; got '0.05'"),
        ({"alpha": True}, "alpha must be a number; got True"),
        ({"power_rule": -1}, "power_rule must be a number from 0 on"),
        ({"power_rule": None}, "power_rule must be a number"),
        ({"depth": -1}, "depth must be a whole number from 0 on"),
        ({"depth": 1.0}, "depth must be a whole number"),
        ({"n_jobs": 0}, "n_jobs must be None, a number of workers, or -1"),
        ({"n_jobs": 1.5}, "n_jobs must be"),
        ({"n_jobs": True}, "n_jobs must be"),
        ({"progress": "yes"}, "progress must be True, False or None"),
        ({"max_seconds": "10m"}, "max_seconds must be a number above 0"),
        ({"max_memory": 1e9}, "max_memory must be a whole number"),
        ({"max_conditioning": -1}, "max_conditioning must be a whole number from 0 on"),
        ({"max_subset_tests": 0}, "max_subset_tests must be a whole number from 1 on"),
        ({"targets": "smoke"}, "targets must be a list of names; got 'smoke'"),
        ({"targets": 3}, "targets must be a list of names; got 3"),
        ({"targets": []}, "targets must name at least one variable"),
        ({"required": ["ab"]}, r"required must hold pairs \(parent, child\)"),
        ({"forbidden": [("asia",)]}, r"forbidden must hold pairs \(parent, child\)"),
        ({"tiers": ["asia"]}, "a tier must be a list of names; got 'asia'"),
        ({"tiers": [["asia"], ["asia"]]}, "one tier only"),
        ({"required": [("asia", "asia")]}, r"two different variables; got \('asia', 'asia'\)"),
        (
            {"required": [("asia", "tub")], "tiers": [["tub"], ["asia"]]},
            r"\('asia', 'tub'\) is required, but forbidden",
        ),
        ({"required": [("asia", "tub"), ("tub", "asia")]}, r"cycle: \['(asia|tub)'"),
    ],
)
def test_settings_that_make_no_sense_are_refused_with_a_reason(settings, message):
    with pytest.raises(SettingError, match=message):
        skeleton(DATA, **settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"targets": ["smokes"]},
        {"required": [("smokes", "lung")]},
        {"forbidden": [("lung", "smokes")]},
        {"tiers": [["smokes"]]},
    ],
)
def test_an_unknown_name_gets_a_hint(settings):
    with pytest.raises(DataError, match=r"unknown variable 'smokes'.*did you mean 'smoke'"):
        skeleton(DATA, **settings)


def test_bad_data_are_refused():
    with pytest.raises(DataError, match="missing values"):
        skeleton(pd.DataFrame({"a": ["x", None, "y"], "b": ["x", "y", "y"]}))


def test_a_single_variable_has_no_neighbours():
    result = skeleton({"a": [0, 1, 0, 1]})

    assert result.skeleton.edges == ()
    assert result.neighbourhoods == {"a": ()}


def test_constant_columns_are_nobodys_neighbours():
    result = skeleton({**{name: FRAME[name] for name in FRAME}, "constant": ["c"] * len(FRAME)})

    assert result.neighbours("constant") == ()
    assert edges(result) == edges(skeleton(DATA))
