"""The parameter ``random_state``, as in scikit-learn."""

from __future__ import annotations

import numpy as np

from h2pc.errors import SettingError

RandomState = int | np.random.Generator | np.random.RandomState | None
"""A seed, a generator that a seed is drawn from, or None for another seed each time."""


def seed_of(random_state: object) -> int:
    """Return the seed that a ``random_state`` stands for.

    Examples
    --------
    >>> seed_of(3)
    3
    >>> seed_of(None) == seed_of(None)
    False
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if isinstance(random_state, int | np.integer) and int(random_state) >= 0:
        return int(random_state)
    raise SettingError(
        "random_state must be None, a whole number from 0 on or a random generator of NumPy; "
        f"got {random_state!r}."
    )
