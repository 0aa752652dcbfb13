"""How Sphinx makes the site: ``make docs``. Nothing in it is loaded from the network."""

from __future__ import annotations

import inspect
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import h2pc

project = "h2pc"
author = "The h2pc developers"
version = release = h2pc.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = [
    "_build",
    "_templates",
    "results/*/[!gr]*.md",  # tables that the reports hold as well
    "results/*/running_time.md",
]
templates_path = ["_templates"]

myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_use_param = False  # words of a type, such as names, would become links to anything
napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]  # names may end in underscores

html_theme = "furo"
html_title = f"h2pc {release}"
html_static_path = ["_static"]
html_css_files = ["h2pc.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
copybutton_prompt_text = "$ "
copybutton_exclude = ".linenos, .gp, .go"
pygments_style = "tango"
pygments_dark_style = "monokai"


def setup(app: Sphinx) -> None:
    """Connect what is below."""
    app.connect("autodoc-skip-member", _skip_what_others_wrote)
    app.connect("autodoc-process-docstring", _property_without_type, priority=400)
    app.connect("autodoc-process-signature", _signature_of_init)
    app.connect("missing-reference", _public_name)


def _skip_what_others_wrote(
    _app: Sphinx, _kind: str, _name: str, member: Any, skip: bool, _options: Any
) -> bool | None:
    """Leave out members inherited from other libraries: scikit-learn documents its own."""
    inner = getattr(member, "fget", None) or getattr(member, "__func__", member)
    home = getattr(inspect.unwrap(inner), "__module__", None) or "h2pc"
    return True if skip or not home.startswith("h2pc") else None


def _property_without_type(
    _app: Sphinx, kind: str, _name: str, _thing: Any, _options: Any, lines: list[str]
) -> None:
    """Keep napoleon from taking what stands before a colon for the type of a property."""
    if kind == "property":
        lines[:0] = ["..", ""]  # an empty comment


def _signature_of_init(
    _app: Sphinx, kind: str, _name: str, thing: Any, _options: Any, shown: str | None, _returns: Any
) -> tuple[str, None] | None:
    """Show the parameters of a class, also where it has a ``__new__`` that takes anything."""
    if kind != "class" or not (shown or "").startswith("(*"):
        return None
    signature = inspect.signature(thing)
    bare = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty)), None


def _public_name(
    app: Sphinx, _environment: BuildEnvironment, node: pending_xref, shown: nodes.Element
) -> nodes.Element | None:
    """Docstrings name a thing by its module, or not at all: lead to its public name."""
    name = node.get("reftarget", "").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in h2pc.__all__:
        return None
    page = f"_generated/h2pc.{name}"
    uri = app.builder.get_relative_uri(node["refdoc"], page)
    return nodes.reference("", "", shown, internal=True, refuri=f"{uri}#h2pc.{name}")
