"""The textbook twins of tests and scores of continuous and mixed data: regressions by numpy."""

from __future__ import annotations

import math

import numpy as np
from scipy import special, stats

from h2pc.data import Dataset
from h2pc.variables import Var, Vars


def columns(data: Dataset, v: Var) -> np.ndarray:
    """The columns of a variable, shape (n_samples, k); NaN where it is missing."""
    if data.is_continuous[v]:
        values = data.values[np.count_nonzero(data.is_continuous[:v])]
        present = values[~np.isnan(values)]
        return values[:, None] if len(np.unique(present)) > 1 else values[:, None][:, :0]
    codes = data.codes[v].astype(float)
    codes[data.codes[v] == data.cards[v]] = np.nan
    levels = np.unique(codes[~np.isnan(codes)])[1:]
    found = (codes[:, None] == levels).astype(float)
    found[np.isnan(codes)] = np.nan
    return found


def stacked(data: Dataset, variables: Vars) -> np.ndarray:
    """The columns of some variables, sorted."""
    parts = [columns(data, v) for v in sorted(variables)]
    return np.hstack(parts) if parts else np.empty((data.n_rows, 0))


def complete(data: Dataset, variables: Vars) -> np.ndarray:
    """Which rows have all of the variables."""
    return ~np.isnan(stacked(data, variables)).any(axis=1)


def residuals(of: np.ndarray, given: np.ndarray) -> np.ndarray:
    """What a regression on the given columns leaves; all are standardised first."""
    of = (of - of.mean(axis=0)) / of.std(axis=0)
    if given.shape[1] == 0:
        return of
    given = (given - given.mean(axis=0)) / given.std(axis=0)
    basis, sizes, _ = np.linalg.svd(given, full_matrices=False)
    basis = basis[:, sizes > 1e-8 * sizes[0]]
    return of - basis @ (basis.T @ of)


def partial_correlation(data: Dataset, x: Var, y: Var, z: Vars) -> float:
    """From the inverse of the correlation matrix."""
    rows = complete(data, (x, y, *z))
    matrix = np.hstack([columns(data, v) for v in (x, y, *z)])[rows]
    inverse = np.linalg.inv(np.corrcoef(matrix.T))
    return float(-inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1]))


def fisher(data: Dataset, x: Var, y: Var, z: Vars) -> tuple[float, float]:
    """Fisher's statistic and its two-sided log p-value, by the normal distribution."""
    n = int(complete(data, (x, y, *z)).sum())
    score = math.sqrt(n - len(z) - 3) * math.atanh(partial_correlation(data, x, y, z))
    return score**2, math.log(2) + float(stats.norm.logsf(abs(score)))


def wilks(data: Dataset, x: Var, y: Var, z: Vars) -> tuple[float, int, float]:
    """Statistic, degrees of freedom and log p-value, by determinants of residuals."""
    rows = complete(data, (x, y, *z))
    given = stacked(data, z)[rows]
    of_x = residuals(columns(data, x)[rows], given)
    of_y = residuals(columns(data, y)[rows], given)
    k_x, k_y = of_x.shape[1], of_y.shape[1]

    def log_determinant(part: np.ndarray) -> float:
        return float(np.linalg.slogdet(part.T @ part)[1])

    log_ratio = log_determinant(of_x) + log_determinant(of_y)
    log_ratio -= log_determinant(np.hstack([of_x, of_y]))
    factor = rows.sum() - 1 - given.shape[1] - (k_x + k_y + 1) / 2
    statistic = factor * log_ratio
    return statistic, k_x * k_y, float(stats.chi2.logsf(statistic, k_x * k_y))


def log_likelihood(matrix: np.ndarray) -> float:
    """Of the normal distribution that fits best."""
    if matrix.shape[1] == 0:
        return 0.0
    fit = stats.multivariate_normal(matrix.mean(axis=0), np.cov(matrix.T, bias=True))
    return float(fit.logpdf(matrix).sum())


def family_log_likelihood(data: Dataset, child: Var, parents: Vars) -> float:
    """Of the child given its parents: that of all, less that of the parents."""
    return log_likelihood(stacked(data, (child, *parents))) - log_likelihood(stacked(data, parents))


def n_parameters(data: Dataset, child: Var, parents: Vars) -> int:
    """Coefficients, intercepts, variances and covariances."""
    k, q = columns(data, child).shape[1], stacked(data, parents).shape[1]
    return k * q + k + k * (k + 1) // 2


def bge_set(data: Dataset, variables: Vars, mean_weight: float, weight: float) -> float:
    """Equations 3 and A.20 of Kuipers, Moffa and Heckerman (2014), on standardised columns."""
    p, k, n = data.n_variables, len(variables), data.n_samples
    if k == 0:
        return 0.0
    matrix = stacked(data, variables)
    matrix = (matrix - matrix.mean(axis=0)) / matrix.std(axis=0)
    t = mean_weight * (weight - p - 1) / (mean_weight + 1)
    prior, posterior = t * np.eye(k), t * np.eye(k) + matrix.T @ matrix
    rest = weight - p + k
    found = -k * n / 2 * math.log(math.pi) + k / 2 * math.log(mean_weight / (n + mean_weight))
    found += special.multigammaln((n + rest) / 2, k) - special.multigammaln(rest / 2, k)
    found += rest / 2 * np.linalg.slogdet(prior)[1]
    return float(found - (n + rest) / 2 * np.linalg.slogdet(posterior)[1])


def bge_alone(values: np.ndarray, mean_weight: float, rest: float) -> float:
    """The marginal likelihood of one variable, as a chain of t-distributions of its samples.

    ``rest`` is the degrees of freedom of the Wishart prior of a single variable.
    """
    values = (values - values.mean()) / values.std()
    mean, weight, df = 0.0, mean_weight, rest
    scale = mean_weight * (rest - 2) / (mean_weight + 1)
    total = 0.0
    for x in values:
        spread = math.sqrt(scale * (weight + 1) / (weight * df))
        total += float(stats.t.logpdf(x, df, mean, spread))
        scale += weight / (weight + 1) * (x - mean) ** 2
        mean = (weight * mean + x) / (weight + 1)
        weight, df = weight + 1, df + 1
    return total
