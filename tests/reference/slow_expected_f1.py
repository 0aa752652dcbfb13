"""Textbook twins of the prediction rules: all label sets are tried."""

from itertools import product

import numpy as np


def joint_distribution(factors, n_labels, sample):
    """The probability of every set of labels of a sample, factor by factor."""
    found = {}
    for parts in product(*(range(len(factor.combinations)) for factor in factors)):
        labels, p = [0] * n_labels, 1.0
        for factor, part in zip(factors, parts, strict=True):
            p *= float(factor.probabilities[sample, part])
            for column, value in zip(factor.columns, factor.combinations[part], strict=True):
                labels[column] = int(value)
        found[tuple(labels)] = p
    return found


def subset_accuracy(true, guess):
    return float(true == guess)


def hamming_accuracy(true, guess):
    return sum(t == g for t, g in zip(true, guess, strict=True)) / len(true)


def example_f1(true, guess):
    both = sum(t and g for t, g in zip(true, guess, strict=True))
    size = sum(true) + sum(guess)
    return 2 * both / size if size else 1.0


def expected(score, joint, guess):
    """The mean of a score of one guess."""
    return sum(p * score(true, guess) for true, p in joint.items())


def best_sets(score, joint, n_labels):
    """The best expected score, and all sets that reach it up to rounding."""
    values = {guess: expected(score, joint, guess) for guess in product((0, 1), repeat=n_labels)}
    best = max(values.values())
    return best, [guess for guess, value in values.items() if value >= best - 1e-11]


def gfm(combinations, probabilities):
    """The F1 maximiser of one sample as in the paper of 2011: P and W of m rows and columns."""
    m = combinations.shape[1]
    sizes = combinations.sum(axis=1)
    P = np.array(
        [
            [probabilities[(combinations[:, i] == 1) & (sizes == s)].sum() for s in range(1, m + 1)]
            for i in range(m)
        ]
    )
    W = np.array([[2 / (s + k) for k in range(1, m + 1)] for s in range(1, m + 1)])
    gains = P @ W
    best, found = probabilities[sizes == 0].sum(), np.zeros(m, int)
    for k in range(1, m + 1):
        chosen = np.argsort(-gains[:, k - 1].round(12), kind="stable")[:k]
        value = gains[chosen, k - 1].sum()
        if value > best + 1e-12:
            best, found = value, np.isin(np.arange(m), chosen).astype(int)
    return found, best
