"""Settings shared by all tests."""

import signal

import pytest
from hypothesis import settings

# The machines are shared: how long an example takes says nothing about the code.
settings.register_profile("thorough", deadline=None, max_examples=100)
settings.register_profile("quick", deadline=None, max_examples=35)


def pytest_configure(config):
    """Without the slow tests, properties are tried on a third of the examples."""
    settings.load_profile("quick" if config.option.markexpr == "not slow" else "thorough")


@pytest.fixture
def ctrl_c_is_heard():
    """Interrupts raise KeyboardInterrupt, also where the tests run as a background job."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
