"""Kernels are compiled for the types that they are called with, by several processes."""

import os
import subprocess
import sys

import numba
import pytest

from h2pc import H2PC, load_network
from h2pc._kernels import compiling
from h2pc._kernels._jit import JIT_DISABLED

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")

LEARN = """
from numba.core.event import Listener, register
class Noted(Listener):
    names = []
    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass
register("numba:compile", Noted())
from h2pc import H2PC, load_network
H2PC(progress=False).fit(load_network("asia").sample(500, seed=0))
print(*Noted.names)
"""


def test_heavy_kernels_are_called_with_the_types_that_helpers_compile_them_for():
    H2PC(progress=False).fit(load_network("asia").sample(500, seed=0))

    narrow, wide = compiling.heavy_kernels("uint8"), compiling.heavy_kernels("uint16")
    for kernel, kinds in narrow.items():
        assert kinds in kernel.signatures
        assert set(kernel.signatures) <= {kinds, wide[kernel]}


def waiting_for(path):
    """A process that ends, and says so, once there is a file."""
    program = (
        "import pathlib, time\n"
        f"path = pathlib.Path({str(path)!r})\n"
        "while not path.exists(): time.sleep(0.01)\n"
        "path.with_name('ended').touch()"
    )
    return subprocess.Popen([sys.executable, "-c", program])


def compile_something():
    numba.njit(lambda x: x + 1)(1)


def test_helpers_are_started_if_something_is_compiled_and_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "_may_start", lambda: True)
    monkeypatch.setattr(compiling, "_started", lambda dtype: [waiting_for(tmp_path / "compiled")])

    with compiling.helped("uint8"):
        compile_something()
        (tmp_path / "compiled").touch()

    assert (tmp_path / "ended").exists()


def test_nobody_is_started_if_nothing_is_compiled(monkeypatch):
    def started(dtype):
        raise AssertionError("a helper was started")

    monkeypatch.setattr(compiling, "_may_start", lambda: True)
    monkeypatch.setattr(compiling, "_started", started)

    with compiling.helped("uint8"):
        pass


@pytest.mark.parametrize(
    ("program", "n_processors", "may"),
    [("bin/python3.11", 2, True), ("bin/python3.11", 1, False), ("bin/uwsgi", 2, False)],
)
def test_only_an_interpreter_with_a_processor_to_spare_starts_helpers(
    monkeypatch, program, n_processors, may
):
    monkeypatch.setattr(sys, "executable", program)
    monkeypatch.setattr(compiling, "cpu_count", lambda: n_processors)

    assert compiling._may_start() == may


def test_after_an_interrupt_no_helper_goes_on(tmp_path, monkeypatch):
    helper = waiting_for(tmp_path / "never")
    monkeypatch.setattr(compiling, "_may_start", lambda: True)
    monkeypatch.setattr(compiling, "_started", lambda dtype: [helper])

    def interrupted():
        compile_something()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), compiling.helped("uint8"):
        interrupted()

    assert helper.poll() not in (None, 0)


@pytest.mark.slow
def test_after_the_first_process_all_others_start_warm(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}

    first, second = (
        subprocess.run(
            [sys.executable, "-c", LEARN],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        for _ in range(2)
    )

    assert "_ask" in first.stdout
    assert "settled" not in first.stdout.split() or compiling.cpu_count() == 1  # a helper's work
    assert first.stderr.count("compiling") == 1
    assert (second.stdout.strip(), second.stderr) == ("", "")
