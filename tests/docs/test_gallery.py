"""The gallery has everything that is drawn, and its pictures are those that its code draws."""

import re
import runpy
import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

import h2pc
from h2pc.cli.main import app
from h2pc.cli.outputs import PICTURES

DOCS = Path(__file__).resolve().parents[2] / "docs"
DRAWN = runpy.run_path(str(DOCS / "draw_gallery.py"))
SECTIONS = {section.name: section for section in DRAWN["sections"]()}
CODE = "\n".join(line for section in SECTIONS.values() for line in section.lines)
VECTORS = [name for name, section in SECTIONS.items() if not section.page]
PAGES = [name for name, section in SECTIONS.items() if section.page]
QUICK = ("network.svg", "comparison.svg", "factors.svg", "notebook.png", "labels.png")

needs_matplotlib = pytest.mark.skipif(not find_spec("matplotlib"), reason="needs matplotlib")
needs_browser = pytest.mark.skipif(
    not (find_spec("playwright") and shutil.which("chromium")), reason="needs Chromium"
)


def marked(names):
    """Sections that take a second or so are drawn each time, the others with the slow tests."""
    return [
        pytest.param(name, marks=() if name in QUICK else pytest.mark.slow, id=name)
        for name in names
    ]


def commands(command, words=()):
    """Every command of the command line with its words."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield words, command
        return
    for name, one in inner.items():
        yield from commands(one, (*words, name))


def texts(svg):
    """What is written in a picture: as text, or as shapes after a comment."""
    return re.findall(r"<!-- (.*?) -->|<text[^>]*>([^<]+)", svg)


def test_every_section_has_a_picture_of_its_own_and_a_heading():
    assert "" not in SECTIONS
    assert len(SECTIONS) == len(DRAWN["sections"]()) > 20


def test_every_public_plotting_function_is_shown():
    plots = {name for name in h2pc.__all__ if name.startswith("plot_") or name.endswith("_page")}

    assert {"plot_network", "network_page"} < plots
    assert {name for name in plots if not re.search(rf"\b{name}\(", CODE)} == set()
    assert "to_html()" in CODE


def test_every_command_that_draws_is_shown_with_all_kinds_of_pictures():
    drawing = {
        " ".join(("h2pc", *words))
        for words, command in commands(typer.main.get_command(app))
        for option in command.params
        if option.name == "out" and re.search(r"\.(svg|html)\b", getattr(option, "help", "") or "")
    }

    assert {"h2pc learn", "h2pc check", "h2pc multilabel explain"} <= drawing
    assert {command for command in drawing if f"{command} " not in CODE} == set()
    assert all(f".{kind}" in CODE for kind in (*PICTURES, "html"))
    assert "h2pc experiment report" in CODE


@pytest.mark.parametrize("name", SECTIONS)
def test_a_picture_takes_at_most_ten_lines(name):
    assert 0 < len(SECTIONS[name].lines) <= 10
    assert all(len(block.splitlines()) <= 10 for _, block in SECTIONS[name].blocks)


def test_stored_pictures_are_those_of_the_page_and_small():
    stored = {name: section.stored.stat().st_size for name, section in SECTIONS.items()}
    beside = {path.name for path in (DRAWN["PICTURES"] / "gallery").iterdir()}

    assert beside <= set(stored)
    assert {name: size for name, size in stored.items() if size > 150_000} == {}


@needs_matplotlib
@pytest.mark.parametrize("name", marked(VECTORS))
def test_the_code_draws_the_stored_picture(name, tmp_path):
    drawn = DRAWN["run"](SECTIONS[name], tmp_path)
    stored, today = SECTIONS[name].stored.read_text("utf-8"), drawn.read_text("utf-8")

    if "varies" in SECTIONS[name].settings:
        assert today.lstrip().startswith("<?xml")
        return
    # Versions of matplotlib write other files: what is written, and the numbers of shapes.
    assert texts(today) == texts(stored)
    assert len(texts(today)) > 1
    assert today.count('<g id="patch_') == stored.count('<g id="patch_')


@needs_matplotlib
def test_the_same_code_draws_the_same_bytes(tmp_path):
    drawn = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        drawn.append(DRAWN["run"](SECTIONS["network.svg"], folder).read_bytes())

    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("name", marked(PAGES))
def test_the_code_writes_the_page_of_the_stored_picture(name, tmp_path):
    section = SECTIONS[name]
    page = DRAWN["run"](section, tmp_path).read_text("utf-8")
    stored = section.stored.read_bytes()

    assert "<svg" in page or "<table" in page or "<script" in page
    assert section.settings.get("select", "") in page
    assert stored.startswith(b"\x89PNG")
    assert tuple(int.from_bytes(stored[i : i + 4]) for i in (16, 20)) == section.window


@needs_browser
@pytest.mark.slow
def test_a_picture_of_a_page_is_taken_in_a_browser(tmp_path):
    section = SECTIONS["notebook.png"]
    page = DRAWN["run"](section, tmp_path)
    with ThreadPoolExecutor(1) as other:  # a browser of other tests may occupy this thread
        taken = other.submit(DRAWN["photographed"], {page: section}).result()[section.stored]

    assert tuple(int.from_bytes(taken[i : i + 4]) for i in (16, 20)) == section.window
