"""Bayesian network structure learning with HPC and H2PC, and multi-label classification.

Names are resolved when they are first used, so that ``import h2pc`` is quick.
"""

from typing import TYPE_CHECKING, Any

from h2pc.lazy import resolved
from h2pc.version import __version__

_HOME = {
    "AIC": "h2pc.scores",
    "BDeu": "h2pc.scores",
    "BDs": "h2pc.scores",
    "BIC": "h2pc.scores",
    "BayesianNetwork": "h2pc.networks",
    "BinaryRelevance": "h2pc.estimators.binary_relevance",
    "CITest": "h2pc.independence.base",
    "ChiSquareTest": "h2pc.independence.table_test",
    "ClassifierChain": "h2pc.estimators.classifier_chain",
    "CompactForestClassifier": "h2pc.estimators.compact_forest",
    "Cpdag": "h2pc.graph",
    "DSeparationOracle": "h2pc.independence.oracle",
    "Dag": "h2pc.graph",
    "Dataset": "h2pc.data",
    "Discretizer": "h2pc.data",
    "EdgeStrengths": "h2pc.structure",
    "GTest": "h2pc.independence.table_test",
    "H2PC": "h2pc.estimators.hybrid",
    "H2pcError": "h2pc.errors",
    "H2pcWarning": "h2pc.errors",
    "HillClimbing": "h2pc.estimators.score_based",
    "K2": "h2pc.scores",
    "LabelPowerset": "h2pc.estimators.label_powerset",
    "LearnResult": "h2pc.structure",
    "LogLikelihood": "h2pc.scores",
    "MMHC": "h2pc.estimators.hybrid",
    "MarkovBoundarySelector": "h2pc.estimators.markov_boundary",
    "MinimalLabelPowersetClassifier": "h2pc.estimators.minimal_label_powerset",
    "MultilabelData": "h2pc.datasets",
    "Skeleton": "h2pc.graph",
    "SkeletonResult": "h2pc.structure",
    "SkeletonScores": "h2pc.metrics",
    "TabuSearch": "h2pc.estimators.score_based",
    "compare_edges": "h2pc.metrics",
    "dag_shd": "h2pc.metrics",
    "describe": "h2pc.datasets",
    "discretize": "h2pc.data",
    "edge_scores": "h2pc.metrics",
    "edge_strengths": "h2pc.estimators.bootstrap",
    "fetch_multilabel": "h2pc.datasets",
    "hpc": "h2pc.local",
    "label_graph": "h2pc.multilabel",
    "load_model": "h2pc.estimators.model_files",
    "load_multilabel": "h2pc.datasets",
    "load_network": "h2pc.networks",
    "make_multilabel_network": "h2pc.datasets",
    "minimal_label_powersets": "h2pc.multilabel",
    "mmpc": "h2pc.local",
    "multilabel_scores": "h2pc.metrics.multilabel",
    "network_names": "h2pc.networks",
    "network_page": "h2pc.report.page",
    "network_score": "h2pc.metrics",
    "plot_comparison": "h2pc.report.pictures",
    "plot_label_graph": "h2pc.report.label_graphs",
    "plot_network": "h2pc.report.pictures",
    "powerset_boundary": "h2pc.multilabel",
    "read_dataset": "h2pc.datasets",
    "read_multilabel": "h2pc.datasets",
    "save_model": "h2pc.estimators.model_files",
    "shd": "h2pc.metrics",
    "skeleton": "h2pc.estimators.skeleton",
    "skeleton_scores": "h2pc.metrics",
}

__all__ = [
    "AIC",
    "BIC",
    "H2PC",
    "K2",
    "MMHC",
    "BDeu",
    "BDs",
    "BayesianNetwork",
    "BinaryRelevance",
    "CITest",
    "ChiSquareTest",
    "ClassifierChain",
    "CompactForestClassifier",
    "Cpdag",
    "DSeparationOracle",
    "Dag",
    "Dataset",
    "Discretizer",
    "EdgeStrengths",
    "GTest",
    "H2pcError",
    "H2pcWarning",
    "HillClimbing",
    "LabelPowerset",
    "LearnResult",
    "LogLikelihood",
    "MarkovBoundarySelector",
    "MinimalLabelPowersetClassifier",
    "MultilabelData",
    "Skeleton",
    "SkeletonResult",
    "SkeletonScores",
    "TabuSearch",
    "__version__",
    "compare_edges",
    "dag_shd",
    "describe",
    "discretize",
    "edge_scores",
    "edge_strengths",
    "fetch_multilabel",
    "hpc",
    "label_graph",
    "load_model",
    "load_multilabel",
    "load_network",
    "make_multilabel_network",
    "minimal_label_powersets",
    "mmpc",
    "multilabel_scores",
    "network_names",
    "network_page",
    "network_score",
    "plot_comparison",
    "plot_label_graph",
    "plot_network",
    "powerset_boundary",
    "read_dataset",
    "read_multilabel",
    "save_model",
    "shd",
    "skeleton",
    "skeleton_scores",
]

if TYPE_CHECKING:
    from h2pc.data import Dataset, Discretizer, discretize
    from h2pc.datasets import (
        MultilabelData,
        describe,
        fetch_multilabel,
        load_multilabel,
        make_multilabel_network,
        read_dataset,
        read_multilabel,
    )
    from h2pc.errors import H2pcError, H2pcWarning
    from h2pc.estimators.binary_relevance import BinaryRelevance
    from h2pc.estimators.bootstrap import edge_strengths
    from h2pc.estimators.classifier_chain import ClassifierChain
    from h2pc.estimators.compact_forest import CompactForestClassifier
    from h2pc.estimators.hybrid import H2PC, MMHC
    from h2pc.estimators.label_powerset import LabelPowerset
    from h2pc.estimators.markov_boundary import MarkovBoundarySelector
    from h2pc.estimators.minimal_label_powerset import MinimalLabelPowersetClassifier
    from h2pc.estimators.model_files import load_model, save_model
    from h2pc.estimators.score_based import HillClimbing, TabuSearch
    from h2pc.estimators.skeleton import skeleton
    from h2pc.graph import Cpdag, Dag, Skeleton
    from h2pc.independence.base import CITest
    from h2pc.independence.oracle import DSeparationOracle
    from h2pc.independence.table_test import ChiSquareTest, GTest
    from h2pc.local.hpc import hpc
    from h2pc.local.mmpc import mmpc
    from h2pc.metrics import (
        SkeletonScores,
        compare_edges,
        dag_shd,
        edge_scores,
        network_score,
        skeleton_scores,
    )
    from h2pc.metrics.multilabel import multilabel_scores
    from h2pc.metrics.shd import shd
    from h2pc.multilabel import label_graph, minimal_label_powersets, powerset_boundary
    from h2pc.networks import BayesianNetwork, load_network, network_names
    from h2pc.report.label_graphs import plot_label_graph
    from h2pc.report.page import network_page
    from h2pc.report.pictures import plot_comparison, plot_network
    from h2pc.scores import AIC, BIC, K2, BDeu, BDs, LogLikelihood
    from h2pc.structure import EdgeStrengths, LearnResult, SkeletonResult


def __getattr__(name: str) -> Any:
    return resolved(__name__, _HOME, name)


def __dir__() -> list[str]:
    return sorted(__all__)
