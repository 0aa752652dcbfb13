"""Bounds on the expected number of false edges: by hand, to the last graph, and by simulation."""

import numpy as np
import pytest

from h2pc.errors import SettingError
from h2pc.graphs import Cpdag
from h2pc.learners.edge_strengths import EdgeStrengths

NAMES = tuple("abcdef")  # 15 pairs


def halves(*counts: int, n_graphs: int = 100, **more) -> EdgeStrengths:
    """Strengths of graphs whose pairs a – b, a – c, … are joined so many times."""
    pairs = [(u, v) for u in range(6) for v in range(u + 1, 6)]
    joined = list(zip(pairs, counts, strict=False))
    graphs = [
        Cpdag(NAMES, [], [pair for pair, n in joined if number < n]) for number in range(n_graphs)
    ]
    return EdgeStrengths.of(NAMES, graphs, **{"resampling": "subsample"} | more)


def test_without_assumption_the_bound_is_that_of_theorem_1():
    strengths = halves(100, 100, 100, 50, 50)  # q = 4, p = 15

    # Above 0.59 means 60 graphs or more.
    assert strengths.expected_false_edges(0.59) == pytest.approx(16 / (0.2 * 15))
    assert strengths.expected_false_edges(0.5) == pytest.approx(16 / (0.02 * 15))
    assert strengths.expected_false_edges(0.99) == pytest.approx(16 / 15)
    assert strengths.expected_false_edges(1.0) == 0.0


def test_unimodal_bounds_are_those_of_theorem_2():
    strengths = halves(100, 100, 100, 50, 50)  # q = 4, p = 15, B = 50

    def bound(threshold):
        return strengths.expected_false_edges(threshold, assumption="unimodal") / (16 / 15)

    assert bound(0.69) == pytest.approx(1 / (2 * (0.4 - 0.01)))
    assert bound(0.74) == pytest.approx(1 / (2 * (0.5 - 0.01)))
    assert bound(0.75) == pytest.approx(4 * (0.24 + 0.01) / 1.02)
    assert bound(0.99) == pytest.approx(4 * 0.01 / 1.02)


def test_a_threshold_between_two_shares_has_the_bound_of_the_next_one():
    strengths = halves(100, 100, 20, n_graphs=100)

    assert strengths.expected_false_edges(0.695) == strengths.expected_false_edges(0.69)
    assert strengths.expected_false_edges(0.7) < strengths.expected_false_edges(0.69)


@pytest.mark.parametrize("n_graphs", [2, 6, 10, 14, 50, 98, 202])
def test_the_bound_counts_pairs_as_the_averaged_network_does_to_the_last_graph(n_graphs):
    for count in range(n_graphs // 2 + 1, n_graphs + 1):
        strengths = halves(count, n_graphs=n_graphs)
        (edge,) = strengths.edges
        below = (count - 1) / n_graphs

        q = edge.strength
        expected = q * q / ((2 * count / n_graphs - 1) * 15)
        assert strengths.skeleton(below).edges == ((0, 1),)
        assert strengths.skeleton(edge.strength).edges == ()
        assert strengths.expected_false_edges(below) == pytest.approx(expected)


@pytest.mark.parametrize("assumption", ["none", "unimodal"])
@pytest.mark.parametrize("n_graphs", [10, 100])
def test_the_chosen_threshold_is_the_smallest_that_is_low_enough(assumption, n_graphs):
    strengths = halves(n_graphs, n_graphs, n_graphs // 2, n_graphs=n_graphs)
    for wanted in np.linspace(0.05, 6, 60):
        try:
            threshold = strengths.threshold_for(wanted, assumption=assumption)
        except SettingError:
            threshold = 1.0
        bounds = {}
        for k in range(n_graphs):
            try:
                bound = strengths.expected_false_edges(k / n_graphs, assumption=assumption)
            except SettingError:
                continue
            bounds[k / n_graphs] = bound

        low = [share for share, bound in bounds.items() if bound <= wanted]
        assert threshold == min(low, default=1.0)


def test_a_bound_that_no_threshold_reaches_is_refused_with_the_least_one():
    strengths = halves(100, 100, 100, 50, 50)

    with pytest.raises(SettingError, match=r"max_false_edges must be at least 1\.07.*got 0\.5"):
        strengths.threshold_for(0.5)
    assert strengths.threshold_for(16 / 15) == 0.99


def test_bounds_hold_from_a_threshold_on():
    few = halves(5, n_graphs=10)
    dense = halves(*[100] * 9)  # more than 1 / sqrt(3) of all pairs

    with pytest.raises(SettingError, match=r"threshold must be larger.*got 0\.4"):
        few.expected_false_edges(0.4)
    assert few.expected_false_edges(0.5) > 0
    with pytest.raises(SettingError, match=r"threshold must be larger.*unimodal"):
        few.expected_false_edges(0.5, assumption="unimodal")  # from 1/2 + 1/B on
    assert few.expected_false_edges(0.6, assumption="unimodal") > 0
    with pytest.raises(SettingError, match="join too many of the pairs"):
        dense.threshold_for(100, assumption="unimodal")


def test_bounds_need_complementary_halves():
    strengths = halves(80, resampling="bootstrap")

    for question in (strengths.expected_false_edges, lambda: strengths.threshold_for(1)):
        with pytest.raises(SettingError, match="need resampling='subsample'"):
            question()
    with pytest.raises(SettingError, match="even number of graphs; got 5"):
        halves(3, n_graphs=5)
    with pytest.raises(SettingError, match="assumption must be one of 'none', 'unimodal'"):
        halves(3).threshold_for(1, assumption="normal")
    with pytest.raises(SettingError, match="max_false_edges must be a number from 0 on"):
        halves(3).threshold_for(-1)


def test_around_targets_bounds_count_pairs_that_have_a_target():
    # a – b, a – c and b – c, of which the last has no target.
    counts = [100, 60, 0, 0, 0, 100]
    strengths = halves(*counts, targets=["a"])

    assert strengths.n_pairs == 5
    assert strengths.expected_false_edges(0.9) == pytest.approx(1.6**2 / (0.82 * 5))


@pytest.mark.parametrize("assumption", ["none", "unimodal"])
def test_in_a_simulation_fewer_false_pairs_are_selected_than_the_bound_says(assumption):
    rng = np.random.default_rng(3)
    n_rows, n_graphs, n_selected, bounds = 60, 40, [], []
    pairs = [(u, v) for u in range(6) for v in range(u + 1, 6)]
    for _ in range(60):
        values = rng.normal(size=(n_rows, 6))
        values[:, 1] += 1.5 * values[:, 0]  # the only true pair
        graphs = []
        for _ in range(n_graphs // 2):
            order = rng.permutation(n_rows)
            for rows in (order[:30], order[30:]):
                size = np.abs(np.corrcoef(values[rows].T))
                # The three largest correlations: two of them are false.
                best = sorted(pairs, key=lambda pair: -size[pair])[:3]
                graphs.append(Cpdag(NAMES, [], best))
        strengths = EdgeStrengths.of(NAMES, graphs, resampling="subsample")
        found = strengths.skeleton(0.7).edges
        n_selected.append(len(set(found) - {(0, 1)}))
        bounds.append(strengths.expected_false_edges(0.7, assumption=assumption))

    assert 0 < np.mean(n_selected) <= np.mean(bounds)
