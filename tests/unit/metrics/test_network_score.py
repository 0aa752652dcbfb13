"""The score of a graph on data, against the scores themselves and the likelihood of a network."""

import numpy as np
import pandas as pd
import pytest

from h2pc import BayesianNetwork, Dag, Dataset, load_network
from h2pc.errors import DataError, SettingError
from h2pc.metrics import network_score
from h2pc.scores import AIC, BIC, FNML, K2, QNML, BDeu, BDs, LogLikelihood

ASIA = load_network("asia")
SAMPLE = ASIA.sample(300, random_state=5)
TRUE = ASIA.dag.reordered(SAMPLE.names)
MADE = {
    "aic": AIC(SAMPLE),
    "bdeu": BDeu(SAMPLE, 10.0),
    "bds": BDs(SAMPLE, 10.0),
    "bic": BIC(SAMPLE),
    "k2": K2(SAMPLE),
    "loglik": LogLikelihood(SAMPLE),
    "qnml": QNML(SAMPLE),
    "fnml": FNML(SAMPLE),
}


@pytest.mark.parametrize("name", MADE)
def test_every_name_stands_for_its_score(name):
    totals = {other: score.total(TRUE.parent_sets) for other, score in MADE.items()}

    assert network_score(TRUE, SAMPLE, name) == totals.pop(name)
    assert network_score(TRUE, SAMPLE, name) not in totals.values()


@pytest.mark.parametrize("name", ["bdeu", "bds"])
def test_the_prior_has_the_weight_that_was_asked_for(name):
    score = type(MADE[name])(SAMPLE, 1.0)

    assert network_score(TRUE, SAMPLE, name, equivalent_sample_size=1.0) == score.total(
        TRUE.parent_sets
    )
    assert network_score(TRUE, SAMPLE, name) != score.total(TRUE.parent_sets)


@pytest.mark.parametrize("name", MADE)
def test_neither_the_order_of_names_nor_that_of_columns_matters(name):
    order = np.random.default_rng(3).permutation(SAMPLE.n_variables)
    shuffled = SAMPLE.to_pandas().iloc[:, order]

    assert network_score(TRUE.reordered(shuffled.columns), shuffled, name) == network_score(
        TRUE, SAMPLE, name
    )


def test_the_log_likelihood_is_that_of_the_network_fitted_to_the_data():
    fitted = BayesianNetwork.fit(TRUE, SAMPLE)

    assert network_score(TRUE, SAMPLE, "loglik") == pytest.approx(
        fitted.log_likelihood(SAMPLE).sum(), rel=1e-9
    )


def test_columns_that_the_graph_does_not_have_are_ignored():
    table = SAMPLE.to_pandas()
    some = TRUE.subgraph(range(4))

    assert network_score(some, table) == pytest.approx(
        network_score(some, table[list(some.names)]), rel=1e-9
    )
    assert network_score(some, table) > network_score(TRUE, table)


def test_levels_of_the_training_data_count_for_new_data():
    train = Dataset.from_data({"a": ["x", "y", "z"] * 4, "b": ["0", "1"] * 6})
    new = pd.DataFrame({"b": ["0", "0", "1"], "a": ["y", "x", "y"]})
    graph = Dag.from_edges(["a", "b"], [("b", "a")])

    as_declared = Dataset.from_codes([[1, 0, 1], [0, 0, 1]], cards=[3, 2], names=["a", "b"])
    assert network_score(graph, new, like=train) == network_score(graph, as_declared)
    assert network_score(graph, new, like=train) < network_score(graph, new)


def test_new_data_with_unknown_levels_are_refused():
    train = Dataset.from_data({"a": ["x", "y"]})

    with pytest.raises(DataError, match="'z'"):
        network_score(Dag.from_edges(["a"]), {"a": ["x", "z"]}, like=train)


def test_per_sample_is_the_mean_over_all_samples_also_where_rows_were_merged():
    merged = SAMPLE.compressed(range(SAMPLE.n_variables))
    total = network_score(TRUE, SAMPLE)

    assert merged.n_rows < SAMPLE.n_samples
    assert network_score(TRUE, SAMPLE, per_sample=True) == total / 300
    assert network_score(TRUE, merged, per_sample=True) == total / 300


def test_an_unknown_score_or_a_missing_column_is_an_error():
    with pytest.raises(SettingError, match=r"scoring must be one of 'auto', 'bdeu', .*; got 'BIC'"):
        network_score(TRUE, SAMPLE, "BIC")
    with pytest.raises(SettingError, match="equivalent_sample_size must be a number above 0"):
        network_score(TRUE, SAMPLE, equivalent_sample_size=0.0)
    with pytest.raises(DataError, match="unknown variable 'cough'"):
        network_score(Dag.from_edges(["asia", "cough"]), SAMPLE)
