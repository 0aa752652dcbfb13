"""The engine's index of a sample says what the codes say, and takes no wrong ones."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc._engine import Sample
from h2pc.data import Dataset
from reference.slow_tables import slow_merged_rows
from strategies import datasets, examples


def sample(codes, cards, weights=None, dtype=np.uint8) -> Sample:
    weights = None if weights is None else np.array(weights, np.int64)
    return Sample(np.array(codes, dtype), np.array(cards, np.int64), weights)


# Bitmaps


@pytest.mark.parametrize("n_samples", [1, 7, 8, 63, 64, 65, 128, 130, 513])
@pytest.mark.parametrize("card", [1, 2, 5, 300])
def test_each_level_has_the_bits_of_its_samples(n_samples, card):
    codes = np.random.default_rng(n_samples).integers(0, card, (3, n_samples))
    cards = [card, card, card + 1]

    index = sample(codes, cards, dtype=np.uint16)

    for v in range(3):
        for level in range(cards[v]):
            words = index.bitmap(v, level)
            assert words.dtype == np.uint64
            bits = [int(words[i // 64]) >> (i % 64) & 1 for i in range(n_samples)]
            assert bits == (codes[v] == level).astype(int).tolist()


@pytest.mark.parametrize("n_samples", [1, 63, 64, 65, 70, 1000])
def test_bits_past_the_last_sample_are_zero(n_samples):
    rng = np.random.default_rng(0)
    for card in (1, 2, 3):
        index = sample(rng.integers(0, card, (1, n_samples)), [card])

        n_bits = sum(int(np.bitwise_count(index.bitmap(0, code)).sum()) for code in range(card))
        assert n_bits == n_samples


@pytest.mark.parametrize(("variable", "code"), [(-1, 0), (2, 0), (0, -1), (0, 2), (1, 3)])
def test_a_bitmap_of_no_level_is_an_error(variable, code):
    index = sample([[0, 1], [2, 0]], [2, 3])

    with pytest.raises(IndexError):
        index.bitmap(variable, code)


# Distinct rows


@examples(100)
@given(st.data(), datasets(wide=True))
def test_rows_are_merged_as_by_a_dictionary(draw, data):
    variables = draw.draw(
        st.lists(st.sampled_from(range(data.n_variables)), unique=True, min_size=1)
    )
    weights = [1] * data.n_rows
    if draw.draw(st.booleans()):
        weights = draw.draw(
            st.lists(st.integers(1, 10**6), min_size=data.n_rows, max_size=data.n_rows)
        )
        index = Sample(data.codes, data.cards, np.array(weights))
    else:
        index = data.index

    first, merged = index.distinct_rows(variables)

    assert (first.tolist(), merged.tolist()) == slow_merged_rows(data.codes, variables, weights)


@pytest.mark.parametrize(("card", "dtype"), [(2, np.uint8), (3, np.uint8), (300, np.uint16)])
@pytest.mark.parametrize("n_variables", [7, 8, 39, 40, 63, 64, 65, 130])
def test_rows_too_long_for_a_word_are_told_apart(n_variables, card, dtype):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, card, (n_variables, 40)).astype(dtype)
    codes = np.ascontiguousarray(codes[:, rng.integers(0, 40, 300)])  # most rows several times
    codes[rng.integers(n_variables), 150:] = 0  # … and many equal but for one column
    weights = rng.integers(1, 9, 300).tolist()
    variables = list(range(n_variables))
    index = sample(codes, [card] * n_variables, weights, dtype)

    first, merged = index.distinct_rows(variables)

    assert (first.tolist(), merged.tolist()) == slow_merged_rows(codes, variables, weights)


def test_of_no_variables_all_rows_are_equal():
    first, merged = sample(np.zeros((1, 5)), [1], [1, 2, 3, 4, 5]).distinct_rows([])

    assert (first.tolist(), merged.tolist()) == ([0], [15])


@pytest.mark.parametrize("variable", [-1, 2, 2**31 - 1])
def test_rows_of_no_variable_are_an_error(variable):
    with pytest.raises(IndexError):
        sample([[0, 1], [1, 0]], [2, 2]).distinct_rows([0, variable])


# What a sample takes


def test_a_sample_says_what_it_holds():
    codes = np.random.default_rng(0).integers(0, 3, (4, 100))
    index = sample(codes, [3, 3, 3, 4], [2] * 100)

    assert np.array_equal(index.codes, codes)
    assert (index.n_variables, index.n_samples, index.has_pairs) == (4, 200, True)
    assert index.n_bytes >= codes.size


@pytest.mark.parametrize("weights", [None, [1, 2, 3]])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_the_code_after_the_last_level_is_missing(dtype, weights):
    holed = sample([[0, 2, 1], [1, 0, 0]], [2, 2], weights, dtype)

    assert not holed.is_complete
    assert sample([[0, 2, 1], [1, 0, 0]], [3, 2], weights, dtype).is_complete
    if weights is None:
        assert [holed.bitmap(0, code)[0] for code in (0, 1)] == [0b001, 0b100]


@pytest.mark.parametrize(
    ("codes", "cards", "weights"),
    [
        ([[0, 2]], [1], None),
        ([[0, 255]], [2], None),
        ([[0, 1], [0, 4]], [2, 3], None),
        ([[0, 1]], [2, 2], None),
        ([[0, 1], [1, 0]], [2], None),
        ([[0, 1]], [0], None),
        ([[0, 1]], [-2], None),
        ([[0, 1]], [2**40], None),
        ([[]], [2], None),
        (np.zeros((0, 5)), [], None),
        ([[0, 1]], [2], [1]),
        ([[0, 1]], [2], [1, 2, 3]),
        ([[0, 1]], [2], [1, 0]),
        ([[0, 1]], [2], [1, -1]),
        ([[0, 1]], [2], [1, 2**40]),
        ([[0, 1]], [2], [2**30, 2**30]),
    ],
)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_sizes_and_codes_that_do_not_fit_are_refused(codes, cards, weights, dtype):
    with pytest.raises(ValueError, match=r"\w"):
        sample(codes, cards, weights, dtype)


@pytest.mark.parametrize(
    "arrays",
    [
        (np.zeros((2, 3), np.int64), np.array([2, 2])),
        (np.zeros((2, 3)), np.array([2, 2])),
        (np.zeros(3, np.uint8), np.array([2])),
        (np.zeros((1, 2, 3), np.uint8), np.array([2])),
        (np.zeros((2, 3), np.uint8), np.array([2.0, 2.0])),
        (np.zeros((2, 3), np.uint8), np.array([[2, 2]])),
        (None, np.array([2])),
        ("codes", "cards"),
    ],
)
def test_arrays_of_another_kind_are_refused(arrays):
    with pytest.raises(TypeError):
        Sample(*arrays)


@pytest.mark.parametrize(("dtype", "card"), [(np.uint8, 3), (np.uint16, 1000)])
def test_arrays_that_are_not_contiguous_are_refused_or_read_as_they_are(dtype, card):
    codes = np.random.default_rng(0).integers(0, card, (50, 8), dtype=dtype)

    for view in (codes.T, codes[::2].T, codes.T[::-1, ::3]):
        with suppress(TypeError):
            assert np.array_equal(Sample(view, np.full(8, card)).codes, view)


# A sample is a copy


def test_arrays_may_change_once_the_sample_is_made():
    rng = np.random.default_rng(0)
    codes, cards = rng.integers(0, 3, (4, 200), dtype=np.uint8), np.full(4, 3)
    expected, index = codes.copy(), Sample(codes, cards)

    codes[:], cards[:] = 255, 1

    assert np.array_equal(index.codes, expected)
    assert index.distinct_rows([0, 1, 2, 3])[1].sum() == 200


def test_the_codes_of_a_sample_cannot_be_written():
    index = sample([[0, 1, 1]], [2])

    assert not index.codes.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        index.codes[0, 0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        index.codes.flags.writeable = True


def test_codes_outlive_their_sample():
    codes = Dataset.from_codes(np.arange(3000).reshape(3, 1000) % 7).index.codes

    for _ in range(20):
        sample(np.zeros((3, 1000)), [7, 7, 7])
    assert codes.tolist() == (np.arange(3000).reshape(3, 1000) % 7).tolist()
