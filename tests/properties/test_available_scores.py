"""Where cells are missing, a family has the score of its complete rows, for all rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.scores import AIC, BIC, FNML, K2, QNML, BDeu, BDs, LogLikelihood
from h2pc.variables import without
from reference.slow_available import node_average
from strategies import Question, datasets, examples, incomplete_datasets, questions

holed = incomplete_datasets(min_variables=2)
kinds = st.sampled_from([BDeu, BDs, K2, BIC, AIC, LogLikelihood, QNML, FNML])


def changes(score, question: Question) -> list[float]:
    child, candidates, parents = question
    return score.changed(child, parents, (*candidates, *parents)).tolist()


@examples(200)
@given(st.data(), holed, kinds)
def test_every_score_is_the_average_of_complete_rows(draw, data, kind):
    question = draw.draw(questions(data.n_variables))
    child, candidates, parents = question
    score = kind(data)
    found = changes(score, question)
    families = [
        *((*parents, x) for x in candidates),
        *(without(parents, x) for x in parents),
    ]

    assert found == [score.family(child, family) for family in families]
    for one, family in zip(found, families, strict=True):
        expected = node_average(score, child, family)
        assert one == pytest.approx(expected, rel=1e-9, abs=1000 * score.unit)


@examples(150)
@given(st.data(), holed, kinds)
def test_no_order_and_no_way_of_counting_matters(draw, data, kind):
    question = draw.draw(questions(data.n_variables))
    child, candidates, parents = question
    turned = data.take(np.arange(data.n_rows)[::-1])
    everyone = range(data.n_variables)
    expected = changes(kind(data), question)

    assert changes(kind(turned), question) == expected
    assert changes(kind(data.compressed(everyone)), question) == expected
    assert (
        changes(kind(data), Question(child, candidates, parents[::-1]))[: len(candidates)]
        == (expected[: len(candidates)])
    )


@examples(50)
@given(st.data(), datasets(min_variables=2), kinds)
def test_a_family_without_missing_cells_has_the_score_of_complete_data(draw, data, kind):
    child, candidates, parents = draw.draw(questions(data.n_variables))
    codes = data.codes.astype(np.int64)
    codes[candidates[0], 0] = -1
    holed = Dataset.from_codes(codes, cards=data.cards, missing="available")

    assert kind(holed).family(child, parents) == kind(data).family(child, parents)


@examples(40)
@given(holed, st.sampled_from([BDeu, BIC, QNML, FNML]))
def test_the_score_of_a_search_is_that_of_its_graph(data, kind):
    score = kind(data)

    found = tabu_search(score, restarts=2)

    assert found.score == score.total(found.parent_sets)


def test_chance_does_not_join_independent_variables():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (8, 4000))
    codes[rng.random(codes.shape) < 0.2] = -1
    data = Dataset.from_codes(codes, missing="available")

    for kind in (BDeu, BIC, QNML, FNML):
        assert set(tabu_search(kind(data)).parent_sets) == {()}
