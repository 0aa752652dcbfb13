"""Contributions of features by their definition: one prediction for every sample of the background.

The twin of ``h2pc.multilabel.contributions``: no distinct values, no batches, no sparse matrices.
"""

import numpy as np


def slow_contributions(classifier, model, x, background):
    """Return, for each feature of a model, the falls of P(combination) and of every P(label)."""
    x, background = np.asarray(x, float), np.asarray(background, float)
    combination = model.predict(x[np.newaxis])[0].tolist()

    def probabilities(sample):
        if not hasattr(classifier, "predict_joint_proba"):
            found = model.predict(sample[np.newaxis])[0].tolist()
            return [float(found == combination), *map(float, found)]
        joint = model.predict_joint_proba(sample[np.newaxis])[0]
        pairs = list(zip(model.combinations.tolist(), joint, strict=True))
        own = sum(p for labels, p in pairs if labels == combination)
        return [own, *(sum(p * labels[j] for labels, p in pairs) for j in range(len(combination)))]

    here = np.array(probabilities(x))
    falls = {}
    for j in model.features.tolist():
        total = np.zeros(len(here))
        for other in background:
            changed = x.copy()
            changed[j] = other[j]
            total += probabilities(changed)
        falls[j] = here - total / len(background)
    return falls
