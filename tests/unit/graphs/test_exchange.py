import subprocess
import sys

import networkx as nx
import pandas as pd
import polars as pl
import pytest

from h2pc.errors import DataTypeError, GraphError, SettingError
from h2pc.graphs import (
    Cpdag,
    Dag,
    Skeleton,
    from_adjacency_frame,
    from_dot,
    from_networkx,
    to_adjacency_frame,
    to_networkx,
)

NAMES = ("c", "a", "b", "lonely")
DAG = Dag.from_edges(NAMES, [("a", "b"), ("c", "b")])
SKELETON = Skeleton(NAMES, [("a", "b"), ("c", "b")])
CPDAG = Cpdag(NAMES, [("a", "b")], [("c", "b")])


@pytest.mark.parametrize("graph", [DAG, SKELETON, CPDAG])
def test_every_kind_comes_back_from_networkx(graph):
    assert from_networkx(to_networkx(graph), type(graph)) == graph


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("graph", [DAG, SKELETON, CPDAG])
def test_every_kind_comes_back_from_a_data_frame(graph, library):
    assert from_adjacency_frame(to_adjacency_frame(graph, library), type(graph)) == graph


def test_networkx_gets_the_names_and_all_nodes():
    exported = to_networkx(DAG)

    assert list(exported.nodes) == list(NAMES)
    assert set(exported.edges) == {("a", "b"), ("c", "b")}
    assert isinstance(to_networkx(SKELETON), nx.Graph)
    assert set(to_networkx(CPDAG).edges) == {("a", "b"), ("c", "b"), ("b", "c")}


def test_parallel_edges_of_networkx_count_once():
    assert from_networkx(nx.MultiDiGraph([("a", "b"), ("a", "b")])).named_edges == (("a", "b"),)


def test_nodes_of_networkx_must_be_strings():
    with pytest.raises(GraphError, match="got 0 of type int"):
        from_networkx(nx.DiGraph([(0, 1)]))


def test_a_data_frame_has_a_row_per_tail_and_a_column_per_head():
    frame = to_adjacency_frame(DAG)

    assert list(frame.index) == list(frame.columns) == list(NAMES)
    assert frame.loc["a", "b"] == 1
    assert frame.loc["b", "a"] == 0
    assert to_adjacency_frame(DAG, "polars")["b"].to_list() == [1, 1, 0, 0]


def test_rows_of_pandas_are_matched_by_name():
    shuffled = to_adjacency_frame(DAG).loc[["lonely", "b", "a", "c"]]

    assert from_adjacency_frame(shuffled) == DAG


def test_rows_without_names_are_in_the_order_of_the_columns():
    assert from_adjacency_frame(to_adjacency_frame(DAG).reset_index(drop=True)) == DAG
    assert from_adjacency_frame(pl.DataFrame({"a": [False, False], "b": [True, False]})).edges == (
        (0, 1),
    )


def test_an_empty_graph_has_an_empty_frame():
    for library in ("pandas", "polars"):
        assert from_adjacency_frame(to_adjacency_frame(Dag((), ()), library)) == Dag((), ())


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"a": [0, 0.5], "b": [0, 0]}), "Row 'b', column 'a': .* got 0.5"),
        (pd.DataFrame({"a": [0, None], "b": [0, 0]}), "Row 'b', column 'a': .* got nan"),
        (pl.DataFrame({"a": [0, None], "b": [0, 0]}), "Row 'b', column 'a': .* got nan"),
        (pd.DataFrame({"a": [0], "b": [0]}), "2 columns need as many rows; got 1"),
        (pd.DataFrame({"a": [0, 0], "b": [0, 0]}, index=["a", "x"]), "see 'b'"),
        (pd.DataFrame([[0, 0], [0, 0]], columns=["a", "a"]), "'a' comes twice"),
        (pd.DataFrame([[0, 0], [0, 0]], columns=["a", "b"], index=["a", "a"]), "see 'b'"),
        (pd.DataFrame([[0, 0], [0, 0]]), "got 0 of type int"),
        (pd.DataFrame({"a": [0, 1], "b": [1, 0]}), "a Dag needs a direction between 'a' and 'b'"),
    ],
)
def test_a_frame_that_is_no_graph_is_refused_with_its_cell(frame, message):
    with pytest.raises(GraphError, match=f"(?i){message}"):
        from_adjacency_frame(frame)


def test_the_kind_must_fit():
    with pytest.raises(GraphError, match="Dag needs a direction between 'c' and 'b'"):
        from_networkx(to_networkx(SKELETON))
    with pytest.raises(GraphError, match="Skeleton has no direction: 'c' → 'b'"):
        from_networkx(to_networkx(DAG), Skeleton)
    with pytest.raises(SettingError, match="got 'dag'"):
        from_dot("digraph { }", "dag")


def test_other_things_than_graphs_and_frames_are_refused():
    with pytest.raises(DataTypeError, match="networkx graph; got list"):
        from_networkx([("a", "b")])
    with pytest.raises(DataTypeError, match="frame; got list"):
        from_adjacency_frame([[0]])
    with pytest.raises(SettingError, match="got 'arrow'"):
        to_adjacency_frame(DAG, "arrow")


@pytest.mark.parametrize(
    ("module", "extra", "export"),
    [
        ("networkx", "graphs", lambda: to_networkx(DAG)),
        ("pandas", "pandas", lambda: to_adjacency_frame(DAG)),
        ("polars", "polars", lambda: to_adjacency_frame(DAG, "polars")),
    ],
)
def test_a_missing_library_is_named_with_its_extra(monkeypatch, module, extra, export):
    monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(ImportError, match=rf"needs {module}: pip install 'h2pc\[{extra}\]'"):
        export()


def test_importing_graphs_imports_no_heavy_library():
    heavy = {"pandas", "polars", "networkx", "sklearn", "scipy"}
    question = f"import sys, h2pc.graphs; print(sorted({heavy!r} & set(sys.modules)))"

    answer = subprocess.run(
        [sys.executable, "-c", question], capture_output=True, text=True, check=True
    )

    assert answer.stdout.strip() == "[]"
