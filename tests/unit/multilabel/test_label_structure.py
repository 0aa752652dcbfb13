"""The graph around the labels, and the powersets in it."""

import json

import numpy as np
import pytest

from h2pc import H2PC, MMHC, Dag
from h2pc.errors import DataError
from h2pc.multilabel.label_structure import edges_near, label_structure
from unit.multilabel.label_samples import DAG, X, Y


@pytest.mark.parametrize("learner", [None, H2PC(progress=False), MMHC(progress=False)])
def test_powersets_and_boundaries_are_those_of_the_learned_graph(learner):
    found = label_structure(X, Y, learner)

    assert found.labels == ("ant", "bee", "cat")
    assert found.powersets == (("ant", "bee"), ("cat",))
    assert found.boundaries == (("rain",), ("wind",))
    assert found.n_combinations == (3, 2)


def test_features_may_be_missing():
    holed = X.astype(float).mask(np.random.default_rng(1).random(X.shape) < 0.05)

    assert label_structure(holed, Y).powersets == label_structure(X, Y).powersets


def test_labels_must_not_be_missing():
    holed = Y.astype(float)
    holed.iloc[0, 0] = np.nan

    with pytest.raises(DataError, match="label 'cat' has no value in row 0: expected one every"):
        label_structure(X, holed)


def test_a_learner_is_not_changed():
    learner = H2PC(progress=False)

    label_structure(X, Y, learner)

    assert learner.targets is None
    assert not hasattr(learner, "dag_")


def test_names_of_arrays_are_numbered():
    assert label_structure(X.to_numpy(), Y.to_numpy()).labels == ("Y0", "Y1", "Y2")


def test_all_of_it_is_fit_for_json():
    found = label_structure(X, Y).to_dict()

    assert json.loads(json.dumps(found)) == found
    assert found["powersets"][0] == {
        "labels": ["ant", "bee"],
        "n_combinations": 3,
        "boundary": ["rain"],
    }
    (link,) = found["links"]
    assert link["labels"] == ["ant", "bee"]


def test_edges_near_labels_lead_to_labels_and_to_their_children():
    edges = {("sun", "rain"), ("rain", "flood"), ("ant", "hill"), ("wood", "hill")}
    names = sorted({*DAG.names, *(name for edge in edges for name in edge)})
    whole = Dag.from_edges(names, [*DAG.named_edges, *edges])

    near = edges_near(whole, Y.columns)

    assert set(near) == {*DAG.named_edges, ("ant", "hill"), ("wood", "hill")}
