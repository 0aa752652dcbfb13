"""Searches for the graph of the largest score."""

from h2pc.search.found import Found
from h2pc.search.hill_climbing import hill_climbing
from h2pc.search.moves import Add, Delete, Move, Reverse
from h2pc.search.tabu import tabu_search

__all__ = ["Add", "Delete", "Found", "Move", "Reverse", "hill_climbing", "tabu_search"]
