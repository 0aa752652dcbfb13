"""Multi-label data from ARFF, CSV and Parquet files, and the ten data sets of the paper."""

import bz2
import gzip
import lzma

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from h2pc.errors import DataError, H2pcError
from h2pc.io import coded_table
from h2pc.multilabel.data_files import read_multilabel
from multilabel_folder import FOLDER, PAPER, multilabel_file

ARFF = """\
% some coast
@relation 'Coast: -C 2' % a comment
@attribute sea {0,1}
@attribute 'the sky' {false, true}
@attribute depth numeric
@attribute ground {sand, rock}
@attribute grade {1, 2, 4}
@data
1, true, 2.5, rock, 4
0, false, ?, sand, ? % nothing
"""
SPARSE = ARFF.partition("@data")[0] + "@data\n{0 1, 1 true, 2 2.5, 3 rock, 4 4}\n{ }\n"
XML = '<labels><label name="the sky"/><label name="sea"/></labels>'
CSV = 'depth,ground,"the, sky",sea\n2.5,sand,1,TRUE\n,rock,0,false\n\n-1e3,sand,0,false\n'


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(path, *arguments, **settings) -> str:
    with pytest.raises(H2pcError) as caught:
        read_multilabel(path, *arguments, **settings)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ARFF


def test_the_option_of_meka_tells_labels_from_features(tmp_path):
    data = read_multilabel(written(tmp_path, "coast.arff", ARFF))

    assert data.name == "coast"
    assert data.label_names == ("sea", "the sky")
    assert data.feature_names == ("depth", "ground", "grade")
    assert data.Y.tolist() == [[1, 1], [0, 0]]


def test_words_are_coded_and_categories_that_are_numbers_are_numbers(tmp_path):
    data = read_multilabel(written(tmp_path, "coast.arff", ARFF))

    np.testing.assert_array_equal(data.X, [[2.5, 1.0, 4.0], [np.nan, 0.0, np.nan]])
    assert data.categories == {"ground": ("sand", "rock")}


def test_a_sparse_file_stays_sparse_and_what_it_leaves_out_stays_zero(tmp_path):
    data = read_multilabel(written(tmp_path, "coast.arff", SPARSE))

    assert data.is_sparse
    assert data.Y.tolist() == [[1, 1], [0, 0]]
    # The first of the grades is 1, not 0: its codes stay codes.
    assert data.X.toarray().tolist() == [[2.5, 1.0, 2.0], [0.0, 0.0, 0.0]]
    assert data.categories == {"ground": ("sand", "rock"), "grade": ("1", "2", "4")}


def test_categories_of_sparse_files_that_begin_with_zero_are_numbers(tmp_path):
    text = (
        "@relation 'r: -C 1'\n@attribute y {0,1}\n@attribute x {0,5,7}\n@data\n{1 7}\n{0 1,1 ?}\n"
    )

    data = read_multilabel(written(tmp_path, "r.arff", text))

    np.testing.assert_array_equal(data.X.toarray(), [[7.0], [np.nan]])


def test_an_xml_file_beside_tells_the_labels_and_their_order(tmp_path):
    path = written(tmp_path, "coast.arff.gz", gzip.compress(ARFF.encode()))
    written(tmp_path, "coast.xml", XML)

    assert read_multilabel(path).label_names == ("the sky", "sea")
    assert read_multilabel(path, ["sea"]).label_names == ("sea",)


def test_an_xml_file_elsewhere_may_be_named(tmp_path):
    path = written(tmp_path, "coast.arff", ARFF)
    xml = written(tmp_path, "labels.xml", XML)

    assert read_multilabel(path, label_xml=xml).label_names == ("the sky", "sea")


@pytest.mark.parametrize(
    ("packing", "pack"),
    [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
@pytest.mark.parametrize(("kind", "text"), [("arff", ARFF), ("csv", CSV)])
def test_files_may_be_compressed(tmp_path, kind, text, packing, pack):
    path = written(tmp_path, f"coast.{kind}{packing}", pack(text.encode()))

    data = read_multilabel(path, ["sea"])

    assert (data.name, data.Y[:2].tolist()) == ("coast", [[1], [0]])


def test_columns_may_be_dropped(tmp_path):
    path = written(tmp_path, "coast.arff", ARFF)

    assert read_multilabel(path, drop=["ground"]).feature_names == ("depth", "grade")
    assert "unknown column 'soil': expected one of 'sea'" in refusal(path, drop=["soil"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ARFF.replace("{0,1}", "{0,1,2}").replace("0, false", "2, false"), "holds the value '2'"),
        (ARFF.replace("{0,1}", "numeric").replace("0, false", "3, false"), "holds the value 3.0"),
        (ARFF.replace("0, false", "?, false"), "holds the value '?', in row 1: expected 0 or 1"),
        (SPARSE.replace("{0,1}", "{dry,wet}").replace("{0 1", "{0 wet"), "holds the value 'wet'"),
    ],
)
def test_labels_that_are_not_zero_or_one_are_refused(tmp_path, text, message):
    said = refusal(written(tmp_path, "coast.arff", text))

    assert "label 'sea'" in said
    assert message in said


def test_labels_may_be_words_for_no_and_yes(tmp_path):
    words = SPARSE.replace("{0,1}", "{no,yes}").replace("{0 1", "{0 yes")
    assert "yes" in words.partition("@data")[2]

    data = read_multilabel(written(tmp_path, "words.arff", words))

    numbers = read_multilabel(written(tmp_path, "coast.arff", SPARSE))
    assert data.Y.tolist() == numbers.Y.tolist()


def test_labels_that_nobody_knows_are_refused(tmp_path):
    path = written(tmp_path, "coast.arff", ARFF.replace(": -C 2", ""))

    assert "unknown label 'sand': expected one of the 5 columns" in refusal(path, ["sea", "sand"])
    assert "unknown labels: expected their names, or an XML file" in refusal(path)
    assert "unknown labels" in refusal(path, [])
    assert "labels is the string 'sea': expected a list of names" in refusal(path, "sea")
    both = refusal(path, ["sea"], label_xml=written(tmp_path, "coast.xml", XML))
    assert "label_xml came with coast.arff: expected an ARFF file, and no labels" in both


@pytest.mark.parametrize("text", [ARFF, SPARSE])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.7, 0.8, 0.93])
def test_an_arff_file_cut_in_the_middle_is_refused(tmp_path, text, share):
    end = round(share * len(text))

    said = refusal(written(tmp_path, "coast.arff", text[:end]))

    assert "coast.arff, line " in said
    assert "expected" in said


def test_a_compressed_file_cut_in_the_middle_is_refused(tmp_path):
    packed = gzip.compress(ARFF.encode())

    said = refusal(written(tmp_path, "coast.arff.gz", packed[: len(packed) // 2]))

    assert "the gzip file is damaged: it ends too early" in said


def test_an_xml_bomb_is_refused(tmp_path):
    lol = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    bomb = f'<!DOCTYPE labels [<!ENTITY l0 "lol">{lol}]><labels><label name="&l9;"/></labels>'
    path = written(tmp_path, "coast.arff", ARFF)
    written(tmp_path, "coast.xml", bomb)

    assert "coast.xml, line 1: a document type or an entity: expected plain" in refusal(path)


def test_texts_that_are_too_long_are_refused(tmp_path):
    for name, text in (("coast.arff", ARFF), ("coast.csv", CSV)):
        path = written(tmp_path, name, gzip.compress(text.encode() + b"\n" * 1000))

        assert "more than 1,000 bytes" in refusal(path, ["sea"], max_bytes=1000)


def test_other_kinds_of_files_are_refused(tmp_path):
    path = written(tmp_path, "coast.doc", b"PK")

    assert "coast.doc: unknown kind of table: expected a name that ends in" in refusal(
        path, ["sea"]
    )


# CSV


def test_a_csv_file_is_read_by_the_names_of_its_columns(tmp_path):
    data = read_multilabel(written(tmp_path, "coast.csv", CSV), ["the, sky", "sea"])

    assert data.feature_names == ("depth", "ground")
    assert data.categories == {"ground": ("rock", "sand")}
    np.testing.assert_array_equal(data.X, [[2.5, 1], [np.nan, 0], [-1000, 1]])
    assert data.Y.tolist() == [[1, 1], [0, 0], [0, 0]]


def test_one_word_makes_a_column_of_words(tmp_path):
    path = written(tmp_path, "t.csv", "x,y\n10,0\n9,1\n?,0\nmany,1\n1_0,1\ninf,1\n")

    data = read_multilabel(path, ["y"])

    assert data.categories == {"x": ("10", "1_0", "9", "inf", "many")}
    np.testing.assert_array_equal(data.X[:, 0], [0, 2, np.nan, 4, 1, 3])


@pytest.mark.parametrize("n_rows", [1, 300])
def test_pandas_reads_the_same_numbers(tmp_path, n_rows):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n_rows, 5)), columns=list("abcde"))
    frame["y"] = rng.integers(0, 2, n_rows)
    frame.to_csv(tmp_path / "t.csv", index=False)

    data = read_multilabel(tmp_path / "t.csv", ["y"])

    np.testing.assert_array_equal(data.X, frame[list("abcde")])
    np.testing.assert_array_equal(data.Y[:, 0], frame["y"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv, line 1: an empty line: expected the names of the columns"),
        ("\n1,2\n", "t.csv, line 2: the end of the text: expected at least one row"),
        ("x,y\n", "t.csv, line 1: the end of the text: expected at least one row"),
        ("x,y\n1,0\n1\n", "t.csv, line 3: a row of 1 values: expected 2, one per column"),
        ("x,y\n1,0\n\n1,0,\n", "t.csv, line 4: a row of 3 values: expected 2, one per column"),
        ('x,y\n"a\nb",0\n1\n', "t.csv, line 4: a row of 1 values"),
        ("x,y,x\n1,0,1\n", "t.csv, line 1: column name 'x' occurs more than once"),
        ('x,y\n"1,0\n', "t.csv, line 2: unexpected end of data"),
        ("x,y\n1,2\n", "label 'y' holds the value 2.0, in row 0: expected 0 or 1"),
        ("x,y\n1,\n", "label 'y' holds the value nan, in row 0: expected 0 or 1"),
        ("x,z\n1,0\n", "unknown label 'y': expected one of the 2 columns"),
        ("y\n1\n", "1 samples, 0 features and 1 labels: expected at least one of each"),
    ],
)
def test_broken_csv_files_are_refused_with_the_line(tmp_path, text, message):
    assert message in refusal(written(tmp_path, "t.csv", text), ["y"])


def test_csv_files_without_labels_are_refused(tmp_path):
    path = written(tmp_path, "t.csv", "x,y\n1,0\n")

    assert "unknown labels: expected their names" in refusal(path)
    assert "label_xml came with t.csv" in refusal(path, label_xml=tmp_path / "t.xml")


# Parquet


def test_a_parquet_file_is_read_by_the_names_of_its_columns(tmp_path):
    table = pa.table(
        {
            "depth": pa.array([2.5, None, 1.0]),
            "ground": pa.array(["sand", None, "rock"]).dictionary_encode(),
            "stones": pa.array([3, 0, 7], pa.uint8()),
            "wet": [True, False, None],
            "sea": [True, False, False],
            "sky": [1, 0, 1],
        }
    )
    pq.write_table(table, tmp_path / "coast.parquet")

    data = read_multilabel(tmp_path / "coast.parquet", ["sea", "sky"])

    assert (data.name, data.categories) == ("coast", {"ground": ("rock", "sand")})
    nan = np.nan
    np.testing.assert_array_equal(data.X, [[2.5, 1, 3, 1], [nan, nan, 0, 0], [1, 0, 7, nan]])
    assert data.Y.tolist() == [[1, 1], [0, 0], [0, 1]]


def test_broken_parquet_files_are_refused(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": list(range(1000)), "y": [0, 1] * 500}), path)
    whole = path.read_bytes()

    for content in (b"", b"x,y\n1,0\n", whole[: len(whole) // 2]):
        path.write_bytes(content)
        assert "t.parquet: expected a Parquet file, and a whole one" in refusal(path, ["y"])


def test_parquet_tables_of_other_things_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": pa.array([0], pa.date32()), "y": [1]}), path)
    assert "column 'x' is of type Date: expected categories" in refusal(path, ["y"])

    pq.write_table(pa.table({"x": pa.array([], pa.int8())}), path)
    assert "0 rows of 1 columns: expected 1 to" in refusal(path, ["x"])

    pq.write_table(pa.table({"x": [1, 2], "y": [0, 1]}), path)
    monkeypatch.setattr(coded_table, "MAX_CELLS", 3)
    assert "2 rows of 2 columns: expected at most 3 cells" in refusal(path, ["y"])


# The data sets of the paper


@pytest.mark.parametrize("name", PAPER)
def test_the_data_sets_of_the_paper_are_as_its_table_says(name):
    multilabel_file(name, ".arff.gz")

    data = read_multilabel(FOLDER / name)

    # The paper counts the identifier of genbase's samples as a feature.
    n_features = data.n_features + (name == "genbase")
    n_combinations = len(np.unique(data.Y, axis=0))
    assert (data.n_samples, n_features, data.n_labels, n_combinations) == PAPER[name]
    assert data.name == name
    assert data.is_sparse == (name in {"slashdot", "medical", "enron", "bibtex"})


def test_no_feature_of_genbase_names_a_sample():
    multilabel_file("genbase", ".arff.gz")

    data = read_multilabel(FOLDER / "genbase")

    assert "protein" not in data.feature_names
    assert set(data.categories.values()) == {("YES", "NO")}
    assert set(np.unique(data.X)) == {0, 1}


def test_two_labels_of_slashdot_never_occur():
    multilabel_file("slashdot", ".arff.gz")

    data = read_multilabel(FOLDER / "slashdot")

    empty = [label for label, n in zip(data.label_names, data.Y.sum(axis=0), strict=True) if not n]
    assert empty == ["Main", "Meta"]


def test_a_folder_of_an_arff_file_and_its_labels_is_read(tmp_path):
    (tmp_path / "coast").mkdir()
    written(tmp_path / "coast", "coast.arff.xz", lzma.compress(ARFF.encode()))
    written(tmp_path / "coast", "coast.xml", XML)

    assert read_multilabel(tmp_path / "coast").label_names == ("the sky", "sea")


def test_data_sets_that_are_not_there_are_refused(tmp_path):
    (tmp_path / "emotions").mkdir()

    with pytest.raises(DataError, match=r"no data set in .*: expected .*emotions.arff"):
        read_multilabel(tmp_path / "emotions")
    with pytest.raises(DataError, match="nowhere: no such folder"):
        read_multilabel(tmp_path / "nowhere")
