"""The directions that pictures and pages show: identifiable ones only, or all."""

from __future__ import annotations

from typing import Literal

from h2pc.errors import SettingError
from h2pc.learners.identifiable_directions import (
    identifiable_directions as identifiable_directions,
)

View = Literal["class", "dag"]
"""Identifiable directions only, or all; in comparisons, equivalence classes or graphs."""

VIEWS: tuple[View, ...] = ("class", "dag")


def checked_view(view: View) -> View:
    """Return the view, if it is one."""
    if view not in VIEWS:
        raise SettingError(f"view must be 'class' or 'dag'; got {view!r}.")
    return view
