"""The reference has every public name."""

import re
from pathlib import Path

import h2pc

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_every_public_name_is_in_the_reference():
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^   (?:h2pc\.)?(\w+)$", text, flags=re.MULTILINE)

    assert sorted(listed) == sorted(set(h2pc.__all__) - {"__version__"})
