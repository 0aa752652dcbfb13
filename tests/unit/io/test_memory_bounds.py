"""Files that would take more memory than there may be are refused, before they do."""

import gzip
import io
import lzma
import resource
import sys
import zipfile
from functools import partial

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from h2pc import read_dataset
from h2pc.errors import FileFormatError
from h2pc.io.memory import memory_in_use
from h2pc.io.table_files import csv_table

MEGABYTE = 1 << 20
LIMIT = 100 * MEGABYTE
"""What reading may take beside what the process holds; below it, libraries have no room."""


@pytest.fixture
def limit():
    """A limit a little above what this process holds, and its peak at the end checked."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield max(memory_in_use(), 150 * MEGABYTE) + LIMIT
    if sys.platform == "linux":
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown * 1024 < 2 * LIMIT


@pytest.mark.parametrize(
    ("ending", "opened"), [("gz", gzip.open), ("xz", partial(lzma.open, preset=0))]
)
def test_a_text_that_grows_beyond_memory_is_refused(tmp_path, limit, ending, opened):
    path = tmp_path / f"bomb.csv.{ending}"
    with opened(path, "wb") as file:
        for _ in range(50):
            file.write(b"1,0\n" * (MEGABYTE // 4) * 4)

    with pytest.raises(FileFormatError, match=r"bomb.csv.*: more than [\d,]+ bytes: expected a sm"):
        read_dataset(path, max_memory=limit)


def test_a_text_that_is_longer_than_memory_is_not_even_read(tmp_path, limit):
    path = tmp_path / "huge.csv"
    with open(path, "wb") as file:
        file.write(b"a,b\n1,0\n")
        file.truncate(1 << 40)  # takes no room on the disk

    with pytest.raises(FileFormatError, match=r"huge.csv: more than [\d,]+ bytes"):
        read_dataset(path, max_memory=limit)


def test_a_text_of_many_short_cells_is_refused_by_their_number(tmp_path, limit):
    path = tmp_path / "cells.csv"
    path.write_bytes(b"a,b,c,d\n" + b"1,0,2,1\n" * 2 * MEGABYTE)

    with pytest.raises(FileFormatError, match=r"2,097,154 rows of 4 columns need 0.2\d GB"):
        read_dataset(path, max_memory=limit)


def test_a_stream_without_end_is_refused(limit):
    class Endless(io.RawIOBase):
        def read(self, size=-1):
            return (b"1,0\n" * (size // 4 + 1))[:size]

    with pytest.raises(FileFormatError, match=r"standard input: more than [\d,]+ bytes"):
        csv_table(Endless(), "standard input", max_memory=limit)


def test_a_parquet_file_of_too_many_rows_is_refused(tmp_path, limit):
    path = tmp_path / "bomb.parquet"
    pl.select(pl.repeat(1, 10_000_000, dtype=pl.Int8).alias("a")).write_parquet(path)

    with pytest.raises(FileFormatError, match=r"10,000,000 rows of 1 columns need 0.66 GB"):
        read_dataset(path, max_memory=limit)


@pytest.fixture
def numbers(tmp_path):
    """A Parquet file of eight million fractions."""
    row = pl.Series([0.5, 1.5, 2.5, 3.5] * 50_000)
    path = tmp_path / "numbers.parquet"
    pl.DataFrame({f"v{j:02}": row for j in range(40)}).write_parquet(path)
    return path


def test_numbers_of_a_parquet_file_that_need_too_much_room_are_refused(numbers, limit):
    with pytest.raises(FileFormatError, match=r"200,000 rows of 40 columns need 0.13 GB"):
        read_dataset(numbers, max_memory=limit)


def test_numbers_that_are_cut_need_less_room(numbers, limit):
    assert read_dataset(numbers, levels=2, max_memory=limit).n_variables == 40


def test_a_parquet_file_of_long_words_is_refused(tmp_path, limit):
    word = pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int16()), ["x" * MEGABYTE])
    table = pa.table({"a": word, "b": [0, 1] * 500})
    once, often = tmp_path / "once.parquet", tmp_path / "often.parquet"
    pq.write_table(table, once)
    with pq.ParquetWriter(often, table.schema, compression="zstd", use_dictionary=False) as writer:
        for start in range(0, 1000, 10):
            writer.write_table(table.slice(start, 10))

    assert max(once.stat().st_size, often.stat().st_size) < MEGABYTE
    for path in (once, often):
        with pytest.raises(FileFormatError, match=r"columns a need [12](\.1)? GB of memory"):
            read_dataset(path, max_memory=limit)
        assert read_dataset(path, columns=["b"], max_memory=limit).n_samples == 1000


def test_an_excel_file_that_grows_beyond_memory_is_refused(tmp_path, limit):
    pytest.importorskip("fastexcel")
    whole = io.BytesIO()
    pl.DataFrame({"a": [1, 2]}).write_excel(whole)
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        with new.open("xl/worksheets/sheet2.xml", "w") as sheet:
            for _ in range(300):
                sheet.write(b"<row/> \n" * (MEGABYTE // 8))

    with pytest.raises(FileFormatError, match=r"bomb.xlsx: more than [\d,]+ bytes after decompr"):
        read_dataset(path, max_memory=limit)


def test_an_excel_file_with_cells_far_apart_is_refused(tmp_path):
    pytest.importorskip("fastexcel")
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "a", 1
    book.save(tmp_path / "far.xlsx")

    with pytest.raises(FileFormatError, match=r"2 cells in 1,048,576 rows and 16,384 columns"):
        read_dataset(tmp_path / "far.xlsx")
