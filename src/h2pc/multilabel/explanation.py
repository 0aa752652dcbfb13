"""Why a classifier predicts these labels for a sample: what each feature contributes."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from rich.console import Console, Group
from sklearn.utils.parallel import Parallel, delayed

from h2pc.checks import number_of_jobs, whole_number
from h2pc.data.tables import default_names
from h2pc.errors import SettingError
from h2pc.multilabel.contributions import (
    Changes,
    background_rows,
    changes,
    contributions,
    prediction,
)
from h2pc.multilabel.explanation_html import fragment, standalone_page
from h2pc.multilabel.explanation_text import rich_parts
from h2pc.multilabel.label_roles import LabelRoles
from h2pc.multilabel.powerset_model import PowersetModel
from h2pc.multilabel.powersets import LabelLink
from h2pc.multilabel.training_set import Names

if TYPE_CHECKING:
    import pandas as pd

_MOST_ALTERNATIVES = 3


class FeatureContribution(NamedTuple):
    """What one feature contributes to the prediction of a powerset."""

    feature: str
    value: Any
    """The number or the level that the sample has."""
    contribution: float
    """The mean fall of the probability of the predicted combination."""
    label_contributions: tuple[float, ...]
    """For each label of the powerset, the mean fall of its probability."""
    role: str
    """What the feature is to the labels in the graph; empty where it is not next to them."""


class Combination(NamedTuple):
    """A combination of the labels of a powerset: those that are present, and its probability."""

    labels: Names
    probability: float


@dataclass(frozen=True)
class PowersetExplanation:
    """The prediction of one powerset, and what each feature contributes to it."""

    labels: Names
    """The labels that are predicted together, sorted."""
    predicted: Names
    """Those that are predicted to be present."""
    probability: float | None
    """That of the predicted combination; None where the classifier has no probabilities."""
    label_probabilities: tuple[float, ...] | None
    """The probability of each label; None where the classifier has none."""
    alternatives: tuple[Combination, ...]
    """The most probable of the other combinations, at most three."""
    features: tuple[FeatureContribution, ...]
    """The features of the classifier, largest contributions first, of either sign."""
    links: tuple[LabelLink, ...]
    """Why labels depend on each other in the graph."""

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, fit for JSON."""
        return {
            "labels": list(self.labels),
            "predicted": list(self.predicted),
            "probability": self.probability,
            "label_probabilities": self._by_label(self.label_probabilities),
            "alternatives": [
                {"labels": list(each.labels), "probability": each.probability}
                for each in self.alternatives
            ],
            "links": [
                {"labels": list(pair), "adjacent": adjacent, "through": list(through)}
                for pair, adjacent, through in self.links
            ],
            "features": [
                {
                    "feature": each.feature,
                    "value": _plain(each.value),
                    "contribution": each.contribution,
                    "label_contributions": self._by_label(each.label_contributions),
                    "role": each.role,
                }
                for each in self.features
            ],
        }

    def _by_label(self, values: Iterable[float] | None) -> dict[str, float] | None:
        return None if values is None else dict(zip(self.labels, values, strict=True))


@dataclass(frozen=True, repr=False)
class LabelExplanation:
    """Why labels are predicted for one sample; prints as text and tables.

    The contribution of a feature is the probability of the predicted combination of labels, minus
    its mean when the feature takes its values in the samples of the background, one after the
    other, all other features as they are. It is positive where the value speaks for the prediction.
    It is exactly 0 where the classifier does not use the feature.

    Contributions are not shares of the probability, and do not add up: features that say the same
    thing may contribute little each, for every one of them stands in for the others; and a feature
    that matters only together with another contributes with both. They describe the classifier,
    not causes. Where features depend on each other, some of the samples that are compared with have
    values that never come together.

    Where the classifier predicts no probabilities, 1 stands for the predicted combination and 0 for
    all others: the contribution is the share of the background under which the prediction changes.

    Attributes
    ----------
    row : int
        The number of the sample.
    powersets : tuple of PowersetExplanation
        For each powerset the labels, the predicted combination, its probability, the next best
        ones, and the contributions of the features, largest first.
    n_background : int
        The number of samples that the sample is compared with.
    has_probabilities : bool
        Whether contributions are changes of probabilities; if not, they are shares of changed
        predictions.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from h2pc import BinaryRelevance
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame(rng.normal(size=(300, 2)), columns=["rain", "sun"])
    >>> Y = pd.DataFrame({"wet": X["rain"] > 0})
    >>> classifier = BinaryRelevance(random_state=0).fit(X, Y)
    >>> why = classifier.explain(pd.DataFrame({"rain": [2.0], "sun": [0.0]}))
    >>> why.predicted, [each.feature for each in why.powersets[0].features]
    (('wet',), ['rain', 'sun'])
    """

    row: int
    powersets: tuple[PowersetExplanation, ...]
    n_background: int
    has_probabilities: bool

    @property
    def predicted(self) -> Names:
        """The labels that are predicted to be present, of the powersets explained, sorted."""
        return tuple(sorted(label for each in self.powersets for label in each.predicted))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, fit for JSON."""
        return {
            "row": self.row,
            "predicted": list(self.predicted),
            "n_background": self.n_background,
            "has_probabilities": self.has_probabilities,
            "powersets": [each.to_dict() for each in self.powersets],
        }

    def records(self, by: Literal["powerset", "label"] = "powerset") -> list[dict[str, Any]]:
        """Return a record for each powerset and feature, or for each label and feature."""
        if by not in ("powerset", "label"):
            raise SettingError(f"by must be 'powerset' or 'label'; got {by!r}.")
        of_one = _of_powerset if by == "powerset" else _of_labels
        return [record for i, each in enumerate(self.powersets) for record in of_one(i, each)]

    def to_frame(self, by: Literal["powerset", "label"] = "powerset") -> pd.DataFrame:
        """Return a pandas data frame; needs the extra ``pandas``.

        Parameters
        ----------
        by : {"powerset", "label"}, default="powerset"
            A row for each powerset and feature: contributions to the predicted combination. Or a
            row for each label and feature: contributions to the probability of the label.

        Returns
        -------
        pandas.DataFrame
            Columns ``powerset`` (its number, from 0), ``labels`` and ``predicted`` or ``label`` and
            ``predicted``, ``probability``, ``feature``, ``value``, ``contribution``, ``role``.
        """
        import pandas as pd

        return pd.DataFrame(self.records(by), columns=COLUMNS[by])

    def to_html(self) -> str:
        """Return a complete page, with bars for the contributions; it loads nothing."""
        return standalone_page(self)

    def _repr_html_(self) -> str:
        return fragment(self)

    def __rich__(self) -> Group:
        """Return what rich prints."""
        return rich_parts(self)

    def __str__(self) -> str:
        text = io.StringIO()
        Console(file=text, width=100, highlight=False).print(self)
        return "\n".join(line.rstrip() for line in text.getvalue().rstrip("\n").split("\n"))

    __repr__ = __str__


COLUMNS: dict[str, list[str]] = {
    "powerset": [
        *("powerset", "labels", "predicted", "probability"),
        *("feature", "value", "contribution", "role"),
    ],
    "label": [
        *("powerset", "label", "predicted", "probability"),
        *("feature", "value", "contribution", "role"),
    ],
}


def explained(
    classifier: Any,
    X: Any,
    row: int,
    background: Any,
    *,
    labels: Iterable[str] | None = None,
    n_background: int = 100,
) -> LabelExplanation:
    """Return why a fitted powerset classifier predicts the labels of one sample.

    Parameters
    ----------
    classifier : PowersetClassifier
        The fitted classifier.
    X, background : array or sparse matrix, samples by features
        Samples to explain and to compare with, as the models see them: columns by name, categories
        as numbers.
    row : int
        The number of the sample in ``X``.
    labels : iterable of str, default=None
        Only powersets with one of these labels; None is all.
    n_background : int, default=100
        The largest number of samples to compare with.
    """
    number = _checked_row(row, X.shape[0])
    wanted = _checked_labels(labels, classifier.labels_)
    most = whole_number(1)("n_background", n_background)
    x = X[number : number + 1]
    changed = changes(x, background_rows(background, most))
    one = _Explainer(classifier, x, changed)
    models = [m for m in classifier.models_ if not wanted.isdisjoint(one.label_names(m))]
    parts = Parallel(n_jobs=number_of_jobs(classifier.n_jobs), prefer="threads")(
        delayed(one.explained)(model) for model in models
    )
    return LabelExplanation(number, tuple(parts), changed.n_background, one.has_probabilities)


class _Explainer:
    """Explains the predictions of the models of a classifier for one sample."""

    def __init__(self, classifier: Any, x: Any, changed: Changes) -> None:
        self._x, self._changed = x, changed
        self._labels = sorted(classifier.labels_)
        given = getattr(classifier, "feature_names_in_", default_names(classifier.n_features_in_))
        self._features = sorted(given)
        self._levels = classifier.categories_
        self._roles = LabelRoles(classifier.dag_, self._labels)
        self.has_probabilities = hasattr(classifier, "predict_joint_proba")

    def label_names(self, model: PowersetModel) -> Names:
        """Return the labels that a model predicts."""
        return tuple(self._labels[j] for j in model.labels.tolist())

    def explained(self, model: PowersetModel) -> PowersetExplanation:
        """Return the explanation of one model."""
        labels = self.label_names(model)
        found = prediction(model, self._x, has_probabilities=self.has_probabilities)
        falls = contributions(model, self._x, found, self._changed).tolist()
        roles = self._roles.of_features(labels)
        names = [self._features[j] for j in model.features.tolist()]
        rows = [
            FeatureContribution(name, self._value(name, j), own, tuple(rest), roles.get(name, ""))
            for name, j, (own, *rest) in zip(names, model.features.tolist(), falls, strict=True)
        ]
        present = [_present(labels, each) for each in model.combinations]
        probability, by_label, alternatives = None, None, []
        if found.probabilities is not None:
            known = found.probabilities.tolist()
            probability = known[found.code]
            by_label = tuple(np.minimum(found.probabilities @ model.combinations, 1.0).tolist())
            others = sorted((-p, i) for i, p in enumerate(known) if p > 0 and i != found.code)
            alternatives = [Combination(present[i], -p) for p, i in others[:_MOST_ALTERNATIVES]]
        return PowersetExplanation(
            labels=labels,
            predicted=present[found.code],
            probability=probability,
            label_probabilities=by_label,
            alternatives=tuple(alternatives),
            features=tuple(sorted(rows, key=lambda each: (-abs(each.contribution), each.feature))),
            links=self._roles.links(labels),
        )

    def _value(self, name: str, j: int) -> Any:
        """Return the value of a feature: a number, or the level that it stands for."""
        value = self._x[0, j].item()
        levels = self._levels.get(name)
        return value if levels is None or np.isnan(value) else levels[int(value)]


def _present(labels: Names, combination: Any) -> Names:
    """Return the labels that are 1 in a combination."""
    return tuple(y for y, value in zip(labels, combination.tolist(), strict=True) if value)


def _of_powerset(i: int, each: PowersetExplanation) -> list[dict[str, Any]]:
    """Return a record for each feature of a powerset."""
    about = (i, ", ".join(each.labels), ", ".join(each.predicted), each.probability)
    return [
        dict(
            zip(
                COLUMNS["powerset"],
                (*about, f.feature, f.value, f.contribution, f.role),
                strict=True,
            )
        )
        for f in each.features
    ]


def _of_labels(i: int, each: PowersetExplanation) -> list[dict[str, Any]]:
    """Return a record for each label and feature of a powerset."""
    probabilities = each.label_probabilities or (None,) * len(each.labels)
    return [
        dict(
            zip(
                COLUMNS["label"],
                (i, label, int(label in each.predicted), p, f.feature, f.value, own, f.role),
                strict=True,
            )
        )
        for j, (label, p) in enumerate(zip(each.labels, probabilities, strict=True))
        for f in each.features
        for own in (f.label_contributions[j],)
    ]


def _checked_row(row: Any, n_rows: int) -> int:
    """Return the number of a sample, counted from 0."""
    number: int = whole_number(0)("row", row)
    if number >= n_rows:
        bound = f"a number from 0 to {n_rows - 1}" if n_rows > 1 else "0"
        samples = f"are {n_rows:,} samples" if n_rows > 1 else "is one sample"
        raise SettingError(f"row must be {bound}, for there {samples}; got {number}.")
    return number


def _checked_labels(labels: Iterable[str] | None, known: Names) -> frozenset[str]:
    """Return the labels to explain."""
    if labels is None:
        return frozenset(known)
    if isinstance(labels, str):
        raise SettingError(f"labels must be a sequence of names; got the string {labels!r}.")
    wanted = frozenset(labels)
    for label in sorted(wanted.difference(known), key=str):
        raise SettingError(f"labels must be among the {len(known)} of the model; got {label!r}.")
    if not wanted:
        raise SettingError("labels must name one label or more, or be None for all; got none.")
    return wanted


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    return value if isinstance(value, float) and np.isfinite(value) else str(value)
