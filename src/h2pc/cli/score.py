"""``h2pc score``: how well a network fits data."""

from __future__ import annotations

from typing import Annotated

import typer

from h2pc.cli import options
from h2pc.cli.options import Bins, MissingValues, Score, examples, words

EXAMPLES = examples(
    "h2pc score network.bif data.csv",
    "h2pc score alarm alarm.csv --scoring bdeu --equivalent-sample-size 1 --scoring bic --json",
)


def score(
    network: Annotated[str, options.graph_argument("What is scored")],
    data: options.DataFile,
    score: Annotated[
        list[Score] | None, typer.Option("--scoring", help="Scores to tell; all by default.")
    ] = None,
    ess: options.Ess = None,
    columns: options.Columns = None,
    drop: options.Drop = None,
    discretize: options.Discretize = None,
    bins: options.BinsOption = Bins.QUANTILE,
    missing: options.MissingOption = MissingValues.ERROR,
    max_levels: options.MaxLevels = None,
    as_json: options.AsJson = False,
) -> None:
    """Score the graph of a network on data.

    Scores are in nats: the larger, the better. Probabilities in the file play no part: every score
    works out its own from the data.
    """
    from h2pc.cli.inputs import Reading, check_graph, check_table, graph_named
    from h2pc.cli.printing import decimal, print_json, print_table

    check_graph(network)
    check_table(data)

    from h2pc.metrics import network_score

    dag = graph_named(network)
    reading = Reading(words(columns), words(drop), discretize, bins, missing, max_levels)
    sample = reading.data(data)
    weight = 10.0 if ess is None else ess
    totals = {
        name.value: network_score(dag, sample, name.value, equivalent_sample_size=weight)
        for name in dict.fromkeys(score or Score)
    }
    if as_json:
        print_json(
            {
                "n_samples": sample.n_samples,
                "n_variables": len(dag.names),
                "n_edges": len(dag.edges),
                "equivalent_sample_size": weight,
                "scores": {
                    name: {"total": total, "per_sample": total / sample.n_samples}
                    for name, total in totals.items()
                },
            }
        )
        return
    rows = [
        (name, decimal(total, 3), decimal(total / sample.n_samples, 5))
        for name, total in totals.items()
    ]
    title = f"{network} on {sample.n_samples:,} samples"
    print_table(title, ("score", "total", "per sample"), rows)
