"""``h2pc score``: the score of a network on data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from h2pc.cli import options
from h2pc.cli.inputs import TableOptions, check_graph, check_table, graph_named
from h2pc.cli.printing import decimal, listed, plural, print_json, print_table

EXAMPLES = (
    "h2pc score network.bif data.csv",
    "h2pc score alarm alarm.csv --scoring bdeu --equivalent-sample-size 1 --scoring bic --json",
)

_SCORES = {
    "discrete": ("bdeu", "bic", "aic", "k2", "bds", "qnml", "fnml", "loglik"),
    "continuous": ("bic", "aic", "bge", "loglik"),
    "mixed": ("bic", "aic", "loglik"),
}


def score(
    network: Annotated[str, options.network_argument("Network to score")],
    file: options.DataFile,
    *,
    scoring: Annotated[
        list[str] | None,
        options.names_option(
            f"Scores. Of discrete variables: {listed(_SCORES['discrete'])}; of continuous ones: "
            f"{listed(_SCORES['continuous'])}; of both: {listed(_SCORES['mixed'])}.",
            show_default="all",
        ),
    ] = None,
    equivalent_sample_size: float = 10.0,
    table: TableOptions,
    as_json: bool = False,
) -> None:
    """Score the graph of a network on data.

    Scores are in nats; larger is better. The probabilities of the network play no part: each score
    estimates its own from the data.
    """
    check_graph(network)
    check_table(file)

    from h2pc.metrics import network_score

    dag, data = graph_named(network), table.data(file)
    chosen: Sequence[Any] = scoring or _SCORES[data.kind]
    totals = {
        name: network_score(dag, data, name, equivalent_sample_size=equivalent_sample_size)
        for name in chosen
    }
    if as_json:
        print_json(
            {
                "n_samples": data.n_samples,
                "n_variables": len(dag.names),
                "n_edges": len(dag.edges),
                "equivalent_sample_size": equivalent_sample_size,
                "scores": {
                    name: {"total": total, "per_sample": total / data.n_samples}
                    for name, total in totals.items()
                },
            }
        )
        return
    rows = [
        (name, decimal(total, 3), decimal(total / data.n_samples, 5))
        for name, total in totals.items()
    ]
    title = f"{network} on {plural(data.n_samples, 'sample')}"
    print_table(title, ("score", "total", "per sample"), rows)
