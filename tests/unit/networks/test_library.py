import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from h2pc.errors import SettingError
from h2pc.networks import library, load_network, network_names
from h2pc.networks.network_formats import network_text, parsed_network

# Table 1 of the paper: variables, edges, maximal in- and out-degree, domain range, and the
# smallest, median and largest set of parents and children.
TABLE_1 = {
    "child": (20, 25, (2, 7), (2, 6), (1, 2, 8)),
    "insurance": (27, 52, (3, 7), (2, 5), (1, 3, 9)),
    "mildew": (35, 46, (3, 3), (3, 100), (1, 2, 5)),
    "alarm": (37, 46, (4, 5), (2, 4), (1, 2, 6)),
    "hailfinder": (56, 66, (4, 16), (2, 11), (1, 1.5, 17)),
    "munin1": (186, 273, (3, 15), (2, 21), (1, 3, 15)),
    "pigs": (441, 592, (2, 39), (3, 3), (1, 2, 41)),
    "link": (724, 1125, (3, 14), (2, 4), (0, 2, 17)),
}

# Variables, edges and parameters as counted in the BIF files: a guard against a changed library.
COUNTED = {
    "alarm": (37, 46, 509),
    "andes": (223, 338, 1157),
    "asia": (8, 8, 18),
    "barley": (48, 84, 114005),
    "child": (20, 25, 230),
    "hailfinder": (56, 66, 2656),
    "hepar2": (70, 123, 1453),
    "insurance": (27, 52, 1008),
    "link": (724, 1125, 14211),
    "mildew": (35, 46, 540150),
    "munin1": (186, 273, 15622),
    "pigs": (441, 592, 5618),
    "sachs": (11, 17, 178),
    "water": (32, 66, 10083),
    "win95pts": (76, 112, 574),
}


@pytest.mark.parametrize("name", TABLE_1)
def test_the_networks_of_the_paper_are_those_of_its_table(name):
    network = load_network(name)
    dag = network.dag
    sizes = [len(dag.adjacent(v)) for v in dag.variables]
    in_degree = max(len(dag.parents(v)) for v in dag.variables)
    out_degree = max(len(dag.children(v)) for v in dag.variables)

    found = (
        len(dag.names),
        len(dag.edges),
        (in_degree, out_degree),
        (min(network.cards), max(network.cards)),
        (min(sizes), statistics.median(sizes), max(sizes)),
    )

    assert found == TABLE_1[name]


def test_the_sizes_of_all_networks_stay_as_counted_in_their_sources():
    loaded = {name: load_network(name) for name in network_names()}

    assert {
        name: (len(n.names), len(n.dag.edges), n.n_parameters) for name, n in loaded.items()
    } == COUNTED


def test_an_unknown_name_is_answered_with_the_closest_and_the_list():
    with pytest.raises(SettingError, match=r"'Alarms' .* did you mean 'alarm'\?.*win95pts"):
        load_network("Alarms")
    with pytest.raises(SettingError, match=r"in the library\. It has alarm"):
        load_network("zzzzzz")
    with pytest.raises(SettingError, match="'published' or 'paper'"):
        load_network("child", variant="other")


def test_the_paper_used_another_row_of_child():
    published, paper = load_network("child"), load_network("child", variant="paper")
    disease = published.dag.variable("Disease")

    assert [*paper.posterior("Disease", {"BirthAsphyxia": "no"}).values()] == pytest.approx(
        [0.03, 0.33, 0.30, 0.24, 0.05, 0.05]
    )
    differences = [np.abs(a - b).max() for a, b in zip(published.tables, paper.tables, strict=True)]
    assert [v for v, d in enumerate(differences) if d > 0] == [disease]
    assert max(differences) < 0.007
    assert load_network("alarm", variant="paper") == load_network("alarm")


def test_names_are_sorted_so_that_samples_and_graph_agree():
    for name in network_names():
        assert list(load_network(name).names) == sorted(load_network(name).names)


def test_the_files_are_small_and_each_has_its_source():
    folder = Path(library.__file__).parent
    sizes = [file.stat().st_size for file in folder.glob("*.json.gz")]
    sources = (folder / "SOURCES.md").read_text(encoding="utf-8")

    assert max(sizes) < 1_000_000
    assert sum(sizes) < 2_000_000
    assert all(f"| {name} |" in sources for name in network_names())
    text = network_text(load_network("asia"), ".json")
    assert parsed_network(text.encode(), ".json", "asia") == load_network("asia")


def test_networks_load_without_the_heavy_libraries():
    code = (
        "import sys; from h2pc.networks import load_network; load_network('asia').sample(10);"
        "print([m for m in ('numba', 'pandas', 'sklearn') if m in sys.modules])"
    )

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"
