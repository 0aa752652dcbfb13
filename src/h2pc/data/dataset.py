"""Data sets: discrete variables as codes of levels, continuous ones as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from h2pc._engine import Moments, Sample
from h2pc.data.assembly import assembled, missing_counts, reencoded
from h2pc.data.encoded_table import (
    Missing,
    check_discrete,
    check_levels,
    check_missing,
    complete_rows,
    encode_table,
    with_missing,
)
from h2pc.data.encoding import Codes, Floats, States
from h2pc.data.fingerprints import fingerprint
from h2pc.data.kinds import Kind, kind_of
from h2pc.data.moments import moments_of
from h2pc.data.new_data import matched, recoded, renumbered
from h2pc.data.pandas_frame import pandas_frame
from h2pc.data.raw_arrays import checked_rows, raw_values, raw_variables
from h2pc.data.tables import as_table, place_of
from h2pc.errors import DataError, SettingError
from h2pc.variables import Var, Vars


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
        """The engine's index of the levels, made when first needed; tests and scores share it."""
        if self._index is None:
            check_discrete(self.names, self.is_continuous)
            index = Sample(self.codes, self.cards, self.weights)
            object.__setattr__(self, "_index", index)
            codes = cast(Codes, index.codes)
            if codes.shape == self.codes.shape:  # no rows were merged: one copy is enough
                object.__setattr__(self, "codes", codes)
        return cast(Sample, self._index)

    @property
    def moments(self) -> Moments:
        """The engine's moments of the data, made when first needed and shared like the index."""
        if self._moments is None:
            if self.weights is not None:
                raise DataError("rows were merged: expected rows that are single samples")
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
        states = tuple(found.states)
        return Dataset(
            *assembled(found.names, table.names, found.codes, states, values=found.values)
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
        return Dataset(*assembled(*raw_variables(codes, cards, names, states, missing)))

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
        return Dataset(*assembled(sorted_names, columns, codes, states, values=numbers))

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return len(self.names)

    @property
    def kind(self) -> Kind:
        """Whether the variables are discrete, continuous, or some of both: mixed."""
        return kind_of(self.is_continuous.tolist())

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
            object.__setattr__(self, "_n_missing", missing_counts(self))
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
        return place_of(name, self.names)

    def variables(self, names: Iterable[str]) -> Vars:
        """Return the numbers of the variables called ``names``, in the order of ``names``.

        Examples
        --------
        >>> Dataset.from_data({"b": [0, 1], "a": [1, 1]}).variables(["b", "a"])
        (1, 0)
        """
        if isinstance(names, str):
            raise DataError(f"names is the string {names!r}: expected several names")
        return tuple(place_of(name, self.names) for name in names)

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
        chosen = checked_rows(rows, self.n_rows)
        codes, values = self.codes[:, chosen], self.values[:, chosen]
        return Dataset(*assembled(self.names, self.columns, codes, self.states, values=values))

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
        columns = tuple(name for name in self.columns if name in kept)
        codes = cast(Codes, self.index.codes)[np.array(chosen)[:, None], first]
        states = tuple(self.states[v] for v in chosen)
        return Dataset(*assembled(names, columns, codes, states, merged))

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
        if isinstance(data, Dataset):
            found, weights = reencoded(data, self.names), data.weights
        else:
            found, weights = matched(data, self.names, self.columns), None
        if missing == "drop":
            weights = None if weights is None else weights[complete_rows(found)]
            found = with_missing(found, "drop")
        may_miss = missing == "available"
        codes = recoded(found, self.states, may_miss=may_miss)
        values = renumbered(found, self.is_continuous, may_miss=may_miss)
        return Dataset(*assembled(self.names, self.columns, codes, self.states, weights, values))

    def to_pandas(self) -> Any:
        """Return a pandas data frame of categories and floats; the level ``None`` is missing there.

        Examples
        --------
        >>> Dataset.from_data({"a": ["x", "y", "x"]}).to_pandas()["a"].tolist()
        ['x', 'y', 'x']
        """
        return pandas_frame(reencoded(self, self.columns), self.weights)

    def fingerprint(self) -> str:
        """Return a digest of names, states, codes, numbers and weights, the same everywhere.

        Examples
        --------
        >>> one = Dataset.from_data({"a": [0, 1], "b": [1, 1]})
        >>> one.fingerprint() == Dataset.from_data({"b": [1, 1], "a": [0, 1]}).fingerprint()
        True
        """
        return fingerprint(self)

    def __repr__(self) -> str:
        merged = "" if self.weights is None else f", {self.n_rows} distinct rows"
        n = int(self.n_missing.sum())
        holes = f", {n} missing" if n else ""
        return f"Dataset({self.n_variables} variables × {self.n_samples} samples{merged}{holes})"

    def __deepcopy__(self, _memo: dict[int, Any]) -> Dataset:
        # Names and states cannot change. Arrays are copied: those of the index keep it alive.
        arrays = (self.codes, self.cards, self.weights, self.is_continuous, self.values)
        codes, cards, weights, is_continuous, values = (
            None if array is None else array.copy() for array in arrays
        )
        own = (self.names, self.columns, codes, cards, self.states, weights, is_continuous, values)
        return Dataset(*cast("tuple[Any, ...]", own))

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor, because arrays come back writeable from a pickle. The index is
        # made anew where it is needed.
        return Dataset, tuple(getattr(self, each.name) for each in fields(self) if each.init)
