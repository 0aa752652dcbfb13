"""Settings shared by all tests."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

COMPILER = Path(__file__).with_name("compile_kernels.py")

# The machines are shared: how long an example takes says nothing about the code.
settings.register_profile("thorough", deadline=None, max_examples=100)
settings.register_profile("quick", deadline=None, max_examples=35)


def pytest_configure(config):
    """Without the slow tests, properties are tried on a third of the examples."""
    settings.load_profile("quick" if config.option.markexpr == "not slow" else "thorough")


def pytest_sessionstart(session):
    """Compile the kernels before test workers would do it all side by side, and say so."""
    if hasattr(session.config, "workerinput"):
        return
    done = subprocess.run([sys.executable, str(COMPILER)], capture_output=True, text=True)
    if done.returncode != 0:
        raise pytest.UsageError(f"{COMPILER.name} failed: {done.stderr}")


@pytest.fixture
def ctrl_c_is_heard():
    """Interrupts raise KeyboardInterrupt, also where the tests run as a background job."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
