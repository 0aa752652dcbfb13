"""Fits the models of all powersets, several at a time, with a progress bar and checkpoints."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from h2pc.multilabel.feature_sets import candidate_features
from h2pc.multilabel.model_checkpoints import ModelCheckpoints
from h2pc.multilabel.model_choice import Fitted, Objective, PowersetTask
from h2pc.multilabel.training_set import Names, TrainingSet
from h2pc.runs.progress import ProgressBar


@dataclass(frozen=True, eq=False)
class PowersetFitting:
    """The powersets of a training set, and how their models are fitted."""

    training: TrainingSet
    powersets: Sequence[Names]
    boundaries: Sequence[Names] | None
    """The features in the Markov boundary of each powerset, if they are known."""
    new_base: Callable[[int, int], Any]
    """Makes an unfitted base classifier, given a number of workers and a seed."""
    seeds: Mapping[str, int]
    """For each label. A powerset has the seed of its first label, so that neither the workers nor
    the partition of the other labels change its model."""
    feature_selection: str | None
    blends: bool
    """Whether classifiers of parts of a powerset, and of all labels, may count as well."""
    objective: Objective
    least: int
    """Combinations of fewer samples are no classes."""
    needs_held_out: bool
    n_jobs: int | None
    progress: bool | None
    checkpoint: str | os.PathLike[str] | None

    def fitted(self) -> list[Fitted]:
        """Return the models of each powerset."""
        work = self._work()
        # Workers that are left over grow trees.
        inner = max(1, effective_n_jobs(self.n_jobs) // len(self.powersets))
        # The largest first: it may take longer than all the others.
        order = sorted(self.powersets, key=len, reverse=True)
        found: dict[Names, Fitted] = {}
        with warnings.catch_warnings(), ProgressBar("Classifiers", self.progress) as bar:
            # Many labels may well have as many combinations as that.
            warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
            bar.expect(len(order))
            jobs = (delayed(work)(self._task(powerset, inner)) for powerset in order)
            parallel = Parallel(n_jobs=self.n_jobs, prefer="threads", return_as="generator")
            for powerset, fitted in zip(order, parallel(jobs), strict=True):
                found[powerset] = fitted
                bar.advance(1)
        return [found[powerset] for powerset in self.powersets]

    def together(self, parts: Sequence[Fitted]) -> Fitted:
        """Return the models of the powersets, or better ones of all labels together."""
        task = self._task(self.training.targets, effective_n_jobs(self.n_jobs))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
            return task.together(parts, self.training.features)

    def _task(self, labels: Names, n_jobs: int) -> PowersetTask:
        new_base = partial(self.new_base, n_jobs)
        seed = self.seeds[labels[0]]
        return PowersetTask(self.training, labels, new_base, seed, self.objective, self.least)

    def _work(self) -> Callable[[PowersetTask], Fitted]:
        """Return what is to be done for a powerset."""
        if self.feature_selection == "auto":
            assert self.boundaries is not None
            sets = candidate_features(self.training, self.powersets, self.boundaries)
            candidates = dict(zip(self.powersets, sets, strict=True))
            blends = self.blends
            fit = lambda task: task.chosen(  # noqa: E731
                candidates[task.labels], in_parts=blends
            )
        else:
            all_features = (self.training.features,) * len(self.powersets)
            used = all_features if self.feature_selection is None else self.boundaries
            assert used is not None
            features = dict(zip(self.powersets, used, strict=True))
            needs = self.needs_held_out
            fit = lambda task: task.fixed(features[task.labels], needs_held_out=needs)  # noqa: E731
        if self.checkpoint is None:
            return fit
        return ModelCheckpoints.of(self, fit)
