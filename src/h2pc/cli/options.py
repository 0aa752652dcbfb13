"""The options of all commands: one name, one meaning, one help text.

A command takes an option for each parameter that has its name here; ``with_options`` adds the
text. Options are called as their parameters, unless names are given.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def option(text: str, *names: str, **settings: Any) -> Any:
    """Return an option with its help text."""
    return typer.Option(*names, help=text, **settings)


def words(given: list[str] | None) -> list[str]:
    """Return the names of an option that takes commas and may be repeated, each once."""
    found = [word.strip() for text in given or () for word in text.split(",")]
    return [word for word in dict.fromkeys(found) if word]


def names_option(text: str, *names: str, **settings: Any) -> Any:
    """Return an option that takes names: separated by commas, or repeated."""
    return option(text, *names, metavar="NAMES", callback=words, **settings)


def library_names(begun: str) -> list[str]:
    """Return the networks of the library that a shell may complete a word to."""
    from h2pc.networks import network_names

    return [name for name in network_names() if name.startswith(begun)]


_NO_LIMIT = {"show_default": "no limit"}
_RECOGNISED = {"show_default": "recognised"}

METHODS = (
    "br: binary relevance; mlp: minimal label powersets; lp: label powerset; cc: classifier chain; "
    "+mb: with the features of the Markov boundaries only; auto: mlp whose features and models are "
    "chosen by samples that are held out; br+auto, lp+auto: br and lp with features chosen so."
)

OPTIONS: dict[str, Any] = {
    # tables
    "columns": names_option("Columns to use.", show_default="all"),
    "drop": names_option("Columns to leave out."),
    "keep": names_option(
        "Columns to keep although they look like row numbers, identifiers or constants; all keeps "
        "all."
    ),
    "sep": option(
        "Separator of the cells of a text: a character, tab, or space for any number of them.",
        metavar="CHARACTER",
        **_RECOGNISED,
    ),
    "decimal": option("Decimal mark of a text: a point or a comma.", **_RECOGNISED),
    "encoding": option(
        "Encoding of a text, such as utf-8, utf-16 or latin-1.", metavar="NAME", **_RECOGNISED
    ),
    "header": option("Whether the first line names the columns.", **_RECOGNISED),
    "transpose": option(
        "Rows are variables and columns are samples; the first column names the variables.",
        "--transpose",
    ),
    "discretize": option(
        "Number of levels that continuous columns are cut into: fractions, and whole numbers of "
        "more than 20 values.",
        min=2,
        show_default="they stay continuous",
    ),
    "strategy": option("Levels of equal frequency (quantile) or equal width (uniform)."),
    "missing": option(
        "Refuse missing values (error), drop their rows (drop), make them a level of discrete "
        "columns (level), or use for each test and score the rows that are complete in its "
        "variables (available). "
        "Empty cells, ?, NA, None and null are missing."
    ),
    "max_levels": option(
        "Largest number of levels of a column.",
        min=1,
        show_default="columns that look like identifiers are left out",
    ),
    # independence tests
    "alpha": option("Significance level of the independence tests."),
    "test": option(
        "Independence test. For discrete variables: g2, chi2, permutation, semiparametric, "
        "shrinkage; for continuous ones gaussian; for any mixed. auto takes g2, gaussian or mixed."
    ),
    "tests": option("Compare independence tests on the table.", "--tests"),
    "n_repetitions": option("Number of resampled tables that tests are compared on.", min=1),
    "power_rule": option("Smallest number of samples per cell for a test to be performed."),
    "symmetry": option(
        "Join two variables if both find each other (and), or if one of them does (or)."
    ),
    "fdr": option(
        "False discovery rate of the edges of the skeleton, such as 0.05; the search of h2pc and "
        "mmhc then stays inside it.",
        show_default="not controlled",
    ),
    "fdr_method": option(
        "Adjustment of p-values for the number of pairs: Benjamini-Yekutieli (by) or "
        "Benjamini-Hochberg (bh)."
    ),
    "constraints": option(
        'JSON or TOML file of constraints: "required" and "forbidden" edges as pairs (parent, '
        'child), "tiers" of variables in temporal order.'
    ),
    # learners
    "algorithm": option(
        "Learning algorithm: h2pc and mmhc have a skeleton; hc (hill climbing), tabu and ges "
        "(among equivalence classes) may join any two variables.",
        "--algorithm",
        "-a",
    ),
    "variant": option(
        "Variant of h2pc and mmhc: accurate, or the algorithm of the paper, whose search stays "
        "inside the skeleton."
    ),
    "one_sided_penalty": option(
        "Gain that an edge needs if only one end found the other, in units of the logarithm of the "
        "number of variables.",
        min=0,
    ),
    "outside_penalty": option(
        "The same if neither end found the other; by default 3, and no such edge where cells are "
        "missing or targets are more than ten.",
        min=0,
    ),
    "scoring": option(
        "Score that the search maximises. For discrete variables: bdeu, bds, k2, qnml, fnml; for "
        "continuous ones bge; for any bic, aic, loglik. auto takes bdeu for discrete ones (ges: "
        "qnml), and bic."
    ),
    "equivalent_sample_size": option("Equivalent sample size of the prior of bdeu and bds."),
    "max_parents": option("Largest number of parents of a variable.", min=0, **_NO_LIMIT),
    "restarts": option("Number of random restarts of hc and tabu.", min=0),
    "patience": option(
        "Moves without improvement after which a tabu search stops: that of tabu, and of h2pc and "
        "mmhc with --variant paper.",
        min=0,
    ),
    "targets": names_option("Target variables.", "--targets", "-t"),
    "reference": option(
        "Network to compare with: a file or a network of the library.",
        metavar="NETWORK",
        autocompletion=library_names,
    ),
    "view": option(
        "Directions to show: those that are identifiable, the same in all equivalent graphs that "
        "obey the constraints (class), or all (dag). --reference compares classes, or graphs."
    ),
    "alternatives": option(
        "Show up to N graphs whose score is at most 20 lower than that of the learned one.",
        metavar="N",
        min=1,
    ),
    "n_replicates": option("Number of samples; even for subsamples.", min=1),
    "resampling": option(
        "Samples drawn with replacement (bootstrap), or complementary halves of the rows "
        "(subsample), whose strengths bound the number of false edges."
    ),
    "max_false_edges": option(
        "Choose the smallest threshold for which at most so many false edges are expected, by "
        "stability selection; with --resampling subsample.",
        min=0.0,
        show_default="no bound",
    ),
    "unimodal": option(
        "Assume that the share of splits of which both halves have a false edge is unimodal: the "
        "bound on false edges is smaller.",
        "--unimodal",
    ),
    "threshold": option(
        "Edges of the averaged network are stronger than this.",
        min=0.0,
        max=1.0,
        show_default="by Scutari and Nagarajan (2013)",
    ),
    # multi-label data and classifiers
    "labels": names_option(
        "Columns that are labels, of 0 and 1 or of words such as no and yes.", "--labels", "-l"
    ),
    "n_labels": option("The last N columns are labels; -N: the first N."),
    "label_xml": option(
        "XML file of the labels of Mulan.", show_default="the .xml file beside the .arff file"
    ),
    "assumption": option(
        "What is assumed of the distribution: faithfulness to a graph, which is learned; "
        "composition or intersection, where pairs of labels are tested given Markov boundaries."
    ),
    "boundary": option(
        "Algorithm for the Markov boundaries of composition and intersection; shrink is for few "
        "variables."
    ),
    "join": option(
        "Join two labels that depend on each other given the boundary of one (either), or given "
        "each of both."
    ),
    "feature_selection": option(
        "Features of each classifier: all, those of the Markov boundary, or what predicts samples "
        "best that are held out (auto)."
    ),
    "objective": option(
        "What predictions are best at: all labels right (subset), the F1 of a sample (f1), or each "
        "label by itself (hamming)."
    ),
    "thresholds": option(
        "With --objective hamming, the probability from which on a label is predicted; tuned "
        "maximises the F1 of each label on samples that are held out.",
        metavar="tuned|NUMBER",
        show_default="above 0.5",
    ),
    "min_combination_samples": option(
        "Combinations of labels with fewer samples are no classes; their samples get the nearest "
        "one. 3 saves time and memory with hundreds of labels.",
        min=1,
    ),
    "n_estimators": option("Number of trees of a random forest.", min=1),
    "method": option(METHODS, "--method", "-m"),
    "folds": option("Number of folds."),
    "stratify": option(
        "Folds with about the same share of every label, or of shuffled samples; the first needs "
        "iterative-stratification.",
        show_default="stratified where installed",
    ),
    "trusted": names_option(
        "Further types that the model file may hold, if you trust its origin, such as "
        "lightgbm.sklearn.LGBMClassifier.",
        "--trust",
    ),
    "proba": option("Write the probability that each label is present.", "--proba"),
    "row": option("Number of the sample, from 0.", min=0),
    "background": option(
        "Table of samples to compare with, such as the training data.",
        show_default="training samples that the model has kept",
    ),
    "n_background": option("Largest number of samples to compare with.", min=1),
    # experiments
    "networks": option("Networks of the library.", metavar="NAMES"),
    "sizes": option("Numbers of samples.", metavar="NUMBERS"),
    "repetitions": option("Number of data sets of each size."),
    "data": option("Data sets.", metavar="NAMES"),
    "first_folds": option("Number of folds to run.", show_default="all"),
    # runs
    "n_samples": option("Number of samples.", "--n-samples", "-n", min=1),
    "random_state": option("Seed of the random numbers.", min=0),
    "n_jobs": option("Number of parallel workers; -1 uses all processors."),
    "cluster": option(
        "Cluster that does the work: dask://host:port, ray://host:port, ray:// on a machine of a "
        "Ray cluster, or local for processes on this machine.",
        metavar="ADDRESS",
    ),
    "checkpoint": option(
        "Folder of finished work, from which an interrupted run continues.", metavar="FOLDER"
    ),
    "max_seconds": option(
        "Time limit, such as 90s, 10m or 1h30m; the result is incomplete where it is reached.",
        metavar="TIME",
    ),
    "max_memory": option("Memory limit, such as 2GB or 512MiB.", metavar="SIZE"),
    "max_conditioning": option(
        "Largest conditioning set in the search for a separating set.",
        min=0,
        show_default="5 for gaussian and mixed, else no limit",
    ),
    "max_subset_tests": option(
        "Largest number of subsets tried in the search for a separating set.", min=1, **_NO_LIMIT
    ),
    # output
    "format_": option("Format of --out -.", "--format"),
    "every": option("List every variable left out, not only ten.", "--all"),
    "as_json": option("Print JSON instead of tables.", "--json"),
    "quiet": option("Print the result only.", "--quiet", "-q"),
    "verbose": option("Report each step.", "--verbose", "-v"),
}

NetworkOutputs = Annotated[
    list[Path] | None,
    option(
        "Output file, may be repeated. The ending gives the format: .bif, .xml, .xmlbif and "
        ".network.json with parameters, .dot, .json, .csv, .svg, .png, .pdf or .html; - is "
        "standard output.",
        "--out",
        "-o",
        metavar="FILE",
    ),
]

DataFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Table: text (.csv, .tsv, .tab, .txt, .dat) or .arff, also .gz, .bz2 or .xz, .parquet "
        "or .xlsx; - reads text from standard input.",
        show_default=False,
    ),
]


def network_argument(what: str, files: str = ".bif, .xml, .json, .dot") -> Any:
    """Return an argument that names a network: a file, or one of the library."""
    return typer.Argument(
        metavar="NETWORK",
        help=f"{what}: a file ({files}) or a network of the library.",
        show_default=False,
        autocompletion=library_names,
    )
