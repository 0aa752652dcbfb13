"""The bitmaps say what the codes say."""

import numpy as np
import pytest

from h2pc.data import Dataset


@pytest.mark.parametrize("n_samples", [1, 7, 8, 63, 64, 65, 128, 130])
@pytest.mark.parametrize("card", [1, 2, 5, 300])
def test_each_level_has_the_bits_of_its_samples(n_samples, card):
    codes = np.random.default_rng(n_samples).integers(0, card, (3, n_samples))

    data = Dataset.from_codes(codes, cards=[card, card, card + 1])

    assert data.bitmaps.dtype == np.uint64
    assert data.bitmaps.shape == (3 * card + 1, -(-n_samples // 64))
    for v in range(3):
        for level in range(data.cards[v]):
            words = data.bitmaps[data.first_row[v] + level]
            bits = [int(words[i // 64]) >> (i % 64) & 1 for i in range(n_samples)]
            assert bits == (codes[v] == level).astype(int).tolist()


def test_bits_past_the_last_sample_are_zero():
    data = Dataset.from_codes(np.zeros((2, 70), int))

    assert data.bitmaps.tolist() == [[2**64 - 1, 2**6 - 1]] * 2


def test_every_sample_has_one_level_of_each_variable():
    codes = np.random.default_rng(1).integers(0, 4, (5, 100))
    data = Dataset.from_codes(codes)

    for v in range(5):
        levels = data.bitmaps[data.first_row[v] : data.first_row[v + 1]]
        assert np.bitwise_count(levels).sum() == 100
        assert np.bitwise_count(np.bitwise_or.reduce(levels)).sum() == 100
