"""Analysis of gait: the registry of variables, cycles, walk parameters, norms and scores, agreement, and statistics."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
