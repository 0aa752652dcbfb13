"""Learners of networks as scikit-learn estimators, and what is computed from their results."""
