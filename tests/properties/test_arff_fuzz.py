"""Laws of ARFF files: what is written comes back, and damage is refused in one way only."""

import gzip
import lzma
import random
from contextlib import suppress

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arff_columns import Nominal, column_of
from h2pc.errors import FileFormatError
from h2pc.io.arff import parse_arff, read_arff
from h2pc.io.coded_table import CodedTable
from h2pc.io.label_xml import read_label_names

HEADER = """\
% a file
@relation 'Some words: -C 2 -split-number 3' %50
@attribute sea {0,1}
@attribute 'the sky' {'not blue', "bl\\'ue", '?'}
@attribute depth numeric
@attribute note string % free
@data
"""
DENSE = HEADER + "1, 'not blue', 2.5, \"some, thing\"\n0,?,?,?\n\n1,'?',-1e-3,x % end\n"
SPARSE = HEADER + "{0 1, 1 'not blue', 2 2.5, 3 \"some, thing\"}\n{ }\n{2 ?,1 '?'} % end\n"
XML = """<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="sea"></label><!-- and -->
<label name="the &lt; sky"><label name="b"/></label>
</labels>
"""
TOKENS = [
    *"{}%,'\"\\?@ \t\r\n\0\x1c\u2028é-+._e0123",
    *("@data\n", "@attribute", "@attribute x {", "@relation", "numeric", "string", "date", "-C 9"),
    *("nan", "inf", "1e999", "9" * 30, "9" * 5000, "1_0", "''", "{}", "{0 1}", "{0 1", "0 1,"),
]
XML_TOKENS = [
    *"<>&;'\"/=! \n\0é",
    *("<labels>", "</label>", "<label name='x'>", "<!DOCTYPE labels [", "<!ENTITY a 'b'>", "]>"),
    *("<![CDATA[", "]]>", "&#0;", "&#x10ffff;", "&amp;", "&a;", "<?x y?>", "encoding='utf-16'"),
]
WORDS = st.text(st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"]), max_size=6)


def damaged(text: str, tokens: list[str], seed: int) -> str:
    """The text with a few tokens put in, and a few pieces cut out, doubled or swapped."""
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 4)):
        i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        if rng.random() < 0.5:
            j = min(j, i + 3)
        text = rng.choice(
            [
                text[:i] + rng.choice(tokens) + text[i:],
                text[:i] + rng.choice(tokens) + text[j:],
                text[:i] + text[j:],
                text[:j] + text[i:],
                text[:i],
            ]
        )
    return text


def outcome(read, source):
    """What was read, or the words of the refusal; any other error is a bug."""
    try:
        return read(source), ""
    except FileFormatError as error:
        return None, str(error)


def check(table: CodedTable) -> None:
    assert table.cells.shape == (table.n_rows, len(table.names))
    assert set(table.labels) <= set(table.names)
    for name in table.names:
        column = column_of(table, name)
        if isinstance(column, Nominal):
            assert -1 <= column.codes.min() <= column.codes.max() < len(column.categories)
        else:
            assert not np.isinf(column).any()


@given(st.sampled_from([DENSE, SPARSE]), st.integers(0, 2**32))
@settings(max_examples=500)
def test_damaged_files_are_read_or_refused_with_the_line(text, seed):
    table, refusal = outcome(parse_arff, damaged(text, TOKENS, seed))

    if table is not None:
        check(table)
    else:
        assert refusal.startswith("ARFF, line ")
        assert "expected" in refusal


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for start in ("", HEADER, HEADER + "{", HEADER + "1,"):
        with suppress(FileFormatError):
            check(parse_arff(start + text))


@given(st.sampled_from([bytes, gzip.compress, lzma.compress]), st.integers(0, 2**32))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_bytes_are_read_or_refused(tmp_path, pack, seed):
    rng = random.Random(seed)
    content = bytearray(pack(SPARSE.encode()))
    for _ in range(rng.randint(1, 3)):
        content[rng.randrange(len(content))] = rng.randrange(256)
    path = tmp_path / "damaged.arff"
    path.write_bytes(content[: rng.randint(0, 2 * len(content))])

    with suppress(FileFormatError):
        check(read_arff(path))


@given(st.integers(0, 2**32))
@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_lists_of_labels_are_read_or_refused_with_the_line(tmp_path, seed):
    path = tmp_path / "labels.xml"
    path.write_text(damaged(XML, XML_TOKENS, seed))

    names, refusal = outcome(read_label_names, path)

    if names is not None:
        assert len(set(names)) == len(names) > 0
    else:
        assert "labels.xml, line " in refusal
        assert "expected" in refusal


@given(st.data())
def test_what_is_written_comes_back(data):
    names = data.draw(st.lists(WORDS, min_size=1, max_size=4, unique=True))
    categories = [
        data.draw(st.none() | st.lists(WORDS, min_size=1, max_size=4, unique=True)) for _ in names
    ]
    cells = [
        st.none() | (st.floats(allow_nan=False, allow_infinity=False) if c is None else codes(c))
        for c in categories
    ]
    rows = data.draw(st.lists(st.tuples(*cells), min_size=1, max_size=4))
    text = written(names, categories, rows, sparse=data.draw(st.booleans()))

    table = parse_arff(text)

    assert table.names == tuple(names)
    for j, name in enumerate(names):
        column = column_of(table, name)
        if categories[j] is None:
            np.testing.assert_array_equal(column, [row[j] for row in map(with_nan, rows)])
        else:
            assert column.categories == tuple(categories[j])
            assert column.codes.tolist() == [-1 if row[j] is None else row[j] for row in rows]


def codes(categories):
    return st.integers(0, len(categories) - 1)


def with_nan(row):
    return [np.nan if cell is None else cell for cell in row]


def quoted(word: str) -> str:
    for character in "\\'\"%":
        word = word.replace(character, "\\" + character)
    return f"'{word}'"


def written(names, categories, rows, *, sparse: bool) -> str:
    lines = ["@relation r"]
    for name, known in zip(names, categories, strict=True):
        kind = "numeric" if known is None else "{" + ",".join(map(quoted, known)) + "}"
        lines.append(f"@attribute {quoted(name)} {kind}")
    lines.append("@data")
    for row in rows:
        texts = [
            "?" if cell is None else repr(cell) if known is None else quoted(known[cell])
            for cell, known in zip(row, categories, strict=True)
        ]
        if sparse:
            kept = (f"{j} {text}" for j, text in enumerate(texts) if row[j] != 0)
            lines.append("{" + ", ".join(kept) + "}")
        else:
            lines.append(", ".join(texts))
    return "\n".join(lines)
