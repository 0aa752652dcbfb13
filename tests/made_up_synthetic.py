"""Made-up results of the first experiment."""

from h2pc.experiments.published import NETWORKS, REPETITIONS, SIZES, TABLE_2
from h2pc.experiments.synthetic_cells import SyntheticCell, SyntheticSetup
from h2pc.experiments.synthetic_results import SyntheticResults
from h2pc.runs.cells import CellResult, CellStore

MMHC = {
    "precision": 0.9,
    "recall": 0.5,
    "false_positive_rate": 0.01,
    "distance": 0.5,
    "skeleton_edges": 10,
    "n_tests": 1000,
    "edges": 9,
    "shd": 20,
    "n_scores": 300,
    "bdeu_train": -1000.0,
    "bic_train": -1100.0,
    "bdeu_new": -9000.0,
    "bic_new": -9900.0,
}
H2PC = {
    **MMHC,
    "recall": 0.75,
    "distance": 0.2,
    "n_tests": 3000,
    "bdeu_train": -900.0,
    "bic_train": -990.0,
    "bdeu_new": -8100.0,
    "bic_new": -8910.0,
}


def timed(seconds):
    """The times of a run, a tenth of which is fixed cost."""
    phases = {"skeleton": 0.8 * seconds, "search": 0.1 * seconds}
    return {**phases, "total": seconds, "cpu": seconds}


def as_the_paper_says(cell):
    """Numbers on which every claim holds."""
    ours = {**H2PC, "shd": 20 if cell.size <= 100 else 8}
    ratio = TABLE_2.get((cell.network, cell.size), (2.0, 0.0))[0] / 2
    seconds = {"h2pc": timed(3.0 * ratio), "mmhc": timed(3.0)}
    return CellResult({"h2pc": ours, "mmhc": MMHC}, seconds)


def grid(networks=NETWORKS, sizes=SIZES, repetitions=REPETITIONS):
    return [
        SyntheticCell(network, size, repetition)
        for network in networks
        for size in sizes
        for repetition in range(repetitions)
    ]


def results(cells, outcome_of=as_the_paper_says):
    """The results of a made-up run."""
    found = {cell: outcome_of(cell) for cell in cells}
    return SyntheticResults(
        SyntheticSetup().settings(),
        {cell: outcome.results for cell, outcome in found.items()},
        {cell: outcome.seconds for cell, outcome in found.items()},
    )


def write(folder, cells):
    """Leave the files of a made-up run."""
    with CellStore(folder, SyntheticCell._fields, SyntheticSetup().settings()) as store:
        for cell in cells:
            store.add(cell, as_the_paper_says(cell))


def changed(size, **values):
    """The made-up run, with other values of H2PC at one size."""

    def outcome(cell):
        found = as_the_paper_says(cell)
        if cell.size == size:
            found.results["h2pc"].update(values)
        return found

    return outcome
