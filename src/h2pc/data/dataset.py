"""Data sets: discrete variables as codes of levels, continuous ones as numbers."""

from __future__ import annotations

import difflib
import hashlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from h2pc._engine import Moments, Sample
from h2pc.data.encoded_table import (
    EncodedTable,
    Missing,
    check_levels,
    check_missing,
    complete_rows,
    encode_table,
    missing_counts,
    numbers_of,
    recoded,
    with_missing,
)
from h2pc.data.encoding import Codes, Floats, States, code_dtype
from h2pc.data.moments import moments_of
from h2pc.data.raw_codes import raw_values, raw_variables
from h2pc.data.tables import as_table, has_names, pandas_frame, places_of
from h2pc.errors import DataError, SettingError
from h2pc.variables import Var, Vars

Kind = Literal["discrete", "continuous", "mixed"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dataset:
    """Discrete and continuous variables observed together; immutable.

    Variables are numbered in the sorted order of their names, so that ties which numbers break do
    not depend on the order of the columns.
    Build one with :meth:`from_data`, :meth:`from_codes` or :meth:`from_values`.

    Attributes
    ----------
    names : tuple of str
        The variables, sorted.
    columns : tuple of str
        The same names in the order of the input's columns.
    codes : array of uint8 or uint16, shape (n_variables, n_rows)
        The level of each variable in each row; ``cards[v]``, one past the last level, where the
        value of variable v is missing; 0 for continuous variables.
    cards : array of int64, shape (n_variables,)
        The number of levels of each variable; declared levels count although unobserved. 0 for
        continuous variables.
    states : tuple of tuples
        The levels of each variable as they went in: ``states[v][codes[v, i]]``; none for continuous
        variables.
    weights : array of int64, shape (n_rows,), or None
        How many samples each row stands for, where equal rows were merged.
    is_continuous : array of bool, shape (n_variables,)
        Which variables are continuous.
    values : array of float64, shape (n_continuous, n_rows)
        The numbers of the continuous variables, in their order; NaN where they are missing.

    Examples
    --------
    >>> data = Dataset.from_data({"rain": [True, False, True], "lawn": ["wet", "dry", "wet"]})
    >>> data
    Dataset(2 variables × 3 samples)
    >>> data.names
    ('lawn', 'rain')
    >>> data.states
    (('dry', 'wet'), (False, True))
    >>> data.codes.tolist()
    [[1, 0, 1], [1, 0, 1]]
    """

    names: tuple[str, ...]
    columns: tuple[str, ...]
    codes: Codes
    cards: NDArray[np.int64]
    states: tuple[States, ...]
    weights: NDArray[np.int64] | None
    is_continuous: NDArray[np.bool_]
    values: Floats
    _index: Sample | None = field(default=None, init=False)
    _n_missing: NDArray[np.int64] | None = field(default=None, init=False)
    _moments: Moments | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        for array in (self.codes, self.cards, self.weights, self.is_continuous, self.values):
            if array is not None:
                array.flags.writeable = False

    @property
    def index(self) -> Sample:
        """The engine's index of the levels, made when first needed and shared by tests and scores."""
        if self._index is None:
            if self.is_continuous.any():
                name = self.names[int(self.is_continuous.argmax())]
                raise DataError(
                    f"variable {name!r} is continuous: expected levels; cut its numbers with "
                    f"h2pc.discretize, or take a test and a score of continuous variables"
                )
            index = Sample(self.codes, self.cards, self.weights)
            object.__setattr__(self, "_index", index)
            object.__setattr__(self, "codes", index.codes)  # one copy is enough
        return cast(Sample, self._index)

    @property
    def moments(self) -> Moments:
        """The engine's moments of the data, made when first needed and shared like the index."""
        if self._moments is None:
            object.__setattr__(self, "_moments", moments_of(self))
        return cast(Moments, self._moments)

    @classmethod
    def from_data(
        cls,
        data: Any,
        *,
        names: Iterable[object] | None = None,
        missing: Missing = "error",
        max_levels: int | None = None,
    ) -> Dataset:
        """Encode a table of categories, strings, booleans and numbers.

        Declared categories (pandas ``Categorical``, polars ``Enum``, ordered arrow dictionaries)
        are levels in their declared order, observed or not. Otherwise the levels are the values
        found, sorted: ``False < True``, integers by size, strings by code point. Whole numbers of
        at most 20 kinds are levels, integers or floats, because a single missing value turns
        integers into floats. Fractions, and whole numbers of more kinds, are continuous;
        :func:`h2pc.discretize` cuts them into levels.

        Parameters
        ----------
        data : table, 2-d array, sparse matrix, dict of columns, or Dataset
            Rows are samples, columns are variables: a table of pandas, polars or pyarrow, an array
            of NumPy, or a sparse matrix or array of scipy. A data set is returned as it is. For
            files see :func:`h2pc.read_dataset`.
        names : iterable of str, default=None
            Names in the order of the columns, instead of those of the table. Arrays without names
            get ``X0, X1, …``, zero-padded.
        missing : {"error", "drop", "level", "available"}, default="error"
            Refuse missing values, drop the rows that have any, make them the last level of their
            variable, with the state ``None``, which continuous variables cannot have, or leave the
            cells missing: every test and every score then uses the rows that are complete in its
            own variables.
        max_levels : int, default=None
            Refuse columns with more levels than this. By default a column with more than 50 levels
            and fewer than two rows for each is refused as an identifier.

        Examples
        --------
        >>> import numpy as np
        >>> data = Dataset.from_data(np.array([[3, 0], [7, 0], [3, 0]]), names=["b", "a"])
        >>> data.names, data.states
        (('a', 'b'), ((0,), (3, 7)))
        >>> from scipy.sparse import csr_array
        >>> words = csr_array(([1, 1, 2], ([0, 2, 2], [1, 0, 1])), shape=(3, 2))
        >>> Dataset.from_data(words, names=["sea", "sky"]).codes.tolist()
        [[0, 0, 1], [1, 0, 2]]
        >>> holed = {"a": ["x", None, "y"], "b": [1, 2, 2]}
        >>> Dataset.from_data(holed, missing="available").n_missing.tolist()
        [1, 0]
        """
        check_missing(missing)
        if isinstance(data, Dataset):
            if names is not None:
                raise SettingError("names came with a Dataset, which has its own: expected None")
            return data
        table = as_table(data, names)
        order = sorted(range(len(table.names)), key=table.names.__getitem__)
        found = with_missing(encode_table(table, order), missing)
        check_levels(found, max_levels)
        return _assembled(
            found.names, table.names, found.codes, tuple(found.states), values=found.values
        )

    @classmethod
    def from_codes(
        cls,
        codes: ArrayLike,
        *,
        cards: ArrayLike | None = None,
        names: Iterable[object] | None = None,
        states: Iterable[Iterable[object]] | None = None,
        missing: Literal["error", "available"] = "error",
    ) -> Dataset:
        """Build a data set from level numbers, one row of ``codes`` per variable.

        Parameters
        ----------
        codes : array of int, shape (n_variables, n_samples)
            Levels, counted from 0.
        cards : array of int, shape (n_variables,), default=None
            Numbers of levels; by default those of ``states``, else the largest code plus one.
        names : iterable of str, default=None
            One name per variable, by default ``X0, X1, …``.
        states : iterable of iterables, default=None
            The values that the levels stand for, by default ``0, 1, …``.
        missing : {"error", "available"}, default="error"
            Refuse negative codes, or take -1 for a missing value, as in :meth:`from_data`.

        Examples
        --------
        >>> Dataset.from_codes([[0, 1, 1], [2, 0, 2]], cards=[2, 4]).cards.tolist()
        [2, 4]
        >>> Dataset.from_codes([[0, -1, 1]], missing="available").codes.tolist()
        [[0, 2, 1]]
        """
        return _assembled(*raw_variables(codes, cards, names, states, missing))

    @classmethod
    def from_values(cls, values: ArrayLike, *, names: Iterable[object] | None = None) -> Dataset:
        """Build a data set of continuous variables, one row of ``values`` per variable.

        Parameters
        ----------
        values : array of float, shape (n_variables, n_samples)
            Finite numbers, NaN where they are missing.
        names : iterable of str, default=None
            One name per variable, by default ``X0, X1, …``.

        Examples
        --------
        >>> Dataset.from_values([[1.0, 2.0, 3.0], [0.5, 0.1, 0.2]]).kind
        'continuous'
        """
        sorted_names, columns, numbers = raw_values(values, names)
        codes, states = np.zeros(numbers.shape, np.uint8), ((),) * len(numbers)
        return _assembled(sorted_names, columns, codes, states, values=dict(enumerate(numbers)))

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return len(self.names)

    @property
    def kind(self) -> Kind:
        """Whether the variables are discrete, continuous, or some of both: mixed."""
        if not self.is_continuous.any():
            return "discrete"
        return "continuous" if self.is_continuous.all() else "mixed"

    @property
    def n_rows(self) -> int:
        """The number of rows of codes: of distinct ones where rows were merged."""
        return int(self.codes.shape[1])

    @property
    def n_samples(self) -> int:
        """The number of samples that went in, merged or not."""
        return self.n_rows if self.weights is None else int(self.weights.sum())

    @property
    def n_missing(self) -> NDArray[np.int64]:
        """The number of samples in which each variable is missing."""
        if self._n_missing is None:
            counts = missing_counts(
                self.codes, self.cards, self.weights, self.is_continuous, self.values
            )
            object.__setattr__(self, "_n_missing", counts)
        return cast("NDArray[np.int64]", self._n_missing)

    @property
    def is_complete(self) -> bool:
        """Whether no value is missing."""
        return not self.n_missing.any()

    def variable(self, name: str) -> Var:
        """Return the number of the variable called ``name``.

        Examples
        --------
        >>> Dataset.from_data({"b": [0, 1], "a": [1, 1]}).variable("b")
        1
        """
        return self._number(name)

    def variables(self, names: Iterable[str]) -> Vars:
        """Return the numbers of the variables called ``names``, in the order of ``names``.

        Examples
        --------
        >>> Dataset.from_data({"b": [0, 1], "a": [1, 1]}).variables(["b", "a"])
        (1, 0)
        """
        if isinstance(names, str):
            raise DataError(f"names is the string {names!r}: expected several names")
        return tuple(map(self._number, names))

    def _number(self, name: str) -> Var:
        v = bisect_left(self.names, name) if isinstance(name, str) else self.n_variables
        if v < self.n_variables and self.names[v] == name:
            return v
        close = difflib.get_close_matches(str(name), self.names, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise DataError(f"unknown variable {name!r}: expected one of {self.n_variables}{hint}")

    def take(self, rows: ArrayLike) -> Dataset:
        """Return the samples ``rows``, repeated ones included; all levels are kept.

        Parameters
        ----------
        rows : array of int, or of bool with one entry per sample
            Positions as in NumPy.

        Examples
        --------
        >>> Dataset.from_data({"a": [5, 6, 7]}).take([2, 2, 0]).codes.tolist()
        [[2, 2, 0]]
        """
        if self.weights is not None:
            raise DataError("rows were merged: expected a data set whose rows are single samples")
        chosen = np.asarray(rows)
        if chosen.ndim != 1 or chosen.dtype.kind not in "biu" or chosen.size == 0:
            raise DataError("rows is not a non-empty list of positions or booleans, as expected")
        try:
            codes = self.codes[:, chosen]
        except IndexError:
            raise DataError(
                f"rows do not fit: expected positions below {self.n_rows}, or as many booleans"
            ) from None
        if codes.shape[1] == 0:
            raise DataError("rows selects no sample: expected at least one")
        numbers = self._numbers(lambda own: own[chosen])
        return _assembled(self.names, self.columns, codes, self.states, values=numbers)

    def _numbers(self, change: Callable[[Floats], Floats]) -> dict[Var, Floats]:
        """Return the numbers of every continuous variable, changed."""
        places = np.flatnonzero(self.is_continuous).tolist()
        return {v: change(own) for v, own in zip(places, self.values, strict=True)}

    def compressed(self, variables: Iterable[Var]) -> Dataset:
        """Return these variables alone, with equal rows merged and counted in ``weights``.

        Variables are numbered anew, rows come in the order of their first occurrence.

        Examples
        --------
        >>> data = Dataset.from_data({"a": [0, 1, 0], "b": [1, 1, 1], "c": [0, 1, 2]})
        >>> pairs = data.compressed(data.variables(["a", "b"]))
        >>> pairs, pairs.codes.tolist(), pairs.weights.tolist()
        (Dataset(2 variables × 3 samples, 2 distinct rows), [[0, 1], [0, 0]], [2, 1])
        """
        chosen = sorted(set(variables))
        last = self.n_variables - 1
        if not chosen or chosen[0] < 0 or chosen[-1] > last:
            raise DataError(f"variables {chosen} came: expected some of 0 to {last}")
        first, merged = self.index.distinct_rows(chosen)
        names = tuple(self.names[v] for v in chosen)
        kept = frozenset(names)
        return _assembled(
            names,
            tuple(name for name in self.columns if name in kept),
            self.codes[np.array(chosen)[:, None], first],
            tuple(self.states[v] for v in chosen),
            merged,
        )

    def encode_like(self, data: Any, *, missing: Missing = "error") -> Dataset:
        """Encode new data with the variables and levels of this data set.

        Tables are matched by name, and their other columns ignored; the columns of an array are
        taken in the order of ``columns``. A missing value belongs to the level ``None`` where the
        variable has one.

        Parameters
        ----------
        data : as in :meth:`from_data`
            The new samples.
        missing : {"error", "drop", "level", "available"}, default="error"
            As in :meth:`from_data`; all but "drop" use a level ``None`` that is there, and "level"
            and "error" refuse missing values where there is none.

        Examples
        --------
        >>> data = Dataset.from_data({"a": ["x", "y", "z"]})
        >>> data.encode_like({"a": ["z", "z"], "more": [1.5, 2.5]}).codes.tolist()
        [[2, 2]]
        """
        check_missing(missing)
        found = self._matched(data)
        weights = data.weights if isinstance(data, Dataset) else None
        if missing == "drop":
            weights = None if weights is None else weights[complete_rows(found)]
            found = with_missing(found, "drop")
        may_miss = missing == "available"
        codes = recoded(found, self.states, may_miss=may_miss)
        places = np.flatnonzero(self.is_continuous).tolist()
        numbers = {v: numbers_of(found, v, may_miss=may_miss) for v in places}
        return _assembled(self.names, self.columns, codes, self.states, weights, numbers)

    def _matched(self, data: Any) -> EncodedTable:
        """Return the variables of this data set as they are in ``data``."""
        if isinstance(data, Dataset):
            chosen = list(data.variables(self.names))
            states = [data.states[v] for v in chosen]
            n_missing, declared = data.n_missing[chosen], np.zeros(len(chosen), np.bool_)
            own = data._numbers(np.asarray)
            numbers = {v: own[place] for v, place in enumerate(chosen) if place in own}
            codes = data.codes[chosen]
            return EncodedTable(self.names, codes, states, declared, n_missing, numbers)
        table = as_table(data, None if has_names(data) else self.columns)
        return encode_table(table, places_of(self.names, table))

    def to_pandas(self) -> Any:
        """Return a pandas data frame of categories and floats; the level ``None`` is missing there.

        Examples
        --------
        >>> Dataset.from_data({"a": ["x", "y", "x"]}).to_pandas()["a"].tolist()
        ['x', 'y', 'x']
        """
        order = list(self.variables(self.columns))
        states = [self.states[v] for v in order]
        own = self._numbers(np.asarray)
        numbers = {self.names[v]: own[v] for v in own}
        return pandas_frame(self.columns, states, self.codes[order], self.weights, numbers)

    def fingerprint(self) -> str:
        """Return a digest of names, states, codes and weights, the same on every machine.

        Examples
        --------
        >>> one = Dataset.from_data({"a": [0, 1], "b": [1, 1]})
        >>> one.fingerprint() == Dataset.from_data({"b": [1, 1], "a": [0, 1]}).fingerprint()
        True
        """
        digest = hashlib.sha256(ascii((self.names, self.states, self.codes.shape)).encode())
        digest.update(self.codes.astype(self.codes.dtype.newbyteorder("<"), copy=False).data)
        if self.weights is not None:
            digest.update(self.weights.astype("<i8", copy=False).data)
        if self.values.size:
            places = ascii(np.flatnonzero(self.is_continuous).tolist())
            digest.update(places.encode() + self.values.astype("<f8", copy=False).tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        merged = "" if self.weights is None else f", {self.n_rows} distinct rows"
        n = int(self.n_missing.sum())
        holes = f", {n} missing" if n else ""
        return f"Dataset({self.n_variables} variables × {self.n_samples} samples{merged}{holes})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor, because arrays come back writeable from a pickle. The index is
        # made anew where it is needed.
        return Dataset, (
            self.names,
            self.columns,
            self.codes,
            self.cards,
            self.states,
            self.weights,
            self.is_continuous,
            self.values,
        )


def _assembled(
    names: tuple[str, ...],
    columns: tuple[str, ...],
    codes: Codes,
    states: tuple[States, ...],
    weights: NDArray[np.int64] | None = None,
    values: Mapping[Var, Floats] = MappingProxyType({}),
) -> Dataset:
    """Return the data set of variables that are sorted by name already."""
    is_continuous = np.zeros(len(names), np.bool_)
    is_continuous[list(values)] = True
    numbers = np.empty((len(values), codes.shape[1]))
    for row, v in zip(numbers, sorted(values), strict=True):
        row[:] = values[v]
    cards = np.fromiter(map(len, states), np.int64, len(states))
    largest = int(cards.max()) - 1
    if largest == np.iinfo(np.uint8).max < np.iinfo(codes.dtype).max:
        largest = max(largest, int(codes.max()))  # that of missing cells
    codes = np.ascontiguousarray(codes, code_dtype(largest + 1))
    return Dataset(names, columns, codes, cards, states, weights, is_continuous, numbers)
