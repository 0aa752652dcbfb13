"""``h2pc learn``: from a table to a network."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from h2pc.cli import options
from h2pc.cli.options import Algorithm, Bins, MissingValues, examples, words

if TYPE_CHECKING:
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.cli.learners import Learning
    from h2pc.data import Dataset
    from h2pc.graphs import Dag
    from h2pc.learners.edge_links import EdgeLink

EXAMPLES = examples(
    "h2pc learn data.csv",
    "h2pc learn data.csv -o network.bif -o network.html",
    "h2pc learn data.parquet --discretize 3 --targets lung,bronc --json",
    "h2pc learn data.csv --constraints known.toml --reference asia",
    "zcat data.csv.gz | h2pc learn - -o - --format dot | dot -Tsvg > network.svg",
)


class Format(StrEnum):
    """What ``-o -`` prints."""

    EDGES = "edges"
    JSON = "json"
    DOT = "dot"
    BIF = "bif"


def learn(
    file: options.DataFile,
    out: options.OutFiles = None,
    format_: Annotated[
        Format, typer.Option("--format", help="What is printed where --out is -.")
    ] = Format.EDGES,
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
    target: options.Targets = None,
    constraints: options.Constraints = None,
    columns: options.Columns = None,
    drop: options.Drop = None,
    discretize: options.Discretize = None,
    bins: options.BinsOption = Bins.QUANTILE,
    missing: options.MissingOption = MissingValues.ERROR,
    max_levels: options.MaxLevels = None,
    cluster: options.Cluster = None,
    resume: options.Resume = None,
    time: options.Time = None,
    memory: options.Memory = None,
    max_conditioning: options.MaxConditioning = None,
    max_subset_tests: options.MaxSubsetTests = None,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="NETWORK",
            help="The truth to compare with: a network file, or a name of h2pc networks.",
        ),
    ] = None,
    seed: options.RandomState = 0,
    jobs: options.NJobs = -1,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Learn a network from a table, or around targets.

    Prints a table of the edges: what the score would lose without each, and the decimal logarithm
    of the p-value of parent and child being independent given the other parents.
    """
    from h2pc.cli import inputs, learned_answer, outputs
    from h2pc.cli.learned_files import LearnedFiles, rehearse
    from h2pc.cli.learners import Learning
    from h2pc.cli.printing import note, print_json, warnings_in_words

    inputs.check_table(file)
    if reference is not None:
        inputs.check_graph(reference)
    files = outputs.checked_outputs(out, outputs.GRAPH_KINDS, on_stdout=format_.value)
    outputs.check_json(as_json, files)
    known, targets = inputs.constraints_of(constraints), tuple(words(target))
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
        resume=resume,
        time=time,
        memory=memory,
        max_conditioning=max_conditioning,
        max_subset_tests=max_subset_tests,
        targets=targets,
        constraints=known,
    )
    learner = learning.learner(seed=seed, jobs=jobs, quiet=quiet)
    truth = None if reference is None else inputs.graph_named(reference)
    reading = inputs.Reading(words(columns), words(drop), discretize, bins, missing, max_levels)
    data = reading.data(file)
    inputs.check_names("--targets", targets, data.names)
    inputs.check_constraints(constraints, known, data.names)
    _check_reference(truth, data)
    rehearse(files, data, learning)
    note(f"{data.n_samples:,} samples of {data.n_variables:,} variables.", unless=not verbose)
    note(f"Learning with {learner!r}.", unless=not verbose)

    from h2pc.runs.workers import workers_of

    with warnings_in_words(), workers_of(cluster):
        result = learner.fit(data).result_
    links = _links(result, data, learning)
    title = f"{algorithm} on {data.n_samples:,} samples"
    made = LearnedFiles(result, data, learning, title, links, reference=None if targets else truth)
    outputs.write_all(files, made.contents())
    if as_json:
        print_json(learned_answer.answer(result, links, data, truth))
    else:
        learned_answer.say(result, links, data, truth, files, quiet=quiet)


def _check_reference(truth: Dag | None, data: Dataset) -> None:
    """Refuse a reference on other variables than those of the data."""
    from h2pc.errors import SettingError

    if truth is None or sorted(truth.names) == list(data.names):
        return
    strange = sorted(frozenset(truth.names).symmetric_difference(data.names))
    raise SettingError(
        f"--reference must have the variables of the data; {strange[0]!r} is in one of them only."
    )


def _links(result: LearnResult, data: Dataset, learning: Learning) -> tuple[EdgeLink, ...]:
    """Return what speaks for the edges of a result, which may have some of the variables only."""
    from h2pc.graphs import Dag
    from h2pc.learners.edge_links import edge_links

    whole = Dag.from_edges(data.names, result.dag.named_edges)
    return edge_links(whole, learning.test_on(data), learning.score_on(data))
