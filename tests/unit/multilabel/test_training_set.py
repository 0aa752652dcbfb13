"""How features become levels, and categories become numbers."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import coo_array, csr_array

from h2pc import MinimalLabelPowersetClassifier
from h2pc.errors import DataError
from h2pc.multilabel.training_set import Categories, discrete, labelled, levels

NO_CATEGORIES = Categories(None)


@pytest.mark.parametrize(
    ("values", "codes", "states"),
    [
        ([0.0, 1.0, 1.0, 0.0], [0, 1, 1, 0], (0, 1)),
        ([5, 3, 9, 3], [1, 0, 2, 0], (3, 5, 9)),
        ([0.5, 0.1, 0.5, 0.5], [1, 0, 1, 1], (0.1, 0.5)),
        ([7.0, 7.0, 7.0], [0, 0, 0], (7,)),
        ([True, False], [1, 0], (0, 1)),
    ],
)
def test_few_kinds_of_numbers_are_levels(values, codes, states):
    found, own = levels(np.array(values))

    assert found.tolist() == codes
    assert own == states


def test_other_numbers_are_cut_at_the_median():
    codes, states = levels(np.array([0.1, 0.2, 0.3, 4.0, 5.0]))

    assert codes.tolist() == [0, 0, 0, 1, 1]
    assert states == ("low", "high")


def test_many_whole_numbers_are_cut_too():
    codes, states = levels(np.arange(30))

    assert codes.tolist() == [0] * 15 + [1] * 15
    assert states == ("low", "high")


def test_a_median_that_nothing_exceeds_is_high():
    codes, _ = levels(np.array([0.1, 0.2, 9.5, 9.5, 9.5]))

    assert codes.tolist() == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("container", [csr_array, coo_array])
def test_sparse_features_have_the_levels_of_dense_ones(container, monkeypatch):
    monkeypatch.setattr("h2pc.multilabel.training_set._BLOCK_CELLS", 100)
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((40, 9)) < 0.7, 0.0, rng.random((40, 9)))
    dense[:, 3] = rng.integers(0, 2, 40)
    names = [f"x{j}" for j in range(9)]

    codes, states = discrete(container(dense), names, NO_CATEGORIES)

    expected_codes, expected_states = discrete(dense, names, NO_CATEGORIES)
    np.testing.assert_array_equal(codes, expected_codes)
    assert states == expected_states


SKY = ["grey", "blue", "grey", "red"]
TABLES = {
    "strings": pd.DataFrame({"sky": SKY, "wind": [1.0, 2.0, 3.0, 4.0]}, index=[7, 5, 3, 1]),
    "pandas": pd.DataFrame({"sky": pd.Categorical(SKY), "wind": [1.0, 2.0, 3.0, 4.0]}),
    "polars": pl.DataFrame({"sky": SKY, "wind": [1.0, 2.0, 3.0, 4.0]}),
    "arrow": pa.table({"sky": SKY, "wind": [1.0, 2.0, 3.0, 4.0]}),
}


@pytest.mark.parametrize("kind", TABLES)
def test_categories_become_the_numbers_of_their_levels(kind):
    table = TABLES[kind]
    categories = Categories.of(table)

    coded = categories.coded(table)

    assert type(coded) is type(table)
    assert categories.states("sky") == ("blue", "grey", "red")
    assert categories.states("wind") is None
    assert np.array(coded["sky"]).tolist() == [1, 0, 1, 2]
    assert np.array(coded["wind"]).tolist() == [1.0, 2.0, 3.0, 4.0]


def test_declared_categories_keep_their_order_and_count_although_unseen():
    sky = pd.Categorical(["b", "a"], categories=["c", "b", "a"])
    frame = pd.DataFrame({"sky": sky})
    categories = Categories.of(frame)

    codes, states = discrete(categories.coded(frame).to_numpy(), ["sky"], categories)

    assert codes.tolist() == [[1, 2]]
    assert states == [("c", "b", "a")]


@pytest.mark.parametrize(
    "data", [np.eye(3), [[1, 2]], csr_array(np.eye(3)), TABLES["polars"][["wind"]]]
)
def test_numbers_stay_as_they_are(data):
    categories = Categories.of(data)

    assert categories.levels is None
    assert categories.coded(data) is data


def test_a_category_that_is_new_is_refused():
    categories = Categories.of(TABLES["pandas"])
    new = pd.DataFrame({"sky": ["grey", "violet"], "wind": [1.0, 2.0]})

    with pytest.raises(DataError, match="'sky' holds the unseen state 'violet': expected one of"):
        categories.coded(new)


def test_missing_categories_are_refused():
    with pytest.raises(DataError, match="column 'sky' holds missing values: expected none"):
        Categories.of(pd.DataFrame({"sky": ["grey", None]}))
    with pytest.raises(DataError, match="'sky' holds a missing value"):
        Categories.of(TABLES["pandas"]).coded(pd.DataFrame({"sky": ["grey", None]}))


def test_categories_without_a_name_are_refused():
    with pytest.raises(DataError, match="column 1 holds categories: expected a string"):
        Categories.of(pd.DataFrame({0: [1.5, 2.5], 1: ["grey", "blue"]}))


def test_an_array_in_place_of_a_table_of_categories_is_refused():
    with pytest.raises(DataError, match="expected a table, because column 'sky' holds categories"):
        Categories.of(TABLES["pandas"]).coded(np.zeros((2, 2)))


def test_objects_of_many_whole_numbers_are_numbers():
    rng = np.random.default_rng(0)
    ages = pd.Series([int(age) for age in rng.integers(18, 80, 200)], dtype=object)
    X = pd.DataFrame({"age": ages, "place": rng.choice(["north", "south"], 200)})
    Y = pd.DataFrame({"sick": rng.integers(0, 2, 200), "tall": rng.integers(0, 2, 200)})

    training, _ = labelled(MinimalLabelPowersetClassifier(), X, Y)

    assert training.categories.states("age") is None
    assert training.categories.states("place") == ("north", "south")
    assert training.discrete().cards[0] == 2
