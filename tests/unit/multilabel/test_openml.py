"""Data of OpenML: from the cache, and without a network."""

import gzip
import hashlib
import json

import pytest

from h2pc.errors import DataError
from h2pc.multilabel.openml import fetch_multilabel

ROWS = "2.5,rock,TRUE,FALSE\n0.5,sand,FALSE,FALSE\n1.0,sand,TRUE,TRUE\n"
SPARSE_ROWS = "{0 2.5,1 rock,2 TRUE}\n{0 0.5}\n{0 1.0,2 TRUE,3 TRUE}\n"
HEADER = """@RELATION coast
@ATTRIBUTE depth REAL
@ATTRIBUTE ground {sand, rock}
@ATTRIBUTE sea {FALSE, TRUE}
@ATTRIBUTE sky {FALSE, TRUE}
@DATA
"""


def feature(index: int, name: str, kind: str, *, target: bool = False) -> dict[str, str]:
    return {
        "index": str(index),
        "name": name,
        "data_type": kind,
        "is_target": str(target).lower(),
        "is_ignore": "false",
        "is_row_identifier": "false",
        "number_of_missing_values": "0",
    }


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Nothing listens at the port of discarded packets."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
        monkeypatch.setenv(name.upper(), "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)


@pytest.fixture
def cached(tmp_path):
    """A folder in which scikit-learn finds what it would have downloaded."""

    def keep(rows: str, *, is_sparse: bool = False):
        arff = (HEADER + rows).encode()
        about = {
            "name": "coast",
            "version": "1",
            "status": "active",
            "format": "Sparse_ARFF" if is_sparse else "ARFF",
            "description": "a coast",
            "default_target_attribute": "sea, sky",
            "url": "https://www.openml.org/data/v1/download/7/coast.arff",
            "md5_checksum": hashlib.md5(arff).hexdigest(),
        }
        features = [
            feature(0, "depth", "numeric"),
            feature(1, "ground", "nominal"),
            feature(2, "sea", "nominal", target=True),
            feature(3, "sky", "nominal", target=True),
        ]
        answers = {
            "data/list/data_name/coast/limit/2/data_version/1": {
                "data": {"dataset": [{"did": 7, "version": 1, "status": "active"}]}
            },
            "data/7": {"data_set_description": about},
            "data/features/7": {"data_features": {"feature": features}},
            "data/qualities/7": {
                "data_qualities": {"quality": [{"name": "NumberOfInstances", "value": "3.0"}]}
            },
        }
        home = tmp_path / "openml" / "openml.org"
        contents = {f"api/v1/json/{path}": json.dumps(a).encode() for path, a in answers.items()}
        for path, content in {**contents, "data/v1/download/7/coast.arff": arff}.items():
            file = home / f"{path}.gz"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(gzip.compress(content))
        return tmp_path

    return keep


@pytest.mark.parametrize(("rows", "is_sparse"), [(ROWS, False), (SPARSE_ROWS, True)])
def test_targets_are_the_labels_and_words_are_coded(cached, rows, is_sparse):
    data = fetch_multilabel("coast", version=1, data_home=cached(rows, is_sparse=is_sparse))

    assert (data.name, data.is_sparse) == ("coast", is_sparse)
    assert (data.feature_names, data.label_names) == (("depth", "ground"), ("sea", "sky"))
    assert data.Y.tolist() == [[1, 0], [0, 0], [1, 1]]
    cells = data.X.toarray() if is_sparse else data.X
    assert cells.tolist() == [[2.5, 1.0], [0.5, 0.0], [1.0, 0.0]]
    assert data.categories == {"ground": ("sand", "rock")}


def test_other_columns_may_be_labels(cached):
    data = fetch_multilabel("coast", version=1, labels=["sky"], data_home=cached(ROWS))

    assert data.label_names == ("sky",)
    assert data.Y.tolist() == [[0], [0], [1]]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["sand"], "unknown label 'sand': expected one of the 4 columns"),
        (
            ["ground"],
            "label 'ground' holds the value 'rock', in row 0: expected 0 or 1, or words such as "
            "no and yes",
        ),
        ([], "no labels: expected the names of at least one"),
    ],
)
def test_wrong_labels_are_refused(cached, labels, message):
    with pytest.raises(DataError) as caught:
        fetch_multilabel("coast", version=1, labels=labels, data_home=cached(ROWS))

    assert str(caught.value) == message


def test_without_a_network_one_sentence_says_so(tmp_path):
    with pytest.raises(DataError) as caught:
        fetch_multilabel("emotions", version=4, data_home=tmp_path)

    assert str(caught.value).startswith("OpenML cannot be reached for 'emotions' (")
    assert "expected a network, or the data set in the cache of scikit-learn" in str(caught.value)
    assert "\n" not in str(caught.value)
