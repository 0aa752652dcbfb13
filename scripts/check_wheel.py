"""Learn alarm with an installed wheel: in a fresh environment, without extras and compiler.

``check_wheel.py WHEEL`` makes the environment and installs the wheel there;
``check_wheel.py --installed`` checks the h2pc of the Python that runs it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

N_SAMPLES, SEED = 5000, 1


def check_wheel(wheel: Path) -> None:
    """Install a wheel into a fresh environment and run this file there."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder, "venv")
        venv.create(environment, with_pip=True)
        programs = environment / ("Scripts" if os.name == "nt" else "bin")
        python = programs / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", wheel.resolve()], check=True)
        hidden = {"PATH", "PYTHONPATH", "CC", "CXX"}
        variables = {k: v for k, v in os.environ.items() if k not in hidden}
        for command in (
            [python, Path(__file__).resolve(), "--installed"],
            [programs / "h2pc", "demo"],
        ):
            path = {"PATH": str(programs)}
            subprocess.run(command, check=True, cwd=folder, env=variables | path)
        assert not Path(folder, "demo").exists(), "half a demo leaves no folder"
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB, works")


def check_installed() -> None:
    """Learn alarm and print how long it took; the sources must not be what is imported."""
    start = time.perf_counter()
    import h2pc
    from h2pc import _engine

    imported = time.perf_counter()
    assert "site-packages" in str(_engine.__file__), f"{_engine.__file__} is not installed"
    network = h2pc.load_network("alarm")
    data = network.sample(N_SAMPLES, random_state=SEED)
    sampled = time.perf_counter()
    learner = h2pc.H2PC().fit(data)
    learned = time.perf_counter()
    distance = h2pc.shd(learner.dag_, network.dag)
    assert distance <= 10, f"structural Hamming distance {distance}"
    print(
        f"h2pc {h2pc.__version__}, Python {sys.version.split()[0]}: "
        f"import {imported - start:.2f} s, {N_SAMPLES:,} samples of alarm learned in "
        f"{learned - sampled:.3f} s, SHD {distance}"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--installed"]:
        check_installed()
    elif len(sys.argv) == 2:
        check_wheel(Path(sys.argv[1]))
    else:
        sys.exit(__doc__)
