"""Separating sets of many variables, in a few bytes each."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from h2pc.variables import Var, Vars


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SeparatingSets(Mapping[Var, Vars]):
    """An immutable mapping of variables to the sets that separate them from a target.

    Among ten thousand variables hundreds are dependent on a target by chance, and separated from
    it by another one: as Python objects they would take most of the memory of a result.

    Examples
    --------
    >>> sets = SeparatingSets.of({7: (2,), 4: (1, 9)})
    >>> dict(sets), len(sets), sets.get(5)
    ({4: (1, 9), 7: (2,)}, 2, None)
    """

    _variables: NDArray[np.int32]
    """Sorted."""
    _members: NDArray[np.int32]
    """Those of one set after the other."""
    _starts: NDArray[np.int32] | None
    """Where each set begins, and the last one ends; None where all sets have one member."""

    @classmethod
    def of(cls, sets: Mapping[Var, Vars]) -> Self:
        """Return the same sets in this form."""
        variables = np.array(sorted(sets), np.int32)
        members = [sets[x] for x in variables.tolist()]
        sizes = np.fromiter(map(len, members), np.int32, len(members))
        flat = np.fromiter(chain.from_iterable(members), np.int32, int(sizes.sum()))
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        return cls(variables, flat, None if (sizes == 1).all() else starts)

    def __getitem__(self, x: Var) -> Vars:
        place = int(np.searchsorted(self._variables, x))
        if place == len(self._variables) or self._variables[place] != x:
            raise KeyError(x)
        first, last = place, place + 1
        if self._starts is not None:
            first, last = self._starts[place], self._starts[place + 1]
        return tuple(self._members[first:last].tolist())

    def __iter__(self) -> Iterator[Var]:
        return iter(self._variables.tolist())

    def __len__(self) -> int:
        return len(self._variables)

    def items(self) -> ItemsView[Var, Vars]:
        """Return the variables with their sets, sorted, without a search for each."""
        return _Items(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.of({dict(self.items())})"


class _Items(ItemsView[Var, Vars]):
    _mapping: SeparatingSets

    def __iter__(self) -> Iterator[tuple[Var, Vars]]:
        sets = self._mapping
        members = sets._members.tolist()
        if sets._starts is None:
            return zip(sets, zip(members), strict=True)
        ends = sets._starts.tolist()
        each = (tuple(members[i:j]) for i, j in pairwise(ends))
        return zip(sets, each, strict=True)
