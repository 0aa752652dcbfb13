"""Sorting inside of kernels: the compiler takes four seconds for its own stable sort."""

import numpy as np

from h2pc._kernels._jit import part


@part
def stable_order(values):
    """Positions of the values from the smallest to the largest, of equal ones in their order."""
    n = values.size
    order, merged = np.arange(n), np.empty(n, np.int64)
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            i, j = low, middle
            for k in range(low, high):
                if j == high or (i < middle and values[order[i]] <= values[order[j]]):
                    merged[k] = order[i]
                    i += 1
                else:
                    merged[k] = order[j]
                    j += 1
        order, merged = merged, order
        width *= 2
    return order


@part
def in_order(values):
    """The values from the smallest to the largest."""
    return values[stable_order(values)]
