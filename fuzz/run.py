"""Fuzz every file that h2pc reads: ``python fuzz/run.py --inputs 100000``.

No input may lead to anything but a file that is read, an ``H2pcError`` or an ``OSError``; none may
take long, or much memory. Inputs that show a bug are kept in a folder. With ``--guided`` atheris
chooses the inputs by the code that they reach; it has to be installed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.table import Table

KEEP = Path("fuzz-findings")
MOST_DEATHS = 20


def child(chosen: argparse.Namespace) -> None:
    """Run the inputs of one kind of file in this process, and write the figures as JSON."""
    from mutations import inputs_of
    from seeds import seeds_of
    from trials import Trials

    warnings.simplefilter("ignore")
    kind, folder = chosen.child, Path(chosen.folder)
    inputs = islice(inputs_of(kind, seeds_of(kind), chosen.seed), chosen.inputs)
    work = folder / "work"
    work.mkdir(exist_ok=True)
    trials = Trials(kind, work, chosen.keep, seconds=chosen.seconds, megabytes=chosen.megabytes)
    started = folder / "started"
    for number, content in enumerate(inputs):
        if number >= chosen.skip:
            started.write_bytes(b"%d %s" % (number, content))
            trials.run(content)
    (folder / "figures.json").write_text(json.dumps(trials.figures.as_dict()))


def fuzzed(kind: str, n_inputs: int, chosen: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of one kind of file; a process that dies is a bug, and is replaced."""
    total: dict[str, Any] = dict.fromkeys(("n_inputs", "n_read", "n_failed"), 0)
    total |= {"slowest": 0.0, "megabytes": 0.0}
    bugs: dict[str, str] = {}
    skip = 0
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for _ in range(MOST_DEATHS):
        with TemporaryDirectory(dir=place) as folder:
            done = subprocess.run(
                _command(kind, n_inputs, skip, folder, chosen), capture_output=True, check=False
            )
            figures = Path(folder) / "figures.json"
            if figures.exists():
                found = json.loads(figures.read_text())
                for name in ("slowest", "megabytes"):
                    total[name] = max(total[name], found[name])
                for name in ("n_inputs", "n_read", "n_failed"):
                    total[name] += found[name]
                bugs.update(found["bugs"])
                break
            started = Path(folder) / "started"
            if not started.exists():
                raise SystemExit(f"{kind} did not start:\n{done.stderr.decode()[-2000:]}")
            number, _, content = started.read_bytes().partition(b" ")
            total["n_inputs"] += int(number) + 1 - skip
            total["n_failed"] += 1
            skip = int(number) + 1
            path = chosen.keep / f"{kind.replace(' ', '-')}-death-{skip}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            words = done.stderr.decode(errors="replace").strip().splitlines()
            bugs[f"the process ended ({done.returncode}): {words[0] if words else ''}"] = str(path)
    return {**total, "bugs": bugs}


def _command(
    kind: str, n_inputs: int, skip: int, folder: str, chosen: argparse.Namespace
) -> list[str]:
    """Return how a child is started."""
    program = Path(__file__).with_name("guided.py" if chosen.guided else "run.py")
    words = {
        "--child": kind,
        "--inputs": n_inputs,
        "--skip": skip,
        "--folder": folder,
        "--keep": chosen.keep,
        "--seed": chosen.seed,
        "--seconds": chosen.seconds,
        "--megabytes": chosen.megabytes,
    }
    return [sys.executable, str(program), *(str(w) for pair in words.items() for w in pair)]


def options() -> argparse.ArgumentParser:
    """Return the options of this program and of its children."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="of all kinds together")
    parser.add_argument("--kinds", nargs="+", metavar="KIND", help="only files of these kinds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10.0, help="for one input")
    parser.add_argument("--megabytes", type=int, default=1024, help="for one input")
    parser.add_argument("--keep", type=Path, default=KEEP, help="folder for inputs that show bugs")
    parser.add_argument("--guided", action="store_true", help="let atheris choose the inputs")
    for name in ("--child", "--folder"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--skip", type=int, default=0, help=argparse.SUPPRESS)
    return parser


def main() -> None:
    """Fuzz all kinds, and print the figures."""
    chosen = options().parse_args()
    if chosen.child:
        child(chosen)
        return
    from parsers import PARSERS

    kinds = chosen.kinds or list(PARSERS)
    console = Console()
    table = Table(title="Files that are damaged, and what became of them")
    for heading in ("file", "inputs", "read", "refused", "bugs", "slowest s", "MB more", "time s"):
        table.add_column(heading, justify="left" if heading == "file" else "right")
    bugs: list[tuple[str, str, str]] = []
    n_inputs = 0
    for kind in kinds:
        with console.status(kind):
            start = perf_counter()
            found = fuzzed(kind, -(-chosen.inputs // len(kinds)), chosen)
        n_inputs += found["n_inputs"]
        bugs += [(kind, bug, path) for bug, path in found["bugs"].items()]
        table.add_row(
            kind,
            *(f"{n:,}" for n in (found["n_inputs"], found["n_read"])),
            f"{found['n_inputs'] - found['n_read'] - found['n_failed']:,}",
            str(len(found["bugs"])),
            *(f"{found['slowest']:.2f}", f"{found['megabytes']:.0f}"),
            f"{perf_counter() - start:.0f}",
        )
    console.print(table)
    for kind, bug, path in bugs:
        console.print(f"{kind}: {bug}\n    {path}", markup=False, highlight=False, soft_wrap=True)
    console.print(f"{n_inputs:,} inputs, {len(bugs)} bugs")
    sys.exit(1 if bugs else 0)


if __name__ == "__main__":
    main()
