"""``h2pc doctor``: a check of the installation."""

from __future__ import annotations

import os
import sys
from itertools import pairwise
from time import perf_counter
from typing import Any

import typer

from h2pc import __version__
from h2pc.cli.printing import print_json, print_table

EXAMPLES = ("h2pc doctor", "h2pc doctor --json")

_NEEDED = ("numpy", "scipy", "scikit-learn", "joblib", "polars", "narwhals", "typer", "rich")
_OPTIONAL = (
    *("pandas", "pyarrow", "fastexcel", "networkx", "matplotlib", "pyagrum", "pgmpy"),
    "iterative-stratification",
)

# The network that H2PC learns from 5,000 samples of asia with this seed: tests and scores are the
# same bits on all machines.
_N_SAMPLES, _RANDOM_STATE = 5000, 2
_EDGES = (
    ("asia", "tub"),
    ("bronc", "dysp"),
    ("bronc", "smoke"),
    ("either", "dysp"),
    ("either", "xray"),
    ("lung", "either"),
    ("smoke", "lung"),
    ("tub", "either"),
)


def doctor(as_json: bool = False) -> None:
    """Check the installation, with a self-test.

    Prints versions, processors and the variant of the compiled engine, and learns a small network.
    The exit code is 1 if a package is missing or another network is learned than expected.
    """
    checkup = _checkup()
    if as_json:
        print_json(checkup)
    else:
        _print(checkup)
    if checkup["problems"]:
        raise typer.Exit(1)


def _checkup() -> dict[str, Any]:
    """Return versions, processors, and the results of the self-test."""
    import platform

    versions = {name: _version(name) for name in (*_NEEDED, *_OPTIONAL)}
    problems = [f"{name} is not installed." for name in _NEEDED if versions[name] is None]
    test: dict[str, Any] = {}
    engine, workers = None, 1
    if not problems:
        try:
            from joblib import effective_n_jobs

            from h2pc import _engine

            engine, workers = _engine.processor_variant(), effective_n_jobs(-1)
            test = _self_test()
        except Exception as error:  # whatever is broken is to be reported
            problems.append(f"The self-test failed: {type(error).__name__}: {error}")
    return {
        "h2pc": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "executable": sys.executable,
        "packages": versions,
        "processors": os.cpu_count(),
        "workers": workers,
        "engine": engine,
        "self_test": test,
        "problems": problems,
    }


def _version(name: str) -> str | None:
    """Return the version of a package; None where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _self_test() -> dict[str, Any]:
    """Return the seconds it takes to sample, learn and compare asia, and the SHD."""
    times = [perf_counter()]
    from h2pc import H2PC, load_network, shd

    times.append(perf_counter())
    asia = load_network("asia")
    data = asia.sample(_N_SAMPLES, random_state=_RANDOM_STATE)
    times.append(perf_counter())
    learned = H2PC().fit(data).dag_
    times.append(perf_counter())
    distance = shd(learned, asia.dag)
    times.append(perf_counter())
    if learned.named_edges != _EDGES:
        raise RuntimeError("another network was learned than expected.")
    steps = zip(("import", "sample", "learn", "compare"), pairwise(times), strict=True)
    return {"seconds": {step: end - start for step, (start, end) in steps}, "shd": distance}


def _print(checkup: dict[str, Any]) -> None:
    """Print the results of the check."""
    rows = [("h2pc", checkup["h2pc"]), ("python", checkup["python"])]
    rows += [(name, found or "not installed") for name, found in checkup["packages"].items()]
    print_table("Versions", ("package", "version"), rows)
    typer.echo(f"{checkup['platform']}; {checkup['executable']}")
    typer.echo(f"{checkup['processors']} processors; --n-jobs -1 is {checkup['workers']} workers.")
    if checkup["engine"] is not None:
        typer.echo(f"Compiled engine: {checkup['engine']}.")
    if checkup["self_test"]:
        times = checkup["self_test"]["seconds"].items()
        steps = ", ".join(f"{what} {seconds:.3f} s" for what, seconds in times)
        typer.echo(f"Self-test on asia: {steps}; SHD {checkup['self_test']['shd']}.")
    for problem in checkup["problems"]:
        typer.echo(f"Problem: {problem}")
    if not checkup["problems"]:
        typer.echo("No problems found.")
