"""Settings shared by all tests."""

import signal

import pytest
from hypothesis import settings

# The machines are shared: how long an example takes says nothing about the code.
settings.register_profile("h2pc", deadline=None)
settings.load_profile("h2pc")


@pytest.fixture
def ctrl_c_is_heard():
    """Interrupts raise KeyboardInterrupt, also where the tests run as a background job."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
