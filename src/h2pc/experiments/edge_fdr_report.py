"""The report on false edges: actual rates, where they are too high, and why."""

from __future__ import annotations

from h2pc.experiments.edge_fdr_cells import ALPHA, BOUNDS, LEVELS, N_REPLICATES, RANDOM
from h2pc.experiments.edge_fdr_tables import (
    Runs,
    determined_shares,
    failure_table,
    failures,
    grouped,
    rate_table,
    rule_table,
    stability_table,
)


def fdr_report(runs: Runs, picture: str | None = None) -> str:
    """Return the part on p-values and q-values."""
    drawn = "No picture was drawn." if picture is None else f"![Nominal and actual]({picture})"
    n_cases = len(grouped(runs)) * len(LEVELS)
    too_high = {method: failures(runs, method) for method in ("by", "bh")}
    on_random = {
        method: sum(each.group[0].startswith(RANDOM) for each in found)
        for method, found in too_high.items()
    }
    networks = list(dict.fromkeys(each.group[0] for each in too_high["by"]))
    shares = determined_shares(runs)
    determined = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    repetitions = sorted({len(records) for records in grouped(runs).values()}, reverse=True)
    return f"""# False discovery rates of edges

Skeletons of HPC, alpha = {ALPHA:g}, G², the defaults; {" or ".join(map(str, repetitions))}
repetitions of every network and size. A random network `random-100-3` has 100 variables of 2 to 4
levels and 3 neighbours on average; every repetition draws another one. An actual rate is the mean
share of false edges among those whose q-value is at most the nominal level, ± its standard error;
**bold** where it is above the nominal level by more than two standard errors. Power is the share of
the true edges that are claimed. "Untested" is the share of the edges at alpha = {ALPHA:g} that have
no q-value: a variable that might explain them was left out by tests for which the samples are too
few. They are never claimed. A case is a network, a size and a nominal level.

- Benjamini-Yekutieli: too high in {len(too_high["by"])} of {n_cases} cases,
  {on_random["by"]} of them on random networks.
- Benjamini-Hochberg: too high in {len(too_high["bh"])} of {n_cases} cases,
  {on_random["bh"]} of them on random networks.
- Too high by Benjamini-Yekutieli on: {", ".join(networks) or "no network"}.

Variables that their parents nearly determine (half of the rows of the table give one state 0.99 or
more, and not always the same one): {determined}.
Random networks have none: no probability is below 0.05.

{drawn}

## Benjamini-Yekutieli (`fdr_method="by"`)

{rate_table(runs, "by").as_markdown()}
## Where it is too high, and why

A variable is independent of its non-descendants given its parents. The last columns are shares of
the false edges at level {ALPHA:g}: "too few samples" where the power rule leaves out the test given
these parents; "not tried" where that test would have separated the two, but not all of them were
found nearby; "near deterministic" where an end, or one of these parents, is nearly determined by
its own parents.

{failure_table(runs).as_markdown()}
## Benjamini-Hochberg (`fdr_method="bh"`)

{rate_table(runs, "bh").as_markdown()}
## Without control: alpha = {ALPHA:g}

Actual rate / power.

{rule_table(runs, None).as_markdown()}
## The same rules at a rate of {ALPHA:g}, Benjamini-Yekutieli

{rule_table(runs, "by").as_markdown()}"""


def stability_report(runs: Runs) -> str:
    """Return the part on stability selection."""
    bounds = " or ".join(f"{bound:g}" for bound in BOUNDS)
    return f"""
## Stability selection

`edge_strengths(data, resampling="subsample")` with {N_REPLICATES} halves; the threshold is the
smallest one whose bound on the expected number of false edges is at most {bounds}. "Reached" counts
the repetitions in which there is such a threshold.

{stability_table(runs).as_markdown()}"""
