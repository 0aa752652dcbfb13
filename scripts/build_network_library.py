"""Make the files of ``h2pc/networks/library`` from a folder of BIF files.

The BIF files are those in the wheel of pgmpy 1.1.2::

    pip download pgmpy==1.1.2 --no-deps
    unzip pgmpy-1.1.2-py3-none-any.whl 'pgmpy/utils/example_models/*'
    python scripts/build_network_library.py pgmpy/utils/example_models
"""

import sys
from pathlib import Path

from h2pc import read_network, write_network

NAMES = (
    *("child", "insurance", "mildew", "alarm", "hailfinder", "munin1", "pigs", "link"),  # Table 1
    *("andes", "asia", "barley", "hepar2", "sachs", "water", "win95pts"),
)
LIBRARY = Path(__file__).parents[1] / "src" / "h2pc" / "networks" / "library"


def main(folder: Path) -> None:
    """Write one compact file per network."""
    for name in NAMES:
        target = LIBRARY / f"{name}.json.gz"
        write_network(read_network(folder / f"{name}.bif.gz"), target)
        print(f"{target.name:20} {target.stat().st_size:9,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
