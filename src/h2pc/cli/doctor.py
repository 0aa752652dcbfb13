"""``h2pc doctor``: what is installed, and whether it works."""

from __future__ import annotations

import os
import sys
from time import perf_counter
from typing import Any

import typer

from h2pc import __version__
from h2pc.cli import options
from h2pc.cli.options import examples

EXAMPLES = examples("h2pc doctor", "h2pc doctor --json")

_NEEDED = ("numpy", "scipy", "scikit-learn", "joblib", "narwhals", "typer", "rich")
_OPTIONAL = ("pandas", "polars", "pyarrow", "networkx", "matplotlib", "pyagrum", "pgmpy")

# What H2PC learns from 5,000 samples of asia drawn with seed 2, everywhere: the tests and scores
# are the same bits on all machines.
_SAMPLES, _SEED = 5000, 2
_EDGES = (
    ("bronc", "dysp"),
    ("either", "dysp"),
    ("either", "xray"),
    ("lung", "either"),
    ("lung", "smoke"),
    ("smoke", "bronc"),
    ("tub", "asia"),
    ("tub", "either"),
)


def doctor(as_json: options.AsJson = False) -> None:
    """Check the installation, with a self-test.

    Shows versions, processors and the compiled engine, and learns a small network. The exit code is
    1 where something is missing or the network is not the one it should be.
    """
    from h2pc.cli.printing import print_json

    checkup = _checkup()
    if as_json:
        print_json(checkup)
    else:
        _say(checkup)
    if checkup["problems"]:
        raise typer.Exit(1)


def _checkup() -> dict[str, Any]:
    """Return all that there is to know."""
    import platform

    versions = {name: _version(name) for name in (*_NEEDED, *_OPTIONAL)}
    problems = [f"{name} is not installed." for name in _NEEDED if versions[name] is None]
    test: dict[str, Any] = {}
    engine = None
    if not problems:
        try:
            engine = _engine()
            test = _self_test()
        except Exception as error:  # whatever is broken is what we are here for
            problems.append(f"The self-test failed: {type(error).__name__}: {error}")
        else:
            problems += test.pop("problems")
    return {
        "h2pc": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "executable": sys.executable,
        "packages": versions,
        "processors": os.cpu_count(),
        "workers": _workers(),
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


def _workers() -> int:
    """Return how many workers ``--n-jobs -1`` means."""
    try:
        from joblib import effective_n_jobs
    except ImportError:
        return 1
    return int(effective_n_jobs(-1))


def _engine() -> str:
    """Return the processor that the compiled engine counts for: avx512, avx2, neon or plain."""
    from h2pc import _engine as engine

    return str(engine.processor_variant())


def _self_test() -> dict[str, Any]:
    """Return how long it takes to sample asia, to learn it and to compare it with the truth."""
    seconds = {}
    start = perf_counter()
    from h2pc import H2PC, load_network, shd

    seconds["import"] = perf_counter() - start
    start = perf_counter()
    asia = load_network("asia")
    data = asia.sample(_SAMPLES, random_state=_SEED)
    seconds["sample"] = perf_counter() - start
    start = perf_counter()
    learned = H2PC().fit(data).dag_
    seconds["learn"] = perf_counter() - start
    start = perf_counter()
    distance = shd(learned, asia.dag)
    seconds["compare"] = perf_counter() - start
    wrong = learned.named_edges != _EDGES
    problems = ["The self-test learned another network than it should."] if wrong else []
    return {"seconds": seconds, "shd": distance, "problems": problems}


def _say(checkup: dict[str, Any]) -> None:
    """Print the checkup."""
    from h2pc.cli.printing import print_table

    rows = [("h2pc", checkup["h2pc"]), ("python", checkup["python"])]
    rows += [(name, found or "not installed") for name, found in checkup["packages"].items()]
    print_table("Versions", ("package", "version"), rows)
    typer.echo(f"{checkup['platform']}; {checkup['executable']}")
    typer.echo(f"{checkup['processors']} processors; --n-jobs -1 is {checkup['workers']} workers.")
    if checkup["engine"] is not None:
        typer.echo(f"Compiled engine: {checkup['engine']}.")
    if checkup["self_test"]:
        times = checkup["self_test"]["seconds"].items()
        told = ", ".join(f"{what} {seconds:.3f} s" for what, seconds in times)
        typer.echo(f"Self-test on asia: {told}; SHD {checkup['self_test']['shd']}.")
    for problem in checkup["problems"]:
        typer.echo(f"Problem: {problem}")
    if not checkup["problems"]:
        typer.echo("All is well.")
