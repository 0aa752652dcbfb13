import pytest

from h2pc.errors import FileFormatError, GraphError
from h2pc.graphs import Cpdag, Dag, Skeleton
from h2pc.io.dot import from_dot, to_dot

STRANGE = (
    'a "quoted" name',
    "back\\slash\\",
    "two\nlines",
    "ünï→码",
    "<b>&amp;</b>",
    "",
    "node",
    "\\n",
)


def test_strange_names_come_back_as_they_were():
    edges = [(u, v) for u in range(len(STRANGE)) for v in range(u)]
    for graph in (Dag.from_edges(STRANGE, edges), Skeleton(STRANGE, edges), Cpdag(STRANGE, edges)):
        assert from_dot(to_dot(graph), type(graph)) == graph


def test_what_people_write_by_hand_is_read():
    text = """
    // a comment
    # another
    strict digraph "my graph" {
        rankdir = LR; label = <<b>title</b>>
        graph [bgcolor=white] node [shape=box, style="filled"; color=red]
        smoke -> tar -> cancer [label="a -> b"] [weight=2];
        /* a longer
           comment */
        "age group" -> smoke; age [flag]
        1.5 -> -2 ; lonely
    }
    """

    dag = from_dot(text)

    assert dag.names == ("smoke", "tar", "cancer", "age group", "age", "1.5", "-2", "lonely")
    assert dag.named_edges == (
        ("smoke", "tar"),
        ("tar", "cancer"),
        ("age group", "smoke"),
        ("1.5", "-2"),
    )


def test_a_direction_may_be_turned_or_taken_away():
    pdag = from_dot("digraph { a -> b [dir=back]; b -> c; edge [dir=none] c -> d }", Cpdag)

    assert pdag == Cpdag(["a", "b", "c", "d"], [("b", "a"), ("b", "c")], [("c", "d")])


def test_an_undirected_graph_is_a_skeleton():
    assert from_dot("graph { a -- b -- c }", Skeleton) == Skeleton(
        ["a", "b", "c"], [(0, 1), (1, 2)]
    )


def test_an_escaped_line_end_continues_the_name():
    assert from_dot('digraph { "long \\\nname" }').names == ("long name",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected 'digraph' or 'graph', got the end of the text"),
        ("tree { }", "line 1: expected 'digraph' or 'graph', got 'tree'"),
        ("digraph {\n a ->\n}", "line 3: expected a node, got '}'"),
        ("digraph {\n a -- b\n}", "line 2: expected '->', got '--'"),
        ("graph {\n a -> b\n}", "line 2: expected '--', got '->'"),
        ("digraph {\n a -> {b c}\n}", r"line 2: expected a node, got '{' \(subgraphs"),
        ("digraph {\n subgraph x { a }\n}", r"line 2: expected .*, got 'subgraph' \(subgraphs"),
        ("digraph {\n a -> b", "line 2: expected a node, an edge or '}', got the end"),
        ("digraph {\n/* 1\n2 */ a [x\n= ]", "line 4: expected a value, got ']'"),
        ("digraph {\n a:n -> b }", "line 2: cannot read ':n -> b }'"),
        ('digraph {\n "a }', "line 2: cannot read"),
        ("digraph { a -> b [dir=up] }", "line 1: expected dir in .* got 'up'"),
        ("digraph { }\n}", "line 2: expected nothing after the graph, got '}'"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text, message):
    with pytest.raises(FileFormatError, match=message):
        from_dot(text)


def test_a_graph_that_is_read_is_checked_like_any_other():
    with pytest.raises(GraphError, match="'a' → 'b' → 'c' → 'a'"):
        from_dot("digraph { a -> b -> c -> a }")
    with pytest.raises(GraphError, match="Self-loop: 'a'"):
        from_dot("digraph { a -> a }")
