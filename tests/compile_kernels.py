"""Compiles every kernel, for codes of a byte, before tests look at what is printed meanwhile."""

import pkgutil
from importlib import import_module

import numpy as np

import h2pc._kernels
from h2pc import H2PC, Dataset, GTest, load_network, skeleton
from h2pc._kernels._jit import JIT_DISABLED


def call_all():
    """Call every kernel at least once."""
    data = load_network("asia").sample(500, seed=0)
    H2PC(progress=False).fit(data)
    skeleton(data, "mmpc", progress=False)
    test = GTest(data)
    test.outcome(0, 1, (2,))
    test.log_p_without_each(0, (1, 2))
    test.settled(0, (1, 2), (), np.full(2, -3.0))
    test.first_separator(0, 1, (2, 3))
    test.focused((0, 1, 2))
    data.compressed((0, 1))
    rare = np.random.default_rng(0).random((60, 2000)) < 0.02
    GTest(Dataset.from_codes(rare.astype(np.uint8)))


def never_called():
    """Names of the kernels that are not compiled yet."""
    modules = pkgutil.iter_modules(h2pc._kernels.__path__, "h2pc._kernels.")
    kernels = {
        value.py_func.__qualname__: value
        for module in modules
        for value in vars(import_module(module.name)).values()
        if hasattr(value, "py_func") and value.targetoptions.get("no_cpython_wrapper") is None
    }
    return sorted(name for name, kernel in kernels.items() if not kernel.signatures)


if __name__ == "__main__" and not JIT_DISABLED:
    call_all()
    if missing := never_called():
        raise SystemExit(f"no call reaches {', '.join(missing)}")
