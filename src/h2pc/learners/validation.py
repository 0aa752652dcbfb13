"""What the parameters of the learners may be, and the objects that they stand for."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.algorithms.edge_tests import FalseDiscoveryControl
from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.learn_result import LearnResult
from h2pc.algorithms.mmpc import mmpc
from h2pc.algorithms.neighbourhoods import Learner
from h2pc.algorithms.skeletons import SkeletonResult, Symmetry
from h2pc.checks import (
    Check,
    edge,
    jobs,
    list_of,
    names,
    number,
    one_of,
    targets,
    whole_number,
    yes_or_no,
)
from h2pc.data import Dataset
from h2pc.data.moments import bytes_of_moments
from h2pc.errors import H2pcWarning, SettingError
from h2pc.graphs import Dag
from h2pc.independence.base import CITest
from h2pc.independence.constraints import EdgeConstraints
from h2pc.independence.context import Context
from h2pc.independence.named import TEST_NAMES, independence_test, suitable_test
from h2pc.independence.table_tests import bytes_of_counts, usual_caches
from h2pc.random_state import seed_of
from h2pc.runs import CellStore
from h2pc.runs.limits import SHARE_OF_MEMORY, Limits, Watch, in_bytes, memory_in_use
from h2pc.scores.named import SCORE_NAMES, suitable_score
from h2pc.version import __version__

NamedEdge = Sequence[str]
"""The names of a parent and of its child."""

LEARNERS: dict[str, Learner] = {"hpc": hpc, "mmpc": mmpc}

CHECKS: dict[str, Check] = {
    "alpha": number(),
    "test": one_of(TEST_NAMES, or_callable=True),
    "power_rule": number(),
    "symmetry": one_of(Symmetry),
    "fdr": number(above=0.0, most=1.0, optional=True),
    "fdr_method": one_of(("by", "bh")),
    "variant": one_of(("accurate", "paper")),
    "one_sided_penalty": number(least=0.0),
    "outside_penalty": number(least=0.0, optional=True, auto=True),
    "scoring": one_of(SCORE_NAMES, or_callable=True),
    "equivalent_sample_size": number(above=0.0),
    "targets": targets,
    "depth": whole_number(0),
    "max_parents": whole_number(0, optional=True),
    "patience": whole_number(0),
    "tabu_size": whole_number(0),
    "restarts": whole_number(0),
    "perturbations": whole_number(1),
    "required": list_of(edge),
    "forbidden": list_of(edge),
    "tiers": list_of(lambda _, tier: names("a tier", tier)),
    "random_state": lambda _, value: seed_of(value),
    "n_jobs": jobs,
    "progress": yes_or_no,
    "learner": one_of(LEARNERS, or_callable=True),
}
"""The parameters of all learners; limits are checked by :class:`Limits`."""

_OF_ONE_VARIANT = {
    "one_sided_penalty": "accurate",
    "outside_penalty": "accurate",
    "patience": "paper",
    "tabu_size": "paper",
}

# Parameters that do not change a result; the seed has an attribute of its own.
_NO_SETTINGS = ("n_jobs", "progress", "checkpoint", "random_state")
_LIMITS_OF_RUN = ("max_seconds", "max_memory")
_DECIDE_NEIGHBOURHOODS = (
    "learner",
    "test",
    "alpha",
    "power_rule",
    "required",
    "forbidden",
    "tiers",
    "max_conditioning",
    "max_subset_tests",
    "copies",
)

# Without a power rule, searches go through all subsets of a boundary: 48 million tests on 200
# linear-Gaussian variables of 5,000 samples, and one million with this limit.
_MOST_CONDITIONS = 5

# Chosen on development samples: see docs/accuracy.md. Where cells are missing, scores of different
# families are of different samples, and edges outside the skeleton would be wrong too often.
_OUTSIDE_PENALTY = 3.0
# Around hundreds of labels, searching all pairs of the region would take minutes.
_MOST_TARGETS = 10

_BYTES_PER_VARIABLE = 2000
"""Of neighbourhoods and a search, where hardly any variables are linked."""
_BYTES_PER_MOVE = 500
"""Of a search, for every edge that may be added or deleted."""


def settings_of(params: Mapping[str, Any], *, complete: bool) -> dict[str, Any]:
    """Parameters that decide a result, for its settings; functions go by their names.

    The limits of the run are among them where they ended it early.
    """
    left_out = (*_NO_SETTINGS, *(_LIMITS_OF_RUN if complete else ()))
    return {name: _plain(value) for name, value in params.items() if name not in left_out}


def _plain(value: Any) -> Any:
    """Return a setting as JSON can hold it."""
    if isinstance(value, Dag):
        return value.named_edges
    return getattr(value, "__name__", repr(value)) if callable(value) else value


def with_variant(params: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked parameters without those that their variant has no use for.

    It is an error to set one of these.
    """
    found, variant = dict(params), params["variant"]
    for name, owner in _OF_ONE_VARIANT.items():
        if owner != variant and found.pop(name) != defaults[name]:
            raise SettingError(
                f"{name} is of variant={owner!r} only; got {params[name]!r} and "
                f"variant={variant!r}."
            )
    return found


def inside_if_controlled(params: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked parameters without penalties where a false discovery rate is to be kept.

    The search would add edges that it does not know of. It is an error to set a penalty then.
    """
    found = dict(params)
    for name in ("one_sided_penalty", "outside_penalty"):
        if found["fdr"] is None or name not in found:
            continue
        if found[name] not in (defaults[name], None):
            raise SettingError(
                f"{name} is the price of edges outside the skeleton, where no false discovery rate "
                f"is kept; got {found[name]!r} and fdr={found['fdr']!r}."
            )
        found[name] = None
    return found


def with_choices(
    params: Mapping[str, Any], data: Dataset, score_of_counts: str = "bdeu"
) -> dict[str, Any]:
    """Return checked parameters with what "auto" stands for, for some data."""
    found = dict(params)
    if found.get("test") == "auto":
        found["test"] = suitable_test(data)
    if found.get("scoring") == "auto":
        found["scoring"] = suitable_score(data, score_of_counts)
    if found.get("outside_penalty") == "auto":
        few = len(found["targets"] or ()) <= _MOST_TARGETS
        found["outside_penalty"] = _OUTSIDE_PENALTY if few and data.is_complete else None
    if found.get("max_conditioning") == "auto":
        found["max_conditioning"] = usual_max_conditioning(found["test"])
    return found


def usual_max_conditioning(test: object) -> int | None:
    """Return the largest conditioning set of searches by a test; None where there is no limit.

    The power rule bounds those of tests of counts.
    """
    return _MOST_CONDITIONS if test in ("gaussian", "mixed") else None


def constrained_test(data: Dataset, params: Mapping[str, Any], limits: Limits) -> CITest:
    """Return the test that the checked parameters describe, with their constraints.

    Where memory is limited, fewer p-values are cached.
    """
    constraints = edge_constraints(data, params["required"], params["forbidden"], params["tiers"])
    caches = {} if limits.max_memory is None else usual_caches(data, limits.max_memory)
    test = independence_test(data, params["test"], params["alpha"], params["power_rule"], **caches)
    return test.within(Context(constraints))


def false_discovery_control(params: Mapping[str, Any]) -> FalseDiscoveryControl | None:
    """Return the rate of false discoveries that checked parameters ask for; None for none."""
    if params["fdr"] is None:
        return None
    return FalseDiscoveryControl(params["fdr"], params["fdr_method"])


def edge_constraints(data: Dataset, required: Any, forbidden: Any, tiers: Any) -> EdgeConstraints:
    """Return the constraints that checked parameters describe, with variables for names."""
    named = required, forbidden, tiers
    numbered: Any = [tuple(data.variables(group) for group in groups) for groups in named]
    try:
        return EdgeConstraints(*numbered)
    except SettingError:
        EdgeConstraints(*named)  # raises the same with names instead of numbers
        raise


def started_watch(limits: Limits, data: Dataset, *, n_moves: int = 0) -> Watch:
    """Return the watch of a run on these data; refuse a limit of memory that they exceed."""
    if limits.max_memory is not None:
        held = memory_in_use()
        own = bytes_of_counts(data) if data.kind == "discrete" else bytes_of_moments(data)
        rest = _BYTES_PER_VARIABLE * data.n_variables + _BYTES_PER_MOVE * n_moves
        needed = (held + own + rest) / SHARE_OF_MEMORY
        if needed > limits.max_memory:
            raise SettingError(
                f"max_memory must be {in_bytes(needed)} or more for these data, with "
                f"{in_bytes(held)} that the process holds already; "
                f"got {in_bytes(limits.max_memory)}."
            )
    return Watch(limits, data.names)


def opened_checkpoint(
    folder: str | os.PathLike[str] | None, data: Dataset, params: Mapping[str, Any]
) -> AbstractContextManager[CellStore | None]:
    """Return the checkpoint in a folder, if there is one; it is for these data and parameters only.

    Functions among the parameters go by their names.
    """
    if folder is None:
        return nullcontext()
    if not isinstance(folder, (str, os.PathLike)):
        raise SettingError(f"checkpoint must be the path of a folder, or None; got {folder!r}.")
    deciding = {name: params[name] for name in _DECIDE_NEIGHBOURHOODS if name in params}
    settings = {name: importable_name(name, value) for name, value in deciding.items()}
    whole = {"version": __version__, **settings, "data": data.fingerprint()}
    try:
        return CellStore(folder, Checkpoint.FIELDS, whole)
    except OSError as error:
        raise SettingError(
            f"checkpoint must be a folder that can be written to; {os.fspath(folder)!r} cannot: "
            f"{error.strerror}."
        ) from error


def importable_name(name: str, value: object) -> object:
    """Return a parameter as it is, but a function by the name that it can be imported by."""
    if not callable(value):
        return value
    key = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
    if "<" in key or key.endswith("."):
        raise SettingError(
            f"{name} has no name of its own, {value!r}: expected a function of a module, or no "
            "checkpoint."
        )
    return key


def warn_of_limits(
    result: SkeletonResult | LearnResult,
    watch: Watch,
    *,
    has_checkpoint: bool | None,
    stacklevel: int,
    may_cut: bool = False,
) -> None:
    """Warn of what a result lacks because of limits; None is for a run that has no checkpoints.

    Searches that the default of ``max_conditioning`` has cut may be cut.
    """
    limits = watch.limits
    if not result.complete:
        # Workers that are processes of their own do not report which limit they came to.
        reason = watch.reason or ("max_seconds" if limits.max_memory is None else "max_memory")
        hint = {
            None: "",
            True: " Another run with this checkpoint continues from here.",
            False: " With a checkpoint, another run could continue from here.",
        }[has_checkpoint]
        warnings.warn(
            f"{reason} = {getattr(limits, reason)!r} was reached: the result is incomplete." + hint,
            H2pcWarning,
            stacklevel=stacklevel + 1,
        )
    if result.n_cut and not may_cut:
        warnings.warn(
            f"{result.n_cut:,} searches for a separating set were cut short by max_conditioning = "
            f"{limits.max_conditioning}, max_subset_tests = {limits.max_subset_tests}: some links "
            "may be there that a longer search would have removed.",
            H2pcWarning,
            stacklevel=stacklevel + 1,
        )


def start_graph(start: object, data: Dataset) -> Dag | None:
    """Return the graph that a search starts from, on the variables of the data."""
    if start is None:
        return None
    if not isinstance(start, Dag):
        raise SettingError(f"start must be a Dag, or None for the empty one; got {start!r}.")
    if sorted(start.names) != list(data.names):
        raise SettingError("start must be a Dag of the variables of the data; its names differ.")
    return start.reordered(data.names)
