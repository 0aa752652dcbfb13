"""The result of learning a network."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from h2pc.algorithms.skeletons import SkeletonResult
from h2pc.errors import FileFormatError, GraphError
from h2pc.graphs import Cpdag, Dag, Skeleton, dag_to_cpdag
from h2pc.io.files import replace_file, text_of

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
        The pairs that the search was allowed to join; None if it was free.
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
    skeleton_result : SkeletonResult or None
        The skeleton with what was found on the way to it, such as separating sets; kept in memory
        only, and None where the search was free.

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
    n_tests: int
    n_scores: int
    n_moves: int
    seconds: Mapping[str, float] = field(compare=False)
    settings: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None
    complete: bool = True
    n_cut: int = 0
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
        numbers = {name: getattr(self, name) for name in (*_NUMBERS, "seed", "n_cut", "complete")}
        rest = {"seconds": dict(self.seconds), "settings": dict(self.settings)}
        document = {"format": FORMAT, "version": VERSION, **graph, **numbers, **rest}
        return json.dumps(document, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str, *, source: str = "JSON text") -> LearnResult:
        """Return what :meth:`to_json` wrote; ``source`` is its name in error messages.

        Raises
        ------
        FileFormatError
            If the text is no such result.
        """
        try:
            document = json.loads(text)
            result = _result(document)
            # What could not be written again: NaN, infinity and lone surrogates.
            json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
            return result
        except json.JSONDecodeError as error:
            raise FileFormatError(f"{source}, line {error.lineno}: {error.msg}.") from None
        except RecursionError:
            raise FileFormatError(f"{source}: lists are nested too deeply.") from None
        except (_WrongShapeError, GraphError) as error:
            raise FileFormatError(f"{source}: {error}") from None
        except (ValueError, OverflowError) as error:  # an integer of thousands of digits
            raise FileFormatError(f"{source}: {error}.") from None

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


_NUMBERS = ("score", "n_tests", "n_scores", "n_moves")


class _WrongShapeError(Exception):
    """The document is JSON, but not a result."""


def _result(document: Any) -> LearnResult:
    """Return the result of a parsed document."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _WrongShapeError(f"This is not a result: 'format' must be {FORMAT!r}.")
    if document.get("version") != VERSION:
        raise _WrongShapeError(f"'version' must be {VERSION}; it is {document.get('version')!r}.")
    names = document.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _WrongShapeError("'names' must be a list of strings.")
    numbers: dict[str, Any] = {name: _number(document, name) for name in _NUMBERS}
    seed = document.get("seed")
    complete = document.get("complete", True)
    if not isinstance(complete, bool):
        raise _WrongShapeError(f"'complete' must be true or false; it is {complete!r}.")
    return LearnResult(
        Dag.from_edges(names, _pairs(document, "edges")),
        None if document.get("skeleton") is None else Skeleton(names, _pairs(document, "skeleton")),
        **numbers,
        seconds=_seconds(document),
        settings={name: _frozen(value) for name, value in _object(document, "settings").items()},
        seed=None if seed is None else _number(document, "seed"),
        complete=complete,
        n_cut=_number({"n_cut": 0, **document}, "n_cut"),
    )


def _pairs(document: dict[str, Any], name: str) -> list[list[str]]:
    """Return a list of pairs of strings."""
    pairs = document.get(name)
    if isinstance(pairs, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(end, str) for end in pair)
        for pair in pairs
    ):
        return pairs
    raise _WrongShapeError(f"{name!r} must be a list of pairs of names.")


def _number(document: dict[str, Any], name: str) -> Any:
    """Return a number: whole, unless it is the score."""
    value = document.get(name)
    allowed = (int, float) if name == "score" else (int,)
    if isinstance(value, allowed) and not isinstance(value, bool) and math.isfinite(value):
        return value
    raise _WrongShapeError(f"{name!r} must be a number; it is {value!r}.")


def _seconds(document: dict[str, Any]) -> dict[str, float]:
    """Return the time of each phase."""
    phases = _object(document, "seconds")
    if all(
        isinstance(time, (int, float)) and not isinstance(time, bool) for time in phases.values()
    ):
        return phases
    raise _WrongShapeError("'seconds' must be an object of numbers.")


def _object(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a JSON object."""
    value = document.get(name)
    if isinstance(value, dict):
        return value
    raise _WrongShapeError(f"{name!r} must be an object.")


def _frozen(value: Any) -> Any:
    """Return lists as the tuples that they were."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
