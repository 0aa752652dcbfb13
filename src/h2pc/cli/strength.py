"""``h2pc strength``: how sure the edges are, by learning from samples of the sample."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from h2pc.cli import options
from h2pc.cli.options import Algorithm, Bins, MissingValues, examples, words

if TYPE_CHECKING:
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.cli.learners import Learning
    from h2pc.data import Dataset
    from h2pc.graphs import Dag
    from h2pc.learners.edge_strengths import EdgeStrengths

_NO_MATTER = ("n_jobs", "progress", "start", "targets", "checkpoint", "max_seconds", "max_memory")
"""Settings of learners that decide nothing here."""

EXAMPLES = examples(
    "h2pc strength data.csv --n-replicates 200 -o averaged.bif -o averaged.html",
    "h2pc strength data.csv --algorithm mmhc --checkpoint runs --threshold 0.5",
)

INTERRUPTED = 130


def strength(
    file: options.DataFile,
    replicates: Annotated[
        int, typer.Option("--n-replicates", min=1, help="How many samples of the sample.")
    ] = 200,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            min=0.0,
            max=1.0,
            help="Edges of the averaged network are stronger than this; by default found from the "
            "strengths.",
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", help="Folder of finished replicates, to go on from."),
    ] = None,
    out: options.OutFiles = None,
    algorithm: options.AlgorithmOption = Algorithm.H2PC,
    alpha: options.AlphaOption = None,
    test: options.TestOption = None,
    symmetry: options.RuleOption = None,
    score: options.ScoreOption = None,
    ess: options.Ess = None,
    max_parents: options.MaxParents = None,
    restarts: options.Restarts = None,
    patience: options.Patience = None,
    power_rule: options.PowerRule = None,
    second_power_rule: options.SecondPowerRule = None,
    constraints: options.Constraints = None,
    columns: options.Columns = None,
    drop: options.Drop = None,
    discretize: options.Discretize = None,
    bins: options.BinsOption = Bins.QUANTILE,
    missing: options.MissingOption = MissingValues.ERROR,
    max_levels: options.MaxLevels = None,
    cluster: options.Cluster = None,
    seed: options.RandomState = 0,
    jobs: options.NJobs = -1,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Tell how sure each edge is, by bootstrap samples.

    Strength is how often an edge came back, direction how often it pointed that way. The averaged
    network has the edges above the threshold, and is what --out writes; a .csv file gets the
    strengths of all edges.
    """
    from h2pc.cli import inputs, outputs
    from h2pc.cli.learned_files import LearnedFiles, rehearse
    from h2pc.cli.learners import Learning
    from h2pc.cli.printing import note, print_json

    inputs.check_table(file)
    files = outputs.checked_outputs(out, outputs.GRAPH_KINDS, on_stdout="edges")
    outputs.check_json(as_json, files)
    known = inputs.constraints_of(constraints)
    learning = Learning(
        algorithm=algorithm,
        alpha=alpha,
        test=test,
        symmetry=symmetry,
        score=score,
        ess=ess,
        max_parents=max_parents,
        restarts=restarts,
        patience=patience,
        power_rule=power_rule,
        second_power_rule=second_power_rule,
        constraints=known,
    )
    learner = learning.learner(seed=seed, jobs=1, quiet=True)
    reading = inputs.Reading(words(columns), words(drop), discretize, bins, missing, max_levels)
    data = reading.data(file)
    inputs.check_constraints(constraints, known, data.names)
    learning.check_on(data)
    rehearse(files, data, learning)

    from h2pc.learners.bootstrap import edge_strengths
    from h2pc.runs.workers import workers_of

    try:
        with workers_of(cluster):
            strengths = edge_strengths(
                data,
                learner,
                n_replicates=replicates,
                random_state=seed,
                n_jobs=jobs,
                checkpoint=checkpoint,
                progress=False if quiet else None,
            )
    except KeyboardInterrupt:
        if checkpoint is None:
            raise
        note(f"Interrupted; the same command goes on with what is in {checkpoint}.")
        raise typer.Exit(INTERRUPTED) from None
    averaged = strengths.averaged(threshold)
    limit = strengths.threshold if threshold is None else threshold
    result = _result(averaged, data, learning, {"replicates": replicates, "threshold": limit})
    title = f"{algorithm}, {replicates:,} bootstrap samples"
    made = LearnedFiles(result, data, learning, title, strengths=strengths)
    outputs.write_all(files, made.contents())
    if as_json:
        print_json(_answer(strengths, averaged, limit, data, learner.get_params()))
    elif not outputs.has_stdout(files):
        _say(strengths, averaged, limit)
    for output in files:
        note(f"Wrote {output.path}.", unless=quiet or str(output.path) == "-")


def _result(
    averaged: Dag, data: Dataset, learning: Learning, settings: dict[str, object]
) -> LearnResult:
    """Return the averaged network as a result, so that it can be written like one."""
    from h2pc.algorithms.learn_result import LearnResult

    total = learning.score_on(data).total(averaged.parent_sets)
    return LearnResult(
        averaged,
        None,
        total,
        n_tests=0,
        n_scores=len(averaged.names),
        n_moves=0,
        seconds={},
        settings={
            "algorithm": f"average of {learning.algorithm}",
            "score": learning.score_name,
            **settings,
        },
    )


def _answer(
    strengths: EdgeStrengths, averaged: Dag, limit: float, data: Dataset, settings: dict[str, Any]
) -> dict[str, Any]:
    """Return what --json prints."""
    return {
        "variables": strengths.names,
        "n_samples": data.n_samples,
        "n_replicates": strengths.n_graphs,
        "threshold": limit,
        "strengths": [
            {
                "parent": edge.parent,
                "child": edge.child,
                "strength": edge.strength,
                "direction": edge.direction,
            }
            for edge in strengths.edges
        ],
        "averaged": averaged.named_edges,
        "settings": {name: value for name, value in settings.items() if name not in _NO_MATTER},
    }


def _say(strengths: EdgeStrengths, averaged: Dag, limit: float) -> None:
    """Print all edges that came back, the strongest first."""
    from h2pc.cli.printing import plural, print_table

    kept: Sequence[tuple[str, str]] = averaged.named_edges
    rows = [
        (
            edge.parent,
            edge.child,
            f"{edge.strength:.3f}",
            f"{edge.direction:.3f}",
            "yes" if (edge.parent, edge.child) in kept else "",
        )
        for edge in strengths.edges
    ]
    title = f"Edges in {plural(strengths.n_graphs, 'bootstrap sample')}"
    print_table(title, ("parent", "child", "strength", "direction", "averaged"), rows)
    typer.echo(f"{plural(len(kept), 'edge')} of the averaged network, stronger than {limit:.3f}.")
