"""Run the commands of README.md in their order: those of make, then the console block.

The console block runs in the project's root, where `make demo` has left a folder, and in an empty
folder; what it writes is removed.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Run all commands; the first that fails ends it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in re.findall(r"^    (make \w+)", readme, re.MULTILINE):
        _run(command, ROOT)
    (block,) = re.findall(r"^```console\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    commands = re.findall(r"^\$ (.*)", block, re.MULTILINE)
    with tempfile.TemporaryDirectory() as empty:
        for folder in (ROOT, Path(empty)):
            before = set(folder.iterdir())
            for command in commands:
                _run(command, folder)
            for written in set(folder.iterdir()) - before:
                written.unlink()


def _run(command: str, folder: Path) -> None:
    """Run a command in a folder, with the programs of .venv."""
    print(f"$ {command}", flush=True)
    path = os.pathsep.join((str(ROOT / ".venv" / "bin"), os.environ["PATH"]))
    subprocess.run(command, shell=True, check=True, cwd=folder, env={**os.environ, "PATH": path})


if __name__ == "__main__":
    main()
