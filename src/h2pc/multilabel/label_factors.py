"""Irreducible label factors under three assumptions: faithfulness, Composition, Intersection."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from h2pc.algorithms.iamb import iamb, iamb_fdr, inter_iamb, shrink
from h2pc.algorithms.neighbourhoods import Learner
from h2pc.checks import chosen, number, number_of_jobs, one_of
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.graphs import Dag, Skeleton
from h2pc.independence.base import CITest
from h2pc.independence.named import CITestFactory, TestName, independence_test
from h2pc.learners.hybrid import H2PC
from h2pc.multilabel.data import MultilabelData, chosen_labels
from h2pc.multilabel.label_structure import checked_structure, fitted_around
from h2pc.multilabel.pair_outcomes import PairOutcomes, pair_outcomes
from h2pc.multilabel.powersets import (
    LabelLink,
    label_links,
    minimal_label_powersets,
    powerset_boundary,
)
from h2pc.multilabel.training_set import training_set_of
from h2pc.variables import without

Assumption = Literal["faithfulness", "composition", "intersection"]
ASSUMPTIONS: tuple[str, ...] = ("faithfulness", "composition", "intersection")

_BOUNDARIES: dict[str, Learner] = {
    "iamb_fdr": iamb_fdr,
    "iamb": iamb,
    "inter_iamb": inter_iamb,
    "shrink": shrink,
}
_BOUNDARY_ALPHA = 0.05
# Gasse, Aussem and Elghazel (2015) test pairs at 1e-4. One false link joins two factors, so that
# the chance of any among all pairs has to be small.
_PAIR_ALPHA, _ANY_FALSE_LINK = 1e-4, 0.05


class FactorLink(NamedTuple):
    """Two labels that tests joined."""

    labels: tuple[str, str]
    """Both of them, sorted."""
    log_p: tuple[float, float]
    """Log p-values given the boundary of the first label, and given that of the second."""


@dataclass(frozen=True)
class LabelFactors:
    """The irreducible label factors of some data, of :func:`irreducible_label_factors`.

    Attributes
    ----------
    assumption : {"faithfulness", "composition", "intersection"}
        What was assumed of the distribution.
    labels : tuple of str
        The labels, sorted.
    factors : tuple of tuples of str
        A partition of the labels: each sorted, in the order of first labels.
    boundaries : tuple of tuples of str
        The Markov boundary of each factor among the features, sorted.
    label_boundaries : tuple of tuples of str
        The features in the Markov boundary of each label, sorted.
    links : tuple of FactorLink or LabelLink
        The pairs of labels that are joined, sorted: with p-values, or with the reason in the graph.
    n_tests : int
        The number of independence tests.
    dag : Dag or None
        The graph, under faithfulness.
    alpha : float or None
        The level at which labels are joined; None under faithfulness, where a graph joins them.

    Examples
    --------
    >>> from h2pc import irreducible_label_factors, make_multilabel_network
    >>> data = make_multilabel_network(n_labels=4, n_features=8, random_state=3).sample(2000, 1)
    >>> print(irreducible_label_factors(data))
    4 labels in 3 irreducible factors (composition)
    Y0 given X3
    Y1 given X5
    Y2, Y3 given X0, X1, X4
    """

    assumption: str
    labels: tuple[str, ...]
    factors: tuple[tuple[str, ...], ...]
    boundaries: tuple[tuple[str, ...], ...]
    label_boundaries: tuple[tuple[str, ...], ...]
    links: tuple[FactorLink | LabelLink, ...]
    n_tests: int = 0
    dag: Dag | None = None
    alpha: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, fit for JSON; infinite log p-values are None."""
        return {
            "assumption": self.assumption,
            "labels": list(self.labels),
            "factors": [
                {"labels": list(some), "boundary": list(near)}
                for some, near in zip(self.factors, self.boundaries, strict=True)
            ],
            "label_boundaries": {
                label: list(near)
                for label, near in zip(self.labels, self.label_boundaries, strict=True)
            },
            "links": [
                {name: _plain(value) for name, value in link._asdict().items()}
                for link in self.links
            ],
            "edges": None if self.dag is None else [list(edge) for edge in self.dag.named_edges],
            "alpha": self.alpha,
            "n_tests": self.n_tests,
        }

    def __str__(self) -> str:
        several = "s" if len(self.labels) != 1 else "", "s" if len(self.factors) != 1 else ""
        title = (
            f"{len(self.labels)} label{several[0]} in {len(self.factors)} irreducible "
            f"factor{several[1]} ({self.assumption})"
        )
        groups = zip(self.factors, self.boundaries, strict=True)
        lines = [f"{', '.join(some)} given {', '.join(near) or 'nothing'}" for some, near in groups]
        return "\n".join([title, *lines])


def irreducible_label_factors(
    data: Any,
    labels: Iterable[str] | None = None,
    *,
    assumption: Assumption = "composition",
    test: TestName | CITestFactory = "auto",
    alpha: float | None = None,
    power_rule: float = 5.0,
    boundary: Literal["iamb_fdr", "iamb", "inter_iamb", "shrink"] = "iamb_fdr",
    join: Literal["either", "both"] = "either",
    structure: Any = None,
    n_jobs: int | None = None,
) -> LabelFactors:
    """Return the smallest sets of labels independent of all other labels given the features.

    They are the finest partition of the labels in which every part is independent of the others
    given the features X. There is exactly one, whatever the distribution; how it is found depends
    on what is assumed.

    Parameters
    ----------
    data : MultilabelData, Dataset, or table as of :meth:`Dataset.from_data`
        The samples. For tests, continuous features of a MultilabelData are cut at their median, as
        classifiers do; those of tables and of data sets stay as they are.
    labels : iterable of str, default=None
        The names of the labels, in any order; all other columns are features. By default those of
        a MultilabelData.
    assumption : {"composition", "faithfulness", "intersection"}, default="composition"
        What is assumed of the distribution; see the notes.
    test : str or callable, default="auto"
        The independence test, as in :func:`skeleton`.
    alpha : float, default=None
        The level at which two labels are joined. By default 0.0001, or 0.05 divided by the number
        of tests of pairs where that is less: one false link joins two factors. Under faithfulness
        the level of H2PC, by default 0.05.
    power_rule : float, default=5.0
        Fewest samples per cell for a test to be performed. A pair of labels is tested in any case:
        given as many members of the boundary as the rule allows, those that entered first.
    boundary : {"iamb_fdr", "iamb", "inter_iamb", "shrink"}, default="iamb_fdr"
        How Markov boundaries are learned, at a level of 0.05. The first three add variables one at
        a time, which is exact under Composition. "shrink" removes them one at a time from all,
        which is exact under Intersection, and needs samples for tests given all variables.
    join : {"either", "both"}, default="either"
        Join two labels where they depend on each other given the boundary of one of them, or given
        either boundary.
    structure : Dag, or a learner such as H2PC() or MMHC(), default=None
        Under faithfulness: the graph, or its learner; by default H2PC.
    n_jobs : int, default=None
        The number of workers, as joblib counts them: None is one, -1 all processors.

    Returns
    -------
    LabelFactors
        The factors, their Markov boundaries among the features, and the links between labels.

    See Also
    --------
    minimal_label_powersets : The factors that a given graph implies.

    Notes
    -----
    *Faithfulness.* A graph represents all independences and no others. Labels are joined that are
    adjacent or have a common child among the features (Theorem 8), and the features next to a
    factor are its Markov boundary (Theorem 9).

    *Composition.* A ⊥ B | Z and A ⊥ C | Z imply A ⊥ B ∪ C | Z, as in faithful and in Gaussian
    distributions. Let M be a Markov boundary of label A among the features. Then A ⊥ B | X if and
    only if A ⊥ B | M: one direction is by composition with A ⊥ X - M | M and weak union, the other
    by contraction. Labels are joined where the test of A ⊥ B | M rejects, and the factors are the
    connected components: pairs that are independent given X make independent sets, by composition
    (Gasse, Aussem and Elghazel, 2015). The union of the boundaries of the labels of a factor is a
    Markov blanket of it among the features, and its Markov boundary where Intersection holds too.

    *Intersection.* A ⊥ B | Z ∪ C and A ⊥ C | Z ∪ B imply A ⊥ B ∪ C | Z, as in every strictly
    positive distribution. Labels are joined where A and B depend on each other given all other
    variables, and the factors are the connected components (Gasse and Aussem, 2016). This is where
    B is in the Markov boundary M of A among all other variables, or A and B depend on each other
    given M - {B}. The union of the boundaries of the labels of a factor, without the labels, is its
    Markov boundary, among the features and among all other variables. What is listed for one label
    are the features in its boundary; its other members are labels that it is joined to.

    References
    ----------
    M. Gasse, A. Aussem and H. Elghazel (2015). On the optimality of multi-label classification
    under subset zero-one loss for distributions satisfying the composition property. ICML.

    M. Gasse and A. Aussem (2016). Identifying the irreducible disjoint factors of a multivariate
    probability distribution. PGM.

    Examples
    --------
    >>> from h2pc import irreducible_label_factors, make_multilabel_network
    >>> data = make_multilabel_network(n_labels=4, n_features=8, random_state=3).sample(2000, 1)
    >>> found = irreducible_label_factors(data, assumption="intersection")
    >>> found.factors
    (('Y0',), ('Y1',), ('Y2', 'Y3'))
    >>> [link.labels for link in found.links]
    [('Y2', 'Y3')]
    """
    one_of(ASSUMPTIONS)("assumption", assumption)
    learner = chosen("boundary", boundary, _BOUNDARIES)
    one_of(("either", "both"))("join", join)
    number(above=0.0, optional=True)("alpha", alpha)
    n_jobs = number_of_jobs(n_jobs)
    structure = checked_structure(structure)
    if structure is not None and (assumption != "faithfulness" or alpha is not None):
        raise SettingError(
            "structure goes with assumption='faithfulness', and has a level of its own: expected "
            f"None; got {structure!r}."
        )
    sample, names = _sample(data, labels)
    if assumption == "faithfulness":
        if structure is None:
            level = _BOUNDARY_ALPHA if alpha is None else alpha
            settings: dict[str, Any] = {"test": test, "power_rule": power_rule}
            structure = H2PC(level, n_jobs=n_jobs, progress=False, **settings)
        return _of_graph(structure, sample, names)

    n_pairs = len(names) * (len(names) - 1)
    usual = min(_PAIR_ALPHA, _ANY_FALSE_LINK / max(n_pairs, 1))
    ci = independence_test(sample, test, _BOUNDARY_ALPHA, power_rule)
    pair_test = independence_test(sample, test, usual if alpha is None else alpha, power_rule)
    own, everything = sample.variables(names), tuple(range(sample.n_variables))
    universe = without(everything, *own) if assumption == "composition" else everything
    found = pair_outcomes(own, universe, learner, (ci, pair_test), n_jobs)
    return _joined(assumption, sample, found, pair_test, join)


def _sample(data: Any, labels: Iterable[str] | None) -> tuple[Dataset, tuple[str, ...]]:
    """Return the data as the tests need them, and the labels, sorted."""
    if isinstance(data, MultilabelData):
        labels = data.label_names if labels is None else labels
        sample = training_set_of(data).discrete()
    elif labels is None:
        raise SettingError("labels must name the columns that are labels; got None.")
    else:
        sample = Dataset.from_data(data)
    return sample, tuple(sorted(chosen_labels(labels, sample.names)))


def _of_graph(structure: Any, sample: Dataset, labels: tuple[str, ...]) -> LabelFactors:
    """Return the factors of a graph, which is learned unless it is given."""
    n_tests = 0
    if not isinstance(structure, Dag):
        fitted = fitted_around(structure, sample, labels)
        structure, n_tests = (
            fitted.dag_,
            fitted.result_.n_tests if hasattr(fitted, "result_") else 0,
        )
    dag: Dag = structure
    factors = minimal_label_powersets(dag, labels)
    return LabelFactors(
        "faithfulness",
        labels,
        factors,
        tuple(powerset_boundary(dag, some, labels) for some in factors),
        tuple(powerset_boundary(dag, (label,), labels) for label in labels),
        label_links(dag, labels),
        n_tests,
        dag,
    )


def _joined(
    assumption: str, sample: Dataset, found: PairOutcomes, pair_test: CITest, join: str
) -> LabelFactors:
    """Return the factors: labels are joined where tests of pairs reject independence."""
    own, names = tuple(found.boundaries), sample.names
    links = []
    for (x, y), log_p in found.log_p.items():
        both = log_p, found.log_p[y, x]
        weakest = max(both) if join == "both" else min(both)
        if x < y and not pair_test.independent(weakest):
            links.append(FactorLink((names[x], names[y]), both))
    labels = tuple(names[y] for y in own)
    graph = Skeleton(labels, [link.labels for link in links])
    near = {names[y]: _features(names, found.boundaries[y], own) for y in own}
    factors = tuple(tuple(labels[v] for v in some) for some in graph.connected_components())
    return LabelFactors(
        assumption,
        labels,
        factors,
        tuple(tuple(sorted({x for y in some for x in near[y]})) for some in factors),
        tuple(near.values()),
        tuple(links),
        found.n_tests,
        alpha=pair_test.alpha,
    )


def _features(
    names: Sequence[str], boundary: tuple[int, ...], labels: tuple[int, ...]
) -> tuple[str, ...]:
    """Return the names of the features in a boundary, sorted."""
    return tuple(sorted(names[v] for v in without(boundary, *labels)))


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
