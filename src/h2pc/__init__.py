"""Bayesian network structure learning with HPC and H2PC, and multi-label classification.

The public names stand in ``__init__.pyi``, grouped by subject. Each is imported when it is first
used, so that ``import h2pc`` is quick.
"""

import lazy_loader

from h2pc.version import __version__ as __version__

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
