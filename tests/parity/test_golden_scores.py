"""The scores of all graphs in the golden files come out the same."""

from collections.abc import Iterator
from functools import cache

import pytest

from golden import FILES, frame, golden
from h2pc.data import Dataset
from h2pc.graphs import Dag
from h2pc.scores import BIC, BDeu, LogLikelihood

SCORES = {"bdeu10": BDeu, "bic": BIC, "loglik": LogLikelihood}


@cache
def dataset(file: str) -> Dataset:
    return Dataset.from_data(frame(file))


def graphs(file: str) -> Iterator[dict]:
    """Every graph with known scores."""
    yield from (golden(file)[name] for name in ("h2pc", "mmhc", "true"))
    yield from golden(file)["random"]


def test_there_are_eight_graphs_of_each_data_set():
    assert [len(list(graphs(file))) for file in FILES] == [8] * 8


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("file", FILES)
def test_the_score_of_every_graph_is_equal(file, name):
    data = dataset(file)
    score = SCORES[name](data)

    for graph in graphs(file):
        dag = Dag.from_edges(data.names, graph["arcs"])
        assert score.total(dag.parent_sets) == pytest.approx(graph[name], rel=1e-9)


@pytest.mark.parametrize("file", FILES)
def test_graphs_with_the_same_cpdag_have_the_same_bits(file):
    data = dataset(file)
    score = BDeu(data)
    dag = Dag.from_edges(data.names, golden(file)["h2pc"]["arcs"])
    covered = [(u, v) for u, v in dag.edges if {*dag.parents(v)} == {*dag.parents(u), u}]

    totals = {score.total(dag.reversed_edge(*edge).parent_sets) for edge in covered}

    assert totals == {score.total(dag.parent_sets)}
