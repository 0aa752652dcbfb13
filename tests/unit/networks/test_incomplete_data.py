"""Networks and data with missing cells: tables of complete rows, sums over what is missing."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from h2pc import BayesianNetwork, Dataset, load_network
from h2pc.errors import DataError


def blanked(data: Dataset, share: float, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    codes = data.codes.astype(np.int64)
    codes[rng.random(codes.shape) < share] = -1
    return Dataset.from_codes(
        codes, cards=data.cards, names=data.names, states=data.states, missing="available"
    )


ASIA = load_network("asia")


def test_each_table_is_that_of_the_rows_complete_in_its_variables():
    data = blanked(ASIA.sample(500, random_state=1), 0.2)

    fitted = BayesianNetwork.fit(ASIA.dag, data, equivalent_sample_size=5)

    for v in ASIA.dag.variables:
        family = [*ASIA.dag.parents(v), v]
        columns = list(data.variables([ASIA.names[u] for u in family]))
        is_complete = (data.codes[columns] < data.cards[columns, None]).all(axis=0)
        counts = np.zeros(fitted.tables[v].shape)
        for cell in data.take(is_complete).codes[columns].T.tolist():
            counts[tuple(cell)] += 1
        counts += 5 / counts.size
        assert fitted.tables[v] == pytest.approx(counts / counts.sum(axis=-1, keepdims=True))


def test_merged_rows_fit_the_same_tables():
    data = blanked(ASIA.sample(300, random_state=1), 0.2)

    assert BayesianNetwork.fit(ASIA.dag, data) == BayesianNetwork.fit(
        ASIA.dag, data.compressed(range(data.n_variables))
    )


def test_complete_data_have_the_tables_that_they_had():
    data = ASIA.sample(300, random_state=1)
    same = blanked(data, 0.0)

    assert BayesianNetwork.fit(ASIA.dag, same) == BayesianNetwork.fit(ASIA.dag, data)
    assert ASIA.log_likelihood(same).tolist() == ASIA.log_likelihood(data).tolist()


def completions(network: BayesianNetwork, row: dict[str, object]) -> pd.DataFrame:
    """All samples that agree with a row where it is not missing."""
    known = [
        [row[name]] if row[name] is not None else list(states)
        for name, states in zip(network.names, network.states, strict=True)
    ]
    return pd.DataFrame(list(product(*known)), columns=list(network.names))


@pytest.mark.parametrize("unseen", [None, 0.01])
def test_the_likelihood_is_summed_over_what_is_missing(unseen):
    data = blanked(ASIA.sample(25, random_state=3), 0.35)
    frame = data.to_pandas().astype(object)
    if unseen is not None:
        frame.loc[0, ["smoke", "xray"]] = ["sometimes", None]
        frame.loc[1, ["either", "dysp"]] = ["perhaps", None]

    found = ASIA.log_likelihood(frame, unseen=unseen)

    for i, log in enumerate(found):
        row = {name: None if pd.isna(cell) else cell for name, cell in frame.iloc[i].items()}
        logs = ASIA.log_likelihood(completions(ASIA, row), unseen=unseen)
        missing = [name for name in ASIA.names if row[name] is None]
        # A missing cell is one of the known states.
        more = 0.0 if unseen is None else -len(missing) * np.log1p(-unseen)
        assert log == pytest.approx(np.log(np.exp(logs).sum()) + more)


def test_a_sample_of_which_nothing_is_known_is_certain():
    data = Dataset.from_codes(
        np.full((8, 1), -1),
        cards=[2] * 8,
        names=ASIA.names,
        states=ASIA.states,
        missing="available",
    )

    assert ASIA.log_likelihood(data).tolist() == pytest.approx([0.0])


def test_what_is_impossible_stays_so():
    impossible = {"either": ["no"], "lung": ["yes"], "smoke": ["yes"]}
    frame = pd.DataFrame(
        {
            **{n: [None, "yes"] for n in ASIA.names},
            **{name: [value[0], "yes"] for name, value in impossible.items()},
        }
    )

    assert ASIA.log_likelihood(frame)[0] == -np.inf


@pytest.mark.parametrize("target", ["either", "lung", "asia"])
def test_a_missing_value_is_not_observed(target):
    data = blanked(ASIA.sample(60, random_state=5), 0.3)
    frame = data.to_pandas().astype(object)

    found = ASIA.predict(target, frame)

    assert found.tolist() == ASIA.predict(target, data).tolist()
    for i, state in enumerate(found):
        evidence = {
            name: cell
            for name, cell in frame.iloc[i].items()
            if name != target and not pd.isna(cell)
        }
        posterior = ASIA.posterior(target, evidence)
        assert posterior[state] == pytest.approx(max(posterior.values()))


def test_a_column_of_nothing_but_missing_values_is_named():
    frame = ASIA.sample(5).to_pandas().astype(object)
    frame["xray"] = None

    with pytest.raises(DataError, match="nothing but missing values in column 'xray'"):
        ASIA.predict("lung", frame)
