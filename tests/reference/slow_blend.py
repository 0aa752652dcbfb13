"""Textbook twins of blended classifiers: one combination after the other, by the formula."""

import math

import numpy as np

LEAST = 1e-2


def slow_product(parts, told, combinations):
    """The product over parts of the probabilities of their labels, normalised, for one sample."""
    found = []
    for combination in combinations:
        p = 1.0
        for part, own in zip(parts, told, strict=True):
            labels = [combination[j] for j in part.labels]
            known = part.combinations.tolist()
            p *= LEAST / len(known) + (own[known.index(labels)] if labels in known else 0.0)
        found.append(p)
    return [p / sum(found) for p in found]


def slow_blend(joint, product, weight, power):
    """The weighted geometric mean of two distributions to some power, for one sample."""
    n = len(joint)
    found = [
        ((a + LEAST / n) ** (1 - weight) * (b + LEAST / n) ** weight) ** power
        for a, b in zip(joint, product, strict=True)
    ]
    return [p / math.fsum(found) for p in found]


def slow_out_of_bag(forest, X, y, n_classes):
    """The mean probabilities of the trees that a sample is not in, sample by sample.

    What a tree was fitted on is drawn again by its seed.
    """
    n, rows = len(y), []
    drawn = [np.random.RandomState(tree.random_state).randint(0, n, n) for tree in forest]
    for i in range(n):
        told = [
            tree.predict_proba(X[i : i + 1])[0]
            for tree, own in zip(forest, drawn, strict=True)
            if i not in own
        ]
        rows.append([sum(each) / len(told) for each in zip(*told, strict=True)] if told else None)
    return [[math.nan] * n_classes if row is None else row for row in rows]
