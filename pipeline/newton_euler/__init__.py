"""Matrix-form inverse dynamics of a leg.

In: segments in motion and the ground's load on the foot. Out: the block system M a = C + G + A F + E, its solution,
contributions of each term, and the joint loads in a choice of axes. It never imports the recursive dynamics, so that
the agreement of the two methods is evidence.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
