"""Settings shared by all tests."""

import re
import signal
from collections import Counter

import pytest
from hypothesis import settings

# The machines are shared: how long an example takes says nothing about the code.
settings.register_profile("thorough", deadline=None, max_examples=100)
settings.register_profile("quick", deadline=None, max_examples=35)


def pytest_configure(config):
    """Without the slow tests, properties are tried on a third of the examples."""
    settings.load_profile("quick" if config.option.markexpr == "not slow" else "thorough")


def pytest_terminal_summary(terminalreporter):
    """Say in one line which tests were skipped, and what would let them run."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.write_line(summary_of_skips([test.longrepr[2] for test in skipped]))


def summary_of_skips(reasons):
    """One line that counts what skipped tests need, the most frequent first.

    >>> summary_of_skips(["Skipped: needs Ray (pip install ray)"] * 2)
    '2 tests skipped: 2 need Ray (pip install ray)'
    """
    needs = Counter(need for need in map(need_of, reasons) if need)
    parts = [f"{n} need {need}" for need, n in needs.most_common()]
    others = len(reasons) - needs.total()
    parts += [f"{others} for other reasons (pytest -rs lists them)"] if others else []
    noun = "test" if len(reasons) == 1 else "tests"
    return f"{len(reasons)} {noun} skipped: {', '.join(parts)}"


def need_of(reason):
    """What a skipped test needs, if it says so."""
    missing = re.match(r"Skipped: could not import '([^'.]+)", reason)
    if missing:
        return f"{missing[1]} (pip install '.[all]')"
    need = re.match("Skipped: needs (.*)", reason)
    return need and need[1]


@pytest.fixture
def ctrl_c_is_heard():
    """Interrupts raise KeyboardInterrupt, also where the tests run as a background job."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
