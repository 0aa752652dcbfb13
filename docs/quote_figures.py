"""Write today's figures into the pages: ``python docs/quote_figures.py``.

A page quotes a figure as VALUE<!-- figure: KEY -->, and a table as <!-- table: KEY --> above it.
``figures.toml`` has figures that were read off a benchmark. ``results/figures.toml`` says how the
others follow from the files of ``results``: by a query in SQL, to which each file is a table
(``accuracy/ten/results.jsonl`` is ``accuracy_ten_results``), and by the format of what it returns.

The query of a table gives one cell. Its parameters are the other cells of the row, by their
headings, and ``:column``, the heading of the cell itself.
"""

from __future__ import annotations

import csv
import json
import math
import re
import sqlite3
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
MISSING = "–"

_NUMBER = r"[+-]?\d[\d.,-]*(?: of \d[\d,]*)?(?: (?:µs|ms|s|seconds|minutes|hours|MB|GB|%))?"
QUOTATION = re.compile(rf"({_NUMBER})<!-- figure: (\w+) -->")
TABLE = re.compile(r"(?<=^<!-- table: )(\w+)( -->\n+)((?:\|.*\n)+)", re.MULTILINE)


def pages(docs: Path = DOCS) -> list[Path]:
    """Return the pages that quote figures."""
    written = [*docs.glob("*.md"), *docs.glob("tutorials/*.md"), docs / "results" / "README.md"]
    return [docs.parent / "README.md", *sorted(written)]


class Figures:
    """All figures that pages may quote."""

    def __init__(self, docs: Path = DOCS) -> None:
        computed = _toml(docs / "results" / "figures.toml")
        self.measured: dict[str, dict[str, str]] = _toml(docs / "figures.toml")
        self.names: dict[str, Any] = computed.get("names", {})
        self.queries: dict[str, Any] = computed.get("figures", {})
        self.tables: dict[str, Any] = computed.get("tables", {})
        self._results = Results(docs / "results", computed.get("views", {}))

    def keys(self) -> set[str]:
        """Return the keys of all figures outside tables."""
        return set(self.measured) | set(self.queries)

    def figure(self, key: str) -> str:
        """Return a figure as it is quoted."""
        if key in self.measured:
            return self.measured[key]["value"]
        return self._text(self.queries[key], {})

    def quoted(self, page: str) -> str:
        """Return the text of a page with today's figures."""
        page = QUOTATION.sub(
            lambda found: f"{self.figure(found[2])}<!-- figure: {found[2]} -->", page
        )
        return TABLE.sub(lambda found: found[1] + found[2] + self.table(found[1], found[3]), page)

    def table(self, key: str, text: str) -> str:
        """Return a table with today's figures in the columns that have some."""
        spec = self.tables[key]
        first, line, *rows = text.splitlines()
        headings = _cells(first)
        own = spec.get("columns") or {heading: {} for heading in headings[1:]}
        columns = {heading: spec | changes for heading, changes in own.items()}
        filled = [self._row(columns, headings, _cells(row)) for row in rows]
        if spec.get("bold") == "least":
            filled = [_least_in_bold(row) for row in filled]
        lines = [first, line, *(f"| {' | '.join(row)} |" for row in filled)]
        return "\n".join(lines) + "\n"

    def _row(
        self, columns: Mapping[str, Any], headings: Sequence[str], row: Sequence[str]
    ) -> list[str]:
        """Return a row with today's figures."""
        parameters = {
            heading: self._meaning(cell)
            for heading, cell in zip(headings, row, strict=True)
            if heading not in columns
        }
        found = {
            heading: self._text(columns[heading], {**parameters, "column": self._meaning(heading)})
            for heading in headings
            if heading in columns
        }
        if set(found.values()) == {MISSING}:
            raise ValueError(f"the results have nothing about the row {' | '.join(row)}")
        return [found.get(heading, cell) for heading, cell in zip(headings, row, strict=True)]

    def _meaning(self, cell: str) -> str | float | None:
        """Return what a query takes for a cell: the value of a name, or the number."""
        plain = cell.strip("*")
        number = _number(plain.removesuffix(" samples").replace(",", ""))
        return self.names.get(plain, plain if isinstance(number, str) else number)

    def _text(self, spec: Mapping[str, str], parameters: Mapping[str, object]) -> str:
        """Return the answer to a query in its format."""
        rows = self._results.rows(spec["query"], parameters)
        if len(rows) > 1:
            raise ValueError(f"{len(rows)} rows instead of one: {spec['query']}")
        if not rows or None in rows[0]:
            return spec.get("missing", MISSING)
        # Means that are equal on paper are to be rounded alike.
        values = (round(one, 12) if isinstance(one, float) else one for one in rows[0])
        return spec["format"].format(*values)


class Results:
    """The files of results as tables of a database; a file is read when a query names it."""

    def __init__(self, folder: Path, views: Mapping[str, str]) -> None:
        # Of files that differ in their ending only the last kind counts: CSV before Markdown.
        files = [path for suffix in _READERS for path in folder.rglob(f"*{suffix}")]
        self._files = {
            "_".join(path.relative_to(folder).with_suffix("").parts): path for path in files
        }
        self._views = views
        self._there: set[str] = set()
        self._database = sqlite3.connect(":memory:")
        for name, function in (("ln", math.log), ("sqrt", math.sqrt)):
            self._database.create_function(name, 1, function)

    def rows(self, query: str, parameters: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """Return the answer to a query."""
        self._prepare(query)
        return self._database.execute(query, parameters).fetchall()

    def _prepare(self, query: str) -> None:
        """Make the tables and views that a query names."""
        for name in sorted(set(re.findall(r"\w+", query)) - self._there):
            if name in self._views:
                self._there.add(name)
                self._prepare(self._views[name])
                self._database.execute(f"CREATE VIEW {name} AS {self._views[name]}")
            elif name in self._files:
                self._there.add(name)
                self._make(name, self._files[name])

    def _make(self, name: str, path: Path) -> None:
        """Make the table of a file."""
        records = list(_READERS[path.suffix](path))
        columns = list(dict.fromkeys(column for record in records for column in record))
        listed = ", ".join(f'"{column}"' for column in columns)
        places = ", ".join("?" * len(columns))
        self._database.execute(f"CREATE TABLE {name} ({listed})")
        rows = ([record.get(column) for column in columns] for record in records)
        self._database.executemany(f"INSERT INTO {name} VALUES ({places})", rows)


def _toml(path: Path) -> dict[str, Any]:
    """Return the contents of a file of settings."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _csv_records(path: Path) -> Iterator[dict[str, Any]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            yield {column: _number(cell) for column, cell in row.items()}


def _json_records(path: Path) -> Iterator[dict[str, Any]]:
    """Return the lines of a file of JSON; what is nested stays JSON, for ``json_extract``."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield {
            name: json.dumps(value) if isinstance(value, dict | list) else value
            for name, value in json.loads(line).items()
        }


def _markdown_records(path: Path) -> Iterator[dict[str, Any]]:
    """Return the rows of the first table of a page."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [_cells(line) for line in lines if line.startswith("|")]
    for row in rows[2:]:
        if len(row) == len(rows[0]):
            yield dict(zip(rows[0], map(_number, row), strict=True))


_READERS = {".md": _markdown_records, ".jsonl": _json_records, ".csv": _csv_records}


def _number(text: str) -> str | float | None:
    """Return a number as such, other text as it is, and None for an empty one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def _cells(line: str) -> list[str]:
    """Return the cells of a row of a table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def _least_in_bold(row: Sequence[str]) -> list[str]:
    """Return a row whose smallest numbers are in bold."""
    numbers = {cell: float(cell) for cell in row if re.fullmatch(r"\d[\d.]*", cell)}
    least = min(numbers.values())
    return [f"**{cell}**" if numbers.get(cell) == least else cell for cell in row]


def main() -> None:
    """Write today's figures into all pages, and name those that changed."""
    figures = Figures()
    for page in pages():
        before = page.read_text(encoding="utf-8")
        after = figures.quoted(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"{page.relative_to(DOCS.parent)} has new figures.")


if __name__ == "__main__":
    main()
