"""Measures of multi-label data, by hand."""

import json
import math

import numpy as np
import pytest

from h2pc.multilabel.data import MultilabelData
from h2pc.multilabel.data_files import read_multilabel
from h2pc.multilabel.description import CoOccurrence, LabelSummary, describe
from multilabel_folder import FOLDER, PAPER, multilabel_file

Y = [[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 1], [0, 0, 0, 0], [1, 1, 0, 0]]


def data(labels=Y, names=("sea", "sky", "[red]sun", "boat"), name="coast"):
    return MultilabelData(np.eye(len(labels)), labels, label_names=names, name=name)


def test_measures_of_a_small_data_set():
    about = describe(data())

    assert (about.name, about.n_samples, about.n_features, about.n_labels) == ("coast", 5, 5, 4)
    assert (about.cardinality, about.density) == (1.6, 0.4)
    assert about.n_combinations == 4
    assert about.labels == (
        LabelSummary("sea", 4, 0.8, 1.0),
        LabelSummary("sky", 3, 0.6, 4 / 3),
        LabelSummary("[red]sun", 0, 0.0, math.inf),
        LabelSummary("boat", 1, 0.2, 4.0),
    )
    assert about.mean_imbalance == pytest.approx((1 + 4 / 3 + 4) / 3)
    assert about.together == (
        CoOccurrence(("sea", "sky"), 3),
        CoOccurrence(("boat", "sea"), 1),
        CoOccurrence(("boat", "sky"), 1),
    )


def test_a_description_prints_as_tables():
    text = str(describe(data()))

    for words in ("coast", "cardinality", "1.600", "[red]sun", "∞", "boat + sea"):
        assert words in text


def test_many_labels_are_cut_short():
    labels = np.tri(40, dtype=int)

    text = str(describe(data(labels, names=[f"label{j}" for j in range(40)])))

    assert "label19" in text
    assert "label20" not in text
    assert "… and 20 more" in text


def test_a_description_is_a_dictionary_fit_for_json():
    values = describe(data()).to_dict()

    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert values["labels"][2] == {
        "label": "[red]sun",
        "n_positives": 0,
        "frequency": 0.0,
        "imbalance": None,
    }
    assert values["together"][0] == ["sea", "sky", 3]


def test_labels_that_never_occur_have_no_measures():
    about = describe(data([[0, 0], [0, 0]], names=("a", "b"), name=""))

    assert (about.cardinality, about.mean_imbalance, about.together) == (0.0, math.inf, ())
    assert about.to_dict()["mean_imbalance"] is None
    assert "∞" in str(about)


# From the web page of Mulan.
@pytest.mark.parametrize(("name", "cardinality"), [("emotions", 1.869), ("yeast", 4.237)])
def test_data_sets_of_the_paper_have_their_published_cardinalities(name, cardinality):
    multilabel_file(name, ".arff.gz")

    about = describe(read_multilabel(FOLDER / name))

    assert about.cardinality == pytest.approx(cardinality, abs=1e-3)
    assert about.n_combinations == PAPER[name][3]
