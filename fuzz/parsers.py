"""Every file that h2pc reads: what is done with it, and what a refusal may be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from h2pc.algorithms.learn_result import LearnResult
from h2pc.cli.inputs import constraints_of
from h2pc.data.column_plans import TableSettings
from h2pc.errors import H2pcError
from h2pc.graphs import Cpdag
from h2pc.io.checking import check
from h2pc.io.dot import from_dot, to_dot
from h2pc.io.files import text_of
from h2pc.io.label_xml import read_label_names
from h2pc.io.memory import memory_in_use
from h2pc.io.table_files import dataset_of, read_dataset, read_table
from h2pc.multilabel.model_files import read_model
from h2pc.networks import read_network
from h2pc.networks.network_formats import network_text
from h2pc.runs.cells import CellStore, read_settings

REFUSALS = (H2pcError, OSError)
"""What a parser may raise; anything else is a bug."""

ROOM = 1 << 29
"""Bytes of memory that a table may take beside what the process holds."""

FIELDS = ("network", "size")
"""What tells the cells of a checkpoint apart."""


class Parser(NamedTuple):
    """A kind of file."""

    file: str
    """The name that such a file has."""
    read: Callable[[Path], object]
    """Reads it, and makes the first use of what it holds."""


def _table(path: Path) -> object:
    numbers = TableSettings(missing="available", max_levels=10_000)
    levels = TableSettings(3, missing="level", max_levels=10_000)
    with read_table(path, max_cells=1 << 24) as table:
        return [dataset_of(table, settings) for settings in (levels, numbers)]


def _check(path: Path) -> object:
    """Look at a table; what is suggested then must be good for all that is wrong with it."""
    most = memory_in_use() + ROOM
    found = check(path, max_memory=most)
    shown = repr(found), found._repr_html_(), found.to_pandas()
    if found.problems and found.suggested:
        again = check(path, max_memory=most, **found.suggested)
        if not again.is_ready and found.n_discrete + found.n_continuous:
            raise AssertionError(f"{found.suggested} does not help: {again.problems}")
    return shown


def _transposed(path: Path) -> object:
    return read_dataset(
        path, transpose=True, levels=2, missing="level", max_memory=memory_in_use() + ROOM
    )


def _network(path: Path) -> object:
    found = read_network(path)
    return [network_text(found, ending) for ending in (".bif", ".xml", ".json")]


def _dot(path: Path) -> object:
    return to_dot(from_dot(text_of(path), Cpdag))


def _result(path: Path) -> object:
    found = LearnResult.read(path)
    found.write(path)
    if LearnResult.read(path) != found:
        raise AssertionError("a result that was read does not come back as it is")
    return found


def _cells(path: Path) -> object:
    settings = path.with_name("settings.json")
    settings.write_text("{}")
    with CellStore(path.parent, FIELDS, {}) as store:
        store.sort()
        return len(store)


PARSERS = {
    "csv": Parser("table.csv", _table),
    "tsv": Parser("table.tsv", _table),
    "arff": Parser("table.arff", _table),
    "parquet": Parser("table.parquet", _table),
    "excel": Parser("table.xlsx", _table),
    "text": Parser("table.txt", _check),
    "text as rows": Parser("table.dat", _transposed),
    "checked csv": Parser("table.csv", _check),
    "checked parquet": Parser("table.parquet", _check),
    "checked excel": Parser("table.xlsx", _check),
    "label xml": Parser("labels.xml", read_label_names),
    "bif": Parser("network.bif", _network),
    "xmlbif": Parser("network.xml", _network),
    "json network": Parser("network.json", _network),
    "dot": Parser("graph.dot", _dot),
    "learn result": Parser("result.json", _result),
    "checkpoint": Parser("results.jsonl", _cells),
    "settings": Parser("settings.json", lambda path: read_settings(path.parent)),
    "constraints": Parser("known.json", constraints_of),
    "constraints toml": Parser("known.toml", constraints_of),
    "model": Parser("model.h2pc", read_model),
}


def is_read(parser: Parser, content: bytes, folder: Path) -> bool:
    """Whether a file of this content is read, rather than refused; any other error is a bug."""
    path = folder / parser.file
    path.write_bytes(content)
    try:
        parser.read(path)
    except REFUSALS:
        return False
    return True
