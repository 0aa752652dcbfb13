"""Names as they are written into boxes: cut where they are long, measured, in order."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable
from itertools import takewhile
from string import digits
from unicodedata import east_asian_width

_WORD = 5
"""At most so many letters beside a gap are left out to end with a word."""


def abbreviated(names: Iterable[str], longest: int) -> dict[str, str]:
    """Return names as they are written: without line breaks, the middle of long ones cut.

    Names that would look alike keep more letters.

    Examples
    --------
    >>> abbreviated(["Mean_Acc1298_Mean_Mem40_MFCC_3", "sky"], longest=16)
    {'Mean_Acc1298_Mean_Mem40_MFCC_3': 'Mean…MFCC_3', 'sky': 'sky'}
    """
    whole = {name: " ".join(name.split()) or "·" for name in names}
    short = {name: _cut(text, longest) for name, text in whole.items()}
    length = longest
    while length < max(map(len, whole.values()), default=0):
        length += 1
        times = Counter(short.values())
        for name, text in whole.items():
            if times[short[name]] > 1:
                short[name] = _cut(text, length)
    return short


def common_beginning(names: Iterable[str]) -> str:
    """Return the words that all names begin with, up to a mark; nothing where a name is no longer.

    Examples
    --------
    >>> common_beginning(["TAG_ontology", "TAG_open_source"])
    'TAG_'
    >>> common_beginning(["sky", "sea"])
    ''
    """
    listed = sorted(names)
    if len(listed) < 2:
        return ""
    # All others are between the first and the last.
    letters = zip(listed[0], listed[-1], strict=False)
    shared = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], letters))
    end = max(shared.rfind(mark) for mark in "_- .:") + 1
    return shared[:end] if len(listed[0]) > end else ""


def _cut(text: str, longest: int) -> str:
    """Return a text without its middle where it is too long, between words where one ends near."""
    if len(text) <= longest:
        return text
    first = longest // 2
    head, tail = text[:first], text[first + 1 - longest :]
    for mark in "_- .":
        if mark in head[-_WORD:-1]:
            head = head[: head.rindex(mark)]
        if mark in tail[1:_WORD]:
            tail = tail[tail.index(mark) :]
    return f"{head.rstrip('_- .')}…{tail.lstrip('_- .')}"


def text_width(text: str, points: float) -> float:
    """Return the width of a text in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    with warnings.catch_warnings():
        # Whoever draws the picture is warned of a letter that the font lacks.
        warnings.simplefilter("ignore")
        font = FontProperties(size=points)
        measured, *_ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    return float(max(measured, wide * points)) / 72


def natural_order(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """Return a key that sorts numbers in names by their size, and before words."""
    words = re.findall(r"[0-9]+|[^0-9]+", name)
    key = [(False, int(word), "") if word[0] in digits else (True, 0, word) for word in words]
    return key, name
