"""``h2pc networks``: the library of networks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from h2pc.cli import options, outputs
from h2pc.cli.printing import listed, print_json, print_table
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.networks import BayesianNetwork

EXAMPLES = ("h2pc networks", "h2pc networks alarm", "h2pc networks alarm -o alarm.bif")

_FORMATS = ("bif", "xml", "dot", "json")
_KINDS = {ending: kind for ending, kind in outputs.GRAPH_KINDS.items() if kind in _FORMATS}


def networks(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="Network to show.", autocompletion=options.library_names
        ),
    ] = None,
    out: Annotated[
        Path | None,
        outputs.out_option(
            "Output file: .bif, .xml, .xmlbif, .dot or .json; - is BIF on standard output."
        ),
    ] = None,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """List the networks of the library, or write one to a file."""
    from h2pc.networks import load_network, network_names

    paths = [] if out is None else [out]
    files = outputs.checked_outputs(paths, _KINDS, on_stdout="bif", as_json=as_json)
    if name is None:
        if files:
            raise SettingError("--out writes one network: expected its name as well.")
        sizes = [{"name": each, **_sizes(load_network(each))} for each in network_names()]
        if as_json:
            print_json({"networks": sizes})
        else:
            rows = [[f"{n:,}" if type(n) is int else n for n in each.values()] for each in sizes]
            print_table("Networks", _HEADINGS, rows)
        return
    network = load_network(name)

    from h2pc.networks.network_formats import network_text

    families = [
        (variable, states, network.dag.parents(variable))
        for variable, states in zip(network.names, network.states, strict=True)
    ]
    if as_json:
        variables = [
            dict(zip(("name", "states", "parents"), each, strict=True)) for each in families
        ]
        print_json({"name": name, **_sizes(network), "variables": variables})
    elif not quiet and not outputs.has_stdout(files):
        details = [(each, len(states), listed(parents)) for each, states, parents in families]
        print_table(name, ("variable", "states", "parents"), details)
        n_variables, n_edges, n_parameters, in_degree, n_states = _sizes(network).values()
        typer.echo(
            f"{n_variables:,} variables, {n_edges:,} edges, {n_parameters:,} parameters; largest "
            f"in-degree {in_degree}, most states {n_states}."
        )
    contents = {kind: partial(network_text, network, f".{kind}") for kind in _FORMATS}
    outputs.write_all(files, contents, quiet=quiet or as_json)


_HEADINGS = ("name", "variables", "edges", "parameters", "largest in-degree", "most states")


def _sizes(network: BayesianNetwork) -> dict[str, int]:
    """Return the sizes of a network, in the order of the headings."""
    return {
        "n_variables": len(network.names),
        "n_edges": len(network.dag.edges),
        "n_parameters": network.n_parameters,
        "largest_in_degree": max(map(len, network.dag.parent_sets), default=0),
        "most_states": max(network.cards, default=0),
    }
