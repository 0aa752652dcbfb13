"""Our learners in the comparison of learners."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from h2pc import GES, H2PC, MMHC, Dag, Dataset, HillClimbing, LearnResult, TabuSearch
from h2pc.errors import H2pcWarning
from h2pc.experiments.other_libraries import NoAnswerError, Seconds
from h2pc.experiments.paper_learners import timed
from h2pc.runs.cells import Record

_PAPER = {"variant": "paper"}

Run = Callable[[Dataset, float | None], LearnResult]
"""What learns from data in at most so many seconds."""


def fitted(learner: Callable[..., Any], **options: Any) -> Run:
    """Return the run of a learner with its defaults, except for some options."""

    def run(data: Dataset, max_seconds: float | None = None) -> LearnResult:
        made = learner(max_seconds=max_seconds, **options)
        made._warns_of_data = False  # few samples are part of the experiment
        result: LearnResult = made.fit(data).result_
        return result

    return run


_LEARNERS: dict[str, tuple[str, Run]] = {
    "h2pc": ("H2PC", fitted(H2PC, progress=False)),
    "h2pc-paper": ("H2PC of the paper", fitted(H2PC, progress=False, **_PAPER)),
    "mmhc": ("MMHC", fitted(MMHC, progress=False)),
    "mmhc-paper": ("MMHC of the paper", fitted(MMHC, progress=False, **_PAPER)),
    "ges": ("GES", fitted(GES)),
    "hc": ("hill climbing", fitted(HillClimbing)),
    "tabu": ("tabu search", fitted(TabuSearch)),
}
OURS = {name: title for name, (title, _) in _LEARNERS.items()}
"""Our learners, with their titles."""


def our_graph(learner: str, data: Dataset, limit: float | None = None) -> tuple[Dag, Seconds]:
    """Return the graph of one of our learners, and the time it took."""
    result, seconds = our_result(learner, data, limit)
    return result.dag, Seconds(seconds["total"], seconds["cpu"])


def our_result(
    learner: str, data: Dataset, limit: float | None = None
) -> tuple[LearnResult, Record]:
    """Return what one of our learners learns from data, and its running times in seconds."""
    _, run = _LEARNERS[learner]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", H2pcWarning)  # of the limit: there is no answer then
        result, seconds = timed(lambda fresh: run(fresh, limit), data)
    if not result.complete:
        raise NoAnswerError(f"over {limit:g} s")
    return result, seconds
