"""``h2pc sample``: draw samples from a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from h2pc.cli import options, outputs
from h2pc.cli.inputs import check_network, network_named
from h2pc.cli.printing import note, plural

if TYPE_CHECKING:
    from h2pc.data import Dataset

EXAMPLES = (
    "h2pc sample alarm -n 5000 --random-state 1 -o alarm.csv",
    "h2pc sample network.bif -n 100000 -o samples.parquet",
    "h2pc sample asia -n 10",
)

_KINDS = {".csv": "csv", ".parquet": "parquet"}


def sample(
    network: Annotated[
        str, options.network_argument("Network with its parameters", ".bif, .xml, .json")
    ],
    n_samples: int = 1000,
    random_state: int = 0,
    out: Annotated[
        Path,
        outputs.out_option("Output file: .csv, .csv.gz or .parquet; - is CSV on standard output."),
    ] = Path("-"),
    quiet: bool = False,
) -> None:
    """Draw samples from a network.

    The samples are independent; the same seed gives the same samples.
    """
    check_network(network)
    files = outputs.checked_outputs([out], _KINDS, on_stdout="csv")
    data = network_named(network).sample(n_samples, random_state)
    columns = data.values.tolist() if data.kind == "continuous" else _levels(data)
    contents: dict[str, Callable[[], outputs.Content]] = {
        "csv": lambda: outputs.csv_text(data.names, zip(*columns, strict=True)),
        "parquet": lambda: _parquet(dict(zip(data.names, columns, strict=True))),
    }
    outputs.write_all(files, contents)
    size = f"{plural(n_samples, 'sample')} of {plural(data.n_variables, 'variable')}"
    note(f"Wrote {size} to {out}.", unless=quiet or outputs.has_stdout(files))


def _levels(data: Dataset) -> list[list[object]]:
    """Return the states of each variable, for each sample."""
    return [
        [states[code] for code in codes.tolist()]
        for states, codes in zip(data.states, data.codes, strict=True)
    ]


def _parquet(columns: dict[str, list[object]]) -> bytes:
    """Return a table as Parquet."""
    from io import BytesIO

    import polars as pl

    out = BytesIO()
    pl.DataFrame(columns).write_parquet(out)
    return out.getvalue()
