"""The paper's tables and figures, and what else is claimed: each a module that can be run."""
