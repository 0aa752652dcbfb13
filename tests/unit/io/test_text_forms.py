"""Text tables in every form that programs write: what is recognised, and what can be given."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import read_dataset
from h2pc.errors import DataWarning, FileFormatError, SettingError
from h2pc.io.csv import parse_csv
from h2pc.io.dialect import TextForm
from strategies import examples

NAMES = ("town", "depth", "wind")
ROWS = [("Nîmes", "1.5", "7"), ("Köln", "-0.25", "8"), ("Ålesund", "2.0", "7")]


def text(sep=",", end="\n", decimal=".", names=NAMES):
    lines = [sep.join(row).replace(".", decimal) for row in ([names, *ROWS] if names else ROWS)]
    return end.join(lines) + end


def parsed(content, **form):
    content = content if isinstance(content, bytes) else content.encode()
    return parse_csv(content, "text", TextForm(**form))


def table(content, **form):
    """The names and the rows of a text."""
    found = parsed(content, **form)
    return found.frame.columns, found.frame.rows()


def assert_is_the_coast(content, **form):
    found = parsed(content, **form)
    assert found.frame.columns == list(NAMES)
    rows = [tuple(cell.replace(",", found.decimal) for cell in row) for row in ROWS]
    assert [tuple(c.replace(found.decimal, ".") for c in row) for row in found.frame.rows()] == rows


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("sep", [",", ";", "\t", "|", " ", "    "])
def test_the_separator_is_recognised(sep, end):
    assert_is_the_coast(text(sep, end))


@pytest.mark.parametrize("sep", [";", "\t", "|", " "])
def test_the_decimal_comma_is_recognised_where_cells_are_not_separated_by_it(tmp_path, sep):
    assert_is_the_coast(text(sep, decimal=","))
    assert parsed(text(sep, decimal=",")).decimal == ","
    path = tmp_path / "coast.csv"
    path.write_text(text(sep, decimal=","))
    assert read_dataset(path, levels=2).states[0] == ("(-inf, 1.5]", "(1.5, inf)")


def test_marks_of_thousands_are_no_decimal_commas():
    assert parsed("a;b\n1,234;x\n2,500;y\n").decimal == "."
    assert parsed("a;b\n1,234;x\n2,5;y\n").decimal == ","
    assert parsed("a;b\n0,234;x\n0,500;y\n").decimal == ","
    assert parsed("a;b;c\n1,5;x;0.5\n2,5;y;1.5\n").decimal == "."


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_the_encoding_is_recognised(encoding):
    assert_is_the_coast(text().encode(encoding))


def test_big_endian_utf_16_with_a_mark_is_recognised():
    assert_is_the_coast(b"\xfe\xff" + text().encode("utf-16-be"))


def test_what_is_no_utf_8_is_read_as_windows_writes_it_with_a_notice(tmp_path):
    path = tmp_path / "coast.csv"
    path.write_bytes(text().encode("cp1252"))

    with pytest.warns(DataWarning, match=r"no UTF-8: read as cp1252; encoding='cp1250' reads"):
        data = read_dataset(path, levels=2)

    assert "Köln" in data.states[1]
    assert_is_the_coast(text().encode("cp1252"), encoding="cp1252")
    assert parsed(text().encode("cp1252"), encoding="cp1252").notices == ()


def test_an_encoding_that_is_given_counts():
    assert table(b"a,b\n\xb9,1\n", encoding="cp1250")[1] == [("ą", "1")]
    with pytest.raises(FileFormatError, match=r"text, line 2: expected text in utf-8"):
        parsed(b"a,b\n\xb1,1\n", encoding="utf-8")
    with pytest.raises(SettingError, match=r"encoding='klingon': expected the name of an encoding"):
        parsed(b"a,b\n1,2\n", encoding="klingon")


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("5.1,3.5,a\n4.9,3.0,b\n4.7,3.1,a\n", ["X0", "X1", "X2"]),
        ("yes,no\nyes,no\nno,no\nno,yes\n", ["X0", "X1"]),
        ("3\n1\n2\n", ["X0"]),
        ("0,1,2\n5,6,7\n8,9,1\n", ["0", "1", "2"]),  # pandas numbers the columns of arrays
        ("name,2001,2002\nx,1,2\ny,3,4\n", ["name", "2001", "2002"]),
        ("a,b\nx,y\nz,y\n", ["a", "b"]),
        ("x,y\n1,\n2,\n", ["x", "y"]),
    ],
)
def test_a_header_is_recognised_or_missed(content, names):
    assert parsed(content).frame.columns == names


def test_a_header_can_be_given_and_a_missing_one_is_noticed(tmp_path):
    content = "4,2\n3,4\n1,5\n"
    path = tmp_path / "a.csv"
    path.write_text(content)

    assert table(content, header=True) == (["4", "2"], [("3", "4"), ("1", "5")])
    assert table(text(), header=False)[1][0] == NAMES
    with pytest.warns(DataWarning, match=r"no line of names: the columns are called X0, …"):
        assert read_dataset(path).names == ("X0", "X1")
    assert read_dataset(path, header=False).names == ("X0", "X1")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("sep=;\na;b\n1;2\n3;4\n", (["a", "b"], [("1", "2"), ("3", "4")])),
        ("sep=,\r\na,b\r\n1,2\r\n", (["a", "b"], [("1", "2")])),
        ("# made by\n# tool, 2020\na,b\n1,2\n# end\n", (["a", "b"], [("1", "2")])),
        ("#,kind\n1,a\n2,b\n", (["#", "kind"], [("1", "a"), ("2", "b")])),
        ("##v1\n#chrom\tpos\n1\t10\n", (["chrom", "pos"], [("1", "10")])),
        ("# a b\n1.0 2.5\n3 4\n", (["a", "b"], [("1.0", "2.5"), ("3", "4")])),  # numpy.savetxt
        ("a,b,\n1,2,\n3,4,\n", (["a", "b"], [("1", "2"), ("3", "4")])),
        ("a,b\n1,2,\n3,4,\n", (["a", "b"], [("1", "2"), ("3", "4")])),
        ("a;b;;\n1;2;;\n", (["a", "b"], [("1", "2")])),
        ("a,b\r\n1,2\r\n\r\n\r\n", (["a", "b"], [("1", "2")])),
        ("\n\na,b\n1,2\n\x1a", (["a", "b"], [("1", "2")])),
        ('a,b\n"x\ny",1\n"z;w",2\n', (["a", "b"], [("x\ny", "1"), ("z;w", "2")])),
        ("a, b\n1, x\n2, ?\n", (["a", "b"], [("1", "x"), ("2", None)])),
        ("id,kinds\n1,a;b\n2,c;d\n", (["id", "kinds"], [("1", "a;b"), ("2", "c;d")])),
        ("full name\nJohn Smith\nAda Hall\n", (["full name"], [("John Smith",), ("Ada Hall",)])),
        ('"x" "y"\n"a" 5 2\n', (["column 1", "x", "y"], [("a", "5", "2")])),
        ('"","x"\n"1",5\n', (["column 1", "x"], [("1", "5")])),
    ],
    ids=[
        "sep line", "sep line crlf", "comments", "number sign", "vcf", "savetxt", "trailing",
        "trailing rows", "trailing two", "blank end", "dos end", "quoted newline", "spaces after",
        "lists", "one column", "R spaces", "R csv",
    ],
)  # fmt: skip
def test_what_programs_write_around_a_table_is_no_part_of_it(content, expected):
    assert table(content) == expected


@pytest.mark.parametrize(
    ("content", "form", "sentence"),
    [
        ("ab\n1;2\n3;4;5\n6;7\n", {}, "cells hold ';': expected the same number of cells"),
        ("ab\n1;2\n3;4;5\n6;7\n", {}, "sep=';' splits the rows there"),
        ("a;b\n1;2\n3;4\n", {"sep": ","}, "sep=';' splits the rows there"),
        ("# only\n# comments\n", {}, "expected the names of the columns"),
    ],
)
def test_a_single_column_with_separators_in_it_is_refused(content, form, sentence):
    with pytest.raises(FileFormatError) as error:
        parsed(content, **form)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"sep": "ab"}, "sep='ab': expected one character"),
        ({"sep": '"'}, "expected one character"),
        ({"decimal": ";"}, "decimal=';': expected '.' or ','"),
        ({"decimal": ",", "sep": ","}, "expected two different characters"),
    ],
)
def test_forms_that_make_no_sense_are_refused(form, sentence):
    with pytest.raises(SettingError) as error:
        TextForm(**form)
    assert sentence in str(error.value)


def test_separators_have_names():
    assert table("a\tb\n1\t2\n", sep="tab") == table("a\tb\n1\t2\n", sep="\t")
    assert table("a  b\n1 2\n", sep="space") == (["a", "b"], [("1", "2")])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a b", "c,d", "e;f", "g|h", 'say "i"', "plain"]),
            st.integers(-99, 99),
            st.floats(-9, 9).map(lambda x: round(x, 3)),
        ),
        min_size=2,
        max_size=30,
    ),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@examples(100)
def test_what_the_csv_module_writes_is_recognised(rows, sep, quoting, encoding):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=sep, quoting=quoting)
    writer.writerows([("word", "n", "x"), *rows])

    found = parsed(out.getvalue().encode(encoding))

    assert found.frame.columns == ["word", "n", "x"]
    assert found.frame.rows() == [tuple(map(str, row)) for row in rows]
