"""With the true skeleton and plenty of data, the true equivalence class comes back."""

import random

import numpy as np
import pytest

from h2pc import BayesianNetwork, Dag, Dataset, DSeparationOracle
from h2pc.algorithms.h2pc import hybrid_dag
from h2pc.algorithms.learn_result import LearnResult
from h2pc.algorithms.tabu import tabu_search
from h2pc.graphs import dag_to_cpdag
from h2pc.scores import BDeu
from strategies import random_dag

N_NODES = 8


def strong_network(seed: int) -> BayesianNetwork:
    """A random network of two or three levels, whose tables have rows far from each other."""
    rng, dice = np.random.default_rng(seed), random.Random(seed)
    dag = random_dag(dice, N_NODES, n_edges=dice.uniform(4, 14))
    states = [tuple("xyz"[: dice.choice((2, 3))]) for _ in dag.names]
    tables = [
        rng.dirichlet(
            # Most rows are near one level; without parents, all levels occur.
            np.full(len(states[v]), 0.5 if dag.parents(v) else 5.0),
            [len(states[u]) for u in dag.parents(v)],
        )
        for v in dag.variables
    ]
    return BayesianNetwork(dag, states, tables)


def is_explained(found: LearnResult, network: BayesianNetwork, data: Dataset) -> bool:
    """Whether the data prefer what was found to the truth, or more patience finds the truth."""
    truth, score = network.dag, BDeu(data)
    if found.score > score.total(truth.parent_sets):
        return True
    patient = tabu_search(score, truth.skeleton(), patience=100)
    return dag_to_cpdag(Dag(data.names, patient.parent_sets)) == dag_to_cpdag(truth)


@pytest.mark.parametrize(
    "seeds", [range(20), pytest.param(range(200), marks=pytest.mark.slow)], ids=["20", "200"]
)
def test_the_class_is_recovered_from_200_000_samples_and_the_true_skeleton(seeds):
    n_recovered = 0
    for seed in seeds:
        network = strong_network(seed)
        data = network.sample(200_000, random_state=seed).compressed(network.dag.variables)

        found = hybrid_dag(DSeparationOracle(network.dag), BDeu(data), data.names)

        if found.cpdag == dag_to_cpdag(network.dag):
            n_recovered += 1
        else:
            assert is_explained(found, network, data)
    print(f"{n_recovered} of {len(seeds)} classes recovered")
    assert n_recovered >= 0.85 * len(seeds)
