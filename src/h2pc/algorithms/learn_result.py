"""The result of learning a network."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from reprlib import repr as shortened
from typing import Any

from h2pc.algorithms.skeletons import SkeletonResult
from h2pc.errors import FileFormatError
from h2pc.graphs import Cpdag, Dag, Skeleton, dag_to_cpdag
from h2pc.io.files import replace_file, text_of
from h2pc.io.identifiers import is_text
from h2pc.io.json_documents import document_of, is_list

FORMAT = "h2pc-result"
VERSION = 1


@dataclass(frozen=True, repr=False)
class LearnResult:
    """A directed graph, and how it was found.

    Two results are equal if everything but the time is.

    Attributes
    ----------
    dag : Dag
        The best graph that the search saw.
    skeleton : Skeleton or None
        The pairs that a local learner linked; None where there was none. The search may have joined
        others.
    score : float
        The score of the graph on the data it was learned from.
    n_tests, n_scores, n_moves : int
        Independence tests, families that were scored, and moves of the search.
    seconds : mapping of str to float
        The time of each phase.
    settings : mapping of str to object
        All that decides the result, besides the data.
    seed : int or None
        The seed of the random restarts, if there were any.
    complete : bool
        False where a limit of time or memory ended the run early.
    n_cut : int
        The number of searches for a separating set that were cut short by a limit.
    copies : mapping of str to str
        Variables that were left out because they are functions of another one and it of them, with
        that one, which they are joined to.
    skeleton_result : SkeletonResult or None
        The skeleton with what was found on the way to it, such as separating sets; kept in memory
        only, and None where there was no local learner.

    Examples
    --------
    >>> from h2pc import H2PC, load_network
    >>> result = H2PC().fit(load_network("asia").sample(2000, random_state=1)).result_
    >>> result.dag.markov_boundary(result.dag.variable("smoke"))
    (1, 4)
    >>> LearnResult.from_json(result.to_json()) == result
    True
    """

    dag: Dag
    skeleton: Skeleton | None
    score: float
    n_tests: int = 0
    n_scores: int = 0
    n_moves: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    settings: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None
    complete: bool = True
    n_cut: int = 0
    copies: Mapping[str, str] = field(default_factory=dict)
    skeleton_result: SkeletonResult | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        time = sum(self.seconds.values())
        incomplete = "" if self.complete else ", incomplete"
        return (
            f"{type(self).__name__}({len(self.dag.names)} variables, {len(self.dag.edges)} edges, "
            f"score {self.score:.2f}, {self.n_tests} tests, {time:.3g} s{incomplete})"
        )

    def _repr_html_(self) -> str:
        return self.dag.to_html(repr(self))

    @cached_property
    def cpdag(self) -> Cpdag:
        """The graph's equivalence class."""
        return dag_to_cpdag(self.dag)

    def to_json(self) -> str:
        """Everything as a JSON object: one line, and equal for equal results but for the time."""
        graph: dict[str, object] = {
            "names": self.dag.names,
            "edges": self.dag.named_edges,
            "skeleton": None if self.skeleton is None else self.skeleton.named_edges,
        }
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        maps = {name: dict(getattr(self, name)) for name in ("seconds", "settings", "copies")}
        document = {"format": FORMAT, "version": VERSION, **graph, **numbers, **maps}
        return json.dumps(document, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str, *, source: str = "JSON text") -> LearnResult:
        """Return what :meth:`to_json` wrote; ``source`` is its name in error messages.

        Raises
        ------
        FileFormatError
            If the text is no such result.
        """
        with document_of(text, source, FORMAT, VERSION) as document:
            found = {**_DEFAULTS, **document}
            for name, (expected, fits) in _FIELDS.items():
                if not fits(found.get(name)):
                    came = shortened(found.get(name))
                    raise FileFormatError(f"{name!r} must be {expected}; it is {came}.")
            # What could not be written again: NaN, infinity and lone surrogates.
            json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
            names, skeleton = found["names"], found["skeleton"]
            settings = {name: _frozen(value) for name, value in found["settings"].items()}
            return cls(
                Dag.from_edges(names, found["edges"]),
                None if skeleton is None else Skeleton(names, skeleton),
                **{name: found[name] for name in (*_NUMBERS, "seconds", "copies")},
                settings=settings,
            )

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the result to a JSON file, which appears whole or not at all."""
        replace_file(path, self.to_json() + "\n")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> LearnResult:
        """Read a result from a JSON file.

        Raises
        ------
        FileFormatError
            If the file holds no such result.
        """
        return cls.from_json(text_of(path), source=os.fspath(path))


def _is_integer(value: object) -> bool:
    return type(value) is int


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _are_pairs(value: object) -> bool:
    return is_list(value, lambda pair: is_list(pair, is_text) and len(pair) == 2)


_FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "names": ("a list of strings", lambda names: is_list(names, is_text)),
    "edges": ("a list of pairs of names", _are_pairs),
    "skeleton": ("a list of pairs of names", lambda pairs: pairs is None or _are_pairs(pairs)),
    "score": ("a number", _is_number),
    **dict.fromkeys(("n_tests", "n_scores", "n_moves", "n_cut"), ("a number", _is_integer)),
    "seed": ("a number", lambda seed: seed is None or _is_integer(seed)),
    "complete": ("true or false", lambda complete: isinstance(complete, bool)),
    "seconds": (
        "an object of numbers",
        lambda seconds: isinstance(seconds, dict) and all(map(_is_number, seconds.values())),
    ),
    "settings": ("an object", lambda settings: isinstance(settings, dict)),
    "copies": (
        "an object of strings",
        lambda copies: isinstance(copies, dict) and all(map(is_text, copies.values())),
    ),
}
"""What the fields of a document have to be."""

_DEFAULTS: dict[str, Any] = {
    "skeleton": None,
    "seed": None,
    "complete": True,
    "n_cut": 0,
    "copies": {},
}

_NUMBERS = ("score", "n_tests", "n_scores", "n_moves", "seed", "n_cut", "complete")


def _frozen(value: Any) -> Any:
    """Return lists as the tuples that they were."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
