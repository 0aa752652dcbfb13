"""What all commands share: help in plain words, options as in Python, errors about options."""

import inspect
import re
from dataclasses import fields

import pytest
from typer.main import get_command

from h2pc import H2PC, read_dataset
from h2pc.cli.command import in_options
from h2pc.cli.inputs import TableOptions
from h2pc.cli.learning import LearningOptions
from h2pc.cli.main import app


def all_commands(group, *words):
    """The words of every command, and the command."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from all_commands(command, *words, name)
        else:
            yield pytest.param((*words, name), command, id=" ".join((*words, name)))


COMMANDS = list(all_commands(get_command(app)))


@pytest.mark.parametrize(("words", "command"), COMMANDS)
def test_help_names_kinds_of_values_in_words(run, words, command):
    short, long = run(*words, "-h"), run(*words, "--help")

    assert short.exit_code == 0
    assert short.stdout == long.stdout
    assert "Examples:\n    h2pc " in short.stdout
    assert not re.search(r"<|x>=|\b(int|float|str|path|PATH|range)\b", short.stdout)


@pytest.mark.parametrize(("words", "command"), COMMANDS)
def test_options_are_parameters_with_dashes_and_have_a_sentence(words, command):
    other_names = {
        "as_json": "--json",
        "format_": "--format",
        "every": "--all",
        "trusted": "--trust",
    }
    for param in command.params:
        if param.param_type_name == "option":
            option = other_names.get(param.name, f"--{param.name.replace('_', '-')}")
            assert option in param.opts
            assert param.help.endswith(".")


def test_learning_has_the_parameters_and_defaults_of_the_learner():
    parameters = H2PC().get_params()
    own = {"algorithm": "h2pc", "constraints": None, "restarts": 0, "outside_penalty": None}

    for field in fields(LearningOptions):
        assert field.default == {**parameters, **own}[field.name], field.name


def test_tables_have_the_parameters_and_defaults_of_read_dataset():
    parameters = inspect.signature(read_dataset).parameters

    for field in fields(TableOptions):
        name = {"discretize": "levels"}.get(field.name, field.name)
        default = parameters[name].default
        assert field.default == (None if default == () else default), field.name


OPTIONS = {
    name: f"--{name.replace('_', '-')}"
    for name in ("missing", "max_levels", "alpha", "n_jobs", "max_seconds", "checkpoint")
} | {"levels": "--discretize"}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "missing values in column 'max_levels': pass missing='drop' or missing='level'",
            "missing values in column 'max_levels': pass --missing drop or --missing level",
        ),
        ("pass max_levels=65536 to keep it", "pass --max-levels 65536 to keep it"),
        ("alpha must lie between 0 and 1", "--alpha must lie between 0 and 1"),
        ("the alpha must be good", "the alpha must be good"),
        ("runs was begun with alpha = 0.05; got 0.1", "runs was begun with --alpha 0.05; got 0.1"),
        (
            "n_jobs must be None, a number of workers, or -1; got 0.",
            "--n-jobs must be a number of workers, or -1; got 0.",
        ),
        ("max_seconds = 1.0 was reached", "--max-seconds 1.0 was reached"),
        ("max_seconds must be above 0, or None; got 0", "--max-seconds must be above 0; got 0"),
        (
            "cut it first, for example with h2pc.discretize(data, levels=3)",
            "cut it first, for example with --discretize 3",
        ),
    ],
)
def test_sentences_about_parameters_become_sentences_about_options(sentence, expected):
    assert in_options(sentence, OPTIONS) == expected
