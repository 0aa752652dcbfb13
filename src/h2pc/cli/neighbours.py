"""``h2pc neighbours``: who is linked to a target, and why the others are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from h2pc.cli import options
from h2pc.cli.options import Bins, MissingValues, Rule, examples, words

if TYPE_CHECKING:
    from h2pc.learners.explanations import Explanation, LeftOut

EXAMPLES = examples(
    "h2pc neighbours data.csv --targets lung",
    "h2pc neighbours data.csv --targets lung,bronc --symmetry or --json",
    "h2pc neighbours data.csv --targets lung --all",
)

_SHOWN = 10


def neighbours(
    file: options.DataFile,
    target: options.Targets = None,
    every: Annotated[
        bool, typer.Option("--all", help="List every variable that was left out, not only ten.")
    ] = False,
    alpha: options.AlphaOption = None,
    test: options.TestOption = None,
    symmetry: options.RuleOption = None,
    power_rule: options.PowerRule = None,
    constraints: options.Constraints = None,
    columns: options.Columns = None,
    drop: options.Drop = None,
    discretize: options.Discretize = None,
    bins: options.BinsOption = Bins.QUANTILE,
    missing: options.MissingOption = MissingValues.ERROR,
    max_levels: options.MaxLevels = None,
    jobs: options.NJobs = -1,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Show who is linked to a target, and why.

    Prints parents and children, the Markov boundary, and what was left out. Evidence is the decimal
    logarithm of a p-value: given nothing, and where it is weakest, given any subset of the rest of
    the Markov boundary. Variables that were left out come with the set that separates them from the
    target, the most strongly linked first.
    """
    from h2pc.cli import inputs
    from h2pc.cli.learners import Learning
    from h2pc.cli.printing import print_json
    from h2pc.errors import SettingError

    inputs.check_table(file)
    targets = tuple(dict.fromkeys(words(target)))
    if not targets:
        raise SettingError("--targets must name at least one variable.")
    known = inputs.constraints_of(constraints)

    from h2pc.learners.explanations import explained_neighbours
    from h2pc.learners.validation import number_of_jobs, symmetry_rule

    rule = symmetry_rule((symmetry or Rule.AND).value)
    learning = Learning(alpha=alpha, test=test, power_rule=power_rule, constraints=known)
    reading = inputs.Reading(words(columns), words(drop), discretize, bins, missing, max_levels)
    data = reading.data(file)
    inputs.check_names("--targets", targets, data.names)
    inputs.check_constraints(constraints, known, data.names)

    told = explained_neighbours(
        learning.test_on(data),
        data.names,
        data.variables(targets),
        symmetry=rule,
        n_jobs=number_of_jobs(jobs),
        progress=False if quiet else None,
    )
    if as_json:
        settings = {"symmetry": rule.value, **learning.test_settings()}
        print_json(
            {
                "n_samples": data.n_samples,
                "n_variables": data.n_variables,
                "settings": settings,
                "targets": [_answer(why, every) for why in told],
            }
        )
        return
    for why in told:
        _say(why, every)


def _shown(why: Explanation, every: bool) -> Sequence[LeftOut]:
    """Return the left-out variables to list: all, or the most strongly linked."""
    return why.left_out if every else why.left_out[:_SHOWN]


def _answer(why: Explanation, every: bool) -> dict[str, Any]:
    """Return what --json prints of one target."""
    from h2pc.cli.printing import finite

    return {
        "target": why.target,
        "neighbours": [
            {
                "name": link.name,
                "log10_p": finite(link.log10_p),
                "weakest_log10_p": finite(link.weakest_log10_p),
                "given": link.given,
            }
            for link in why.neighbours
        ],
        "spouses": [
            {
                "name": spouse.name,
                "separator": spouse.separator,
                "child": spouse.child,
                "log10_p": finite(spouse.log10_p),
            }
            for spouse in why.spouses
        ],
        "markov_boundary": why.markov_boundary,
        "left_out": [
            {
                "name": other.name,
                "reason": other.reason.value,
                "log10_p": finite(other.log10_p),
                "separator": other.separator,
            }
            for other in _shown(why, every)
        ],
        "n_left_out": len(why.left_out),
    }


def _say(why: Explanation, every: bool) -> None:
    """Print what was found around one target."""
    from h2pc.cli.printing import decimal, listed, print_table

    typer.echo(f"Markov boundary of {why.target}: {listed(why.markov_boundary)}")
    print_table(
        f"Parents and children of {why.target}",
        ("name", "log10 p", "weakest log10 p", "given"),
        [
            (link.name, decimal(link.log10_p), decimal(link.weakest_log10_p), listed(link.given))
            for link in why.neighbours
        ],
    )
    if why.spouses:
        print_table(
            f"Spouses of {why.target}",
            ("name", "log10 p", "with the child", "but separated given"),
            [
                (
                    spouse.name,
                    decimal(spouse.log10_p),
                    spouse.child or "–",
                    listed(spouse.separator),
                )
                for spouse in why.spouses
            ],
        )
    if why.left_out:
        shown = _shown(why, every)
        print_table(
            f"Left out: {len(shown):,} of {len(why.left_out):,}",
            ("name", "log10 p", "why"),
            [(other.name, decimal(other.log10_p), _reason(other)) for other in shown],
        )


def _reason(other: LeftOut) -> str:
    """Return in words why a variable is no neighbour."""
    from h2pc.cli.printing import listed
    from h2pc.learners.explanations import Reason

    if other.reason is Reason.NOT_A_DISCOVERY:
        return "does not pass the false discovery rate given the boundary"
    if other.separator is None:
        apart = "it does not pass the false discovery rate there"
    elif other.separator:
        apart = f"independent given {listed(other.separator)}"
    else:
        apart = "independent"
    one_sided = other.reason is Reason.ONE_SIDED
    return f"only seen from here; seen from there: {apart}" if one_sided else apart
