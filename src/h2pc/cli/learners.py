"""From options to a learner of networks; what it has no setting for is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from h2pc.cli.options import Algorithm, Rule, Score, Test
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.data import Dataset
    from h2pc.graphs import Dag
    from h2pc.independence.base import CITest
    from h2pc.learners.structure_learner import StructureLearner
    from h2pc.networks import BayesianNetwork
    from h2pc.scores import LocalScore


@dataclass(frozen=True, kw_only=True)
class Learning:
    """How a network is learned; None is what the learner does by itself."""

    algorithm: Algorithm = Algorithm.H2PC
    alpha: float | None = None
    test: Test | None = None
    symmetry: Rule | None = None
    score: Score | None = None
    ess: float | None = None
    max_parents: int | None = None
    restarts: int | None = None
    patience: int | None = None
    power_rule: float | None = None
    second_power_rule: float | None = None
    resume: Path | None = None
    time: str | None = None
    memory: str | None = None
    max_conditioning: int | None = None
    max_subset_tests: int | None = None
    targets: tuple[str, ...] = ()
    constraints: dict[str, list[list[str]]] = field(default_factory=dict)

    def learner(self, *, seed: int = 0, jobs: int = 1, quiet: bool = False) -> StructureLearner:
        """Return the learner, its settings checked as far as they can be without data."""
        from h2pc.learners.hybrid import H2PC, MMHC
        from h2pc.learners.score_based import HillClimbing, TabuSearch

        kinds = {"h2pc": H2PC, "mmhc": MMHC, "hc": HillClimbing, "tabu": TabuSearch}
        learner: StructureLearner = kinds[self.algorithm.value]()
        settings = self._asked_for()
        possible = learner.get_params()
        for name in settings:
            if name not in possible:
                option = _OPTIONS.get(name, f"--{name.replace('_', '-')}")
                raise SettingError(f"{option} does not go with --algorithm {self.algorithm}.")
        unasked = {
            "random_state": seed,
            "n_jobs": jobs,
            "progress": False if quiet else None,
            **self.constraints,
        }
        settings |= {name: value for name, value in unasked.items() if name in possible}
        learner.set_params(**settings)
        return learner

    def test_settings(self) -> dict[str, Any]:
        """Return the settings of the independence test."""
        return {
            "test": (self.test or Test.G2).value,
            "alpha": 0.05 if self.alpha is None else self.alpha,
            "power_rule": 5.0 if self.power_rule is None else self.power_rule,
        }

    def test_on(self, data: Dataset) -> CITest:
        """Return the independence test of these settings, within the constraints."""
        from h2pc.independence.context import Context
        from h2pc.learners.validation import edge_constraints, independence_test

        ci = independence_test(data, **self.test_settings())
        groups = {name: self.constraints.get(name, []) for name in _KNOWN_EDGES}
        return ci.within(Context(edge_constraints(data, **groups)))

    def score_on(self, data: Dataset) -> LocalScore:
        """Return the score of these settings."""
        from h2pc.learners.validation import local_score

        return local_score(data, self.score_name, self.weight)

    def check_on(self, data: Dataset) -> None:
        """Refuse settings that make no sense, before any work is done."""
        self.test_on(data)
        self.score_on(data)

    def fitted(self, dag: Dag, data: Dataset) -> BayesianNetwork:
        """Return the network with tables by the prior of its score, or by Laplace's rule."""
        from h2pc.networks import BayesianNetwork

        if self.score_name in (Score.BDEU, Score.BDS):
            return BayesianNetwork.fit(dag, data, equivalent_sample_size=self.weight)
        return BayesianNetwork.fit(dag, data, pseudo_count=1.0)

    @property
    def score_name(self) -> str:
        """The name of the score."""
        return (self.score or Score.BDEU).value

    @property
    def weight(self) -> float:
        """The equivalent sample size of the prior."""
        return 10.0 if self.ess is None else self.ess

    def _asked_for(self) -> dict[str, Any]:
        """Return the settings that the user named, as the learners call them."""
        if self.ess is not None and self.score not in (None, Score.BDEU, Score.BDS):
            raise SettingError(
                f"--equivalent-sample-size is the prior of bdeu and bds; --scoring is {self.score}."
            )
        from h2pc.runs.limits import bytes_of, seconds_of

        named = {
            "alpha": self.alpha,
            "test": self.test and self.test.value,
            "symmetry": self.symmetry and self.symmetry.value,
            "score": self.score and self.score.value,
            "equivalent_sample_size": self.ess,
            "max_parents": self.max_parents,
            "restarts": self.restarts,
            "patience": self.patience,
            "power_rule": self.power_rule,
            "second_power_rule": self.second_power_rule,
            "checkpoint": self.resume,
            "max_seconds": None if self.time is None else seconds_of(self.time),
            "max_memory": None if self.memory is None else bytes_of(self.memory),
            "max_conditioning": self.max_conditioning,
            "max_subset_tests": self.max_subset_tests,
            "targets": list(self.targets) or None,
        }
        return {name: value for name, value in named.items() if value is not None}


_KNOWN_EDGES = ("required", "forbidden", "tiers")
_OPTIONS = {
    "targets": "--targets",
    "equivalent_sample_size": "--equivalent-sample-size",
    "checkpoint": "--checkpoint",
    "max_seconds": "--max-seconds",
    "max_memory": "--max-memory",
}
