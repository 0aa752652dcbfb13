"""Measures of multi-label data: cardinality, density, imbalance, co-occurrence of labels."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table

from h2pc.multilabel.data import MultilabelData
from h2pc.multilabel.training_set import places

_MOST_ROWS = 20
_LEFT = ("label", "labels together")


class CoOccurrence(NamedTuple):
    """The number of samples that have both of two labels."""

    labels: tuple[str, str]
    n_samples: int


@dataclass(frozen=True)
class LabelSummary:
    """The frequency of one label."""

    label: str
    n_positives: int
    """The number of samples that have it."""
    frequency: float
    """Their share."""
    imbalance: float
    """How many times more often the most frequent label occurs; infinite if this one never does."""


@dataclass(frozen=True)
class MultilabelDescription:
    """Measures of multi-label data; prints as tables.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc.multilabel.data import MultilabelData
    >>> from h2pc.multilabel.description import describe
    >>> Y = [[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]]
    >>> about = describe(MultilabelData(np.eye(4), Y, label_names=["sea", "sky", "sun"]))
    >>> about.cardinality, about.n_combinations, about.together
    (1.25, 3, (CoOccurrence(labels=('sea', 'sky'), n_samples=2),))
    >>> [label.imbalance for label in about.labels]
    [1.0, 1.5, inf]
    """

    name: str
    n_samples: int
    n_features: int
    n_labels: int
    cardinality: float
    """The mean number of labels of a sample."""
    density: float
    """The cardinality as a share of all labels."""
    n_combinations: int
    """The number of distinct combinations of labels."""
    mean_imbalance: float
    """The mean imbalance of the labels that occur; infinite where none does."""
    labels: tuple[LabelSummary, ...]
    """Every label, in the order of the data."""
    together: tuple[CoOccurrence, ...]
    """Pairs of labels that occur together, the most frequent first, then by name."""

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, fit for JSON; ``None`` stands for infinity."""
        values = asdict(self)
        values["mean_imbalance"] = _finite(self.mean_imbalance)
        values["labels"] = [
            {**asdict(label), "imbalance": _finite(label.imbalance)} for label in self.labels
        ]
        values["together"] = [[*pair.labels, pair.n_samples] for pair in self.together]
        return values

    def __str__(self) -> str:
        text = io.StringIO()
        Console(file=text, width=100).print(self)
        return text.getvalue().rstrip("\n")

    def __rich__(self) -> Group:
        """Return what rich prints."""
        counts = (self.n_samples, self.n_features, self.n_labels, self.n_combinations)
        *sizes, n_combinations = (f"{n:,}" for n in counts)
        shares = (f"{self.cardinality:.3f}", f"{self.density:.3f}")
        ordered = sorted(self.labels, key=lambda label: (-label.n_positives, label.label))
        frequencies = [
            (each.label, f"{each.n_positives:,}", f"{each.frequency:.3f}", _word(each.imbalance))
            for each in ordered
        ]
        imbalance = f"imbalance (mean {_word(self.mean_imbalance)})"
        pairs = [(" + ".join(pair.labels), f"{pair.n_samples:,}") for pair in self.together]
        headings = ("samples", "features", "labels", "cardinality", "density", "combinations")
        tables = [
            _table(headings, [(*sizes, *shares, n_combinations)], title=escape(self.name) or None),
            _table(("label", "samples", "frequency", imbalance), frequencies),
        ]
        if pairs:
            tables.append(_table(("labels together", "samples"), pairs))
        return Group(*tables)


def describe(data: MultilabelData) -> MultilabelDescription:
    """Return cardinality, density, combinations, imbalance and co-occurrence of labels.

    Parameters
    ----------
    data : MultilabelData
        Any multi-label data.

    Returns
    -------
    MultilabelDescription
        The measures; ``print`` shows them as tables, ``to_dict`` makes plain values of them.

    References
    ----------
    F. Charte, A. Rivera, M. del Jesus, F. Herrera (2015), Addressing imbalance in multilabel
    classification, Neurocomputing 163: the imbalance of labels.

    Examples
    --------
    >>> from h2pc import describe, make_multilabel_network
    >>> about = describe(make_multilabel_network(random_state=2).sample(1000))
    >>> about.n_labels, about.density < 0.5
    (6, True)
    """
    Y, names = data.Y, data.label_names
    positives = Y.sum(axis=0)
    most = int(positives.max())
    labels = tuple(
        LabelSummary(name, n, n / data.n_samples, most / n if n else math.inf)
        for name, n in zip(names, positives.tolist(), strict=True)
    )
    seen = [label.imbalance for label in labels if label.n_positives]
    cardinality = float(positives.sum()) / data.n_samples
    return MultilabelDescription(
        name=data.name,
        n_samples=data.n_samples,
        n_features=data.n_features,
        n_labels=data.n_labels,
        cardinality=cardinality,
        density=cardinality / data.n_labels,
        n_combinations=len(np.unique(Y, axis=0)),
        mean_imbalance=sum(seen) / len(seen) if seen else math.inf,
        labels=labels,
        together=_together(data),
    )


def _together(data: MultilabelData) -> tuple[CoOccurrence, ...]:
    """Return the pairs of labels that occur together, the most frequent first."""
    names = sorted(data.label_names)
    # Counts are exact, and products of floats fast.
    Y = data.Y[:, places(names, data.label_names)].astype(np.float64)
    counts = np.triu(Y.T @ Y, k=1).astype(int)
    pairs = np.argwhere(counts).tolist()
    found = [CoOccurrence((names[i], names[j]), int(counts[i, j])) for i, j in pairs]
    return tuple(sorted(found, key=lambda pair: -pair.n_samples))


def _finite(value: float) -> float | None:
    """Return ``value``, or None where it is infinite: JSON has no infinity."""
    return value if math.isfinite(value) else None


def _word(imbalance: float) -> str:
    """Return an imbalance as tables show it."""
    return f"{imbalance:.1f}" if math.isfinite(imbalance) else "∞"


def _table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None
) -> Table:
    """Return a table of the first rows; a last line has the number of the others."""
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="left" if heading in _LEFT else "right")
    for row in rows[:_MOST_ROWS]:
        table.add_row(*map(escape, row))
    if len(rows) > _MOST_ROWS:
        table.add_row(f"… and {len(rows) - _MOST_ROWS:,} more")
    return table
