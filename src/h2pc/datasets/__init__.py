"""Multi-label data: from files, from OpenML, and from random networks whose truth is known."""

from h2pc.datasets.description import (
    CoOccurrence,
    LabelSummary,
    MultilabelDescription,
    describe,
)
from h2pc.datasets.multilabel_data import MultilabelData
from h2pc.datasets.multilabel_files import PAPER_DATA_SETS, load_multilabel, read_multilabel
from h2pc.datasets.multilabel_networks import MultilabelNetwork, make_multilabel_network
from h2pc.datasets.openml import fetch_multilabel
from h2pc.datasets.table_files import read_dataset

__all__ = [
    "PAPER_DATA_SETS",
    "CoOccurrence",
    "LabelSummary",
    "MultilabelData",
    "MultilabelDescription",
    "MultilabelNetwork",
    "describe",
    "fetch_multilabel",
    "load_multilabel",
    "make_multilabel_network",
    "read_dataset",
    "read_multilabel",
]
