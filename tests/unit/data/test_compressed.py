"""Equal rows are merged and counted."""

from collections import Counter

import numpy as np
import pytest

from h2pc.data import Dataset
from h2pc.errors import DataError


def rows_and_weights(data: Dataset) -> Counter:
    weights = np.ones(data.n_rows, int) if data.weights is None else data.weights
    counted = Counter()
    for row, weight in zip(data.codes.T.tolist(), weights.tolist(), strict=True):
        counted[tuple(row)] += weight
    return counted


def random_data(n_variables: int, n_samples: int, card: int, seed: int = 0) -> Dataset:
    codes = np.random.default_rng(seed).integers(0, card, (n_variables, n_samples))
    return Dataset.from_codes(codes, cards=[card] * n_variables)


@pytest.mark.parametrize("card", [1, 2, 3, 300])
@pytest.mark.parametrize("n_variables", [1, 2, 5, 12])
def test_each_distinct_row_is_counted_once(n_variables, card):
    data = random_data(n_variables, 200, card)

    merged = data.compressed(range(n_variables))

    assert rows_and_weights(merged) == rows_and_weights(data)
    assert len(rows_and_weights(merged)) == merged.n_rows
    assert merged.n_samples == 200


@pytest.mark.parametrize("card", [2, 7, 300])
def test_hundreds_of_columns_are_told_apart(card):
    few = random_data(400, 30, card).codes
    # Rows that differ in a single column, the first or the last, must not be merged.
    codes = np.concatenate([few, few, few, few], axis=1)
    codes[0, 30:60] = (codes[0, 30:60] + 1) % card
    codes[-1, 60:90] = (codes[-1, 60:90] + 1) % card
    data = Dataset.from_codes(codes, cards=[card] * 400)

    merged = data.compressed(range(400))

    assert rows_and_weights(merged) == rows_and_weights(data)
    assert merged.n_rows == 90
    assert merged.weights.tolist() == [2] * 30 + [1] * 60


def test_rows_come_in_the_order_of_their_first_occurrence():
    data = Dataset.from_codes([[2, 0, 2, 1, 0], [1, 1, 1, 0, 1]])

    merged = data.compressed([0, 1])

    assert merged.codes.tolist() == [[2, 0, 1], [1, 1, 0]]
    assert merged.weights.tolist() == [2, 2, 1]


def test_only_the_chosen_variables_stay_sorted_by_name():
    data = Dataset.from_data({"c": [0, 1, 1], "a": ["x", "y", "y"], "b": [5, 5, 6]})

    merged = data.compressed(data.variables(["c", "a"]))

    assert merged.names == ("a", "c")
    assert merged.columns == ("c", "a")
    assert merged.states == (("x", "y"), (0, 1))
    assert merged.weights.tolist() == [1, 2]
    assert repr(merged) == "Dataset(2 variables × 3 samples, 2 distinct rows)"


def test_unobserved_levels_are_kept():
    data = Dataset.from_codes([[0, 0]], cards=[4])

    assert data.compressed([0]).cards.tolist() == [4]


def test_merged_rows_can_be_merged_again():
    data = random_data(6, 300, 3)

    twice = data.compressed([0, 2, 3, 5]).compressed([0, 3])

    once = data.compressed([0, 5])
    assert rows_and_weights(twice) == rows_and_weights(once)
    assert twice.codes.tolist() == once.codes.tolist()
    assert twice.n_samples == 300


def test_merged_rows_cannot_be_taken():
    merged = random_data(3, 50, 2).compressed([0, 1])

    with pytest.raises(DataError, match="rows were merged: expected"):
        merged.take([0])


def test_weights_are_read_only_and_count_in_the_fingerprint():
    one = Dataset.from_codes([[0, 1, 1]]).compressed([0])
    two = Dataset.from_codes([[0, 1, 1, 1]]).compressed([0])

    assert one.weights.dtype == np.int64
    assert not one.weights.flags.writeable
    assert one.fingerprint() != two.fingerprint()


@pytest.mark.parametrize("variables", [[], [-1], [0, 3]])
def test_variables_that_do_not_exist_are_refused(variables):
    with pytest.raises(DataError, match="expected some of 0 to 2"):
        random_data(3, 5, 2).compressed(variables)
