"""How commands spell numbers and names, and how they write files."""

import json
import math

import pytest

from h2pc.cli.printing import decimal, listed, plural, print_json, print_table
from h2pc.learners.edge_links import EdgeLink


@pytest.mark.parametrize(
    ("value", "text"), [(-1234.56, "-1,234.6"), (-0.04, "0.0"), (0.0, "0.0"), (-math.inf, "-inf")]
)
def test_numbers_have_commas_and_no_negative_zero(value, text):
    assert decimal(value) == text


def test_json_has_objects_for_dataclasses_and_null_for_infinite_numbers(capsys):
    link = EdgeLink("a", "b", gain=2.5, log10_p=-math.inf, given=("c",))
    print_json({"links": (link,)})

    fields = {"parent": "a", "child": "b", "gain": 2.5, "log10_p": None, "given": ["c"]}
    fields |= dict.fromkeys(
        ("correlation", "weakest_log10_p", "log10_q", "untested", "strength", "direction")
    )
    fields |= {"identifiable": False, "weakest_given": []}
    assert json.loads(capsys.readouterr().out) == {"links": [fields]}


def test_things_are_counted_and_listed():
    assert [plural(n, "edge") for n in (0, 1, 1200)] == ["0 edges", "1 edge", "1,200 edges"]
    assert [listed(names) for names in ((), ("a",), ("a", "b"))] == ["–", "a", "a, b"]


def test_names_in_tables_are_text_and_never_markup(capsys):
    print_table("[bold]", ["[red]x"], [["[/]"]])

    out = capsys.readouterr().out
    assert all(word in out for word in ("[bold]", "[red]x", "[/]"))
