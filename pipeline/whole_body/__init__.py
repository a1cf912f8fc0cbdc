"""A walk on the 55-joint skeleton: recursive dynamics, pelvis residuals, residual reduction, forward check."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
