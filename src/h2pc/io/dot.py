"""Graphs in DOT, the language of Graphviz."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn, TypeVar, overload

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
    return kind.from_arcs(*_Reader(_tokens(text)).graph())


def _quoted(name: str) -> str:
    r"""``name`` as an ID of the language, between quotes: ``a "b"`` becomes ``"a \"b\""``."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _tokens(text: str) -> list[_Token]:
    """Words of ``text`` without blanks and comments, and one of kind "end"."""
    tokens = []
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FileFormatError(f"line {line}: cannot read {text[at : at + 20]!r}.")
        word, kind = match.group(), str(match.lastgroup)
        if kind == "quoted":
            # An escaped line end continues the line; other backslashes stand for themselves.
            word_read = re.sub(r'\\(["\\\n])', lambda m: m[1].strip("\n"), word[1:-1])
            tokens.append(_Token("id", word_read, line))
        elif kind == "word" and word.lower() in _KEYWORDS:
            tokens.append(_Token("keyword", word.lower(), line))
        elif kind != "blank":
            tokens.append(_Token("id" if kind == "word" else kind, word, line))
        line += word.count("\n")
        at = match.end()
    return [*tokens, _Token("end", "the end of the text", line)]


class _Reader:
    """Recursive descent over the words of one graph."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._names: dict[str, None] = {}
        self._arcs: dict[tuple[str, str], None] = {}
        self._arrow = "->"
        self._default_dir = "forward"

    def graph(self) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Return the nodes in the order of their first appearance, and the edges."""
        self._took("strict")
        if self._took("graph"):
            self._arrow, self._default_dir = "--", "none"
        elif not self._took("digraph"):
            self._refuse("'digraph' or 'graph'")
        if self._next.kind == "id":
            self._at += 1
        self._expect("{")
        while not self._took("}"):
            self._statement()
        if self._next.kind != "end":
            self._refuse("nothing after the graph")
        return tuple(self._names), tuple(self._arcs)

    def _statement(self) -> None:
        """Read one statement: a semicolon, defaults, a graph attribute, a node or a chain."""
        line = self._next.line
        if self._took(";"):
            return
        if self._took("node") or self._took("graph"):
            self._attributes()
        elif self._took("edge"):
            self._default_dir = self._attributes().get("dir", self._default_dir)
        else:
            chain = [self._id("a node, an edge or '}'")]
            if self._took("="):
                self._value()
                return
            while self._next.kind == "arrow":
                self._expect(self._arrow)
                chain.append(self._id("a node"))
            self._add(chain, self._attributes().get("dir", self._default_dir), line)

    def _add(self, chain: list[str], direction: str, line: int) -> None:
        """Add the nodes of ``chain`` and its edges."""
        if direction not in _DIRECTIONS:
            raise FileFormatError(f"line {line}: expected dir in {_DIRECTIONS}, got {direction!r}.")
        self._names.update(dict.fromkeys(chain))
        for u, v in pairwise(chain):
            if direction != "back":
                self._arcs[u, v] = None
            if direction != "forward":
                self._arcs[v, u] = None

    def _attributes(self) -> dict[str, str]:
        """Attribute lists that come next, if any, as one."""
        found = {}
        while self._took("["):
            while not self._took("]"):
                key = self._id("an attribute or ']'")
                found[key] = self._value() if self._took("=") else "true"
                _ = self._took(",") or self._took(";")
        return found

    def _value(self) -> str:
        """Value of an attribute, which may be HTML."""
        if self._next.kind != "html":
            return self._id("a value")
        self._at += 1
        return self._tokens[self._at - 1].text

    @property
    def _next(self) -> _Token:
        """Word that comes next."""
        return self._tokens[self._at]

    def _took(self, text: str) -> bool:
        """Whether the keyword or mark ``text`` came next, which is then behind us."""
        found = self._next.text == text and self._next.kind not in ("id", "html")
        self._at += found
        return found

    def _expect(self, text: str) -> None:
        """Pass over the mark ``text``."""
        if not self._took(text):
            self._refuse(repr(text))

    def _id(self, expected: str) -> str:
        """Text of the ID that comes next."""
        if self._next.kind != "id":
            self._refuse(expected)
        self._at += 1
        return self._tokens[self._at - 1].text

    def _refuse(self, expected: str) -> NoReturn:
        """Raise: something else than ``expected`` came."""
        got = self._next.text if self._next.kind == "end" else repr(self._next.text)
        hint = " (subgraphs are not read)" if self._next.text in ("{", "subgraph") else ""
        raise FileFormatError(f"line {self._next.line}: expected {expected}, got {got}{hint}.")
