"""CSV as strings: quotes, ends of lines, missing cells; which columns are numbers."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.errors import FileFormatError
from h2pc.io.csv import number, parse_csv
from h2pc.io.dialect import MISSING, TextForm
from h2pc.io.table_files import csv_table
from strategies import examples


def rows_of(text: str, separator: str = ",") -> list[tuple[str | None, ...]]:
    return parse_csv(text.encode(), "text", TextForm(separator, header=True)).frame.rows()


def type_of(*cells: str) -> type | None:
    table = csv_table("x\n{}\n".format("\n".join(cells)).encode(), "text")
    states = table.column(0).states if table.numbers(0) is None or len(cells) < 3 else (0,)
    return type(states[0]) if states else None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "end", "end end"])
def test_lines_end_in_any_way_and_empty_ones_are_no_rows(end, last):
    text = f"a,b{end}1,x{end}{end}2,y" + last.replace("end ", end).replace("end", end)

    assert rows_of(text) == [("1", "x"), ("2", "y")]


def test_quotes_hold_separators_quotes_and_ends_of_lines():
    text = 'a,b\n"x,1","say ""y"""\n"l\nm","c\rd"\n5" pipe,"6"\n'

    assert rows_of(text) == [("x,1", 'say "y"'), ("l\nm", "c\rd"), ('5" pipe', "6")]


@pytest.mark.parametrize("quote", ["{}", '"{}"'])
@pytest.mark.parametrize("cell", MISSING)
def test_missing_cells_are_null_in_quotes_or_not(cell, quote):
    assert rows_of(f"a,b\n1,{quote.format(cell)}\n") == [("1", None)]


@given(
    st.lists(
        st.lists(
            st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=2, max_size=2
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(",\t;"),
)
@examples(100)
def test_cells_come_back_as_the_csv_module_writes_them(rows, quoting, separator):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator="\r\n").writerows(rows)

    found = rows_of(f"a{separator}b\n" + out.getvalue(), separator)

    assert found == [tuple(None if cell in MISSING else cell for cell in row) for row in rows]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2"], int),
        (["1.0", "2e3"], int),
        ([" 1", "2 "], int),
        (["1", "None"], int),
        (["1", "x"], str),
        (["1", "inf"], str),
        (["1", "1_0"], str),
        (["1", "NAN"], str),
        (["x", "None"], str),
        (["None"], None),
    ],
)
def test_a_column_is_one_of_numbers_if_all_its_cells_are(cells, kind):
    assert type_of(*cells) == kind


def test_none_is_a_word_among_words_and_missing_among_numbers():
    table = csv_table(b"a,b\nNone,None\nx,1\n", "text")

    assert table.column(0).states == ("None", "x")
    np.testing.assert_array_equal(table.numbers(1), [np.nan, 1.0])


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**20), 10**20))
def test_numbers_are_read_to_the_last_bit(value):
    table = csv_table(f"x\n{value!r}\n".encode(), "text")

    assert table.numbers(0).tolist() == [float(value)]


@given(st.text("0123456789+-.eE_ infa", max_size=8))
@examples(300)
def test_polars_and_python_agree_on_what_is_a_number(text):
    try:
        expected = number(text)
    except ValueError:
        expected = None
    if text in MISSING:
        return

    found = csv_table(f"x,y\n{text},1\n".encode(), "text").numbers(0)

    assert (None if found is None else found.tolist()[0]) == expected


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "text, line 1: an empty line: expected the names of the columns"),
        (b"a,b\n", "text, line 1: the end of the text: expected at least one row"),
        (b"a,a\n1,2\n", "text, line 1: column name 'a' occurs more than once"),
        (b"a,b\n1,2\n1\n", "text, line 3: a row of 1 values: expected 2, one per column"),
        (b"a,b\n1,2,3\n1\n", "text, line 2: a row of 3 values: expected 2, one per column"),
        (b'a,b\n1,2\n"1,2\n', "text, line 3: unexpected end of data"),
        ("a,b\n1,é\n2,à\n".encode() + b"3,\xff\n", "text, line 4: expected UTF-8 text"),
        (b"a,b\n1,\xff\x01\n", "text, line 2: the control character 0x01: expected text"),
        (b"a,b\n1,\0\n", "text, line 2: the control character 0x00: expected text"),
    ],
)
def test_what_is_no_table_is_refused_with_the_line(content, sentence):
    with pytest.raises(FileFormatError) as told:
        parse_csv(content, "text")
    assert str(told.value).startswith(sentence)
