"""The worked systems of the teaching texts and the thesis, reproduced, corrected and drawn.

``python -m pipeline.examples --out DIR`` writes every figure and an index. Each module below is one system; its
``draw`` makes the figure and returns a sentence on what it shows.
"""

from pipeline.examples.page import Example, all_examples, write_examples
