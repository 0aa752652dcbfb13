"""Folds of samples with labels, stratified where the library for it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.model_selection import KFold

from h2pc.errors import SettingError

Split = Literal["stratified", "shuffled"]
Fold = tuple[NDArray[np.intp], NDArray[np.intp]]


def split_used(stratify: bool | None = None) -> Split:
    """Return how ``label_folds`` splits samples.

    Parameters
    ----------
    stratify : bool or None, default=None
        Whether folds are stratified; None is where iterative-stratification is installed.

    Returns
    -------
    {"stratified", "shuffled"}
        Iterative stratification, or shuffled samples.

    Raises
    ------
    SettingError
        If they are to be stratified, and iterative-stratification is not installed.

    Examples
    --------
    >>> split_used(stratify=False)
    'shuffled'
    """
    if stratify is False:
        return "shuffled"
    try:
        import iterstrat.ml_stratifiers  # noqa: F401
    except ImportError:
        if stratify:
            raise SettingError(
                "Stratified folds need iterative-stratification: expected it to be installed, as "
                "by pip install 'h2pc[stratification]'"
            ) from None
        return "shuffled"
    return "stratified"


def label_folds(
    Y: Any, n_folds: int, random_state: int | None = 0, *, stratify: bool | None = None
) -> Iterator[Fold]:
    """Return the samples to learn from and to test on, fold by fold.

    Stratified folds have about the same share of every label (Sechidis, Tsoumakas and Vlahavas,
    ECML 2011). They do not depend on the order of the labels.

    Parameters
    ----------
    Y : array, sparse matrix or table, shape (n_samples, n_labels)
        The labels: of each, two different values.
    n_folds : int
        The number of folds, from 2 to the number of samples.
    random_state : int or None, default=0
        The seed of the split; None is another one each time.
    stratify : bool or None, default=None
        Whether folds are stratified; None is where iterative-stratification is installed.

    Returns
    -------
    iterator of (array, array)
        The numbers of the samples to learn from, and of those to test on.

    Raises
    ------
    SettingError
        If there are more folds than samples, or fewer than 2; or they are to be stratified, and
        iterative-stratification is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc.multilabel.folds import label_folds
    >>> Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> [Y[test].sum(axis=0).tolist() for train, test in label_folds(Y, 2, stratify=True)]
    [[1, 1], [1, 1]]
    """
    is_positive = _indicators(Y)
    n_samples = len(is_positive)
    if not 2 <= n_folds <= n_samples:
        raise SettingError(f"folds must be from 2 to {n_samples}, the samples; got {n_folds}.")
    if split_used(stratify) == "shuffled":
        folds = KFold(n_folds, shuffle=True, random_state=random_state)
        return iter(folds.split(np.zeros(n_samples)))

    from iterstrat.ml_stratifiers import MultilabelStratifiedKFold

    # Ties are drawn by the positions of labels: these follow from the labels alone.
    packed = np.packbits(is_positive, axis=0).T
    order = sorted(range(len(packed)), key=lambda j: packed[j].tobytes())
    # A single label is refused. Twice the same label changes nothing.
    ordered = is_positive[:, order if len(order) > 1 else order * 2]
    stratified = MultilabelStratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    return iter(stratified.split(np.zeros(n_samples), ordered))


def _indicators(Y: Any) -> NDArray[np.bool_]:
    """Return where each label has another value than its first one, in sorted order."""
    values = Y.toarray() if issparse(Y) else np.asarray(Y)
    values = values.reshape(len(values), -1)
    if values.dtype.kind not in "biuf":
        values = values.astype(np.str_)
    lowest = np.array([np.sort(column)[:1] for column in values.T]).ravel()
    return np.asarray(values != lowest)
