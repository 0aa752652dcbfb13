from .bif import parse_bif as parse_bif, read_bif as read_bif
from .bif_writing import bif_text as bif_text, write_bif as write_bif
from .dot import write_dot as write_dot
from .formats import read_network as read_network, write_network as write_network
from .json_files import (
    json_text as json_text,
    parse_json as parse_json,
    read_json as read_json,
    write_json as write_json,
)
from .library import load_network as load_network, network_names as network_names
from .network import BayesianNetwork as BayesianNetwork
from .xmlbif import write_xmlbif as write_xmlbif, xmlbif_text as xmlbif_text
from .xmlbif_reading import read_xmlbif as read_xmlbif
