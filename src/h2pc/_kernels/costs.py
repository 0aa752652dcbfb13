"""What counting costs, in nanoseconds; only the ratios matter.

The first five are measured by ``benchmarks/cost_model.py``, which prints their lines.
"""

WORD = 0.23  # AND one word of a bitmap with another and count its bits
BIT = 1.66  # find a set bit and scatter it
BIT_WORD = 1.44  # look into a word for set bits
ROW = 0.87  # scatter one row
KEY = 0.59  # extend the key of one row by one variable
MOVE = 0.6  # count one variable in another stratum: set low, as later rounds gain from it
REMEMBER = 3000.0  # questions that cost less are asked again: looking up costs about 100
