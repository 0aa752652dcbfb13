"""Options of the independence test and of the learners, and the learners they make."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.data import Dataset
    from h2pc.graphs import Dag
    from h2pc.independence.base import CITest
    from h2pc.learners.structure_learner import StructureLearner
    from h2pc.networks import BayesianNetwork
    from h2pc.networks.linear_gaussian import LinearGaussianNetwork
    from h2pc.scores import LocalScore

TestName = Literal[
    "auto", "g2", "chi2", "gaussian", "mixed", "permutation", "semiparametric", "shrinkage"
]
ScoreName = Literal["auto", "bdeu", "bic", "aic", "k2", "bds", "qnml", "fnml", "bge", "loglik"]
SCORES_WITH_PRIOR = ("bdeu", "bds")
BAYESIAN = (*SCORES_WITH_PRIOR, "k2", "bge")
"""Scores that are marginal likelihoods: exponentials of differences are odds."""


@dataclass(frozen=True, kw_only=True)
class TestOptions:
    """Options of the independence test."""

    alpha: float = 0.05
    test: TestName = "auto"
    power_rule: float = 5.0
    symmetry: Literal["and", "or"] = "and"
    fdr_method: Literal["by", "bh"] = "by"
    constraints: Path | None = None

    @cached_property
    def known_edges(self) -> dict[str, list[list[str]]]:
        """The constraints of the file: required and forbidden edges, and tiers."""
        from h2pc.cli.inputs import constraints_of

        return constraints_of(self.constraints)

    def check_names(self, data: Dataset) -> None:
        """Refuse constraints on variables that the data do not have."""
        from h2pc.cli.inputs import check_constraints

        check_constraints(self.constraints, self.known_edges, data.names)

    def test_settings(self, data: Dataset) -> dict[str, Any]:
        """Return the parameters of the independence test on some data."""
        from h2pc.independence.named import suitable_test

        test = suitable_test(data) if self.test == "auto" else self.test
        return {"test": test, "alpha": self.alpha, "power_rule": self.power_rule}

    def test_on(self, data: Dataset) -> CITest:
        """Return the independence test on some data, within the constraints."""
        from h2pc.checks import checked
        from h2pc.independence.context import Context
        from h2pc.independence.named import independence_test
        from h2pc.learners.validation import (
            CHECKS,
            edge_constraints,
            usual_max_conditioning,
        )
        from h2pc.runs.limits import Limits, Watch

        settings = self.test_settings(data)
        ci = independence_test(data, **settings)
        groups = checked({name: self.known_edges.get(name, ()) for name in _CONSTRAINTS}, CHECKS)
        limits = Limits(max_conditioning=usual_max_conditioning(settings["test"]))
        return ci.within(Context(edge_constraints(data, **groups), Watch(limits, data.names)))


@dataclass(frozen=True, kw_only=True)
class LearningOptions(TestOptions):
    """Options of the learners."""

    algorithm: Literal["h2pc", "mmhc", "hc", "tabu", "ges"] = "h2pc"
    fdr: float | None = None
    variant: Literal["accurate", "paper"] = "accurate"
    one_sided_penalty: float = 1.5
    outside_penalty: float | None = None
    scoring: ScoreName = "auto"
    equivalent_sample_size: float = 10.0
    max_parents: int | None = None
    restarts: int = 0
    patience: int = 15

    def learner(
        self,
        *,
        random_state: int = 0,
        n_jobs: int = 1,
        progress: bool | None = None,
        **more: object,
    ) -> StructureLearner:
        """Return the learner; ``more`` are parameters that are given unless they are None."""
        from h2pc.learners.hybrid import H2PC, MMHC
        from h2pc.learners.score_based import GES, HillClimbing, TabuSearch

        if self.equivalent_sample_size != 10.0 and self.scoring not in ("auto", *SCORES_WITH_PRIOR):
            raise SettingError(
                f"--equivalent-sample-size is the prior of bdeu and bds; got --scoring "
                f"{self.scoring}."
            )
        kinds = {"h2pc": H2PC, "mmhc": MMHC, "hc": HillClimbing, "tabu": TabuSearch, "ges": GES}
        kind: Any = kinds[self.algorithm]
        known = signature(kind).parameters
        given = self._given() | {name: value for name, value in more.items() if value is not None}
        for name in given:
            if name not in known:
                option = f"--{name.replace('_', '-')}"
                raise SettingError(f"{option} does not go with --algorithm {self.algorithm}.")
        run = {"random_state": random_state, "n_jobs": n_jobs, "progress": progress}
        given |= {name: value for name, value in run.items() if name in known}
        learner: StructureLearner = kind(**given, **self.known_edges)
        return learner

    def check_has_skeleton(self) -> None:
        """Refuse algorithms that learn no neighbourhoods, which estimates are made of."""
        if self.algorithm not in ("h2pc", "mmhc"):
            raise SettingError(
                "--algorithm must be h2pc or mmhc for an estimate, which times the neighbourhoods "
                f"of a few targets; got {self.algorithm}."
            )

    def _given(self) -> dict[str, object]:
        """Return the parameters of the learner that differ from their default."""
        given = {field: getattr(self, field.name) for field in fields(self)}
        return {
            field.name: value
            for field, value in given.items()
            if value != field.default and field.name not in ("algorithm", "constraints")
        }

    def choices(self, data: Dataset) -> str:
        """Return which test and score are taken for a table with continuous variables."""
        n_continuous = int(data.is_continuous.sum())
        is_hybrid = self.algorithm in ("h2pc", "mmhc")
        test = f"test {self.test_settings(data)['test']}; " if is_hybrid else ""
        return (
            f"{n_continuous:,} of {data.n_variables:,} variables are continuous: {test}score "
            f"{self.score_name(data)}. --discretize cuts numbers into levels."
        )

    def score_on(self, data: Dataset) -> LocalScore:
        """Return the score on some data."""
        from h2pc.scores.named import local_score

        return local_score(data, self.score_name(data), self.equivalent_sample_size)

    def score_name(self, data: Dataset) -> str:
        """Return the name of the score on some data."""
        from h2pc.learners.score_based import GES
        from h2pc.learners.variants import SCORES_OF_COUNTS
        from h2pc.scores.named import suitable_score

        if self.scoring != "auto":
            return self.scoring
        of_counts = {"hc": "bdeu", "tabu": "bdeu", "ges": GES.score_of_counts}
        return suitable_score(data, of_counts.get(self.algorithm, SCORES_OF_COUNTS[self.variant]))

    def fitted(self, dag: Dag, data: Dataset) -> BayesianNetwork | LinearGaussianNetwork:
        """Return the network with tables by the prior of its score, or by Laplace's rule.

        Of continuous variables it has regressions.
        """
        from h2pc.networks import BayesianNetwork
        from h2pc.networks.linear_gaussian import LinearGaussianNetwork

        if data.kind == "continuous":
            return LinearGaussianNetwork.fit(dag, data)
        if self.score_name(data) in SCORES_WITH_PRIOR:
            size = self.equivalent_sample_size
            return BayesianNetwork.fit(dag, data, equivalent_sample_size=size)
        return BayesianNetwork.fit(dag, data, pseudo_count=1.0)


_CONSTRAINTS = ("required", "forbidden", "tiers")
