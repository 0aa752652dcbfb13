"""``h2pc neighbours``: the neighbours of a target, and the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from h2pc.cli import inputs, options
from h2pc.cli.learning import TestOptions
from h2pc.cli.printing import (
    decimal,
    listed,
    print_json,
    print_table,
    q_value,
    tested,
    with_correlations,
)
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.learners.explanations import Explanation, LeftOut

EXAMPLES = (
    "h2pc neighbours data.csv --targets lung",
    "h2pc neighbours data.csv --targets lung,bronc --symmetry or --json",
    "h2pc neighbours data.csv --targets lung --all",
)

_FOUND = ("target", "neighbours", "spouses", "markov_boundary")
_SHOWN = 10


def neighbours(
    file: options.DataFile,
    *,
    targets: list[str] | None = None,
    every: bool = False,
    testing: TestOptions,
    table: inputs.TableOptions,
    n_jobs: int = -1,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Show the neighbours of target variables, by HPC.

    Prints parents and children, spouses and the variables left out, with decimal logarithms of
    p-values: without conditioning, and the largest among the tests that tried to separate the two,
    which q adjusts for the number of pairs that have a target. Continuous variables have
    correlations, too. For a variable left out it shows a set that separates it from the target, and
    the p-value given that set.
    """
    inputs.check_table(file)
    if not targets:
        raise SettingError("--targets must name at least one variable.")
    _ = testing.known_edges  # a damaged file is refused before the table is read

    from h2pc.algorithms.skeletons import Symmetry
    from h2pc.checks import number_of_jobs
    from h2pc.learners.data_warnings import warn_of_few_samples, warn_of_untestable
    from h2pc.learners.explanations import explained_neighbours

    rule = Symmetry(testing.symmetry)
    data = table.data(file, quiet=quiet)
    inputs.check_names("--targets", targets, data.names)
    testing.check_names(data)
    ci = testing.test_on(data)
    warn_of_untestable(ci)
    warn_of_few_samples(ci)
    explanations = explained_neighbours(
        ci,
        data.names,
        data.variables(targets),
        symmetry=rule,
        fdr_method=testing.fdr_method,
        n_jobs=number_of_jobs(n_jobs),
        progress=False if quiet else None,
    )
    n_shown = data.n_variables if every else _SHOWN
    if not as_json:
        for each in explanations:
            _print(each, each.left_out[:n_shown])
        return
    print_json(
        {
            "n_samples": data.n_samples,
            "n_variables": data.n_variables,
            "settings": {
                "symmetry": testing.symmetry,
                "fdr_method": testing.fdr_method,
                **testing.test_settings(data),
            },
            "targets": [
                {
                    **{name: getattr(each, name) for name in _FOUND},
                    "left_out": each.left_out[:n_shown],
                    "n_left_out": len(each.left_out),
                }
                for each in explanations
            ],
        }
    )


def _print(found: Explanation, left_out: tuple[LeftOut, ...]) -> None:
    """Print what was found around one target."""
    typer.echo(f"Markov boundary of {found.target}: {listed(found.markov_boundary)}")
    columns: dict[str, list[Any]] = {
        "name": [link.name for link in found.neighbours],
        "correlation": [link.correlation for link in found.neighbours],
        "log10 p": [tested(link.log10_p) for link in found.neighbours],
        "partial correlation": [link.weakest_correlation for link in found.neighbours],
        "weakest log10 p": [tested(link.weakest_log10_p) for link in found.neighbours],
        "given": [listed(link.given) for link in found.neighbours],
        "q": [q_value(link) for link in found.neighbours],
    }
    print_table(f"Parents and children of {found.target}", *with_correlations(columns))
    if found.spouses:
        print_table(
            f"Spouses of {found.target}",
            ("name", "log10 p", "given the child", "separated by"),
            [
                (
                    spouse.name,
                    decimal(spouse.log10_p),
                    spouse.child or "–",
                    listed(spouse.separator),
                )
                for spouse in found.spouses
            ],
        )
    if left_out:
        print_table(
            f"Left out: {len(left_out):,} of {len(found.left_out):,}",
            ("name", "log10 p", "reason"),
            [(other.name, decimal(other.log10_p), _reason(other)) for other in left_out],
        )


def _reason(other: LeftOut) -> str:
    """Return in words why a variable is no neighbour."""
    from h2pc.learners.explanations import Reason

    if other.reason is Reason.NOT_A_DISCOVERY:
        return "fails the false discovery rate given the boundary"
    if other.separator is None:
        reason = "fails the false discovery rate"
    elif not other.tested:
        given = f" given {listed(other.separator)}" if other.separator else ""
        reason = f"untested{given}: too few samples"
    else:
        given = f" given {listed(other.separator)}" if other.separator else ""
        reason = f"independent{given}"
        if other.separator and other.separator_log10_p is not None:
            reason += f", p = {10.0**other.separator_log10_p:.2g}"
    one_sided = other.reason is Reason.ONE_SIDED
    return f"found by the target only; from the other end: {reason}" if one_sided else reason
