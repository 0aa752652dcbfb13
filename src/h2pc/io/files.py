"""Files read whole, compressed or not and of bounded size; files replaced whole."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import secrets
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from h2pc.errors import FileFormatError, SettingError

MAX_BYTES = 1 << 28
"""The longest text that is read: 256 MB, also after decompression."""

COMPRESSIONS = (".gz", ".bz2", ".xz")
"""Endings of the names of compressed files."""

TABLES = (".csv", ".tsv", ".tab", ".txt", ".dat", ".parquet", ".xlsx", ".arff")
"""Endings of the names of table files; that of a compression may follow those of text."""

# The strongest preset of xz needs 65 MB; a damaged header may claim gigabytes.
_DECOMPRESSION_MEMORY = 1 << 28

_DECOMPRESSORS: dict[bytes, tuple[str, Callable[[], Any]]] = {
    b"\x1f\x8b": ("gzip", lambda: zlib.decompressobj(wbits=31)),
    b"BZh": ("bzip2", bz2.BZ2Decompressor),
    b"\xfd7zXZ\0": ("xz", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, _DECOMPRESSION_MEMORY)),
}


def text_of(path: str | os.PathLike[str], limit: int | None = None) -> str:
    """Return the text of a UTF-8 file, compressed or not, of at most ``limit`` bytes."""
    return decoded(bytes_of(path, limit), os.fspath(path))


def bytes_of(path: str | os.PathLike[str], limit: int | None = None) -> bytes:
    """Return the content of a file; gzip, bzip2 and xz are recognised by their first bytes."""
    limit = MAX_BYTES if limit is None else limit
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size > limit:  # compressed files are smaller than texts
            raise _too_long(os.fspath(path), limit)
        return decompressed(up_to(file, limit + 1), os.fspath(path), limit)


def decompressed(content: bytes, name: str, limit: int) -> bytes:
    """Return the content of a file called ``name``, decompressed where it is compressed."""
    for magic, (kind, decompressor) in _DECOMPRESSORS.items():
        if content.startswith(magic):
            try:
                content = _all_streams(content, decompressor, limit)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise FileFormatError(f"{name}: the {kind} file is damaged: {error}") from None
            break
    if len(content) > limit:
        raise _too_long(name, limit)
    return content


def _too_long(name: str, limit: int) -> FileFormatError:
    return FileFormatError(f"{name}: more than {limit:,} bytes: expected a smaller file")


def decoded(content: bytes, name: str) -> str:
    """Return the text of UTF-8 bytes, without a byte order mark; errors call it ``name``."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileFormatError(f"{name}, line {line}: expected UTF-8 text") from None


def table_kind(file: Path) -> str:
    """Return the ending of a table file's name, without that of its compression."""
    name = file.name.lower()
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    kind = Path(name).suffix
    if kind not in TABLES:
        raise SettingError(
            f"{file}: unknown kind of table: expected a name that ends in {', '.join(TABLES)}"
        )
    return kind


def replace_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file in one step: readers see the old content or the new one, never a part.

    A name that ends in ``.gz`` is compressed, with the same bytes for the same content.
    """
    target = Path(path)
    content = content.encode() if isinstance(content, str) else content
    if target.suffix == ".gz":
        content = gzip.compress(content, mtime=0)
    with whole_file(target) as file:
        file.write(content)


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file to write, which replaces ``path`` at the end, unless an error occurs."""
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def up_to(file: IO[bytes], n_bytes: int) -> bytes:
    """Return at most so many bytes of a file, without a buffer for that many at once."""
    try:
        piece = max(1 << 20, os.fstat(file.fileno()).st_size + 1)  # a pipe has no size
    except OSError:  # no file of the system
        piece = 1 << 20
    found: list[bytes] = []
    while n_bytes > 0 and (new := file.read(min(piece, n_bytes))):
        found.append(new)
        n_bytes -= len(new)
    return b"".join(found)


def _all_streams(content: bytes, decompressor: Callable[[], Any], limit: int) -> bytes:
    """Return all streams of a compressed file, one after the other, up to a byte past the limit."""
    found = bytearray()
    while content and len(found) <= limit:
        stream = decompressor()
        found += stream.decompress(content, limit + 1 - len(found))
        if not stream.eof and len(found) <= limit:
            raise EOFError("it ends too early")
        content = stream.unused_data.lstrip(b"\0")  # padding
    return bytes(found)
