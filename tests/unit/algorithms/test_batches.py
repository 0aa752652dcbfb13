"""Batches for processes and clusters: every target once, about a second of work in each."""

from hypothesis import given
from hypothesis import strategies as st

from h2pc.algorithms.neighbourhoods import Batches
from h2pc.runs.limits import Limits, Watch

TARGETS = tuple(range(1000))


@given(st.integers(0, 300), st.integers(1, 50), st.lists(st.floats(0.0, 5.0), min_size=1))
def test_every_target_is_in_one_batch_in_order(n, n_workers, seconds):
    batches, given_out = Batches(TARGETS[:n], n_workers, Watch()), []
    for number, batch in enumerate(batches):
        given_out.extend(batch)
        batches.seconds_per_target = seconds[number % len(seconds)]

    assert tuple(given_out) == TARGETS[:n]


def test_the_first_batch_is_the_slowest_target_alone():
    assert next(iter(Batches(TARGETS, 2, Watch()))) == (0,)


def test_a_batch_has_the_targets_of_a_second():
    batches = Batches(TARGETS, 2, Watch())
    batches.seconds_per_target = 0.05

    assert len(next(iter(batches))) == 20


def test_a_batch_has_no_more_than_a_part_of_what_a_worker_would_still_get():
    batches = Batches(TARGETS, 2, Watch())
    batches.seconds_per_target = 0.007
    sizes = [len(batch) for batch in batches]

    assert sizes[0] == 1000 // 8
    assert sizes == sorted(sizes, reverse=True)


def test_a_batch_is_not_so_small_that_handing_it_over_counts():
    batches = Batches(TARGETS, 100, Watch())
    batches.seconds_per_target = 0.01

    assert {len(batch) for batch in batches} == {5}


def test_nothing_is_given_out_after_a_limit():
    watch = Watch(Limits(max_seconds=1e-9))

    assert list(Batches(TARGETS, 2, watch)) == []
