"""Bayesian network structure learning with HPC and H2PC."""
