"""What the accuracy experiment runs, and what others report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from h2pc import __version__ as version
from h2pc.runs.cells import Record


class Plan(NamedTuple):
    """Networks, and the samples of each."""

    networks: tuple[str, ...]
    n_samples: int
    repetitions: int


SEVEN = Plan(("alarm", "child", "insurance", "hailfinder", "hepar2", "win95pts", "andes"), 5000, 5)
TEN = Plan(
    (
        "asia",
        "sachs",
        "child",
        "insurance",
        "water",
        "mildew",
        "alarm",
        "barley",
        "hepar2",
        "win95pts",
    ),
    10_000,
    1,
)
PLANS = {"seven": SEVEN, "ten": TEN}

# Single runs with 5,000 samples: the SHD of the authors' H2PC, and of bnlearn's.
REPORTED_RUNS = ("H2PC, authors (2014), one run*", "H2PC, bnlearn 5.2.1, one run*")
REPORTED_SHD = {
    "alarm": (3, 14),
    "child": (0, 4),
    "insurance": (23, 27),
    "hepar2": (57, 60),
    "andes": (58, 74),
}
# 10,000 samples: the mean of SHD / edges over the ten networks.
REPORTED_MEANS = {
    "H2PC, authors (2014)*": 0.32,
    "H2PC, bnlearn 5.2.1*": 0.42,
    "MMHC, bnlearn*": 0.57,
    "FGES*": 0.39,
    "GES, BDeu*": 0.31,
}
NOTE = (
    "SHD: between equivalence classes. BDeu: of the sample. F1: of the skeleton. Means over the "
    "runs. * Reported by others, on samples of their own."
)


class AccuracyCell(NamedTuple):
    """One sample, and who learns from it."""

    network: str
    n_samples: int
    repetition: int
    learner: str


@dataclass(frozen=True)
class Setup:
    """All that decides the outcome of a cell, besides its name."""

    seed: int = 0
    alpha: float = 0.05
    equivalent_sample_size: float = 10.0
    limit: float = 600.0
    """The seconds after which a run of another library is ended."""

    def settings(self) -> dict[str, object]:
        """Return what the folder of the experiment has to agree with."""
        return {"experiment": "accuracy", "version": version, **asdict(self)}


Runs = Mapping[AccuracyCell, Record]
"""What is known of every cell, its seconds included."""
