# The public names, grouped by subject.

# Learners of networks
from .learners.hybrid import H2PC as H2PC, MMHC as MMHC
from .learners.score_based import (
    GES as GES,
    HillClimbing as HillClimbing,
    TabuSearch as TabuSearch,
)
from .learners.skeleton_learning import skeleton as skeleton
from .learners.cost_estimate import estimate_cost as estimate_cost
from .learners.bootstrap import edge_strengths as edge_strengths
from .learners.edge_strengths import EdgeStrengths as EdgeStrengths
from .algorithms.alternatives import Alternative as Alternative, EdgeChange as EdgeChange
from .algorithms.learn_result import LearnResult as LearnResult
from .algorithms.skeletons import SkeletonResult as SkeletonResult

# Multi-label learning
from .multilabel.classifiers import (
    BinaryRelevance as BinaryRelevance,
    LabelPowerset as LabelPowerset,
    MinimalLabelPowersetClassifier as MinimalLabelPowersetClassifier,
)
from .multilabel.chain import ClassifierChain as ClassifierChain
from .multilabel.compact_forest import CompactForestClassifier as CompactForestClassifier
from .multilabel.data import MultilabelData as MultilabelData
from .multilabel.description import describe as describe
from .multilabel.explanation import LabelExplanation as LabelExplanation
from .multilabel.data_files import read_multilabel as read_multilabel
from .multilabel.label_factors import (
    LabelFactors as LabelFactors,
    irreducible_label_factors as irreducible_label_factors,
)
from .multilabel.label_metrics import multilabel_scores as multilabel_scores
from .multilabel.markov_boundary import MarkovBoundarySelector as MarkovBoundarySelector
from .multilabel.model_files import read_model as read_model, write_model as write_model
from .multilabel.openml import fetch_multilabel as fetch_multilabel
from .multilabel.powersets import (
    label_graph as label_graph,
    minimal_label_powersets as minimal_label_powersets,
    powerset_boundary as powerset_boundary,
)
from .multilabel.random_networks import make_multilabel_network as make_multilabel_network

# Data
from .data.dataset import Dataset as Dataset
from .data.discretize import Discretizer as Discretizer, discretize as discretize
from .data.table_check import TableCheck as TableCheck
from .io.checking import check as check
from .io.table_files import read_dataset as read_dataset

# Graphs and networks
from .graphs.cpdag import Cpdag as Cpdag
from .graphs.dag import Dag as Dag
from .graphs.skeleton import Skeleton as Skeleton
from .networks.network_formats import read_network as read_network, write_network as write_network
from .networks.library import load_network as load_network, network_names as network_names
from .networks.network import BayesianNetwork as BayesianNetwork
from .networks.linear_gaussian import LinearGaussianNetwork as LinearGaussianNetwork
from .networks.random_discrete import make_bayesian_network as make_bayesian_network
from .networks.random_gaussian import (
    make_linear_gaussian_network as make_linear_gaussian_network,
)

# Local learners, tests and scores
from .algorithms.hpc import hpc as hpc
from .algorithms.mmpc import mmpc as mmpc
from .independence.base import CITest as CITest
from .independence.compared_tests import ComparedTests as ComparedTests
from .independence.comparing import compare_tests as compare_tests
from .independence.gaussian_tests import GaussianTest as GaussianTest, MixedTest as MixedTest
from .independence.oracle import DSeparationOracle as DSeparationOracle
from .independence.permutation_test import PermutationTest as PermutationTest
from .independence.shrinkage_test import ShrinkageTest as ShrinkageTest
from .independence.table_tests import ChiSquareTest as ChiSquareTest, GTest as GTest
from .scores.base import LocalScore as LocalScore
from .scores.bayesian import BDeu as BDeu, BDs as BDs, K2 as K2
from .scores.gaussian import (
    BGe as BGe,
    GaussianAIC as GaussianAIC,
    GaussianBIC as GaussianBIC,
    GaussianLogLikelihood as GaussianLogLikelihood,
)
from .scores.information import AIC as AIC, BIC as BIC, LogLikelihood as LogLikelihood
from .scores.nml import FNML as FNML, QNML as QNML

# Metrics
from .metrics.edge_scores import compare_edges as compare_edges, edge_scores as edge_scores
from .metrics.network_score import network_score as network_score
from .metrics.shd import dag_shd as dag_shd, shd as shd
from .metrics.skeleton_scores import (
    SkeletonScores as SkeletonScores,
    skeleton_scores as skeleton_scores,
)

# Pictures and pages
from .report.calibration import plot_calibration as plot_calibration
from .report.error_curves import plot_test_errors as plot_test_errors
from .report.label_graphs import plot_label_graph as plot_label_graph
from .report.page import network_page as network_page
from .report.pictures import plot_comparison as plot_comparison, plot_network as plot_network

# Errors
from .errors import (
    DataWarning as DataWarning,
    H2pcError as H2pcError,
    H2pcWarning as H2pcWarning,
)

# The version
from .version import __version__ as __version__
