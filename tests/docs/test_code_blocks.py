"""Every code block of the documentation runs, and prints what the page says it prints.

The blocks of a page run in order, in one folder of their own. Python blocks share their names.
``console`` blocks run the commands after ``$`` and compare what follows. A ``text`` block shows
what the block before it prints; ``...`` stands for anything. ``file="NAME"`` saves a block, and
``no-run="REASON"`` leaves one alone. Where a block ``varies="REASON"``, what it prints is not
compared.
"""

import contextlib
import doctest
import io
import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from typer.testing import CliRunner

from h2pc.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
WRITTEN_BY_PROGRAMS = ("results", "_build", "_generated")
PAGES = [
    ROOT / "README.md",
    *sorted(
        page
        for page in DOCS.rglob("*.md")
        if page.relative_to(DOCS).parts[0] not in WRITTEN_BY_PROGRAMS
    ),
]
ALONE = ("README.md", "cli.md", "gallery.md")
"""Pages with a test of their own."""
TUTORIALS = ("biologist", "multilabel", "researcher")
SLOW = ("docs/experiments.md", *(f"docs/tutorials/{name}.md" for name in TUTORIALS))

RUN = ("python", "console")
SHOWN = ("text", "json", "toml", "csv", "r")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    settings: dict
    text: str
    line: int

    @property
    def runs(self):
        """Whether the block is executed."""
        return self.language in RUN and "no-run" not in self.settings

    @property
    def is_compared(self):
        """Whether what the block shows is what comes each time."""
        return not {"no-run", "varies"} & set(self.settings)


def parsed(page):
    """The tokens of a page."""
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))


def block_of(token):
    language, *rest = token.info.split(maxsplit=1) or [""]
    settings = dict(re.findall(r'([a-z-]+)="([^"]*)"', " ".join(rest)))
    return Block(language, settings, token.content, token.map[0] + 1)


def blocks_of(page):
    """The fenced blocks of a page; those of Sphinx's own directives are not code."""
    fences = [token for token in parsed(page) if token.type == "fence"]
    return [block_of(token) for token in fences if not token.info.startswith("{")]


def commands_of(block):
    """Each command of a console block, with what the page shows after it."""
    commands = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            commands.append((line.removeprefix("$ "), []))
        else:
            commands[-1][1].append(line)
    return [(command, "\n".join(shown)) for command, shown in commands]


@dataclass
class Reader:
    """Runs the code blocks of a page in their order."""

    page: Path
    names: dict = field(default_factory=lambda: {"__name__": "__main__"})
    printed: str = ""
    answers: dict = field(default_factory=dict)

    def try_all(self):
        for block in blocks_of(self.page):
            self.try_one(block)

    def try_one(self, block):
        place = f"{self.page.relative_to(ROOT)}:{block.line}"
        if "file" in block.settings:
            Path(block.settings["file"]).write_text(block.text, encoding="utf-8")
        elif block.language == "text" and block.is_compared:
            self.expect(place, block.text, self.printed)
        elif block.runs and block.language == "python":
            self.run_python(place, block)
        elif block.runs:
            for command, shown in commands_of(block):
                self.run_command(place, command, shown if block.is_compared else "")

    def run_python(self, place, block):
        out = io.StringIO()
        code = compile("\n" * block.line + block.text, place, "exec")
        with contextlib.redirect_stdout(out):
            exec(code, self.names)
        self.printed = out.getvalue()

    def run_command(self, place, command, shown):
        program, *arguments = shlex.split(command)
        assert program == "h2pc", f"{place}: only h2pc can be run, not {command!r}"
        printed = CliRunner().invoke(app, arguments, prog_name="h2pc")
        assert printed.exit_code == 0, f"{place}: {command}\n{printed.output}"
        if "--json" in arguments:
            self.answers[command] = json.loads(printed.stdout)
        if shown:
            self.expect(f"{place}: {command}", shown, printed.output)

    def expect(self, place, shown, printed):
        wanted, got = (_without_trailing_spaces(text) for text in (shown, printed))
        same = doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS)
        assert same, f"{place}: the page shows\n{wanted}but this came:\n{got}"


def _without_trailing_spaces(text):
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


@pytest.fixture
def at_a_desk(tmp_path, monkeypatch):
    """An empty folder, and no screen."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    yield
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.close("all")


def named(page):
    return str(page.relative_to(ROOT))


def marked(page):
    marks = [pytest.mark.slow] if named(page) in SLOW else []
    return pytest.param(page, marks=marks, id=named(page))


@pytest.mark.parametrize("page", [marked(page) for page in PAGES if page.name not in ALONE])
def test_the_code_blocks_of_a_page_run_and_print_what_it_shows(page, at_a_desk):
    Reader(page).try_all()


def test_the_readme_runs_and_its_example_finds_what_is_true(at_a_desk):
    Path("demo").mkdir()  # as `make demo` leaves it
    reader = Reader(ROOT / "README.md")
    reader.try_all()

    edges, distance, boundary, strengths = reader.printed.splitlines()
    assert edges.startswith("[('ANAPHYLAXIS', 'TPR'), ")
    assert distance == "structural Hamming distance 2"
    assert boundary.startswith("['CATECHOL', 'CO', ")
    assert strengths.endswith("41 edges on average")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_block_is_of_a_known_kind_and_has_a_reason_where_it_does_not_run(page):
    for block in blocks_of(page):
        reasons = [block.settings[word] for word in ("no-run", "varies") if word in block.settings]
        assert all(len(reason.split()) > 1 for reason in reasons), block
        assert "no-run" in block.settings or block.language in (*RUN, *SHOWN), block


def documented_fields(tokens):
    """The field names in the first column of the first table among some tokens."""
    inside = iter(tokens)
    next(token for token in inside if token.type == "table_open")
    fields = []
    for token in inside:
        if token.type == "table_close":
            return fields
        if token.type == "tr_open":
            next(inside)
            fields += [each.content for each in next(inside).children if each.type == "code_inline"]
    raise AssertionError("the table does not end")


def fields_of(answer, name=""):
    """Paths of all fields: ``edges[].first`` is a field of every object in the list ``edges``."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            path = f"{name}.{key}" if name else key
            yield path
            yield from fields_of(value, path)
    elif isinstance(answer, list):
        for value in answer:
            if isinstance(value, dict):
                yield from fields_of(value, f"{name}[]")


def test_the_commands_run_and_their_json_has_the_fields_of_the_tables_after_them(at_a_desk):
    page, reader = DOCS / "cli.md", Reader(DOCS / "cli.md")
    tokens = parsed(page)
    reader.try_all()
    checked = 0
    for place, token in enumerate(tokens):
        if token.type != "fence" or "--json" not in token.content or not block_of(token).runs:
            continue
        command = commands_of(block_of(token))[-1][0]
        documented = documented_fields(tokens[place:])
        stars = tuple(path.removesuffix("*") for path in documented if path.endswith(".*"))
        found = [path for path in fields_of(reader.answers[command]) if not path.startswith(stars)]
        assert set(found) == {path.removesuffix(".*") for path in documented}, command
        checked += 1
    assert checked >= 8
