"""``h2pc demo``: the demo as a command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from h2pc.cli.options import examples

EXAMPLES = examples("h2pc demo", "h2pc demo results")


def demo(
    folder: Annotated[Path, typer.Argument(help="Where the results go.")] = Path("demo"),
) -> None:
    """Learn two models, and leave a report on them.

    The network alarm is learned and compared with the truth, and a multi-label model made.
    """
    folder.mkdir(parents=True, exist_ok=True)

    from h2pc.cli.demo import main

    main([str(folder)])
