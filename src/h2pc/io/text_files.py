"""The text of a file, compressed or not, of bounded size."""

from __future__ import annotations

import bz2
import lzma
import os
import zlib
from collections.abc import Callable
from typing import IO, Any

from h2pc.errors import FileFormatError

MAX_BYTES = 1 << 28
"""The longest text we read: 256 MB, also after decompression."""

# The strongest preset of xz wants 65 MB; a damaged header may ask for gigabytes.
_MOST_MEMORY = 1 << 28

_DECOMPRESSORS: dict[bytes, tuple[str, Callable[[], Any]]] = {
    b"\x1f\x8b": ("gzip", lambda: zlib.decompressobj(wbits=31)),
    b"BZh": ("bzip2", bz2.BZ2Decompressor),
    b"\xfd7zXZ\0": ("xz", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, _MOST_MEMORY)),
}


def bytes_of(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> bytes:
    """Return what a file holds; gzip, bzip2 and xz are recognised by their first bytes."""
    with open(path, "rb") as file:
        content = _up_to(file, limit + 1)
    name = os.fspath(path)
    for magic, (kind, decompressor) in _DECOMPRESSORS.items():
        if content.startswith(magic):
            try:
                content = _decompressed(content, decompressor, limit)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise FileFormatError(f"{name}: the {kind} file is damaged: {error}") from None
            break
    if len(content) > limit:
        raise FileFormatError(f"{name}: more than {limit:,} bytes: expected a smaller file")
    return content


def _up_to(file: IO[bytes], n_bytes: int) -> bytes:
    """Return as much as there is, up to so many bytes, without a buffer for that many at once."""
    piece = max(1 << 20, os.fstat(file.fileno()).st_size + 1)  # a pipe has no size
    found: list[bytes] = []
    while n_bytes > 0 and (new := file.read(min(piece, n_bytes))):
        found.append(new)
        n_bytes -= len(new)
    return b"".join(found)


def text_of(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> str:
    """Return the text of a UTF-8 file, compressed or not."""
    content = bytes_of(path, limit)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileFormatError(f"{os.fspath(path)}, line {line}: expected UTF-8 text") from None


def _decompressed(content: bytes, decompressor: Callable[[], Any], limit: int) -> bytes:
    """Return all streams of a compressed file, one after the other, up to a byte past the limit."""
    found = bytearray()
    while content and len(found) <= limit:
        stream = decompressor()
        found += stream.decompress(content, limit + 1 - len(found))
        if not stream.eof and len(found) <= limit:
            raise EOFError("it ends too early")
        content = stream.unused_data.lstrip(b"\0")  # padding
    return bytes(found)
