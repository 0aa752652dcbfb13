import numpy as np
import pytest

from h2pc.errors import SettingError
from h2pc.random_state import seed_of


def test_a_seed_is_itself():
    assert seed_of(7) == 7
    assert seed_of(np.int64(7)) == 7


def test_a_generator_gives_another_seed_at_every_use():
    one, other = np.random.default_rng(1), np.random.RandomState(1)

    assert seed_of(one) != seed_of(one)
    assert seed_of(other) != seed_of(other)
    assert seed_of(np.random.default_rng(1)) == seed_of(np.random.default_rng(1))


def test_none_gives_another_seed_at_every_use():
    assert seed_of(None) != seed_of(None)


@pytest.mark.parametrize("value", [-1, 1.5, "1", (1,)])
def test_anything_else_is_refused(value):
    with pytest.raises(SettingError, match="random_state must be None, a whole number from 0 on"):
        seed_of(value)
