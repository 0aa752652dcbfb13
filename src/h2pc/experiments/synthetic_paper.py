"""What the paper prints about its first experiment: the grid, Table 1 and Table 2."""

from __future__ import annotations

from typing import NamedTuple

SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
REPETITIONS = 10


class Described(NamedTuple):
    """A network in Table 1."""

    n_variables: int
    n_edges: int
    in_out: str
    """Largest number of parents, and of children."""
    levels: str
    """Fewest and most levels of a variable."""
    pc_sizes: str
    """Smallest, median and largest number of parents and children."""


TABLE_1 = {
    "child": Described(20, 25, "2/7", "2-6", "1/2/8"),
    "insurance": Described(27, 52, "3/7", "2-5", "1/3/9"),
    "mildew": Described(35, 46, "3/3", "3-100", "1/2/5"),
    "alarm": Described(37, 46, "4/5", "2-4", "1/2/6"),
    "hailfinder": Described(56, 66, "4/16", "2-11", "1/1.5/17"),
    "munin1": Described(186, 273, "3/15", "2-21", "1/3/15"),
    "pigs": Described(441, 592, "2/39", "3-3", "1/2/41"),
    "link": Described(724, 1125, "3/14", "2-4", "0/2/17"),
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
"""Mean and deviation of the running time of H2PC over that of MMHC; "all" pools the networks."""
