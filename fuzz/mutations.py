"""Damage to files: of their bytes and words, of the values of JSON, of the parts of a model."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

TOKENS = [
    *(bytes([byte]) for byte in b"{}[]()<>%,;:'\"\\?@&=|#/*-+._ \t\r\n\0\x1c\x7f\x80\xff0129eax"),
    *("\u2028 \u00a0 \ufeff \u0130 \u00e9 \U0001f600 \u0663".encode().split(b" ")),
    *(b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"nan", b"NaN", b"inf", b"-Infinity", b"1e999"),
    *(b"-0", b"0x1", b"1_0", b"1e-999", b"9" * 30, b"9" * 5000, b"18446744073709551616"),
    *(b"''", b'""', b"null", b"true", b"?", b"{0 1}", b"@data\n", b"@attribute x {", b"-C 9"),
    *(b"<![CDATA[", b"]]>", b"&#0;", b"&amp;", b"&a;", b"<!DOCTYPE x [", b"<!ENTITY a 'b'>"),
    *(b"<?xml version='1.0' encoding='utf-16'?>", b"encoding='nothing'", b"<TABLE>", b"</NAME>"),
    *(b"variable", b"probability", b"default", b"table", b"property", b"/*", b"*/", b"//"),
    *(b"->", b"--", b"digraph", b"subgraph", b"dir=both", b"network", b"size", b"format"),
]
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308),
    *(float("nan"), float("inf"), "", "a", "\0", "\ud800", "é" * 50, "__class__", "asia"),
    *([], {}, [[]], [None], {"": 0}, [0] * 50, [[["a", "b"]]], {"a": {"b": []}}),
]

_LONGEST = 20_000

Mutator = Callable[[bytes, random.Random], bytes]


def damaged_bytes(content: bytes, rng: random.Random) -> bytes:
    """Return bytes with a few pieces put in, cut out, doubled, changed or moved."""
    for _ in range(1 << rng.randrange(4)):
        i, j = sorted(rng.randrange(len(content) + 1) for _ in range(2))
        if rng.random() < 0.7:
            j = min(j, i + rng.randrange(1, 9))
        piece = rng.choice(TOKENS) if rng.random() < 0.7 else rng.randbytes(rng.randrange(1, 5))
        k = rng.randrange(len(content) + 1)
        content = rng.choice(
            [
                content[:i] + piece + content[i:],
                content[:i] + piece + content[j:],
                content[:i] + content[j:],
                content[:j] + content[i:],
                content[:k] + content[i:j] + content[k:],
            ]
        )
        if len(content) > 200_000:
            content = content[:200_000]
    return content[: rng.randrange(len(content) + 1)] if rng.random() < 0.05 else content


def scratched_bytes(content: bytes, rng: random.Random) -> bytes:
    """Return bytes of which one to three are others; most of the file is read all the same."""
    found = bytearray(content)
    for _ in range(min(len(found), rng.randrange(1, 4))):
        place = rng.randrange(len(found))
        if rng.random() < 0.5:
            found[place] ^= 1 << rng.randrange(8)
        else:
            found[place : place + 1] = rng.choice(TOKENS[:50])
    return bytes(found)


def damaged_pages(content: bytes, rng: random.Random) -> bytes:
    """Return a Parquet file with one to four other bytes before its footer, which stays valid."""
    end = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    if content[-4:] != b"PAR1" or end < 5:  # it has been damaged before
        return scratched_bytes(content, rng) if content else content
    found = bytearray(content)
    for _ in range(rng.randrange(1, 5)):
        place = rng.randrange(4, end)
        if rng.random() < 0.5:
            found[place] ^= 1 << rng.randrange(8)
        else:
            found[place] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
    return bytes(found)


def damaged_zip(content: bytes, rng: random.Random) -> bytes:
    """Return a zip file with a part that is damaged, and checksums that are right."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # it has been damaged before, in one of many ways
        return damaged_bytes(content, rng)
    sheets = [name for name in parts if "sheet" in name.lower()]
    name = rng.choice(sheets if sheets and rng.random() < 0.7 else sorted(parts))
    parts[name] = rng.choice([scratched_bytes, damaged_bytes])(parts[name], rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for each, part in parts.items():
            archive.writestr(zipfile.ZipInfo(each), part)
    return out.getvalue()


def damaged_json(content: bytes, rng: random.Random) -> bytes:
    """Return JSON, or lines of it, with some values in place of others."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return _damaged_line(content, rng)
    return _written(_damaged_value(document, rng))


def damaged_model(content: bytes, rng: random.Random) -> bytes:
    """Return a model file with another schema or another array, whose checksums are right."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        texts = {name: json.loads(parts[name]) for name in ("h2pc.json", "schema.json")}
    except Exception:  # it has been damaged before, in one of many ways
        return damaged_bytes(content, rng)
    name = rng.choice(sorted(parts)) if rng.random() < 0.5 else "schema.json"
    if name in texts:
        parts[name] = _written(_damaged_value(texts[name], rng))
    else:
        parts[name] = _damaged_array(parts[name], rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part)  # of a time that is always the same
    return out.getvalue()


def mutators_of(kind: str) -> Sequence[Mutator]:
    """Return what damages files of a kind; the first ones understand it best."""
    if kind == "model":
        return damaged_model, damaged_model, damaged_bytes
    if kind in ("json network", "learn result", "checkpoint", "settings", "constraints"):
        return damaged_json, damaged_bytes
    if kind.endswith("excel"):
        return damaged_zip, damaged_zip, damaged_bytes
    if kind.endswith("parquet"):
        return damaged_pages, damaged_pages, scratched_bytes, damaged_bytes
    if kind.startswith(("text", "checked")) or kind in ("csv", "tsv"):
        return scratched_bytes, scratched_bytes, damaged_bytes
    return (damaged_bytes,)


def inputs_of(kind: str, seeds: Sequence[bytes], seed: int) -> Iterator[bytes]:
    """Yield the seeds, then damaged ones without end; the same for the same number."""
    yield from seeds
    rng = random.Random(f"{kind} {seed}")
    mutators = mutators_of(kind)
    short = [content for content in seeds if len(content) <= _LONGEST]  # long ones take long
    while True:
        content = rng.choice(short)
        for _ in range(rng.randrange(1, 4)):
            content = rng.choice(mutators)(content, rng)
        yield content


def _damaged_line(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    place = rng.randrange(len(lines))
    try:
        lines[place] = _written(_damaged_value(json.loads(lines[place]), rng))
    except (ValueError, RecursionError):
        return damaged_bytes(content, rng)
    return b"\n".join(lines)


def _damaged_value(document: Any, rng: random.Random) -> Any:
    """Return the document with one value changed, taken away or doubled, anywhere inside of it."""
    places = list(_places(document))
    if not places or rng.random() < 0.02:
        return rng.choice(VALUES)
    inside, key = rng.choice(places)
    other, place = rng.choice(places)
    action = rng.randrange(5)
    if action == 0:
        del inside[key]
    elif action == 1 and isinstance(inside, list):
        inside.insert(key, inside[key])
    elif action == 2:
        inside[key] = json.loads(_written(other[place]))
    elif action == 3 and isinstance(inside, dict):
        inside[rng.choice(["", "a", "name", "\ud800"])] = inside.pop(key)
    else:
        inside[key] = json.loads(_written(rng.choice(VALUES)))
    return document


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every list and dictionary with each of its keys."""
    open_values = [document] if isinstance(document, list | dict) else []
    while open_values:
        value = open_values.pop()
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            if isinstance(value[key], list | dict):
                open_values.append(value[key])


def _damaged_array(content: bytes, rng: random.Random) -> bytes:
    """Return an .npy file with some other numbers, rows too many or too few."""
    numbers = bytearray(content)
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(128 if rng.random() < 0.9 else 0, len(numbers) + 1) & ~7
        word = rng.choice([bytes(8), b"\xff" * 8, b"\1" + bytes(7), rng.randbytes(8)])
        numbers[place : place + 8] = word
    return bytes(numbers)


def _written(document: Any) -> bytes:
    try:
        return json.dumps(document).encode()
    except (ValueError, RecursionError):  # too many digits, or too deep
        return b"1"
