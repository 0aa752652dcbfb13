"""Long runs made of many cells: in parallel, and resumable after a kill at any moment."""

from h2pc.runs.cells import CellResult, CellStore, read_cells, read_settings
from h2pc.runs.grid import run_cells

__all__ = ["CellResult", "CellStore", "read_cells", "read_settings", "run_cells"]
