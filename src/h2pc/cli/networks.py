"""``h2pc networks``: the library of networks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from h2pc.cli import options, outputs
from h2pc.cli.printing import listed, print_json, print_table
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.networks import BayesianNetwork

EXAMPLES = ("h2pc networks", "h2pc networks alarm", "h2pc networks alarm -o alarm.bif")

_KINDS = {".bif": "bif", ".xml": "xml", ".xmlbif": "xml", ".dot": "dot", ".json": "json"}


def networks(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="Network to show.", autocompletion=options.library_names
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Output file: .bif, .xml, .xmlbif, .dot or .json; - is BIF on standard output.",
        ),
    ] = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """List the networks of the library, or write one to a file."""
    from h2pc.networks import load_network, network_names

    paths = [] if out is None else [out]
    files = outputs.checked_outputs(paths, _KINDS, on_stdout="bif", as_json=as_json)
    if name is None:
        if files:
            raise SettingError("--out writes one network: expected its name as well.")
        summaries = [_summary(each, load_network(each)) for each in network_names()]
        if as_json:
            print_json({"networks": summaries})
        else:
            print_table("Networks", list(_HEADINGS), [_row(summary) for summary in summaries])
        return
    network = load_network(name)
    if as_json:
        print_json({**_summary(name, network), "variables": _families(network)})
    elif not quiet and not outputs.has_stdout(files):
        rows = [
            (family["name"], len(family["states"]), listed(family["parents"]))
            for family in _families(network)
        ]
        print_table(name, ("variable", "states", "parents"), rows)
        typer.echo(", ".join(f"{value:,} {key}" for key, value in _numbers(network).items()) + ".")
    outputs.write_all(files, _contents(network), quiet=quiet or as_json)


_HEADINGS = ("name", "variables", "edges", "parameters", "largest in-degree", "most states")


def _numbers(network: BayesianNetwork) -> dict[str, int]:
    """Return the sizes of a network."""
    dag = network.dag
    return {
        "variables": len(dag.names),
        "edges": len(dag.edges),
        "parameters": network.n_parameters,
        "largest in-degree": max(map(len, dag.parent_sets), default=0),
        "most states": max(network.cards, default=0),
    }


def _summary(name: str, network: BayesianNetwork) -> dict[str, Any]:
    """Return the sizes of a network as JSON has them."""
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
    """Return a function for each kind of file that makes its content."""
    from h2pc.graphs import to_dot
    from h2pc.networks import bif_text, json_text, xmlbif_text

    return {
        "bif": lambda: bif_text(network),
        "xml": lambda: xmlbif_text(network),
        "json": lambda: json_text(network),
        "dot": lambda: to_dot(network.dag),
    }
