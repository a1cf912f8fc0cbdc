"""HTML pages of a study, its subjects, trials and predictions, from the values that the stages wrote."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
