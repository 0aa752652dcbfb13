"""``h2pc networks``: the networks that come with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from h2pc.cli import options
from h2pc.cli.options import examples

if TYPE_CHECKING:
    from h2pc.networks import BayesianNetwork

EXAMPLES = examples(
    "h2pc networks",
    "h2pc networks alarm",
    "h2pc networks alarm -o alarm.bif",
)

_KINDS = {".bif": "bif", ".xml": "xml", ".xmlbif": "xml", ".dot": "dot", ".json": "json"}


def networks(
    name: Annotated[
        str | None,
        typer.Argument(help="A network to see in detail.", autocompletion=options.library_names),
    ] = None,
    out: options.OutFile = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """List the networks of the library, or save one.

    Files end in .bif, .xml, .dot or .json; - is BIF on stdout.
    """
    from h2pc.cli import outputs
    from h2pc.cli.printing import note, print_json, print_table
    from h2pc.errors import SettingError
    from h2pc.networks import load_network, network_names

    files = outputs.checked_outputs([] if out is None else [out], _KINDS, on_stdout="bif")
    outputs.check_json(as_json, files)
    if name is None:
        if files:
            raise SettingError("--out saves one network: expected its name as well.")
        told = [_summary(each, load_network(each)) for each in network_names()]
        if as_json:
            print_json({"networks": told})
        else:
            print_table("Networks", list(_HEADINGS), [_row(summary) for summary in told])
        return
    network = load_network(name)
    outputs.write_all(files, _contents(network))
    if outputs.has_stdout(files):
        return
    if as_json:
        print_json({**_summary(name, network), "variables": _families(network)})
    elif not quiet:
        rows = [
            (family["name"], len(family["states"]), ", ".join(family["parents"]) or "–")
            for family in _families(network)
        ]
        print_table(name, ("variable", "states", "parents"), rows)
        typer.echo(", ".join(f"{value:,} {key}" for key, value in _numbers(network).items()) + ".")
    note(f"Wrote {out}.", unless=quiet or out is None)


_HEADINGS = ("name", "variables", "edges", "parameters", "largest in-degree", "most states")


def _numbers(network: BayesianNetwork) -> dict[str, int]:
    """Return what the list shows of a network."""
    dag = network.dag
    return {
        "variables": len(dag.names),
        "edges": len(dag.edges),
        "parameters": network.n_parameters,
        "largest in-degree": max(map(len, dag.parent_sets), default=0),
        "most states": max(network.cards, default=0),
    }


def _summary(name: str, network: BayesianNetwork) -> dict[str, Any]:
    """Return the same for machines."""
    numbers = {
        f"n_{key}" if " " not in key else key.replace(" ", "_").replace("-", "_"): value
        for key, value in _numbers(network).items()
    }
    return {"name": name, **numbers}


def _row(summary: dict[str, Any]) -> list[str]:
    return [f"{value:,}" if isinstance(value, int) else value for value in summary.values()]


def _families(network: BayesianNetwork) -> list[dict[str, Any]]:
    """Return the variables with their states and parents."""
    names = network.names
    return [
        {
            "name": names[v],
            "states": network.states[v],
            "parents": [names[u] for u in network.dag.parents(v)],
        }
        for v in network.dag.variables
    ]


def _contents(network: BayesianNetwork) -> dict[str, Any]:
    """Return what makes each kind of file."""
    from h2pc.graphs import to_dot
    from h2pc.networks import bif_text, json_text, xmlbif_text

    return {
        "bif": lambda: bif_text(network),
        "xml": lambda: xmlbif_text(network),
        "json": lambda: json_text(network),
        "dot": lambda: to_dot(network.dag),
    }
