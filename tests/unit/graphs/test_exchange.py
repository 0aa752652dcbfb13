import subprocess
import sys

import networkx as nx
import pandas as pd
import polars as pl
import pytest

from h2pc.errors import DataTypeError, GraphError, SettingError
from h2pc.graphs import Cpdag, Dag, Skeleton
from h2pc.io.dot import from_dot

NAMES = ("c", "a", "b", "lonely")
DAG = Dag.from_edges(NAMES, [("a", "b"), ("c", "b")])
SKELETON = Skeleton(NAMES, [("a", "b"), ("c", "b")])
CPDAG = Cpdag(NAMES, [("a", "b")], [("c", "b")])


@pytest.mark.parametrize("graph", [DAG, SKELETON, CPDAG])
def test_every_kind_comes_back_from_networkx(graph):
    assert type(graph).from_networkx(graph.to_networkx()) == graph


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("graph", [DAG, SKELETON, CPDAG])
def test_every_kind_comes_back_from_a_data_frame(graph, library):
    assert type(graph).from_adjacency_frame(graph.to_adjacency_frame(library)) == graph


def test_networkx_gets_the_names_and_all_nodes():
    exported = DAG.to_networkx()

    assert list(exported.nodes) == list(NAMES)
    assert set(exported.edges) == {("a", "b"), ("c", "b")}
    assert isinstance(SKELETON.to_networkx(), nx.Graph)
    assert set(CPDAG.to_networkx().edges) == {("a", "b"), ("c", "b"), ("b", "c")}


def test_parallel_edges_of_networkx_count_once():
    assert Dag.from_networkx(nx.MultiDiGraph([("a", "b"), ("a", "b")])).named_edges == (("a", "b"),)


def test_nodes_of_networkx_must_be_strings():
    with pytest.raises(GraphError, match="got 0 of type int"):
        Dag.from_networkx(nx.DiGraph([(0, 1)]))


def test_a_data_frame_has_a_row_per_tail_and_a_column_per_head():
    frame = DAG.to_adjacency_frame()

    assert list(frame.index) == list(frame.columns) == list(NAMES)
    assert frame.loc["a", "b"] == 1
    assert frame.loc["b", "a"] == 0
    assert DAG.to_adjacency_frame("polars")["b"].to_list() == [1, 1, 0, 0]


def test_rows_of_pandas_are_matched_by_name():
    shuffled = DAG.to_adjacency_frame().loc[["lonely", "b", "a", "c"]]

    assert Dag.from_adjacency_frame(shuffled) == DAG


def test_rows_without_names_are_in_the_order_of_the_columns():
    assert Dag.from_adjacency_frame(DAG.to_adjacency_frame().reset_index(drop=True)) == DAG
    frame = pl.DataFrame({"a": [False, False], "b": [True, False]})
    assert Dag.from_adjacency_frame(frame).edges == ((0, 1),)


def test_an_empty_graph_has_an_empty_frame():
    for library in ("pandas", "polars"):
        assert Dag.from_adjacency_frame(Dag((), ()).to_adjacency_frame(library)) == Dag((), ())


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
        Dag.from_adjacency_frame(frame)


def test_the_kind_must_fit():
    with pytest.raises(GraphError, match="Dag needs a direction between 'c' and 'b'"):
        Dag.from_networkx(SKELETON.to_networkx())
    with pytest.raises(GraphError, match="Skeleton has no direction: 'c' → 'b'"):
        Skeleton.from_networkx(DAG.to_networkx())
    with pytest.raises(SettingError, match="got 'dag'"):
        from_dot("digraph { }", "dag")


def test_other_things_than_graphs_and_frames_are_refused():
    with pytest.raises(DataTypeError, match="networkx graph; got list"):
        Dag.from_networkx([("a", "b")])
    with pytest.raises(DataTypeError, match="frame; got list"):
        Dag.from_adjacency_frame([[0]])
    with pytest.raises(SettingError, match="got 'arrow'"):
        DAG.to_adjacency_frame("arrow")


@pytest.mark.parametrize(
    ("module", "extra", "export"),
    [
        ("networkx", "graphs", lambda: DAG.to_networkx()),
        ("pandas", "pandas", lambda: DAG.to_adjacency_frame()),
        ("polars", "polars", lambda: DAG.to_adjacency_frame("polars")),
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
