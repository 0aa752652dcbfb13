"""Local learners: the neighbourhood of one target."""

from h2pc.local.de_pcs import de_pcs
from h2pc.local.de_sps import de_sps
from h2pc.local.fdr_iapc import fdr_iapc
from h2pc.local.hpc import Neighbourhood, hpc, hpc_neighbourhood
from h2pc.local.iamb import iamb, inter_iamb
from h2pc.local.iamb_fdr import iamb_fdr
from h2pc.local.mmpc import mmpc

__all__ = [
    "Neighbourhood",
    "de_pcs",
    "de_sps",
    "fdr_iapc",
    "hpc",
    "hpc_neighbourhood",
    "iamb",
    "iamb_fdr",
    "inter_iamb",
    "mmpc",
]
