"""``h2pc check``: look at a table before learning from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from h2pc.cli import inputs, options
from h2pc.cli.command import in_command, option_text, options_of
from h2pc.cli.printing import print_json, print_table

if TYPE_CHECKING:
    from h2pc.data.table_check import TableCheck
    from h2pc.errors import DataWarning

EXAMPLES = (
    "h2pc check data.csv",
    "h2pc check data.csv --discretize 2 --missing drop",
    "h2pc check genes.tsv --transpose --json",
)


def check(
    ctx: typer.Context,
    file: options.DataFile,
    *,
    table: inputs.TableOptions,
    power_rule: float = 5.0,
    max_memory: str | None = None,
    as_json: bool = False,
) -> None:
    """Look at a table before learning from it.

    Prints what every column holds and what becomes of it, everything that is wrong, which test
    suits its variables, how many tests have too few samples, and the command to go on with.
    """
    inputs.check_table(file)

    from h2pc.checks import number
    from h2pc.io.checking import checked_file
    from h2pc.runs.limits import bytes_of

    number(least=0.0)("power_rule", power_rule)
    most_memory = None if max_memory is None else bytes_of(max_memory)
    with table.table(file, most_memory) as source:
        found = checked_file(
            source, table.settings(), power_rule=power_rule, **table.choice(source)
        )
    known = options_of(ctx.command)
    command = _command(file, table, found, known)
    if as_json:
        print_json(_answer(found, command, known))
        return
    print_table(str(file), ("column", "kind", "values", "missing", "use"), found.rows())
    typer.echo(f"{found.size()}.")
    for problem in found.problems:
        typer.echo(f"Refused: {problem}.")
    for remedy in found.remedies:
        typer.echo(f"  {in_command(remedy, known)}")
    for sentence in found.tests():
        typer.echo(sentence)
    for notice in found.notices:
        typer.echo(f"Note: {_worded(notice, known)}.")
    typer.echo(f"Next: {command}")


def _worded(notice: DataWarning, known: dict[str, str]) -> str:
    return "; ".join([notice.message, *(in_command(each, known) for each in notice.remedies)])


def _command(
    file: Path, table: inputs.TableOptions, found: TableCheck, known: dict[str, str]
) -> str:
    """Return the command that learns from the table, with the options that it needs."""
    import shlex

    settings = {**table.given(), **found.suggested}
    if "drop" in found.suggested:
        settings["drop"] = [*(table.drop or ()), *found.suggested["drop"]]
    words = [option_text(known[name], value) for name, value in settings.items()]
    return " ".join(["h2pc learn", shlex.quote(str(file)), *words])


def _answer(found: TableCheck, command: str, known: dict[str, str]) -> dict[str, Any]:
    """Return the JSON object of a check."""
    return {
        "n_rows": found.n_rows,
        "n_samples": found.n_samples,
        "kind": found.kind,
        "test": found.test,
        "columns": found.columns,
        "problems": found.problems,
        "remedies": [in_command(remedy, known) for remedy in found.remedies],
        "notices": [_worded(notice, known) for notice in found.notices],
        "power_rule": found.power_rule,
        "untested": found.untested,
        "untestable": found.untestable,
        "next": command,
    }
