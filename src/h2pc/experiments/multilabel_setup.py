"""What the multi-label experiment is made of: cells, and the settings that all of them share."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

from h2pc import __version__
from h2pc.errors import SettingError

EXPERIMENT = "multilabel"


class MultilabelCell(NamedTuple):
    """One fold of a data set: it is told by all the others."""

    data: str
    fold: int


@dataclass(frozen=True)
class MultilabelSetup:
    """All that decides the results of a cell, besides its name and the data.

    The data sets are not among it, nor how many folds are run: an experiment may grow.

    Attributes
    ----------
    seed : int
        What the folds and the forests are derived from.
    folds : int
        The number of parts that a data set is split into.
    trees : int
        The number of trees of a forest.
    alpha : float
        The level of the independence tests.
    equivalent_sample_size : float
        The weight of the prior of BDeu in the search.
    patience : int
        Moves without a new best score after which the search ends.

    Examples
    --------
    >>> MultilabelSetup(folds=5).settings()["folds"]
    5
    """

    seed: int = 0
    folds: int = 10
    trees: int = 100
    alpha: float = 0.05
    equivalent_sample_size: float = 10.0
    patience: int = 15

    def __post_init__(self) -> None:
        for name, least in (("seed", 0), ("folds", 2), ("trees", 1), ("patience", 0)):
            if getattr(self, name) < least:
                raise SettingError(f"{name} must be at least {least}; got {getattr(self, name)}.")

    def settings(self) -> dict[str, object]:
        """Return what the folder of the experiment has to agree with."""
        return {"experiment": EXPERIMENT, "version": __version__, **asdict(self)}
