"""The options that commands share: one name, one meaning, one help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def words(given: list[str] | None) -> list[str]:
    """Return the names of an option that takes commas and may be repeated, each once."""
    found = [word.strip() for text in given or () for word in text.split(",")]
    return [word for word in dict.fromkeys(found) if word]


def names_option(*options: str, **settings: Any) -> Any:
    """Return an option that takes names: separated by commas, or repeated."""
    return typer.Option(*options, metavar="NAMES", callback=words, **settings)


def library_names(begun: str) -> list[str]:
    """Return the networks of the library that a shell may complete a word to."""
    from h2pc.networks import network_names

    return [name for name in network_names() if name.startswith(begun)]


def network_argument(what: str, files: str = ".bif, .xml, .json, .dot") -> Any:
    """Return an argument that names a network: a file, or one of the library."""
    return typer.Argument(
        metavar="NETWORK",
        help=f"{what}: a file ({files}) or a network of the library.",
        show_default=False,
        autocompletion=library_names,
    )


DataFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Table with a header line: .csv, .tsv (also .gz, .bz2, .xz), .parquet or .arff; "
        "- reads CSV from standard input.",
        show_default=False,
    ),
]
Drop = Annotated[list[str] | None, names_option("--drop", help="Columns to leave out.")]
RandomState = Annotated[
    int, typer.Option("--random-state", min=0, help="Seed of the random numbers.")
]
NJobs = Annotated[
    int, typer.Option("--n-jobs", help="Number of parallel workers; -1 uses all processors.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Cluster that does the work: dask://host:port, ray://host:port, or local for "
        "processes on this machine.",
    ),
]
NetworkOutputs = Annotated[
    list[Path] | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Output file, may be repeated. The ending gives the format: .bif, .xml, .xmlbif, "
        ".dot, .json, .csv, .svg, .png, .pdf or .html; - is standard output.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Report each step.")]
