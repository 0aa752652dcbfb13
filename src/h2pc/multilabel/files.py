"""Multi-label data from files: Mulan's and MEKA's ARFF, CSV, Parquet."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path

from h2pc.errors import DataError, SettingError
from h2pc.io.arff import read_arff
from h2pc.io.coded_table import CodedTable
from h2pc.io.csv import read_csv
from h2pc.io.files import MAX_BYTES
from h2pc.io.parquet import read_parquet
from h2pc.multilabel.columns import multilabel_data
from h2pc.multilabel.data import MultilabelData

PAPER_DATA_SETS = (
    "emotions",
    "yeast",
    "image",
    "scene",
    "slashdot",
    "genbase",
    "medical",
    "enron",
    "bibtex",
    "corel5k",
)
"""The ten data sets of section 5, in the order of its tables."""

IDENTIFIERS = {"genbase": ("protein",)}
"""Attributes that number the samples, and that no classifier may see."""

_PACKINGS = ("", ".gz", ".bz2", ".xz")


def read_multilabel(
    path: str | os.PathLike[str],
    labels: Iterable[str] | None = None,
    *,
    label_xml: str | os.PathLike[str] | None = None,
    drop: Collection[str] = (),
    name: str | None = None,
    max_bytes: int = MAX_BYTES,
) -> MultilabelData:
    r"""Multi-label data of a file.

    Parameters
    ----------
    path : path
        A file whose name ends in ``.arff``, ``.csv`` or ``.parquet``; but for the last, also with
        ``.gz``, ``.bz2`` or ``.xz`` after it. Sparse ARFF stays sparse.
    labels : iterable of str, optional
        The columns that are labels. ARFF files need none where an XML file of labels or the option
        ``-C`` of MEKA tells.
    label_xml : path, optional
        Mulan's list of labels for an ARFF file; by default the file beside it that is called alike
        and ends in ``.xml``, if there is one.
    drop : collection of str
        Columns that are neither features nor labels.
    name : str, optional
        The name of the data set; by default that of the file.
    max_bytes : int
        The longest text to accept, after decompression.

    Returns
    -------
    MultilabelData
        The features as numbers; words are coded, see its ``categories``.

    Raises
    ------
    FileFormatError
        Where the file is damaged; the message names the line and what was expected there.
    DataError
        Where a label is unknown, or holds other values than 0 and 1.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from h2pc.multilabel.files import read_multilabel
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "coast.csv"
    >>> _ = path.write_text("depth,ground,sea,sky\n2.5,sand,1,1\n0.1,rock,0,1\n")
    >>> data = read_multilabel(path, labels=["sea", "sky"])
    >>> data
    MultilabelData('coast', 2 samples, 2 features, 2 labels)
    >>> data.X.tolist(), data.categories
    ([[2.5, 1.0], [0.1, 0.0]], {'ground': ('rock', 'sand')})
    """
    file = Path(path)
    stem, kind = _stem_and_kind(file)
    if label_xml is not None and (labels is not None or kind != ".arff"):
        raise SettingError(f"label_xml came with {file.name}: expected an ARFF file, and no labels")
    chosen = labels if labels is None or isinstance(labels, str) else tuple(labels)
    if kind == ".arff":
        beside = file.with_name(f"{stem}.xml")
        if label_xml is None and chosen is None and beside.is_file():
            label_xml = beside
        arff = read_arff(file, label_xml=label_xml, max_bytes=max_bytes)
        table = CodedTable(arff.names, arff.categories, arff.cells)
        chosen = arff.labels if chosen is None else chosen
    else:
        table = read_csv(file, max_bytes) if kind == ".csv" else read_parquet(file)
    if not chosen:
        raise SettingError(f"{file}: unknown labels: expected their names, or an XML file of them")
    return multilabel_data(table, chosen, drop=drop, name=stem if name is None else name)


def load_multilabel(name: str, folder: str | os.PathLike[str]) -> MultilabelData:
    """One of the paper's ten data sets, or any other that is kept in the same way.

    Parameters
    ----------
    name : str
        The name of the data set, see ``PAPER_DATA_SETS``.
    folder : path
        A folder that holds ``NAME/NAME.arff``, compressed or not, and ``NAME/NAME.xml``.

    Returns
    -------
    MultilabelData
        The data; the identifiers of genbase's samples are left out.

    Examples
    --------
    >>> from h2pc.multilabel.files import load_multilabel
    >>> load_multilabel("emotions", "multilabel")  # doctest: +SKIP
    MultilabelData('emotions', 593 samples, 72 features, 6 labels)
    """
    home = Path(folder) / name
    if Path(name).name != name:
        raise SettingError(f"name must be that of a folder in {folder}; got {name!r}.")
    for packing in _PACKINGS:
        path = home / f"{name}.arff{packing}"
        if path.is_file():
            xml = home / f"{name}.xml"
            return read_multilabel(path, label_xml=xml, drop=IDENTIFIERS.get(name, ()), name=name)
    raise DataError(f"no data set {name!r} in {folder}: expected {home / name}.arff.gz")


def _stem_and_kind(file: Path) -> tuple[str, str]:
    """Name of the data set, and what kind of file it is in."""
    plain = Path(file.stem) if file.suffix.lower() in _PACKINGS else file
    kind = plain.suffix.lower()
    if kind not in {".arff", ".csv", ".parquet"}:
        raise SettingError(
            f"{file}: unknown kind of file: expected a name that ends in .arff, .csv or .parquet"
        )
    return plain.stem, kind
