"""Kinds of tables, and the independence test that each takes by default."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal

Kind = Literal["discrete", "continuous", "mixed"]

AUTO_TESTS: Mapping[Kind, str] = MappingProxyType(
    {"discrete": "g2", "continuous": "gaussian", "mixed": "mixed"}
)
"""The test that ``test="auto"`` takes."""


def kind_of(are_continuous: Iterable[bool]) -> Kind:
    """Return the kind of a table of variables that are continuous or not."""
    found = set(map(bool, are_continuous))
    if found == {True}:
        return "continuous"
    return "mixed" if True in found else "discrete"
