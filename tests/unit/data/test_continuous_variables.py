"""Continuous variables: fractions, and whole numbers of more than 20 kinds, of any source."""

import decimal
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from h2pc import Dataset, read_dataset
from h2pc.errors import DataError
from strategies import examples

HEIGHTS = [1.5, 0.25, -3.0, 1e300]
HOLED = [1.5, None, -3.0, 0.5]
NAN = float("nan")


@pytest.fixture
def mixed() -> Dataset:
    return Dataset.from_data(
        {"size": [0.5, 2.5, 1.5], "ground": ["sand", "rock", "sand"], "age": [NAN, 30.5, 40.0]},
        missing="available",
    )


def same(one, other):
    """Whether arrays are equal, missing values included."""
    return np.array_equal(one, other, equal_nan=True)


COMPLETE = {
    "list": {"a": HEIGHTS},
    "array": {"a": np.array(HEIGHTS)},
    "objects": {"a": np.array(HEIGHTS, dtype=object)},
    "integers among floats": {"a": [1.5, 0.25, -3, 10**300]},
    "pandas": pd.DataFrame({"a": HEIGHTS}),
    "pandas with nullable floats": pd.DataFrame({"a": pd.array(HEIGHTS, dtype="Float64")}),
    "pandas with floats of arrow": pd.DataFrame({"a": pd.array(HEIGHTS, dtype="double[pyarrow]")}),
    "pandas with objects": pd.DataFrame({"a": HEIGHTS}, dtype=object),
    "polars": pl.DataFrame({"a": HEIGHTS}),
    "arrow": pa.table({"a": HEIGHTS}),
    "two-dimensional": np.array(HEIGHTS)[:, None],
    "sparse": sp.csr_array(np.array(HEIGHTS)[:, None]),
}

INCOMPLETE = {
    "list": {"a": HOLED},
    "array": {"a": np.array(HOLED, dtype=float)},
    "pandas": pd.DataFrame({"a": HOLED}),
    "pandas with nullable floats": pd.DataFrame({"a": pd.array(HOLED, dtype="Float64")}),
    "pandas with floats of arrow": pd.DataFrame({"a": pd.array(HOLED, dtype="double[pyarrow]")}),
    "pandas with objects": pd.DataFrame({"a": HOLED}, dtype=object),
    "pandas with sparse floats": pd.DataFrame(
        {"a": pd.arrays.SparseArray(np.array(HOLED, dtype=float))}
    ),
    "polars": pl.DataFrame({"a": HOLED}),
    "polars with NaN": pl.DataFrame({"a": [NAN if x is None else x for x in HOLED]}),
    "polars decimals": pl.DataFrame({"a": [x and decimal.Decimal(str(x)) for x in HOLED]}),
    "arrow": pa.table({"a": HOLED}),
    "arrow decimals": pa.table({"a": [x and decimal.Decimal(str(x)) for x in HOLED]}),
    "two-dimensional": np.array(HOLED, dtype=float)[:, None],
    "sparse": sp.csr_array(np.array(HOLED, dtype=float)[:, None]),
}


@pytest.mark.parametrize("data", COMPLETE.values(), ids=COMPLETE)
def test_fractions_are_numbers_in_every_kind_of_table(data):
    found = Dataset.from_data(data)

    assert found.kind == "continuous"
    assert found.values.tolist() == [HEIGHTS]
    assert found.values.dtype == np.float64
    assert (found.cards.tolist(), found.states, found.codes.any()) == ([0], ((),), False)
    assert found.is_complete


@pytest.mark.parametrize("data", INCOMPLETE.values(), ids=INCOMPLETE)
def test_missing_fractions_are_counted_dropped_or_refused(data):
    available = Dataset.from_data(data, missing="available")

    assert same(available.values, [[1.5, NAN, -3.0, 0.5]])
    assert available.n_missing.tolist() == [1]
    assert not available.is_complete
    assert Dataset.from_data(data, missing="drop").values.tolist() == [[1.5, -3.0, 0.5]]
    with pytest.raises(DataError, match=r"missing values in column '(a|X0)' \(1\): expected none"):
        Dataset.from_data(data)
    with pytest.raises(DataError, match=r"of numbers, which have no levels.*h2pc.discretize"):
        Dataset.from_data(data, missing="level")


MANY = [*range(21), *range(21)]


@pytest.mark.parametrize(
    "data",
    [
        {"a": MANY},
        {"a": range(42)},
        {"a": np.array(MANY)},
        {"a": np.array(MANY, np.uint8)},
        {"a": np.array(MANY, float)},
        {"a": np.array(MANY) * 1000},
        {"a": np.array(MANY, dtype=object)},
        pd.DataFrame({"a": MANY}),
        pd.DataFrame({"a": pd.array([None, *MANY], dtype="Int64")}),
        pl.DataFrame({"a": [None, *MANY]}),
        pl.DataFrame({"a": pl.Series(MANY, dtype=pl.Int128)}),
        pa.table({"a": MANY}),
        np.array(MANY)[:, None],
        sp.csr_array(np.array(MANY)[:, None]),
        sp.csr_array(np.array(MANY, float)[:, None]),
    ],
)
def test_whole_numbers_of_more_than_20_kinds_are_numbers(data):
    found = Dataset.from_data(data, missing="available")

    assert found.kind == "continuous"
    assert np.unique(found.values[~np.isnan(found.values)]).size > 20


@pytest.mark.parametrize("last", [2**70, np.float64(19)])
def test_whole_numbers_of_20_kinds_are_levels_however_long(last):
    found = Dataset.from_data({"a": [*range(19), int(last)] * 2})

    assert found.kind == "discrete"
    assert found.cards.tolist() == [20]


def test_long_integers_are_rounded_where_they_are_numbers():
    found = Dataset.from_data({"a": [2**53 + 1 + 1000 * i for i in range(30)]})

    assert found.values[0].tolist() == [float(2**53 + 1 + 1000 * i) for i in range(30)]


def test_of_two_zeros_one_is_left():
    tables = [
        {"a": [-0.0, 0.5]},
        np.array([[-0.0], [0.5]]),
        pl.DataFrame({"a": [-0.0, 0.5]}),
        sp.csr_array(np.array([[-0.0], [0.5]])),
    ]
    found = [Dataset.from_data(table, names=["a"]) for table in tables]
    found.append(Dataset.from_values([[-0.0, 0.5]], names=["a"]))

    assert not any(np.signbit(data.values).any() for data in found)
    assert len({data.fingerprint() for data in found}) == 1
    assert Dataset.from_data({"a": [-0.0, 1.0]}).states == ((0, 1),)


def test_a_constant_fraction_is_a_number():
    found = Dataset.from_data({"a": [0.5] * 3, "b": [2.0] * 3})

    assert found.is_continuous.tolist() == [True, False]
    assert found.values.tolist() == [[0.5] * 3]


def test_a_column_of_nothing_but_missing_values_is_no_number():
    with pytest.raises(DataError, match="nothing but missing values in column 'a'"):
        Dataset.from_data(np.array([[NAN, 0.5], [NAN, 1.5]]), names=["a", "b"], missing="available")


def test_kinds_sizes_and_missing_values_are_said(mixed):
    assert mixed.kind == "mixed"
    assert mixed.names == ("age", "ground", "size")
    assert mixed.is_continuous.tolist() == [True, False, True]
    assert same(mixed.values, [[NAN, 30.5, 40.0], [0.5, 2.5, 1.5]])
    assert mixed.codes.tolist() == [[0, 0, 0], [1, 0, 1], [0, 0, 0]]
    assert mixed.n_missing.tolist() == [1, 0, 0]
    assert repr(mixed) == "Dataset(3 variables × 3 samples, 1 missing)"


def test_no_number_can_be_written(mixed):
    for data in (mixed, pickle.loads(pickle.dumps(mixed)), mixed.take([0, 1])):
        with pytest.raises(ValueError, match="read-only"):
            data.values[...] = 0
        with pytest.raises(ValueError, match="read-only"):
            data.is_continuous[...] = False


def test_the_callers_numbers_stay_the_callers():
    values = np.array([[0.5], [1.5]])
    tables = (values, {"a": values[:, 0]})
    found = [Dataset.from_values(values.T), *map(Dataset.from_data, tables)]

    values[:] = 9.5

    assert all(data.values.tolist() == [[0.5, 1.5]] for data in found)


def test_a_pickle_brings_the_numbers_back(mixed):
    again = pickle.loads(pickle.dumps(mixed))

    assert again.fingerprint() == mixed.fingerprint()
    assert same(again.values, mixed.values)
    assert again.kind == "mixed"


def test_levels_are_not_indexed_beside_numbers(mixed):
    with pytest.raises(DataError, match="variable 'age' is continuous: expected levels; cut"):
        _ = mixed.index
    with pytest.raises(DataError, match="variable 'age' is continuous"):
        mixed.compressed([0, 1])


def test_numbers_of_some_rows_are_taken(mixed):
    taken = mixed.take([2, 2, 0])

    assert same(taken.values, [[40.0, 40.0, NAN], [1.5, 1.5, 0.5]])
    assert taken.codes[1].tolist() == [1, 1, 1]
    assert mixed.take([False, True, False]).values.tolist() == [[30.5], [2.5]]


def test_dropped_rows_take_levels_and_numbers_along():
    found = Dataset.from_data(
        {"x": [0.5, NAN, 2.5, 3.5], "w": ["a", "b", None, "a"], "y": [1.5, 2.5, 3.5, 4.5]},
        missing="drop",
    )

    assert found.values.tolist() == [[0.5, 3.5], [1.5, 4.5]]
    assert found.states == (("a",), (), ())


def test_pandas_gets_floats_and_categories_back(mixed):
    frame = mixed.to_pandas()

    assert list(frame.columns) == ["size", "ground", "age"]
    assert frame["size"].tolist() == [0.5, 2.5, 1.5]
    assert frame["ground"].tolist() == ["sand", "rock", "sand"]
    assert same(frame["age"], [NAN, 30.5, 40.0])
    assert Dataset.from_data(frame, missing="available").fingerprint() == mixed.fingerprint()


def test_new_numbers_are_taken_as_they_are(mixed):
    new = mixed.encode_like(
        pd.DataFrame({"age": [3, 4], "more": [0, 1], "ground": ["rock", "rock"], "size": [1.5, 7]})
    )

    assert new.values.tolist() == [[3.0, 4.0], [1.5, 7.0]]
    assert new.codes[1].tolist() == [0, 0]
    assert new.columns == mixed.columns
    assert same(mixed.encode_like(mixed, missing="available").values, mixed.values)


def test_missing_numbers_of_new_data_are_refused_dropped_or_stay(mixed):
    new = {"age": [None, 4], "ground": ["rock", "rock"], "size": [1.5, 7.5]}

    for missing in ("error", "level"):
        with pytest.raises(DataError, match="'age' holds a missing value: expected numbers"):
            mixed.encode_like(new, missing=missing)
    assert mixed.encode_like(new, missing="drop").values.tolist() == [[4.0], [7.5]]
    available = mixed.encode_like(new, missing="available")
    assert same(available.values, [[NAN, 4.0], [1.5, 7.5]])
    empty = mixed.encode_like({**new, "age": [None, None]}, missing="available")
    assert empty.n_missing.tolist() == [2, 0, 0]


@pytest.mark.parametrize("age", [["old", "young"], [True, False], pd.Categorical(["1", "2"])])
def test_new_words_for_a_number_are_refused(mixed, age):
    new = pd.DataFrame({"age": age, "ground": "rock", "size": 1.5})

    with pytest.raises(DataError, match=r"column 'age' holds .*: expected numbers"):
        mixed.encode_like(new)


def test_a_missing_level_of_another_data_set_is_a_missing_number():
    data = Dataset.from_values([[0.5, 1.5]], names=["a"])
    other = Dataset.from_data({"a": [1, None, 2]}, missing="level")

    with pytest.raises(DataError, match="'a' holds a missing value"):
        data.encode_like(other)
    assert same(data.encode_like(other, missing="available").values, [[1.0, NAN, 2.0]])


@pytest.mark.parametrize(
    ("new", "state"), [([0.5, 1.0], 0.5), (list(range(30)), 2), ([1.5, None], 1.5)]
)
def test_new_numbers_for_levels_are_unseen_states(new, state):
    data = Dataset.from_data({"a": [0, 1, None]}, missing="available")

    with pytest.raises(
        DataError, match=f"'a' holds the unseen state {state}: expected one of 0, 1"
    ):
        data.encode_like({"a": new}, missing="available")


def test_new_whole_numbers_of_many_kinds_match_declared_levels():
    data = Dataset.from_codes([[0, 29, 5]], cards=[30], names=["a"])

    assert data.encode_like({"a": [*range(25), None]}, missing="available").codes.tolist() == [
        [*range(25), 30]
    ]


def test_merged_rows_of_new_data_keep_their_weights():
    data = Dataset.from_values([[0.5, 1.5]], names=["a"])
    other = Dataset.from_data({"a": [3, None, 3, None, None]}, missing="available")

    new = data.encode_like(other.compressed([0]), missing="available")

    assert same(new.values, [[3.0, NAN]])
    assert new.weights.tolist() == [2, 3]
    assert new.n_missing.tolist() == [3]


def test_the_fingerprint_sees_every_number_and_no_order_of_columns():
    one = Dataset.from_data({"a": [0.5, 1.5], "b": ["x", "y"]})

    assert one.fingerprint() == Dataset.from_data({"b": ["x", "y"], "a": [0.5, 1.5]}).fingerprint()
    for other in (
        {"a": [0.5, np.nextafter(1.5, 2)], "b": ["x", "y"]},
        {"a": [1.5, 0.5], "b": ["x", "y"]},
        {"c": [0.5, 1.5], "b": ["x", "y"]},
        {"a": ["x", "y"], "b": [0.5, 1.5]},
        {"a": [0.5, None], "b": ["x", "y"]},
    ):
        assert one.fingerprint() != Dataset.from_data(other, missing="available").fingerprint()


def test_the_fingerprint_is_the_same_in_every_process_and_for_every_missing_value():
    odd = np.array([0.5, -NAN])
    odd.view(np.uint64)[1] |= 1  # another NaN
    found = Dataset.from_data({"a": [0.5, None]}, missing="available").fingerprint()

    assert found == "a1296594c100d56be83a73a444425dd9ba3fabac06055ae2941df45a1bb9e27f"
    assert Dataset.from_data({"a": odd}, missing="available").fingerprint() == found


def test_values_made_by_a_program_are_taken_as_they_are():
    found = Dataset.from_values([[1.0, 2.0], [NAN, 7.0]], names=["b", "a"])

    assert found.names == ("a", "b")
    assert found.columns == ("b", "a")
    assert same(found.values, [[NAN, 7.0], [1.0, 2.0]])
    assert found.n_missing.tolist() == [1, 0]


def test_a_column_of_words_among_many_numbers_changes_nothing():
    numbers = np.random.default_rng(0).normal(size=(40, 300)).round(3)
    numbers[3, 7] = NAN
    frame = pd.DataFrame(numbers, columns=[f"g{j:03}" for j in range(300)])
    frame.insert(123, "tissue", ["liver", "skin"] * 20)
    frame["n"] = range(40)

    found = Dataset.from_data(frame, missing="available")

    assert found.states[-1] == ("liver", "skin")
    assert same(found.values[:-1], numbers.T)
    assert found.values[-1].tolist() == list(range(40))
    assert found.n_missing.sum() == 1


CELLS = st.one_of(
    st.lists(st.sampled_from(["a", "b", "c d"]), min_size=30, max_size=30),
    st.lists(st.integers(0, 25), min_size=30, max_size=30),
    st.lists(st.integers(-(2**60), 2**60), min_size=30, max_size=30),
    st.lists(st.integers(0, 3).map(float), min_size=30, max_size=30),
    st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 4)), min_size=30, max_size=30),
    st.permutations(range(100, 130)),
)


@examples(60)
@given(st.lists(CELLS, min_size=1, max_size=4))
def test_a_table_is_the_same_data_set_from_every_source(tmp_path_factory, columns):
    names = [f"v{j}" for j in range(len(columns))]
    frame = pl.DataFrame(dict(zip(names, columns, strict=True)))
    folder = tmp_path_factory.mktemp("tables")
    frame.write_csv(folder / "a.csv")
    frame.write_csv(folder / "a.tsv", separator="\t")
    frame.write_parquet(folder / "a.parquet")

    sources = [frame, frame.to_pandas(), frame.to_arrow(), dict(zip(names, columns, strict=True))]
    found = {Dataset.from_data(source, max_levels=100).fingerprint() for source in sources} | {
        read_dataset(folder / name, keep=["all"]).fingerprint()
        for name in ("a.csv", "a.tsv", "a.parquet")
    }
    if all(not isinstance(column[0], str) for column in columns):
        matrix = frame.select(pl.all().cast(pl.Float64)).to_numpy()
        if np.abs(matrix).max() < 2**53:
            found |= {
                Dataset.from_data(array, names=names).fingerprint()
                for array in (matrix, np.asfortranarray(matrix), sp.csr_array(matrix))
            }

    assert len(found) == 1


@examples(30)
@given(st.data())
def test_rows_and_columns_in_another_order_are_the_same_numbers(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    values = rng.normal(size=(12, 4)).round(2)
    values[rng.random(values.shape) < 0.1] = NAN
    names = ["d", "b", "c", "a"]
    columns, rows = rng.permutation(4), rng.permutation(12)
    whole = Dataset.from_data(values, names=names, missing="available")

    other = Dataset.from_data(
        values[rows][:, columns], names=[names[j] for j in columns], missing="available"
    )

    assert other.fingerprint() == whole.take(rows).fingerprint()


def test_importing_it_still_loads_no_heavy_library():
    program = "import sys, h2pc; h2pc.Dataset.from_values([[0.5]]); print('polars' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.stdout.strip() == "False"
