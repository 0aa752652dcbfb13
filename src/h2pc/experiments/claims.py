"""The paper's claims, checked against stored results, and the sentences that reports share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import NamedTuple

from h2pc.io.files import replace_file


class Claim(NamedTuple):
    """A claim of the paper, and whether it holds in our results."""

    text: str
    holds: bool | None
    """None where cells that the claim is about are missing."""
    evidence: str

    @property
    def verdict(self) -> str:
        """One of true, false and unknown."""
        return {True: "true", False: "false", None: "unknown"}[self.holds]


def for_all(holds: bool, n_run: int, n_all: int) -> bool | None:
    """Return a verdict about all: some can refute it, only all can confirm it."""
    return None if holds and n_run < n_all else holds


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
