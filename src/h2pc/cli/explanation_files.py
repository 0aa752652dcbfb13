"""The files of an explanation of predicted labels."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from h2pc.cli.outputs import Content, csv_text

if TYPE_CHECKING:
    from h2pc.multilabel.explanation import LabelExplanation


def explanation_files(
    title: str, classifier: Any, found: LabelExplanation
) -> dict[str, Callable[[], Content]]:
    """Return a function for each kind of file that makes its content."""
    return {
        "html": lambda: _page(title, classifier, found),
        "csv": lambda: _table(found),
        "json": lambda: json.dumps(found.to_dict(), ensure_ascii=False, indent=2) + "\n",
    }


def _page(title: str, classifier: Any, found: LabelExplanation) -> str:
    """Return the page of the graph around the labels; without a graph, one of its own."""
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.report.page import network_page

    if classifier.dag_ is None:
        return found.to_html()
    return network_page(
        LearnResult(classifier.dag_, None, math.nan),  # a model has the graph, not how it was found
        title=title,
        labels=classifier.labels_,
        explanation=found,
    )


def _table(found: LabelExplanation) -> str:
    """Return a line for each powerset and feature."""
    from h2pc.multilabel.explanation import COLUMNS

    return csv_text(COLUMNS["powerset"], (list(each.values()) for each in found.records()))
