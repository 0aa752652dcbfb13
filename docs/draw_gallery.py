"""Draw the gallery: ``python docs/draw_gallery.py [NAME ...]`` writes its pictures.

A section of gallery.md has one picture and the code that draws it. The code runs in an empty
folder and leaves a file of the picture's name there. Where a block names a ``page``, the picture is
one of that page in a browser, in a window of 1280 × 800 pixels unless ``window`` says otherwise,
with the variable ``select`` chosen; this needs Chromium and Playwright
(``pip install --group browser``).
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib as mpl
from markdown_it import MarkdownIt

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "gallery.md"
PICTURES = DOCS / "pictures"
WINDOW = (1280, 800)
DAY = "1795046400"
"""The day that pages name, in seconds since 1970: 19 November 2026."""


@dataclass
class Section:
    """A picture, and the code that draws it."""

    picture: str
    """Its path in the folder of pictures."""
    blocks: list[tuple[str, str]] = field(default_factory=list)
    """The language and the text of each."""
    settings: dict[str, str] = field(default_factory=dict)
    """What the blocks say of the picture."""

    @property
    def name(self) -> str:
        """The name of the picture."""
        return Path(self.picture).name

    @property
    def stored(self) -> Path:
        """Where the picture is."""
        return PICTURES / self.picture

    @property
    def lines(self) -> list[str]:
        """All lines of code."""
        return [line for _, text in self.blocks for line in text.splitlines() if line.strip()]

    @property
    def page(self) -> str | None:
        """The page that the picture shows, if it shows one."""
        return self.settings.get("page")

    @property
    def window(self) -> tuple[int, int]:
        """The width and height of the browser's window."""
        wide, _, high = self.settings.get("window", "x".join(map(str, WINDOW))).partition("x")
        return int(wide), int(high)


def sections() -> list[Section]:
    """Return the sections of the page that have a picture and code that runs."""
    found: list[Section] = []
    for token in MarkdownIt("commonmark").parse(PAGE.read_text(encoding="utf-8")):
        if token.type == "heading_open":
            found.append(Section(""))
        elif token.type == "inline" and "](pictures/" in token.content:
            (found[-1].picture,) = re.findall(r"\]\(pictures/([\w./]+)\)", token.content)
        elif token.type == "fence" and token.info.startswith(("python", "console")):
            found[-1].blocks.append((token.info.split()[0], token.content))
            found[-1].settings |= dict(re.findall(r'([a-z-]+)="([^"]*)"', token.info))
    return [section for section in found if section.blocks and "no-run" not in section.settings]


@contextlib.contextmanager
def at_a_desk(folder: Path) -> Iterator[None]:
    """Work in a folder, on a day that is always the same, where Graphviz is not found."""
    before = dict(os.environ)
    os.environ |= {"PATH": "", "MPLBACKEND": "Agg", "SOURCE_DATE_EPOCH": DAY}
    mpl.use("Agg")
    try:
        with contextlib.chdir(folder), mpl.rc_context({"svg.hashsalt": "gallery"}):
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def run(section: Section, folder: Path) -> Path:
    """Run the code of a section in a folder; return the file of its picture, or of its page."""
    from matplotlib import pyplot as plt

    names: dict[str, Any] = {"__name__": "__main__"}
    with at_a_desk(folder), contextlib.redirect_stdout(io.StringIO()):
        for language, text in section.blocks:
            if language == "python":
                exec(compile(text, f"gallery.md, {section.picture}", "exec"), names)
                continue
            for line in text.splitlines():
                run_command(shlex.split(line.removeprefix("$ ")))
        plt.close("all")
    return folder / (section.page or section.name)


def run_command(words: list[str]) -> None:
    """Run a command of h2pc, or a module of it with Python."""
    if words[0] == "h2pc":
        words = ["python", "-m", *words]
    if words[:2] != ["python", "-m"]:
        raise SystemExit(f"Only h2pc can be run, not {shlex.join(words)}")
    done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{shlex.join(words)}\n{done.stdout}{done.stderr}")


def photographed(pages: dict[Path, Section]) -> dict[Path, bytes]:
    """Return pictures of pages in a browser, by where they are stored."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    taken = {}
    chromium = os.environ.get("H2PC_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for page, section in pages.items():
            wide, high = section.window
            theme = "dark" if section.settings.get("theme") == "dark" else "light"
            context = browser.new_context(
                viewport={"width": wide, "height": high},
                color_scheme=theme,
                reduced_motion="reduce",
            )
            tab = context.new_page()
            tab.goto(page.as_uri())
            if "select" in section.settings:
                tab.get_by_label("Search").fill(section.settings["select"])
                tab.keyboard.press("Enter")
            tab.wait_for_timeout(2000)  # until the graph is drawn
            tab.evaluate("window.scrollTo(0, 0)")
            content = io.BytesIO()
            with Image.open(io.BytesIO(tab.screenshot())) as picture:
                small = picture.convert("RGB").quantize(
                    256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
                )
            small.save(content, format="PNG", optimize=True)
            taken[section.stored] = content.getvalue()
            context.close()
        browser.close()
    return taken


def main(wanted: list[str]) -> None:
    """Draw all pictures, or those that are named, and write them beside each other."""
    with TemporaryDirectory() as scratch:
        pages = {}
        for section in sections():
            if wanted and section.name not in wanted:
                continue
            folder = Path(scratch) / section.name
            folder.mkdir()
            drawn = run(section, folder)
            if section.page:
                pages[drawn] = section
            else:
                shutil.copyfile(drawn, section.stored)
        if pages:
            for path, content in photographed(pages).items():
                path.write_bytes(content)


if __name__ == "__main__":
    main(sys.argv[1:])
