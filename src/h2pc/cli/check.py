"""``h2pc check``: look at a table before learning from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from h2pc.cli import inputs, options, outputs
from h2pc.cli.command import in_command, in_options, option_text, options_of
from h2pc.cli.printing import print_json, print_table
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.data.table_check import TableCheck
    from h2pc.errors import DataWarning
    from h2pc.independence.compared_tests import ComparedTests

Pictures = Annotated[
    list[Path] | None,
    outputs.out_option(
        "With --tests: picture of the type I errors, .svg, .png or .pdf; may be repeated.",
        metavar="FILE",
    ),
]

EXAMPLES = (
    "h2pc check data.csv",
    "h2pc check data.csv --discretize 2 --missing drop",
    "h2pc check genes.tsv --transpose --json",
    "h2pc check data.csv --tests -o errors.svg",
)

_KINDS = {f".{kind}": kind for kind in outputs.PICTURES}


def check(
    ctx: typer.Context,
    file: options.DataFile,
    *,
    tests: bool = False,
    out: Pictures = None,
    table: inputs.TableOptions,
    alpha: float = 0.05,
    power_rule: float = 5.0,
    n_repetitions: int = 1000,
    random_state: int = 0,
    max_memory: str | None = None,
    as_json: bool = False,
) -> None:
    """Look at a table before learning from it.

    Prints what every column holds and what becomes of it, everything that is wrong, which test
    suits its variables, how many tests have too few samples, and the command to go on with.

    With --tests it prints how well independence tests do on the table, by resampling it: how often
    they find a link where there is none, given 0, 1 and 2 variables, how often they find links of
    the size seen, and which test suits the table. --alpha, --n-repetitions, --random-state and
    --out belong to it.
    """
    inputs.check_table(file)
    if out and not tests:
        raise SettingError("--out is the picture of --tests: expected both or none.")
    files = outputs.checked_outputs(out, _KINDS)

    from h2pc.checks import number
    from h2pc.io.checking import checked_file
    from h2pc.runs.limits import bytes_of

    number(least=0.0)("power_rule", power_rule)
    most_memory = None if max_memory is None else bytes_of(max_memory)
    if tests:
        from h2pc.independence.comparing import compare_tests

        compared = compare_tests(
            table.data(file, max_memory=most_memory),
            alpha=alpha,
            power_rule=power_rule,
            n_repetitions=n_repetitions,
            random_state=random_state,
        )
        _show(compared, file, options_of(ctx.find_root().command), as_json=as_json)
        _draw(compared, file, files)
        return
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


def _show(compared: ComparedTests, file: Path, known: dict[str, str], *, as_json: bool) -> None:
    """Print how well tests do, and the recommendation in words of the command line."""
    from h2pc.independence.compared_tests import HEADINGS

    sentence = in_options(compared.recommendation, known)
    if as_json:
        answer = {field.name: getattr(compared, field.name) for field in fields(compared)}
        print_json({**answer, "recommendation": sentence})
        return
    title = f"{file}: tests at level {compared.alpha:g}"
    print_table(title, HEADINGS, compared.cells())
    typer.echo(sentence)


def _draw(compared: ComparedTests, file: Path, files: Sequence[outputs.Output]) -> None:
    """Write the pictures of the type I errors."""
    if not files:
        return
    from h2pc.report.error_curves import plot_test_errors

    def content(kind: str) -> Callable[[], bytes]:
        return lambda: outputs.picture(lambda: plot_test_errors(compared), kind, file.name)

    outputs.write_all(files, {kind: content(kind) for kind in outputs.PICTURES}, quiet=False)


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
