"""What the search of a learner maximises, and where; the alternatives to what it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from h2pc.algorithms.alternatives import Alternative, alternatives
from h2pc.algorithms.learn_result import LearnResult
from h2pc.graphs import Dag, Skeleton
from h2pc.independence.constraints import EdgeConstraints
from h2pc.scores.base import LocalScore


@dataclass(frozen=True)
class SearchProblem:
    """A score of all variables of the data, and the graphs that a search may go to."""

    names: tuple[str, ...]
    score: LocalScore
    skeleton: Skeleton | None
    """The pairs that may be joined; None for all."""
    constraints: EdgeConstraints
    max_parents: int | None

    def alternatives(
        self,
        result: LearnResult,
        *,
        number: int,
        max_loss: float,
        poll: Callable[[], bool] | None,
    ) -> list[Alternative]:
        """Return alternatives to the graph of a result, on its variables."""
        found = alternatives(
            self.score,
            Dag.from_edges(self.names, result.dag.named_edges),
            self.skeleton,
            max_parents=self.max_parents,
            constraints=self.constraints,
            number=number,
            max_loss=max_loss,
            poll=poll,
        )
        if len(result.dag.names) < len(self.names):
            region = [self.names.index(name) for name in result.dag.names]
            found = [replace(each, dag=each.dag.subgraph(region)) for each in found]
        return [replace(each, score=result.score + each.difference) for each in found]
