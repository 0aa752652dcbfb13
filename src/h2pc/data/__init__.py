"""Data sets of discrete variables."""

from h2pc.data.dataset import Dataset
from h2pc.data.discretize import Discretizer, discretize

__all__ = ["Dataset", "Discretizer", "discretize"]
