"""The file of a model: a zip file of a JSON header and arrays, in which nothing is executed."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from math import prod
from typing import IO, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import FileFormatError

FORMAT = "h2pc-model"
VERSION = 1
HEADER = "model.json"
MAX_HEADER = 1 << 26
"""The longest header we read: 64 MB."""

# What a file may unpack to: real models have a tenth of this ratio, bombs have five times as much.
_MOST_RATIO, _ALWAYS = 200, 1 << 26
# The header of an .npy file of version 1.0 is of this length, blanks and its line end included.
_NPY_MAGIC, _NPY_HEADER = b"\x93NUMPY\x01\x00", 118
_SAME_TIME = (1980, 1, 1, 0, 0, 0)
_CANNOT_BE_READ = (
    zipfile.BadZipFile,
    struct.error,
    zlib.error,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What zipfile and json may raise where a file is damaged."""


class ModelArchive:
    """A model file that is being read; every array is the one that its checksum tells."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = _checked_zip(file)
        self.header = _header(self._content(HEADER))
        checksums = self.header.pop("checksums", None)
        found = [name for name in self._zip.namelist() if name != HEADER]
        if not isinstance(checksums, dict) or sorted(checksums) != sorted(found):
            raise FileFormatError("the arrays are not those of the header: expected all of them")
        self._checksums = checksums

    def array(self, name: str, dtype: str, *columns: int) -> NDArray[Any]:
        """Return the array called ``name``: read-only, as many rows as there are."""
        entry = f"{name}.npy"
        if entry not in self._checksums:
            raise FileFormatError(f"no array {name!r}: expected one")
        content = self._content(entry)
        if hashlib.sha256(content).hexdigest() != self._checksums.pop(entry):
            raise FileFormatError(f"the array {name!r} is damaged: expected another checksum")
        begin, row = len(_NPY_MAGIC) + 2 + _NPY_HEADER, np.dtype(dtype).itemsize * prod(columns)
        shape = (max(0, len(content) - begin) // row, *columns)
        # Nothing is parsed: this is the header that we would have written, or it is wrong.
        if content[:begin] != _npy_head(dtype, shape) or len(content) != begin + shape[0] * row:
            sizes = " × ".join(("n", *map(str, columns)))
            raise FileFormatError(
                f"the array {name!r} is damaged: expected {sizes} of type {dtype}"
            )
        return np.frombuffer(content, dtype, offset=begin).reshape(shape)

    def check_all_read(self) -> None:
        """Refuse arrays that nobody asked for."""
        if self._checksums:
            raise FileFormatError(f"unknown array {min(self._checksums)!r}: expected no more")

    def _content(self, name: str) -> bytes:
        """Return all bytes of an entry."""
        size = self._zip.getinfo(name).file_size
        try:
            with self._zip.open(name) as entry:
                content = entry.read(size)  # no more, whatever there is
        except _CANNOT_BE_READ:
            raise FileFormatError(f"the entry {name!r} is damaged: expected a whole one") from None
        if len(content) < size:
            raise FileFormatError(f"the entry {name!r} is cut: expected {size:,} bytes")
        return content


def write_archive(
    file: IO[bytes], header: Mapping[str, Any], arrays: Iterable[tuple[str, NDArray[Any]]]
) -> None:
    """Write a model file: equal models give equal bytes, by the same zlib."""
    checksums = {}
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays:
            head = _npy_head(array.dtype.str, array.shape)
            content = b"".join((head, np.ascontiguousarray(array).data))
            checksums[f"{name}.npy"] = hashlib.sha256(content).hexdigest()
            archive.writestr(_entry(f"{name}.npy"), content)
        document = {"format": FORMAT, "version": VERSION, **header, "checksums": checksums}
        # ASCII only: a name may hold half a character, which UTF-8 cannot.
        text = json.dumps(document, allow_nan=False, separators=(",", ":"))
        archive.writestr(_entry(HEADER), text.encode("ascii"))


def _entry(name: str) -> zipfile.ZipInfo:
    """Return an entry that tells neither the time nor the system."""
    entry = zipfile.ZipInfo(name, _SAME_TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry


def _npy_head(dtype: str, shape: tuple[int, ...]) -> bytes:
    """Return the beginning of an .npy file; NumPy's own may change from version to version."""
    about = {"descr": dtype, "fortran_order": False, "shape": shape}
    text = repr(about).encode().ljust(_NPY_HEADER - 1) + b"\n"
    return _NPY_MAGIC + struct.pack("<H", _NPY_HEADER) + text


def _checked_zip(file: IO[bytes]) -> zipfile.ZipFile:
    """Return a zip file with a header, whose entries are of bounded size."""
    try:
        archive = zipfile.ZipFile(file)
    except _CANNOT_BE_READ:
        raise FileFormatError("no model file, or a part of one: expected a zip file") from None
    entries = archive.infolist()
    names = {entry.filename for entry in entries}
    if HEADER not in names or len(names) < len(entries):
        raise FileFormatError(f"no model file: expected {HEADER!r}, and each entry once")
    most = max(_ALWAYS, _MOST_RATIO * file.seek(0, os.SEEK_END))
    if sum(entry.file_size for entry in entries) > most:
        raise FileFormatError(f"the file unpacks to too much: expected at most {most:,} bytes")
    if archive.getinfo(HEADER).file_size > MAX_HEADER:
        raise FileFormatError(f"a header of more than {MAX_HEADER:,} bytes: expected a shorter one")
    return archive


def _header(content: bytes) -> dict[str, Any]:
    """Return the header, of a version that we know."""
    try:
        document = json.loads(content.decode("ascii"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise FileFormatError(f"{HEADER!r} is damaged: expected a JSON object") from None
    if not isinstance(document, dict) or document.pop("format", None) != FORMAT:
        raise FileFormatError(f"no model file: expected the format {FORMAT!r}")
    version = document.pop("version", None)
    if version != VERSION or isinstance(version, bool):
        raise FileFormatError(f"a model file of version {version!r}: expected {VERSION}")
    return document


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
