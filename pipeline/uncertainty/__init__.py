"""Uncertainty of a walk's angles, moments and powers, by source of error.

In: a walk with everything from which it was computed, and the standard deviation of each error. Out: standard
deviations of its mean curves over the gait cycle, by source, and 95 % bands. Reads and writes no results.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
