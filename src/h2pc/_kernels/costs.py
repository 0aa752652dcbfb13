"""What counting costs, in nanoseconds; only the ratios matter.

Measured by ``benchmarks/cost_model.py``, which prints these lines.
"""

WORD = 0.30  # AND one word of a bitmap with another and count its bits
BIT = 1.30  # find a set bit and scatter it
BIT_WORD = 0.60  # look into a word for set bits
ROW = 1.00  # scatter one row
ROW_OF_TWO = 0.60  # scatter one row for two tables at once, each
KEY = 1.00  # extend the key of one row by one variable
REMEMBER = 100.0  # look an answer up, or write it down
ADD = 0.80  # add one entry of a joint table to a margin
