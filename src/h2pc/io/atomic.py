"""Text files: read whole (gzip or not), replaced whole."""

from __future__ import annotations

import gzip
import os
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from h2pc.errors import FileFormatError

MAX_BYTES = 1 << 28
"""The longest text we read: 256 MB, also after decompression."""


def text_of(path: str | os.PathLike[str]) -> str:
    """Return the text of a UTF-8 file; a gzip file is recognised by its first bytes."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        try:
            content = (gzip.GzipFile(fileobj=file) if compressed else file).read(MAX_BYTES + 1)
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise FileFormatError(f"{name}: the gzip file is damaged: {error}.") from None
    if len(content) > MAX_BYTES:
        raise FileFormatError(f"{name}: more than {MAX_BYTES:,} bytes of text.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileFormatError(f"{name}, line {line}: the text is not UTF-8.") from None


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
    """Yield a file to write, which takes its place at the end, or never."""
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
