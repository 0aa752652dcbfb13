"""The kinds of table files, told by the endings of their names."""

from pathlib import Path

from h2pc.errors import SettingError

ENDINGS = (".csv", ".tsv", ".tab", ".parquet", ".arff")
"""How the names of table files end; but for Parquet, ``.gz``, ``.bz2`` or ``.xz`` may follow."""

_PACKINGS = (".gz", ".bz2", ".xz")


def table_kind(file: Path) -> str:
    """Ending of a table file's name, without that of its packing."""
    name = file.name.lower()
    for packing in _PACKINGS:
        name = name.removesuffix(packing)
    kind = Path(name).suffix
    if kind not in ENDINGS:
        raise SettingError(
            f"{file}: unknown kind of table: expected a name that ends in {', '.join(ENDINGS)}"
        )
    return kind
