"""Classifiers of powersets of hundreds of labels: scores, seconds and memory of several kinds.

FOLDER holds NAME/NAME.arff.gz and NAME/NAME.xml, as distributed by Mulan. The graph around the
labels is learned from the training samples of the fold, and kept in a file if --graphs is given.
Each kind runs in a process of its own, for its peak of memory; the table is markdown.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold

from chain_links import ChainLink, chain_links
from combination_chain import CombinationChain
from h2pc import CompactForestClassifier, Dag, MultilabelData, multilabel_scores, read_multilabel
from h2pc.multilabel.label_structure import label_dag
from h2pc.multilabel.powerset_model import label_combinations
from h2pc.multilabel.powersets import minimal_label_powersets, powerset_boundary
from h2pc.multilabel.pruned_combinations import pruned
from h2pc.multilabel.training_set import Names, labelled, places
from product_of_experts import ProductOfExperts

LEAST = (2, 3, 5)
SEED = 0


class Fold(NamedTuple):
    """Samples to learn from and to predict, columns sorted by name, and the graph."""

    X: NDArray[np.float64]
    Y: NDArray[np.int8]
    new: NDArray[np.float64]
    true: NDArray[np.int8]
    features: Names
    labels: Names
    dag: Dag


class Part(NamedTuple):
    """One powerset: its samples, and what the graph says about it."""

    X: NDArray[np.float64]
    new: NDArray[np.float64]
    combinations: NDArray[np.int8]
    codes: NDArray[np.int64]
    links: tuple[ChainLink, ...]
    label_parents: tuple[Names, ...]
    features: Names
    labels: Names


Predict = Callable[[Part, int], NDArray[np.int8]]


def fold_of(data: MultilabelData, number: int, graphs: Path | None) -> Fold:
    """Return one of ten folds, and the graph of its training samples."""
    X = data.X.toarray() if data.is_sparse else np.asarray(data.X)
    x = pd.DataFrame(X, columns=list(data.feature_names)).astype(float).sort_index(axis=1)
    y = pd.DataFrame(data.Y, columns=list(data.label_names)).astype(np.int8).sort_index(axis=1)
    folds = list(KFold(10, shuffle=True, random_state=0).split(data.Y))
    train, test = folds[number]
    dag = graph_of(
        x.iloc[train], y.iloc[train], graphs and graphs / f"{data.name}_fold{number}.json"
    )
    matrices = x.to_numpy(), y.to_numpy()
    (own_x, new), (own_y, true) = [(table[train], table[test]) for table in matrices]
    return Fold(own_x, own_y, new, true, tuple(x), tuple(y), dag)


def graph_of(X: pd.DataFrame, Y: pd.DataFrame, file: Path | None) -> Dag:
    """Return the graph that H2PC learns around the labels; it is kept in the file, if there is."""
    if file is not None and file.exists():
        kept = json.loads(file.read_text())
        return Dag.from_edges(kept["names"], kept["edges"])
    start = perf_counter()
    dag = label_dag(None, labelled(BaseEstimator(), X, Y)[0], n_jobs=1)
    if file is not None:
        seconds = perf_counter() - start
        kept = {"names": dag.names, "edges": dag.named_edges, "labels": list(Y), "seconds": seconds}
        file.write_text(json.dumps(kept))
    return dag


def parts_of(fold: Fold, *, boundary: bool) -> Iterator[Part]:
    """Yield the minimal label powersets, with their Markov boundaries or with all features."""
    for powerset in minimal_label_powersets(fold.dag, fold.labels):
        near = powerset_boundary(fold.dag, powerset, fold.labels) if boundary else fold.features
        columns = places(near, fold.features)
        combinations, codes = label_combinations(fold.Y[:, places(powerset, fold.labels)])
        parents = tuple(
            tuple(sorted(frozenset(fold.dag.parents(label)).intersection(powerset)))
            for label in powerset
        )
        yield Part(
            fold.X[:, columns],
            fold.new[:, columns],
            combinations,
            codes,
            tuple(sorted(chain_links(fold.dag, powerset, fold.labels))),
            parents,
            near,
            powerset,
        )


def joint(part: Part, trees: int, least: int = 1) -> NDArray[np.int8]:
    """One forest whose classes are the combinations, without those of fewer samples."""
    codes = pruned(part.codes, part.combinations, least)
    forest = CompactForestClassifier(trees, random_state=SEED).fit(part.X, codes)
    found: NDArray[np.int8] = part.combinations[forest.predict(part.new)]
    return found


def chain_of(part: Part, trees: int, parents: Any = None, features: Any = None) -> CombinationChain:
    """Return a forest for every label, given its parents."""
    forest = CompactForestClassifier(trees)
    return CombinationChain(
        forest, part.combinations, parents, features=features, random_state=SEED
    ).fit(part.X, part.codes)


def by_links(part: Part) -> list[list[int]]:
    """Return the labels before that each label depends on."""
    return [places(link.before, part.labels).tolist() for link in part.links]


def by_parents(part: Part) -> list[list[int]]:
    """Return the parents of each label among the labels."""
    return [places(parents, part.labels).tolist() for parents in part.label_parents]


def labels_seen(part: Part, trees: int) -> NDArray[np.int8]:
    """Labels on their own, restricted to the combinations in training."""
    return part.combinations[chain_of(part, trees).predict(part.new)]


def binary_relevance(part: Part, trees: int) -> NDArray[np.int8]:
    """Labels on their own."""
    return greedy(chain_of(part, trees), [[]] * len(part.labels), part.new)


def chain_links_seen(part: Part, trees: int) -> NDArray[np.int8]:
    """A chain by the boundaries in the graph, restricted to the combinations in training."""
    return part.combinations[chain_of(part, trees, by_links(part)).predict(part.new)]


def chain_parents_seen(part: Part, trees: int) -> NDArray[np.int8]:
    """A chain by the parents in the graph, restricted to the combinations in training."""
    return part.combinations[chain_of(part, trees, by_parents(part)).predict(part.new)]


def chain_parents_greedy(part: Part, trees: int) -> NDArray[np.int8]:
    """The same chain, each label predicted given the predictions before it."""
    parents = by_parents(part)
    return greedy(chain_of(part, trees, parents), parents, part.new)


def chain_own_features(part: Part, trees: int) -> NDArray[np.int8]:
    """A chain by the boundaries in the graph, which are also all its features."""
    features = [places(link.features, part.features) for link in part.links]
    return part.combinations[chain_of(part, trees, by_links(part), features).predict(part.new)]


def product(part: Part, trees: int, least: int = 1) -> NDArray[np.int8]:
    """The joint forest and labels on their own, restricted: their geometric mean."""
    kept = part.combinations[pruned(part.codes, part.combinations, least)]
    combinations, codes = label_combinations(kept)
    forest = CompactForestClassifier(trees)
    chain = CombinationChain(forest, combinations)
    both = ProductOfExperts([forest, chain], random_state=SEED).fit(part.X, codes)
    return combinations[both.predict(part.new)]


def greedy(chain: CombinationChain, parents: list[list[int]], X: Any) -> NDArray[np.int8]:
    """Return the labels, each more probable than not given the predictions of its parents."""
    found = np.zeros((len(X), len(parents)), np.int8)
    done: set[int] = set()
    while len(done) < len(parents):
        for j in (j for j in range(len(parents)) if j not in done):
            if done.issuperset(parents[j]):
                found[:, j] = chain.label_proba(X, j, found[:, parents[j]]) > 0.5
                done.add(j)
    return found


KINDS: dict[str, Predict] = {
    "joint forest": joint,
    **{f"pruned, r = {least}": partial(joint, least=least) for least in LEAST},
    "labels, seen combinations": labels_seen,
    "joint forest × labels": product,
    "pruned, r = 3, × labels": partial(product, least=3),
    "chain by parents, seen combinations": chain_parents_seen,
    "chain by parents, greedy": chain_parents_greedy,
    "chain by boundaries, seen combinations": chain_links_seen,
    "chain by boundaries, own features": chain_own_features,
    "binary relevance": binary_relevance,
}


def measured(fold: Fold, kind: str, trees: int, boundary: bool, out: Any) -> None:
    """Send the scores, seconds and peak of memory of one kind."""
    # Many labels may well have as many combinations as that.
    warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
    start = perf_counter()
    found = np.empty_like(fold.true)
    for part in parts_of(fold, boundary=boundary):
        varies = len(part.combinations) > 1 and part.X.shape[1] > 0
        usual = part.combinations[np.bincount(part.codes).argmax()]
        found[:, places(part.labels, fold.labels)] = KINDS[kind](part, trees) if varies else usual
    seconds = perf_counter() - start
    scores = multilabel_scores(fold.true, found)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    out.send((scores, seconds, peak))


def line_of(fold: Fold, kind: str, trees: int, boundary: bool) -> str:
    """Return the line of one kind, run in a process of its own."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=measured, args=(fold, kind, trees, boundary, there))
    process.start()
    there.close()
    try:
        scores, seconds, peak = here.recv()
    except EOFError:
        return f"| {kind} | failed | | | | |"
    process.join()
    return (
        f"| {kind} | {scores.subset_accuracy:.3f} | {scores.example_f1:.3f} | "
        f"{scores.hamming_loss:.4f} | {seconds:.0f} | {peak:,.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the data sets")
    parser.add_argument("--names", nargs="+", default=["corel5k", "bibtex"], metavar="NAME")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS, metavar="KIND")
    parser.add_argument("--trees", type=int, default=50)
    parser.add_argument("--fold", type=int, default=0, help="one of ten, from 0 on")
    parser.add_argument("--all-features", action="store_true", help="instead of boundaries")
    parser.add_argument("--graphs", type=Path, metavar="FOLDER", help="where graphs are kept")
    chosen = parser.parse_args()

    for name in chosen.names:
        data = read_multilabel(chosen.folder / name)
        fold = fold_of(data, chosen.fold, chosen.graphs)
        largest = max(parts_of(fold, boundary=True), key=lambda part: len(part.labels))
        seen = frozenset(map(bytes, fold.Y))
        share = np.mean([bytes(row) in seen for row in fold.true])
        inputs = "all features" if chosen.all_features else "Markov boundaries"
        print(
            f"\n{name}, fold {chosen.fold}: largest powerset of {len(largest.labels)} labels, "
            f"{len(largest.combinations):,} combinations, {len(largest.features)} features in its "
            f"boundary; {share:.3f} of the test samples have a combination of the training "
            f"samples; {chosen.trees} trees, {inputs}\n"
        )
        print("| classifier | subset accuracy | example F1 | Hamming loss | seconds | peak MB |")
        print("|---|---|---|---|---|---|", flush=True)
        for kind in chosen.kinds:
            print(line_of(fold, kind, chosen.trees, not chosen.all_features), flush=True)


if __name__ == "__main__":
    main()
