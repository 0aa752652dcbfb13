"""Take the picture of a report: ``python docs/draw_report.py`` writes pictures/report.png.

Needs Chromium and Playwright (``pip install --group browser``).
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import sync_playwright
from typer.testing import CliRunner

from h2pc.cli.main import app

PICTURE = Path(__file__).resolve().parent / "pictures" / "report.png"
SHOWN = "VENTLUNG"


def report(folder: Path) -> Path:
    """Write the report of a network learned from 5,000 samples of alarm."""
    table, page = folder / "alarm.csv", folder / "alarm.html"
    for command in (
        ["sample", "alarm", "-n", "5000", "--random-state", "1", "-o", str(table)],
        ["learn", str(table), "--quiet", "-o", str(page)],
    ):
        done = CliRunner().invoke(app, command)
        if done.exit_code:
            raise SystemExit(done.output)
    return page


def main() -> None:
    """Open the report, choose a variable, and take the picture."""
    chromium = os.environ.get("H2PC_CHROMIUM") or shutil.which("chromium")
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1280, "height": 800})
        tab.goto(report(Path(folder)).as_uri())
        tab.get_by_label("Search").fill(SHOWN)
        tab.keyboard.press("Enter")
        tab.wait_for_timeout(2000)  # until the graph has moved
        tab.evaluate("window.scrollTo(0, 0)")
        tab.screenshot(path=PICTURE)
        browser.close()
    with Image.open(PICTURE) as picture:
        small = picture.convert("RGB").quantize(128, Image.Quantize.MAXCOVERAGE)
    small.save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
