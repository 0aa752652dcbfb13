"""Data sets of discrete variables."""

from h2pc.data.arff import ArffTable, read_arff
from h2pc.data.dataset import Dataset
from h2pc.data.discretize import Discretizer, discretize
from h2pc.data.label_xml import read_label_names

__all__ = [
    "ArffTable",
    "Dataset",
    "Discretizer",
    "discretize",
    "read_arff",
    "read_label_names",
]
