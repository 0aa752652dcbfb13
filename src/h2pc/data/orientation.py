"""Tables whose rows are variables, as those of genes are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from h2pc.data.column_plans import TablePlan
from h2pc.errors import DataWarning, Remedy

_FEWEST_SAMPLES = 6
_ALIKE = 0.8

# Names by which columns are numbered that are variables all the same, and years.
_VARIABLES = re.compile(
    r"(?i)(x|v|y|z|f|q|c|pc|var|feature|item|col|column|attr|question|week|day|month|year|dim|lag)"
    r"[ _.-]*#|#"
)


def transposed_hint(plan: TablePlan) -> DataWarning | None:
    """Return a warning where rows look like variables and columns like samples.

    That is: the first column holds different words, there are at least six other columns and more
    rows than columns, all the others hold numbers, most of them fractions, and most of their names
    differ in a number only, as S1, S2 and GSM1, GSM2 do.
    """
    profiles = [each.profile for each in plan.columns]
    if len(profiles) <= _FEWEST_SAMPLES or plan.n_rows <= len(profiles):
        return None
    first, others = profiles[0], profiles[1:]
    named = first.kind == "words" and first.n_observed == first.n_rows
    fractions = sum(each.kind == "fractions" for each in others)
    if not named or 2 * fractions < len(others) or not all(each.is_number for each in others):
        return None
    names = [each.name for each in others]
    if not _are_samples(names):
        return None
    return DataWarning(
        f"the rows look like variables, which {first.name!r} names, and {names[0]}, {names[1]}, … "
        f"like samples",
        Remedy("transpose", True, "makes the rows variables"),
    )


def _are_samples(names: Sequence[str]) -> bool:
    """Whether most names differ in a number only, and are not those of variables."""
    patterns = Counter(re.sub(r"\d+", "#", name) for name in names)
    pattern, n_alike = patterns.most_common(1)[0]
    return n_alike >= _ALIKE * len(names) and "#" in pattern and not _VARIABLES.fullmatch(pattern)
