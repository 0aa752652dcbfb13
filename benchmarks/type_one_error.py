"""Type I error of every test by simulation, on samples in which x ⊥ y | z is true.

All tests are performed, whatever the power rule; cells that it would leave out are marked °. Errors
outside the 99 % limits of chance are bold above them, and italic below.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np

from h2pc.independence.candidate_tests import CANDIDATES, Candidate
from h2pc.independence.resampling import Column, Question, dataset_of

SIZES = (50, 200, 1000)
CONDITIONS = (0, 1, 2, 3)
ALPHA = 0.05
FOLLOWS = 0.4
"""The share of samples in which a discrete variable follows another."""
SLOPE = 0.5

Model = Callable[[np.random.Generator, int, int], Question]


def discrete(levels: int) -> Model:
    """Variables of so many levels, the first twice as frequent as the second, and so on."""
    chances = 1.0 / np.arange(1, levels + 1)
    chances /= chances.sum()

    def sample(rng: np.random.Generator, n: int, n_conditions: int) -> Question:
        def following(others: list[np.ndarray]) -> np.ndarray:
            own = rng.choice(levels, n, p=chances)
            if not others:
                return own
            followed = np.array(others)[rng.integers(len(others), size=n), np.arange(n)]
            return np.where(rng.random(n) < FOLLOWS, followed, own)

        z: list[np.ndarray] = []
        for _ in range(n_conditions):
            z.append(following(z[-1:]))
        return tuple(Column(values, levels) for values in (following(z), following(z), *z))

    return sample


def gaussian(rng: np.random.Generator, n: int, n_conditions: int) -> Question:
    """Linear functions with normal noise."""
    z = _chain(rng, n, n_conditions)
    x, y = (SLOPE * sum(z) + rng.normal(size=n) for _ in range(2))
    return tuple(map(Column, (x, y, *z)))


def mixed(n_discrete: int) -> Model:
    """The same, with x, or x and y, and the second z in three levels."""

    def sample(rng: np.random.Generator, n: int, n_conditions: int) -> Question:
        columns = [Column(values) for values in _chain(rng, n, n_conditions)]
        columns[1:2] = [_in_thirds(column.values) for column in columns[1:2]]
        shift = SLOPE * sum((_standard(column.values) for column in columns), np.zeros(n))
        x, y = (Column(shift + rng.normal(size=n)) for _ in range(2))
        if n_discrete > 1:
            y = _in_thirds(y.values)
        return _in_thirds(x.values), y, *columns

    return sample


def _chain(rng: np.random.Generator, n: int, length: int) -> list[np.ndarray]:
    z: list[np.ndarray] = []
    for _ in range(length):
        z.append(rng.normal(size=n) + (SLOPE * z[-1] if z else 0.0))
    return z


def _in_thirds(values: np.ndarray) -> Column:
    return Column(values, 0).cut(3)


def _standard(values: np.ndarray) -> np.ndarray:
    return np.asarray((values - values.mean()) / values.std())


MODELS: dict[str, tuple[str, Model]] = {
    "two levels": ("discrete", discrete(2)),
    "three levels": ("discrete", discrete(3)),
    "linear-Gaussian": ("continuous", gaussian),
    "mixed: x in three levels": ("mixed", mixed(1)),
    "mixed: x and y in three levels": ("mixed", mixed(2)),
}


class Cell:
    """The tests of one model, one number of samples and one number of conditions."""

    def __init__(self, candidates: tuple[Candidate, ...]) -> None:
        self.candidates = candidates
        self.found = np.zeros(len(candidates), int)
        self.left_out = np.zeros(len(candidates), bool)

    def run(self, model: Model, n: int, n_conditions: int, repetitions: int, seed: int) -> None:
        """Count how often each test finds a link."""
        z = tuple(range(2, 2 + n_conditions))
        for i in range(repetitions):
            rng = np.random.default_rng([seed, n, n_conditions, i])
            question = model(rng, n, n_conditions)
            made = {}
            for place, each in enumerate(self.candidates):
                if each.levels not in made:
                    cut = each.levels
                    own = question if cut is None else tuple(v.cut(cut) for v in question)
                    made[cut] = dataset_of(own)
                extra = {"random_state": i} if each.is_drawn else {}
                test = each.make(made[each.levels], ALPHA, power_rule=0.0, **extra)
                self.found[place] += not test.independent(test.outcome(0, 1, z).log_p)
                if i == 0:
                    rule = each.make(made[each.levels], ALPHA, power_rule=5.0)
                    self.left_out[place] = not rule.performs(0, 1, z)

    def texts(self, repetitions: int) -> list[str]:
        """Return the errors in percent, with their marks."""
        from scipy.stats import binom

        low, high = binom.ppf([0.005, 0.995], repetitions, ALPHA)
        texts = []
        for found, left_out in zip(self.found, self.left_out, strict=True):
            text = f"{100 * found / repetitions:.1f}"
            text = f"**{text}**" if found > high else f"*{text}*" if found < low else text
            texts.append(text + "°" * int(left_out))
        return texts


def main() -> None:
    """Simulate all cells and print them as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="models whose name contains this", default="")
    options = parser.parse_args()
    started = time.perf_counter()
    for name, (kind, model) in MODELS.items():
        if options.only not in name:
            continue
        candidates = CANDIDATES[kind]
        columns = []
        for n in SIZES:
            for n_conditions in CONDITIONS:
                cell = Cell(candidates)
                cell.run(model, n, n_conditions, options.repetitions, options.seed)
                columns.append(cell.texts(options.repetitions))
                print(f"{name}, n = {n}, |Z| = {n_conditions}", file=sys.stderr)
        heads = [f"{n:,}, {k}" for n in SIZES for k in CONDITIONS]
        print(f"\n### {name[0].upper()}{name[1:]}\n")
        print(f"| n, \\|Z\\| | {' | '.join(heads)} |")
        print("|---|" + "---:|" * len(heads))
        for place, each in enumerate(candidates):
            print(f"| {each.label} | {' | '.join(column[place] for column in columns)} |")
    print(f"\n{time.perf_counter() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
