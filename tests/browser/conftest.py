"""A real browser: Debian's Chromium without a window, driven by Playwright."""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

CHROMIUM = os.environ.get("H2PC_CHROMIUM") or shutil.which("chromium")
GRAPH = "document.querySelector('#graph')._cyreg.cy"


class Opened(NamedTuple):
    """A page in the browser, and everything it complained about or asked the network for."""

    tab: object
    complaints: list
    requests: list

    def chosen(self):
        """The heading of the panel beside the graph."""
        return self.tab.locator("#details h2").inner_text()

    def graph(self, question):
        """The answer of the graph, ``cy``, to a question in JavaScript."""
        return self.tab.evaluate(f"((cy) => ({question}))({GRAPH})")

    def wait_until_shown(self, element, shown=True):
        """Wait until an element of the graph is seen, or is not: known once it was drawn again."""
        self.wait(f"((cy) => {element}.visible() === {str(shown).lower()})({GRAPH})")

    def wait(self, question):
        """Wait until the answer is yes; asked from outside, since the page may not use eval."""
        for _ in range(100):
            if self.tab.evaluate(question):
                return
            self.tab.wait_for_timeout(100)
        raise AssertionError(f"never true: {question}")

    def in_view(self, names):
        """Those of the variables whose boxes are drawn, and wholly in the window of the graph."""
        self.wait_until_drawn()
        return self.graph(f"""cy.nodes('[v]:visible').filter((n) => {{
          const at = n.renderedBoundingBox({{includeOverlays: false}});
          return {sorted(names)!r}.includes(n.data('name')) &&
            at.x1 >= 0 && at.y1 >= 0 && at.x2 <= cy.width() && at.y2 <= cy.height();
        }}).map((n) => n.data('name')).sort()""")

    def wait_until_drawn(self):
        """Wait until the graph was drawn again: what is visible is known from then on."""
        frame = "(done) => requestAnimationFrame(done)"
        self.tab.evaluate(f"new Promise((done) => ({frame})(() => ({frame})(done)))")

    def text_height(self):
        """The height of the letters of the graph on the screen, in pixels."""
        return self.graph("cy.nodes()[0].numericStyle('font-size') * cy.zoom()")

    def search(self, name):
        """Search a variable by its name."""
        self.tab.fill("#name", name)
        self.tab.keyboard.press("Enter")
        self.wait_until_drawn()

    def place(self, name):
        """Where a variable is on the screen."""
        box = self.tab.locator("#graph").bounding_box()
        at = self.graph(
            f"cy.nodes().filter((n) => n.data('name') === {name!r})[0].renderedPosition()"
        )
        return box["x"] + at["x"], box["y"] + at["y"]

    def click(self, name):
        """Click a variable in the graph, which may still be moving."""
        self.wait(f"!{GRAPH}.animated()")
        self.tab.mouse.click(*self.place(name))


@pytest.fixture(scope="session")
def chromium():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="needs Playwright (pip install --group browser)"
    )
    if CHROMIUM is None:
        pytest.skip("needs Chromium (apt install chromium, or name it in H2PC_CHROMIUM)")
    with playwright.sync_playwright() as driver:
        # The sandbox does not start for root, and containers have little shared memory.
        browser = driver.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-dev-shm-usage"],
            timeout=180_000,  # a busy machine compiles kernels meanwhile
        )
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, tmp_path):
    """Open a page; at the end no page may have complained, or asked for anything."""
    made = []

    def open_page(html: str, *, width: int = 1300, height: int = 900, **context) -> Opened:
        path = Path(tmp_path) / f"page{len(made)}.html"
        path.write_text(html, encoding="utf-8")
        context = chromium.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", **context
        )
        tab = context.new_page()
        page = Opened(tab, [], [])
        tab.on("console", lambda message: page.complaints.append(message.text))
        tab.on("pageerror", lambda error: page.complaints.append(str(error)))
        tab.on("dialog", lambda dialog: (page.complaints.append(dialog.message), dialog.dismiss()))
        tab.on("request", lambda request: page.requests.append(request.url))
        tab.goto(path.as_uri())
        tab.wait_for_selector("html[data-ready]", timeout=60_000)
        made.append((page, context, path))
        return page

    yield open_page
    for page, context, path in made:
        foreign = [url for url in page.requests if not url.startswith((path.as_uri(), "data:"))]
        context.close()
        assert page.complaints == []
        assert foreign == []
