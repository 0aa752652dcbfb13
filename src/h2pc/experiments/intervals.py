"""Confidence intervals of means over repetitions and over folds, and what they say of a claim."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, variance
from typing import NamedTuple

from scipy.stats import t as students_t

from h2pc.experiments.claims import Verdict

LEVEL = 0.95
"""Confidence that all intervals of a claim hold together."""


class Interval(NamedTuple):
    """A mean, and the limits between which the true one is with some confidence."""

    mean: float
    low: float
    high: float

    def text(self, digits: int = 3, sign: bool = False) -> str:
        """Return the mean with its limits in brackets.

        Examples
        --------
        >>> Interval(0.5, 0.25, 0.75).text(2), Interval(0.5, 0.25, 0.75).text(1, sign=True)
        ('0.50 [0.25, 0.75]', '+0.5 [+0.2, +0.8]')
        """
        form = f"{'+' if sign else ''}.{digits}f"
        return f"{self.mean:{form}} [{self.low:{form}}, {self.high:{form}}]"

    def below(self, bound: float) -> Verdict:
        """Return whether the true mean is below a bound: surely, perhaps, or surely not."""
        if self.high < bound:
            return "holds"
        return "does not hold" if self.low > bound else "within noise"

    def above(self, bound: float) -> Verdict:
        """Return whether the true mean is above a bound: surely, perhaps, or surely not."""
        if self.low > bound:
            return "holds"
        return "does not hold" if self.high < bound else "within noise"

    def within(self, low: float, high: float) -> Verdict:
        """Return whether the true mean is between two bounds: surely, perhaps, or surely not."""
        if low <= self.low and self.high <= high:
            return "holds"
        outside = self.high < low or high < self.low
        return "does not hold" if outside else "within noise"


class Estimate(NamedTuple):
    """A mean, and how well it is known."""

    mean: float
    variance: float
    """Variance of the mean, not of the values."""
    freedom: float
    """Degrees of freedom of the variance."""

    def interval(self, n_joint: int = 1) -> Interval:
        """Return the t interval; several together hold at the level (Bonferroni)."""
        wide = float(students_t.ppf(1 - (1 - LEVEL) / (2 * n_joint), self.freedom))
        margin = wide * self.variance**0.5
        return Interval(self.mean, self.mean - margin, self.mean + margin)


def of_repetitions(values: Sequence[float]) -> Estimate | None:
    """Return the mean of independent values; None of fewer than two.

    Examples
    --------
    >>> of_repetitions([1.0, 2.0, 3.0]).interval().text(2)
    '2.00 [-0.48, 4.48]'
    """
    n = len(values)
    return None if n < 2 else Estimate(mean(values), variance(values) / n, n - 1)


def of_folds(values: Sequence[float], n_folds: int) -> Estimate | None:
    """Return the mean over the folds of a cross-validation; None of fewer than two.

    Any two training sets share most of their samples, so the values are not independent. The
    variance is that of Nadeau and Bengio (2003), *Inference for the generalization error*: to the
    1 / n of independent values, the ratio of the sizes of a fold and of its training set is added.

    Examples
    --------
    >>> of_folds([1.0, 2.0, 3.0], 3).interval().text(2)
    '2.00 [-1.93, 5.93]'
    """
    n = len(values)
    if n < 2:
        return None
    return Estimate(mean(values), variance(values) * (1 / n + 1 / (n_folds - 1)), n - 1)


def average(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean of independent estimates."""
    return _sum_of([(estimate, 1 / len(estimates)) for estimate in estimates])


def difference(ours: Estimate, theirs: Estimate) -> Estimate:
    """Return the difference of two independent estimates.

    Examples
    --------
    >>> difference(Estimate(3.0, 1.0, 9), Estimate(1.0, 1.0, 9))
    Estimate(mean=2.0, variance=2.0, freedom=18.0)
    """
    return _sum_of([(ours, 1.0), (theirs, -1.0)])


def _sum_of(weighted: Sequence[tuple[Estimate, float]]) -> Estimate:
    """Return a weighted sum; its degrees of freedom are those of Welch and Satterthwaite."""
    variances = [weight**2 * estimate.variance for estimate, weight in weighted]
    total = sum(variances)
    per_freedom = sum(
        part**2 / estimate.freedom for part, (estimate, _) in zip(variances, weighted, strict=True)
    )
    least = min(estimate.freedom for estimate, _ in weighted)
    return Estimate(
        sum(weight * estimate.mean for estimate, weight in weighted),
        total,
        total**2 / per_freedom if per_freedom else least,
    )
