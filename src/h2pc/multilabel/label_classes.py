"""Several labels as one class: each combination that was seen is a class of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True, eq=False)
class LabelClasses:
    """The combinations of some labels that were seen, numbered.

    Attributes
    ----------
    combinations : array of int8, shape (n_classes, n_labels)
        The labels of each class, 0 or 1; in lexicographic order.

    Examples
    --------
    >>> classes, codes = LabelClasses.of([[0, 1], [1, 1], [0, 1], [0, 0]])
    >>> classes.combinations.tolist()
    [[0, 0], [0, 1], [1, 1]]
    >>> codes.tolist()
    [1, 2, 1, 0]
    >>> classes.marginals(np.array([[0.5, 0.25, 0.25]])).tolist()
    [[0.25, 0.5]]
    """

    combinations: NDArray[np.int8]

    def __post_init__(self) -> None:
        self.combinations.flags.writeable = False

    @classmethod
    def of(cls, labels: ArrayLike) -> tuple[LabelClasses, NDArray[np.int64]]:
        """Return the classes in the rows of ``labels``, and the class of each row."""
        rows = np.asarray(labels, np.int8)
        combinations, codes = np.unique(rows, axis=0, return_inverse=True)
        return cls(combinations), codes.astype(np.int64)

    def __len__(self) -> int:
        return len(self.combinations)

    def labels(self, codes: NDArray[Any]) -> NDArray[np.int8]:
        """Return the labels of classes, one row for each."""
        found: NDArray[np.int8] = self.combinations[codes]
        return found

    def marginals(self, probabilities: NDArray[Any]) -> NDArray[np.float64]:
        """Return the probability of each label, given those of the classes."""
        # Sums of probabilities may end a little above 1.
        return np.minimum(np.asarray(probabilities, np.float64) @ self.combinations, 1.0)
