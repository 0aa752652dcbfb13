"""The files that the multi-label commands read: labelled samples, and features of new ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from h2pc.cli.inputs import check_names, check_table
from h2pc.errors import DataError, SettingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from h2pc.io.coded_table import CodedTable
    from h2pc.multilabel.data import MultilabelData

BUILT_IN = (":demo",)
"""The names of built-in data; no file is called like that."""

_DEMO_SAMPLES = 2000


@dataclass(frozen=True)
class LabelOptions:
    """Options of all commands that read multi-label data: which columns are labels."""

    labels: list[str] | None = None
    n_labels: int | None = None
    label_xml: Path | None = None
    drop: list[str] | None = None

    def check(self, file: Path) -> None:
        """Refuse options that exclude each other, and files that cannot be read."""
        from h2pc.io.files import table_kind

        given = [bool(self.labels), self.n_labels is not None, self.label_xml is not None]
        if sum(given) > 1:
            raise SettingError(
                "--labels, --n-labels and --label-xml came together: expected one of them."
            )
        if str(file) in BUILT_IN:
            return
        if str(file).startswith(":"):
            raise SettingError(
                f"There are no built-in data {file}: expected {', '.join(BUILT_IN)}."
            )
        check_table(file)
        if self.label_xml is not None and table_kind(file) != ".arff":
            raise SettingError(f"--label-xml came with {file}: expected an ARFF file.")

    def data(self, file: Path) -> MultilabelData:
        """Return the samples of a file."""
        from h2pc.io.coded_table import coded
        from h2pc.io.table_files import read_table, selected
        from h2pc.multilabel.columns import multilabel_data
        from h2pc.multilabel.data_files import label_file, stem

        if str(file) in BUILT_IN:
            return _demo()
        declared = not self.labels and self.n_labels is None
        xml = label_file(file) if declared and self.label_xml is None else self.label_xml
        with read_table(file, label_xml=xml) as table:
            check_names("--drop", self.drop or (), table.names)
            labels = table.labels if table.labels and declared else self._chosen(file, table.names)
            kept = coded(selected(table, drop=self.drop or ()))
        return multilabel_data(kept, labels, name=stem(file))

    def _chosen(self, file: Path, names: Sequence[str]) -> Sequence[str]:
        """Return the labels that the options name."""
        if self.labels:
            check_names("--labels", self.labels, names)
            return self.labels
        if self.n_labels is None:
            raise SettingError(f"{file} declares no labels: expected --labels or --n-labels.")
        if not 0 < abs(self.n_labels) < len(names):
            raise SettingError(
                f"--n-labels must leave labels and features of {len(names)} columns; "
                f"got {self.n_labels}."
            )
        return names[-self.n_labels :] if self.n_labels > 0 else names[: -self.n_labels]


def _demo() -> MultilabelData:
    """Return samples of a random network of six labels and twenty features."""
    from h2pc.multilabel.data import MultilabelData
    from h2pc.multilabel.random_networks import make_multilabel_network

    made = make_multilabel_network(random_state=0).sample(_DEMO_SAMPLES)
    return MultilabelData(made.X, made.Y, made.feature_names, made.label_names, name="demo")


def labelled_tables(data: MultilabelData) -> tuple[Any, Any]:
    """Return features and labels as tables with names; sparse features become dense."""
    import numpy as np
    import polars as pl

    X = data.X.toarray() if data.is_sparse else np.asarray(data.X, np.float64)
    features = []
    for name, values in zip(data.feature_names, X.T, strict=True):
        _check_present(name, values)
        words = data.categories.get(name)
        features.append(
            pl.Series(name, values)
            if words is None
            else pl.Series(name, words, pl.Enum(words)).gather(values.astype(np.intp))
        )
    return pl.DataFrame(features), pl.DataFrame(data.Y, list(data.label_names), orient="row")


def new_samples(file: Path, model: Any) -> Any:
    """Return the features of a model, found by name; other columns are left out."""
    import numpy as np
    import polars as pl

    from h2pc.data.tables import default_names
    from h2pc.io.coded_table import coded
    from h2pc.io.table_files import read_table, selected

    has_names = hasattr(model, "feature_names_in_")
    names = model.feature_names_in_ if has_names else default_names(model.n_features_in_)
    with read_table(file) as source:
        _check_features(file, names, source.names)
        table = coded(selected(source, names))
    levels = model.categories_
    columns: dict[str, Any] = {
        name: _levels(table, name, levels[name]) if name in levels else _numbers(table, name)
        for name in names
    }
    return pl.DataFrame(columns) if has_names else np.column_stack(list(columns.values()))


def _check_features(file: Path, names: Sequence[str], found: Sequence[str]) -> None:
    """Refuse a file that lacks a feature."""
    known = frozenset(found)
    for name in names:
        if name not in known:
            from difflib import get_close_matches

            close = get_close_matches(name, found, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise DataError(
                f"{file}: no column {name!r}: expected all {len(names)} features of the model{hint}"
            )


def _numbers(table: CodedTable, name: str) -> NDArray[np.float64]:
    """Return a column of numbers."""
    import numpy as np

    from h2pc.io.csv import number

    values, words = _column(table, name)
    if words is None:
        return values
    numbers = []
    for word in words:
        try:
            numbers.append(number(word))
        except ValueError:
            raise DataError(
                f"feature {name!r} holds the word {word!r}: expected numbers, as in training"
            ) from None
    return np.array(numbers)[values.astype(np.intp)]


def _levels(table: CodedTable, name: str, levels: Sequence[object]) -> list[object]:
    """Return a column of levels that training has seen or that were declared then."""
    from h2pc.io.csv import number

    values, words = _column(table, name)
    known: dict[object, object] = {str(level): level for level in levels}
    for level in levels:  # a file whose words are all numbers holds numbers
        try:
            known[number(str(level))] = level
        except ValueError:
            continue
    cells = values.tolist() if words is None else [words[int(code)] for code in values]
    for row, cell in enumerate(cells):
        if cell not in known:
            raise DataError(
                f"feature {name!r} holds {cell!r} in row {row}: expected one of the "
                f"{len(levels)} levels that it had in training"
            )
    return [known[cell] for cell in cells]


def _column(table: CodedTable, name: str) -> tuple[NDArray[np.float64], Sequence[str] | None]:
    """Return the numbers of a column, and the words that they stand for, if they do."""
    j = table.names.index(name)
    values = table.values(j)
    _check_present(name, values)
    return values, table.categories[j]


def _check_present(name: str, values: NDArray[np.float64]) -> None:
    """Refuse missing and infinite cells."""
    import numpy as np

    holes = np.flatnonzero(~np.isfinite(values))
    if holes.size:
        raise DataError(f"feature {name!r} has no value in row {holes[0]}: expected one everywhere")
