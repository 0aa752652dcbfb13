"""The command ``h2pc multilabel explain``."""

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier

from h2pc import LabelPowerset, make_multilabel_network, read_model, write_model

SAMPLE = make_multilabel_network(n_labels=4, n_features=8, random_state=3).sample(
    400, random_state=2
)


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory):
    """A folder with data, and models with and without a graph."""
    folder = tmp_path_factory.mktemp("explain")
    X, Y = SAMPLE.to_pandas()
    ground = np.where(X["X0"] > 0, "sand", np.where(X["X1"] > 0, "rock", "mud"))
    pd.concat([X, Y], axis=1).assign(ground=ground).to_csv(folder / "net.csv", index=False)
    for method in ("mlp", "br", "cc", "mlp+mb"):
        options = ("--labels", "Y0,Y1,Y2,Y3", "--n-estimators", 5, "-m", method)
        out = folder / f"{method}.h2pc"
        told = run("multilabel", "fit", folder / "net.csv", *options, "-o", out)
        assert told.exit_code == 0, told.output
    return folder


@pytest.fixture(scope="module")
def explain(run, folder):
    """Runs the command on a model, with the training data to compare with."""

    def running(method, *options):
        data = folder / "net.csv"
        model = folder / f"{method}.h2pc"
        return run("multilabel", "explain", model, data, "--background", data, *options)

    return running


@pytest.fixture(scope="module")
def expected(folder):
    """The explanation of row 3 by the model of minimal powersets."""
    table = pd.read_csv(folder / "net.csv")
    model = read_model(folder / "mlp.h2pc")
    features = table[list(model.feature_names_in_)]
    return model.explain(features, 3, background=features)


def test_the_text_is_that_of_python(explain, expected):
    told = explain("mlp", "--row", 3)

    assert told.exit_code == 0, told.output
    assert told.stdout == f"{expected}\n"
    assert "Row 3: " in told.stdout
    assert any(word in told.stdout for word in ("sand", "rock", "mud"))


def test_json_is_printed_and_written(explain, expected, tmp_path):
    out = tmp_path / "why.json"
    told = explain("mlp", "--row", 3, "--json", "-o", out)

    assert json.loads(told.stdout) == json.loads(out.read_text()) == expected.to_dict()


def test_a_table_has_a_line_for_each_powerset_and_feature(explain, expected, tmp_path):
    out = tmp_path / "why.csv"
    told = explain("mlp", "--row", 3, "-o", out)
    rows = list(csv.DictReader(io.StringIO(out.read_text())))

    assert told.exit_code == 0, told.output
    assert [row["feature"] for row in rows] == expected.to_frame()["feature"].tolist()
    assert [float(row["contribution"]) for row in rows] == [
        each.contribution for part in expected.powersets for each in part.features
    ]


def test_a_model_with_a_graph_makes_its_page_and_one_without_a_page_of_its_own(explain, tmp_path):
    pages = {}
    for method in ("mlp", "br"):
        out = tmp_path / f"{method}.html"
        told = explain(method, "--row", 3, "-o", out)
        assert told.exit_code == 0, told.output
        pages[method] = out.read_text(encoding="utf-8")

    assert "cytoscape" in pages["mlp"]
    assert re.search(r"<title>net: row 3, \d+ [A-Z][a-z]+ \d{4}</title>", pages["mlp"])
    assert "cytoscape" not in pages["br"]
    assert all("Contributions do not add up." in page for page in pages.values())


def test_only_some_labels_and_fewer_samples(explain):
    told = explain("mlp+mb", "--labels", "Y0", "--n-background", 7, "--json")
    found = json.loads(told.stdout)

    assert found["n_background"] == 7
    assert [part["labels"] for part in found["powersets"]] == [["Y0"]]


def test_a_model_without_features_writes_an_empty_table(run, tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=60), "label": [0, 1] * 30})
    table.to_csv(tmp_path / "t.csv", index=False)
    fitted = ("--n-labels", 1, "-m", "br+mb", "-o", tmp_path / "m.h2pc")
    assert run("multilabel", "fit", tmp_path / "t.csv", *fitted).exit_code == 0
    data = tmp_path / "t.csv"
    shown = ("--background", data, "-o", tmp_path / "why.csv")
    told = run("multilabel", "explain", tmp_path / "m.h2pc", data, *shown)

    assert "No feature is used" in told.stdout
    assert (tmp_path / "why.csv").read_text().splitlines() == [
        "powerset,labels,predicted,probability,feature,value,contribution,role"
    ]


def test_what_makes_no_sense_is_refused_in_a_sentence(explain, folder, refused, tmp_path):
    refused(explain("mlp", "--row", 400), 2, "--row must be a number from 0 to 399")
    refused(explain("mlp", "--labels", "dog"), 2, "labels must be among the 4 of the model")
    refused(explain("cc"), 2, "is a ClassifierChain, which explains nothing")
    refused(explain("mlp", "-o", tmp_path / "why.txt"), 2, "expected a name that ends in .html")
    refused(explain("mlp", "--background", folder / "none.csv"), 1, "none.csv: No such file")


def test_types_of_others_are_explained_only_if_they_are_trusted(run, folder, tmp_path):
    base = KNeighborsClassifier(3, algorithm="brute")
    model = LabelPowerset(base).fit(*SAMPLE.to_pandas())
    write_model(model, tmp_path / "m.h2pc")
    name = "sklearn.neighbors._classification.KNeighborsClassifier"
    words = ("multilabel", "explain", tmp_path / "m.h2pc", folder / "net.csv", "--row", 1)

    refused = run(*words)
    assert refused.exit_code == 1
    assert f"--trust {name} reads it" in refused.stderr
    told = run(*words, "--trust", name)
    assert told.exit_code == 0, told.output
    assert told.stdout == f"{model.explain(SAMPLE.to_pandas()[0], 1)}\n"
