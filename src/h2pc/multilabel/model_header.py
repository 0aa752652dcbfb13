"""What a model file says in words: settings, names, graphs, categories."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import isfinite
from typing import Any

import numpy as np

from h2pc.data import Dataset
from h2pc.errors import FileFormatError, SettingError
from h2pc.graphs import Dag
from h2pc.learners.hybrid import H2PC, MMHC
from h2pc.multilabel.features import Categories

LEARNERS = {"H2PC": H2PC, "MMHC": MMHC}
_NOT_KEPT = ("n_jobs", "progress")


class Fields:
    """A JSON object of a header; whatever is not as it has to be, is refused."""

    def __init__(self, values: object) -> None:
        if not isinstance(values, dict):
            raise FileFormatError(f"the header holds {_shown(values)}: expected an object")
        self.values: dict[str, Any] = values

    def text(self, name: str, among: Collection[str] | None = None) -> str:
        """Return a word, one of a few if these are told."""
        value = self._value(name)
        if not isinstance(value, str) or (among is not None and value not in among):
            few = among is not None and len(among) < 10
            self._refuse(name, value, " or ".join(sorted(among or ())) if few else "a known word")
        return str(value)

    def flag(self, name: str) -> bool:
        """Return true or false."""
        value = self._value(name)
        if not isinstance(value, bool):
            self._refuse(name, value, "true or false")
        return bool(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return different words."""
        value = self._value(name)
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            self._refuse(name, value, "a list of words")
        if len(set(value)) < len(value):
            raise FileFormatError(f"{name!r} of the header has a word twice: expected it once")
        return tuple(value)

    def count(self, name: str, *, optional: bool = False) -> Any:
        """Return a whole number from 0 on; or nothing, where that is allowed."""
        value = self._value(name)
        if value is None and optional:
            return None
        if type(value) is not int or not 0 <= value < 2**63:
            self._refuse(name, value, "a whole number")
        return value

    def child(self, name: str) -> Fields:
        """Return an object inside."""
        return Fields(self._value(name))

    def optional(self, name: str) -> Fields | None:
        """Return an object inside, or None where there is none."""
        return None if self._value(name) is None else self.child(name)

    def children(self, name: str) -> list[Fields]:
        """Return the objects of a list."""
        value = self._value(name)
        if not isinstance(value, list):
            self._refuse(name, value, "a list")
        return [Fields(each) for each in value]

    def _value(self, name: str) -> Any:
        """Return whatever is there."""
        if name not in self.values:
            raise FileFormatError(f"the header lacks {name!r}: expected it")
        return self.values[name]

    def _refuse(self, name: str, value: object, expected: str) -> None:
        raise FileFormatError(f"{name!r} of the header is {_shown(value)}: expected {expected}")


def plain(what: str, value: object) -> Any:
    """Return a value that JSON can hold: a number, a word, nothing, or a list of such."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, list | tuple):
        return [plain(what, each) for each in value]
    raise SettingError(
        f"{what} is {value!r}: expected numbers, words, or lists of them, in a model to save"
    )


def frozen(value: Any) -> Any:
    """Return lists as tuples."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def plain_settings(what: str, estimator: Any, but: Iterable[str]) -> dict[str, Any]:
    """Return the parameters of an estimator as plain values, except some."""
    settings = estimator.get_params(deep=False)
    return {
        name: plain(f"{name} of {what}", settings[name])
        for name in sorted(settings)
        if name not in but
    }


def check_settings(about: Fields, estimator: Any, but: Iterable[str]) -> dict[str, Any]:
    """Return settings that an estimator has; what is an object is none of them."""
    known = frozenset(estimator.get_params(deep=False)).difference(but)
    for name, value in about.values.items():
        if name not in known or isinstance(value, dict):
            raise FileFormatError(f"unknown setting {name!r}: expected one of {len(known)}")
    return {name: frozen(value) for name, value in about.values.items()}


def plain_structure(structure: Any) -> dict[str, Any] | None:
    """Return a graph or a learner of graphs as plain values."""
    if structure is None:
        return None
    if isinstance(structure, Dag):
        return {"dag": plain_dag(structure)}
    kind = type(structure).__name__
    if LEARNERS.get(kind) is not type(structure):
        raise SettingError(f"structure is of type {kind}: expected a Dag, H2PC or MMHC, to save it")
    return {"learner": kind, "settings": plain_settings(kind, structure, _NOT_KEPT)}


def structure_of(about: Fields | None) -> Any:
    """Return a graph or a learner of graphs that was saved."""
    if about is None:
        return None
    if "dag" in about.values:
        return dag_of(about.child("dag"))
    kind = LEARNERS[about.text("learner", LEARNERS)]
    return kind(**check_settings(about.child("settings"), kind(), _NOT_KEPT))


def plain_dag(dag: Dag) -> dict[str, Any]:
    """Return a graph as plain values."""
    return {"names": list(dag.names), "edges": [list(edge) for edge in dag.named_edges]}


def dag_of(about: Fields) -> Dag:
    """Return a graph that was saved."""
    edges = about.values.get("edges")
    if not isinstance(edges, list) or not all(_is_pair(edge) for edge in edges):
        raise FileFormatError("'edges' of the header are no pairs of names: expected these")
    return Dag.from_edges(about.texts("names"), edges)


def plain_categories(categories: Categories) -> list[dict[str, Any]]:
    """Return the levels of the columns that hold no numbers."""
    levels = categories.levels
    if levels is None:
        return []
    return [
        {
            "name": name,
            "levels": plain(f"a level of {name!r}", levels.states[levels.variable(name)]),
        }
        for name in levels.columns
    ]


def categories_of(about: Iterable[Fields], features: Collection[str]) -> Categories:
    """Return levels that were saved; a level is a word, a number, or true or false."""
    names, states = [], []
    for each in about:
        names.append(each.text("name", among=features))
        levels = each.values.get("levels")
        if not isinstance(levels, list) or any(isinstance(one, list | dict) for one in levels):
            raise FileFormatError(f"the levels of {names[-1]!r} are none: expected words")
        states.append(levels)
    if not names:
        return Categories(None)
    codes = np.zeros((len(names), 1), np.int64)
    return Categories(Dataset.from_codes(codes, names=names, states=states))


def _is_pair(edge: object) -> bool:
    """Whether this is a list of two words."""
    return isinstance(edge, list) and len(edge) == 2 and all(isinstance(end, str) for end in edge)


def _shown(value: object) -> str:
    """Return a value for a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
