from .network_formats import read_network as read_network, write_network as write_network
from .library import load_network as load_network, network_names as network_names
from .network import BayesianNetwork as BayesianNetwork
