"""Where what users say becomes objects, once; and where it is refused, with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from numbers import Integral, Real
from typing import Any, TypeVar

from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.base import CITest
from h2pc.independence.constrained import Edge, EdgeConstraints
from h2pc.independence.g_test import ChiSquareTest, GTest
from h2pc.local import hpc, mmpc
from h2pc.structure import Learner, Symmetry
from h2pc.variables import Vars

CITestFactory = Callable[..., CITest]
"""Makes a test, called as ``factory(data, alpha, power_rule=power_rule)``."""

NamedEdge = Sequence[str]
"""The names of a parent and of its child."""

LEARNERS: dict[str, Learner] = {"hpc": hpc, "mmpc": mmpc}
TESTS: dict[str, CITestFactory] = {"chi2": ChiSquareTest, "g2": GTest}

_T = TypeVar("_T")


def chosen(what: str, value: object, choices: Mapping[str, _T]) -> _T:
    """Return the choice that goes by the name ``value``."""
    if isinstance(value, str) and value in choices:
        return choices[value]
    listed = ", ".join(map(repr, choices))
    close = get_close_matches(str(value).lower(), choices, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise SettingError(f"{what} must be one of {listed}; got {value!r}.{hint}")


def local_learner(learner: str | Learner) -> Learner:
    """Return the local learner that a user means by its name, or brings."""
    return learner if callable(learner) else chosen("learner", learner, LEARNERS)


def symmetry_rule(symmetry: str) -> Symmetry:
    """Return the rule that goes by this name."""
    return chosen("symmetry", symmetry, {rule.value: rule for rule in Symmetry})


def independence_test(
    data: Dataset, test: str | CITestFactory, alpha: object, power_rule: object
) -> CITest:
    """Return the test on the data that a user means by its name, or brings the factory of."""
    factory = test if callable(test) else chosen("test", test, TESTS)
    made: object = factory(
        data, real_number("alpha", alpha), power_rule=real_number("power_rule", power_rule)
    )
    if not isinstance(made, CITest):
        raise SettingError(f"test must make a CITest; {test!r} made a {type(made).__name__}.")
    return made


def chosen_variables(what: str, names: object, data: Dataset) -> Vars:
    """Return the variables that go by these names, without repetitions."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise SettingError(f"{what} must be a list of names; got {names!r}.")
    return tuple(dict.fromkeys(data.variables(names)))


def real_number(what: str, value: object) -> float:
    """Return ``value`` as a plain float."""
    if not isinstance(value, bool) and isinstance(value, Real):
        return float(value)
    raise SettingError(f"{what} must be a number; got {value!r}.")


def whole_number(what: str, value: object, at_least: int) -> int:
    """Return ``value`` as a plain integer that is not too small."""
    if not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= at_least:
        return int(value)
    raise SettingError(f"{what} must be a whole number from {at_least} on; got {value!r}.")


def number_of_jobs(n_jobs: object) -> int | None:
    """Return ``n_jobs`` as joblib wants it."""
    if n_jobs is None:
        return None
    if not isinstance(n_jobs, bool) and isinstance(n_jobs, Integral) and int(n_jobs) != 0:
        return int(n_jobs)
    raise SettingError(
        f"n_jobs must be None, a number of workers, or -1 for all processors; got {n_jobs!r}."
    )


def edge_constraints(
    data: Dataset,
    required: Iterable[NamedEdge],
    forbidden: Iterable[NamedEdge],
    tiers: Iterable[Iterable[str]],
) -> EdgeConstraints:
    """Return what is known of the edges, with variables for their names."""
    edges = [
        tuple(_edge(what, edge, data) for edge in given)
        for what, given in (("required", required), ("forbidden", forbidden))
    ]
    groups = tuple(chosen_variables("a tier", tier, data) for tier in tiers)
    try:
        return EdgeConstraints(edges[0], edges[1], groups)
    except SettingError:
        # Once more in the words of the user: what is refused is refused with names.
        named: Any = partial(map, data.names.__getitem__)
        speaking: Any = EdgeConstraints
        speaking(
            *(tuple(tuple(named(edge)) for edge in some) for some in edges),
            tuple(tuple(named(group)) for group in groups),
        )
        raise


def _edge(what: str, edge: object, data: Dataset) -> Edge:
    """Return the variables at the ends of an edge."""
    if isinstance(edge, str) or not isinstance(edge, Sequence) or len(edge) != 2:
        raise SettingError(f"{what} must hold pairs (parent, child) of names; got {edge!r}.")
    return data.variable(edge[0]), data.variable(edge[1])
