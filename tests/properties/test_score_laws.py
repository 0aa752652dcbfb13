"""Laws of the scores: equal on paper is equal in every bit, whatever is reordered or merged."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.graphs import Dag
from h2pc.scores import AIC, BIC, FNML, K2, QNML, BDeu, BDs, LogLikelihood
from reference.slow_scores import TWINS, OneByOne
from strategies import Question, dags, datasets, examples, questions

several = datasets(min_variables=2)
kinds = st.sampled_from([BDeu, BDs, K2, LogLikelihood, BIC, AIC, QNML, FNML])
equivalent_kinds = st.sampled_from([BDeu, LogLikelihood, BIC, AIC, QNML])


def scores(score, question: Question) -> list[float]:
    """The score of the family as it is, and of every change of it."""
    child, candidates, parents = question
    changed = score.changed(child, parents, candidates + parents)
    return [score.family(child, parents), *changed.tolist()]


@examples(80)
@given(st.data(), datasets(min_variables=2, wide=True), kinds)
def test_every_score_is_as_the_textbook_says(draw, data, kind):
    child, _, parents = draw.draw(questions(data.n_variables))

    found = kind(data).family(child, parents)

    assert found == pytest.approx(TWINS[kind](data, child, parents), rel=1e-9, abs=1e-8)


@examples(50)
@given(st.data(), several, kinds)
def test_changes_and_families_agree(draw, data, kind):
    question = draw.draw(questions(data.n_variables))

    assert scores(kind(data), question) == scores(OneByOne(kind(data)), question)


@examples(40)
@given(st.data(), several, kinds)
def test_the_order_of_parents_does_not_matter(draw, data, kind):
    child, candidates, parents = draw.draw(questions(data.n_variables))
    shuffled = tuple(draw.draw(st.permutations(parents)))
    score = kind(data)

    found = score.changed(child, shuffled, candidates + parents)

    assert found.tolist() == score.changed(child, parents, candidates + parents).tolist()
    assert score.family(child, shuffled) == score.family(child, parents)


@examples(40)
@given(st.data(), several, kinds)
def test_the_order_of_rows_and_of_levels_does_not_matter(draw, data, kind):
    question = draw.draw(questions(data.n_variables))
    rng = np.random.default_rng(draw.draw(st.integers(0, 99)))
    rows = rng.permutation(data.n_rows)
    codes = [rng.permutation(card)[row] for row, card in zip(data.codes, data.cards, strict=True)]
    shuffled = Dataset.from_codes(np.array(codes)[:, rows], cards=data.cards)

    assert scores(kind(shuffled), question) == scores(kind(data), question)


@examples(40)
@given(st.data(), several, kinds)
def test_neither_the_names_nor_the_order_of_columns_matter(draw, data, kind):
    child, candidates, parents = draw.draw(questions(data.n_variables))
    order = draw.draw(st.permutations(range(data.n_variables)))
    names = draw.draw(st.permutations("abcdef"[: data.n_variables]))
    moved = Dataset.from_codes(
        data.codes[order], cards=data.cards[order], names=[names[v] for v in order]
    )
    number = [moved.variable(name) for name in names]  # of the variable v in the moved data
    same = Question(
        number[child], tuple(number[v] for v in candidates), tuple(number[v] for v in parents)
    )

    assert scores(kind(moved), same) == scores(kind(data), Question(child, candidates, parents))


@examples(40)
@given(st.data(), several, kinds)
def test_merging_equal_rows_does_not_matter(draw, data, kind):
    question = draw.draw(questions(data.n_variables))
    merged = data.compressed(range(data.n_variables))

    assert scores(kind(merged), question) == scores(kind(data), question)


# Score equivalence


def covered_edges(dag: Dag) -> list[tuple[int, int]]:
    """Edges whose ends have the same other parents: graphs with one reversed are equivalent."""
    return [(u, v) for u, v in dag.edges if {*dag.parents(v)} == {*dag.parents(u), u}]


@examples(80)
@given(st.data(), several, equivalent_kinds)
def test_equivalent_graphs_have_exactly_the_same_score(draw, data, kind):
    dag = draw.draw(dags(data.n_variables, data.n_variables))
    assume(covered_edges(dag))
    score = kind(data)
    expected = score.total(dag.parent_sets)

    for _ in range(5):
        dag = dag.reversed_edge(*draw.draw(st.sampled_from(covered_edges(dag))))
        assert score.total(dag.parent_sets) == expected


@examples(40)
@given(st.data(), several, equivalent_kinds)
def test_an_edge_gains_the_same_in_both_directions(draw, data, kind):
    x, (y, *_), parents = draw.draw(questions(data.n_variables))
    score = kind(data)

    forward, backward = (
        score.changed(v, parents, (u,)).item() - score.family(v, parents)
        for u, v in [(x, y), (y, x)]
    )

    assert forward == backward


@examples(40)
@given(st.data(), several, kinds)
def test_gains_add_up_exactly_along_any_path_of_moves(draw, data, kind):
    dag = draw.draw(dags(data.n_variables, data.n_variables))
    score = kind(data)
    total = score.total([()] * data.n_variables)
    parents = [()] * data.n_variables

    for u, v in draw.draw(st.permutations(dag.edges)):
        total += score.changed(v, parents[v], (u,)).item() - score.family(v, parents[v])
        parents[v] = (*parents[v], u)

    assert total == score.total(dag.parent_sets)


def test_a_copy_of_a_column_is_as_good_a_parent():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (5, 400))
    codes[3] = codes[1]
    codes[4] = 2 - codes[1]  # other names for the same levels

    for kind in (BDeu, BDs, K2, LogLikelihood, BIC, AIC, QNML, FNML):
        found = kind(Dataset.from_codes(codes)).changed(0, (2,), (1, 3, 4))
        assert len(set(found.tolist())) == 1
