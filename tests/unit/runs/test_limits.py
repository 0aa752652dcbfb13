"""Limits that make no sense are refused; a watch comes to its limits, and stays there."""

import pickle
from time import sleep

import numpy as np
import pytest

from h2pc.errors import H2pcWarning, SettingError
from h2pc.runs.limits import (
    LimitReachedError,
    Limits,
    Watch,
    bytes_of,
    in_bytes,
    memory_in_use,
    seconds_of,
)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("0.5", 0.5), ("90s", 90), ("10m", 600), (" 1.5 H ", 5400), ("1d2h3m4s", 93784)],
)
def test_times_are_read(text, seconds):
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "m", "10x", "-3", "1h-3m", "0", "0s", "ten", "1e3", "inf"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(SettingError, match="Expected a time like 90s, 10m or 1h30m; got"):
        seconds_of(text)


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [
        ("2GB", 2 * 10**9),
        ("2 gb", 2 * 10**9),
        ("1.5G", 15 * 10**8),
        ("512MiB", 2**29),
        ("1kib", 1024),
        ("3000", 3000),
        ("100b", 100),
        ("1T", 10**12),
    ],
)
def test_amounts_of_memory_are_read(text, n_bytes):
    assert bytes_of(text) == n_bytes


@pytest.mark.parametrize("text", ["", "GB", "0", "-1GB", "2XB", "1iB", "lots", "1e9", "0.1"])
def test_what_is_no_amount_of_memory_is_refused(text):
    with pytest.raises(SettingError, match="Expected an amount of memory like 2GB or 512MiB; got"):
        bytes_of(text)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"max_seconds": 0}, "max_seconds must be a number above 0, or None; got 0"),
        ({"max_seconds": float("nan")}, "max_seconds must be"),
        ({"max_seconds": "10m"}, "max_seconds must be"),
        ({"max_memory": 1.5}, "max_memory must be a whole number from 1 on, or None; got 1.5"),
        ({"max_memory": True}, "max_memory must be"),
        ({"max_conditioning": -1}, "max_conditioning must be a whole number from 0 on"),
        ({"max_subset_tests": 0}, "max_subset_tests must be a whole number from 1 on"),
    ],
)
def test_limits_without_sense_are_refused(limits, message):
    with pytest.raises(SettingError, match=message):
        Limits(**limits)


def test_a_watch_without_limits_is_never_at_one():
    watch = Watch()
    watch.check()

    assert watch.reached is watch.reason is None


def test_time_runs_out():
    watch = Watch(Limits(max_seconds=0.01))
    sleep(0.02)

    assert watch.reached == watch.reason == "max_seconds"
    with pytest.raises(LimitReachedError):
        watch.check()


def test_memory_runs_out_while_the_process_grows():
    room = memory_in_use() + 100_000_000
    watch = Watch(Limits(max_memory=int(room / 0.9)))
    assert watch.reached is None

    ballast = np.ones(25_000_000)
    sleep(0.05)

    assert watch.reached == "max_memory"
    assert ballast.sum() == ballast.size


def test_a_part_has_less_time_and_tells_the_whole_why_it_ended():
    whole = Watch(Limits(max_seconds=100.0, max_memory=10**15, max_conditioning=3), ("a",))
    whole._start -= 85.0

    part = whole.first_part(0.8)

    assert part.limits == Limits(80.0, 95 * 10**13, max_conditioning=3)
    assert part.reached == "max_seconds"
    assert whole.reached is None
    assert whole.reason == "max_seconds"


def test_copies_have_the_time_that_is_left():
    watch = Watch(Limits(max_seconds=100.0), ("a",))
    watch._start -= 90.0

    copy = pickle.loads(pickle.dumps(watch))
    assert copy.reached is None
    copy._start -= 10.0

    assert copy.reached == "max_seconds"
    assert copy.name(0) == "a"


def test_a_watch_warns_once():
    watch = Watch()

    with pytest.warns(H2pcWarning, match="One"):
        watch.warn("One.")
    watch.warn("Two.")  # a second warning would be an error


def test_amounts_are_said_in_short():
    assert [in_bytes(n) for n in (1.5e9, 64 << 20, 10**12)] == ["1.5 GB", "67.1 MB", "1e+03 GB"]
