"""From a search in Python to a search of the engine, and back."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import h2pc._engine as _engine
from h2pc.algorithms.found import Found
from h2pc.algorithms.moves import Add, Delete, Move, Reverse
from h2pc.algorithms.search_space import SearchSpace
from h2pc.scores.base import LocalScore
from h2pc.scores.table_score import engine_score

SECONDS_BETWEEN_POLLS = 0.02
"""How often a search looks at whether it has to stop."""

_KINDS = (Add, Delete, Reverse)  # as the engine numbers them


def run_search(
    search: Callable[..., tuple[Any, ...]],
    score: LocalScore,
    space: SearchSpace,
    *,
    seed: int,
    poll: Callable[[], bool] | None,
    **settings: int | None,
) -> Found:
    """Run a search of the engine; ``settings`` are those of its own."""
    parent_sets, total, steps, n_moves_to_best, n_scores, was_stopped = search(
        engine_score(score),
        _engine.SearchSpace(space.candidates, space.required, space.start, space.max_parents),
        seed=seed_digits(seed),
        poll=poll,
        poll_seconds=SECONDS_BETWEEN_POLLS,
        **settings,
    )
    moves: dict[tuple[int, int, int], Move] = {
        step: _KINDS[step[0]](*step[1:]) for step in set(steps)
    }
    trail = tuple([moves[step] for step in steps])
    return Found(parent_sets, total, trail, n_moves_to_best, n_scores, not was_stopped)


def seed_digits(seed: int) -> list[int]:
    """Return the 32-bit digits of a seed, the lowest first; Python's ``random`` drops its sign.

    Examples
    --------
    >>> seed_digits(-(2**32) - 5)
    [5, 1]
    """
    rest, digits = abs(index(seed)), []
    while rest:
        rest, digit = divmod(rest, 1 << 32)
        digits.append(digit)
    return digits
