"""The citation file names the version of the package."""

import re
from pathlib import Path

import h2pc

CITATION = Path(__file__).resolve().parents[2] / "CITATION.cff"


def test_the_citation_has_the_version_of_the_package():
    [version] = re.findall(r"^version: (.*)$", CITATION.read_text(encoding="utf-8"), re.MULTILINE)

    assert version == h2pc.__version__
