"""What the paper prints about its second experiment: Tables 4, 5 and 6."""

from __future__ import annotations

from typing import Literal, NamedTuple

FOLDS = 10

Algorithm = Literal["h2pc", "mmhc"]
ALGORITHMS: tuple[Algorithm, ...] = ("h2pc", "mmhc")
TITLES: dict[Algorithm, str] = {"h2pc": "H2PC", "mmhc": "MMHC"}


class Column(NamedTuple):
    """A column of Table 5: a scenario, and whose graph it uses."""

    scenario: str
    algorithm: Algorithm | None = None

    @property
    def title(self) -> str:
        """What the paper calls it."""
        method = self.scenario.upper().replace("_", "+")
        return f"{method} {TITLES[self.algorithm]}" if self.algorithm else method


BR = Column("br")
SCENARIOS = ("mlp", "br_mb", "mlp_mb")
COLUMNS = (
    BR,
    *(Column(scenario, algorithm) for scenario in SCENARIOS for algorithm in reversed(ALGORITHMS)),
)
"""In the paper's order."""


class Powersets(NamedTuple):
    """A row of Table 4."""

    mean: float
    """Of the number of powersets."""
    deviation: float
    labels: str
    """Fewest, median and most labels of a powerset."""
    classes: str
    """Fewest, median and most classes of a powerset."""


TABLE_4: dict[tuple[str, str], Powersets] = {
    ("emotions", "h2pc"): Powersets(1.0, 0.0, "6 / 6 / 6", "26 / 27 / 27"),
    ("yeast", "h2pc"): Powersets(2.0, 0.0, "2 / 7 / 12", "3 / 64 / 135"),
    ("image", "h2pc"): Powersets(1.0, 0.0, "5 / 5 / 5", "19 / 20 / 20"),
    ("scene", "h2pc"): Powersets(1.0, 0.0, "6 / 6 / 6", "14 / 15 / 15"),
    ("slashdot", "h2pc"): Powersets(9.5, 0.8, "1 / 1 / 14", "1 / 2 / 111"),
    ("genbase", "h2pc"): Powersets(26.9, 0.3, "1 / 1 / 2", "1 / 2 / 2"),
    ("medical", "h2pc"): Powersets(38.6, 1.8, "1 / 1 / 6", "1 / 2 / 10"),
    ("enron", "h2pc"): Powersets(24.5, 1.9, "1 / 1 / 30", "1 / 2 / 334"),
    ("bibtex", "h2pc"): Powersets(39.6, 4.3, "1 / 1 / 112", "2 / 2 / 1588"),
    ("corel5k", "h2pc"): Powersets(97.7, 3.9, "1 / 1 / 263", "1 / 2 / 2749"),
    ("emotions", "mmhc"): Powersets(1.2, 0.4, "1 / 6 / 6", "2 / 26 / 27"),
    ("yeast", "mmhc"): Powersets(2.0, 0.0, "1 / 7 / 13", "2 / 89 / 186"),
    ("image", "mmhc"): Powersets(1.0, 0.0, "5 / 5 / 5", "19 / 20 / 20"),
    ("scene", "mmhc"): Powersets(1.0, 0.0, "6 / 6 / 6", "14 / 15 / 15"),
    ("slashdot", "mmhc"): Powersets(15.1, 0.6, "1 / 1 / 9", "1 / 2 / 46"),
    ("genbase", "mmhc"): Powersets(27.0, 0.0, "1 / 1 / 1", "1 / 2 / 2"),
    ("medical", "mmhc"): Powersets(41.7, 1.4, "1 / 1 / 4", "1 / 2 / 7"),
    ("enron", "mmhc"): Powersets(36.8, 2.7, "1 / 1 / 12", "1 / 2 / 119"),
    ("bibtex", "mmhc"): Powersets(77.2, 3.1, "1 / 1 / 28", "2 / 2 / 233"),
    ("corel5k", "mmhc"): Powersets(165.3, 5.5, "1 / 1 / 177", "1 / 2 / 2294"),
}

_ACCURACIES = {
    "emotions": (0.327, 0.371, 0.391, 0.147, 0.266, 0.189, 0.285),
    "yeast": (0.169, 0.273, 0.271, 0.062, 0.155, 0.073, 0.233),
    "image": (0.342, 0.504, 0.504, 0.227, 0.252, 0.308, 0.360),
    "scene": (0.580, 0.733, 0.733, 0.123, 0.361, 0.199, 0.565),
    "slashdot": (0.355, 0.419, 0.474, 0.274, 0.373, 0.278, 0.439),
    "genbase": (0.069, 0.069, 0.069, 0.974, 0.976, 0.974, 0.976),
    "medical": (0.454, 0.499, 0.502, 0.630, 0.651, 0.636, 0.669),
    "enron": (0.134, 0.165, 0.180, 0.024, 0.079, 0.079, 0.157),
    "bibtex": (0.108, 0.115, 0.167, 0.120, 0.133, 0.121, 0.177),
    "corel5k": (0.002, 0.030, 0.043, 0.000, 0.002, 0.010, 0.034),
}
DATA_SETS = tuple(_ACCURACIES)
TABLE_5: dict[tuple[str, Column], float] = {
    (data, column): accuracy
    for data, accuracies in _ACCURACIES.items()
    for column, accuracy in zip(COLUMNS, accuracies, strict=True)
}
"""Global accuracy, also called subset accuracy."""


class Learning(NamedTuple):
    """A learner in a row of Table 6."""

    seconds: float
    degree: float
    """Mean number of neighbours of a label."""
    deviation: float


TABLE_6: dict[tuple[str, str], Learning] = {
    ("emotions", "mmhc"): Learning(1.5, 2.6, 1.1),
    ("yeast", "mmhc"): Learning(9.0, 3.0, 1.6),
    ("image", "mmhc"): Learning(3.1, 4.0, 0.8),
    ("scene", "mmhc"): Learning(9.9, 3.1, 1.0),
    ("slashdot", "mmhc"): Learning(44.8, 2.7, 1.4),
    ("genbase", "mmhc"): Learning(12.5, 1.0, 0.3),
    ("medical", "mmhc"): Learning(43.8, 1.7, 1.1),
    ("enron", "mmhc"): Learning(199.8, 1.2, 1.5),
    ("bibtex", "mmhc"): Learning(960.8, 2.6, 1.3),
    ("corel5k", "mmhc"): Learning(169.6, 1.5, 1.4),
    ("emotions", "h2pc"): Learning(16.2, 4.7, 1.8),
    ("yeast", "h2pc"): Learning(90.9, 5.0, 2.9),
    ("image", "h2pc"): Learning(28.4, 4.6, 1.0),
    ("scene", "h2pc"): Learning(662.9, 6.6, 1.8),
    ("slashdot", "h2pc"): Learning(822.3, 4.0, 5.2),
    ("genbase", "h2pc"): Learning(12.4, 1.1, 0.3),
    ("medical", "h2pc"): Learning(334.8, 2.9, 2.4),
    ("enron", "h2pc"): Learning(47863.0, 4.3, 5.2),
    ("bibtex", "h2pc"): Learning(159469.6, 6.4, 10.3),
    ("corel5k", "h2pc"): Learning(2513.0, 2.9, 2.8),
}
