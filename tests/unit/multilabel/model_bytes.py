"""Files of models, their parts, and files with other parts."""

import json
import zipfile
from io import BytesIO

import numpy as np
import pandas as pd
import skops.io

from h2pc import (
    BinaryRelevance,
    CompactForestClassifier,
)
from h2pc.multilabel.model_files import _packed, read_model, write_model
from unit.multilabel.label_samples import DAG, X, Y

FOREST = CompactForestClassifier(3)
BOUNDARY = {"feature_selection": "markov_boundary", "structure": DAG}
CONSTANT = Y.assign(never=0, always=1)
WORDS = X.assign(
    ground=np.where(X["rain"] > 1, "sand", "rock"),
    night=pd.Categorical(X["wind"] > 1, categories=[True, False]),
)


def bytes_of(model, folder):
    write_model(model, folder / "model.h2pc")
    return (folder / "model.h2pc").read_bytes()


def loaded(content, folder):
    (folder / "copy.h2pc").write_bytes(content)
    return read_model(folder / "copy.h2pc")


def entries(content):
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts, compression=zipfile.ZIP_DEFLATED):
    file = BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def changed(content, change):
    """Return a file whose plain values are changed, and whose checksums are right."""
    plain = skops.io.loads(content, trusted=skops.io.get_untrusted_types(data=content))
    change(plain)
    return _packed(skops.io.dumps(plain))


def with_schema(content, change):
    """Return a file with another schema."""
    parts = entries(content)
    schema = json.loads(parts["schema.json"])
    change(schema)
    return zipped({**parts, "schema.json": json.dumps(schema)})


def npy(array, **settings):
    file = BytesIO()
    np.save(file, array, **settings)
    return file.getvalue()


def stump():
    """A model of one tree with three nodes, which splits on its second feature."""
    X = pd.DataFrame({"depth": [0.0] * 5, "wind": [1.0, 2.0, 3.0, 4.0, 9.0]})
    base = CompactForestClassifier(1, max_depth=1, bootstrap=False, max_features=None)
    model = BinaryRelevance(base, random_state=0)
    return model.fit(X, pd.DataFrame({"calm": [1, 1, 1, 1, 0]}))
