"""Multi-label data: from files, from OpenML, and from random networks whose truth is known.

Names are resolved when they are first used: a table of discrete variables needs none of the rest.
"""

from typing import TYPE_CHECKING, Any

from h2pc.lazy import resolved

_HOME = {
    "PAPER_DATA_SETS": "h2pc.datasets.multilabel_files",
    "CoOccurrence": "h2pc.datasets.description",
    "LabelSummary": "h2pc.datasets.description",
    "MultilabelData": "h2pc.datasets.multilabel_data",
    "MultilabelDescription": "h2pc.datasets.description",
    "MultilabelNetwork": "h2pc.datasets.multilabel_networks",
    "describe": "h2pc.datasets.description",
    "fetch_multilabel": "h2pc.datasets.openml",
    "load_multilabel": "h2pc.datasets.multilabel_files",
    "make_multilabel_network": "h2pc.datasets.multilabel_networks",
    "read_dataset": "h2pc.datasets.table_files",
    "read_multilabel": "h2pc.datasets.multilabel_files",
}

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

if TYPE_CHECKING:
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


def __getattr__(name: str) -> Any:
    return resolved(__name__, _HOME, name)
