"""Cross-validation of several methods on the same folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

from h2pc.cli.classifying import ClassifierOptions, Method
from h2pc.cli.label_graph_files import label_structure
from h2pc.cli.multilabel_data import labelled_tables
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.multilabel.data import MultilabelData

SCORES = ("subset_accuracy", "hamming_loss", "micro_f1", "macro_f1", "example_f1")


@dataclass(frozen=True)
class MethodScores:
    """The scores of a method in every fold."""

    method: Method
    folds: tuple[dict[str, float], ...]

    def values(self, score: str) -> list[float]:
        """Return one of the scores in every fold."""
        return [fold[score] for fold in self.folds]

    def mean(self, score: str) -> float:
        """Return the mean of a score."""
        return mean(self.values(score))

    def deviation(self, score: str) -> float:
        """Return the standard deviation of a score between folds."""
        return stdev(self.values(score))

    def record(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "method": str(self.method),
            "scores": {
                score: {
                    "mean": self.mean(score),
                    "sd": self.deviation(score),
                    "folds": self.values(score),
                }
                for score in SCORES
            },
        }


def cross_validated(
    data: MultilabelData,
    methods: Sequence[Method],
    options: ClassifierOptions,
    folds: int,
    report: Callable[[str], None],
) -> list[MethodScores]:
    """Return the scores of the methods; a graph is learned once for each fold."""
    from sklearn.model_selection import KFold

    from h2pc.multilabel.metrics import multilabel_scores

    if not 2 <= folds <= data.n_samples:
        raise SettingError(f"--folds must be from 2 to {data.n_samples}, the samples; got {folds}.")
    if len(set(methods)) < len(methods):
        raise SettingError("--method names a method twice: expected different ones.")
    found: dict[Method, list[dict[str, float]]] = {method: [] for method in methods}
    parts = KFold(folds, shuffle=True, random_state=options.random_state).split(data.Y)
    for number, (train, test) in enumerate(parts, 1):
        known, new = data.take(train), data.take(test)
        needed = any(method.needs_graph for method in methods)
        dag = label_structure(known, options.learner()).result.dag if needed else None
        X, Y = labelled_tables(known)
        unseen = labelled_tables(new)[0]
        for method in methods:
            classifier = options.classifier(method, dag).fit(X, Y)
            scores = multilabel_scores(new.Y, classifier.predict(unseen))
            found[method].append(asdict(scores))
        report(f"Fold {number} of {folds} is done.")
    return [MethodScores(method, tuple(scores)) for method, scores in found.items()]


def p_values(first: MethodScores, second: MethodScores) -> dict[str, float | None]:
    """Return Wilcoxon's signed-rank test of every score; None where all folds are equal."""
    from h2pc.experiments.multilabel_comparisons import signed_rank_p_value

    found = {}
    for score in SCORES:
        pairs = zip(first.values(score), second.values(score), strict=True)
        # The last digits are noise, and would turn ties into differences.
        differences = [round(one - other, 9) for one, other in pairs]
        found[score] = signed_rank_p_value(differences, "two-sided")
    return found
