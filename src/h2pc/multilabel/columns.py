"""Columns of a table as features and labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoding import Floats
from h2pc.io.arff_grammar import MISSING
from h2pc.io.coded_table import CodedTable, Words
from h2pc.io.csv import number
from h2pc.multilabel.data import MultilabelData, chosen_labels
from h2pc.multilabel.label_values import meaning, zero_one


def multilabel_data(table: CodedTable, labels: Iterable[str], *, name: str = "") -> MultilabelData:
    """Return the columns of a table as labels and features.

    Categories that are numbers become these numbers, others stay codes.
    """
    chosen = chosen_labels(labels, table.names)
    place = {column: j for j, column in enumerate(table.names)}
    Y = np.column_stack([_label(table, label, place[label]) for label in chosen])
    taken = frozenset(chosen)
    kept = [j for j, column in enumerate(table.names) if column not in taken]
    features = [table.names[j] for j in kept]
    X, words = _features(table, kept)
    return MultilabelData(X, Y, features, chosen, name=name, categories=words)


def _label(table: CodedTable, label: str, j: int) -> NDArray[np.int64]:
    """Zeros and ones of one label, from numbers or from words."""
    column, words = table.values(j), table.categories[j]
    if words is None:
        return zero_one(label, column)
    known = (*words, MISSING)
    codes = _codes(column)
    found = np.array(list(map(meaning, known)))[codes]
    # Values are looked up as words only to refuse one of them.
    return found if found.min() >= 0 else zero_one(label, np.array(known, object)[codes])


def _features(table: CodedTable, kept: Sequence[int]) -> tuple[Any, dict[str, Words]]:
    """Matrix of the features, and the words of those whose numbers stand for words."""
    X, sparse = table.cells[:, list(kept)], table.is_sparse  # a copy
    words: dict[str, Words] = {}
    for column, j in enumerate(kept):
        known = table.categories[j]
        if known is None:
            continue
        values = _numbers(known)
        if values is None or (sparse and values[0] != 0):  # cells that are not listed must stay 0
            words[table.names[j]] = known
        elif not np.array_equal(values, np.arange(values.size)):
            part = X.data[X.indptr[column] : X.indptr[column + 1]] if sparse else X[:, column]
            part[:] = np.append(values, nan)[_codes(part)]
    return X, words


def _codes(values: Floats) -> NDArray[np.int64]:
    """Codes as integers; -1, the last of whatever they index, where a cell is missing."""
    return np.where(np.isnan(values), -1, values).astype(np.int64)


def _numbers(words: Words) -> Floats | None:
    """Numbers that the words are, if all of them are."""
    try:
        return np.array([number(word) for word in words])
    except ValueError:
        return None
