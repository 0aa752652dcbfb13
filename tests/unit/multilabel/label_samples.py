"""Features and labels whose graph is known."""

import numpy as np
import pandas as pd

from h2pc import Dag

DAG = Dag.from_edges(
    ["ant", "bee", "cat", "rain", "wind"],
    [("rain", "ant"), ("rain", "bee"), ("ant", "bee"), ("wind", "cat")],
)
"""``ant`` and ``bee`` belong together; ``sun`` and ``flat`` have nothing to say."""


def labelled_sample(n_samples: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return numbers and labels; names are not in the order of the columns."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_samples, 3)).round(2), columns=["wind", "sun", "rain"])
    X["flat"] = 1.5
    noise = rng.random((n_samples, 3)) < 0.05
    wet, dice = (X["rain"] > 0) ^ noise[:, 0], rng.random(n_samples)
    labels = {
        "cat": (X["wind"] > 0.2) ^ noise[:, 1],
        "ant": wet & (dice < 0.45),
        "bee": wet & (dice > 0.55),
    }
    return X, pd.DataFrame(labels).astype(int)


def presence(classifier, new) -> np.ndarray:
    """Return the predicted probability of the second value of each label, samples by labels."""
    return np.column_stack([both[:, 1] for both in classifier.predict_proba(new)])


X, Y = labelled_sample(400, seed=0)
NEW, TRUE = labelled_sample(300, seed=2)
