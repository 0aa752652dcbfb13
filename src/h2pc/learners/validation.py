"""Where what users say becomes objects, once; and where it is refused, with a reason."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from difflib import get_close_matches
from functools import partial
from numbers import Integral, Real
from typing import Any, Literal, TypeVar

from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.learn_result import LearnResult
from h2pc.algorithms.mmpc import mmpc
from h2pc.algorithms.neighbourhoods import Learner
from h2pc.algorithms.skeleton_result import SkeletonResult
from h2pc.algorithms.skeletons import Symmetry
from h2pc.data import Dataset
from h2pc.errors import H2pcWarning, SettingError
from h2pc.graphs import Dag
from h2pc.independence.base import CITest
from h2pc.independence.constraints import Edge, EdgeConstraints
from h2pc.independence.tables import ChiSquareTest, GTest, usual_cache_size
from h2pc.runs import CellStore
from h2pc.runs.limits import SHARE_OF_MEMORY, Limits, Watch, in_bytes, memory_in_use
from h2pc.scores import AIC, BIC, K2, BDeu, BDs, LocalScore, LogLikelihood
from h2pc.variables import Vars
from h2pc.version import __version__

CITestFactory = Callable[..., CITest]
"""Makes a test, called as ``factory(data, alpha, power_rule=power_rule)``."""

ScoreFactory = Callable[[Dataset], LocalScore]
"""Makes a score, called as ``factory(data)``."""

ScoreName = Literal["bdeu", "bic", "aic", "loglik", "k2", "bds"]

NamedEdge = Sequence[str]
"""The names of a parent and of its child."""

LEARNERS: dict[str, Learner] = {"hpc": hpc, "mmpc": mmpc}
TESTS: dict[str, CITestFactory] = {"chi2": ChiSquareTest, "g2": GTest}
PLAIN_SCORES: dict[str, ScoreFactory] = {
    "aic": AIC,
    "bic": BIC,
    "k2": K2,
    "loglik": LogLikelihood,
}
PRIOR_SCORES: dict[str, Callable[[Dataset, float], LocalScore]] = {"bdeu": BDeu, "bds": BDs}

_BYTES_PER_ANSWER = 32
_LARGEST_PAIRS = 1 << 28
"""Bytes at most for the counts of all pairs of levels."""
_BYTES_PER_MOVE = 500
"""Of a search, for every edge that may come or go."""

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
    data: Dataset,
    test: str | CITestFactory,
    alpha: object,
    power_rule: object,
    limits: Limits | None = None,
) -> CITest:
    """Return the test on the data that a user means by its name, or brings the factory of.

    Where memory is limited, one that goes by a name remembers fewer answers.
    """
    factory = test if callable(test) else chosen("test", test, TESTS)
    if limits is not None and limits.max_memory is not None and not callable(test):
        room = max(0, limits.max_memory - memory_in_use()) // 16
        most = 1 << (room // _BYTES_PER_ANSWER).bit_length() >> 1
        cache_size = min(most, usual_cache_size(data))
        factory = partial(factory, cache_size=cache_size, bytes_for_rounds=room)
    made: object = factory(
        data, real_number("alpha", alpha), power_rule=real_number("power_rule", power_rule)
    )
    if not isinstance(made, CITest):
        raise SettingError(f"test must make a CITest; {test!r} made a {type(made).__name__}.")
    return made


def bolder_test(ci: CITest, power_rule: object) -> CITest | None:
    """Return the test with the second power rule, if there is one."""
    if power_rule is None:
        return None
    rule = real_number("second_power_rule", power_rule)
    if not (math.isfinite(rule) and rule >= 0.0):
        raise SettingError(f"second_power_rule must be a number from 0 on; got {power_rule!r}.")
    return ci.with_power_rule(rule)


def local_score(
    data: Dataset, score: str | ScoreFactory, equivalent_sample_size: object
) -> LocalScore:
    """Return the score on the data that a user means by its name, or brings the factory of."""
    size = real_number("equivalent_sample_size", equivalent_sample_size)
    if not (math.isfinite(size) and size > 0.0):
        raise SettingError(f"equivalent_sample_size must be a number above 0; got {size!r}.")
    if not callable(score):
        everything: dict[str, Any] = {**PRIOR_SCORES, **PLAIN_SCORES}
        chosen("score", score, everything)
        if score in PLAIN_SCORES:
            return PLAIN_SCORES[score](data)
        return PRIOR_SCORES[score](data, size)
    made: object = score(data)
    if not isinstance(made, LocalScore):
        raise SettingError(f"score must make a LocalScore; {score!r} made a {type(made).__name__}.")
    return made


def chosen_variables(what: str, names: object, data: Dataset) -> Vars:
    """Return the variables that go by these names, without repetitions."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise SettingError(f"{what} must be a list of names; got {names!r}.")
    return tuple(dict.fromkeys(data.variables(names)))


def chosen_targets(targets: object, data: Dataset) -> Vars | None:
    """Return the targets that a user names, or None for all variables."""
    if targets is None:
        return None
    variables = chosen_variables("targets", targets, data)
    if not variables:
        raise SettingError("targets must name at least one variable, or be None for all.")
    return variables


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


def optional_number(what: str, value: object, at_least: int) -> int | None:
    """Return ``value`` as a plain integer that is not too small, or None."""
    return None if value is None else whole_number(what, value, at_least)


def progress_choice(progress: object) -> bool | None:
    """Return whether a progress bar is wanted; None leaves it to the terminal."""
    if progress is None or isinstance(progress, bool):
        return progress
    raise SettingError(f"progress must be True, False or None; got {progress!r}.")


def number_of_jobs(n_jobs: object) -> int | None:
    """Return ``n_jobs`` as joblib wants it."""
    if n_jobs is None:
        return None
    if not isinstance(n_jobs, bool) and isinstance(n_jobs, Integral) and int(n_jobs) != 0:
        return int(n_jobs)
    raise SettingError(
        f"n_jobs must be None, a number of workers, or -1 for all processors; got {n_jobs!r}."
    )


def begun_watch(limits: Limits, data: Dataset, *, n_moves: int = 0) -> Watch:
    """Return the watch of a run on these data, if its memory may do."""
    if limits.max_memory is not None:
        held = memory_in_use()
        needed = (held + bytes_to_learn(data, n_moves=n_moves)) / SHARE_OF_MEMORY
        if needed > limits.max_memory:
            raise SettingError(
                f"max_memory must be {in_bytes(needed)} or more for these data, with "
                f"{in_bytes(held)} that the process holds already; "
                f"got {in_bytes(limits.max_memory)}."
            )
    return Watch(limits, data.names)


def bytes_to_learn(data: Dataset, *, n_moves: int = 0) -> int:
    """Return about how many bytes learning takes at least, without what is only remembered."""
    n_levels, n_variables = int(data.cards.sum()), data.n_variables
    bitmaps = n_levels * (data.n_samples // 8 + 8)
    pairs = 4 * n_levels**2 if 4 * n_levels**2 <= _LARGEST_PAIRS else 0
    return bitmaps + pairs + 2 * n_variables**2 + n_moves * _BYTES_PER_MOVE


def opened_checkpoint(
    folder: str | os.PathLike[str] | None, data: Dataset, settings: Mapping[str, object]
) -> AbstractContextManager[CellStore | None]:
    """Return the checkpoint in a folder, if there is one; it is for these data and settings only.

    Functions among the settings go by their names.
    """
    if folder is None:
        return nullcontext()
    if not isinstance(folder, (str, os.PathLike)):
        raise SettingError(f"checkpoint must be the path of a folder, or None; got {folder!r}.")
    written = {name: _written(name, value) for name, value in settings.items()}
    whole = {"version": __version__, **written, "data": data.fingerprint()}
    try:
        return CellStore(folder, Checkpoint.FIELDS, whole)
    except OSError as error:
        raise SettingError(
            f"checkpoint must be a folder that can be written to; {os.fspath(folder)!r} cannot: "
            f"{error.strerror}."
        ) from error


def _written(name: str, value: object) -> object:
    """Return a setting as JSON has it; a function must have a name that tells it from others."""
    if not callable(value):
        return value
    key = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
    if "<" in key or key.endswith("."):
        raise SettingError(
            f"{name} has no name of its own, {value!r}: expected a function of a module, or no "
            "checkpoint."
        )
    return key


def search_limit_settings(limits: Limits) -> dict[str, object]:
    """Return the limits of searches for a separating set, for the settings of a result."""
    return {name: getattr(limits, name) for name in ("max_conditioning", "max_subset_tests")}


def run_limit_settings(limits: Limits, complete: bool) -> dict[str, object]:
    """Return the limits of a run, for the settings of a result, if they decide it."""
    names = () if complete else ("max_seconds", "max_memory")
    return {name: getattr(limits, name) for name in names}


def warn_of_limits(
    result: SkeletonResult | LearnResult, watch: Watch, *, resumable: bool | None, stacklevel: int
) -> None:
    """Warn of what a result lacks because of limits; None is resumable by nobody."""
    limits = watch.limits
    if not result.complete:
        # Workers that are processes of their own do not say which limit they came to.
        reason = watch.reason or ("max_seconds" if limits.max_memory is None else "max_memory")
        hint = {
            None: "",
            True: " A run with this checkpoint goes on from what is known.",
            False: " With a checkpoint, a later run goes on from what is known.",
        }[resumable]
        warnings.warn(
            f"{reason} = {getattr(limits, reason)!r} was reached: the result is incomplete." + hint,
            H2pcWarning,
            stacklevel=stacklevel + 1,
        )
    if result.n_cut:
        warnings.warn(
            f"{result.n_cut:,} searches for a separating set were cut short by max_conditioning = "
            f"{limits.max_conditioning}, max_subset_tests = {limits.max_subset_tests}: some links "
            "may be there that a longer search would have taken out.",
            H2pcWarning,
            stacklevel=stacklevel + 1,
        )


def edge_constraints(
    data: Dataset,
    required: Iterable[NamedEdge],
    forbidden: Iterable[NamedEdge],
    tiers: Iterable[Iterable[str]],
) -> EdgeConstraints:
    """Return what is known of the edges, with variables for their names."""
    edges = [
        tuple(_edge(what, edge, data) for edge in _listed(what, given))
        for what, given in (("required", required), ("forbidden", forbidden))
    ]
    groups = tuple(chosen_variables("a tier", tier, data) for tier in _listed("tiers", tiers))
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


def _listed(what: str, given: object) -> Iterable[Any]:
    """Return what can be gone through again: an iterator would be empty at the next fit."""
    if isinstance(given, Iterable) and not isinstance(given, Iterator):
        return given
    raise SettingError(f"{what} must be a list; got {given!r}.")


def start_graph(start: object, data: Dataset) -> Dag | None:
    """Return the graph that a search starts from, on the variables of the data."""
    if start is None:
        return None
    if not isinstance(start, Dag):
        raise SettingError(f"start must be a Dag, or None for the empty one; got {start!r}.")
    if sorted(start.names) != list(data.names):
        raise SettingError("start must be a Dag of the variables of the data; its names differ.")
    return start.reordered(data.names)


def name_of(choice: object) -> str:
    """Return the name that a choice goes by in the settings of a result."""
    return choice if isinstance(choice, str) else getattr(choice, "__name__", repr(choice))


def constraint_settings(known: EdgeConstraints, data: Dataset) -> dict[str, object]:
    """Return what is known of the edges, by name, for the settings of a result."""
    groups = {"required": known.required, "forbidden": known.forbidden, "tiers": known.tiers}
    return {
        what: tuple(tuple(data.names[v] for v in group) for group in some)
        for what, some in groups.items()
    }


def _edge(what: str, edge: object, data: Dataset) -> Edge:
    """Return the variables at the ends of an edge."""
    if isinstance(edge, str) or not isinstance(edge, Sequence) or len(edge) != 2:
        raise SettingError(f"{what} must hold pairs (parent, child) of names; got {edge!r}.")
    return data.variable(edge[0]), data.variable(edge[1])
