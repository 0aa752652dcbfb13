"""The paper's claims, checked against stored results, and the sentences that reports share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal, NamedTuple

from h2pc.io.files import replace_file

Verdict = Literal["holds", "within noise", "does not hold", "not run"]
"""Whether results bear a claim out, could be either way by chance, or contradict it.

A claim whose cells are not all there is not judged.
"""
_STRONGEST: tuple[Verdict, ...] = ("not run", "does not hold", "within noise", "holds")


class Claim(NamedTuple):
    """A claim of the paper, and whether it holds in our results."""

    text: str
    verdict: Verdict
    evidence: str


def jointly(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a claim about several sizes or data sets.

    It holds if it does for each; it does not if it does not for one of them.

    Examples
    --------
    >>> jointly(["holds", "within noise"]), jointly(["holds", "within noise", "does not hold"])
    ('within noise', 'does not hold')
    """
    return min(verdicts, key=_STRONGEST.index, default="not run")


def claim_list(claims: Iterable[Claim]) -> str:
    """Return claims as a numbered list in Markdown."""
    items = [
        f"{number}. **{claim.verdict}**: {claim.text}. {claim.evidence}".rstrip()
        for number, claim in enumerate(claims, 1)
    ]
    return "\n".join(items) + "\n"


def finished(what: str, n_all: int, n_missing: int, n_cells: int) -> str:
    """Return a sentence on which part of the paper's experiment was run."""
    n_finished = n_all - n_missing
    others = f", and {n_cells - n_finished} others" if n_cells > n_finished else ""
    if n_missing:
        return (
            f"**{n_missing} of the {n_all} {what} are missing** (the last table says which); "
            f"{n_finished} are finished{others}."
        )
    return f"All {n_all} {what} are finished{others}."


def filled(template: str, **texts: str) -> str:
    """Return a report: a template, with texts in place of their names."""
    page = (files("h2pc.experiments") / "templates" / template).read_text("utf-8")
    return Template(page).substitute({name: text.rstrip("\n") for name, text in texts.items()})


def write_texts(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write texts into a folder by their file names, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        replace_file(folder / name, text)
    return [folder / name for name in texts]
