"""The options that commands share: one name, one meaning, one help text."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer


class Algorithm(StrEnum):
    """What learns a network."""

    H2PC = "h2pc"
    MMHC = "mmhc"
    HC = "hc"
    TABU = "tabu"


class Test(StrEnum):
    """What answers questions of independence."""

    G2 = "g2"
    CHI2 = "chi2"


class Rule(StrEnum):
    """When two variables are joined in a skeleton."""

    AND = "and"
    OR = "or"


class Score(StrEnum):
    """What a search maximises."""

    BDEU = "bdeu"
    BIC = "bic"
    AIC = "aic"
    K2 = "k2"
    BDS = "bds"
    LOGLIK = "loglik"


class Bins(StrEnum):
    """How continuous columns are cut."""

    QUANTILE = "quantile"
    UNIFORM = "uniform"


class MissingValues(StrEnum):
    """What happens to missing values."""

    ERROR = "error"
    DROP = "drop"
    LEVEL = "level"


AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON object for machines instead of tables.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but the answer.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what is being done.")]
NJobs = Annotated[int, typer.Option("--n-jobs", help="Workers; -1 for all processors.")]
RandomState = Annotated[
    int, typer.Option("--random-state", min=0, help="Seed of all random numbers.")
]
OutFile = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", help="File of the result; its ending tells the format, - is stdout."
    ),
]
OutFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="File of the result, several times if you like; its ending tells the format: .bif, "
        ".xml, .xmlbif, .dot, .json, .csv, .svg, .png, .pdf or .html; - is stdout.",
    ),
]

_NETWORK = "a network (.bif, .xml, .json), a learned result (.json), a graph (.dot)"


def library_names(begun: str) -> list[str]:
    """Return the networks of the library that a shell may complete a word to."""
    from h2pc.networks import network_names

    return [name for name in network_names() if name.startswith(begun)]


def graph_argument(help_: str) -> Any:
    """Return the argument that names a graph: a file or a network of the library."""
    return typer.Argument(
        help=f"{help_}: {_NETWORK}, or a name of the library.",
        show_default=False,
        autocompletion=library_names,
    )


DataFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Table with a header line: .csv, .tsv (also .gz, .bz2, .xz), .parquet or .arff; "
        "- reads CSV from stdin.",
        show_default=False,
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        help="Columns to take, with commas between them; all by default.",
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", metavar="NAMES", help="Columns to leave out, with commas between them."),
]
Discretize = Annotated[
    int | None,
    typer.Option(
        "--discretize",
        min=2,
        metavar="N",
        help="Cut continuous columns into N levels: fractions, and whole numbers of more than 20 "
        "kinds.",
    ),
]
BinsOption = Annotated[
    Bins, typer.Option("--strategy", help="Levels of equally many samples, or of equal width.")
]
MissingOption = Annotated[
    MissingValues,
    typer.Option(
        "--missing",
        help="Refuse missing values, drop their rows, or make them a level. Cells that are empty "
        "or say ?, NA, None or null are missing.",
    ),
]
MaxLevels = Annotated[
    int | None,
    typer.Option(
        "--max-levels",
        min=1,
        help="Most levels of a column; by default columns that tell rows apart are refused.",
    ),
]

# What stays None is left to the learner: so we know what was asked for, and can say where an
# algorithm has no such setting.
AlgorithmOption = Annotated[Algorithm, typer.Option("--algorithm", "-a", help="What learns.")]
AlphaOption = Annotated[
    float | None, typer.Option("--alpha", help="Level of the test; 0.05 by default.")
]
TestOption = Annotated[
    Test | None, typer.Option("--test", help="Independence test; g2 by default.")
]
RuleOption = Annotated[
    Rule | None,
    typer.Option("--symmetry", help="Must both ends of a link find each other? and by default."),
]
ScoreOption = Annotated[
    Score | None, typer.Option("--scoring", help="What the search maximises; bdeu by default.")
]
Ess = Annotated[
    float | None,
    typer.Option(
        "--equivalent-sample-size", help="Equivalent sample size of bdeu and bds; 10 by default."
    ),
]
MaxParents = Annotated[
    int | None, typer.Option("--max-parents", min=0, help="Most parents of a variable.")
]
Restarts = Annotated[
    int | None,
    typer.Option("--restarts", min=0, help="Searches after the first; 0 as in the paper."),
]
Patience = Annotated[
    int | None,
    typer.Option("--patience", min=0, help="Moves that the search makes in vain; 15 by default."),
]
PowerRule = Annotated[
    float | None,
    typer.Option(
        "--power-rule", help="Fewest samples per cell for a test to be performed; 5 by default."
    ),
]
SecondPowerRule = Annotated[
    float | None,
    typer.Option(
        "--second-power-rule",
        help="The same where a variable is learned again, as one end of a link found the other and "
        "not the other way round; 1 by default. The value of --power-rule learns nothing again.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Who does the work: dask://host:port, ray://host:port, or local for processes.",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FOLDER",
        help="Keep finished neighbourhoods in this folder, and go on from those it has.",
    ),
]
Time = Annotated[
    str | None,
    typer.Option(
        "--max-seconds", metavar="TIME", help="Stop after 90s, 10m or 1h30m, with what is known."
    ),
]
Memory = Annotated[
    str | None,
    typer.Option("--max-memory", metavar="SIZE", help="Stop before 2GB or 512MiB are exceeded."),
]
MaxConditioning = Annotated[
    int | None,
    typer.Option(
        "--max-conditioning", min=0, help="Largest conditioning set of a search for a separator."
    ),
]
MaxSubsetTests = Annotated[
    int | None,
    typer.Option(
        "--max-subset-tests", min=1, help="Most subsets that a search for a separator tries."
    ),
]
Constraints = Annotated[
    Path | None,
    typer.Option(
        "--constraints",
        metavar="FILE",
        help='JSON or TOML file of what is known: "required" and "forbidden" pairs of parent and '
        'child, "tiers" of names in the order of time.',
    ),
]
Targets = Annotated[
    list[str] | None,
    typer.Option(
        "--targets",
        "-t",
        metavar="NAMES",
        help="Variables to look around, with commas or several times.",
    ),
]


def words(given: list[str] | None) -> list[str]:
    """Return the words of an option that takes commas and may come several times."""
    return [word.strip() for text in given or () for word in text.split(",") if word.strip()]


def examples(*lines: str) -> str:
    """Return the end of a help text: examples, each on a line of its own."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
