"""Learners of other libraries, each run in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import Signals
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from h2pc import Cpdag, Dag, Dataset
from h2pc.errors import H2pcError, SettingError

PEERS = Path(__file__).parents[3] / "benchmarks" / "peers.py"
"""The program that runs other libraries; it is in the repository only."""


class NoAnswerError(H2pcError):
    """A learner failed, or took too long."""


class Seconds(NamedTuple):
    """What learning took."""

    total: float
    """By the clock."""
    cpu: float
    """Of the processor."""


@dataclass(frozen=True)
class Peers:
    """A program that runs a learner of another library."""

    program: Path = PEERS
    """Without arguments it lists the learners; otherwise it runs one of them."""
    python: str = sys.executable
    """The interpreter, which must have the other libraries."""

    def titles(self) -> dict[str, str]:
        """Return the learners that are installed, with their titles."""
        if not self.program.is_file():
            return {}
        try:
            listed = self._run([], limit=None)
        except OSError as error:
            raise SettingError(f"{self.python} does not run: {error.strerror}.") from None
        try:
            titles: dict[str, str] = json.loads(listed.stdout)
        except ValueError:
            complaint = _last_line(listed.stderr)
            raise SettingError(f"{self.program} does not list learners: {complaint}.") from None
        return titles

    def learned(
        self, learner: str, data: Dataset, limit: float = 600.0, **settings: float
    ) -> tuple[Dag | Cpdag, Seconds]:
        """Return the graph of a learner and its seconds, which are at most ``limit``."""
        with TemporaryDirectory() as folder:
            table, answer = Path(folder) / "data.npz", Path(folder) / "answer.json"
            order = list(data.variables(data.columns))
            names = np.array(data.columns)
            np.savez(table, codes=data.codes[order], cards=data.cards[order], names=names)
            options = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
            try:
                run = self._run([learner, table, answer, *options], limit)
            except subprocess.TimeoutExpired:
                raise NoAnswerError(f"over {limit:g} s") from None
            if run.returncode < 0:  # a crash, or no memory
                raise NoAnswerError(f"failed: ended by {Signals(-run.returncode).name}")
            if run.returncode != 0:
                raise NoAnswerError(f"failed: {_last_line(run.stderr)}")
            found = json.loads(answer.read_text())
        directed, undirected = found["directed"], found["undirected"]
        seconds = Seconds(found["seconds"], found["cpu"])
        if undirected is None:
            return Dag.from_edges(data.names, directed), seconds
        return Cpdag(data.names, directed, undirected), seconds

    def _run(
        self, arguments: Sequence[object], limit: float | None
    ) -> subprocess.CompletedProcess[str]:
        """Run the program in one thread; ``limit`` is in seconds."""
        return subprocess.run(
            [self.python, str(self.program), *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=limit,
            env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            check=False,
        )


def _last_line(text: str) -> str:
    """Return the last line of an error message."""
    return (text.strip().splitlines() or ["no message"])[-1]
