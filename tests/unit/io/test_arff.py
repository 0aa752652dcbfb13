"""ARFF tables and lists of labels: what is read, and what is refused, with the line."""

import bz2
import gzip
import lzma
import pickle
from textwrap import dedent
from time import perf_counter

import numpy as np
import pytest

from arff_columns import Nominal, column_of
from h2pc.data import Dataset
from h2pc.errors import FileFormatError
from h2pc.io import arff_grammar
from h2pc.io.arff import parse_arff, read_arff
from h2pc.io.label_xml import read_label_names
from h2pc.io.table_files import selected
from multilabel_folder import multilabel_file

DENSE = """\
@relation weather
@attribute wind numeric
@attribute sky {clear, grey}
@data
2.5, grey
?, clear
-1e3, ?
"""

SPARSE = """\
@relation 'Words: -C 2'
@attribute spam {0,1}
@attribute ham {0,1}
@attribute count numeric
@attribute tone {none,kind,rude}
@data
{0 1, 2 3.5, 3 rude}
{}
{1 1,3 kind}
{ 2 ? , 3 ? }
"""


def arff(attributes: str, rows: str, relation: str = "@relation r"):
    return parse_arff(f"{relation}\n{dedent(attributes)}\n@data\n{rows}\n")


def one_column(kind: str, *rows: str):
    return column_of(arff(f"@attribute x {kind}", "\n".join(rows)), "x")


# What is read


def test_a_dense_file_gives_numbers_and_codes_of_categories():
    table = parse_arff(DENSE)

    assert (table.names, table.labels) == (("wind", "sky"), ())
    assert table.categories == (None, ("clear", "grey"))
    assert not table.is_sparse
    np.testing.assert_array_equal(column_of(table, "wind"), [2.5, np.nan, -1000.0])
    assert column_of(table, "sky").codes.tolist() == [1, 0, -1]


def test_what_a_sparse_row_leaves_out_is_zero_or_the_first_category():
    table = parse_arff(SPARSE)

    assert table.is_sparse
    assert table.cells.nnz == 7
    assert column_of(table, "spam") == Nominal(pytest.approx([1, 0, 0, 0]), ("0", "1"))
    assert column_of(table, "tone").codes.tolist() == [2, 0, 1, -1]
    np.testing.assert_array_equal(column_of(table, "count"), [3.5, 0.0, 0.0, np.nan])
    assert repr(table) == "CodedTable(4 columns × 4 rows, sparse, 2 labels)"


def test_sparse_and_dense_rows_of_the_same_table_give_the_same_columns():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 3, (20, 5)) * rng.integers(0, 2, (20, 5))
    header = "\n".join(f"@attribute x{j} {{0,1,2}}" for j in range(5))
    dense = "\n".join(",".join(map(str, row)) for row in values)
    sparse = "\n".join(
        "{" + ",".join(f"{j} {v}" for j, v in enumerate(row) if v) + "}" for row in values
    )

    tables = [arff(header, rows) for rows in (dense, sparse)]

    for name in tables[0].names:
        np.testing.assert_array_equal(*(column_of(table, name).codes for table in tables))


def test_entries_of_a_sparse_row_come_in_any_order():
    table = arff("@attribute a numeric\n@attribute b numeric", "{1 2, 0 1}")

    assert [column_of(table, name)[0] for name in "ab"] == [1.0, 2.0]


def test_a_hundred_million_cells_stay_sparse():
    header = "\n".join(f"@attribute x{j} {{0,1}}" for j in range(10_000))
    table = arff(header, "\n".join(f"{{{i} 1}}" for i in range(10_000)))

    assert table.cells.shape == (10_000, 10_000)
    assert table.cells.nnz == 10_000
    assert column_of(table, "x77").codes.sum() == 1


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("plain", "plain"),
        ("don't", "don't"),
        ("'two words'", "two words"),
        ('"two words"', "two words"),
        (r"'it\'s'", "it's"),
        (r'"a \"b\" \\ \t"', 'a "b" \\ \t'),
        ("'50 % {a,b}'", "50 % {a,b}"),
        ("''", ""),
        ("größe", "größe"),
    ],
)
def test_names_may_be_quoted_and_escaped(declared, name):
    for kind in ("numeric", "{1,2}", "{1,2} % why"):
        assert arff(f"@attribute {declared} {kind}", "1").names == (name,)


def test_categories_may_be_quoted_and_escaped():
    column = one_column(
        r"""{'a b', "c,d" , it's, 'it\'s}', '?', ''}  % the end""",
        *("'a b'", '"c,d"', '"it\'s"', r"'it\'s}'", "'?'", "?", "''", "a b % said unquoted"),
    )

    assert column.categories == ("a b", "c,d", "it's", "it's}", "?", "")
    assert column.codes.tolist() == [0, 1, 2, 3, 4, -1, 5, 0]


def test_sparse_rows_may_be_quoted_and_commented():
    table = arff(
        "@attribute a {x, 'y z'}\n@attribute b {0, '}', ','}",
        "{0 'y z', 1 '}'} % odd\n{ 1 \",\" }\n{ } % nothing\n{0 y z}",
    )

    assert column_of(table, "a").codes.tolist() == [1, 0, 0, 1]
    assert column_of(table, "b").codes.tolist() == [1, 2, 0, 0]


def test_keywords_and_types_in_any_case_comments_and_blank_lines_anywhere():
    table = parse_arff(
        "\ufeff% first\r\n\r\n@RELATION r % why\r\n  @Attribute a REAL % how\r\n% x\r\n"
        "@ATTRIBUTE\tb\tInteger\r\n@attribute c{u,v}\r\n@Data % now\r\n\r\n"
        "  1 ,\t2, v % one\r\n% none\r\n".lstrip("\ufeff")
    )

    assert table.names == ("a", "b", "c")
    assert table.cells.tolist() == [[1.0, 2.0, 1.0]]


def test_a_row_without_commas_is_split_at_spaces_and_tabs():
    assert arff("@attribute a numeric\n@attribute b numeric", "1\t 2").cells.tolist() == [[1, 2]]


def test_strings_are_categories_in_the_order_of_their_first_row():
    column = one_column("string", "b", "'a c'", "b", "?", "'?'")

    assert column.categories == ("b", "a c", "?")
    assert column.codes.tolist() == [0, 1, 0, -1, 2]


def test_a_string_that_a_sparse_row_leaves_out_is_empty():
    column = one_column("string", "{0 a}", "{}")

    assert (column.categories, column.codes.tolist()) == (("", "a"), [1, 0])


@pytest.mark.parametrize("text", ["0", "-0.5", "+.5", "1.", "1E-3", " 7 ", "'8'"])
def test_numbers_are_those_of_the_format(text):
    assert one_column("numeric", text)[0] == float(text.strip(" '"))


def test_no_table_can_be_written_to():
    for table in map(parse_arff, (DENSE, SPARSE)):
        with pytest.raises(ValueError, match="read-only"):
            (table.cells.data if table.is_sparse else table.cells)[0] = 7


def test_a_table_survives_a_pickle():
    table = pickle.loads(pickle.dumps(parse_arff(SPARSE)))

    assert table.labels == ("spam", "ham")
    assert column_of(table, "tone").codes.tolist() == [2, 0, 1, -1]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files_are_recognised_by_their_content(tmp_path, pack):
    path = tmp_path / "table.arff"
    path.write_bytes(pack(b"\xef\xbb\xbf" + DENSE.encode()))

    assert read_arff(path).n_rows == 3


def test_several_streams_one_after_the_other_are_one_file(tmp_path):
    path = tmp_path / "table.arff.gz"
    path.write_bytes(gzip.compress(DENSE[:50].encode()) + gzip.compress(DENSE[50:].encode()))

    assert read_arff(path).n_rows == 3


# Labels


@pytest.mark.parametrize(
    ("relation", "labels"),
    [
        ("'Slashdot: -C 2 -split-number 1891' %50", "ab"),
        ("'Data: -split-number 7 -C -2'", "cd"),
        ("Data: -C 1", "a"),
        ("'Data: -c 1-weka.filters.unsupervised.instance.NonSparseToSparse'", "a"),
        ("'Data: -C 0'", ""),
        ("Data", ""),
        ("'Data -C 2'", ""),
        ("'Data: -C last'", ""),
        # The filter has moved the columns: nobody knows where to.
        ("'M: -C 2 -I 0-weka.filters.unsupervised.attribute.Remove-R1-2'", ""),
    ],
)
def test_labels_are_known_from_the_option_of_meka(relation, labels):
    header = "\n".join(f"@attribute {name} {{0,1}}" for name in "abcd")

    table = arff(header, "0,1,0,1", f"@relation {relation}")

    assert table.labels == tuple(labels)


def test_more_labels_than_attributes_are_refused():
    with pytest.raises(FileFormatError, match="-C 3: expected at most 1"):
        arff("@attribute a {0,1}", "1", "@relation 'r: -C 3'")


def test_labels_of_an_xml_file_win_over_the_option(tmp_path):
    (tmp_path / "t.arff").write_text(SPARSE)
    (tmp_path / "t.xml").write_text('<labels><label name="tone"/></labels>')

    assert read_arff(tmp_path / "t.arff", label_xml=tmp_path / "t.xml").labels == ("tone",)


def test_an_unknown_label_is_refused(tmp_path):
    (tmp_path / "t.arff").write_text(SPARSE)
    (tmp_path / "t.xml").write_text('<labels><label name="eggs"/></labels>')

    with pytest.raises(FileFormatError, match=r"t.xml: label 'eggs': expected an attribute"):
        read_arff(tmp_path / "t.arff", label_xml=tmp_path / "t.xml")


def labels_of(tmp_path, text):
    path = tmp_path / "labels.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_label_names(path)


def test_labels_of_mulan_files_may_be_nested_and_escaped(tmp_path):
    text = """<?xml version="1.0" encoding="utf-8"?>
    <labels xmlns="http://mulan.sourceforge.net/labels"> <!-- all of them -->
    <label name="a &amp; b"></label>
    <label name="größe"><label name="größe.x"/></label>
    </labels>"""

    assert labels_of(tmp_path, text) == ("a & b", "größe", "größe.x")


def test_other_encodings_of_xml_are_read(tmp_path):
    text = '<?xml version="1.0" encoding="iso-8859-1"?><labels><label name="ä"/></labels>'

    assert labels_of(tmp_path, text.encode("latin-1")) == ("ä",)


BOMB = """<?xml version="1.0"?>
<!DOCTYPE labels [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<labels><label name="&b;"/></labels>"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "line 2: a document type or an entity: expected plain elements"),
        (BOMB.encode("utf-16"), "line 2: a document type"),
        ('<!DOCTYPE labels SYSTEM "http://localhost/x.dtd"><labels/>', "line 1: a document type"),
        ("<labels>\n<label name='&b;'/></labels>", "line 2: expected well-formed XML: undefined"),
        ("<labels>\n<label name='a'/>", "line 2: expected well-formed XML: no element found"),
        ("", "expected well-formed XML"),
        ("<labels/>", "expected at least one <label name=…>"),
        ("<label name='a'/>", "element <label>: expected <labels>"),
        ("<labels>\n<tag name='a'/></labels>", "line 2: element <tag>: expected <label>"),
        ("<labels><label/></labels>", "expected <label name=…>"),
        ("<labels>\n<label name='a'/>\n<label name='a'/></labels>", "line 3: label 'a' occurs"),
        ("<labels>oops</labels>", "text 'oops': expected elements only"),
        ("<?xml version='1.0' encoding='klingon'?><labels/>", "expected well-formed XML"),
        ("<?xml version='1.0' encoding='utf-7'?><labels/>", "expected well-formed XML"),
        (b"<labels>\xff</labels>", "expected well-formed XML"),
    ],
)
def test_other_xml_is_refused(tmp_path, text, message):
    with pytest.raises(FileFormatError) as caught:
        labels_of(tmp_path, text)

    assert message in str(caught.value)
    assert "labels.xml, line" in str(caught.value)


def test_a_list_of_labels_is_of_bounded_size(tmp_path):
    with pytest.raises(FileFormatError, match="more than 16,777,216 bytes"):
        labels_of(tmp_path, gzip.compress(b"<labels>" + b" " * (1 << 24)))


# What is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 0: the end of the text: expected @data"),
        ("@relation r\n", "line 1: the end of the text: expected @data"),
        ("@relation r\n@data\n1\n", "line 2: @data: expected an @attribute before"),
        ("@relation r\n@attribute a numeric\n@data\n", "line 3: the end of the text: expected at"),
        ("hello\n", "line 1: 'hello': expected @relation, @attribute or @data"),
        ("@inputs a\n", "line 1: '@inputs a': expected @relation, @attribute or @data"),
        ("@relation r\n@relation r\n", "line 2: @relation: expected once"),
        ("@relation 'r' x\n", "line 1: 'x': expected the end of the line"),
        ("@attribute\n", "line 1: the end of the line: expected the name of an attribute"),
        ("@attribute a\n", "line 1: the end of the line: expected numeric, string or {categories}"),
        ("@attribute 'a numeric\n", "expected the name of an attribute"),
        ("@attribute a date 'yyyy'\n", "\"date 'yyyy'\": expected numeric, string or {categories}"),
        ("@attribute a {}\n", "expected a value"),
        ("@attribute a {x,,y}\n", "expected a value"),
        ("@attribute a {'x',,y}\n", "',y}': expected a value"),
        ("@attribute a {x, y\n", "the end of the line: expected } after the categories"),
        ("@attribute a {x, y} z\n", "'z': expected the end of the line"),
        ("@attribute a {x, y, x}\n", "category 'x' occurs twice"),
        ("@attribute a real\n@attribute a real\n", "line 2: attribute 'a' occurs twice"),
        ("@attribute a real\n@data 1\n", "line 2: '1': expected the end of the line"),
    ],
)
def test_broken_declarations_are_refused_with_the_line(text, message):
    with pytest.raises(FileFormatError) as caught:
        parse_arff(text, name="some.arff")

    assert str(caught.value).startswith("some.arff, line ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1", "a row of 1 values: expected 2, one per attribute"),
        ("1, x, 2", "a row of 3 values: expected 2"),
        ("1, z", "value 'z' of 'b': expected one of its categories, or ?"),
        ("1, ", "value '' of 'b': expected one of its categories"),
        ("one, x", "value 'one' of 'a': expected a number, or ?"),
        ("nan, x", "value 'nan' of 'a': expected a number"),
        ("1e999, x", "value '1e999' of 'a': expected a number"),
        ("1_0, x", "value '1_0' of 'a': expected a number"),
        ("٣, x", "value '٣' of 'a': expected a number"),
        ("9" * 99 + "x, x", "value '" + "9" * 40 + "'… of 'a': expected a number"),
        ("1, 'x", '"\'x": expected a value'),
        ("'1', x, ", "the end of the line: expected a value"),
        ("'1', x y", "value 'x y' of 'b'"),
        ("'1', 'x' y", "'y': expected the end of the line"),
        ("1, x {2}", "'{2}': expected the end of the line"),
        ("1, \0", "a NUL character: expected text"),
        ("{0 1}", "a sparse row: expected a dense one, like the first"),
    ],
)
def test_broken_dense_rows_are_refused_with_the_line(row, message):
    with pytest.raises(FileFormatError) as caught:
        arff("@attribute a numeric\n@attribute b {x, y}", f"1,x\n% no\n{row}")

    assert str(caught.value).startswith("ARFF, line 7: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{0 1, 1 x", "the end of the line: expected a comma or the } of the row"),
        ("{0 1,", "the end of the line: expected a column number and a value"),
        ("{", "the end of the line: expected a column number and a value"),
        ("{0 1 1 x}", "value '1 1 x' of 'a': expected a number"),
        ("{0,1}", "'0,1}': expected a column number and a value"),
        ("{0 1,,1 x}", "',1 x}': expected a column number and a value"),
        ("{0 1, 1}", "'1}': expected a column number and a value"),
        ("{0 1,}", "'}': expected a column number and a value"),
        ("{2 1}", "column number '2': expected 0 to 1"),
        ("{-1 1}", "column number '-1': expected 0 to 1"),
        ("{0 1, 0 2}", "a column occurs twice in the row"),
        ("{0 x}", "value 'x' of 'a': expected a number, or ?"),
        ("{0 1, 1 1}", "value '1' of 'b': expected one of its categories"),
        ("{0 1} 2", "'2': expected the end of the line"),
        ("1, x", "a dense row: expected a sparse one {…}, like the first"),
    ],
)
def test_broken_sparse_rows_are_refused_with_the_line(row, message):
    with pytest.raises(FileFormatError) as caught:
        arff("@attribute a numeric\n@attribute b {x, y}", f"{{0 1}}\n{row}")

    assert str(caught.value).startswith("ARFF, line 6: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_compressed_file_cut_short_or_damaged_is_refused(tmp_path, pack):
    path = tmp_path / "table.arff"
    packed = pack(SPARSE.encode() * 100)
    for broken in (packed[:-9], packed + b"more", packed[:20] + b"\xff" * 9 + packed[29:]):
        path.write_bytes(broken)

        with pytest.raises(FileFormatError, match="file is damaged"):
            read_arff(path)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_text_that_is_too_long_is_refused(tmp_path, pack):
    path = tmp_path / "table.arff"
    path.write_bytes(pack(DENSE.encode() + b"\n" * 1_000_000))

    with pytest.raises(FileFormatError, match="more than 1,000,000 bytes"):
        read_arff(path, max_bytes=1_000_000)


def test_text_that_is_not_utf_8_is_refused_with_the_line(tmp_path):
    path = tmp_path / "table.arff"
    path.write_bytes(DENSE.encode().replace(b"grey", b"gr\xe9y"))

    with pytest.raises(FileFormatError, match=r"table.arff, line 3: expected UTF-8"):
        read_arff(path)


# The data sets of the paper; see also the tests of read_multilabel


def test_the_first_attribute_of_genbase_is_an_identifier():
    table = read_arff(multilabel_file("genbase", ".arff.gz"))

    codes, categories = column_of(table, "protein")
    assert len(set(codes.tolist())) == len(categories) == table.n_rows


def test_slashdot_knows_its_labels_and_two_of_them_never_occur():
    table = read_arff(multilabel_file("slashdot", ".arff.gz"))

    assert table.labels == table.names[:22]
    empty = [label for label in table.labels if not column_of(table, label).codes.any()]
    assert empty == ["Main", "Meta"]


def test_the_dense_and_the_sparse_file_of_corel5k_are_the_same_table():
    dense = read_arff(multilabel_file("corel5k", ".arff.gz"))
    sparse = read_arff(multilabel_file("corel5k", "-sparse.arff.gz"))

    assert (dense.names, dense.categories) == (sparse.names, sparse.categories)
    np.testing.assert_array_equal(dense.cells, sparse.cells.toarray())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["enron", "bibtex"])
def test_text_data_are_read_in_about_a_second(name):
    path = multilabel_file(name, ".arff.gz")
    start = perf_counter()

    read_arff(path)

    assert perf_counter() - start < 5.0  # well under one on an idle machine


def test_a_table_of_categories_becomes_a_data_set():
    table = parse_arff(SPARSE.replace("{ 2 ? , 3 ? }", "{3 rude}"))
    names = ("spam", "ham", "tone")
    data = Dataset.from_data(selected(table, names))

    assert data.columns == names
    assert data.states == (("0", "1"), ("0", "1"), ("none", "kind", "rude"))
    assert data.codes.tolist() == [[0, 0, 1, 0], [1, 0, 0, 0], [2, 0, 1, 2]]


@pytest.mark.parametrize(
    ("text", "name"),
    [(" weather", "weather"), (" 'two words' % more", "two words"), (' "a \\"b\\"" ', 'a "b"')],
)
def test_the_name_of_a_relation_is_quoted_or_ends_at_a_comment(text, name):
    assert arff_grammar.relation(text) == name
