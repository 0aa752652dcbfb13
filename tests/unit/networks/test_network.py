import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from h2pc.data import Dataset
from h2pc.errors import DataError, GraphError, SettingError
from h2pc.graphs import Dag
from h2pc.networks import BayesianNetwork, load_network

CHAIN = Dag.from_edges(["rain", "wet"], [("rain", "wet")])
YES_NO = (("no", "yes"), ("no", "yes"))
TABLES = ([0.8, 0.2], [[0.9, 0.1], [0.25, 0.75]])


def lawn() -> BayesianNetwork:
    return BayesianNetwork(CHAIN, YES_NO, TABLES)


def observed(rain: list[str], wet: list[str]) -> Dataset:
    return Dataset.from_data({"rain": rain, "wet": wet})


def test_a_network_shows_what_it_was_made_of():
    network = lawn()

    assert network.names == ("rain", "wet")
    assert network.states == YES_NO
    assert network.cards == (2, 2)
    assert network.n_parameters == 3
    assert network.tables[1].tolist() == TABLES[1]
    assert repr(network) == "BayesianNetwork(2 variables, 1 edges, 3 parameters)"


def test_tables_are_copied_and_read_only():
    mine = np.array([0.8, 0.2])
    network = BayesianNetwork(CHAIN, YES_NO, [mine, TABLES[1]])
    mine[0] = 7

    assert network.tables[0][0] == 0.8
    with pytest.raises(ValueError, match="read-only"):
        network.tables[0][0] = 0.5


def test_equal_networks_are_equal_and_survive_pickle():
    assert lawn() == lawn()
    assert hash(lawn()) == hash(lawn())
    assert pickle.loads(pickle.dumps(lawn())) == lawn()
    assert lawn() != BayesianNetwork(CHAIN, YES_NO, [[0.7, 0.3], TABLES[1]])
    assert lawn() != "lawn"


@pytest.mark.parametrize(
    ("states", "tables", "message"),
    [
        (YES_NO[:1], TABLES, "2 variables, but 1 lists of states"),
        ((("no", "no"), YES_NO[1]), TABLES, "states of 'rain' must be distinct"),
        (((), YES_NO[1]), TABLES, "at least one"),
        (((0, "1"), YES_NO[1]), TABLES, "must be a list of strings"),
        (((0, True), YES_NO[1]), TABLES, "must be a list of strings"),
        (((0.5, 1.5), YES_NO[1]), TABLES, "must be a list of strings"),
        (("ny", YES_NO[1]), TABLES, "must be a list of strings"),
        (YES_NO, ([0.8, 0.2], [0.5, 0.5]), r"'wet' must have shape \(2, 2\)"),
        (YES_NO, ([0.8, 0.3], TABLES[1]), "'rain' sums to 1.1, not to 1"),
        (YES_NO, ([1.2, -0.2], TABLES[1]), "not probabilities"),
        (YES_NO, ([np.nan, 1.0], TABLES[1]), "not probabilities"),
    ],
)
def test_what_is_no_network_is_refused(states, tables, message):
    with pytest.raises(SettingError, match=message):
        BayesianNetwork(CHAIN, states, tables)


def test_rows_may_miss_one_by_the_digits_of_a_file_and_stay_as_given():
    network = BayesianNetwork(CHAIN, YES_NO, [[0.8, 0.2000005], TABLES[1]])

    assert network.tables[0].tolist() == [0.8, 0.2000005]


def test_a_family_too_large_to_tabulate_is_refused():
    names = [f"v{i:02}" for i in range(30)]
    dag = Dag(names, [[], *([] for _ in range(28)), names[:29]])
    data = Dataset.from_codes(np.zeros((30, 2), np.uint8), cards=[4] * 30, names=names)

    with pytest.raises(SettingError, match="'v29' with 29 parents would have"):
        BayesianNetwork.fit(dag, data)


def test_maximum_likelihood_is_the_frequencies_and_unseen_rows_are_uniform():
    data = Dataset.from_codes([[0, 0, 0, 0], [0, 0, 0, 1]], cards=[2, 3], names=["rain", "wet"])

    fitted = BayesianNetwork.fit(CHAIN, data)

    assert fitted.states == ((0, 1), (0, 1, 2))
    assert fitted.tables[0].tolist() == [1, 0]
    np.testing.assert_allclose(fitted.tables[1], [[0.75, 0.25, 0], [1 / 3, 1 / 3, 1 / 3]])


def test_priors_add_imaginary_samples():
    data = observed(["no", "no", "no", "yes"], ["no", "yes", "no", "yes"])

    laplace = BayesianNetwork.fit(CHAIN, data, pseudo_count=1)
    bdeu = BayesianNetwork.fit(CHAIN, data, equivalent_sample_size=4)

    np.testing.assert_allclose(laplace.tables[0], [4 / 6, 2 / 6])
    np.testing.assert_allclose(laplace.tables[1], [[3 / 5, 2 / 5], [1 / 3, 2 / 3]])
    np.testing.assert_allclose(bdeu.tables[0], [5 / 8, 3 / 8])
    np.testing.assert_allclose(bdeu.tables[1], [[3 / 5, 2 / 5], [1 / 3, 2 / 3]])


@pytest.mark.parametrize(
    "prior",
    [
        {"pseudo_count": -1},
        {"equivalent_sample_size": np.inf},
        {"pseudo_count": 1, "equivalent_sample_size": 1},
    ],
)
def test_impossible_priors_are_refused(prior):
    with pytest.raises(SettingError):
        BayesianNetwork.fit(CHAIN, observed(["no", "yes"], ["no", "yes"]), **prior)


def test_fit_needs_all_columns_of_the_graph():
    with pytest.raises(DataError, match="lacks 1 columns of the network: 'wet'"):
        BayesianNetwork.fit(CHAIN, Dataset.from_data({"rain": ["no", "yes"]}))


def test_fit_finds_its_columns_by_name():
    backwards = Dag.from_edges(["wet", "rain"], [("rain", "wet")])
    data = observed(["no", "no", "yes", "yes"], ["no", "yes", "yes", "yes"])

    fitted = BayesianNetwork.fit(backwards, data)

    assert fitted.tables[0].tolist() == [[0.5, 0.5], [0, 1]]


def test_log_likelihood_is_that_of_each_sample_and_matches_states_by_name():
    data = Dataset.from_codes(
        [[0, 1, 1], [0, 0, 1]],
        names=["rain", "wet"],
        states=[["yes", "no"], ["yes", "no"]],
    )

    found = lawn().log_likelihood(data)

    np.testing.assert_allclose(found, np.log([0.2 * 0.75, 0.8 * 0.1, 0.8 * 0.9]))


def test_log_likelihood_counts_merged_rows():
    asia = load_network("asia")
    data = asia.sample(500)
    merged = data.compressed(range(8))

    np.testing.assert_allclose(
        np.sort(asia.log_likelihood(merged)), np.sort(asia.log_likelihood(data))
    )
    fitted, again = (BayesianNetwork.fit(asia.dag, d) for d in (data, merged))
    assert fitted == again
    assert sorted(asia.predict("dysp", merged)) == sorted(asia.predict("dysp", data))


COLUMNS = {"treat": [0, 1, 1, 0, 1], "cens": [True, False, False, True, True]}


def test_integer_and_boolean_states_stay_what_they_are():
    dag = Dag.from_edges(["cens", "treat"], [("treat", "cens")])

    network = BayesianNetwork.fit(dag, pd.DataFrame(COLUMNS))

    assert [type(state) for state in network.states[0]] == [bool, bool]
    assert network.states == ((False, True), (0, 1))
    assert network.posterior("cens", {"treat": 1}) == pytest.approx({False: 2 / 3, True: 1 / 3})
    assert network.posterior("treat", {"cens": False}) == {0: 0.0, 1: 1.0}
    assert network.predict("treat", {"cens": [True, False]}).tolist() == [0, 1]
    assert network.predict("cens", {"treat": [0, 1]}).dtype == bool
    assert network.sample(5).states == ((False, True), (0, 1))


def test_states_are_matched_by_value_and_else_by_text():
    text = BayesianNetwork(CHAIN, [["0", "1"], ["False", "True"]], TABLES)
    numbers = BayesianNetwork(CHAIN, [[0, 1], [False, True]], TABLES)
    expected = text.log_likelihood({"rain": ["0", "1"], "wet": ["True", "False"]})

    for data in ({"rain": ["0", "1"], "wet": ["True", "False"]}, {"rain": [0, 1], "wet": [1, 0]}):
        np.testing.assert_array_equal(numbers.log_likelihood(data), expected)
    np.testing.assert_array_equal(
        text.log_likelihood({"rain": [0, 1], "wet": [True, False]}), expected
    )
    assert text.posterior("wet", {"rain": 1}) == pytest.approx({"False": 0.25, "True": 0.75})


def test_a_missing_value_may_be_a_state():
    data = Dataset.from_data({"rain": ["no", None], "wet": ["no", "yes"]}, missing="level")

    network = BayesianNetwork.fit(CHAIN, data, pseudo_count=1)

    assert network.states == (("no", None), ("no", "yes"))
    assert network.posterior("rain")[None] == 0.5
    assert network.predict("wet", {"rain": [None, "no"]}).tolist() == ["yes", "no"]


def test_categories_that_are_neither_text_nor_numbers_become_text():
    cut = pd.cut(pd.Series([0.5, 1.5, 2.5]), [0, 1, 2, 3])

    network = BayesianNetwork.fit(Dag(["x"], [[]]), pd.DataFrame({"x": cut}))

    assert network.states == (("(0, 1]", "(1, 2]", "(2, 3]"),)


def test_a_sample_that_the_network_excludes_has_log_likelihood_minus_infinity():
    sure = BayesianNetwork(CHAIN, YES_NO, [[1, 0], TABLES[1]])

    assert sure.log_likelihood(observed(["yes", "no"], ["no", "yes"]))[0] == -np.inf


def test_data_frames_of_any_library_will_do_and_other_columns_are_ignored():
    columns = {"wet": ["no", "yes"], "rain": ["no", "yes"], "depth": [0.1, 0.2]}
    expected = lawn().log_likelihood(observed(["no", "yes"], ["no", "yes"]))

    for data in (columns, pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        np.testing.assert_array_equal(lawn().log_likelihood(data), expected)
        assert lawn().predict("wet", data).tolist() == ["no", "yes"]
        assert BayesianNetwork.fit(CHAIN, data).states == YES_NO


def test_unseen_states_have_the_probability_that_is_given_to_them():
    data = observed(["no", "snow", "yes"], ["no", "yes", "ice"])

    found = lawn().log_likelihood(data, unseen=0.1)

    known, uniform = 0.9 * 0.9, 1 / 2
    np.testing.assert_allclose(
        np.exp(found), [0.8 * 0.9 * known, 0.1 * uniform * 0.9, 0.2 * 0.9 * 0.1]
    )


def test_all_samples_that_can_be_have_probability_one_together_with_unseen_states():
    states = ["no", "yes", "unseen"]
    data = observed([a for a in states for _ in states], states * 3)

    found = lawn().log_likelihood(data, unseen=0.01)

    assert np.exp(found).sum() == pytest.approx(1)


@pytest.mark.parametrize("unseen", [0, 1, -0.5, float("nan")])
def test_the_probability_of_unseen_states_is_between_zero_and_one(unseen):
    with pytest.raises(SettingError, match="unseen must be a probability"):
        lawn().log_likelihood(observed(["no"], ["no"]), unseen=unseen)


def test_a_level_that_the_network_does_not_know_is_named():
    with pytest.raises(DataError, match="Column 'wet' holds 'soaked', which is not a state"):
        lawn().log_likelihood(observed(["no", "yes"], ["no", "soaked"]))


def test_posterior_is_bayes_rule():
    given_wet = lawn().posterior("rain", {"wet": "yes"})

    assert given_wet == pytest.approx({"no": 0.08 / 0.23, "yes": 0.15 / 0.23})
    assert lawn().posterior("wet") == pytest.approx({"no": 0.77, "yes": 0.23})


@pytest.mark.parametrize(
    ("variable", "evidence", "error"),
    [
        ("snow", {}, GraphError),
        ("rain", {"snow": "no"}, GraphError),
        ("rain", {"wet": "maybe"}, SettingError),
        ("rain", {"rain": "no"}, SettingError),
    ],
)
def test_impossible_queries_are_refused(variable, evidence, error):
    with pytest.raises(error):
        lawn().posterior(variable, evidence)


def test_evidence_of_probability_zero_has_no_posterior():
    sure = BayesianNetwork(CHAIN, YES_NO, [[1, 0], [[1, 0], [0, 1]]])

    with pytest.raises(DataError, match="probability 0"):
        sure.posterior("rain", {"wet": "yes"})


def test_predict_takes_the_most_probable_state():
    data = observed(["no", "yes"], ["no", "yes"])

    assert lawn().predict("wet", data).tolist() == ["no", "yes"]
    assert lawn().predict("rain", data).tolist() == ["no", "yes"]


def test_predict_has_room_for_more_states_than_the_known_columns_have():
    states = [f"s{i:03}" for i in range(300)]
    fewer = np.tile([0.9, 0.1], (300, 1))
    fewer[290] = [0.1, 0.9]
    dag = Dag.from_edges(["many", "two"], [("many", "two")])
    network = BayesianNetwork(dag, [states, ["no", "yes"]], [np.full(300, 1 / 300), fewer])

    assert network.predict("many", {"two": ["no", "yes"]}).tolist() == ["s000", "s290"]


def test_predict_sums_out_columns_that_are_missing():
    asia = load_network("asia")
    data = asia.sample(40, random_state=3)
    given = {
        name: [asia.states[v][code] for code in data.codes[v]]
        for name in ("smoke", "xray")
        for v in [asia.dag.variable(name)]
    }

    predicted = asia.predict("lung", Dataset.from_data(given))

    for i, state in enumerate(predicted):
        posterior = asia.posterior("lung", {name: given[name][i] for name in given})
        assert state == max(posterior, key=posterior.get)


def test_continuous_data_have_no_tables_and_no_states():
    with pytest.raises(DataError, match=r"'rain' holds continuous numbers.*LinearGaussianNetwork"):
        BayesianNetwork.fit(CHAIN, {"rain": [0.5, 1.5], "wet": ["no", "yes"]})
    with pytest.raises(DataError, match=r"'rain' holds continuous numbers such as 0\.5"):
        lawn().log_likelihood({"rain": [0.5, 1.5], "wet": ["no", "yes"]})


def test_whole_numbers_of_many_kinds_are_the_states_of_a_network_that_has_them():
    dag = Dag.from_edges(["age", "wet"], [("age", "wet")])
    table = np.linspace(0.1, 0.9, 60)
    tables = [np.full(60, 1 / 60), np.stack([1 - table, table], axis=1)]
    network = BayesianNetwork(dag, [range(60), ("no", "yes")], tables)
    ages = [*range(0, 60, 2), None]
    frame = pl.DataFrame({"age": ages, "wet": ["yes"] * 31})

    expected = np.log([*(table[::2] / 60), table.mean()])
    assert network.log_likelihood(frame) == pytest.approx(expected)
    assert network.predict("wet", frame[:30]).tolist() == ["no"] * 15 + ["yes"] * 15
    with pytest.raises(DataError, match="'age' holds 60, which is not a state"):
        network.log_likelihood(frame[:30].with_columns(age=pl.Series(range(31, 61))))
