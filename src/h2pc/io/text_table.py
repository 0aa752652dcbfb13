"""Tables of strings that may be numbers: text files and Excel."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoding import EncodedColumn, Floats, is_whole
from h2pc.data.series_encoding import encode_column
from h2pc.data.tables import checked_names
from h2pc.errors import DataError, DataWarning
from h2pc.io.csv import ParsedText, number

if TYPE_CHECKING:
    import polars as pl

# Of so many columns, numbers are made many at once.
_MANY_COLUMNS = 100
_AT_ONCE = 1000


class TextTable:
    """A polars data frame whose strings may be numbers: the cells of a column decide.

    A column is one of integers if all its cells are whole numbers, one of floats if all are
    numbers, and one of words otherwise.

    Parameters
    ----------
    names : tuple of str
        The columns.
    columns : list of polars.Series
        Their cells, null where they are missing.
    decimal : {".", ","}, default="."
        The decimal mark.
    nameless : collection of str, default=()
        Columns that the file gives no name.
    notices : tuple of DataWarning, default=()
        What was assumed of the file.
    """

    labels: tuple[str, ...] = ()

    def __init__(
        self,
        names: tuple[str, ...],
        columns: Sequence[pl.Series],
        *,
        decimal: str = ".",
        nameless: Collection[str] = (),
        notices: tuple[DataWarning, ...] = (),
    ) -> None:
        self.names = names
        self.n_rows = len(columns[0])
        self.nameless = frozenset(nameless)
        self.notices = notices
        self._decimal = decimal
        # polars takes names such as ^x$ for patterns.
        self._columns = [column.alias("values") for column in columns]
        self._is_typed = [False] * len(self._columns)
        self._is_tried = [False] * len(self._columns)

    @classmethod
    def of_text(cls, text: ParsedText) -> TextTable:
        """Return the table of a text."""
        return cls.of_frame(
            text.frame, decimal=text.decimal, nameless=text.nameless, notices=text.notices
        )

    @classmethod
    def of_frame(cls, frame: pl.DataFrame, **settings: Any) -> TextTable:
        """Return the table of a data frame; settings as of the constructor."""
        return cls(tuple(frame.columns), frame.get_columns(), **settings)

    def selected(self, chosen: Sequence[int]) -> TextTable:
        """Return the table of the chosen columns only."""
        table = TextTable(
            tuple(self.names[j] for j in chosen),
            [self._columns[j] for j in chosen],
            decimal=self._decimal,
            nameless=self.nameless,
            notices=self.notices,
        )
        table._is_typed = [self._is_typed[j] for j in chosen]
        table._is_tried = [self._is_tried[j] for j in chosen]
        return table

    def transposed(self) -> TextTable:
        """Return the table with rows for columns; the first column names the rows."""
        import polars as pl

        if len(self.names) < 2:
            raise DataError("a single column: expected names, and a column for each sample")
        try:
            labels = self._columns[0].cast(pl.String).str.strip_chars().to_list()
            if None in labels:
                raise DataError(f"row {labels.index(None) + 1} has no name: expected one")
            names = checked_names(labels, self.n_rows)
        except DataError as error:
            raise DataError(
                f"column {self.names[0]!r} does not name the variables: {error}"
            ) from None
        samples = [each.cast(pl.String).alias(str(j)) for j, each in enumerate(self._columns[1:])]
        cells = pl.DataFrame(samples).transpose()
        return TextTable(names, cells.get_columns(), decimal=self._decimal, notices=self.notices)

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as integers or as floats, if all of them are such; one per row."""
        import polars as pl

        kind = self._typed(chosen[0]).dtype
        if kind not in (pl.Int64, pl.Float64):
            return None
        found = []
        for j in chosen:
            series = self._typed(j)
            if series.dtype != kind or (kind == pl.Int64 and series.null_count()):
                return None
            found.append(series.to_numpy())
        return np.stack(found)

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, encoded."""
        return encode_column(self.names[j], self.series(j))

    def series(self, j: int) -> Any:
        """Return column ``j`` as a narwhals series of words or numbers."""
        import narwhals as nw

        return nw.from_native(self._typed(j), series_only=True)

    def numbers(self, j: int) -> Floats | None:
        """Return column ``j`` as floats, NaN where they are missing; None if it holds words."""
        return as_floats(self._typed(j))

    def _typed(self, j: int) -> pl.Series:
        """Return column ``j`` as integers or floats, if its cells are such."""
        import polars as pl

        if not self._is_tried[j] and len(self.names) > _MANY_COLUMNS:
            self._type_numbers(range(j, min(j + _AT_ONCE, len(self.names))))
        if not self._is_typed[j]:
            series = self._columns[j]
            if series.dtype == pl.String:
                series = _numbers_or_words(series, self._decimal)
            if series.dtype == pl.Float64 and is_whole(series.to_numpy()):
                series = series.cast(pl.Int64)
            self._columns[j], self._is_typed[j] = series, True
        return self._columns[j]

    def _type_numbers(self, chosen: Sequence[int]) -> None:
        """Make numbers of those columns whose texts are plain ones, many at once."""
        import polars as pl

        texts = {
            str(j): self._columns[j]
            for j in chosen
            if not self._is_typed[j] and self._columns[j].dtype == pl.String
        }
        for j in chosen:
            self._is_tried[j] = True
        if self._decimal == "," or not texts:
            return
        frame = pl.DataFrame(texts)
        floats = frame.select(pl.all().cast(pl.Float64, strict=False))
        is_plain = frame.null_count().row(0), floats.null_count().row(0)
        values = floats.to_numpy()
        is_finite = np.isfinite(values)
        is_long = np.abs(values) >= 2.0**53
        whole = (values == np.floor(values)) & ~is_long
        for place, (name, before, after) in enumerate(zip(texts, *is_plain, strict=True)):
            if before != after or is_finite[:, place].sum() + after < self.n_rows:
                continue
            if is_long[:, place].any():
                continue
            series = floats.to_series(place).alias("values")
            is_whole_column = whole[:, place].sum() + after == self.n_rows
            j = int(name)
            self._columns[j] = series.cast(pl.Int64) if is_whole_column else series
            self._is_typed[j] = True


def as_floats(series: pl.Series) -> Floats | None:
    """Return a column of numbers as floats, NaN where they are missing; None if it holds others."""
    import polars as pl

    if not series.dtype.is_numeric():
        return None
    return np.asarray(series.cast(pl.Float64).to_numpy(), np.float64)


def _numbers_or_words(texts: pl.Series, decimal: str) -> pl.Series:
    """Return the numbers that the texts of a column stand for, or the texts if one is a word."""
    import polars as pl

    marked = texts
    if decimal == ",":
        if texts.str.contains(".", literal=True).any():
            return texts
        marked = texts.str.replace(",", ".", literal=True)
    numbers = marked.cast(pl.Float64, strict=False)
    if not numbers.is_finite().all():
        return texts
    others = marked.filter(numbers.is_null() & marked.is_not_null())
    known: dict[str, float | None] = {"None": None}
    try:
        for text in (*others.head(1), *others.unique()):  # mostly the first is a word
            known[text] = None if text == "None" else number(text)
    except ValueError:
        return texts
    if not others.len():
        return _long_integers(marked, numbers)
    pairs = zip(marked.to_list(), numbers.to_list(), strict=True)
    return pl.Series(
        texts.name, [known.get(t) if n is None else n for t, n in pairs], dtype=pl.Float64
    )


def _long_integers(texts: pl.Series, numbers: pl.Series) -> pl.Series:
    """Return integers that floats do not hold exactly; other numbers stay as they are."""
    import polars as pl

    if not (numbers.abs() >= 2.0**53).any():
        return numbers
    for kind in (pl.Int64, pl.Int128):
        integers = texts.cast(kind, strict=False)
        if integers.null_count() == texts.null_count():
            return integers
    return numbers
