"""The files that commands read: tables, networks, graphs and constraints."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISFIFO
from typing import TYPE_CHECKING, Any, Literal

from h2pc.errors import FileFormatError, SettingError

if TYPE_CHECKING:
    from h2pc.data import Dataset
    from h2pc.graphs import Dag
    from h2pc.networks import BayesianNetwork


def check_table(file: Path) -> None:
    """Refuse a table that cannot be read, before anything is imported to read it."""
    from h2pc.io.files import table_kind

    if str(file) != "-":
        table_kind(file)
        check_readable(file)


def check_graph(word: str) -> None:
    """Refuse a graph that is neither a file nor in the library, before anything is imported."""
    if _is_file(word) and _ending(word) == ".dot":
        check_readable(Path(word))
    else:
        check_network(word)


def check_network(word: str) -> None:
    """Refuse a network that is neither a file nor in the library, before anything is imported."""
    from h2pc.networks.library import check_name
    from h2pc.networks.network_formats import check_ending

    if _is_file(word):
        check_ending(word)
        check_readable(Path(word))
    else:
        check_name(word)


def check_readable(file: Path) -> None:
    """Raise what reading a file would raise; a pipe can be opened only once, and is not."""
    if not S_ISFIFO(os.stat(file).st_mode):
        with open(file, "rb"):
            pass


@dataclass(frozen=True)
class TableOptions:
    """Options of all commands that read a table."""

    columns: list[str] | None = None
    drop: list[str] | None = None
    discretize: int | None = None
    strategy: Literal["quantile", "uniform"] = "quantile"
    missing: Literal["error", "drop", "level", "available"] = "error"
    max_levels: int | None = None

    def data(self, file: Path) -> Dataset:
        """Return the samples of a table file, or of CSV on standard input."""
        from h2pc.data.encoding import ContinuousColumnError
        from h2pc.io.table_files import csv_table, discrete, read_table, selected

        from_input = str(file) == "-"
        with (
            nullcontext(csv_table(sys.stdin.buffer.read(), "standard input"))
            if from_input
            else read_table(file)
        ) as table:
            check_names("--columns", self.columns or (), table.names)
            check_names("--drop", self.drop or (), table.names)
            try:
                return discrete(
                    selected(table, self.columns or None, self.drop or ()),
                    levels=self.discretize,
                    strategy=self.strategy,
                    missing=self.missing,
                    max_levels=self.max_levels,
                )
            except ContinuousColumnError as error:
                remedy = "--discretize 3 cuts numbers into three levels, --drop leaves columns out."
                raise ContinuousColumnError(error.column, error.finding, remedy) from None


def check_names(option: str, given: Sequence[str], known: Sequence[str]) -> None:
    """Refuse names that are not known."""
    for name in given:
        if name not in known:
            from difflib import get_close_matches

            close = get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else "."
            raise SettingError(f"{option}: there is no variable {name!r}{hint}")


def network_named(word: str) -> BayesianNetwork:
    """Return the network of a file, or of the library."""
    from h2pc.networks import load_network, read_network

    return read_network(word) if _is_file(word) else load_network(word)


def graph_named(word: str) -> Dag:
    """Return the graph of a network file, of a learned result or of a network of the library."""
    from h2pc.graphs import Dag
    from h2pc.io.dot import from_dot
    from h2pc.io.files import text_of

    if not _is_file(word):
        return network_named(word).dag
    if _ending(word) == ".dot":
        return from_dot(text_of(word), Dag)
    if _ending(word) != ".json":
        return network_named(word).dag

    from h2pc.algorithms.learn_result import FORMAT, LearnResult
    from h2pc.networks.network_formats import parsed_network

    text = text_of(word)
    if re.search(rf'"format"\s*:\s*"{FORMAT}"', text[:200]):
        return LearnResult.from_json(text, source=word).dag
    return parsed_network(text.encode(), ".json", source=word).dag


def _ending(word: str) -> str:
    """Return the ending of a file's name, ``.gz`` aside."""
    return Path(word.lower().removesuffix(".gz")).suffix


def _is_file(word: str) -> bool:
    """Whether a word means a file: names of the library have no dots and no folders."""
    return bool(Path(word).suffix) or Path(word).name != word


_KNOWN_EDGES = ("required", "forbidden", "tiers")


def constraints_of(path: Path | None) -> dict[str, list[list[str]]]:
    """Return what a JSON or TOML file says of the edges: lists of pairs, and of tiers."""
    if path is None:
        return {}
    document = _document(path)
    if not isinstance(document, dict):
        raise FileFormatError(f"{path}: expected an object with {_either(_KNOWN_EDGES)}.")
    for key, groups in document.items():
        if key not in _KNOWN_EDGES:
            raise FileFormatError(
                f"{path}: unknown entry {key!r}: expected {_either(_KNOWN_EDGES)}."
            )
        what = "tiers, each a list of names" if key == "tiers" else "pairs (parent, child) of names"
        if not (isinstance(groups, list) and all(_is_group(key, group) for group in groups)):
            raise FileFormatError(f"{path}: {key!r} must be a list of {what}.")
    return document


def check_constraints(path: Path | None, known: dict[str, list[list[str]]], names: Any) -> None:
    """Refuse constraints on variables that the data do not have."""
    for key, groups in known.items():
        for group in groups:
            check_names(f"{path}, {key!r}", group, names)


def _document(path: Path) -> Any:
    """Return what a JSON or TOML file holds."""
    import tomllib

    from h2pc.io.files import text_of

    ending = path.suffix.lower()
    if ending not in (".json", ".toml"):
        raise SettingError(f"--constraints: expected a .json or .toml file; got {str(path)!r}.")
    text = text_of(path)
    try:
        return json.loads(text) if ending == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also an integer of thousands of digits
        raise FileFormatError(f"{path}: {error}.") from None


def _is_group(key: str, group: object) -> bool:
    """Whether this is a list of names; two of them, unless it is a tier."""
    return (
        isinstance(group, list)
        and all(isinstance(name, str) for name in group)
        and (key == "tiers" or len(group) == 2)
    )


def _either(words: Sequence[str]) -> str:
    return " or ".join(map(repr, words))
