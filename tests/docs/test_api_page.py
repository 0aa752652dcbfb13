"""The reference has every public name, grouped by subject as in the package."""

import re
import tomllib
from importlib import import_module
from pathlib import Path

import h2pc

ROOT = Path(__file__).resolve().parents[2]


def groups(file, heading, name):
    """The names below each heading of a file, in any order."""
    parts = re.split(heading, (ROOT / file).read_text(encoding="utf-8"), flags=re.MULTILINE)
    titles, texts = parts[1::2], parts[2::2]
    found = {
        title: sorted(re.findall(name, text)) for title, text in zip(titles, texts, strict=True)
    }
    return {title: names for title, names in found.items() if names}


def test_every_public_name_is_in_the_reference_in_the_group_of_the_package():
    reference = groups("docs/api.md", r"^## (.*)\n", r"(?m)^   h2pc\.(\w+)$")
    package = groups("src/h2pc/__init__.pyi", r"^# (.*)\n", r" as (\w+)")
    package.pop("The version")

    assert reference == package
    assert {name for names in package.values() for name in names} == {*h2pc.__all__} - {
        "__version__"
    }


def test_names_listed_with_their_package_are_there():
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")

    for module, name in re.findall(r"(?m)^   (h2pc\.[\w.]+)\.(\w+)$", text):
        assert hasattr(import_module(module), name), f"{module}.{name}"


def test_the_page_on_installing_lists_every_extra():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    rows = re.findall(r"(?m)^\| (`.*?) \|", (ROOT / "docs/install.md").read_text(encoding="utf-8"))

    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(extras)
