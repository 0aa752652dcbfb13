"""The commands ``h2pc multilabel …``: from a file of data to a file of answers."""

import csv
import gzip
import io
import json
import re
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from typer.testing import CliRunner

from h2pc import (
    BinaryRelevance,
    CompactForestClassifier,
    MinimalLabelPowersetClassifier,
    make_multilabel_network,
)
from h2pc.cli.classifying import choices_line
from h2pc.cli.main import app
from h2pc.multilabel.cross_validation import cross_validated
from h2pc.multilabel.model_choice import ModelChoice
from h2pc.multilabel.model_files import read_model, write_model

TRUTH = make_multilabel_network(n_labels=4, n_features=8, random_state=3)
SAMPLE = TRUTH.sample(600, random_state=2)
LABELS = ("--n-labels", 4)


def h2pc(*arguments):
    return CliRunner().invoke(app, ["multilabel", *(str(word) for word in arguments)])


def done(*arguments):
    told = h2pc(*arguments)
    assert told.exit_code == 0, told.output
    return told.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the same data in several kinds of files."""
    folder = tmp_path_factory.mktemp("data")
    X, Y = SAMPLE.to_pandas()
    table = pd.concat([X, Y], axis=1)
    table.to_csv(folder / "net.csv", index=False)
    table.to_csv(folder / "net.tsv", index=False, sep="\t")
    table.to_csv(folder / "shuffled.csv.gz", index=False, columns=sorted(table, reverse=True))
    table.to_parquet(folder / "net.parquet")
    X.to_csv(folder / "new.csv", index=False)
    coast = table.assign(ground=np.where(X["X0"] > 0, "sand", np.where(X["X1"] > 0, "rock", "mud")))
    coast.to_csv(folder / "coast.csv", index=False)
    arff = "@relation net\n" + "".join(f"@attribute {name} numeric\n" for name in table)
    rows = table.to_csv(index=False, header=False)
    (folder / "net.arff").write_text(f"{arff}@data\n{rows}")
    (folder / "meka.arff").write_text(
        f"@relation 'net: -C -4'\n{arff.partition(chr(10))[2]}@data\n{rows}"
    )
    labels = "".join(f'<label name="{label}"></label>' for label in SAMPLE.label_names)
    (folder / "net.xml").write_text(
        f'<labels xmlns="http://mulan.sourceforge.net/labels">{labels}</labels>'
    )
    return folder


@pytest.fixture(scope="module")
def model(folder):
    """A model of the data."""
    path = folder / "net.h2pc"
    done("fit", folder / "net.csv", *LABELS, "--n-estimators", 5, "-o", path)
    return path


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("net.csv", LABELS),
        ("net.csv", ("--labels", "Y0,Y1", "-l", "Y2, Y3")),
        ("net.tsv", LABELS),
        ("net.parquet", LABELS),
        ("net.arff", ()),
        ("net.arff", LABELS),
        ("meka.arff", ()),
        ("shuffled.csv.gz", ("--n-labels", -4)),
    ],
)
def test_every_kind_of_file_is_described_alike(folder, file, options):
    about = json.loads(done("describe", folder / file, *options, "--json"))

    assert about["n_samples"] == 600
    assert about["n_features"] == 8
    assert about["cardinality"] == SAMPLE.Y.sum() / 600
    assert sorted(label["label"] for label in about["labels"]) == ["Y0", "Y1", "Y2", "Y3"]


def test_the_labels_of_an_xml_file_elsewhere_are_taken(folder, tmp_path):
    (tmp_path / "net.arff").write_bytes((folder / "net.arff").read_bytes())
    xml = tmp_path / "two.xml"
    xml.write_text((folder / "net.xml").read_text().replace('<label name="Y3"></label>', ""))
    about = json.loads(done("describe", tmp_path / "net.arff", "--label-xml", xml, "--json"))

    assert [label["label"] for label in about["labels"]] == ["Y0", "Y1", "Y2"]


def test_the_xml_file_beside_is_found_whatever_the_name(folder, tmp_path):
    (tmp_path / "My.Net.arff.gz").write_bytes(gzip.compress((folder / "net.arff").read_bytes()))
    (tmp_path / "My.Net.xml").write_bytes((folder / "net.xml").read_bytes())
    about = json.loads(done("describe", tmp_path / "My.Net.arff.gz", "--json"))

    assert (about["name"], about["n_labels"]) == ("My.Net", 4)


def test_describe_prints_tables(folder):
    table = done("describe", folder / "net.csv", *LABELS, "--drop", "X0")

    assert table.splitlines()[0].strip() == "net"
    assert "│     600 │        7 │      4 │" in table
    assert "Y0 + Y1" in table


def test_the_json_of_describe_has_its_fields(folder):
    about = json.loads(done("describe", folder / "net.csv", *LABELS, "--json"))

    assert {name: type(value) for name, value in about.items()} == {
        "name": str,
        "n_samples": int,
        "n_features": int,
        "n_labels": int,
        "cardinality": float,
        "density": float,
        "n_combinations": int,
        "mean_imbalance": float,
        "labels": list,
        "together": list,
    }


def test_powersets_are_those_of_the_network_that_made_the_data(folder):
    table = done("powersets", folder / "net.csv", *LABELS)

    assert table == (
        "net: 4 labels in 3 minimal label powersets, by H2PC\n"
        "┏━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━━━━━━━━┓\n"
        "┃ labels ┃ names  ┃ combinations ┃ features ┃ Markov boundary ┃\n"
        "┡━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━━━━━━━━┩\n"
        "│ 1      │ Y0     │ 2            │ 1        │ X3              │\n"
        "│ 1      │ Y1     │ 2            │ 1        │ X5              │\n"
        "│ 2      │ Y2, Y3 │ 4            │ 3        │ X0, X1, X4      │\n"
        "└────────┴────────┴──────────────┴──────────┴─────────────────┘\n"
    )


def test_the_json_of_powersets_has_its_fields_whatever_the_order_of_columns(folder):
    one = done("powersets", folder / "net.csv", *LABELS, "--json", "-a", "mmhc", "--alpha", 0.01)
    options = ("--n-labels", -4, "--json", "-a", "mmhc", "--alpha", 0.01, "--n-jobs", 2)
    other = done("powersets", folder / "shuffled.csv.gz", *options)

    found = json.loads(one)
    assert json.loads(other) == {**found, "data": "shuffled"}
    assert found["algorithm"] == "mmhc"
    assert found["alpha"] == 0.01
    assert found["labels"] == ["Y0", "Y1", "Y2", "Y3"]
    assert sorted(found["powersets"][0]) == ["boundary", "labels", "n_combinations"]
    assert all(type(link["adjacent"]) is bool and link["labels"] for link in found["links"])
    assert all(len(edge) == 2 for edge in found["edges"])
    assert type(found["n_tests"]) is int


def test_the_graph_is_written_in_every_form(folder, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("networkx")
    files = {kind: tmp_path / f"graph.{kind}" for kind in ("json", "dot", "svg", "png", "html")}
    outs = [word for file in files.values() for word in ("-o", file)]
    done("powersets", folder / "net.csv", *LABELS, *outs)

    assert json.loads(files["json"].read_text())["format"] == "h2pc-result"
    assert '"X3" -> "Y0"' in files["dot"].read_text() or '"Y0" -> "X3"' in files["dot"].read_text()
    assert "4 labels in 3 powersets" in files["svg"].read_text()
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    page = files["html"].read_text(encoding="utf-8")
    n_samples = len((folder / "net.csv").read_text().splitlines()) - 1
    assert f"<title>The labels of net, {n_samples:,} samples of 4 labels and " in page
    [text] = re.findall(r'id="data">(.*?)</script>', page)
    document = json.loads(text)
    label = document["names"].index("Y0")
    rows = document["parameters"]["tables"][label]["rows"]
    assert sum(row[-3] for row in rows) == n_samples
    assert all(row[-2] + row[-1] == pytest.approx(1.0, abs=2e-4) for row in rows)


@pytest.mark.parametrize("assumption", ["composition", "intersection"])
def test_powersets_are_found_under_milder_assumptions(folder, assumption):
    words = ("powersets", folder / "net.csv", *LABELS, "--assumption", assumption)
    table = done(*words)
    found = json.loads(done(*words, "--json", "--alpha", 0.001, "--join", "both"))

    assert table.startswith(f"net: 4 labels in 3 minimal label powersets, by {assumption}\n")
    assert "│ 2      │ Y2, Y3 │ 4            │" in table
    assert [each["labels"] for each in found["powersets"]] == [["Y0"], ["Y1"], ["Y2", "Y3"]]
    assert [each["n_combinations"] for each in found["powersets"]] == [2, 2, 4]
    assert found["powersets"][0]["boundary"] == found["label_boundaries"]["Y0"] == ["X3"]
    (link,) = found["links"]
    assert link["labels"] == ["Y2", "Y3"]
    assert max(link["log_p"]) < np.log(0.001)
    assert found["assumption"] == assumption
    assert (found["alpha"], found["join"], found["boundary"]) == (0.001, "both", "iamb_fdr")
    assert type(found["n_tests"]) is int


def test_milder_assumptions_find_the_same_whatever_the_file_and_the_workers(folder):
    words = ("--assumption", "composition", "--json")
    one = json.loads(done("powersets", folder / "net.csv", *LABELS, *words))
    options = ("--n-labels", -4, "--n-jobs", 2)
    other = json.loads(done("powersets", folder / "shuffled.csv.gz", *options, *words))

    assert other == {**one, "data": "shuffled"}


@pytest.mark.parametrize("assumption", ["composition", "intersection"])
def test_factors_are_written_in_every_form(folder, tmp_path, assumption):
    pytest.importorskip("matplotlib")
    pytest.importorskip("networkx")
    files = {kind: tmp_path / f"graph.{kind}" for kind in ("json", "dot", "svg", "png", "html")}
    outs = [word for file in files.values() for word in ("-o", file)]
    words = ("powersets", folder / "net.csv", *LABELS, "--assumption", assumption)
    done(*words, *outs)

    about = json.loads(files["json"].read_text())
    assert (about["assumption"], about["edges"]) == (assumption, None)
    dot = files["dot"].read_text()
    assert dot.startswith("graph {")
    assert '"X3" -- "Y0"' in dot
    assert '"Y2" -- "Y3"' in dot
    assert "4 labels in 3 powersets" in files["svg"].read_text()
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    page = files["html"].read_text()
    assert "The labels of net" in page
    assert '"undirected":true' in page
    assert f'["assumption","{assumption}"]' in page
    before = {kind: file.read_bytes() for kind, file in files.items()}
    done(*words, *outs)
    assert {kind: file.read_bytes() for kind, file in files.items()} == before


def test_fit_says_what_it_has_learned_unless_told_not_to(folder, tmp_path):
    words = ("fit", folder / "net.csv", *LABELS, "--n-estimators", 2, "-o", tmp_path / "m.h2pc")
    told = h2pc(*words, "-m", "br", "--feature-selection", "markov_boundary")

    assert told.stdout == ""
    assert (
        told.stderr == f"Wrote {tmp_path / 'm.h2pc'}: br+mb, 4 labels in 4 powersets, 8 features.\n"
    )
    assert read_model(tmp_path / "m.h2pc").boundaries_[0] == ("X3",)
    assert h2pc(*words, "-m", "cc", "--quiet").output == ""


def test_a_model_is_the_one_of_the_library_whatever_the_file_and_the_workers(
    folder, model, tmp_path
):
    X, Y = SAMPLE.to_pandas()
    base = CompactForestClassifier(5)
    known = MinimalLabelPowersetClassifier(base, random_state=0).fit(X.astype(float), Y)
    words = (
        "fit",
        folder / "shuffled.csv.gz",
        "--n-labels",
        -4,
        "--n-estimators",
        5,
        "--n-jobs",
        2,
    )
    done(*words, "-o", tmp_path / "other.h2pc")
    one, other = read_model(model), read_model(tmp_path / "other.h2pc")

    np.testing.assert_array_equal(one.predict_proba(X), known.predict_proba(X))
    shuffled = other.predict_proba(X[other.feature_names_in_])
    back = [shuffled[other.labels_.index(label)] for label in one.labels_]
    np.testing.assert_array_equal(back, known.predict_proba(X))


def test_the_same_command_writes_the_same_model(folder, model, tmp_path):
    done("fit", folder / "net.csv", *LABELS, "--n-estimators", 5, "-o", tmp_path / "m")

    assert (tmp_path / "m").read_bytes() == model.read_bytes()


@pytest.mark.parametrize("file", ["new.csv", "net.csv", "shuffled.csv.gz", "net.tsv", "net.arff"])
def test_predict_finds_features_by_name_with_or_without_labels(folder, model, file):
    header, *rows = csv.reader(io.StringIO(done("predict", model, folder / file)))

    assert header == ["Y0", "Y1", "Y2", "Y3"]
    told = read_model(model).predict(SAMPLE.to_pandas()[0])
    np.testing.assert_array_equal(np.array(rows, int), told)


def test_predict_writes_probabilities_that_read_back_exactly(folder, model, tmp_path):
    out = tmp_path / "told.csv"
    assert done("predict", model, folder / "new.csv", "--proba", "-o", out, "--n-jobs", 2) == ""

    known = read_model(model).predict_proba(SAMPLE.to_pandas()[0])
    present = np.column_stack([both[:, 1] for both in known])
    np.testing.assert_array_equal(pd.read_csv(out).to_numpy(), present)


def test_labels_of_words_are_those_of_zeros_and_ones(folder, model, tmp_path):
    table = pd.read_csv(folder / "net.csv")
    words = table.assign(**{y: table[y].map({0: "no", 1: "Yes"}) for y in SAMPLE.label_names})
    words.to_csv(tmp_path / "words.csv", index=False)
    done("fit", tmp_path / "words.csv", *LABELS, "--n-estimators", 5, "-o", tmp_path / "m")

    assert done("predict", tmp_path / "m", folder / "new.csv") == done(
        "predict", model, folder / "new.csv"
    )


@pytest.mark.parametrize("y", ["table", "vector"])
def test_a_model_of_words_that_was_fitted_in_python_writes_its_own_values(folder, tmp_path, y):
    X, Y = SAMPLE.to_pandas()
    wet = Y[["Y0"]].replace({0: "dry", 1: "wet"})
    plain = BinaryRelevance(CompactForestClassifier(2), random_state=0)
    plain.fit(X, wet if y == "table" else wet["Y0"].to_numpy())
    write_model(plain, tmp_path / "m.h2pc")

    header, *rows = done("predict", tmp_path / "m.h2pc", folder / "new.csv").splitlines()
    assert header == "Y0"
    assert rows == plain.predict(X).ravel().tolist()
    assert set(rows) == {"dry", "wet"}
    shown = done("predict", tmp_path / "m.h2pc", folder / "new.csv", "--proba").splitlines()
    proba = plain.predict_proba(X)
    present = (proba[0] if y == "table" else proba)[:, 1]
    assert [float(word) for word in shown[1:]] == present.tolist()


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (("-m", "auto"), {"feature_selection": "auto"}),
        (("--feature-selection", "auto", "--objective", "f1"), {"objective": "f1"}),
        (("--assumption", "composition", "-m", "mlp+mb"), {"assumption": "composition"}),
        (("--assumption", "intersection"), {"assumption": "intersection"}),
        (
            ("--objective", "hamming", "--thresholds", "tuned"),
            {"objective": "hamming", "thresholds": "tuned"},
        ),
        (
            ("-m", "br", "--objective", "hamming", "--thresholds", 0.25),
            {"objective": "hamming", "thresholds": 0.25},
        ),
        (("-m", "lp", "--min-combination-samples", 20), {"min_combination_samples": 20}),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_a_model_has_the_settings_of_the_options(folder, tmp_path, words, settings):
    words = ("fit", folder / "net.csv", *LABELS, "--n-estimators", 5, *words)
    done(*words, "-o", tmp_path / "m.h2pc")
    model = read_model(tmp_path / "m.h2pc")

    assert {name: model.get_params()[name] for name in settings} == settings
    rows = done("predict", tmp_path / "m.h2pc", folder / "new.csv").splitlines()[1:]
    told = model.predict(SAMPLE.to_pandas()[0])
    np.testing.assert_array_equal(np.loadtxt(rows, int, delimiter=","), told)


def test_fit_says_what_auto_has_chosen(folder, tmp_path):
    words = ("fit", folder / "net.csv", *LABELS, "--n-estimators", 10, "-o", tmp_path / "m.h2pc")
    told = h2pc(*words, "-m", "auto").stderr.splitlines()
    choices = read_model(tmp_path / "m.h2pc").choices_

    assert told[0].endswith("m.h2pc: auto, 4 labels in 3 powersets, 8 features.")
    beginning, line = told[1].split(": ")
    assert beginning == "Chosen by samples that were held out"
    counts = [int(word) for word in line.partition(";")[0].split() if word.isdigit()]
    assert sum(counts) == 3
    assert ("all labels" in line) == (len(choices) > 3)
    assert h2pc(*words, "-m", "auto", "--quiet").output == ""


def test_what_was_chosen_is_one_line():
    def choice(features, model, weight=0.0):
        return ModelChoice(("Y0",), features, model, weight, {})

    several = SimpleNamespace(
        powersets_=(("Y0",), ("Y1",), ("Y2", "Y3")),
        choices_=[
            choice("markov_boundary", "combinations"),
            choice("markov_boundary", "blend", 0.25),
            choice("all", "parts", 1.0),
            choice("all", "blend", 0.5),
        ],
    )
    assert choices_line(several) == (
        "2 powersets by the Markov boundary, 1 by all features; 1 label by label, 1 blended with "
        "single labels; all labels blended, weight 0.5"
    )
    one = SimpleNamespace(powersets_=(("Y0",),), choices_=[choice("dependent", "combinations")])
    assert choices_line(one) == "1 powerset by dependent features"
    two = SimpleNamespace(
        powersets_=one.powersets_, choices_=[*one.choices_, choice("all", "combinations")]
    )
    assert choices_line(two) == "1 powerset by dependent features; all labels together"


def test_predict_writes_labels_of_any_values_and_their_probabilities(folder, tmp_path):
    X, Y = SAMPLE.to_pandas()
    words = Y.replace({0: "dry", 1: "wet"}).assign(Y2="yes", Y3="no")
    classifier = BinaryRelevance(CompactForestClassifier(2), random_state=0).fit(X, words)
    write_model(classifier, tmp_path / "m")

    predicted = pd.read_csv(io.StringIO(done("predict", tmp_path / "m", folder / "new.csv")))
    told = pd.read_csv(io.StringIO(done("predict", tmp_path / "m", folder / "new.csv", "--proba")))

    np.testing.assert_array_equal(predicted.to_numpy(), classifier.predict(X))
    assert set(predicted["Y0"]) == {"dry", "wet"}
    assert set(predicted["Y2"]) == {"yes"}
    np.testing.assert_array_equal(told["Y0"], classifier.predict_proba(X)[0][:, 1])
    assert (told["Y2"] == 1).all()
    assert (told["Y3"] == 0).all()


def test_predict_writes_a_label_that_came_as_a_vector(folder, tmp_path):
    X, Y = SAMPLE.to_pandas()
    classifier = BinaryRelevance(CompactForestClassifier(2), random_state=0).fit(X, Y["Y0"] == 1)
    write_model(classifier, tmp_path / "m")

    predicted = pd.read_csv(io.StringIO(done("predict", tmp_path / "m", folder / "new.csv")))
    told = pd.read_csv(io.StringIO(done("predict", tmp_path / "m", folder / "new.csv", "--proba")))

    np.testing.assert_array_equal(predicted["Y0"], classifier.predict(X))
    np.testing.assert_array_equal(told["Y0"], classifier.predict_proba(X)[:, 1])


def test_probabilities_of_a_model_without_any_are_refused(folder, tmp_path):
    X, Y = SAMPLE.to_pandas()
    write_model(BinaryRelevance(LinearSVC()).fit(X, Y), tmp_path / "m")

    refused = h2pc("predict", tmp_path / "m", folder / "new.csv", "--proba")
    assert refused.exit_code == 2
    assert "LinearSVC, which predict no probabilities: expected no --proba" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_model_of_arrays_takes_columns_by_their_default_names(folder, tmp_path):
    plain = MinimalLabelPowersetClassifier(CompactForestClassifier(2), structure=TRUTH.dag)
    write_model(plain.fit(np.asarray(SAMPLE.X), SAMPLE.Y), tmp_path / "m.h2pc")

    header, *rows = done("predict", tmp_path / "m.h2pc", folder / "shuffled.csv.gz").splitlines()
    assert header == "Y0,Y1,Y2,Y3"
    assert len(rows) == 600


def test_predict_reads_types_of_others_only_if_they_are_trusted(folder, tmp_path):
    base = KNeighborsClassifier(1, algorithm="brute")
    write_model(BinaryRelevance(base).fit(*SAMPLE.to_pandas()), tmp_path / "m.h2pc")
    name = "sklearn.neighbors._classification.KNeighborsClassifier"

    refused = h2pc("predict", tmp_path / "m.h2pc", folder / "new.csv")
    assert refused.exit_code == 1
    assert f"types that are not trusted: {name}; --trust {name} reads it" in refused.stderr
    header, *rows = done(
        "predict", tmp_path / "m.h2pc", folder / "new.csv", "--trust", name
    ).splitlines()
    assert header.split(",") == list(SAMPLE.label_names)
    assert len(rows) == SAMPLE.n_samples


@pytest.fixture(scope="module")
def coast_model(folder):
    """A model of data with a column of words."""
    path = folder / "coast.h2pc"
    labels = ("--labels", "Y0,Y1,Y2,Y3")
    done("fit", folder / "coast.csv", *labels, "--n-estimators", 3, "-m", "lp", "-o", path)
    return path


def test_words_are_the_same_words_in_other_files(folder, coast_model, tmp_path):
    whole = done("predict", coast_model, folder / "coast.csv").splitlines()
    table = pd.read_csv(folder / "coast.csv")
    # Without "mud" the others would have other codes.
    kept = (table["ground"] != "mud").to_numpy()
    table[kept].to_csv(tmp_path / "part.csv", index=False)
    part = done("predict", coast_model, tmp_path / "part.csv").splitlines()

    assert part[1:] == [line for line, is_kept in zip(whole[1:], kept, strict=True) if is_kept]


@pytest.mark.parametrize(
    ("column", "values", "sentence"),
    [
        ("ground", "clay", "feature 'ground' holds 'clay' in row 0: expected one of the 3 levels"),
        ("ground", "", "feature 'ground' has no value in row 0"),
        ("ground", 7, "feature 'ground' holds 7.0 in row 0: expected one of the 3 levels"),
        ("X3", "much", "feature 'X3' holds the word 'much': expected numbers"),
        ("X3", "", "feature 'X3' has no value in row 0"),
    ],
)
def test_new_samples_unlike_the_old_ones_are_refused(
    folder, coast_model, tmp_path, column, values, sentence
):
    pd.read_csv(folder / "coast.csv").assign(**{column: values}).to_csv(tmp_path / "new.csv")
    refused = h2pc("predict", coast_model, tmp_path / "new.csv")

    assert refused.exit_code == 1
    assert sentence in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_feature_that_is_missing_is_told(folder, model, tmp_path):
    table = pd.read_csv(folder / "new.csv").rename(columns={"X3": "x3"})
    table.to_csv(tmp_path / "new.csv", index=False)
    refused = h2pc("predict", model, tmp_path / "new.csv")

    assert refused.exit_code == 1
    assert "no column 'X3': expected all 8 features of the model" in refused.stderr


def test_cross_validation_has_a_line_for_each_method(folder):
    words = ("cv", folder / "net.csv", *LABELS, "--folds", 3, "--n-estimators", 3)
    table = done(*words, "-m", "mlp", "-m", "br+mb", "-m", "cc")

    lines = table.splitlines()
    assert lines[0] == "net: 3 stratified folds"
    assert [line.split("│")[1].strip() for line in lines[4:-1]] == [
        "mlp",
        "br+mb",
        "cc",
        "p: mlp = br+mb",
    ]
    assert lines[4].count(" ± ") == 5


def test_the_json_of_cross_validation_has_its_fields(folder):
    words = ("cv", folder / "coast.csv", "--labels", "Y0,Y1", "--folds", 2, "--n-estimators", 2)
    told = h2pc(*words, "-m", "br", "-m", "lp", "--random-state", 5, "--json", "--verbose")

    assert told.stderr == "Fold 1 of 2 is done.\nFold 2 of 2 is done.\n"
    found = json.loads(told.stdout)
    scores = ["example_f1", "hamming_loss", "macro_f1", "micro_f1", "subset_accuracy"]
    assert sorted(found["p_values"]) == scores
    assert [each["method"] for each in found["methods"]] == ["br", "lp"]
    accuracy = found["methods"][0]["scores"]["subset_accuracy"]
    assert accuracy["mean"] == pytest.approx(np.mean(accuracy["folds"]))
    assert accuracy["sd"] == pytest.approx(np.std(accuracy["folds"], ddof=1))
    del found["methods"], found["p_values"]
    assert found == {
        "data": "coast",
        "n_samples": 600,
        "n_labels": 2,
        "folds": 2,
        "split": "stratified",
        "assumption": "faithfulness",
        "algorithm": "h2pc",
        "alpha": 0.05,
        "objective": "subset",
        "thresholds": None,
        "min_combination_samples": 1,
        "n_estimators": 2,
        "random_state": 5,
    }


@pytest.mark.parametrize("assumption", ["faithfulness", "composition"])
def test_cross_validation_has_the_settings_of_the_options(folder, assumption):
    words = ("cv", folder / "net.csv", *LABELS, "--folds", 2, "--n-estimators", 3, "--json")
    options = ("--objective", "hamming", "--thresholds", "tuned", "--min-combination-samples", 2)
    found = json.loads(
        done(*words, "-m", "auto", "-m", "mlp", "--assumption", assumption, *options)
    )

    assert [each["method"] for each in found["methods"]] == ["auto", "mlp"]
    assert found["assumption"] == assumption
    assert (found["objective"], found["thresholds"]) == ("hamming", "tuned")
    X, Y = SAMPLE.to_pandas()
    known = MinimalLabelPowersetClassifier(
        CompactForestClassifier(3),
        assumption=assumption,
        objective="hamming",
        thresholds="tuned",
        min_combination_samples=2,
        random_state=0,
    )
    [own] = cross_validated({"mlp": known}, X.astype(float), Y, folds=2)
    assert found["methods"][1]["scores"]["micro_f1"]["folds"] == own.values("micro_f1")


def test_samples_are_shuffled_if_that_is_asked_for(folder):
    words = ("cv", folder / "net.csv", *LABELS, "--folds", 2, "--n-estimators", 1, "-m", "br")

    assert json.loads(done(*words, "--no-stratify", "--json"))["split"] == "shuffled"
    assert json.loads(done(*words, "--stratify", "--json"))["split"] == "stratified"


def test_stratified_folds_say_what_they_need(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "iterstrat.ml_stratifiers", None)
    words = ("cv", folder / "net.csv", *LABELS, "--folds", 2, "--n-estimators", 1, "-m", "br")

    told = h2pc(*words, "--stratify")
    assert told.exit_code == 2
    assert "Stratified folds need iterative-stratification" in told.stderr
    assert "pip install 'h2pc[stratification]'" in told.stderr
    assert done(*words).startswith("net: 2 shuffled folds")


def test_one_method_is_compared_with_nothing(folder):
    words = (
        "cv",
        folder / "net.csv",
        *LABELS,
        "--folds",
        2,
        "--n-estimators",
        1,
        "-m",
        "br",
        "--json",
    )

    assert json.loads(done(*words))["p_values"] is None


def test_there_are_data_for_those_who_have_none():
    about = json.loads(done("describe", ":demo", "--json"))

    assert (about["name"], about["n_samples"], about["n_labels"]) == ("demo", 2000, 6)


def test_a_folder_called_demo_does_not_hide_the_data_of_that_name(tmp_path, monkeypatch):
    (tmp_path / "demo").mkdir()
    monkeypatch.chdir(tmp_path)

    assert json.loads(done("describe", ":demo", "--json"))["n_samples"] == 2000


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("describe", "net.csv"), 2, "declares no labels: expected --labels or --n-labels"),
        (("describe", "net.csv", "-l", "Y9"), 2, "--labels: there is no variable 'Y9'"),
        (("describe", "net.csv", "--n-labels", "12"), 2, "of 12 columns; got 12"),
        (("describe", "net.csv", "--n-labels", "0"), 2, "of 12 columns; got 0"),
        (("describe", "net.csv", "-l", "Y0", "--n-labels", "1"), 2, "expected one of them"),
        (("describe", "net.csv", "--label-xml", "net.xml"), 2, "expected an ARFF file"),
        (("describe", "net.csv", "-l", "Y0", "--drop", "Z"), 2, "no variable 'Z'"),
        (("describe", "coast.csv", "-l", "ground"), 1, "label 'ground' holds the value"),
        (("describe", "nothing.csv", "-l", "Y0"), 1, "nothing.csv"),
        (("describe", "folder.csv", "-l", "Y0"), 1, "folder.csv"),
        (("describe", "cut.arff"), 1, "cut.arff, line"),
        (("describe", "cut.csv.gz", "-l", "Y0"), 1, "gzip file is damaged"),
        (("describe", "net.h2pc"), 2, "unknown kind of table"),
        (("describe", ":dmeo"), 2, "There are no built-in data :dmeo: expected :demo."),
        (("powersets", "net.csv", "-l", "Y0", "-o", "graph.doc"), 2, "unknown kind of file"),
        (("powersets", "net.csv", "-l", "Y0", "--alpha", "2"), 2, "--alpha must lie between"),
        (("powersets", "net.csv", "-l", "Y0", "--n-jobs", "0"), 2, "--n-jobs must be"),
        (("powersets", "net.csv", "-l", "Y0", "-a", "pc"), 2, "'pc'"),
        (("powersets", "net.csv", "-l", "Y0", "--assumption", "markov"), 2, "'markov'"),
        (("powersets", "net.csv", "-l", "Y0", "--join", "any"), 2, "'any'"),
        (("powersets", "net.csv", "-l", "Y0", "--boundary", "hpc"), 2, "'hpc'"),
        (
            ("powersets", "net.csv", "-l", "Y0", "--join", "both"),
            2,
            "--join does not go with --assumption faithfulness",
        ),
        (
            ("powersets", "net.csv", "-l", "Y0", "--assumption", "composition", "-a", "mmhc"),
            2,
            "--algorithm does not go with --assumption composition",
        ),
        (
            ("powersets", "net.csv", "-l", "Y9", "--assumption", "intersection"),
            2,
            "--labels: there is no variable 'Y9'",
        ),
        (
            ("powersets", "net.csv", "-l", "Y0", "--assumption", "composition", "--alpha", "2"),
            2,
            "--alpha must lie between",
        ),
        (
            (
                *("powersets", "coast.csv", "-l", "Y0,Y1,Y2,Y3", "--assumption", "intersection"),
                *("--boundary", "shrink"),
            ),
            2,
            "--boundary shrink tests a label given 11 variables",
        ),
        (("fit", "net.csv", "-l", "Y0", "-o", "no/m.h2pc"), 2, "there is no folder 'no'"),
        (("fit", "net.csv", "-l", "Y0", "-o", "."), 2, "expected the name of a file"),
        (
            (
                "fit",
                "net.csv",
                "-l",
                "Y0",
                "-o",
                "m",
                "-m",
                "cc",
                "--feature-selection",
                "markov_boundary",
            ),
            2,
            "does not go with cc",
        ),
        (("fit", "net.csv", "-l", "Y0", "-o", "m", "--n-estimators", "0"), 2, "'--n-estimators'"),
        *(
            (
                ("fit", "net.csv", "-l", "Y0", "-o", "m", "-m", "cc", *words),
                2,
                f"{words[0]} does not go with cc, which has no powersets",
            )
            for words in (
                ("--feature-selection", "auto"),
                ("--objective", "f1"),
                ("--assumption", "composition"),
                ("--thresholds", "tuned"),
                ("--min-combination-samples", "3"),
            )
        ),
        *(
            (("cv", "net.csv", "-l", "Y0,Y1", *words), 2, sentence)
            for words, sentence in (
                (("-m", "mlp", "-m", "cc", "--objective", "f1"), "--objective does not go with cc"),
                (("-m", "br+mb", "--feature-selection", "auto"), "br+mb has markov_boundary"),
                (("--feature-selection", "some"), "'some'"),
                (("--objective", "accuracy"), "'accuracy'"),
                (("--assumption", "causality"), "'causality'"),
                (("--assumption", "composition", "-a", "mmhc"), "--algorithm does not go with"),
                (("--assumption", "intersection", "--alpha", "0.01"), "--alpha does not go with"),
                (("--thresholds", "tuned"), "expected --objective hamming; got subset"),
                (("--objective", "hamming", "--thresholds", "best"), "from 0 to 1; got 'best'"),
                (("--objective", "hamming", "--thresholds", "1.5"), "from 0 to 1; got '1.5'"),
                (("--objective", "hamming", "--thresholds", "nan"), "from 0 to 1; got 'nan'"),
                (("--min-combination-samples", "0"), "'--min-combination-samples'"),
                (("-m", "auto", "--feature-selection", "auto", "-m", "mlp"), "a method twice"),
            )
        ),
        (("predict", "net.csv", "net.csv"), 1, "net.csv: no model file"),
        (("predict", "nothing.h2pc", "net.csv"), 1, "nothing.h2pc"),
        (("predict", "folder.csv", "net.csv"), 1, "folder.csv"),
        (("cv", "net.csv", "-l", "Y0", "--folds", "1"), 2, "folds must be from 2 to 600"),
        (("cv", "net.csv", "-l", "Y0", "--folds", "601"), 2, "folds must be from 2 to 600"),
        (("cv", "net.csv", "-l", "Y0", "-m", "br", "-m", "br"), 2, "a method twice"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_bad_usage_and_bad_files_are_one_sentence(
    folder, model, monkeypatch, words, code, sentence
):
    monkeypatch.chdir(folder)
    (folder / "folder.csv").mkdir(exist_ok=True)
    whole = (folder / "net.arff").read_bytes()
    (folder / "cut.arff").write_bytes(whole[: len(whole) // 2 - 1])
    (folder / "cut.csv.gz").write_bytes(gzip.compress((folder / "net.csv").read_bytes())[:500])
    before = sorted(folder.iterdir())
    refused = h2pc(*words)

    assert refused.exit_code == code
    assert refused.stdout == ""
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr
    assert sorted(folder.iterdir()) == before


def test_an_interrupted_fit_goes_on_from_its_folder(folder, model, tmp_path):
    words = ("fit", folder / "net.csv", *LABELS, "--n-estimators", 5, "--checkpoint", tmp_path)
    done(*words, "-o", tmp_path / "one.h2pc")
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "models").iterdir()}
    done(*words, "-o", tmp_path / "two.h2pc")

    assert len(kept) > 1
    assert kept == {path: path.stat().st_mtime_ns for path in (tmp_path / "models").iterdir()}
    assert (tmp_path / "one.h2pc").read_bytes() == (tmp_path / "two.h2pc").read_bytes()
    assert (tmp_path / "one.h2pc").read_bytes() == model.read_bytes()
    refused = h2pc(*words, "-m", "cc", "-o", tmp_path / "m.h2pc")
    assert "--checkpoint does not go with cc" in refused.stderr
