"""Links inside the documentation lead somewhere: the file is there, and so is the heading."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(
            page
            for page in DOCS.rglob("*.md")
            if not page.relative_to(DOCS).parts[0].startswith("_")
        ),
    ]
)


def inline_tokens(page):
    tokens = MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
    return [child for token in tokens if token.type == "inline" for child in token.children]


def links_of(page):
    """Targets of links and pictures that stay inside the project."""
    targets = [token.attrGet("href") or token.attrGet("src") for token in inline_tokens(page)]
    return [target for target in targets if target and not re.match(r"[a-z]+:", target)]


def anchors_of(page):
    """The anchors of the headings of a page, as GitHub and Sphinx make them."""
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    headings = [text.content for token, text in pairwise(tokens) if token.type == "heading_open"]
    plain = [re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()) for heading in headings]
    return [heading.strip().replace(" ", "-") for heading in plain]


def named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_files_and_headings(page):
    for target in links_of(page):
        file, _, anchor = target.partition("#")
        place = (page.parent / file).resolve() if file else page

        assert place.exists(), f"{named(page)}: {target}"
        if anchor and place.suffix == ".md":
            assert anchor in anchors_of(place), f"{named(page)}: {target}"
