import numpy as np
import pytest

from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.networks import BayesianNetwork, load_network


def test_known_marginals_of_asia():
    asia = load_network("asia")

    assert asia.posterior("lung") == pytest.approx({"yes": 0.055, "no": 0.945})
    assert asia.posterior("either") == pytest.approx({"yes": 0.064828, "no": 0.935172})
    assert asia.posterior("dysp", {"smoke": "yes"})["yes"] == pytest.approx(0.552808, abs=1e-6)


def test_posterior_agrees_with_samples_in_a_larger_network():
    alarm = load_network("alarm")
    data = alarm.sample(100_000)
    rows = data.codes[data.variable("BP")] == alarm.states[alarm.dag.variable("BP")].index("LOW")
    shock = data.codes[data.variable("ANAPHYLAXIS"), rows]

    posterior = alarm.posterior("ANAPHYLAXIS", {"BP": "LOW"})

    share = np.bincount(shock, minlength=2) / shock.size
    np.testing.assert_allclose(share, [*posterior.values()], atol=5 * 0.5 / np.sqrt(shock.size))


def test_a_posterior_with_all_else_known_does_not_underflow():
    link = load_network("link")
    data = link.sample(1)
    states = {name: link.states[v][data.codes[v, 0]] for v, name in enumerate(link.names)}
    target = link.names[100]

    posterior = link.posterior(target, {k: s for k, s in states.items() if k != target})

    assert sum(posterior.values()) == pytest.approx(1)
    assert posterior[states[target]] > 0


def test_only_ancestors_of_the_question_are_worked_on():
    pigs = load_network("pigs")
    root = next(v for v in pigs.dag.variables if not pigs.dag.parents(v))

    assert [*pigs.posterior(pigs.names[root]).values()] == pigs.tables[root].tolist()


def test_a_query_too_large_for_us_names_the_way_out():
    n = 26
    names = [f"v{i:02}" for i in range(2 * n)]
    roots, pairs = names[:n], [(a, b) for a in range(n) for b in range(a + 1, n)]
    children = [f"w{a:02}{b:02}" for a, b in pairs]
    dag = Dag(
        [*roots, *children], [*([] for _ in roots), *([names[a], names[b]] for a, b in pairs)]
    )
    tables = [*([0.5, 0.5] for _ in roots), *(np.full((2, 2, 2), 0.5) for _ in children)]
    network = BayesianNetwork(dag, [("0", "1")] * len(dag.names), tables)

    with pytest.raises(SettingError, match=r"to_pyagrum\(\) or to_pgmpy\(\)"):
        network.posterior(names[0], dict.fromkeys(children, "1"))


def test_variables_with_a_single_state_take_no_part():
    n = 70
    names = [f"v{i:02}" for i in range(n)]
    dag = Dag(names, [[], *([name] for name in names[:-1])])
    tables = [[1.0], *([[1.0]] for _ in range(n - 2)), [[0.25, 0.75]]]
    network = BayesianNetwork(dag, [["only"]] * (n - 1) + [["a", "b"]], tables)

    assert network.posterior(names[-1]) == {"a": 0.25, "b": 0.75}
    assert network.posterior(names[0], {names[-1]: "b"}) == {"only": 1.0}
