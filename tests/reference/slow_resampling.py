"""The textbook twins of the permutation and shrinkage tests: all tables, one cell at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

from h2pc.data import Dataset
from h2pc.independence.base import Outcome
from h2pc.variables import Var, Vars
from reference.slow_tables import Stratum, log_tail, margins, strata


def slow_shrinkage(data: Dataset, x: Var, y: Var, z: Vars = ()) -> Outcome:
    """Equations 4 and 6 of Hausser and Strimmer (2009) on the table of x, y and z."""
    tables = strata(data, x, y, z)
    n = sum(table.total() for table in tables)
    rows = sorted({i for table in tables for i, _ in table})
    columns = sorted({j for table in tables for _, j in table})
    cells = list(product(range(len(tables)), rows, columns))
    share = {(k, i, j): tables[k][i, j] / n for k, i, j in cells}
    target = 1.0 / len(cells)
    below = (n - 1) * sum((target - p) ** 2 for p in share.values())
    above = 1.0 - sum(p**2 for p in share.values())
    intensity = min(1.0, above / below) if below > 0.0 else 1.0
    p = {cell: intensity * target + (1.0 - intensity) * share[cell] for cell in cells}
    p_z, p_xz, p_yz = Counter[int](), Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for (k, i, j), value in p.items():
        p_z[k] += value
        p_xz[k, i] += value
        p_yz[k, j] += value
    information = sum(
        value * math.log(value * p_z[k] / (p_xz[k, i] * p_yz[k, j]))
        for (k, i, j), value in p.items()
        if value > 0.0
    )
    df = len(tables) * (len(rows) - 1) * (len(columns) - 1)
    statistic = 2.0 * n * information
    return Outcome(statistic, df, log_tail(max(0.0, statistic), df), performed=True)


def slow_permutations(
    tables: list[Stratum], statistic: Callable[[Stratum], float]
) -> list[tuple[float, float]]:
    """Every value of the statistic over the permutations within strata, and its probability."""
    found = [(0.0, 1.0)]
    for table in tables:
        own = [(statistic(other), p) for other, p in _tables_with_margins_of(table)]
        found = [(a + b, p * q) for a, p in found for b, q in own]
    return found


def _tables_with_margins_of(table: Stratum) -> Iterator[tuple[Stratum, float]]:
    """All tables with these margins, and their probabilities under independence."""
    rows, columns = margins(table)
    fixed = math.lgamma(table.total() + 1)
    fixed -= sum(math.lgamma(n + 1) for n in (*rows.values(), *columns.values()))
    for cells in _filled(list(rows.items()), dict(columns)):
        log_p = -fixed - sum(math.lgamma(n + 1) for n in cells.values())
        yield Counter({cell: n for cell, n in cells.items() if n}), math.exp(log_p)


def _filled(
    rows: list[tuple[int, int]], left: dict[int, int]
) -> Iterator[dict[tuple[int, int], int]]:
    if not rows:
        if not any(left.values()):
            yield {}
        return
    (i, n_row), *others = rows
    for counts in product(*(range(min(n_row, most) + 1) for most in left.values())):
        if sum(counts) == n_row:
            rest = {j: most - n for (j, most), n in zip(left.items(), counts, strict=True)}
            for below in _filled(others, rest):
                yield {(i, j): n for j, n in zip(left, counts, strict=True)} | below
