from .network_formats import read_network as read_network, write_network as write_network
from .library import load_network as load_network, network_names as network_names
from .network import BayesianNetwork as BayesianNetwork
from .linear_gaussian import LinearGaussianNetwork as LinearGaussianNetwork
from .random_discrete import make_bayesian_network as make_bayesian_network
from .random_gaussian import (
    make_linear_gaussian_network as make_linear_gaussian_network,
)
