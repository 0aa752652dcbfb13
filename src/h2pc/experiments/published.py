"""The tables of the paper: 1 and 2 of the first experiment, 4 to 6 of the second."""

from __future__ import annotations

from typing import Literal, NamedTuple

Algorithm = Literal["h2pc", "mmhc"]
ALGORITHMS: tuple[Algorithm, ...] = ("h2pc", "mmhc")
TITLES: dict[Algorithm, str] = {"h2pc": "H2PC", "mmhc": "MMHC"}

SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
"""Numbers of samples in the first experiment."""
REPETITIONS = 10
FOLDS = 10


class Table1Row(NamedTuple):
    """A network."""

    n_variables: int
    n_edges: int
    in_out: str
    """Largest number of parents and of children."""
    levels: str
    """Smallest and largest number of levels of a variable."""
    pc_sizes: str
    """Smallest, median and largest number of parents and children."""


TABLE_1 = {
    "child": Table1Row(20, 25, "2/7", "2-6", "1/2/8"),
    "insurance": Table1Row(27, 52, "3/7", "2-5", "1/3/9"),
    "mildew": Table1Row(35, 46, "3/3", "3-100", "1/2/5"),
    "alarm": Table1Row(37, 46, "4/5", "2-4", "1/2/6"),
    "hailfinder": Table1Row(56, 66, "4/16", "2-11", "1/1.5/17"),
    "munin1": Table1Row(186, 273, "3/15", "2-21", "1/3/15"),
    "pigs": Table1Row(441, 592, "2/39", "3-3", "1/2/41"),
    "link": Table1Row(724, 1125, "3/14", "2-4", "0/2/17"),
}
NETWORKS = tuple(TABLE_1)

_RATIOS = {
    "child": (0.94, 0.87, 1.14, 1.99, 2.26, 2.12, 2.36, 2.58, 1.75, 1.78),
    "insurance": (0.96, 1.09, 1.56, 2.93, 3.06, 3.48, 3.69, 4.10, 3.76, 3.75),
    "mildew": (0.77, 0.80, 0.79, 0.94, 1.01, 1.23, 1.74, 2.14, 3.26, 6.20),
    "alarm": (0.88, 1.11, 1.75, 2.43, 2.55, 2.71, 2.65, 2.80, 2.49, 2.18),
    "hailfinder": (0.85, 0.85, 1.40, 1.69, 1.83, 2.06, 2.13, 2.12, 1.95, 1.96),
    "munin1": (0.77, 0.85, 0.93, 1.35, 2.11, 4.30, 12.92, 23.32, 24.95, 24.76),
    "pigs": (0.80, 0.80, 4.55, 4.71, 5.00, 5.62, 7.63, 11.10, 14.02, 11.74),
    "link": (1.16, 1.93, 2.76, 5.55, 7.04, 8.19, 10.00, 13.87, 15.32, 24.74),
    "all": (0.89, 1.04, 1.86, 2.70, 3.11, 3.71, 5.39, 7.75, 8.44, 9.64),
}
_DEVIATIONS = {
    "child": (0.1, 0.1, 0.1, 0.2, 0.1, 0.2, 0.4, 0.3, 0.6, 0.5),
    "insurance": (0.1, 0.1, 0.1, 0.2, 0.3, 0.4, 0.3, 0.4, 0.6, 0.5),
    "mildew": (0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.6, 1.0),
    "alarm": (0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.3, 0.6),
    "hailfinder": (0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.6),
    "munin1": (0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.7, 2.6, 5.1, 6.7),
    "pigs": (0.0, 0.0, 0.1, 0.1, 0.2, 0.2, 0.3, 0.6, 1.7, 3.2),
    "link": (0.0, 0.0, 0.0, 0.1, 0.2, 0.2, 0.3, 0.4, 2.5, 4.2),
    "all": (0.1, 0.1, 1.2, 1.5, 1.9, 2.2, 4.0, 7.3, 8.4, 9.7),
}
TABLE_2 = {
    (network, size): (mean, deviation)
    for network, means in _RATIOS.items()
    for size, mean, deviation in zip(SIZES, means, _DEVIATIONS[network], strict=True)
}
"""Mean and deviation of the ratio of running times H2PC / MMHC; "all" pools the networks."""


class Table5Column(NamedTuple):
    """A way to predict the labels: a scenario, and the algorithm that learned the graph."""

    scenario: str
    algorithm: Algorithm | None = None

    @property
    def title(self) -> str:
        """Name in the paper."""
        method = self.scenario.upper().replace("_", "+")
        return f"{method} {TITLES[self.algorithm]}" if self.algorithm else method


BR = Table5Column("br")
SCENARIOS = ("mlp", "br_mb", "mlp_mb")
COLUMNS = (
    BR,
    *(
        Table5Column(scenario, algorithm)
        for scenario in SCENARIOS
        for algorithm in reversed(ALGORITHMS)
    ),
)
"""In the paper's order."""


class Table4Row(NamedTuple):
    """The label powersets of a data set."""

    mean: float
    """Mean number of powersets."""
    deviation: float
    labels: str
    """Minimum, median and maximum number of labels of a powerset."""
    classes: str
    """Minimum, median and maximum number of classes of a powerset."""


_POWERSETS = {
    "emotions": ((1.0, 0.0, "6 / 6 / 6", "26 / 27 / 27"), (1.2, 0.4, "1 / 6 / 6", "2 / 26 / 27")),
    "yeast": ((2.0, 0.0, "2 / 7 / 12", "3 / 64 / 135"), (2.0, 0.0, "1 / 7 / 13", "2 / 89 / 186")),
    "image": ((1.0, 0.0, "5 / 5 / 5", "19 / 20 / 20"), (1.0, 0.0, "5 / 5 / 5", "19 / 20 / 20")),
    "scene": ((1.0, 0.0, "6 / 6 / 6", "14 / 15 / 15"), (1.0, 0.0, "6 / 6 / 6", "14 / 15 / 15")),
    "slashdot": ((9.5, 0.8, "1 / 1 / 14", "1 / 2 / 111"), (15.1, 0.6, "1 / 1 / 9", "1 / 2 / 46")),
    "genbase": ((26.9, 0.3, "1 / 1 / 2", "1 / 2 / 2"), (27.0, 0.0, "1 / 1 / 1", "1 / 2 / 2")),
    "medical": ((38.6, 1.8, "1 / 1 / 6", "1 / 2 / 10"), (41.7, 1.4, "1 / 1 / 4", "1 / 2 / 7")),
    "enron": ((24.5, 1.9, "1 / 1 / 30", "1 / 2 / 334"), (36.8, 2.7, "1 / 1 / 12", "1 / 2 / 119")),
    "bibtex": (
        (39.6, 4.3, "1 / 1 / 112", "2 / 2 / 1588"),
        (77.2, 3.1, "1 / 1 / 28", "2 / 2 / 233"),
    ),
    "corel5k": (
        (97.7, 3.9, "1 / 1 / 263", "1 / 2 / 2749"),
        (165.3, 5.5, "1 / 1 / 177", "1 / 2 / 2294"),
    ),
}
TABLE_4: dict[tuple[str, str], Table4Row] = {
    (data, algorithm): Table4Row(*row)
    for data, rows in _POWERSETS.items()
    for algorithm, row in zip(ALGORITHMS, rows, strict=True)
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
TABLE_5: dict[tuple[str, Table5Column], float] = {
    (data, column): accuracy
    for data, accuracies in _ACCURACIES.items()
    for column, accuracy in zip(COLUMNS, accuracies, strict=True)
}
"""Global accuracy, also called subset accuracy."""


class Table6Row(NamedTuple):
    """Learning the graph around the labels of a data set."""

    seconds: float
    degree: float
    """Mean number of neighbours of a label."""
    deviation: float


_LEARNING = {
    "emotions": ((16.2, 4.7, 1.8), (1.5, 2.6, 1.1)),
    "yeast": ((90.9, 5.0, 2.9), (9.0, 3.0, 1.6)),
    "image": ((28.4, 4.6, 1.0), (3.1, 4.0, 0.8)),
    "scene": ((662.9, 6.6, 1.8), (9.9, 3.1, 1.0)),
    "slashdot": ((822.3, 4.0, 5.2), (44.8, 2.7, 1.4)),
    "genbase": ((12.4, 1.1, 0.3), (12.5, 1.0, 0.3)),
    "medical": ((334.8, 2.9, 2.4), (43.8, 1.7, 1.1)),
    "enron": ((47863.0, 4.3, 5.2), (199.8, 1.2, 1.5)),
    "bibtex": ((159469.6, 6.4, 10.3), (960.8, 2.6, 1.3)),
    "corel5k": ((2513.0, 2.9, 2.8), (169.6, 1.5, 1.4)),
}
TABLE_6: dict[tuple[str, str], Table6Row] = {
    (data, algorithm): Table6Row(*row)
    for data, rows in _LEARNING.items()
    for algorithm, row in zip(ALGORITHMS, rows, strict=True)
}
