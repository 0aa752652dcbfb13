"""The files that commands read: tables, networks, graphs and constraints."""

from __future__ import annotations

import json
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from stat import S_ISFIFO
from typing import TYPE_CHECKING, Any, Literal

from h2pc.cli.printing import note
from h2pc.errors import DataWarning, FileFormatError, SettingError

if TYPE_CHECKING:
    from h2pc.data import Dataset
    from h2pc.data.column_plans import TablePlan, TableSettings
    from h2pc.graphs import Dag
    from h2pc.networks.network_formats import Network


def check_table(file: Path) -> None:
    """Refuse a table that cannot be read, before anything is imported to read it."""
    from h2pc.io.files import table_kind

    if str(file) != "-":
        table_kind(file)
        check_readable(file)


def source_name(file: Path) -> str:
    """Return what a table is called in titles: its file without the folder."""
    return "standard input" if str(file) == "-" else file.name


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
    keep: list[str] | None = None
    sep: str | None = None
    decimal: Literal[".", ","] | None = None
    encoding: str | None = None
    header: bool | None = None
    transpose: bool = False
    discretize: int | None = None
    strategy: Literal["quantile", "uniform"] = "quantile"
    missing: Literal["error", "drop", "level", "available"] = "error"
    max_levels: int | None = None

    def data(self, file: Path, *, max_memory: int | None = None, quiet: bool = False) -> Dataset:
        """Return the samples of a table file, or of text on standard input."""
        from h2pc.io.table_files import dataset_of

        with self.table(file, max_memory) as table, warnings.catch_warnings():
            if quiet:
                warnings.simplefilter("ignore", DataWarning)
            data, plan = dataset_of(table, self.settings(), **self.choice(table))
        if self.missing == "drop" and plan.n_holed and not quiet:
            note(dropped_rows(plan))
        return data

    @contextmanager
    def table(self, file: Path, max_memory: int | None = None) -> Iterator[Any]:
        """Yield the table of a file, or of text on standard input."""
        from h2pc.io.dialect import TextForm
        from h2pc.io.table_files import csv_table, read_table

        form = TextForm(self.sep, self.decimal, self.encoding, self.header)
        if str(file) == "-":
            yield csv_table(sys.stdin.buffer, "standard input", form, max_memory=max_memory)
        else:
            with read_table(file, form=form, max_memory=max_memory) as table:
                yield table

    def settings(self) -> TableSettings:
        """Return how the table becomes a data set."""
        from h2pc.data.column_plans import TableSettings

        return TableSettings(
            self.discretize, self.strategy, self.missing, self.max_levels, tuple(self.keep or ())
        )

    def given(self) -> dict[str, Any]:
        """Return the options that differ from their default, by the name of their parameter."""
        found = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) not in (field.default, [])
        }
        return {"levels" if name == "discretize" else name: found[name] for name in found}

    def choice(self, table: Any) -> dict[str, Any]:
        """Return which columns are used; refuse names that the table does not have."""
        if not self.transpose:
            for option, names in (("columns", self.columns), ("drop", self.drop)):
                check_names(f"--{option}", names or (), table.names)
            check_names("--keep", self.keep or (), ("all", *table.names))
        return {
            "columns": self.columns or None,
            "drop": self.drop or (),
            "transpose": self.transpose,
        }


def dropped_rows(plan: TablePlan) -> str:
    """Return how many rows had missing values, and which column has most of them."""
    most = max(
        (each.profile for each in plan.columns if each.action != "left out"),
        key=lambda profile: profile.n_missing,
    )
    share = 100 * plan.n_holed / plan.n_rows
    return (
        f"Dropped {plan.n_holed:,} of {plan.n_rows:,} rows ({share:.0f} %), most because of "
        f"{most.name}."
    )


def check_names(option: str, given: Sequence[str], known: Sequence[str]) -> None:
    """Refuse names that are not known."""
    for name in given:
        if name not in known:
            from difflib import get_close_matches

            close = get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else "."
            raise SettingError(f"{option}: there is no variable {name!r}{hint}")


def network_named(word: str) -> Network:
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
