"""Networks beside those of the authors' implementation."""

import pytest

from golden import FILES, frame, golden
from h2pc import H2PC, MMHC, Dag, Dataset, Skeleton
from h2pc.algorithms.tabu import tabu_search
from h2pc.graphs import dag_to_cpdag
from h2pc.scores import BDeu

pytestmark = [
    pytest.mark.parametrize("file", FILES),
    pytest.mark.parametrize(
        ("algorithm", "skeleton_name", "learner"),
        [("h2pc", "hpc_skeleton_and", H2PC), ("mmhc", "mmpc_skeleton_and", MMHC)],
        ids=["h2pc", "mmhc"],
    ),
]
THEIR_PATIENCE = 100  # moves downhill


def test_with_their_skeleton_and_their_ties_the_network_is_theirs(
    file, algorithm, skeleton_name, learner
):
    answers, table = golden(file), frame(file)
    # Their ties go by the position of the columns, ours by name.
    place = {name: f"{position:04}" for position, name in enumerate(table.columns)}
    data = Dataset.from_data(table.rename(columns=place))

    def placed(edges):
        return [(place[u], place[v]) for u, v in edges]

    found = tabu_search(
        BDeu(data), Skeleton(data.names, placed(answers[skeleton_name])), patience=THEIR_PATIENCE
    )

    theirs = Dag.from_edges(data.names, placed(answers[algorithm]["arcs"]))
    assert dag_to_cpdag(Dag(data.names, found.parent_sets)) == dag_to_cpdag(theirs)
    assert found.score == pytest.approx(answers[algorithm]["bdeu10"], rel=1e-9)


def test_from_data_to_network_our_score_is_at_least_theirs(file, algorithm, skeleton_name, learner):
    found = learner(variant="paper", patience=THEIR_PATIENCE).fit(frame(file))

    theirs = golden(file)[algorithm]["bdeu10"]
    assert found.score_ >= theirs - 1e-9 * abs(theirs)
