"""Multi-label data from files: Mulan's and MEKA's ARFF, CSV, TSV, Parquet, Excel."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path

from h2pc.errors import DataError, SettingError
from h2pc.io.coded_table import coded
from h2pc.io.files import COMPRESSIONS, MAX_BYTES, table_kind
from h2pc.io.table_files import read_table, selected
from h2pc.multilabel.columns import multilabel_data
from h2pc.multilabel.data import MultilabelData

IDENTIFIERS = {"genbase": ("protein",)}
"""Attributes of these data sets that number the samples, and are no features."""


def read_multilabel(
    path: str | os.PathLike[str],
    labels: Iterable[str] | None = None,
    *,
    label_xml: str | os.PathLike[str] | None = None,
    drop: Collection[str] = (),
    name: str | None = None,
    max_bytes: int = MAX_BYTES,
) -> MultilabelData:
    r"""Read multi-label data from a file, or from a folder of Mulan's.

    Parameters
    ----------
    path : path
        A table file, as :func:`h2pc.read_dataset` reads it; sparse ARFF stays sparse. Or a folder
        ``NAME`` that holds ``NAME.arff``, compressed or not, and ``NAME.xml``, as the data sets of
        the paper are kept.
    labels : iterable of str, default=None
        The columns that are labels. ARFF files need none where an XML file of labels or the option
        ``-C`` of MEKA declares them.
    label_xml : path, default=None
        Mulan's list of labels for an ARFF file; by default the file beside it that has the same
        name and ends in ``.xml``, if there is one.
    drop : collection of str, default=()
        Columns that are neither features nor labels. Of the folder ``genbase`` the names of the
        proteins are dropped in any case.
    name : str, default=None
        The name of the data set; by default that of the file.
    max_bytes : int, default=2**28
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
    >>> from h2pc import read_multilabel
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "coast.csv"
    >>> _ = path.write_text("depth,ground,sea,sky\n2.5,sand,1,1\n0.1,rock,0,1\n")
    >>> data = read_multilabel(path, labels=["sea", "sky"])
    >>> data
    MultilabelData('coast', 2 samples, 2 features, 2 labels)
    >>> data.X.tolist(), data.categories
    ([[2.5, 1.0], [0.1, 0.0]], {'ground': ('rock', 'sand')})
    >>> read_multilabel("multilabel/emotions")  # doctest: +SKIP
    MultilabelData('emotions', 593 samples, 72 features, 6 labels)
    """
    file = Path(path)
    if file.is_dir():
        drop = (*drop, *IDENTIFIERS.get(file.resolve().name, ()))
        file = _arff_in(file)
    elif not file.suffix:
        raise DataError(f"{file}: no such folder: expected one of Mulan's, or a table file")
    if label_xml is not None and (labels is not None or table_kind(file) != ".arff"):
        raise SettingError(f"label_xml came with {file.name}: expected an ARFF file, and no labels")
    xml = label_file(file) if label_xml is None and labels is None else label_xml
    with read_table(file, label_xml=xml, max_bytes=max_bytes) as table:
        chosen = table.labels if labels is None else labels
        if not chosen:
            raise SettingError(
                f"{file}: unknown labels: expected their names, or an XML file of them"
            )
        kept = coded(selected(table, drop=drop))
    return multilabel_data(kept, chosen, name=stem(file) if name is None else name)


def label_file(file: Path) -> Path | None:
    """Return Mulan's list of labels beside an ARFF file, if there is one."""
    beside = file.with_name(f"{stem(file)}.xml")
    return beside if table_kind(file) == ".arff" and beside.is_file() else None


def stem(file: Path) -> str:
    """Return the name of a table file without its endings."""
    return file.name[: file.name.lower().rindex(table_kind(file))]


def _arff_in(folder: Path) -> Path:
    """Return the ARFF file of a folder, which has the name of the folder."""
    name = folder.resolve().name
    for ending in ("", *COMPRESSIONS):
        path = folder / f"{name}.arff{ending}"
        if path.is_file():
            return path
    raise DataError(f"no data set in {folder}: expected {folder / name}.arff, compressed or not")
