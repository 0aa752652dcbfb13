"""Compiled loops: arrays in, arrays out. Nothing here knows a name, a graph or an algorithm."""
