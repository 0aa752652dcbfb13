"""Digests of data sets, the same on every machine."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from h2pc.data.dataset import Dataset


def fingerprint(data: Dataset) -> str:
    """Return a digest of names, states, codes, weights and numbers."""
    digest = hashlib.sha256(ascii((data.names, data.states, data.codes.shape)).encode())
    digest.update(data.codes.astype(data.codes.dtype.newbyteorder("<"), copy=False).data)
    if data.weights is not None:
        digest.update(data.weights.astype("<i8", copy=False).data)
    for row in data.values:  # missing values have one pattern of bits
        digest.update(np.where(np.isnan(row), np.nan, row).astype("<f8", copy=False).data)
    return digest.hexdigest()
