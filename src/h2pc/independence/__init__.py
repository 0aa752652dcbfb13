"""Conditional independence tests."""
