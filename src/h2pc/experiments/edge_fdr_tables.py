"""Tables of actual false discovery rates, of power, and of stability selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from h2pc.experiments.edge_fdr_cells import (
    ALPHA,
    ASSUMPTIONS,
    BOUNDS,
    KINDS,
    LEVELS,
    RANDOM,
    FdrCell,
    near_deterministic,
)
from h2pc.experiments.markdown_tables import MarkdownTable
from h2pc.networks import load_network
from h2pc.runs.cells import Record

Runs = Mapping[FdrCell, Record]
Claims = Callable[[Record], list[int]]
"""From a record to the numbers of claimed and of false edges."""


class Rate(NamedTuple):
    """A mean over repetitions, and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Rate:
        """Return the mean of some values."""
        values = list(values)
        return cls(fmean(values), stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0)

    def exceeds(self, bound: float) -> bool:
        """Whether the mean is above a bound by more than two standard errors."""
        return self.mean > bound + 2 * self.error

    def __str__(self) -> str:
        return f"{self.mean:.3f} ±{self.error:.3f}"


class Failure(NamedTuple):
    """A rate above its nominal level."""

    group: tuple[str, int]
    level: float
    rate: Rate


def controlled(method: str, level: float, learner: str = "hpc", rule: str = "and") -> Claims:
    """Return how many edges have a q-value of at most ``level``."""
    place = LEVELS.index(level)

    def claims(record: Record) -> list[int]:
        found: list[int] = record[learner][rule][method][place]
        return found

    return claims


def uncontrolled(learner: str = "hpc", rule: str = "and") -> Claims:
    """Return how many edges there are without control."""

    def claims(record: Record) -> list[int]:
        found: list[int] = record[learner][rule]["alpha"]
        return found

    return claims


def false_share(records: Iterable[Record], claims: Claims) -> Rate:
    """Actual false discovery rate: the mean share of false edges, 0 where nothing is claimed."""
    return Rate.of(false / max(1, n) for n, false in map(claims, records))


def power(records: Iterable[Record], claims: Claims) -> float:
    """Mean share of the true edges that are claimed."""
    counted = ((claims(record), record["true_edges"]) for record in records)
    return fmean((n - false) / true for (n, false), true in counted)


def untested_share(records: Iterable[Record]) -> float:
    """Mean share of the edges of HPC that have no q-value, since some variable was not tested."""
    counts = (record["hpc"]["and"] for record in records)
    return fmean(found["untested"][0] / max(1, found["alpha"][0]) for found in counts)


def failures(runs: Runs, method: str) -> list[Failure]:
    """Return where the actual rate of HPC is above the nominal one by two standard errors."""
    found = []
    for group, records in grouped(runs).items():
        for level in LEVELS:
            rate = false_share(records, controlled(method, level))
            if rate.exceeds(level):
                found.append(Failure(group, level, rate))
    return found


def grouped(runs: Runs) -> dict[tuple[str, int], list[Record]]:
    """Return the repetitions of every network and size."""
    groups: dict[tuple[str, int], list[Record]] = {}
    for cell, record in runs.items():
        groups.setdefault((cell.network, cell.n_samples), []).append(record)
    return groups


def rate_table(runs: Runs, method: str) -> MarkdownTable:
    """Actual rates at all nominal levels, and the power at the usual one."""
    headings = ["network", "samples", "repetitions", *(f"FDR at {level:g}" for level in LEVELS)]
    rows = []
    for (network, n_samples), records in grouped(runs).items():
        cells = []
        for level in LEVELS:
            rate = false_share(records, controlled(method, level))
            cells.append(f"**{rate}**" if rate.exceeds(level) else str(rate))
        found = f"{power(records, controlled(method, ALPHA)):.2f}"
        group = (network, f"{n_samples:,}", str(len(records)))
        rows.append((*group, *cells, found, f"{untested_share(records):.2f}"))
    return MarkdownTable((*headings, f"power at {ALPHA:g}", "untested"), tuple(rows))


_RULES = {
    "HPC, AND": ("hpc", "and"),
    "HPC, OR": ("hpc", "or"),
    "MMPC, AND": ("mmpc", "and"),
    "MMPC, OR": ("mmpc", "or"),
}


def rule_table(runs: Runs, method: str | None) -> MarkdownTable:
    """Rate and power of learners and symmetry rules, without control or at the usual level."""
    rows = []
    for (network, n_samples), records in grouped(runs).items():
        cells = []
        for learner, rule in _RULES.values():
            claims = (
                uncontrolled(learner, rule)
                if method is None
                else controlled(method, ALPHA, learner, rule)
            )
            cells.append(f"{false_share(records, claims).mean:.3f} / {power(records, claims):.2f}")
        rows.append((network, f"{n_samples:,}", *cells))
    return MarkdownTable(("network", "samples", *_RULES), tuple(rows))


def failure_table(runs: Runs) -> MarkdownTable:
    """Where control fails, and what the false edges at the usual level are."""
    groups = grouped(runs)
    rows = []
    for (network, n_samples), level, rate in failures(runs, "by"):
        why = [record["why"] for record in groups[network, n_samples]]
        n = sum(each["false"] for each in why)
        shares = [f"{sum(each[kind] for each in why) / n:.2f}" if n else "–" for kind in KINDS]
        rows.append((network, f"{n_samples:,}", f"{level:g}", str(rate), str(n), *shares))
    headings = ("network", "samples", "nominal", "actual", f"false edges at {ALPHA:g}")
    kinds = (kind.replace("_", " ") for kind in KINDS)
    return MarkdownTable((*headings, *kinds), tuple(rows))


def determined_shares(runs: Runs) -> dict[str, float]:
    """Return for every network of the library the share of variables nearly determined."""
    names = dict.fromkeys(cell.network for cell in runs if not cell.network.startswith(RANDOM))
    networks = {name: load_network(name) for name in names}
    return {name: len(near_deterministic(net)) / len(net.names) for name, net in networks.items()}


def stability_table(runs: Runs) -> MarkdownTable:
    """False edges beside their bound, and power."""
    headings = ["network", "samples", "repetitions", "bound", "assumption", "reached"]
    rows = []
    for (network, n_samples), records in grouped(runs).items():
        for place, bound in enumerate(BOUNDS):
            for assumption in ASSUMPTIONS:
                found = [r for r in records if r[assumption][place] is not None]
                row = [network, f"{n_samples:,}", str(len(records)), f"{bound:g}", assumption]
                row.append(f"{len(found)} of {len(records)}")
                if found:
                    false = Rate.of(r[assumption][place][3] for r in found)
                    row.append(f"**{false}**" if false.exceeds(bound) else str(false))
                    row.append(f"{power(found, lambda r: r[assumption][place][2:]):.2f}")  # noqa: B023
                else:
                    row += ["–", "–"]
                rows.append(tuple(row))
    return MarkdownTable((*headings, "false edges", "power"), tuple(rows))
