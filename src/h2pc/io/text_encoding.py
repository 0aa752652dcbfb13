"""The encoding of a text, recognised from its bytes: UTF-8, UTF-16 or that of Windows."""

from __future__ import annotations

import codecs
import re

from h2pc.errors import FileFormatError, Remedy, SettingError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

WINDOWS = "cp1252"
"""Western European, as Windows writes it; Latin-1 is a part of it but for control characters."""

_SAMPLE = 4096

_NUL = re.compile(rb"\x00")

# Control characters that no table of Windows holds; form feed and the end mark of DOS occur.
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f]")


def as_utf8(content: bytes, name: str, encoding: str | None = None) -> tuple[bytes, str]:
    r"""Return a text in UTF-8 without a byte order mark, and the encoding that it had.

    Parameters
    ----------
    content : bytes
        The text.
    name : str
        What error messages call it.
    encoding : str, default=None
        Its encoding; by default recognised. What is no UTF-8 is taken for Windows-1252.

    Raises
    ------
    FileFormatError
        Where the bytes are no text, or not in this encoding.

    Examples
    --------
    >>> as_utf8("naïve".encode("utf-16"), "text")
    (b'na\xc3\xafve', 'utf-16-le')
    >>> as_utf8(b"na\xefve", "text")
    (b'na\xc3\xafve', 'cp1252')
    """
    if encoding is not None:
        return _given(content, name, encoding), encoding
    for mark, marked in _MARKS:
        if content.startswith(mark):
            return _recoded(content[len(mark) :], name, marked), marked
    wide = _unmarked_utf16(content[:_SAMPLE])
    if wide is not None:
        return _recoded(content, name, wide), wide
    _check_text(content, name, _NUL)
    if content.isascii():
        return content, "utf-8"
    try:
        content.decode()
    except UnicodeDecodeError as error:
        _check_not_utf8(content, name, error.start)
    else:
        return content, "utf-8"
    _check_text(content, name, _BINARY)
    try:
        return content.decode(WINDOWS).encode(), WINDOWS
    except UnicodeDecodeError:
        return content.decode("latin-1").encode(), "latin-1"


def _given(content: bytes, name: str, encoding: str) -> bytes:
    """Return a text of a named encoding in UTF-8."""
    try:
        kind = codecs.lookup(encoding)
    except LookupError:
        raise SettingError(
            f"encoding={encoding!r}: expected the name of an encoding, such as 'utf-8', "
            f"'utf-16' or 'latin-1'"
        ) from None
    if not getattr(kind, "_is_text_encoding", True):
        raise SettingError(f"encoding={encoding!r}: expected an encoding of text")
    return _recoded(content, name, encoding).removeprefix(codecs.BOM_UTF8)


def _recoded(content: bytes, name: str, encoding: str) -> bytes:
    try:
        if codecs.lookup(encoding).name == "utf-8":
            content.decode()
            return content
        return content.decode(encoding).encode()
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        line = content.count(b"\n", 0, start) + 1
        raise FileFormatError(f"{name}, line {line}: expected text in {encoding}") from None


def _unmarked_utf16(sample: bytes) -> str | None:
    """Return which UTF-16 a text without a mark is in, judged by where its zero bytes are."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    n_pairs = len(sample) // 2
    for zeros, others, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if zeros >= max(2, 0.2 * n_pairs) and others <= 0.01 * n_pairs:
            return encoding
    return None


def _check_not_utf8(content: bytes, name: str, start: int) -> None:
    """Refuse text that is UTF-8 but for a few damaged bytes: another encoding would garble it."""
    replaced = content.decode(errors="replace")
    n_bad = replaced.count("\ufffd")
    n_good = sum(map(len, re.findall(r"[^\x00-\x7f]+", replaced))) - n_bad
    if n_good > n_bad:
        line = content.count(b"\n", 0, start) + 1
        raise FileFormatError(
            f"{name}, line {line}: expected UTF-8 text",
            Remedy("encoding", "latin-1", "reads any bytes"),
        )


def _check_text(content: bytes, name: str, strange: re.Pattern[bytes]) -> None:
    """Refuse bytes that are no text."""
    found = strange.search(content)
    if found:
        line = content.count(b"\n", 0, found.start()) + 1
        raise FileFormatError(
            f"{name}, line {line}: the control character {found[0][0]:#04x}: expected text"
        )
