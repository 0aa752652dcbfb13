"""What the synthetic experiment is made of: cells, and the settings that all of them share."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

from h2pc import __version__
from h2pc.errors import SettingError

EXPERIMENT = "synthetic"


class SyntheticCell(NamedTuple):
    """One sample to learn from."""

    network: str
    size: int
    repetition: int


@dataclass(frozen=True)
class Setup:
    """All that decides the results of a cell, besides its name.

    The networks, the sizes and the number of repetitions are not among it: an experiment may grow.

    Attributes
    ----------
    seed : int
        What all samples of the experiment are derived from.
    n_new : int
        The number of new samples that the learned networks are judged on.
    alpha : float
        The level of the independence tests.
    equivalent_sample_size : float
        The weight of the prior of BDeu, in the search and where networks are judged.
    patience : int
        Moves without a new best score after which the search ends.

    Examples
    --------
    >>> Setup(seed=3).settings()["seed"]
    3
    """

    seed: int = 0
    n_new: int = 50_000
    alpha: float = 0.05
    equivalent_sample_size: float = 10.0
    patience: int = 15

    def __post_init__(self) -> None:
        for name, least in (("seed", 0), ("n_new", 1), ("patience", 0)):
            if getattr(self, name) < least:
                raise SettingError(f"{name} must be at least {least}; got {getattr(self, name)}.")

    def settings(self) -> dict[str, object]:
        """Return what the folder of the experiment has to agree with."""
        return {"experiment": EXPERIMENT, "version": __version__, **asdict(self)}
