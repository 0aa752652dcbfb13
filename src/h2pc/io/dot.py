"""Graphs in DOT, the language of Graphviz."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar, overload

from h2pc.errors import FileFormatError, SettingError
from h2pc.graphs import Cpdag, Dag, Skeleton

G = TypeVar("G", Dag, Skeleton, Cpdag)

_TOKEN = re.compile(
    r"""
      (?P<blank>   \s+ | //[^\n]* | /\*.*?\*/ | \#[^\n]* )
    | (?P<arrow>   -> | -- )
    | (?P<quoted>  "(?:\\.|[^"\\])*" )
    | (?P<html>    <(?:[^<>]|<[^<>]*>)*> )
    | (?P<word>    [A-Za-z_\u0080-\U0010ffff][A-Za-z_0-9\u0080-\U0010ffff]*
                 | -?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?) )
    | (?P<mark>    [{}\[\];,=] )
    | (?P<strange> .+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS = {"node", "edge", "graph", "digraph", "subgraph", "strict"}
_DIRECTIONS = ("forward", "back", "both", "none")


class _Token(NamedTuple):
    """A word of the language and the line where it starts."""

    kind: str
    text: str
    line: int


def to_dot(graph: Dag | Cpdag | Skeleton) -> str:
    """Return a graph in the DOT language of Graphviz.

    Parameters
    ----------
    graph : Dag, Skeleton or Cpdag
        The graph.

    Returns
    -------
    str
        A ``graph`` of a skeleton; else a ``digraph``, with ``dir=none`` for undirected edges.

    Examples
    --------
    >>> from h2pc import Cpdag
    >>> from h2pc.io.dot import to_dot
    >>> print(to_dot(Cpdag(["a", "b", "c"], [("a", "b")], [("b", "c")])), end="")
    digraph {
      "a";
      "b";
      "c";
      "a" -> "b";
      "b" -> "c" [dir=none];
    }
    """
    ids = [_quoted(name) for name in graph.names]
    lines = [f"{name};" for name in ids]
    if isinstance(graph, Skeleton):
        lines += [f"{ids[u]} -- {ids[v]};" for u, v in graph.edges]
    else:
        directed = graph.edges if isinstance(graph, Dag) else graph.directed
        lines += [f"{ids[u]} -> {ids[v]};" for u, v in directed]
    if isinstance(graph, Cpdag):
        lines += [f"{ids[u]} -> {ids[v]} [dir=none];" for u, v in graph.undirected]
    head = "graph" if isinstance(graph, Skeleton) else "digraph"
    return "\n".join([f"{head} {{", *(f"  {line}" for line in lines), "}", ""])


@overload
def from_dot(text: str) -> Dag: ...
@overload
def from_dot(text: str, kind: type[G]) -> G: ...
def from_dot(text: str, kind: type[Any] = Dag) -> Any:
    """Return the graph of a text in the DOT language of Graphviz.

    Parameters
    ----------
    text : str
        One graph: nodes, chains of edges, quoted and plain names, comments. Attributes are ignored,
        except ``dir``; subgraphs and ports are not read.
    kind : {Dag, Skeleton, Cpdag}, default=Dag
        The class of the graph.

    Returns
    -------
    Dag, Skeleton or Cpdag
        The graph, its variables in the order in which the text first names them.

    Raises
    ------
    FileFormatError
        If the text cannot be read; the message names the line.

    Examples
    --------
    >>> from h2pc.io.dot import from_dot
    >>> from_dot("digraph { rain -> wet -> slippery; sprinkler -> wet }").names
    ('rain', 'wet', 'slippery', 'sprinkler')
    """
    if kind not in (Dag, Skeleton, Cpdag):
        raise SettingError(f"kind must be Dag, Skeleton or Cpdag; got {kind!r}.")
    return kind.from_arcs(*_graph(_Words(text)))


def _quoted(name: str) -> str:
    r"""``name`` as an ID of the language, between quotes: ``a "b"`` becomes ``"a \"b\""``."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _graph(words: _Words) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Nodes in the order of their first appearance, and edges, undirected ones both ways."""
    names: dict[str, None] = {}
    arcs: dict[tuple[str, str], None] = {}
    words.took("strict")
    is_directed = words.took("digraph")
    if not is_directed and not words.took("graph"):
        raise words.refusal("'digraph' or 'graph'")
    arrow, usual = ("->", "forward") if is_directed else ("--", "none")
    if words.next.kind == "id":
        words.passed()
    words.expect("{")
    while not words.took("}"):
        line = words.next.line
        if words.took(";"):
            continue
        if words.took("node", "graph"):
            _attributes(words)
        elif words.took("edge"):
            usual = _attributes(words).get("dir", usual)
        else:
            chain = [words.name("a node, an edge or '}'")]
            if words.took("="):  # an attribute of the graph
                words.value()
                continue
            while words.next.kind == "arrow":
                words.expect(arrow)
                chain.append(words.name("a node"))
            direction = _attributes(words).get("dir", usual)
            if direction not in _DIRECTIONS:
                raise FileFormatError(
                    f"line {line}: expected dir in {_DIRECTIONS}, got {direction!r}."
                )
            names.update(dict.fromkeys(chain))
            for u, v in pairwise(chain):
                if direction != "back":
                    arcs[u, v] = None
                if direction != "forward":
                    arcs[v, u] = None
    if words.next.kind != "end":
        raise words.refusal("nothing after the graph")
    return tuple(names), tuple(arcs)


def _attributes(words: _Words) -> dict[str, str]:
    """Attribute lists that come next, if any, as one."""
    found = {}
    while words.took("["):
        while not words.took("]"):
            key = words.name("an attribute or ']'")
            found[key] = words.value() if words.took("=") else "true"
            words.took(",", ";")
    return found


class _Words:
    """The words of a text, of which one comes next."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self.next = next(self._tokens)

    def passed(self) -> str:
        """Pass over the word that comes next, and return it."""
        text = self.next.text
        self.next = next(self._tokens)
        return text

    def took(self, *texts: str) -> bool:
        """Whether one of these keywords or marks came next, which is then behind us."""
        found = self.next.text in texts and self.next.kind not in ("id", "html")
        if found:
            self.passed()
        return found

    def expect(self, text: str) -> None:
        """Pass over the mark ``text``."""
        if not self.took(text):
            raise self.refusal(repr(text))

    def name(self, expected: str) -> str:
        """Text of the ID that comes next."""
        if self.next.kind != "id":
            raise self.refusal(expected)
        return self.passed()

    def value(self) -> str:
        """Value of an attribute, which may be HTML."""
        return self.passed() if self.next.kind == "html" else self.name("a value")

    def refusal(self, expected: str) -> FileFormatError:
        """Error: something else than ``expected`` came."""
        got = self.next.text if self.next.kind == "end" else repr(self.next.text)
        hint = " (subgraphs are not read)" if self.next.text in ("{", "subgraph") else ""
        return FileFormatError(f"line {self.next.line}: expected {expected}, got {got}{hint}.")


def _tokens(text: str) -> Iterator[_Token]:
    """Words of ``text`` without blanks and comments, and one of kind "end"."""
    line = 1
    for match in _TOKEN.finditer(text):
        word, kind = match.group(), str(match.lastgroup)
        if kind == "strange":
            raise FileFormatError(f"line {line}: cannot read {word[:20]!r}.")
        if kind == "quoted":
            # An escaped line end continues the line; other backslashes stand for themselves.
            inner = re.sub(r'\\(["\\\n])', lambda m: m[1].strip("\n"), word[1:-1])
            yield _Token("id", inner, line)
        elif kind == "word" and word.lower() in _KEYWORDS:
            yield _Token("keyword", word.lower(), line)
        elif kind != "blank":
            yield _Token("id" if kind == "word" else kind, word, line)
        line += word.count("\n")
    yield _Token("end", "the end of the text", line)
