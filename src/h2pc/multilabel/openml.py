"""Multi-label data from OpenML, by scikit-learn's fetcher."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any

from scipy.sparse import csc_array, issparse

from h2pc.errors import DataError
from h2pc.io.coded_table import CodedTable
from h2pc.multilabel.columns import multilabel_data
from h2pc.multilabel.data import MultilabelData


def fetch_multilabel(
    name: str,
    *,
    version: int | str = "active",
    labels: Iterable[str] | None = None,
    data_home: str | os.PathLike[str] | None = None,
) -> MultilabelData:
    """Download multi-label data from OpenML, once; later calls read scikit-learn's cache.

    Parameters
    ----------
    name : str
        The name of the data set at OpenML.
    version : int or "active", default="active"
        Its version; by default the oldest that is active. Versions may be very different data.
    labels : iterable of str, default=None
        The columns that are labels; by default those that OpenML calls targets.
    data_home : path, default=None
        The folder of the files; by default that of scikit-learn.

    Returns
    -------
    MultilabelData
        The features as numbers; words are coded, see its ``categories``. Sparse data stay sparse.

    Raises
    ------
    DataError
        Where the data set is not in the cache and cannot be downloaded, or where a label is
        unknown or holds other values than 0 and 1.

    Examples
    --------
    >>> from h2pc import fetch_multilabel
    >>> fetch_multilabel("emotions", version=4)  # doctest: +SKIP
    MultilabelData('emotions', 593 samples, 72 features, 6 labels)
    """
    found = _fetched(name, version, data_home)
    if labels is None:
        targets = found.details.get("default_target_attribute") or ""
        labels = [target.strip() for target in targets.split(",") if target.strip()]
    names = tuple(found.feature_names)
    categories = [found.categories.get(column) for column in names]
    cells = csc_array(found.data) if issparse(found.data) else found.data
    table = CodedTable(names, tuple(words and tuple(words) for words in categories), cells)
    return multilabel_data(table, labels, name=name)


def _fetched(name: str, version: int | str, data_home: Any) -> Any:
    """Return all columns of the data set, as scikit-learn fetches them.

    Its other parser refuses the words TRUE and FALSE, and its targets of sparse files are wrong
    where they are zero (1.9): so labels and features are separated here.
    """
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            # A second failure raises an error.
            warnings.filterwarnings("ignore", "A network error occurred")
            return fetch_openml(
                name,
                version=version,
                target_column=None,
                data_home=data_home,
                as_frame=False,
                parser="liac-arff",
                n_retries=1,
            )
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise DataError(
            f"OpenML cannot be reached for {name!r} ({reason}): expected a network, or the data "
            f"set in the cache of scikit-learn"
        ) from None
    except (KeyError, ValueError) as error:
        raise DataError(f"OpenML has no such data as {name!r}: {error.args[0]}") from None
