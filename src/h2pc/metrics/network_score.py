"""How well a graph fits data: those it was learned from, or new ones."""

from __future__ import annotations

import math
from typing import Any

from h2pc.data import Dataset
from h2pc.data.encoded_table import Missing
from h2pc.graphs import Dag
from h2pc.scores.named import ScoreName, local_score


def network_score(
    dag: Dag,
    data: Any,
    scoring: ScoreName = "auto",
    *,
    equivalent_sample_size: float = 10.0,
    like: Dataset | None = None,
    per_sample: bool = False,
) -> float:
    """Score of a graph on data, in nats; the larger, the better.

    Parameters
    ----------
    dag : Dag
        The graph; its names are columns of the data, which may have others besides.
    data : Dataset, pandas, polars or pyarrow table, 2-d array, or dict of columns
        The sample, as :meth:`Dataset.from_data` takes it.
    scoring : str, default="auto"
        The score: "bdeu", "bds", "k2", "qnml" and "fnml" for discrete variables, "bge" for
        continuous ones, "bic", "aic" and "loglik" for any. "auto" takes "bdeu" for discrete variables and "bic" otherwise.
        What it needs to know of the data comes from these data alone.
    equivalent_sample_size : float, default=10.0
        The weight of the prior of BDeu and BDs.
    like : Dataset, default=None
        The data that the graph was learned from, where ``data`` are new: levels that do not happen
        to occur in the new ones count as well.
    per_sample : bool, default=False
        Whether the score is divided by the number of samples, so that samples of different sizes
        can be compared.

    Returns
    -------
    float
        The sum over the families of the graph, or its mean over the samples.

    Raises
    ------
    SettingError
        If there is no such score, or the prior makes no sense.
    DataError
        If the data cannot be used, or lack a variable of the graph.

    Examples
    --------
    >>> from h2pc import load_network
    >>> from h2pc.graphs import Dag
    >>> from h2pc.metrics import network_score
    >>> asia = load_network("asia")
    >>> train, new = asia.sample(1000, random_state=1), asia.sample(50_000, random_state=2)
    >>> empty = Dag.from_edges(asia.names)
    >>> network_score(asia.dag, train, "bic") > network_score(empty, train, "bic")
    True
    >>> round(network_score(asia.dag, new, like=train, per_sample=True), 2)
    -2.24
    """
    missing: Missing = "available" if isinstance(data, Dataset) else "error"
    sample = Dataset.from_data(data) if like is None else like.encode_like(data, missing=missing)
    local = local_score(sample, scoring, equivalent_sample_size)
    number = sample.variables(dag.names)
    total = math.fsum(
        local.family(number[v], tuple(number[u] for u in dag.parents(v))) for v in dag.variables
    )
    return total / sample.n_samples if per_sample else total
