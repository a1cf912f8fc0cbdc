"""Uncertainty of a walk's angles, moments and powers, by source of error.

In: a walk with all that it was computed from, and the standard deviation of each error. Out: standard deviations of its
mean curves over the gait cycle, by source, and 95 % bands. Pure: no files.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
