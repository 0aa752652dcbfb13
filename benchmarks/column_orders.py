"""One answer for every order of the columns: H2PC on samples of twelve networks.

Ends with an error if the edges of ``dag_`` differ between two orders.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

import numpy as np

from h2pc import H2PC, Dataset, load_network
from h2pc.experiments.synthetic_cells import shuffled_columns

SMALL = ("asia", "sachs", "child", "insurance", "water", "mildew")
LARGER = ("alarm", "barley", "hepar2", "win95pts", "hailfinder", "andes")

Edges = frozenset[tuple[str, str]]


def h2pc_edges(data: Dataset) -> Edges:
    """Return the edges that H2PC learns with its defaults."""
    return frozenset(H2PC(progress=False).fit(data).dag_.named_edges)


def orders(network: str, n_samples: int, n_orders: int, seed: int) -> Iterator[Dataset]:
    """Return one sample, with its columns in several orders."""
    data = load_network(network).sample(n_samples, random_state=seed)
    rng = np.random.default_rng(seed)
    return (shuffled_columns(data, rng) for _ in range(n_orders))


def main(
    arguments: Sequence[str] | None = None, learned: Callable[[Dataset], Edges] = h2pc_edges
) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--networks", nargs="+", default=[*SMALL, *LARGER], metavar="NAME")
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--orders", type=int, default=12)
    parser.add_argument("--random-state", type=int, default=0)
    chosen = parser.parse_args(arguments)
    differing = []
    for network in chosen.networks:
        start = perf_counter()
        samples = orders(network, chosen.samples, chosen.orders, chosen.random_state)
        answers = [learned(data) for data in samples]
        n_answers, first = len(set(answers)), answers[0]
        others = [number for number, edges in enumerate(answers, 1) if edges != first]
        print(
            f"{network:12} {len(first):4} edges  {n_answers} answer{'s'[: n_answers > 1]} in "
            f"{len(answers)} orders  {perf_counter() - start:.1f} s",
            flush=True,
        )
        if others:
            differing.append(f"{network} (orders {', '.join(map(str, others))})")
    if differing:
        raise SystemExit(f"Graphs differ from that of the first order: {'; '.join(differing)}.")
    print("One answer for every network.")


if __name__ == "__main__":
    main()
