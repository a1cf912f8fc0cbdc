"""Matrix-form inverse dynamics of a leg.

Input: segment motion and the ground reaction on the foot. Output: the block system M a = C + G + A F + E, its solution,
the contribution of each term, and the joint loads in a choice of axes. The package never imports the recursive
dynamics, so agreement of the two methods is evidence.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
