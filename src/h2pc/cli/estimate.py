"""``h2pc estimate``: the time and the memory that learning a network will take."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from h2pc.cli import inputs, options
from h2pc.cli.learning import LearningOptions
from h2pc.cli.printing import note, plural, print_json

EXAMPLES = (
    "h2pc estimate data.csv",
    "h2pc estimate data.csv --targets lung,bronc --n-jobs 4",
    "h2pc estimate data.parquet --algorithm mmhc --variant paper --json",
)


def estimate(
    file: options.DataFile,
    *,
    targets: Annotated[
        list[str] | None,
        options.names_option(
            "Learn only around these variables.", "--targets", "-t", show_default="all"
        ),
    ] = None,
    learning: LearningOptions,
    table: inputs.TableOptions,
    max_memory: str | None = None,
    max_conditioning: int | None = None,
    max_subset_tests: int | None = None,
    cluster: str | None = None,
    n_jobs: int = -1,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Estimate how long learning a network will take, and in how much memory.

    A few targets are timed, for about two seconds. Most estimates for h2pc learn with the same
    options are right within a factor of two, on a machine that is as busy as it is now; the
    algorithms are h2pc and mmhc.
    """
    inputs.check_table(file)

    from h2pc.runs.limits import bytes_of

    most_memory = None if max_memory is None else bytes_of(max_memory)
    learner = learning.learner(
        n_jobs=n_jobs,
        targets=targets or None,
        max_memory=most_memory,
        max_conditioning=max_conditioning,
        max_subset_tests=max_subset_tests,
    )
    learning.check_has_skeleton()
    data = table.data(file, max_memory=most_memory, quiet=quiet)
    inputs.check_names("--targets", targets or (), data.names)
    learning.check_names(data)

    from h2pc.learners.cost_estimate import estimate_cost
    from h2pc.runs.workers import workers_of

    with workers_of(cluster):
        found = estimate_cost(data, learner)
    if as_json:
        print_json({"n_samples": data.n_samples, "n_variables": data.n_variables, **asdict(found)})
        return
    typer.echo(f"Learning takes {found}.")
    note(f"Timed: {found.n_timed:,} of {plural(found.n_targets, 'target')}.", unless=quiet)
