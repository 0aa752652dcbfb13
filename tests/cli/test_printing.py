"""How commands spell numbers and names, and how they write files."""

import math

import pytest

from h2pc.cli.printing import decimal, finite, listed, plural, print_table, write


@pytest.mark.parametrize(
    ("value", "text"), [(-1234.56, "-1,234.6"), (-0.04, "0.0"), (0.0, "0.0"), (-math.inf, "-inf")]
)
def test_numbers_have_commas_and_no_negative_zero(value, text):
    assert decimal(value) == text


def test_json_has_null_where_something_was_decided_and_not_tested():
    assert finite(-math.inf) is None
    assert finite(-2.5) == -2.5


def test_things_are_counted_and_listed():
    assert [plural(n, "edge") for n in (0, 1, 1200)] == ["0 edges", "1 edge", "1,200 edges"]
    assert [listed(names) for names in ((), ("a",), ("a", "b"))] == ["–", "a", "a, b"]


def test_names_in_tables_are_text_and_never_markup(capsys):
    print_table("[bold]", ["[red]x"], [["[/]"]])

    out = capsys.readouterr().out
    assert all(word in out for word in ("[bold]", "[red]x", "[/]"))


@pytest.mark.parametrize("content", ["text\n", b"\0bytes"])
def test_a_file_replaces_the_old_one_or_is_told_by_its_own_name(tmp_path, content):
    file = tmp_path / "file"
    file.write_text("old")
    write(file, content)

    assert file.read_bytes() == (content if isinstance(content, bytes) else content.encode())
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(FileNotFoundError) as error:
        write(tmp_path / "nowhere" / "file", content)
    assert error.value.filename == str(tmp_path / "nowhere" / "file")
