"""Bayesian networks with their probability tables: files, sampling, queries, and a library."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
