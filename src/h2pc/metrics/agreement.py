"""What was found against what there is: the counts, and their precision and recall."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """Right and wrong among what was found, and what was missed.

    Examples
    --------
    >>> from h2pc.metrics import Agreement
    >>> agreement = Agreement(3, 1, 3)
    >>> agreement.precision, agreement.recall, agreement.f1
    (0.75, 0.5, 0.6)
    """

    true_positives: int
    """What was found and is true."""
    false_positives: int
    """What was found and is not true."""
    false_negatives: int
    """What is true and was not found."""

    @property
    def precision(self) -> float:
        """Share of what was found that is true; 1 if nothing false was found."""
        return _share(self.true_positives, self.false_positives)

    @property
    def recall(self) -> float:
        """Share of what is true that was found; 1 if nothing was missed."""
        return _share(self.true_positives, self.false_negatives)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 1 if nothing is wrong."""
        return _share(2 * self.true_positives, self.false_positives + self.false_negatives)


def _share(right: int, wrong: int) -> float:
    """Return the share of what is right; nothing at all is right."""
    return right / (right + wrong) if wrong else 1.0
